#include "digits.h"
#include "stats/holm.h"
#include "stats/mann_whitney.h"

#include <math.h>

int test_holm(int argc, char *argv[]);

static void adjusts(void **state)
{
    (void)state;
    const double p[] = {.0079365, .0158730, .0317460, .5, .8};
    const char *const expected[] = {"0.0396825", "0.0634920", "0.0952380", "1", "1"};
    double adjusted[6];
    holm_adjust(p, 5, adjusted);
    for (size_t i = 0; i < 5; i++)
        assert_digits(adjusted[i], expected[i]);

    const double four[] = {1 / 126., 1 / 126., .42, 1 / 126., .69, 1 / 126.};
    const char *const of_four[] = {"0.0476190", "0.0476190", "0.84", "0.0476190", "0.84", "0.0476190"};
    holm_adjust(four, 6, adjusted);
    for (size_t i = 0; i < 6; i++)
        assert_digits(adjusted[i], of_four[i]);
}

// From U of 0, 1 and 2 of 5 against 5.
static void adjusts_unrounded(void **state)
{
    (void)state;
    double p[] = {.8, 4 / 126., 1 / 126., .5, 2 / 126.};
    const char *const expected[] = {"1.0000000", "0.0952381", "0.0396825", "1.0000000", "0.0634921"};
    holm_adjust(p, 5, p); // in place, and in the order given
    for (size_t i = 0; i < 5; i++)
        assert_digits(p[i], expected[i]);
}

static void never_falls_and_never_passes_one(void **state)
{
    (void)state;
    double p[] = {.02, .021, .9, .03}, adjusted[4];
    holm_adjust(p, 4, adjusted);
    assert_digits(adjusted[0], "0.080");
    assert_digits(adjusted[1], "0.080"); // 3 times .021 would be less
    assert_digits(adjusted[3], "0.080");
    assert_digits(adjusted[2], "0.900");
    holm_adjust((const double[]){.04}, 1, adjusted);
    assert_true(adjusted[0] == .04);
    holm_adjust(NULL, 0, NULL);
}

static void rows_that_full_separation_carries(void **state)
{
    (void)state;
    static const size_t carried[] = {[3] = 0, [4] = 1, [5] = 6, [6] = 23, [7] = 85, [8] = 321};
    for (size_t n = 3; n <= 8; n++)
        assert_int_equal(holm_rows_carried(mann_whitney_least_p(n, n)), carried[n]);
    assert_int_equal(holm_rows_carried(mann_whitney_least_p(3, 7)), 3); // 0.05 * 120 / 2, exactly
    assert_int_equal(holm_rows_carried(mann_whitney_least_p(1, 39)), 1);
    assert_int_equal(holm_rows_carried(1), 0);
    assert_int_equal(holm_rows_carried(0), SIZE_MAX);
}

int test_holm(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjusts),
        cmocka_unit_test(adjusts_unrounded),
        cmocka_unit_test(never_falls_and_never_passes_one),
        cmocka_unit_test(rows_that_full_separation_carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
