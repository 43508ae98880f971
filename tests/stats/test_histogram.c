#include "base/rng.h"
#include "stats/histogram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_histogram(int argc, char *argv[]);

static void has_the_counters_of_hdr_histogram(void **state)
{
    (void)state;
    // 1 ns to 100 s; HdrHistogram allocates whole octaves, here up to 2^37.
    static const size_t counters[] = {0, 544, 3968, 28672, 393216};
    for (unsigned digits = 1; digits <= 4; digits++) {
        assert_int_equal(histogram_bucket(digits, (UINT64_C(1) << 37) - 1) + 1, counters[digits]);
        assert_int_equal(histogram_bucket(digits, HISTOGRAM_MAX_NS) + 1, histogram_buckets(digits));
    }
}

// Every bucket begins where the one below ends, counts both of its edges, and is as narrow as promised.
static void buckets_join(void **state)
{
    (void)state;
    for (unsigned digits = 1; digits <= 4; digits++) {
        uint64_t next = 0;
        size_t buckets = histogram_buckets(digits);
        for (size_t bucket = 0; bucket < buckets; bucket++) {
            uint64_t lowest = histogram_lowest(digits, bucket), highest = histogram_highest(digits, bucket);
            if (lowest != next || highest < lowest || histogram_bucket(digits, lowest) != bucket ||
                histogram_bucket(digits, highest) != bucket)
                fail_msg("digits %u, bucket %zu", digits, bucket);
            uint64_t width = highest - lowest + 1;
            if (width > 1 && width << (histogram_linear_bits(digits) - 1) > lowest)
                fail_msg("digits %u, bucket %zu is too wide", digits, bucket);
            next = highest + 1;
        }
        assert_true(next == HISTOGRAM_MAX_NS + 1);
    }
}

static void has_the_edges_of_hdr_histogram(void **state)
{
    (void)state;
    static const struct {
        unsigned digits;
        uint64_t value, lowest, next;
    } edges[] = {
        {3, 123456, 123456, 123520},
        {3, 812500000, 812122112, 812646400},
        {2, 1000, 1000, 1004},
        {2, 123456, 123392, 123904},
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        size_t bucket = histogram_bucket(edges[i].digits, edges[i].value);
        assert_true(histogram_lowest(edges[i].digits, bucket) == edges[i].lowest);
        assert_true(histogram_highest(edges[i].digits, bucket) + 1 == edges[i].next);
    }
}

// 1 us to 1 ms in 1000 steps. The greatest is 1 ms, so a percentile is cut there; HdrHistogram doesn't cut,
// and gives the edges 1000447 and 1003519, which the last check takes from the bucket itself.
static void has_the_percentiles_of_hdr_histogram(void **state)
{
    (void)state;
    static const struct {
        unsigned digits;
        uint64_t p50, p90, p99, highest;
    } cases[] = {
        {3, 500223, 900095, 990207, 1000447},
        {2, 501759, 901119, 991231, 1003519},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct histogram histogram;
        histogram_init(&histogram, cases[i].digits);
        for (uint64_t step = 1; step <= 1000; step++)
            histogram_record(&histogram, step * 1000);
        assert_int_equal(histogram.count, 1000);
        assert_int_equal(histogram.sum_ns, 500500000);
        assert_int_equal(histogram_percentile(&histogram, 500), cases[i].p50);
        assert_int_equal(histogram_percentile(&histogram, 900), cases[i].p90);
        assert_int_equal(histogram_percentile(&histogram, 990), cases[i].p99);
        assert_int_equal(histogram_percentile(&histogram, 1000), 1000000);
        assert_int_equal(
            histogram_highest(cases[i].digits, histogram_bucket(cases[i].digits, histogram.max_ns)),
            cases[i].highest);
        histogram_release(&histogram);
    }
}

