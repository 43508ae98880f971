// Documents that are cut, damaged, of the wrong types, too deep or too large: each is refused in words,
// whatever the sanitizers watch for.
#include "base/rng.h"
#include "fixture.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

int test_hostile_json(int argc, char *argv[]);

static void (*const makers[])(struct run *run) = {fixture_run, fixture_imported};
enum { MAKERS = sizeof makers / sizeof *makers };

static void assert_refused(const char *bytes, size_t length, const char *message)
{
    struct run run;
    struct judgement stored;
    struct error error = {{0}};
    assert_false(fixture_read(bytes, length, &run, &stored, &error));
    if (!strstr(error.text, message))
        fail_msg("said \"%s\", not \"%s\"", error.text, message);
    assert_null(run.samples);
    assert_null(run.plan.workloads);
    assert_null(stored.metrics.rows);
}

static void refuses_what_is_no_document(void **state)
{
    (void)state;
    assert_refused("", 0, "empty");
    assert_refused("  \n", 3, "empty");
    assert_refused("\0\0\0", 3, "not JSON at byte 0");
    assert_refused("{}", 2, "not a run of diskduel");
    assert_refused("[]", 2, "not JSON at byte 0");
    assert_refused("\"diskduel-run\"", 14, "not JSON at byte 0");
    assert_refused("fio 3.33\n", 9, "not JSON at byte 0");
    assert_refused("{", 1, "cut short");
    assert_refused("{\"a\"", 4, "cut short");
    assert_refused("{\"a\":", 5, "cut short");
    assert_refused("{\"a\":1", 6, "cut short");
    assert_refused("{\"a\":1,", 7, "cut short");
    assert_refused("{\"a\":1,}", 8, "not JSON at byte 7");
    assert_refused("{\"a\" 1}", 7, "not JSON at byte 5");
    assert_refused("{\"a\":1 2}", 9, "not JSON at byte 7");
    assert_refused("{\"a\":[1}", 8, "not JSON at byte 7");
    assert_refused("{\"a\":[1}]}", 10, "not JSON");
    assert_refused("{a:1}", 5, "not JSON at byte 1");
    assert_refused("{\"a\":\"\\", 7, "cut short");
    assert_refused("{\"a\":\"\\u12\"}", 12, "not JSON");
    assert_refused("{\"a\":\"\\ud800\"}", 14, "not JSON");
    assert_refused("{\"a\":\"\xff\"}", 9, "not UTF-8 at byte 6");
    assert_refused("{\"\":{}}", 7, "not a run of diskduel");
    assert_refused("{} {}", 5, "something stands after the document, at byte 3");
    assert_refused("{}\0", 3, "something stands after the document, at byte 2");
}

static void refuses_a_document_cut_at_any_byte(void **state)
{
    (void)state;
    struct text document;
    struct run run;
    struct error error;
    fixture_document(&document);
    size_t whole = document.length - 1; // the last byte is a new line, which may be missing
    assert_true(fixture_read(document.bytes, whole, &run, NULL, &error));
    run_release(&run);
    for (size_t length = 0; length < whole; length++) {
        error.text[0] = '\0';
        assert_false(fixture_read(document.bytes, length, &run, NULL, &error));
        assert_true(error.text[0] != '\0');
    }
    text_puts(&document, "x");
    assert_refused(document.bytes, document.length, "something stands after the document");
    text_free(&document);
}

