#include "analysis/expect.h"

#include <stdlib.h>

int test_rule_stability(int argc, char *argv[]);

// The published medians, ends and spreads of walk and delete; order and inner values are invented.
static const double walk[] = {69.1, 84.5, 61.0, 66.2, 73.8}, delete_[] = {812.5, 699.3, 935.2, 774.6, 868.1};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// ---- not-repeatable ----

static void scatter_without_a_pattern_is_discarded(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){1, 1.2, 2.9, 1.1, 1.5}));
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    run_release(&run);
    begin_with(&run, "walk", ((double[]){1, 1.2, 3.1, 1.1, 1.5}));
    expect_fired(ask(&run, "not-repeatable", 0, 0), VERDICT_DISCARD,
                 "5 identical rounds span 3.1x. There is no single number to report.");
    expect_quiet(ask(&run, "wide-range", 0, 0));
    run_release(&run);
    begin_with(&run, "seq-write-64", ((double[]){100, 520, 300, 210, 150}));
    expect_fired(ask(&run, "not-repeatable", 0, 0), VERDICT_DISCARD,
                 "5 identical rounds span 5.2x. There is no single number to report.");
    run_release(&run);
    // At 6 rounds the limit is 3.31.
    begin_with(&run, "walk", ((double[]){1, 1.2, 3.2, 1.1, 1.5, 1.3}));
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    run_release(&run);
}

static void a_round_that_stands_apart_explains_the_scatter(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){812, 70, 72, 69, 71}));
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    expect_quiet(ask(&run, "wide-range", 0, 0)); // of the rounds that are reported
    run_release(&run);
    begin_with(&run, "walk", ((double[]){70, 72, 812, 69, 71}));
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    expect_fired(ask(&run, "wide-range", 0, 0), VERDICT_CAVEAT,
                 "Rounds span 12x. Read the range, not the median.");
    run_release(&run);
}

static void scatter_needs_three_rounds(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){70, 700}));
    expect_lacking(ask(&run, "not-repeatable", 0, 0), "fewer than 3 rounds");
    expect_lacking(ask(&run, "wide-range", 0, 0), "fewer than 3 rounds");
    expect_lacking(ask(&run, "wide-range", 0, 1), "fewer than 3 rounds");
    run_release(&run);
}

static void a_summary_has_its_range(void **state)
{
    (void)state;
    struct run run;
    struct imported_summary *summary = begin_import(&run, "walk");
    summary->median = known_real(69.1);
    expect_lacking(ask(&run, "wide-range", 0, 0), "the range of its rounds, or their number, isn't known");
    expect_lacking(ask(&run, "not-repeatable", 0, 0),
                   "the range of its rounds, or their number, isn't known");
    summary->n = known_count(5);
    summary->min = known_real(61);
    summary->max = known_real(84.5);
    expect_quiet(ask(&run, "wide-range", 0, 0));
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    summary->max = known_real(250);
    expect_lacking(ask(&run, "not-repeatable", 0, 0), "whether one round alone stands apart isn't known");
    expect_fired(ask(&run, "wide-range", 0, 0), VERDICT_CAVEAT,
                 "Rounds span 4.1x. Read the range, not the median.");
    summary->n = known_count(1);
    expect_lacking(ask(&run, "wide-range", 0, 0), "fewer than 3 rounds");
    run_release(&run);
}

// ---- wide-range ----

static void a_wide_range_is_marked(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", walk); // 1.385
    expect_quiet(ask(&run, "wide-range", 0, 0));
    run_release(&run);
    begin_with(&run, "walk", ((double[]){69, 110, 61, 66, 74}));
    expect_fired(ask(&run, "wide-range", 0, 0), VERDICT_CAVEAT,
                 "Rounds span 1.8x. Read the range, not the median.");
    run_release(&run);
    begin_with(&run, "walk", ((double[]){69, 91.5, 61, 66, 74}));
    assert_int_equal(ask(&run, "wide-range", 0, 0).outcome, OUTCOME_FIRED); // 1.50 at 5 rounds
    run_release(&run);
    begin_with(&run, "walk", ((double[]){69, 91.5, 61, 66, 74, 70}));
    expect_quiet(ask(&run, "wide-range", 0, 0)); // 1.56 at 6
    struct error error = {0};
    assert_true(thresholds_set(&run.thresholds, "wide-range.factor=1.4", &error));
    assert_int_equal(ask(&run, "wide-range", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);
}

// ---- not-steady ----

static void steadiness_is_snias(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "delete", delete_);
    expect_fired(ask(&run, "not-steady", 0, 0), VERDICT_INFO,
                 "Not steady by SNIA's definition: range 29 % of the mean (limit 20 %).");
    run_release(&run);
    begin_with(&run, "delete", ((double[]){6.9, 6.5, 7.2, 6.8, 7.0}));
    expect_quiet(ask(&run, "not-steady", 0, 0));
    run_release(&run);
    begin_with(&run, "delete", ((double[]){100, 103, 108, 112, 116}));
    expect_fired(
        ask(&run, "not-steady", 0, 0), VERDICT_INFO,
        "Not steady by SNIA's definition: the line through the last five rounds rises by 15 % of the "
        "mean (limit 10 %).");
    run_release(&run);
    // The last five rounds alone.
    begin_with(&run, "delete", ((double[]){20, 6.9, 6.5, 7.2, 6.8, 7.0}));
    expect_quiet(ask(&run, "not-steady", 0, 0));
    run_release(&run);
    begin_with(&run, "delete", ((double[]){6.9, 6.5, 7.2, 6.8}));
    expect_lacking(ask(&run, "not-steady", 0, 0), "fewer than 5 rounds");
    expect_lacking(ask(&run, "not-steady", 0, 1), "fewer than 5 rounds");
    run_release(&run);
}