// With four digits and values below 2^15 every bucket is 1 ns wide: the rank itself shows.
static void percentiles_are_nearest_rank(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        unsigned permille;
        uint64_t rank;
    } cases[] = {{200, 500, 100}, {200, 900, 180}, {200, 950, 190}, {1000, 990, 990}, {5, 500, 3},
                 {6, 500, 3},     {7, 901, 7},     {1, 1, 1},       {1000, 1, 1},     {1001, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct histogram histogram;
        histogram_init(&histogram, 4);
        for (uint64_t value = 1; value <= cases[i].n; value++)
            histogram_record(&histogram, value);
        assert_int_equal(histogram_percentile(&histogram, cases[i].permille), cases[i].rank);
        histogram_release(&histogram);
    }
}

static void percentiles_stay_within_what_was_recorded(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    for (int trial = 0; trial < 50; trial++) {
        struct histogram histogram;
        histogram_init(&histogram, HISTOGRAM_DIGITS);
        uint64_t records = 1 + rng_next(&rng) % 200;
        for (uint64_t i = 0; i < records; i++)
            histogram_record(&histogram, rng_next(&rng) >> (rng_next(&rng) % 64));
        struct sparse_histogram sparse;
        sparse_from(&sparse, &histogram);
        uint64_t before = histogram_percentile(&histogram, 0);
        assert_true(sparse_percentile(&sparse, 0) == before);
        assert_true(before == histogram.min_ns);
        for (unsigned permille = 1; permille <= 1000; permille++) {
            uint64_t value = histogram_percentile(&histogram, permille);
            assert_true(value >= before && value >= histogram.min_ns && value <= histogram.max_ns);
            assert_true(sparse_percentile(&sparse, permille) == value);
            before = value;
        }
        assert_true(before == histogram.max_ns);
        sparse_release(&sparse);
        histogram_release(&histogram);
    }
}

static void an_empty_one_gives_no_garbage(void **state)
{
    (void)state;
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (unsigned permille = 0; permille <= 1000; permille += 50)
        assert_int_equal(histogram_percentile(&histogram, permille), 0);
    assert_true(histogram.min_ns == UINT64_MAX);
    assert_true(histogram.max_ns == 0);
    struct sparse_histogram sparse;
    sparse_from(&sparse, &histogram);
    assert_int_equal(sparse.digits, 0);
    assert_int_equal(sparse.length, 0);
    assert_null(sparse.bins);
    sparse_add_to(&sparse, &histogram);
    assert_int_equal(histogram.count, 0);
    assert_true(histogram.min_ns == UINT64_MAX);
    sparse_release(&sparse);
    histogram_record(&histogram, 5);
    histogram_clear(&histogram);
    assert_int_equal(histogram_percentile(&histogram, 500), 0);
    histogram_release(&histogram);
}

static void longer_than_the_last_bucket_is_counted_there(void **state)
{
    (void)state;
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    uint64_t hour = UINT64_C(3600) * 1000000000;
    histogram_record(&histogram, hour);
    histogram_record(&histogram, UINT64_MAX / 2);
    assert_int_equal(histogram.counts[histogram_buckets(HISTOGRAM_DIGITS) - 1], 2);
    assert_true(histogram.max_ns == UINT64_MAX / 2);
    assert_true(histogram_percentile(&histogram, 990) == UINT64_MAX / 2);
    histogram_release(&histogram);
}

static void gate_in_integers(void **state)
{
    (void)state;
    static const struct {
        uint64_t least;
        unsigned permille;
    } gates[] = {{20, 500}, {100, 900}, {200, 950}, {1000, 990}, {10000, 999}, {100, 100}, {1000, 10}};
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        assert_true(histogram_carries(gates[i].least, gates[i].permille));
        assert_false(histogram_carries(gates[i].least - 1, gates[i].permille));
        assert_true(histogram_carries(UINT64_MAX, gates[i].permille));
    }
    assert_false(histogram_carries(0, 500));
    assert_false(histogram_carries(UINT64_MAX, 0));
    assert_false(histogram_carries(UINT64_MAX, 1000));
    assert_false(histogram_carries(UINT64_MAX, 2000));
    assert_true(histogram_carries_beyond(200, 900, 20));
    assert_false(histogram_carries_beyond(199, 900, 20));
    assert_true(histogram_carries_beyond(2, 500, 1));
    assert_true(histogram_carries_effective(199.9999999999, 900, 20));
    assert_false(histogram_carries_effective(199, 900, 20));
}

