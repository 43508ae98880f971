#include "analysis/expect.h"

#include <stdlib.h>

int test_rule_sample_size(int argc, char *argv[]);

// The published medians and ends; order and inner values are invented.
static const double create[] = {118.3, 104.2, 124.0, 115.2, 110.9},
                    delete_a[] = {812.5, 699.3, 935.2, 774.6, 868.1}, delete_b[] = {6.9, 6.5, 7.2, 6.8, 7.0};

#define MS UINT64_C(1000000)

// Gives a sample the latencies of its operations.
static void set_latencies(struct sample *sample, const uint64_t *ns, size_t count)
{
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (size_t i = 0; i < count; i++)
        histogram_record(&histogram, ns[i]);
    sparse_release(&sample->latency[PHASE_OP]);
    sparse_from(&sample->latency[PHASE_OP], &histogram);
    histogram_release(&histogram);
}

// Spread evenly by their logarithms over a tenth of `from`.
static void set_even_latencies(struct sample *sample, double from, size_t count)
{
    uint64_t *ns = xcalloc(count, sizeof *ns);
    for (size_t i = 0; i < count; i++)
        ns[i] = (uint64_t)(from * exp(0.1 * (double)i / (double)count));
    set_latencies(sample, ns, count);
    free(ns);
}

// Rounds of a walk on A that took 70 ms each, with so many operations each.
static void begin_operations(struct run *run, unsigned rounds, size_t operations)
{
    fixture_begin(run, "walk", rounds);
    for (unsigned round = 1; round <= rounds; round++)
        set_even_latencies(fixture_add(run, 0, 0, round, 70 * MS), 3e5, operations);
}

// ---- round-percentile-gate ----

static void rounds_carry_no_percentile(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "create", create);
    expect_fired(ask(&run, "round-percentile-gate", 0, 0), VERDICT_REFUSE,
                 "No p90 at n=5: 5 rounds miss the slowest tenth altogether 59 % of the time (0.9^5). Shown "
                 "instead: median 115, range 104 to 124 files/s.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "round-percentile-gate", 0, 0);
    assert_non_null(finding);
    assert_string_equal(finding->statistic, "p90");
    assert_true(fabs(evidence_of(finding, "missed") - 0.59049) < 1e-9);
    judgement_release(&judgement);
    run_release(&run);

    begin_with(&run, "walk", ((double[]){70}));
    expect_fired(
        ask(&run, "round-percentile-gate", 0, 0), VERDICT_REFUSE,
        "No p90 at n=1: one round misses the slowest tenth 90 % of the time. Shown instead: 70.0 ms.");
    run_release(&run);
}

static void a_hundred_rounds_carry_p90(void **state)
{
    (void)state;
    double values[100];
    for (size_t i = 0; i < 100; i++)
        values[i] = 70 + (double)(i % 7);
    struct run run;
    begin_with_count(&run, "walk", values, 100);
    expect_quiet(ask(&run, "round-percentile-gate", 0, 0));
    run_release(&run);
    begin_with_count(&run, "walk", values, 99);
    expect_fired(
        ask(&run, "round-percentile-gate", 0, 0), VERDICT_REFUSE,
        "No p90 at n=99: fewer than ten rounds lie beyond it. Shown instead: median 73.0, range 70.0 "
        "to 76.0 ms.");
    run_release(&run);
}

static void a_summary_may_not_say_how_many_rounds_it_had(void **state)
{
    (void)state;
    struct run run;
    struct imported_summary *summary = begin_import(&run, "walk");
    summary->median = known_real(69.1);
    static const char *const rules_of_n[] = {"round-percentile-gate", "median-coverage", "too-few-rounds"};
    for (size_t i = 0; i < 3; i++)
        expect_lacking(ask(&run, rules_of_n[i], 0, 0), "the number of rounds isn't known");
    summary->n = known_count(5);
    summary->min = known_real(61);
    summary->median.known = false;
    expect_fired(ask(&run, "round-percentile-gate", 0, 0), VERDICT_REFUSE,
                 "No p90 at n=5: 5 rounds miss the slowest tenth altogether 59 % of the time (0.9^5). Shown "
                 "instead: nothing.");
    summary->max = known_real(84.5);
    expect_fired(ask(&run, "round-percentile-gate", 0, 0), VERDICT_REFUSE,
                 "No p90 at n=5: 5 rounds miss the slowest tenth altogether 59 % of the time (0.9^5). Shown "
                 "instead: range 61.0 to 84.5 ms.");
    run_release(&run);
}

