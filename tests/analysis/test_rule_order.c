#include "analysis/expect.h"

#include <stdlib.h>

int test_rule_order(int argc, char *argv[]);

// A walk of both disks: A's and B's values by round, of which the odd ones ran first on A.
static void begin_pairs(struct run *run, const double *a, const double *b, size_t count)
{
    begin_with_count(run, "walk", a, count);
    fixture_add_values(run, 0, 1, b, count);
    for (size_t i = 0; i < run->sample_count; i++)
        run->samples[i].first = (run->samples[i].round % 2 == 1) == (run->samples[i].tier == 0);
}

// ---- order-effect ----

static void an_effect_of_the_order_is_told(void **state)
{
    (void)state;
    static const double steady[] = {10, 10.1, 10.2, 10, 10.1, 10.2};
    struct run run;
    begin_pairs(&run, (double[]){70, 98, 71, 97, 70, 99}, steady, 6);
    expect_fired(ask(&run, "order-effect", 0, 0), VERDICT_CAVEAT,
                 "A persistent was 1.4x slower whenever it ran second. The ratio mixes that in.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_non_null(asked(&judgement, "order-effect", 0, RUN_TIERS_MOST));
    assert_int_equal(judgement.metrics.rows[0].trust, TRUST_CAVEAT);
    judgement_release(&judgement);
    run_release(&run);

    // B ran first in the even rounds.
    begin_pairs(&run, steady, (double[]){70, 140, 71, 141, 70, 139}, 6);
    expect_fired(ask(&run, "order-effect", 0, 0), VERDICT_CAVEAT,
                 "B ephemeral was 2.0x slower whenever it ran first. The ratio mixes that in.");
    run_release(&run);

    begin_pairs(&run, (double[]){70, 85, 71, 86, 70, 84}, steady, 6); // 1.21
    expect_quiet(ask(&run, "order-effect", 0, 0));
    run_release(&run);
    begin_pairs(&run, (double[]){70, 98, 99, 97, 70, 70}, steady, 6); // they overlap
    expect_quiet(ask(&run, "order-effect", 0, 0));
    run_release(&run);
}

static void an_effect_of_the_order_needs_three_of_each(void **state)
{
    (void)state;
    struct run run;
    begin_pairs(&run, (double[]){70, 98, 71, 97, 70}, (double[]){10, 10, 10, 10, 10}, 5);
    expect_lacking(ask(&run, "order-effect", 0, 0), "fewer than 3 rounds that went first, or second");
    run_release(&run);
    begin_with(&run, "walk", ((double[]){70, 98, 71, 97, 70, 99}));
    expect_lacking(ask(&run, "order-effect", 0, 0), need_words(NEED_BOTH_TIERS));
    run_release(&run);
}

// ---- self-comparison-fails ----

static void make_one_disk(struct run *run)
{
    run->shared_why = xstrdup("both are one disk");
    run->plan.same_disk = true;
}

static void a_disk_that_differs_from_itself_is_told(void **state)
{
    (void)state;
    static const double b[] = {10, 10.1, 10.2, 10, 10.1, 10.2};
    struct run run;
    begin_pairs(&run, (double[]){11.4, 11.5, 11.6, 11.4, 11.5, 11.6}, b, 6);
    make_one_disk(&run);
    expect_fired(ask(&run, "self-comparison-fails", 0, 0), VERDICT_CAVEAT,
                 "The disk differed from itself by 14 %. Differences under 14 % mean nothing in this "
                 "session.");
    run_release(&run);

    begin_pairs(&run, (double[]){10.3, 10.4, 10.5, 10.3, 10.4, 10.5}, b, 6); // small, but clear
    make_one_disk(&run);
    assert_int_equal(ask(&run, "self-comparison-fails", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);

    begin_pairs(&run, (double[]){10.2, 10, 10.1, 10.1, 10.2, 10}, b, 6);
    make_one_disk(&run);
    expect_quiet(ask(&run, "self-comparison-fails", 0, 0));
    run_release(&run);

    begin_pairs(&run, (double[]){9, 20, 9, 20, 9, 20}, b, 6); // not clear, and far from 1
    make_one_disk(&run);
    assert_int_equal(ask(&run, "self-comparison-fails", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);

    begin_pairs(&run, b, b, 6);
    make_one_disk(&run);
    run.plan.same_disk = false;
    expect_lacking(ask(&run, "self-comparison-fails", 0, 0), "no ratio of the disk to itself was asked for");
    run_release(&run);
}

static void set_self(struct run *run, double low, double high)
{
    run->calibration.self[0] = (struct self_ratio){known_real(low), known_real(high)};
}

static void a_known_self_comparison_bounds_the_ratios(void **state)
{
    (void)state;
    static const double b[] = {10, 10.1, 10.2, 10, 10.1, 10.2};
    struct run run;
    begin_pairs(&run, (double[]){70, 72, 71, 70, 72, 71}, b, 6);
    expect_lacking(ask(&run, "self-comparison-fails", 0, 0), need_words(NEED_SELF));
    set_self(&run, 0.97, 1.04);
    expect_quiet(ask(&run, "self-comparison-fails", 0, 0));
    set_self(&run, 1.10, 1.18);
    expect_fired(ask(&run, "self-comparison-fails", 0, 0), VERDICT_CAVEAT,
                 "The disk differed from itself by 14 %. Differences under 14 % mean nothing in this "
                 "session.");
    set_self(&run, 0.5, 0.9); // the other way round, by 49 %
    assert_int_equal(ask(&run, "self-comparison-fails", 0, 0).outcome, OUTCOME_FIRED);
    set_self(&run, 0.8, 1.8); // holds 1, and its middle is 1.2
    assert_int_equal(ask(&run, "self-comparison-fails", 0, 0).outcome, OUTCOME_FIRED);
    set_self(&run, 0, 1.8);
    expect_lacking(ask(&run, "self-comparison-fails", 0, 0), need_words(NEED_SELF));
    run_release(&run);

    // Disks that differ by less than one from itself aren't compared.
    begin_pairs(&run, (double[]){10.5, 10.7, 10.8, 10.5, 10.6, 10.8}, b, 6);
    set_self(&run, 1.10, 1.18);
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "self-comparison-fails", 0, RUN_TIERS_MOST);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, VERDICT_REFUSE);
    assert_string_equal(finding->statistic, "ratio");
    assert_string_equal(finding->message,
                        "A disk differed from itself by 14 %, and these two differ by less. "
                        "That means nothing in this session.");
    assert_int_equal(judgement.metrics.rows[0].ratio.comparison, COMPARISON_NONE);
    judgement_release(&judgement);
    run_release(&run);
}

int test_rule_order(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_effect_of_the_order_is_told),
        cmocka_unit_test(an_effect_of_the_order_needs_three_of_each),
        cmocka_unit_test(a_disk_that_differs_from_itself_is_told),
        cmocka_unit_test(a_known_self_comparison_bounds_the_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
