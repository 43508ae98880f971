#include "record/thresholds.h"

#include "edit.h"

#include <stdio.h>

int test_thresholds(int argc, char *argv[]);

static void every_figure_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
        const struct threshold_entry *entry = &threshold_entries[i];
        assert_non_null(entry->name);
        const char *dot = strchr(entry->name, '.');
        assert_non_null(dot);
        assert_true(dot > entry->name && dot[1] != '\0');
        assert_int_equal(strspn(entry->name, "abcdefghijklmnopqrstuvwxyz-."), strlen(entry->name));
        assert_true(entry->least < entry->most);
        assert_true(entry->standard >= entry->least && entry->standard <= entry->most);
        assert_true(entry->what && entry->what[0]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(entry->name, threshold_entries[k].name);
    }
}

// The figures of the design's table, of each family some.
static void standards_are_those_of_the_design(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double standard;
    } known[] = {
        {"op-percentile-gate.tail", 10},
        {"first-round-differs.factor", 2},
        {"first-round-differs.ranges", 3},
        {"not-repeatable.factor", 3},
        {"wide-range.factor", 1.5},
        {"not-steady.range", 0.2},
        {"two-levels.factor", 1.3},
        {"order-effect.factor", 1.25},
        {"size-sweep-select.margin", 1.1},
        {"buffer-not-outrun.discard", 1.5},
        {"fsync-does-not-wait.seconds", 0.2},
        {"write-outruns-read.factor", 4},
        {"sparse-file.share", 0.95},
        {"direct-beats-cached.single", 2},
        {"again-from-cache.resident", 0.9},
        {"cold-was-warm.gigabytes", 5},
        {"overhead-floor.discard", 0.25},
        {"too-short.discard-ms", 1},
        {"too-short.steps", 1000},
        {"clock-stepped.ms", 50},
        {"cpu-throttled.round", 0.1},
        {"nearly-full.free", 0.1},
        {"wake-single.files", 5},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t i = 0;
        while (i < THRESHOLD_COUNT && strcmp(threshold_entries[i].name, known[k].name) != 0)
            i++;
        if (i == THRESHOLD_COUNT)
            fail_msg("there is no %s", known[k].name);
        struct thresholds standard = {0};
        assert_true(threshold_value(&standard, (enum threshold)i) == known[k].standard);
    }
}

static void set(struct thresholds *thresholds, const char *assignment)
{
    struct error error = {{0}};
    if (!thresholds_set(thresholds, assignment, &error))
        fail_msg("%s: %s", assignment, error.text);
}

static void assert_changed(const struct thresholds *thresholds, const char *words)
{
    struct text text = {0};
    thresholds_put_changed(thresholds, &text);
    assert_string_equal(text_string(&text), words);
    text_free(&text);
}

static void one_is_changed_by_its_name(void **state)
{
    (void)state;
    struct thresholds thresholds = {0};
    assert_changed(&thresholds, "");
    set(&thresholds, "wide-range.factor=1.3");
    assert_true(threshold_value(&thresholds, THRESHOLD_WIDE_RANGE) == 1.3);
    assert_true(threshold_value(&thresholds, THRESHOLD_NOT_REPEATABLE) == 3);
    assert_true(threshold_differs(&thresholds, THRESHOLD_WIDE_RANGE));
    assert_false(threshold_differs(&thresholds, THRESHOLD_NOT_REPEATABLE));
    assert_changed(&thresholds, "wide-range.factor 1.3 (standard 1.5)");
    set(&thresholds, "backlog-at-start.share=0");
    set(&thresholds, "op-percentile-gate.tail=0020.0");
    assert_changed(&thresholds,
                   "op-percentile-gate.tail 20 (standard 10), wide-range.factor 1.3 (standard 1.5), "
                   "backlog-at-start.share 0 (standard 0.1)");
    set(&thresholds, "wide-range.factor=1000"); // the last word holds, and the end of the range may be
    set(&thresholds, "backlog-at-start.share=0.1");
    set(&thresholds, "op-percentile-gate.tail=10");
    assert_changed(&thresholds, "wide-range.factor 1000 (standard 1.5)");
}

static void what_is_asked_for_replaces_what_was(void **state)
{
    (void)state;
    struct thresholds run = {0}, asked = {0};
    set(&run, "wide-range.factor=1.3");
    set(&run, "two-levels.factor=2");
    thresholds_take(&run, &asked);
    assert_changed(&run, "wide-range.factor 1.3 (standard 1.5), two-levels.factor 2 (standard 1.3)");
    set(&asked, "wide-range.factor=1.5"); // the standard again
    set(&asked, "drifting.rise=0.5");
    thresholds_take(&run, &asked);
    assert_changed(&run, "drifting.rise 0.5 (standard 0.1), two-levels.factor 2 (standard 1.3)");
}

static void assert_refused(const char *assignment, const char *message)
{
    struct thresholds thresholds = {0};
    struct error error = {{0}};
    assert_false(thresholds_set(&thresholds, assignment, &error));
    if (strcmp(error.text, message) != 0)
        fail_msg("%s: said \"%s\", not \"%s\"", assignment, error.text, message);
    assert_changed(&thresholds, "");
}

