// Percentiles of operations: in each round where it has enough of them, and of all rounds together where they
// are alike. Figures are those of the design (measuring, 2.3).
#include "analysis/fixture.h"
#include "analysis/percentiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_percentiles(int argc, char *argv[]);

enum { ROUNDS_MOST = 8, P50 = 0, P90, P95, P99, P999 };

static const struct thresholds standard;

struct rounds {
    struct sample samples[ROUNDS_MOST];
    struct round_facts facts[ROUNDS_MOST];
    size_t count;
};

// One more round, of n operations of which the ith takes base + i * step ns.
static void add_round(struct rounds *rounds, uint64_t n, uint64_t base, uint64_t step)
{
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (uint64_t i = 1; i <= n; i++)
        histogram_record(&histogram, base + i * step);
    struct sample *sample = &rounds->samples[rounds->count];
    *sample = (struct sample){0};
    sparse_from(&sample->latency[PHASE_OP], &histogram);
    histogram_release(&histogram);
    rounds->facts[rounds->count] =
        (struct round_facts){.round = (unsigned)rounds->count + 1, .sample = sample};
    rounds->count++;
}

static void release(struct rounds *rounds)
{
    for (size_t i = 0; i < rounds->count; i++)
        sparse_release(&rounds->samples[i].latency[PHASE_OP]);
}

static void assert_shown_by(const struct thresholds *thresholds, uint64_t operations, size_t shown)
{
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    for (size_t i = 0; i < 5; i++)
        add_round(&rounds, operations, 0, 1000);
    percentiles_derive(rounds.facts, rounds.count, thresholds, percentiles);
    for (size_t i = 0; i < PERCENTILE_COUNT; i++)
        if (percentiles[i].in_rounds != (i < shown))
            fail_msg("%s of %d operations", percentile_name(i), (int)operations);
    release(&rounds);
}

static void assert_shown(uint64_t operations, size_t shown)
{
    assert_shown_by(&standard, operations, shown);
}

// n (1 - p) >= 10, where doubles would refuse 100 at p90.
static void gates_are_integers(void **state)
{
    (void)state;
    static const struct {
        uint64_t operations;
        size_t shown;
    } gates[] = {{19, 0},  {20, 1},  {99, 1},   {100, 2},  {199, 2},
                 {200, 3}, {999, 3}, {1000, 4}, {9999, 4}, {10000, 5}};
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
        assert_shown(gates[i].operations, gates[i].shown);
    assert_string_equal(percentile_name(P50), "p50");
    assert_string_equal(percentile_name(P999), "p99.9");
    assert_int_equal(percentile_permilles[P95], 950);
}

// The bucket that holds a rank's value, by its top.
static double top_of(uint64_t ns)
{
    return (double)histogram_highest(HISTOGRAM_DIGITS, histogram_bucket(HISTOGRAM_DIGITS, ns));
}

static void gates_are_moved_by_their_threshold(void **state)
{
    (void)state;
    struct thresholds wider = {0};
    struct error error;
    assert_true(thresholds_set(&wider, "op-percentile-gate.tail=20", &error));
    assert_shown_by(&wider, 39, 0);
    assert_shown_by(&wider, 199, 1);
    assert_shown_by(&wider, 200, 2);
    assert_true(thresholds_set(&wider, "op-percentile-gate.tail=1.5", &error)); // 2 are the first beyond that
    assert_shown_by(&wider, 19, 1);
    assert_shown_by(&wider, 20, 2);

    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    add_round(&rounds, 100, 0, 1000);
    add_round(&rounds, 100, 0, 1000);
    assert_true(thresholds_set(&wider, "op-percentile-gate.tail=21", &error));
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    assert_true(percentiles[P90].pooled); // 20 beyond it
    percentiles_derive(rounds.facts, rounds.count, &wider, percentiles);
    assert_false(percentiles[P90].pooled);
    release(&rounds);
}

