#include "analysis/pattern.h"
#include "stats/digits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_pattern(int argc, char *argv[]);

static const struct thresholds standard;

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// ---- The range of n rounds ----

static void the_mean_range_is_as_tables_print_it(void **state)
{
    (void)state;
    assert_true(pattern_d2(0) == 0);
    assert_true(pattern_d2(1) == 0);
    assert_true(pattern_d2(2) == 1.128);
    assert_true(pattern_d2(5) == 2.326);
    assert_true(pattern_d2(12) == 3.258);
    assert_true(pattern_d2(20) == 3.735);
    // What isn't kept is computed; published tables have the same digits.
    assert_digits(pattern_d2(13), "3.336");
    assert_digits(pattern_d2(14), "3.407");
    assert_digits(pattern_d2(16), "3.532");
    assert_digits(pattern_d2(25), "3.931");
    assert_digits(pattern_d2(50), "4.498");
    assert_digits(pattern_d2(100), "5.015");
    for (size_t n = 2; n < 500; n++)
        assert_true(pattern_d2(n + 1) > pattern_d2(n));
    assert_true(pattern_d2(500) > 6 && pattern_d2(500) < 6.2);
}

static void more_rounds_may_reach_further(void **state)
{
    (void)state;
    // The limits of section 2.1, in hundredths: for 3 at 5 rounds, and for 1.5.
    static const struct {
        size_t n;
        double none, wide;
    } limits[] = {{3, 2.22, 0}, {4, 2.64, 0},    {5, 3.00, 1.50}, {6, 3.31, 1.56},
                  {7, 3.59, 0}, {8, 3.84, 1.64}, {10, 4.28, 0},   {12, 4.66, 0}};
    for (size_t i = 0; i < LENGTH(limits); i++) {
        assert_true(pattern_range_reaches(limits[i].none + 0.006, limits[i].n, 3));
        assert_false(pattern_range_reaches(limits[i].none - 0.006, limits[i].n, 3));
        if (limits[i].wide > 0) {
            assert_true(pattern_range_reaches(limits[i].wide + 0.006, limits[i].n, 1.5));
            assert_false(pattern_range_reaches(limits[i].wide - 0.006, limits[i].n, 1.5));
        }
    }
    assert_true(pattern_range_reaches(3, 5, 3));
    assert_true(pattern_range_reaches(3.3 / 1.1, 5, 3)); // which is less than 3 by rounding alone
    assert_false(pattern_range_reaches(100, 1, 3));
    assert_false(pattern_range_reaches(1, 5, 1)); // all equal
}

// ---- One round apart ----

static bool rates_differ(const double *rates, size_t n)
{
    double costs[16];
    for (size_t i = 0; i < n; i++)
        costs[i] = 1 / rates[i];
    return pattern_first_round_differs(costs, n, &standard);
}

static void the_vectors_of_a_first_round(void **state)
{
    (void)state;
    assert_true(rates_differ((double[]){28.6, 306, 320, 340, 351}, 5));
    assert_false(rates_differ((double[]){100, 160, 162, 165, 170}, 5));
    assert_false(rates_differ((double[]){100, 250, 120, 260, 110}, 5));
    assert_false(rates_differ((double[]){600, 300, 280, 310, 320}, 5));
    assert_true(rates_differ((double[]){700, 300, 280, 310, 320}, 5));
    assert_true(rates_differ((double[]){28.6, 306, 320, 340}, 4));
    assert_false(rates_differ((double[]){28.6, 306, 320}, 3));
    assert_false(rates_differ(NULL, 0));
}

static void a_gap_that_is_the_threshold_counts(void **state)
{
    (void)state;
    assert_true(pattern_first_round_differs((double[]){2, 1, 1, 1}, 4, &standard));
    assert_false(pattern_first_round_differs((double[]){1.999, 1, 1, 1}, 4, &standard));
    assert_false(pattern_first_round_differs((double[]){1, 1, 1, 1}, 4, &standard));
    // Three ranges of the rest: 1 to 1.5 is a range of 1.5, and its cube is 3.375.
    assert_true(pattern_first_round_differs((double[]){1.5 * 3.376, 1, 1.5, 1.2}, 4, &standard));
    assert_false(pattern_first_round_differs((double[]){1.5 * 3.374, 1, 1.5, 1.2}, 4, &standard));
    struct thresholds other = {.changed[THRESHOLD_FIRST_ROUND_RANGES] = true,
                               .given[THRESHOLD_FIRST_ROUND_RANGES] = 4};
    assert_false(pattern_first_round_differs((double[]){1.5 * 3.376, 1, 1.5, 1.2}, 4, &other));
}