static void says_what_there_is_instead(void **state)
{
    (void)state;
    assert_refused("wide-range.facto=2",
                   "no figure is called 'wide-range.facto'; there is wide-range.factor");
    assert_refused("wide-range.factors=2",
                   "no figure is called 'wide-range.factors'; there is wide-range.factor");
    assert_refused("not-steady=2", "no figure is called 'not-steady'; there is not-steady.range, "
                                   "not-steady.rise");
    assert_refused("knee.share=2", "no figure is called 'knee.share'; there is knee.factor");
    static const char *const nothing_like_it[] = {"nonsense", ".factor", ".", "e", "WIDE-RANGE.FACTOR"};
    for (size_t i = 0; i < sizeof nothing_like_it / sizeof *nothing_like_it; i++) {
        char *assignment = xformat("%s=1", nothing_like_it[i]);
        char *message = xformat("no figure is called '%s'; the manual page lists all, as wide-range.factor",
                                nothing_like_it[i]);
        assert_refused(assignment, message);
        free(assignment);
        free(message);
    }
    static const char *const no_assignments[] = {"", "=", "=1", "wide-range.factor"};
    for (size_t i = 0; i < sizeof no_assignments / sizeof *no_assignments; i++) {
        char *message = xformat("'%s' is not NAME=VALUE, as wide-range.factor=1.3", no_assignments[i]);
        assert_refused(no_assignments[i], message);
        free(message);
    }
}

static void takes_no_value_that_is_none(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",     "nan",   "NaN",   "inf",     "-1",
        "+2",   " 2",    "2 ",    "0x2",     "1e2",
        "2,0",  "2.",    ".5",    ".",       "1.2.3",
        "two",  "=2",    "2=2",   "0",       "0.99",
        "1001", "1e999", "1.5\n", "\x1b[2J", "99999999999999999999999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *assignment = xformat("wide-range.factor=%s", wrong[i]);
        char *message =
            xformat("wide-range.factor: '%s' is not a number from 1 to 1000 (standard 1.5)", wrong[i]);
        assert_refused(assignment, message);
        free(assignment);
        free(message);
    }
    char *digits = xcalloc(5000, 1); // beyond what a double holds
    memset(digits, '9', 4999);
    memcpy(digits, "wide-range.factor=", strlen("wide-range.factor="));
    struct thresholds thresholds = {0};
    struct error error;
    assert_false(thresholds_set(&thresholds, digits, &error));
    digits[strcspn(digits, "=")] = 'x'; // and a name as long
    digits[4998] = '=';
    assert_false(thresholds_set(&thresholds, digits, &error));
    free(digits);
}

// ---- In a document ----

static void a_document_has_all_and_names_those_that_differ(void **state)
{
    (void)state;
    struct text document;
    fixture_document(&document);
    const char *begin = strstr(document.bytes, "\n\"thresholds\": {\"op-percentile-gate.tail\": 10, ");
    assert_non_null(begin);
    size_t members = 0;
    const char *end = strchr(begin + 1, '\n');
    for (const char *at = strstr(begin + 16, "\": "); at && at < end; at = strstr(at + 1, "\": "))
        members++;
    assert_int_equal(members, THRESHOLD_COUNT);
    assert_non_null(strstr(begin, "\"wide-range.factor\": 1.3, "));
    assert_non_null(
        strstr(begin, "\n\"thresholds_changed\": [\"wide-range.factor\",\"backlog-at-start.share\"],\n"));
    text_free(&document);
}

static void a_document_without_any_has_the_standard(void **state)
{
    (void)state;
    struct run run;
    edit_is_read(fixture_run, "{", "\"thresholds\": {", "\"thresholds\": {}, \"later\": {", &run, NULL);
    assert_changed(&run.thresholds, "");
    run_release(&run);
    edit_is_read(fixture_run, "{", "\"thresholds\": {", "\"later\": {", &run, NULL);
    assert_changed(&run.thresholds, "");
    run_release(&run);
}

static void names_of_other_versions_are_passed_over(void **state)
{
    (void)state;
    struct run run;
    edit_is_read(fixture_run, "\"thresholds\"", "\"wide-range.factor\"", "\"wide-range.width\"", &run, NULL);
    assert_changed(&run.thresholds, "backlog-at-start.share 0 (standard 0.1)");
    run_release(&run);
}

static void a_document_with_absurd_ones_is_refused(void **state)
{
    (void)state;
#define REFUSED(to, message)                                                                                 \
    edit_is_refused(fixture_run, "\"thresholds\"", "\"wide-range.factor\": 1.3",                             \
                    "\"wide-range.factor\": " to, "thresholds.wide-range.factor: " message)
    REFUSED("0", "0 is not from 1 to 1000");
    REFUSED("-1.3", "-1.3 is not from 1 to 1000");
    REFUSED("1e300", "1e+300 is not from 1 to 1000");
    REFUSED("1e999", "not a number");
    REFUSED("\"1.3\"", "not a number");
    REFUSED("null", "not a number");
#undef REFUSED
}

int test_thresholds(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_whole),
        cmocka_unit_test(standards_are_those_of_the_design),
        cmocka_unit_test(one_is_changed_by_its_name),
        cmocka_unit_test(what_is_asked_for_replaces_what_was),
        cmocka_unit_test(says_what_there_is_instead),
        cmocka_unit_test(takes_no_value_that_is_none),
        cmocka_unit_test(a_document_has_all_and_names_those_that_differ),
        cmocka_unit_test(a_document_without_any_has_the_standard),
        cmocka_unit_test(names_of_other_versions_are_passed_over),
        cmocka_unit_test(a_document_with_absurd_ones_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
