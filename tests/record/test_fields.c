#include "fixture.h"
#include "record/fields.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdalign.h>

int test_fields(int argc, char *argv[]);

struct facts {
    char *text;
    struct count count;
    struct signed_count change;
    struct flag flag;
    struct real real;
};

static const struct field fields[] = {
    FIELD(facts, text, FIELD_TEXT), FIELD(facts, count, FIELD_COUNT), FIELD(facts, change, FIELD_SIGNED),
    FIELD(facts, flag, FIELD_FLAG), FIELD(facts, real, FIELD_REAL),   FIELDS_END,
};

// Reads facts from the object in `json`; the caller releases them.
static bool read_facts(const char *json, struct facts *facts, struct error *error)
{
    *facts = (struct facts){0};
    *error = (struct error){{0}};
    cJSON *tree = cJSON_Parse(json);
    assert_non_null(tree);
    struct json_value value = {.node = tree, .name = "facts"};
    bool read = fields_read(&value, fields, facts, error);
    cJSON_Delete(tree);
    return read;
}

static void assert_written(const struct facts *facts, const char *json)
{
    struct text text = {0};
    struct json_out out = {.text = &text};
    fields_write("facts", fields, facts, &out);
    assert_string_equal(text_string(&text), json);
    text_free(&text);
}

static void what_is_not_known_is_absent(void **state)
{
    (void)state;
    static const struct facts unknown = {.count.value = 1, .change.value = 1, .flag.value = true};
    assert_written(&unknown, "");
    struct facts facts = {.count = known_count(0)};
    assert_written(&facts, "\"facts\": {\"count\": 0}");
    facts = (struct facts){.flag = known_flag(false)};
    assert_written(&facts, "\"facts\": {\"flag\": false}");
    char empty[] = "";
    facts = (struct facts){.text = empty, .real = {.known = true, .value = 0}};
    assert_written(&facts, "\"facts\": {\"text\": \"\", \"real\": 0}");
}

static void what_no_reader_would_keep_is_not_known(void **state)
{
    (void)state;
    static const double wrong[] = {NAN, INFINITY, -INFINITY, -0.5};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_written(&(struct facts){.real = {.known = true, .value = wrong[i]}}, "");
    assert_written(&(struct facts){.count = known_count(RUN_INTEGER_MOST + 1)}, "");
    assert_written(&(struct facts){.count = known_count(UINT64_MAX)}, "");
    assert_written(&(struct facts){.change = {.known = true, .value = INT64_MIN}}, "");
    assert_written(&(struct facts){.change = {.known = true, .value = INT64_MAX}}, "");
    assert_written(&(struct facts){.count = known_count(RUN_INTEGER_MOST),
                                   .change = {.known = true, .value = -(int64_t)RUN_INTEGER_MOST}},
                   "\"facts\": {\"count\": 9007199254740991, \"change\": -9007199254740991}");
}

static void members_join_an_open_object(void **state)
{
    (void)state;
    struct text text = {0};
    struct json_out out = {.text = &text};
    json_open(&out, '{');
    json_put_member_integer(&out, "a", 1);
    fields_write_members(fields, &(struct facts){0}, &out);
    fields_write_members(fields, &(struct facts){.flag = known_flag(true)}, &out);
    json_put_member_integer(&out, "b", 2);
    json_close(&out, '}');
    assert_string_equal(text.bytes, "{\"a\": 1, \"flag\": true, \"b\": 2}");
    text_free(&text);
}

static void reads_what_is_there(void **state)
{
    (void)state;
    struct facts facts;
    struct error error;
    assert_true(read_facts("{\"x\": [1], \"real\": 0.1, \"flag\": false, \"change\": -9007199254740991,"
                           " \"count\": 9007199254740991, \"text\": \"\\u0000a\\\"\\u202e\", \"Count\": -1}",
                           &facts, &error));
    assert_non_null(facts.text);
    assert_true(facts.count.known && facts.count.value == RUN_INTEGER_MOST);
    assert_true(facts.change.known && facts.change.value == -(int64_t)RUN_INTEGER_MOST);
    assert_true(facts.flag.known && !facts.flag.value);
    assert_true(facts.real.known && facts.real.value == 0.1);
    fields_release(fields, &facts);
    assert_null(facts.text);
    fields_release(fields, &facts);
}

static void absent_and_null_are_unknown(void **state)
{
    (void)state;
    static const char *const objects[] = {
        "{}", "{\"text\": null, \"count\": null, \"change\": null, \"flag\": null, \"real\": null}"};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        struct facts facts;
        struct error error;
        assert_true(read_facts(objects[i], &facts, &error));
        assert_null(facts.text);
        assert_false(facts.count.known || facts.change.known || facts.flag.known || facts.real.known);
    }
}

static void an_object_may_be_missing(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        bool read, known;
    } cases[] = {
        {"{}", true, false},
        {"{\"facts\": null}", true, false},
        {"{\"facts\": {}}", true, false},
        {"{\"facts\": {\"count\": 5}}", true, true},
        {"{\"facts\": [5]}", false, false},
        {"{\"facts\": 5}", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct facts facts = {0};
        struct error error = {{0}};
        cJSON *tree = cJSON_Parse(cases[i].json);
        struct json_value value = {.node = tree};
        assert_int_equal(fields_read_object(&value, "facts", fields, &facts, &error), cases[i].read);
        assert_string_equal(error.text, cases[i].read ? "" : "facts: not an object");
        assert_int_equal(facts.count.known, cases[i].known);
        cJSON_Delete(tree);
    }
}

