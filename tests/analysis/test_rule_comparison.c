#include "analysis/ask.h"
#include "analysis/change_facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_rule_comparison(int argc, char *argv[]);

static struct asked_answer ask_change(struct change_facts change, const char *id)
{
    return ask_of(&(struct subject){.change = &change}, id);
}

static void expect(struct asked_answer answer, enum outcome outcome, enum verdict verdict,
                   const char *sentence)
{
    assert_string_equal(answer.sentence, sentence);
    assert_int_equal(answer.outcome, outcome);
    if (outcome == OUTCOME_FIRED)
        assert_int_equal(answer.verdict, verdict);
}

static void expect_quiet(struct asked_answer answer)
{
    expect(answer, OUTCOME_QUIET, VERDICT_INFO, "");
}

static void expect_lacking(struct asked_answer answer, const char *lacking)
{
    expect(answer, OUTCOME_NOT_CHECKED, VERDICT_INFO, lacking);
}

static struct asked_answer ask_n(size_t before, size_t after)
{
    return ask_change((struct change_facts){.before_count = before, .after_count = after}, "cannot-tell-n");
}

static void few_rounds_cannot_tell(void **state)
{
    (void)state;
    expect(ask_n(3, 3), OUTCOME_FIRED, VERDICT_REFUSE,
           "Cannot tell: with 3 rounds a side even complete separation happens by luck 10 % of the time.");
    expect(
        ask_n(3, 4), OUTCOME_FIRED, VERDICT_REFUSE,
        "Cannot tell: with 3 against 4 rounds even complete separation happens by luck 5.7 % of the time.");
    expect(
        ask_n(1, 1), OUTCOME_FIRED, VERDICT_REFUSE,
        "Cannot tell: with 1 against 1 rounds even complete separation happens by luck 100 % of the time.");
    expect_quiet(ask_n(3, 5));
    expect_quiet(ask_n(4, 4));
    expect_quiet(ask_n(5, 5));
    expect_lacking(ask_n(0, 5), need_words(NEED_ROUNDS));
}

static struct asked_answer ask_family(double p, double p_in_family, double factor)
{
    return ask_change((struct change_facts){.has_p = true,
                                            .p = p,
                                            .p_in_family = p_in_family,
                                            .family = 7,
                                            .has_size = true,
                                            .factor = factor},
                      "many-comparisons");
}