// ---- op-percentile-gate ----

static void operations_carry_what_their_number_does(void **state)
{
    (void)state;
    static const struct {
        size_t operations;
        const char *sentence;
    } cases[] = {
        {19, "p50 needs 20 operations in a round; this one has 19. No percentile is shown."},
        {20, "p90 needs 100 operations in a round; this one has 20. p50 is shown, as the median and range of "
             "each round's own value."},
        {100, "p95 needs 200 operations in a round; this one has 100. p50 and p90 are shown, as the median "
              "and range of each round's own value."},
        {200, "p99 needs 1000 operations in a round; this one has 200. p50, p90 and p95 are shown, as the "
              "median and range of each round's own value."},
        {1000, "p99.9 needs 10000 operations in a round; this one has 1000. p50, p90, p95 and p99 are shown, "
               "as the median and range of each round's own value."},
    };
    struct run run;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_operations(&run, 5, cases[i].operations);
        expect_fired(ask(&run, "op-percentile-gate", 0, 0), VERDICT_REFUSE, cases[i].sentence);
        run_release(&run);
    }
    begin_operations(&run, 2, 10000);
    expect_quiet(ask(&run, "op-percentile-gate", 0, 0));
    // Each round must carry it.
    set_even_latencies(&run.samples[1], 3e5, 999);
    expect_fired(ask(&run, "op-percentile-gate", 0, 0), VERDICT_REFUSE,
                 "p99 needs 1000 operations in a round; this one has 999. p50, p90 and p95 are shown, as the "
                 "median and range of each round's own value.");
    run.samples[1].latency[PHASE_OP].digits = 3;
    expect_lacking(ask(&run, "op-percentile-gate", 0, 0),
                   "the latencies of its rounds are counted in different digits");
    run_release(&run);
}

static void rules_of_operations_need_them(void **state)
{
    (void)state;
    static const char *const ids[] = {"op-percentile-gate", "pooled-percentile-gate", "tail-in-one-round",
                                      "service-time-only", "stall-share"};
    struct run run;
    begin_with(&run, "walk", ((double[]){70, 72, 69, 71, 70}));
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        expect_lacking(ask(&run, ids[i], 0, 0), need_words(NEED_OPERATIONS));
        expect_lacking(ask(&run, ids[i], 0, 1), need_words(NEED_ROUNDS));
    }
    run_release(&run);
}

// ---- pooled-percentile-gate ----

static void rounds_that_differ_are_not_pooled(void **state)
{
    (void)state;
    struct run run;
    begin_operations(&run, 5, 200);
    expect_quiet(ask(&run, "pooled-percentile-gate", 0, 0)); // alike: worth what they are
    for (size_t i = 0; i < 5; i++)
        set_even_latencies(&run.samples[i], 3e5 * (1 + 0.008 * (double)i), 200);
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "pooled-percentile-gate", 0, 0);
    assert_non_null(finding);
    assert_int_equal(finding->verdict, VERDICT_REFUSE);
    assert_string_equal(finding->statistic, "pooled percentiles");
    double icc = evidence_of(finding, "icc"), effective = evidence_of(finding, "effective");
    assert_true(icc > 0.1 && icc < 0.3);
    assert_true(fabs(effective - 1000 / (1 + 199 * icc)) < 1e-6);
    char expected[256];
    snprintf(expected, sizeof expected,
             "1000 operations, but rounds differ from each other (ICC %.3f): worth about %.0f independent "
             "ones. Pooled p90 not printed.",
             icc, effective);
    assert_string_equal(finding->message, expected);
    // What the figure withholds is what is said.
    const struct percentile *percentiles = judgement.metrics.rows[0].tiers[0].percentiles;
    assert_true(percentiles[0].pooled);
    assert_false(percentiles[1].pooled);
    judgement_release(&judgement);
    run_release(&run);
}