static void survives_mutations(void **state)
{
    (void)state;
    enum { MUTATIONS = 2000 };
    static const char interesting[] = "{}[]\",:\\0123456789-+.eEtfn \n\x80\xff";
    struct text documents[MAKERS];
    struct rng rng;
    for (size_t i = 0; i < MAKERS; i++)
        fixture_write(makers[i], &documents[i]);
    rng_seed(&rng, 2026);
    unsigned refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
        const struct text *document = &documents[i % MAKERS];
        char *bytes = xmalloc(document->length);
        size_t length = document->length;
        memcpy(bytes, document->bytes, length);
        for (uint64_t times = 1 + rng_next(&rng) % 4; times > 0; times--) {
            size_t at = rng_next(&rng) % length, other = rng_next(&rng) % length;
            size_t span = rng_next(&rng) % 64;
            switch (rng_next(&rng) % 4) {
            case 0:
                bytes[at] = interesting[rng_next(&rng) % (sizeof interesting - 1)];
                break;
            case 1:
                bytes[at] = (char)rng_next(&rng);
                break;
            case 2: // a piece of it somewhere else
                if (at + span <= length && other + span <= length)
                    memmove(bytes + at, bytes + other, span);
                break;
            default: // a piece of it gone
                if (at + span <= length && span > 0 && length > 2 * span) {
                    memmove(bytes + at, bytes + at + span, length - at - span);
                    length -= span;
                }
            }
        }
        struct run run;
        struct judgement stored;
        struct error error = {{0}};
        if (fixture_read(bytes, length, &run, &stored, &error)) {
            struct text again = {0}; // what was read can be written
            run_json_write(&run, &stored, &again);
            text_free(&again);
            run_release(&run);
            judgement_release(&stored);
        } else {
            assert_true(error.text[0] != '\0');
            refused++;
        }
        free(bytes);
    }
    assert_in_range(refused, MUTATIONS / 2, MUTATIONS - 1);
    for (size_t i = 0; i < MAKERS; i++)
        text_free(&documents[i]);
}

// ---- Types ----

// Members that this version doesn't read. Those with a dot, wherever they are, with all that is in them.
static bool is_ignored(const char *path)
{
    static const char *const names[] = {
        ".order",    ".data",          ".thresholds_changed", ".findings",  ".not_checked",
        "tool.name", "metrics[].unit", "metrics[].better",    ".error.name"};
    char plain[256] = ".";
    size_t length = 1;
    for (const char *c = path; *c; c++)
        if (c[0] != '[' || c[1] < '0' || c[1] > '9')
            plain[length++] = *c;
        else
            length += (size_t)snprintf(plain + length, 3, "[]"), c = strchr(c, ']');
    plain[length] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i][0] == '.' ? strstr(plain, names[i]) != NULL : !strcmp(plain + 1, names[i]))
            return true;
    return false;
}

static bool is_fact_of_summary(const char *member)
{
    return strcmp(member, "workload") != 0 && strcmp(member, "tier") != 0;
}

// What may be unknown may be null, which is the same.
static bool is_fact(const char *path)
{
    static const char *const parts[] = {"host.",  "calibration.", "device",       "supports",
                                        "probes", "space_after",  "upper_device", "read_ahead_bytes",
                                        "system", "cache",        "screen",       "holds_output"};
    const char *member = path, *last = strrchr(path, '.');
    if (!strncmp(path, "summaries[", 10) && last)
        return is_fact_of_summary(last + 1);
    if (!strncmp(path, "metrics[", 8) && strstr(path, ".values.") && last)
        return !strcmp(last, ".first_use") || !strcmp(last, ".past_buffer");
    if (!strncmp(path, "tiers[", 6) || !strncmp(path, "samples[", 8))
        member = strchr(path, '.') ? strchr(path, '.') + 1 : path;
    if (!strncmp(member, "mount.", 6) && strcmp(member, "mount.device") != 0)
        member += 6;
    if (strstr(path, "overhead") || strstr(path, "calibration.self"))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strncmp(member, parts[i], strlen(parts[i])))
            return true;
    return false;
}

// Reads the tree as it is at this moment. The message, where it isn't read, goes to `error`.
static bool reads(const cJSON *tree, struct error *error)
{
    char *text = cJSON_PrintUnformatted(tree);
    assert_non_null(text);
    struct run run;
    *error = (struct error){{0}};
    bool read = fixture_read(text, strlen(text), &run, NULL, error);
    cJSON_free(text);
    if (read)
        run_release(&run);
    return read;
}

