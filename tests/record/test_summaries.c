#include "record/summaries.h"

#include "edit.h"

int test_summaries(int argc, char *argv[]);

static void one_is_found_by_its_place(void **state)
{
    (void)state;
    struct run run;
    fixture_imported(&run);
    const struct imported_summary *summary = imported_summary_of(&run.summaries, 3, 0);
    assert_ptr_equal(summary, &run.summaries.list[2]);
    assert_ptr_equal(imported_summary_of(&run.summaries, 0, 1), &run.summaries.list[1]);
    assert_null(imported_summary_of(&run.summaries, 3, 1));
    assert_null(imported_summary_of(&run.summaries, 1, 0));
    assert_null(imported_summary_of(&(struct imported_summaries){0}, 0, 0));
    run_release(&run);
    assert_null(run.summaries.list);
}

static void an_imported_run_needs_no_samples(void **state)
{
    (void)state;
    struct run run;
    edit_is_read(fixture_imported, "{", "\"samples\": [", "\"later\": [", &run, NULL);
    assert_int_equal(run.origin, RUN_IMPORTED);
    assert_int_equal(run.sample_count, 0);
    assert_int_equal(run.summaries.length, 4);
    run_release(&run);
    edit_is_read(fixture_imported, "{", "\"summaries\": [", "\"later\": [", &run, NULL);
    assert_int_equal(run.summaries.length, 0);
    run_release(&run);
}

static void only_an_imported_run_has_them(void **state)
{
    (void)state;
    edit_is_refused(fixture_run, "{", "\"events\": [", "\"summaries\": [], \"events\": [",
                    "summaries: only a run with \"origin\": \"imported\" has them");
    edit_is_refused(fixture_run, "{", "\"samples\": [", "\"later\": [", "samples: missing");
    edit_is_refused(fixture_run, "{", "\"measured\"", "\"guessed\"",
                    "origin: \"guessed\" is neither measured nor imported");
    edit_is_refused(fixture_imported, "{", "\"imported\"", "\"measured\"",
                    "plan.workloads[3].sync: \"sync\" is none of");
}

static void one_of_an_unknown_place_is_refused(void **state)
{
    (void)state;
#define REFUSED(from, to, message) edit_is_refused(fixture_imported, "\"summaries\"", from, to, message)
    REFUSED("\"create\"", "\"rename\"", "summaries[0].workload: the plan has no \"rename\"");
    REFUSED("\"tier\": \"null\"", "\"tier\": \"C\"", "summaries[1].tier: no tier is called \"C\"");
    REFUSED("\"workload\": \"create\", ", "", "summaries[0].workload: missing");
    REFUSED("\"seq-write-64\"", "\"create\"", "summaries[2]: a second one of this workload and tier");
    REFUSED("[", "[7, ", "summaries[0]: not an object");
    REFUSED("[", "[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},",
            "summaries: 30 of them, but there are ");
#undef REFUSED
}

static void figures_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *figures, *message;
    } wrong[] = {
        {"\"n\": 0", "n: 0 is not from 1 to 500 rounds"},
        {"\"n\": 501", "n: 501 is not from 1 to 500 rounds"},
        {"\"n\": -5", "n: not a whole number"},
        {"\"n\": 2.5", "n: not a whole number"},
        {"\"n\": 1, \"min\": 1, \"max\": 2", "n: 1, but min and max differ"},
        {"\"median\": -1", "median: less than 0"},
        {"\"median\": 1e999", "median: not a number"},
        {"\"min\": 3, \"median\": 2.5", "min: 3 is above median, which is 2.5"},
        {"\"median\": 3, \"max\": 2", "median: 3 is above max, which is 2"},
        {"\"min\": 3, \"max\": 2", "min: 3 is above max, which is 2"},
        {"\"min\": 3, \"first\": 2", "min: 3 is above first, which is 2"},
        {"\"first\": 3, \"max\": 2", "first: 3 is above max, which is 2"},
        {"\"rest_min\": 3, \"rest_max\": 2", "rest_min: 3 is above rest_max, which is 2"},
        {"\"min\": 3, \"rest_min\": 2", "min: 3 is above rest_min, which is 2"},
        {"\"rest_max\": 3, \"max\": 2", "rest_max: 3 is above max, which is 2"},
        {"\"wall_ns\": -1", "wall_ns: not a whole number"},
        {"\"printed\": -0.5", "printed: less than 0"},
        {"\"printed_unit\": 5", "printed_unit: not a string"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *element = xformat("[{\"workload\": \"walk\", \"tier\": \"null\", %s}, ", wrong[i].figures);
        char *message = xformat("summaries[0].%s", wrong[i].message);
        edit_is_refused(fixture_imported, "\"summaries\"", "[", element, message);
        free(element);
        free(message);
    }
    struct run run; // what is alike on both sides contradicts nothing
    edit_is_read(fixture_imported, "\"summaries\"", "[",
                 "[{\"workload\": \"walk\", \"tier\": \"null\", \"n\": 1, \"min\": 2, \"median\": 2, "
                 "\"max\": 2, \"first\": 2, \"rest_min\": null, \"printed\": 0}, ",
                 &run, NULL);
    assert_int_equal(run.summaries.length, 5);
    assert_false(run.summaries.list[0].rest_min.known);
    assert_true(run.summaries.list[0].printed.known);
    run_release(&run);
}

int test_summaries(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_found_by_its_place),
        cmocka_unit_test(an_imported_run_needs_no_samples),
        cmocka_unit_test(only_an_imported_run_has_them),
        cmocka_unit_test(one_of_an_unknown_place_is_refused),
        cmocka_unit_test(figures_that_contradict_each_other_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
