// read_json.c: values of a document, checked.
#include "record/read_json.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- The way to a value ----

static void put_path(struct text *text, const struct json_value *value)
{
    if (value->parent)
        put_path(text, value->parent);
    if (value->name)
        text_printf(text, "%s%s", text->length ? "." : "", value->name);
    if (value->indexed)
        text_printf(text, "[%zu]", value->index);
}

static bool fail_at(const struct json_value *value, struct error *error, const char *format,
                    va_list arguments)
{
    struct text path = {0};
    put_path(&path, value);
    char message[ERROR_TEXT_SIZE];
    if (vsnprintf(message, sizeof message, format, arguments) < 0)
        message[0] = '\0';
    fail(error, "%s%s%s", text_string(&path), path.length ? ": " : "", message);
    text_free(&path);
    return false;
}

bool json_fail(const struct json_value *value, struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_at(value, error, format, arguments);
    va_end(arguments);
    return false;
}

bool json_fail_member(const struct json_value *object, const char *name, struct error *error,
                      const char *format, ...)
{
    struct json_value member = {.parent = object, .name = name};
    va_list arguments;
    va_start(arguments, format);
    fail_at(&member, error, format, arguments);
    va_end(arguments);
    return false;
}

// ---- Moving about ----

bool json_has(const struct json_value *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object->node, name) != NULL;
}

bool json_is_known(const struct json_value *object, const char *name)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object->node, name);
    return node && !cJSON_IsNull(node);
}

size_t json_length(const struct json_value *value)
{
    return (size_t)cJSON_GetArraySize(value->node);
}

struct json_value json_first(const struct json_value *array)
{
    return (struct json_value){
        .node = array->node ? array->node->child : NULL, .parent = array, .indexed = true};
}

struct json_value json_next(const struct json_value *element)
{
    struct json_value next = *element;
    next.node = element->node->next;
    next.index++;
    return next;
}

// ---- A value of a type ----

static const char whole_number[] = "not a whole number from 0 to %llu";

bool json_be_object(const struct json_value *value, struct error *error)
{
    return cJSON_IsObject(value->node) || json_fail(value, error, "not an object");
}

bool json_be_array(const struct json_value *value, struct error *error)
{
    return cJSON_IsArray(value->node) || json_fail(value, error, "not an array");
}

bool json_be_integer(const struct json_value *value, uint64_t most, uint64_t *integer, struct error *error)
{
    double number = cJSON_IsNumber(value->node) ? value->node->valuedouble : -1;
    if (!(number >= 0 && number <= (double)most) || number != floor(number))
        return json_fail(value, error, whole_number, (unsigned long long)most);
    *integer = (uint64_t)number;
    return true;
}

bool json_be_number(const struct json_value *value, double *number, struct error *error)
{
    if (!cJSON_IsNumber(value->node) || !isfinite(value->node->valuedouble))
        return json_fail(value, error, "not a number");
    *number = value->node->valuedouble;
    return true;
}

bool json_be_string(const struct json_value *value, const char **string, struct error *error)
{
    if (!cJSON_IsString(value->node))
        return json_fail(value, error, "not a string");
    *string = value->node->valuestring;
    return true;
}

static bool be_boolean(const struct json_value *value, bool *boolean, struct error *error)
{
    if (!cJSON_IsBool(value->node))
        return json_fail(value, error, "neither true nor false");
    *boolean = cJSON_IsTrue(value->node);
    return true;
}

// ---- A member of a type ----

// False where there is nothing to read: the caller returns `*result`.
static bool find(const struct json_value *object, const char *name, enum json_need need,
                 struct json_value *member, bool *result, struct error *error)
{
    *member = (struct json_value){
        .node = cJSON_GetObjectItemCaseSensitive(object->node, name), .parent = object, .name = name};
    if (member->node)
        return true;
    *result = need == JSON_OPTIONAL || json_fail(member, error, "missing");
    return false;
}

bool json_get_object(const struct json_value *object, const char *name, enum json_need need,
                     struct json_value *member, struct error *error)
{
    bool result;
    return find(object, name, need, member, &result, error) ? json_be_object(member, error) : result;
}

