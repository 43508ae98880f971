// fields.c: facts by table.
#include "record/fields.h"

#include "record/run_json.h"

#include <math.h>
#include <stdlib.h>

// How one kind of fact is handled. `fact` points at it; what is read is there.
struct handling {
    bool (*known)(const void *fact);
    void (*write)(const char *name, const void *fact, struct json_out *out);
    bool (*read)(const struct json_value *object, const char *name, void *fact, struct error *error);
};

static bool text_known(const void *fact)
{
    return *(char *const *)fact != NULL;
}

static void text_write(const char *name, const void *fact, struct json_out *out)
{
    json_put_member_string(out, name, *(char *const *)fact);
}

static bool text_read(const struct json_value *object, const char *name, void *fact, struct error *error)
{
    return json_get_copy(object, name, JSON_REQUIRED, fact, error);
}

static bool count_known(const void *fact)
{
    const struct count *count = fact;
    return count->known && count->value <= RUN_INTEGER_MOST;
}

static void count_write(const char *name, const void *fact, struct json_out *out)
{
    json_put_member_integer(out, name, ((const struct count *)fact)->value);
}

static bool count_read(const struct json_value *object, const char *name, void *fact, struct error *error)
{
    struct count *count = fact;
    count->known = json_get_integer(object, name, JSON_REQUIRED, RUN_INTEGER_MOST, &count->value, error);
    return count->known;
}

static bool signed_known(const void *fact)
{
    const struct signed_count *count = fact;
    return count->known && count->value <= (int64_t)RUN_INTEGER_MOST &&
           count->value >= -(int64_t)RUN_INTEGER_MOST;
}

static void signed_write(const char *name, const void *fact, struct json_out *out)
{
    json_put_member_signed(out, name, ((const struct signed_count *)fact)->value);
}

static bool signed_read(const struct json_value *object, const char *name, void *fact, struct error *error)
{
    struct signed_count *count = fact;
    double number;
    if (!json_get_number(object, name, JSON_REQUIRED, &number, error))
        return false;
    if (number != floor(number) || fabs(number) > (double)RUN_INTEGER_MOST)
        return json_fail_member(object, name, error, "not a whole number from -%llu to %llu",
                                (unsigned long long)RUN_INTEGER_MOST, (unsigned long long)RUN_INTEGER_MOST);
    *count = (struct signed_count){.known = true, .value = (int64_t)number};
    return true;
}

static bool flag_known(const void *fact)
{
    return ((const struct flag *)fact)->known;
}

static void flag_write(const char *name, const void *fact, struct json_out *out)
{
    json_put_member_boolean(out, name, ((const struct flag *)fact)->value);
}

static bool flag_read(const struct json_value *object, const char *name, void *fact, struct error *error)
{
    struct flag *flag = fact;
    flag->known = json_get_boolean(object, name, JSON_REQUIRED, &flag->value, error);
    return flag->known;
}

static bool real_known(const void *fact)
{
    const struct real *real = fact;
    return real->known && isfinite(real->value) && real->value >= 0;
}

static void real_write(const char *name, const void *fact, struct json_out *out)
{
    json_put_member_number(out, name, ((const struct real *)fact)->value);
}

static bool real_read(const struct json_value *object, const char *name, void *fact, struct error *error)
{
    double number;
    if (!json_get_number(object, name, JSON_REQUIRED, &number, error))
        return false;
    if (number < 0)
        return json_fail_member(object, name, error, "less than 0");
    *(struct real *)fact = (struct real){.known = true, .value = number};
    return true;
}

static const struct handling handlings[] = {
    [FIELD_TEXT] = {text_known, text_write, text_read},
    [FIELD_COUNT] = {count_known, count_write, count_read},
    [FIELD_SIGNED] = {signed_known, signed_write, signed_read},
    [FIELD_FLAG] = {flag_known, flag_write, flag_read},
    [FIELD_REAL] = {real_known, real_write, real_read},
};

static const void *fact_at(const struct field *field, const void *facts)
{
    return (const char *)facts + field->offset;
}

void fields_write_members(const struct field *fields, const void *facts, struct json_out *out)
{
    for (const struct field *field = fields; field->name; field++) {
        const void *fact = fact_at(field, facts);
        if (handlings[field->kind].known(fact))
            handlings[field->kind].write(field->name, fact, out);
    }
}

static bool any_known(const struct field *fields, const void *facts)
{
    for (const struct field *field = fields; field->name; field++)
        if (handlings[field->kind].known(fact_at(field, facts)))
            return true;
    return false;
}

void fields_write(const char *name, const struct field *fields, const void *facts, struct json_out *out)
{
    if (!any_known(fields, facts))
        return;
    json_key(out, name);
    json_open(out, '{');
    fields_write_members(fields, facts, out);
    json_close(out, '}');
}

bool fields_read(const struct json_value *object, const struct field *fields, void *facts,
                 struct error *error)
{
    for (const struct field *field = fields; field->name; field++)
        if (json_is_known(object, field->name) &&
            !handlings[field->kind].read(object, field->name, (char *)facts + field->offset, error))
            return false;
    return true;
}

bool fields_read_object(const struct json_value *parent, const char *name, const struct field *fields,
                        void *facts, struct error *error)
{
    struct json_value object;
    if (!json_is_known(parent, name))
        return true;
    return json_get_object(parent, name, JSON_REQUIRED, &object, error) &&
           fields_read(&object, fields, facts, error);
}

void fields_release(const struct field *fields, void *facts)
{
    for (const struct field *field = fields; field->name; field++) {
        if (field->kind != FIELD_TEXT)
            continue;
        char **text = (char **)(void *)((char *)facts + field->offset);
        free(*text);
        *text = NULL;
    }
}