static void gate_for_a_computed_number(void **state)
{
    (void)state;
    assert_true(histogram_carries_effective(100, 900, HISTOGRAM_BEYOND));
    assert_true(
        histogram_carries_effective(100 - 1e-13, 900, HISTOGRAM_BEYOND)); // in doubles 1 - 0.9 refuses it
    assert_false(histogram_carries_effective(99.999, 900, HISTOGRAM_BEYOND));
    assert_true(histogram_carries_effective(20, 500, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(19.9, 500, HISTOGRAM_BEYOND));
    assert_true(histogram_carries_effective(100, 100, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(99, 100, HISTOGRAM_BEYOND));
    assert_true(histogram_carries_effective(10000, 999, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(9999, 999, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(NAN, 500, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(-100, 500, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(1e300, 0, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(1e300, 1000, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(1e300, 2000, HISTOGRAM_BEYOND));
}

static void sparse_round_trip(void **state)
{
    (void)state;
    for (unsigned digits = 1; digits <= 4; digits++) {
        struct histogram original, copy, again;
        histogram_init(&original, digits);
        histogram_init(&copy, digits);
        histogram_init(&again, digits);
        struct rng rng;
        rng_seed(&rng, digits);
        for (int i = 0; i < 500; i++)
            histogram_record(&original, rng_next(&rng) >> (rng_next(&rng) % 64));
        histogram_record(&original, 0);

        struct sparse_histogram sparse;
        sparse_from(&sparse, &original);
        assert_int_equal(sparse.digits, digits);
        assert_int_equal(sparse.count, 501);
        uint64_t sum = 0;
        for (size_t i = 0; i < sparse.length; i++) {
            assert_true(sparse.bins[i].count > 0);
            assert_true(i == 0 || sparse.bins[i].lowest_ns > sparse.bins[i - 1].lowest_ns);
            sum += sparse.bins[i].count;
        }
        assert_int_equal(sum, sparse.count);
        sparse_add_to(&sparse, &copy);
        histogram_copy(&again, &original);
        size_t size = histogram_buckets(digits) * sizeof *original.counts;
        const struct histogram *results[] = {&copy, &again};
        for (size_t i = 0; i < 2; i++) {
            assert_true(results[i]->count == original.count && results[i]->sum_ns == original.sum_ns);
            assert_true(results[i]->min_ns == original.min_ns && results[i]->max_ns == original.max_ns);
            assert_memory_equal(results[i]->counts, original.counts, size);
        }
        assert_ptr_not_equal(again.counts, original.counts);
        sparse_release(&sparse);
        histogram_release(&original);
        histogram_release(&copy);
        histogram_release(&again);
    }
}

int test_histogram(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_counters_of_hdr_histogram),
        cmocka_unit_test(buckets_join),
        cmocka_unit_test(has_the_edges_of_hdr_histogram),
        cmocka_unit_test(has_the_percentiles_of_hdr_histogram),
        cmocka_unit_test(percentiles_are_nearest_rank),
        cmocka_unit_test(percentiles_stay_within_what_was_recorded),
        cmocka_unit_test(an_empty_one_gives_no_garbage),
        cmocka_unit_test(longer_than_the_last_bucket_is_counted_there),
        cmocka_unit_test(gate_in_integers),
        cmocka_unit_test(gate_for_a_computed_number),
        cmocka_unit_test(sparse_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