// n=200: p50 x100, p90 x180, p95 x190; n=1000: p99 x990.
static void ranks_are_the_nearest(void **state)
{
    (void)state;
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    add_round(&rounds, 200, 0, 1000);
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    assert_true(percentiles[P50].rounds.median == top_of(100000));
    assert_true(percentiles[P90].rounds.median == top_of(180000));
    assert_true(percentiles[P95].rounds.median == top_of(190000));
    assert_int_equal(percentiles[P95].rounds.n, 1);
    release(&rounds);
    rounds.count = 0;
    add_round(&rounds, 1000, 0, 1000);
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    assert_true(percentiles[P50].rounds.median == 501759); // as HdrHistogram_c has it with two digits
    assert_true(percentiles[P90].rounds.median == 901119);
    assert_true(percentiles[P99].rounds.median == 991231);
    release(&rounds);
}

static void the_middle_and_the_range_are_those_of_the_rounds(void **state)
{
    (void)state;
    static const uint64_t bases[] = {3000000, 1000000, 5000000, 2000000, 4000000};
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    for (size_t i = 0; i < 5; i++)
        add_round(&rounds, 100, bases[i], 1);
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    const struct summary *p50 = &percentiles[P50].rounds;
    assert_int_equal(p50->n, 5);
    assert_true(fabs(p50->min - 1e6) < 1e4 && fabs(p50->median - 3e6) < 3e4 && fabs(p50->max - 5e6) < 5e4);
    assert_false(percentiles[P50].pooled); // five levels: worth five operations
    release(&rounds);
}

static void one_round_with_few_withholds_it_for_all(void **state)
{
    (void)state;
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    for (size_t i = 0; i < 4; i++)
        add_round(&rounds, 1000, 0, 1000);
    add_round(&rounds, 99, 0, 10000);
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    assert_true(percentiles[P50].in_rounds);
    assert_false(percentiles[P90].in_rounds || percentiles[P99].in_rounds);
    release(&rounds);
}

// Rounds that are alike are worth all of their operations: 5 of 200 carry p99 and not p99.9.
static void rounds_alike_are_pooled(void **state)
{
    (void)state;
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    for (size_t i = 0; i < 5; i++)
        add_round(&rounds, 200, 0, 1000);
    struct intraclass alike = percentiles_intraclass(rounds.facts, rounds.count);
    assert_true(alike.known && alike.icc <= 0);
    assert_true(fabs(alike.n_effective - 1000) < 1e-6);
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    assert_true(percentiles[P90].pooled && percentiles[P95].pooled && percentiles[P99].pooled);
    assert_false(percentiles[P999].pooled);
    assert_false(percentiles[P99].in_rounds);
    assert_true(percentiles[P90].pooled_ns == top_of(180000)); // x900 of 1000, each value five times
    release(&rounds);
}

// Pooled p90 of 5 x 200 survives only up to an ICC of 0.045.
static void rounds_that_differ_are_pooled_to_a_point(void **state)
{
    (void)state;
    bool seen_pooled = false, seen_apart = false;
    double last = -1;
    for (uint64_t apart = 0; apart <= 60000; apart += 2000) {
        struct rounds rounds = {0};
        struct percentile percentiles[PERCENTILE_COUNT] = {0};
        for (size_t i = 0; i < 5; i++)
            add_round(&rounds, 200, 200000 + i * apart, 1000);
        struct intraclass alike = percentiles_intraclass(rounds.facts, rounds.count);
        percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
        assert_true(alike.known && alike.icc > last); // further apart, less alike
        last = alike.icc;
        if (fabs(alike.icc - 0.0452) > 0.0005)
            assert_int_equal(percentiles[P90].pooled, alike.icc < 0.0452);
        seen_pooled = seen_pooled || percentiles[P90].pooled;
        seen_apart = seen_apart || !percentiles[P90].pooled;
        release(&rounds);
    }
    assert_true(seen_pooled && seen_apart);
}