static void pooling_needs_rounds_and_latencies_that_differ(void **state)
{
    (void)state;
    struct run run;
    begin_operations(&run, 1, 200);
    expect_lacking(ask(&run, "pooled-percentile-gate", 0, 0), "fewer than 2 rounds");
    run_release(&run);
    begin_operations(&run, 2, 1);
    expect_lacking(ask(&run, "pooled-percentile-gate", 0, 0),
                   "all its latencies are equal, or there is one a round");
    run_release(&run);
    // Too few for any percentile, whatever the rounds have in common.
    begin_operations(&run, 3, 4);
    set_even_latencies(&run.samples[1], 9e5, 4);
    expect_quiet(ask(&run, "pooled-percentile-gate", 0, 0));
    run_release(&run);
}

// ---- tail-in-one-round ----

// 5 rounds of 200 operations, of which so many are slow.
static void begin_tail(struct run *run, const size_t slow[5])
{
    fixture_begin(run, "delete", 5);
    for (unsigned round = 0; round < 5; round++) {
        uint64_t ns[200];
        for (size_t i = 0; i < 200; i++)
            ns[i] = i < slow[round] ? (10 + i) * MS : 1000000 + 1000 * i;
        set_latencies(fixture_add(run, 0, 0, round + 1, 812 * MS), ns, 200);
    }
}

static void a_tail_that_is_one_rounds_is_told(void **state)
{
    (void)state;
    struct run run;
    begin_tail(&run, (size_t[]){5, 5, 5, 31, 4});
    // The rounds differ too much for a pooled p95: none would have been shown that it could mark.
    expect_fired(ask(&run, "tail-in-one-round", 0, 0), VERDICT_INFO,
                 "31 of the 50 slowest operations came from round 4: most of the tail is in that one.");
    run_release(&run);
    begin_tail(&run, (size_t[]){6, 6, 6, 25, 7}); // half isn't more than half
    expect_quiet(ask(&run, "tail-in-one-round", 0, 0));
    run_release(&run);
}

static void a_tail_needs_rounds_and_operations(void **state)
{
    (void)state;
    struct run run;
    begin_operations(&run, 4, 200);
    expect_lacking(ask(&run, "tail-in-one-round", 0, 0), "fewer than 5 rounds");
    run_release(&run);
    begin_operations(&run, 5, 39);
    expect_lacking(ask(&run, "tail-in-one-round", 0, 0), "too few operations for a p95 of all rounds");
    run_release(&run);
    begin_tail(&run, (size_t[]){0, 0, 0, 0, 0});
    for (size_t i = 0; i < 5; i++) {
        uint64_t equal[200];
        for (size_t j = 0; j < 200; j++)
            equal[j] = MS;
        set_latencies(&run.samples[i], equal, 200);
    }
    expect_lacking(ask(&run, "tail-in-one-round", 0, 0), "too many of its latencies are equal for a tail");
    run_release(&run);
}

// ---- median-coverage, too-few-rounds ----

static void what_the_range_is_worth(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "create", create);
    expect_fired(ask(&run, "median-coverage", 0, 0), VERDICT_INFO,
                 "Min to max of 5 rounds holds the true median 93.75 % of the time; one more round makes it "
                 "96.88 %.");
    run_release(&run);
    double values[20];
    for (size_t i = 0; i < 20; i++)
        values[i] = 70 + (double)(i % 3);
    begin_with(&run, "walk", values);
    expect_fired(ask(&run, "median-coverage", 0, 0), VERDICT_INFO,
                 "Min to max of 20 rounds holds the true median over 99.99 % of the time.");
    run_release(&run);
    begin_with(&run, "walk", ((double[]){70}));
    expect_lacking(ask(&run, "median-coverage", 0, 0), "one round has no range");
    run_release(&run);
}