static void refuses_what_is_none_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{\"text\": 1}", "facts.text: not a string"},
        {"{\"text\": {\"a\": \"b\"}}", "facts.text: not a string"},
        {"{\"text\": false}", "facts.text: not a string"},
        {"{\"count\": -1}", "facts.count: not a whole number from 0 to 9007199254740991"},
        {"{\"count\": 0.5}", "facts.count: not a whole number from 0 to 9007199254740991"},
        {"{\"count\": 9007199254740992}", "facts.count: not a whole number from 0 to 9007199254740991"},
        {"{\"count\": 1e999}", "facts.count: not a whole number from 0 to 9007199254740991"},
        {"{\"count\": \"1\"}", "facts.count: not a whole number from 0 to 9007199254740991"},
        {"{\"count\": true}", "facts.count: not a whole number from 0 to 9007199254740991"},
        {"{\"change\": 0.5}", "facts.change: not a whole number from -9007199254740991 to 9007199254740991"},
        {"{\"change\": -9007199254740992}",
         "facts.change: not a whole number from -9007199254740991 to 9007199254740991"},
        {"{\"change\": 1e300}",
         "facts.change: not a whole number from -9007199254740991 to 9007199254740991"},
        {"{\"change\": \"-1\"}", "facts.change: not a number"},
        {"{\"flag\": 0}", "facts.flag: neither true nor false"},
        {"{\"flag\": \"true\"}", "facts.flag: neither true nor false"},
        {"{\"real\": \"0.5\"}", "facts.real: not a number"},
        {"{\"real\": 1e999}", "facts.real: not a number"},
        {"{\"real\": -0.5}", "facts.real: less than 0"},
        {"{\"real\": [0.5]}", "facts.real: not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct facts facts;
        struct error error;
        if (read_facts(cases[i].json, &facts, &error))
            fail_msg("%s was read", cases[i].json);
        assert_string_equal(error.text, cases[i].message);
        assert_false(facts.count.known || facts.change.known || facts.flag.known || facts.real.known);
        fields_release(fields, &facts);
    }
}

static void any_string_comes_back(void **state)
{
    (void)state;
    static const char *const strings[] = {HOSTILE,   "",   "\\",           "\"",
                                          "\\u0000", "{}", "\x01\x1f\x7f", "\xf0\x9f\x92\xbe"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        struct facts facts = {.text = xstrdup(strings[i])}, back;
        struct text text = {0};
        struct json_out out = {.text = &text};
        struct error error;
        json_open(&out, '{');
        fields_write_members(fields, &facts, &out);
        json_close(&out, '}');
        assert_true(read_facts(text.bytes, &back, &error));
        assert_string_equal(back.text, strings[i]);
        fields_release(fields, &facts);
        fields_release(fields, &back);
        text_free(&text);
    }
}

// ---- The tables ----

static const struct {
    size_t size, alignment;
} kinds[] = {
    [FIELD_TEXT] = {sizeof(char *), alignof(char *)},
    [FIELD_COUNT] = {sizeof(struct count), alignof(struct count)},
    [FIELD_SIGNED] = {sizeof(struct signed_count), alignof(struct signed_count)},
    [FIELD_FLAG] = {sizeof(struct flag), alignof(struct flag)},
    [FIELD_REAL] = {sizeof(struct real), alignof(struct real)},
};

// The row whose fact would begin at `offset`, behind as much padding as its kind needs.
static const struct field *row_at(const struct field *rows, size_t offset)
{
    for (; rows->name; rows++) {
        size_t alignment = kinds[rows->kind].alignment;
        if (rows->offset == (offset + alignment - 1) / alignment * alignment)
            return rows;
    }
    return NULL;
}

// That there is a row for each fact of a struct: they lie one behind the other. `more` may be another table
// of the same struct.
static void assert_whole(const struct field *table, const struct field *more, size_t size)
{
    size_t end = 0;
    for (const struct field *row;; end = row->offset + kinds[row->kind].size) {
        row = row_at(table, end);
        if (!row && more)
            row = row_at(more, end);
        if (!row)
            break;
    }
    assert_in_range(end, size - alignof(max_align_t) / 2 + 1, size);
}

static void tables_have_every_fact(void **state)
{
    (void)state;
    assert_whole(fields, NULL, sizeof(struct facts));
    assert_whole(device_fields, device_mount_fields, sizeof(struct device));
    assert_whole(capability_fields, NULL, sizeof(struct capability));
    assert_whole(probes_fields, NULL, sizeof(struct probes));
    assert_whole(system_use_fields, NULL, sizeof(struct system_use));
}

int test_fields(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_known_is_absent),
        cmocka_unit_test(what_no_reader_would_keep_is_not_known),
        cmocka_unit_test(members_join_an_open_object),
        cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(absent_and_null_are_unknown),
        cmocka_unit_test(an_object_may_be_missing),
        cmocka_unit_test(refuses_what_is_none_by_name),
        cmocka_unit_test(any_string_comes_back),
        cmocka_unit_test(tables_have_every_fact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