static void a_stall_is_slower_and_not_the_first(void **state)
{
    (void)state;
    static const double third[] = {1, 1.1, 4.1, 1.05, 1}, first[] = {4.1, 1, 1.1, 1.05, 1},
                        faster[] = {4, 4.1, 1, 4.2, 4}, two[] = {1, 4, 4, 1, 1};
    assert_int_equal(pattern_lone_stall(third, 5, false, &standard), 2);
    assert_true(pattern_lone_stall(first, 5, false, &standard) == SIZE_MAX);
    assert_int_equal(pattern_lone_stall(first, 5, true, &standard), 0);
    assert_true(pattern_lone_stall(faster, 5, true, &standard) == SIZE_MAX);
    assert_true(pattern_lone_stall(two, 5, true, &standard) == SIZE_MAX);
    assert_true(pattern_lone_stall(third, 3, false, &standard) == SIZE_MAX);
    assert_true(pattern_lone_stall(third, 0, true, &standard) == SIZE_MAX);
}

// ---- The order of rounds ----

static void a_line_is_laid_by_least_squares(void **state)
{
    (void)state;
    assert_digits(pattern_rise((double[]){62, 68, 73, 79, 84}, 5), "22.0000");
    assert_digits(pattern_rise((double[]){1, 2, 3, 4, 5}, 5), "4.0000");
    assert_digits(pattern_rise((double[]){3, 1, 2}, 3), "-1.0000");
    assert_true(pattern_rise((double[]){7}, 1) == 0);
    assert_int_equal(pattern_direction((double[]){62, 68, 73, 79, 84}, 5), 1);
    assert_int_equal(pattern_direction((double[]){5, 4, 3}, 3), -1);
    assert_int_equal(pattern_direction((double[]){1, 2, 2, 3}, 4), 0);
    assert_int_equal(pattern_direction((double[]){1}, 1), 0);
}

static void steadiness_is_of_the_mean(void **state)
{
    (void)state;
    struct steadiness steadiness = pattern_steadiness((double[]){812.5, 699.3, 935.2, 774.6, 868.1});
    assert_digits(steadiness.range, "0.2884");
    assert_digits(steadiness.rise, "0.0912");
    steadiness = pattern_steadiness((double[]){0, 0, 0, 0, 0});
    assert_true(steadiness.range == 0 && steadiness.rise == 0);
}

static void levels_need_a_gap_and_three_rounds_each(void **state)
{
    (void)state;
    size_t lower = 0;
    assert_true(pattern_two_levels((double[]){61, 92, 60, 93, 62, 91, 61, 92, 61.5}, 9, &standard, &lower));
    assert_int_equal(lower, 5);
    assert_false(pattern_two_levels((double[]){61, 61, 60, 61, 62, 91, 61, 92}, 8, &standard, &lower));
    assert_false(pattern_two_levels((double[]){61, 92, 60, 93, 62, 91, 61}, 7, &standard, &lower));
    // 1.29 isn't 1.3; and a gap that a side is more than half as wide as is none.
    assert_false(pattern_two_levels((double[]){1, 1, 1, 1, 1.29, 1.29, 1.29, 1.29}, 8, &standard, &lower));
    assert_true(pattern_two_levels((double[]){1, 1, 1, 1, 1.3, 1.3, 1.3, 1.3}, 8, &standard, &lower));
    assert_false(pattern_two_levels((double[]){1, 1.05, 1.1, 1.2, 1.7, 1.7, 1.7, 1.7}, 8, &standard, &lower));
    assert_false(pattern_two_levels((double[]){1, 1, 1, 1, 1, 1, 1, 1}, 8, &standard, &lower));
}

static void sides_of_the_order_are_told_by_their_medians(void **state)
{
    (void)state;
    static const double low[] = {1, 1.1, 0.9}, high[] = {1.4, 1.5, 1.3}, between[] = {1.1, 2, 3};
    assert_digits(pattern_order_factor(low, 3, high, 3), "1.400");
    assert_digits(pattern_order_factor(high, 3, low, 3), "0.714");
    assert_true(pattern_order_factor(low, 3, between, 3) == 1);
    assert_true(pattern_order_factor(low, 0, high, 3) == 1);
}

int test_pattern(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_range_is_as_tables_print_it),
        cmocka_unit_test(more_rounds_may_reach_further),
        cmocka_unit_test(the_vectors_of_a_first_round),
        cmocka_unit_test(a_gap_that_is_the_threshold_counts),
        cmocka_unit_test(a_stall_is_slower_and_not_the_first),
        cmocka_unit_test(a_line_is_laid_by_least_squares),
        cmocka_unit_test(steadiness_is_of_the_mean),
        cmocka_unit_test(levels_need_a_gap_and_three_rounds_each),
        cmocka_unit_test(sides_of_the_order_are_told_by_their_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