static void few_rounds_are_marked(void **state)
{
    (void)state;
    static const double values[] = {70, 72, 69, 71, 70};
    static const char *const sentences[] = {
        "One observation: 70.0 ms. No spread is known.",
        "Two values, and the middle between them is no median: range 70.0 to 72.0 ms.",
        "Few rounds, 3: median 70.0, range 69.0 to 72.0 ms. Their range holds the true median only 75 % of "
        "the time.",
        "Few rounds, 4: median 70.5, range 69.0 to 72.0 ms. Their range holds the true median only 87.5 % of "
        "the time.",
    };
    struct run run;
    for (size_t n = 1; n <= 4; n++) {
        begin_with_count(&run, "walk", values, n);
        expect_fired(ask(&run, "too-few-rounds", 0, 0), VERDICT_CAVEAT, sentences[n - 1]);
        run_release(&run);
    }
    begin_with_count(&run, "walk", values, 5);
    expect_quiet(ask(&run, "too-few-rounds", 0, 0));
    run_release(&run);
}

static void one_large_file_is_told_as_a_time(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "seq-write-256", ((double[]){16.3}));
    run.samples[0].wall_ns = 15740 * MS;
    expect_fired(ask(&run, "too-few-rounds", 0, 0), VERDICT_CAVEAT,
                 "One observation: 15.7 s for 256 MiB. No spread is known.");
    run.samples[0].batches = 2; // then it is no time of one file
    expect_fired(ask(&run, "too-few-rounds", 0, 0), VERDICT_CAVEAT,
                 "One observation: 17.1 MB/s. No spread is known.");
    run_release(&run);
    struct imported_summary *summary = begin_import(&run, "seq-write-256");
    summary->n = known_count(1);
    summary->median = known_real(16.3);
    summary->wall_ns = known_count(15740 * MS);
    expect_fired(ask(&run, "too-few-rounds", 0, 0), VERDICT_CAVEAT,
                 "One observation: 15.7 s for 256 MiB. No spread is known.");
    run_release(&run);
}

// ---- false-precision, ratio-not-averaged ----

static void digits_are_those_of_the_interval(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "delete", delete_a);
    expect_quiet(ask(&run, "false-precision", 0, 0)); // there is no ratio
    fixture_add_values(&run, 0, 1, delete_b, 5);
    expect_fired(ask(&run, "false-precision", 0, 0), VERDICT_INFO, "118x slower (108 to 130), not 117.8x.");
    run_release(&run);

    // An interval of 8.35 to 10.7 supports the first decimal.
    begin_with(&run, "create", create);
    fixture_add_values(&run, 0, 1, (double[]){1161.8, 870.4, 1217.5, 1104.7, 1190.2}, 5);
    expect_quiet(ask(&run, "false-precision", 0, 0));
    run_release(&run);

    begin_with(&run, "walk", ((double[]){11, 13.2, 15.1, 17.3, 12.4}));
    fixture_add_values(&run, 0, 1, (double[]){10, 10, 10, 10, 10}, 5);
    struct asked_answer answer = ask(&run, "false-precision", 0, 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_non_null(strstr(answer.sentence, ", not 32.0 %."));
    run_release(&run);
}

static void a_ratio_of_few_rounds_has_no_interval(void **state)
{
    (void)state;
    struct run run;
    begin_with_count(&run, "delete", delete_a, 4);
    fixture_add_values(&run, 0, 1, delete_b, 4);
    expect_lacking(ask(&run, "false-precision", 0, 0), "the ratio has no interval");
    run_release(&run);
}