// Makes the node another value for a moment.
static void try_value(const cJSON *root, cJSON *node, const char *path, const char *value)
{
    cJSON before = *node, *other = cJSON_Parse(value);
    assert_non_null(other);
    node->type = other->type;
    node->child = other->child;
    node->valuestring = other->valuestring;
    node->valuedouble = other->valuedouble;
    node->valueint = other->valueint;
    struct error error;
    bool read = reads(root, &error);
    *node = before;
    cJSON_Delete(other);
    if (read && !is_ignored(path) && !(is_fact(path) && !strcmp(value, "null")))
        fail_msg("%s: %s was read", path, value);
    if (!read && is_fact(path) && !strcmp(value, "null"))
        fail_msg("%s as null: \"%s\"", path, error.text);
    if (!read && strcmp(path, "format") != 0 && strncmp(error.text, path, strlen(path)) != 0)
        fail_msg("%s as %s: \"%s\"", path, value, error.text);
}

static void try_types(const cJSON *root, cJSON *node, const char *path)
{
    if (!cJSON_IsString(node))
        try_value(root, node, path, "\"x\"");
    if (!cJSON_IsNumber(node))
        try_value(root, node, path, "1");
    if (!cJSON_IsBool(node))
        try_value(root, node, path, "true");
    if (!cJSON_IsArray(node))
        try_value(root, node, path, "[1]");
    if (!cJSON_IsObject(node))
        try_value(root, node, path, "{\"x\": 1}");
    try_value(root, node, path, "null");
    bool whole = cJSON_IsNumber(node) && node->valuedouble == floor(node->valuedouble);
    bool figure = !strncmp(path, "metrics", 7) || !strncmp(path, "thresholds", 10); // others may be right
    if (whole && !figure) {
        if (node->valuedouble >= 0)
            try_value(root, node, path, "-1");
        try_value(root, node, path, "0.5");
        try_value(root, node, path, "1e300");
    }
}

// Gives the member another name for a moment: then it is missing.
static void try_without(const cJSON *root, cJSON *node, const char *path)
{
    char *name = node->string, other[] = "unknown";
    struct error error;
    node->string = other;
    bool read = reads(root, &error);
    node->string = name;
    // What has a default may be missing, but the plan must then fit together.
    const char *end = strrchr(path, '.');
    bool has_default = end && (strcmp(end, ".access") == 0 || strcmp(end, ".threads") == 0 ||
                               strcmp(end, ".wait_ns") == 0 || strcmp(end, ".follow_up") == 0);
    size_t same = has_default ? strlen("plan.workloads[") : SIZE_MAX;
    char *missing = xformat("%s: missing", path);
    if (!read && strcmp(path, "format") != 0 && strncmp(error.text, missing, same) != 0)
        fail_msg("without %s: \"%s\"", path, error.text);
    free(missing);
}

static void for_each_value(const cJSON *root, cJSON *parent, const char *parent_path,
                           void (*try)(const cJSON *root, cJSON *node, const char *path))
{
    size_t index = 0;
    for (cJSON *node = parent->child; node; node = node->next, index++) {
        if (cJSON_IsNumber(node) && !node->string && index > 3)
            break; // one number of a long array is like another
        char *path = !node->string    ? xformat("%s[%zu]", parent_path, index)
                     : parent_path[0] ? xformat("%s.%s", parent_path, node->string)
                                      : xstrdup(node->string);
        bool follow_up =
            node->string && !strcmp(node->string, "block"); // without it, a second sample of the round
        bool origin = node->string && !strcmp(node->string, "origin"); // it decides what else may be there
        if (try == try_types || (node->string && !follow_up && !origin))
            try(root, node, path);
        for_each_value(root, node, path, try);
        free(path);
    }
}

static cJSON *fixture_tree(void (*make)(struct run *run))
{
    struct text document;
    fixture_write(make, &document);
    cJSON *root = cJSON_Parse(document.bytes);
    assert_non_null(root);
    text_free(&document);
    return root;
}

static void refuses_wrong_types_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAKERS; i++) {
        cJSON *root = fixture_tree(makers[i]);
        for_each_value(root, root, "", try_types);
        cJSON_Delete(root);
    }
}

