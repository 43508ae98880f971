#include "digits.h"
#include "stats/order_statistic.h"

int test_order_statistic(int argc, char *argv[]);

static void range_covers_the_median(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        const char *percent;
    } cases[] = {{2, "50.0"},  {3, "75"},    {4, "87.5"},   {5, "93.75"},  {6, "96.875"}, {7, "98.44"},
                 {8, "99.22"}, {9, "99.61"}, {10, "99.80"}, {11, "99.90"}, {12, "99.95"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_percent(order_coverage_of_range(cases[i].n), cases[i].percent);
    assert_true(order_coverage_of_range(0) == 0);
    assert_true(order_coverage_of_range(1) == 0);
    assert_true(order_coverage_of_range(5000) == 1);
}

static void range_and_maximum_against_other_percentiles(void **state)
{
    (void)state;
    assert_digits(order_range_holds(5, 900), "0.4095");
    assert_digits(order_max_reaches(5, 990), "0.0490");
    assert_true(order_range_holds(1, 900) == 0);
    assert_true(order_max_reaches(0, 990) == 0);
    assert_true(order_range_holds(5, 0) == 0);
    assert_true(order_range_holds(5, 1000) == 0);
    assert_true(order_max_reaches(5, 1000) == 0);
}

// Ranks and coverages as computed in whole numbers.
static void intervals_by_rank(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        unsigned permille;
        size_t low, high;
        const char *percent; // NULL: no upper end
    } cases[] = {
        {6, 500, 1, 6, "96.875"},       {7, 500, 1, 7, "98.44"},           {8, 500, 1, 8, "99.22"},
        {9, 500, 2, 8, "96.09"},        {10, 500, 2, 9, "97.85"},          {11, 500, 2, 10, "98.83"},
        {12, 500, 3, 10, "96.14"},      {100, 500, 40, 61, "96.48"},       {100, 900, 84, 96, "95.57"},
        {200, 500, 86, 115, "96.00"},   {200, 900, 171, 189, "96.69"},     {200, 950, 184, 197, "96.72"},
        {200, 990, 195, 0, NULL},       {300, 990, 293, 0, NULL},          {500, 990, 490, 500, "98.02"},
        {1000, 900, 881, 919, "95.49"}, {1000, 950, 936, 964, "95.81"},    {1000, 990, 983, 997, "97.61"},
        {1000, 999, 997, 0, NULL},      {10000, 999, 9983, 9997, "97.55"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rank_interval interval = order_interval(cases[i].n, cases[i].permille);
        assert_int_equal(interval.low, cases[i].low);
        assert_int_equal(interval.high, cases[i].high);
        if (cases[i].percent)
            assert_percent(interval.coverage, cases[i].percent);
        else
            assert_true(interval.coverage == 0);
    }
}

static void too_few_have_no_interval(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 5; n++) {
        struct rank_interval interval = order_interval(n, 500);
        assert_int_equal(interval.low, 0);
        assert_int_equal(interval.high, 0);
        assert_true(interval.coverage == 0);
    }
    assert_int_equal(order_interval(1000, 0).low, 0);
    assert_int_equal(order_interval(1000, 1000).high, 0);
}

// A low percentile is a high one upside down, but for which end is missing.
static void intervals_mirror(void **state)
{
    (void)state;
    for (size_t n = 1; n < 400; n += 7)
        for (unsigned permille = 10; permille < 1000; permille += 45) {
            struct rank_interval one = order_interval(n, permille),
                                 other = order_interval(n, 1000 - permille);
            assert_int_equal(one.low, other.high ? n + 1 - other.high : 0);
            assert_int_equal(one.high, other.low ? n + 1 - other.low : 0);
            assert_true(one.coverage == 0 || one.coverage >= 0.95);
            assert_true(one.coverage - other.coverage < 1e-12 && other.coverage - one.coverage < 1e-12);
        }
}

static void many_values_take_no_time(void **state)
{
    (void)state;
    // 1.96 standard deviations of 10^10 values about the middle are 97998.2 ranks.
    struct rank_interval interval = order_interval(10000000000, 500);
    assert_in_range(interval.low, 5000000000 - 97999, 5000000000 - 97997);
    assert_int_equal(interval.low + interval.high, 10000000001);
    assert_digits(interval.coverage, "0.95000");
}

static void least_numbers(void **state)
{
    (void)state;
    static const struct {
        unsigned permille;
        size_t bound, interval;
    } cases[] = {{500, 5, 6}, {900, 29, 29}, {950, 59, 59}, {990, 299, 299}, {999, 2995, 2995}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(order_least_for_bound(cases[i].permille), cases[i].bound);
        assert_int_equal(order_least_for_interval(cases[i].permille), cases[i].interval);
    }
    assert_int_equal(order_least_for_bound(0), 0);
    assert_int_equal(order_least_for_bound(1000), 0);
    assert_int_equal(order_least_for_interval(0), 0);
    assert_int_equal(order_least_for_interval(1000), 0);
}

static void nearest_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        unsigned permille;
        size_t rank;
    } cases[] = {{200, 500, 100}, {200, 900, 180},
                 {200, 950, 190}, {1000, 990, 990},
                 {5, 500, 3},     {7, 901, 7},
                 {1000, 1, 1},    {1001, 1, 2},
                 {5, 0, 1},       {5, 1000, 5},
                 {5, 4000, 5},    {0, 500, 0},
                 {100, 290, 29},  {SIZE_MAX, 1000, SIZE_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(order_nearest_rank(cases[i].n, cases[i].permille), cases[i].rank);
    assert_true(order_nearest_rank(SIZE_MAX, 500) == SIZE_MAX / 2 + 1);
}

int test_order_statistic(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_covers_the_median),
        cmocka_unit_test(range_and_maximum_against_other_percentiles),
        cmocka_unit_test(intervals_by_rank),
        cmocka_unit_test(too_few_have_no_interval),
        cmocka_unit_test(intervals_mirror),
        cmocka_unit_test(many_values_take_no_time),
        cmocka_unit_test(least_numbers),
        cmocka_unit_test(nearest_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