static void no_overall_number(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,walk", 5);
    size_t walk = fixture_find(&run, "walk");
    fixture_add_values(&run, fixture_find(&run, "create"), 0, create, 5);
    fixture_add_values(&run, fixture_find(&run, "create"), 1, create, 5);
    expect_quiet(ask(&run, "ratio-not-averaged", 0, 0)); // one row
    fixture_add_values(&run, walk, 0, delete_b, 5);
    expect_quiet(ask(&run, "ratio-not-averaged", 0, 0)); // of one disk alone
    fixture_add_values(&run, walk, 1, delete_b, 5);
    expect_fired(ask(&run, "ratio-not-averaged", 0, 0), VERDICT_REFUSE,
                 "The rows measure different things. There is no overall number.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "ratio-not-averaged", SIZE_MAX, RUN_TIERS_MOST);
    assert_non_null(finding);
    assert_string_equal(finding->statistic, "overall score");
    judgement_release(&judgement);
    run_release(&run);
}

// ---- service-time-only, stall-share ----

static void latencies_are_service_times(void **state)
{
    (void)state;
    struct run run;
    begin_operations(&run, 5, 200);
    expect_fired(ask(&run, "service-time-only", 0, 0), VERDICT_INFO,
                 "One operation in flight; each waits for the one before. These are service times, not "
                 "waiting times under load.");
    run.plan.workloads[0].threads = 4;
    expect_fired(ask(&run, "service-time-only", 0, 0), VERDICT_INFO,
                 "4 threads, each with one operation in flight that waits for the one before. These are "
                 "service times, not waiting times under load.");
    run_release(&run);
    begin_operations(&run, 5, 19); // none is shown
    expect_quiet(ask(&run, "service-time-only", 0, 0));
    run_release(&run);
}

static void a_long_operation_is_told(void **state)
{
    (void)state;
    struct run run;
    begin_operations(&run, 3, 200);
    expect_quiet(ask(&run, "stall-share", 0, 0));
    uint64_t ns[50] = {0};
    for (size_t i = 0; i < 50; i++)
        ns[i] = i == 20 ? 412 * MS : MS;
    set_latencies(&run.samples[1], ns, 50);
    run.samples[1].wall_ns = 1740 * MS;
    // In one round of three it doesn't move the middle.
    expect_fired(ask(&run, "stall-share", 0, 0), VERDICT_INFO,
                 "One operation took 412 ms of the 1.74 s of round 2.");
    set_latencies(&run.samples[0], ns, 50);
    run.samples[0].wall_ns = 1750 * MS;
    expect_fired(ask(&run, "stall-share", 0, 0), VERDICT_CAVEAT,
                 "One operation took 412 ms of the 1.74 s of round 2.");
    set_latencies(&run.samples[0], ns, 49);
    set_latencies(&run.samples[1], ns, 49);
    expect_quiet(ask(&run, "stall-share", 0, 0)); // too few in that round
    run_release(&run);
    begin_operations(&run, 3, 49);
    expect_lacking(ask(&run, "stall-share", 0, 0), "fewer than 50 operations in a round");
    run_release(&run);
}

int test_rule_sample_size(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_carry_no_percentile),
        cmocka_unit_test(a_hundred_rounds_carry_p90),
        cmocka_unit_test(a_summary_may_not_say_how_many_rounds_it_had),
        cmocka_unit_test(operations_carry_what_their_number_does),
        cmocka_unit_test(rules_of_operations_need_them),
        cmocka_unit_test(rounds_that_differ_are_not_pooled),
        cmocka_unit_test(pooling_needs_rounds_and_latencies_that_differ),
        cmocka_unit_test(a_tail_that_is_one_rounds_is_told),
        cmocka_unit_test(a_tail_needs_rounds_and_operations),
        cmocka_unit_test(what_the_range_is_worth),
        cmocka_unit_test(few_rounds_are_marked),
        cmocka_unit_test(one_large_file_is_told_as_a_time),
        cmocka_unit_test(digits_are_those_of_the_interval),
        cmocka_unit_test(a_ratio_of_few_rounds_has_no_interval),
        cmocka_unit_test(no_overall_number),
        cmocka_unit_test(latencies_are_service_times),
        cmocka_unit_test(a_long_operation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