static void many_rows_are_within_luck(void **state)
{
    (void)state;
    // V1 of the design's table of diffs: slower among 6, not among 7.
    expect(ask_family(0.0079365079, 0.0555555556, 1.245538), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Would be 'slower' alone; across 7 rows it is within luck.");
    expect(ask_family(0.0079365079, 0.0555555556, 0.8), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Would be 'faster' alone; across 7 rows it is within luck.");
    expect_quiet(ask_family(0.0079365079, 0.0476190474, 1.245538));
    expect_quiet(ask_family(0.8412698413, 1, 1.03));
    expect_lacking(ask_change((struct change_facts){.has_size = true}, "many-comparisons"),
                   "this row wasn't tested");
}

static void a_machine_that_changed_moves_both_tiers(void **state)
{
    (void)state;
    // V8: 800 … 805 ms became 965 … 960 ms on P, 7 ms became 8.4 ms on E.
    struct change_facts change = {.has_control = true,
                                  .control_moved = true,
                                  .control_factor = 1.205778,
                                  .has_size = true,
                                  .factor = 0.996487,
                                  .low = 0.965377,
                                  .high = 1.023256};
    expect(ask_change(change, "both-tiers-moved"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Both tiers slowed by about 21 %. The cost of the one relative to the other did not change "
           "(0.996, 0.965 to 1.02).");
    change.control_factor = 0.8;
    expect(ask_change(change, "both-tiers-moved"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Both tiers sped up by about 20 %. The cost of the one relative to the other did not change "
           "(0.996, 0.965 to 1.02).");
    change.against_control_significant = true;
    expect_quiet(ask_change(change, "both-tiers-moved"));
    change.against_control_significant = false;
    change.control_moved = false;
    expect_quiet(ask_change(change, "both-tiers-moved"));
    change.has_control = false;
    expect_lacking(ask_change(change, "both-tiers-moved"), "no rounds of both disks before and after");
}

static struct asked_answer ask_sessions(size_t before, size_t after)
{
    return ask_change((struct change_facts){.before_sessions = before, .after_sessions = after},
                      "one-session-a-side");
}

static void rounds_of_one_sitting_share_it(void **state)
{
    (void)state;
    expect(ask_sessions(1, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "This compares two sittings. It does not show that the disk changed between them.");
    expect(ask_sessions(4, 2), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Sittings compared: 4 before, 2 after. Fewer than 3 a side do not show that the disk changed "
           "between them.");
    expect_quiet(ask_sessions(3, 3));
    expect_lacking(ask_sessions(0, 3), "how many sittings the rounds come from isn't known");
}

static void what_else_differs_is_named(void **state)
{
    (void)state;
    struct change_facts change = {.machine_known = true};
    expect_quiet(ask_change(change, "machine-changed"));
    change.machine_differs = "boot id, kernel 6.1 and 6.18";
    expect(ask_change(change, "machine-changed"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The second run differs from the first in more than time: boot id, kernel 6.1 and 6.18.");
    change.workload_differs = true;
    expect(ask_change(change, "machine-changed"), OUTCOME_FIRED, VERDICT_REFUSE,
           "The workload is defined differently in the two runs, so they aren't compared.");
    change = (struct change_facts){0};
    expect_lacking(ask_change(change, "machine-changed"), "the machines of both runs aren't known");
}

static void a_change_is_set_against_what_a_disk_differs_from_itself(void **state)
{
    (void)state;
    struct change_facts change = {.has_size = true, .factor = 1.08, .low = 1.02, .high = 1.15};
    expect_lacking(ask_change(change, "contradicts-bound"), need_words(NEED_SELF));
    change.has_self = true;
    change.self_low = 0.93;
    change.self_high = 1.05;
    expect(ask_change(change, "contradicts-bound"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Within what this machine shows between two identical runs: 1.02 to 1.15 overlaps 0.930 to 1.05.");
    change.low = 1.06;
    expect_quiet(ask_change(change, "contradicts-bound"));
    change.low = 0.98; // no difference is claimed
    expect_quiet(ask_change(change, "contradicts-bound"));
    change.has_size = false;
    expect_lacking(ask_change(change, "contradicts-bound"), "the change has no interval");
}

static void a_ratio_is_set_against_what_a_disk_differs_from_itself(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "walk", 6);
    fixture_add_values(&run, 0, 0, (double[]){112, 118, 115, 121, 117, 119}, 6);
    fixture_add_values(&run, 0, 1, (double[]){100, 104, 101, 103, 102, 105}, 6);
    expect_lacking(ask(&run, "contradicts-bound", 0, 0), need_words(NEED_SELF));
    run.calibration.self[0].low = (struct real){true, 0.85};
    run.calibration.self[0].high = (struct real){true, 1.05};
    expect_quiet(ask(&run, "contradicts-bound", 0, 0));
    run.calibration.self[0].high.value = 1.16;
    struct asked_answer answer = ask(&run, "contradicts-bound", 0, 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_int_equal(answer.verdict, VERDICT_CAVEAT);
    assert_non_null(strstr(answer.sentence, "overlaps 0.850 to 1.16"));
    run_release(&run);

    // The other way round the disk's own interval is turned too: 0.85 to 1.05 becomes 0.952 to 1.18.
    fixture_begin(&run, "walk", 6);
    fixture_add_values(&run, 0, 0, (double[]){100, 104, 101, 103, 102, 105}, 6);
    fixture_add_values(&run, 0, 1, (double[]){112, 118, 115, 121, 117, 119}, 6);
    run.calibration.self[0].low = (struct real){true, 0.85};
    run.calibration.self[0].high = (struct real){true, 1.05};
    answer = ask(&run, "contradicts-bound", 0, 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_non_null(strstr(answer.sentence, "overlaps 0.952 to 1.18"));
    run_release(&run);
}

static void a_ratio_without_an_interval_is_not_checked(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "walk", 1);
    fixture_add(&run, 0, 0, 1, 200000000);
    fixture_add(&run, 0, 1, 1, 100000000);
    run.calibration.self[0].low = (struct real){true, 0.85};
    run.calibration.self[0].high = (struct real){true, 1.05};
    expect_lacking(ask(&run, "contradicts-bound", 0, 0), "the ratio has no interval");
    run_release(&run);
}

int test_rule_comparison(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rounds_cannot_tell),
        cmocka_unit_test(many_rows_are_within_luck),
        cmocka_unit_test(a_machine_that_changed_moves_both_tiers),
        cmocka_unit_test(rounds_of_one_sitting_share_it),
        cmocka_unit_test(what_else_differs_is_named),
        cmocka_unit_test(a_change_is_set_against_what_a_disk_differs_from_itself),
        cmocka_unit_test(a_ratio_is_set_against_what_a_disk_differs_from_itself),
        cmocka_unit_test(a_ratio_without_an_interval_is_not_checked),
    };
    return cmocka_run_group_tests_name("rule_comparison", tests, NULL, NULL);
}