static void steadiness_of_a_summary_has_bounds(void **state)
{
    (void)state;
    // Four of the six published cells aren't steady; of the two others the order would have to be known.
    static const struct {
        const char *workload;
        double median, min, max;
        const char *range; // at least; NULL: it can't be told
    } cells[] = {{"create", 115.2, 104.2, 124, NULL},     {"create", 1161.8, 870.4, 1217.5, "31 %"},
                 {"walk", 69.1, 61, 84.5, "32 %"},        {"walk", 4.6, 4, 5.1, "24 %"},
                 {"delete", 812.5, 699.3, 935.2, "28 %"}, {"delete", 6.9, 6.5, 7.2, NULL}};
    for (size_t i = 0; i < LENGTH(cells); i++) {
        struct run run;
        struct imported_summary *summary = begin_import(&run, cells[i].workload);
        *summary = (struct imported_summary){.workload = summary->workload,
                                             .n = known_count(5),
                                             .median = known_real(cells[i].median),
                                             .min = known_real(cells[i].min),
                                             .max = known_real(cells[i].max)};
        struct asked_answer answer = ask(&run, "not-steady", 0, 0);
        if (cells[i].range) {
            char expected[128];
            snprintf(expected, sizeof expected,
                     "Not steady by SNIA's definition: range %s of the mean or more (limit 20 %%).",
                     cells[i].range);
            expect_fired(answer, VERDICT_INFO, expected);
        } else {
            expect_lacking(answer, "the order of its rounds isn't known");
        }
        run_release(&run);
    }
    struct run run;
    struct imported_summary *summary = begin_import(&run, "walk");
    expect_lacking(ask(&run, "not-steady", 0, 0), "the values of the last 5 rounds aren't known");
    summary->n = known_count(4);
    expect_lacking(ask(&run, "not-steady", 0, 0), "fewer than 5 rounds");
    summary->n = known_count(5);
    summary->median = known_real(100);
    summary->min = known_real(98);
    summary->max = known_real(101);
    expect_quiet(ask(&run, "not-steady", 0, 0)); // whatever the order
    run_release(&run);
}

// ---- drifting ----

static void rounds_that_move_one_way_are_told(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){62, 68, 73, 79, 84}));
    expect_fired(ask(&run, "drifting", 0, 0), VERDICT_CAVEAT,
                 "Each round was slower than the one before (62.0 to 84.0 ms). More rounds would move this "
                 "number.");
    run_release(&run);
    // A rate that rises is a cost that falls.
    begin_with(&run, "seq-write-64", ((double[]){28, 190, 290, 340, 350}));
    expect_fired(ask(&run, "drifting", 0, 0), VERDICT_CAVEAT,
                 "Each round was faster than the one before (28.0 to 350 MB/s). More rounds would move this "
                 "number.");
    run_release(&run);
    begin_with(&run, "walk", walk);
    expect_quiet(ask(&run, "drifting", 0, 0));
    run_release(&run);
    begin_with(&run, "walk", ((double[]){100, 101, 102, 103, 104})); // one way, by little
    expect_quiet(ask(&run, "drifting", 0, 0));
    run_release(&run);
    begin_with(&run, "walk", ((double[]){62, 68, 73, 79}));
    expect_lacking(ask(&run, "drifting", 0, 0), "fewer than 5 rounds");
    expect_lacking(ask(&run, "drifting", 0, 1), need_words(NEED_ROUNDS));
    run_release(&run);
}

// ---- two-levels ----

static void two_levels_are_both_told(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){61, 92, 60, 93, 62, 91, 61, 92, 61}));
    expect_fired(ask(&run, "two-levels", 0, 0), VERDICT_CAVEAT,
                 "Rounds sit at two levels: about 61.0 ms (5 rounds) and about 92.0 ms (4).");
    run_release(&run);
    // The level of least cost comes first, here the higher rate.
    begin_with(&run, "create", ((double[]){200, 100, 202, 101, 198, 99, 201, 102}));
    expect_fired(ask(&run, "two-levels", 0, 0), VERDICT_CAVEAT,
                 "Rounds sit at two levels: about 200 files/s (4 rounds) and about 100 files/s (4).");
    run_release(&run);
    begin_with(&run, "walk", ((double[]){61, 65, 70, 74, 79, 83, 88, 92}));
    expect_quiet(ask(&run, "two-levels", 0, 0));
    run_release(&run);
    begin_with(&run, "walk", ((double[]){61, 92, 60, 93, 62, 91, 61}));
    expect_lacking(ask(&run, "two-levels", 0, 0), "fewer than 8 rounds");
    expect_lacking(ask(&run, "two-levels", 0, 1), need_words(NEED_ROUNDS));
    run_release(&run);
}

int test_rule_stability(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scatter_without_a_pattern_is_discarded),
        cmocka_unit_test(a_round_that_stands_apart_explains_the_scatter),
        cmocka_unit_test(scatter_needs_three_rounds),
        cmocka_unit_test(a_summary_has_its_range),
        cmocka_unit_test(a_wide_range_is_marked),
        cmocka_unit_test(steadiness_is_snias),
        cmocka_unit_test(steadiness_of_a_summary_has_bounds),
        cmocka_unit_test(rounds_that_move_one_way_are_told),
        cmocka_unit_test(two_levels_are_both_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