static void names_what_is_missing(void **state)
{
    (void)state;
    for (size_t i = 0; i < MAKERS; i++) {
        cJSON *tree = fixture_tree(makers[i]);
        for_each_value(tree, tree, "", try_without);
        cJSON_Delete(tree);
    }
    cJSON *root = fixture_tree(fixture_run);
    static const char *const required[] = {"version", "id", "status", "started", "tiers", "plan", "samples"};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        struct error error;
        cJSON *member = cJSON_DetachItemFromObjectCaseSensitive(root, required[i]);
        assert_non_null(member);
        assert_false(reads(root, &error));
        assert_memory_equal(error.text, required[i], strlen(required[i]));
        assert_string_equal(error.text + strlen(required[i]), ": missing");
        cJSON_AddItemToObject(root, required[i], member);
        assert_true(reads(root, &error)); // also in another order
    }
    cJSON_Delete(root);
}

// ---- Sizes ----

// The fixture's document with `count` times `piece` after its first `after`.
static void stuffed(struct text *out, const char *after, const char *piece, size_t count, const char *end)
{
    struct text document;
    fixture_document(&document);
    char *at = strstr(document.bytes, after);
    assert_non_null(at);
    at += strlen(after);
    *out = (struct text){0};
    text_append(out, document.bytes, (size_t)(at - document.bytes));
    for (size_t i = 0; i < count; i++)
        text_puts(out, piece);
    text_puts(out, end);
    text_puts(out, at);
    text_free(&document);
}

static void assert_stuffed_refused(const char *after, const char *piece, size_t count, const char *end,
                                   const char *message)
{
    struct text document;
    stuffed(&document, after, piece, count, end);
    assert_refused(document.bytes, document.length, message);
    text_free(&document);
}

static void refuses_what_is_too_deep(void **state)
{
    (void)state;
    assert_stuffed_refused("{\n", "\"x\": ", 1,
                           "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],",
                           "nested deeper than 32");
    assert_stuffed_refused("\"events\": [", "[", 1000000, "", "nested deeper than 32");
    assert_stuffed_refused("\"samples\": [", "{\"a\":", 1000000, "", "nested deeper than 32");
    assert_stuffed_refused("\"latency\": {", "\"a\":[", 1000000, "", "nested deeper than 32");
    struct text document;
    struct run run;
    struct error error;
    stuffed(&document, "{\n", "\"x\": ", 1,
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],");
    assert_true(run_json_read(document.bytes, document.length, &run, NULL, &error));
    run_release(&run);
    text_free(&document);
}

static void refuses_what_is_too_much(void **state)
{
    (void)state;
    assert_stuffed_refused("\"argv\": [", "0,", 3000000, "", "more than 2000000 values");
    assert_stuffed_refused("\"buckets\": [", "0,", 3000000, "", "samples[0]: more than 2000000 values");
    assert_stuffed_refused("\"workloads\": [", "{},", 1000000, "", "plan.workloads: 10000");
    assert_stuffed_refused("\"tiers\": [", "{},", 1000000, "", "tiers: 1000002 of them");
    assert_stuffed_refused("\"metrics\": [", "{},", 100000, "", "metrics: 100004 of them");
    assert_stuffed_refused("\"samples\": [", "{},", 1000000, "", "samples[0].workload: missing");
    char *spaces = xcalloc(RUN_DOCUMENT_MOST + 1, 1);
    memset(spaces, ' ', RUN_DOCUMENT_MOST + 1);
    struct run run;
    struct error error = {{0}};
    assert_false(run_json_read(spaces, RUN_DOCUMENT_MOST + 1, &run, NULL, &error));
    assert_string_equal(error.text, "longer than 128 MiB, the most that is read");
    assert_false(run_json_read(spaces, RUN_DOCUMENT_MOST, &run, NULL, &error));
    assert_string_equal(error.text, "empty");
    free(spaces);
}

int test_hostile_json(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_document), cmocka_unit_test(refuses_a_document_cut_at_any_byte),
        cmocka_unit_test(survives_mutations),          cmocka_unit_test(refuses_wrong_types_by_name),
        cmocka_unit_test(names_what_is_missing),       cmocka_unit_test(refuses_what_is_too_deep),
        cmocka_unit_test(refuses_what_is_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