bool json_get_array(const struct json_value *object, const char *name, enum json_need need,
                    struct json_value *member, struct error *error)
{
    bool result;
    return find(object, name, need, member, &result, error) ? json_be_array(member, error) : result;
}

bool json_get_integer(const struct json_value *object, const char *name, enum json_need need, uint64_t most,
                      uint64_t *integer, struct error *error)
{
    struct json_value member;
    bool result;
    if (!find(object, name, need, &member, &result, error))
        return result;
    return json_be_integer(&member, most, integer, error);
}

bool json_get_unsigned(const struct json_value *object, const char *name, enum json_need need,
                       unsigned *integer, struct error *error)
{
    uint64_t value = *integer;
    if (!json_get_integer(object, name, need, UINT_MAX, &value, error))
        return false;
    *integer = (unsigned)value;
    return true;
}

bool json_get_number(const struct json_value *object, const char *name, enum json_need need, double *number,
                     struct error *error)
{
    struct json_value member;
    bool result;
    return find(object, name, need, &member, &result, error) ? json_be_number(&member, number, error)
                                                             : result;
}

bool json_get_boolean(const struct json_value *object, const char *name, enum json_need need, bool *boolean,
                      struct error *error)
{
    struct json_value member;
    bool result;
    return find(object, name, need, &member, &result, error) ? be_boolean(&member, boolean, error) : result;
}

bool json_get_string(const struct json_value *object, const char *name, enum json_need need,
                     const char **string, struct error *error)
{
    struct json_value member;
    bool result;
    return find(object, name, need, &member, &result, error) ? json_be_string(&member, string, error)
                                                             : result;
}

bool json_get_copy(const struct json_value *object, const char *name, enum json_need need, char **string,
                   struct error *error)
{
    const char *own = NULL;
    if (!json_get_string(object, name, need, &own, error))
        return false;
    if (own)
        *string = xstrdup(own);
    return true;
}

// ---- Instants ----

// The days from 1970-01-01 to a day of the Gregorian calendar, from 1970 on.
static uint64_t days_since_epoch(unsigned year, unsigned month, unsigned day)
{
    static const unsigned before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    unsigned past = year - 1; // whole years, whose leap days count
    uint64_t leap_days = past / 4 - past / 100 + past / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400);
    return (year - 1970) * UINT64_C(365) + leap_days + before[month - 1] + (leap && month > 2) + day - 1;
}

static bool parse_instant(const char *text, uint64_t *realtime_ns)
{
    static const char form[] = "0000-00-00T00:00:00";
    unsigned fields[6] = {0}, field = 0; // year, month, day, hour, minute, second
    for (size_t i = 0; form[i]; i++) {
        if (form[i] != '0' && text[i] != form[i])
            return false;
        if (form[i] != '0')
            field++;
        else if (text[i] < '0' || text[i] > '9')
            return false;
        else
            fields[field] = fields[field] * 10 + (unsigned)(text[i] - '0');
    }
    const char *end = text + strlen(form);
    if (*end == '.')
        end += 1 + strspn(end + 1, "0123456789");
    if (strcmp(end, "Z") != 0 || fields[0] < 1970 || fields[0] > 2553 || fields[1] < 1 || fields[1] > 12 ||
        fields[2] < 1 || fields[2] > 31 || fields[3] > 23 || fields[4] > 59 || fields[5] > 60)
        return false;
    uint64_t hours = days_since_epoch(fields[0], fields[1], fields[2]) * 24 + fields[3];
    *realtime_ns = ((hours * 60 + fields[4]) * 60 + fields[5]) * NS_PER_S;
    return true;
}

bool json_get_instant(const struct json_value *object, const char *name, enum json_need need,
                      uint64_t *realtime_ns, struct error *error)
{
    const char *text = NULL;
    if (!json_get_string(object, name, need, &text, error))
        return false;
    if (text && !parse_instant(text, realtime_ns))
        return json_fail_member(object, name, error, "not an instant as \"2026-11-30T17:55:35Z\"");
    return true;
}