// [1.0 1.2 0.9 1.1], [1.4 1.6 1.5 1.3], [0.8 1.0 0.9 0.9] as logarithms: ICC 0.853211, worth 3.3711, but for
// the width of a bucket.
static void logarithms_of_latencies_are_compared(void **state)
{
    (void)state;
    static const double logarithms[3][4] = {{1.0, 1.2, 0.9, 1.1}, {1.4, 1.6, 1.5, 1.3}, {0.8, 1.0, 0.9, 0.9}};
    struct rounds rounds = {.count = 3};
    for (size_t i = 0; i < 3; i++) {
        struct histogram histogram;
        histogram_init(&histogram, HISTOGRAM_DIGITS);
        for (size_t k = 0; k < 4; k++)
            histogram_record(&histogram, (uint64_t)(1e6 * exp(logarithms[i][k])));
        sparse_from(&rounds.samples[i].latency[PHASE_OP], &histogram);
        histogram_release(&histogram);
        rounds.facts[i] = (struct round_facts){.round = (unsigned)i + 1, .sample = &rounds.samples[i]};
    }
    struct intraclass alike = percentiles_intraclass(rounds.facts, rounds.count);
    assert_true(alike.known);
    assert_true(fabs(alike.icc - 0.853211) < 0.01);
    assert_true(fabs(alike.n_effective - 3.3711) < 0.05);
    release(&rounds);
}

static void what_is_missing_gives_nothing(void **state)
{
    (void)state;
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    percentiles_derive(NULL, 0, &standard, percentiles);
    assert_false(percentiles_intraclass(NULL, 0).known);
    add_round(&rounds, 1000, 0, 1000);
    add_round(&rounds, 1000, 0, 1000);
    sparse_release(&rounds.samples[1].latency[PHASE_OP]);
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    assert_false(percentiles_intraclass(rounds.facts, rounds.count).known);
    rounds.samples[1].latency[PHASE_OP] = (struct sparse_histogram){.digits = 2}; // none was done
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    for (size_t i = 0; i < PERCENTILE_COUNT; i++)
        assert_false(percentiles[i].in_rounds || percentiles[i].pooled);
    release(&rounds);
}

static void digits_that_differ_give_nothing(void **state)
{
    (void)state;
    struct rounds rounds = {0};
    struct percentile percentiles[PERCENTILE_COUNT] = {0};
    add_round(&rounds, 1000, 0, 1000);
    add_round(&rounds, 1000, 0, 1000);
    rounds.samples[1].latency[PHASE_OP].digits = 3;
    percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
    for (size_t i = 0; i < PERCENTILE_COUNT; i++)
        assert_false(percentiles[i].in_rounds || percentiles[i].pooled);
    release(&rounds);
}

// Counts that say another thing than their sum: no figure beyond what was seen.
static void counts_that_contradict_each_other_break_nothing(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 200, 1000000, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t k = 0; k < 2; k++) {
            struct rounds rounds = {0};
            struct percentile percentiles[PERCENTILE_COUNT] = {0};
            for (size_t round = 0; round < 3; round++)
                add_round(&rounds, 200, 0, 1000);
            rounds.samples[1].latency[PHASE_OP].count = counts[i];
            if (k == 1)
                for (size_t bin = 0; bin < rounds.samples[2].latency[PHASE_OP].length; bin++)
                    rounds.samples[2].latency[PHASE_OP].bins[bin].count = counts[i];
            percentiles_derive(rounds.facts, rounds.count, &standard, percentiles);
            for (size_t at = 0; at < PERCENTILE_COUNT; at++) {
                assert_true(!percentiles[at].in_rounds ||
                            (percentiles[at].rounds.min >= 1000 && percentiles[at].rounds.max <= 200000));
                assert_true(!percentiles[at].pooled ||
                            (percentiles[at].pooled_ns >= 1000 && percentiles[at].pooled_ns <= 200000));
            }
            release(&rounds);
        }
}

int test_percentiles(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_are_integers),
        cmocka_unit_test(gates_are_moved_by_their_threshold),
        cmocka_unit_test(ranks_are_the_nearest),
        cmocka_unit_test(the_middle_and_the_range_are_those_of_the_rounds),
        cmocka_unit_test(one_round_with_few_withholds_it_for_all),
        cmocka_unit_test(rounds_alike_are_pooled),
        cmocka_unit_test(rounds_that_differ_are_pooled_to_a_point),
        cmocka_unit_test(logarithms_of_latencies_are_compared),
        cmocka_unit_test(what_is_missing_gives_nothing),
        cmocka_unit_test(digits_that_differ_give_nothing),
        cmocka_unit_test(counts_that_contradict_each_other_break_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
