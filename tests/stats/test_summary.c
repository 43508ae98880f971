#include "stats/summary.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_summary(int argc, char *argv[]);

static void assert_summary(const double *values, size_t n, double median, double min, double max)
{
    struct summary summary = summarize(values, n);
    assert_int_equal(summary.n, n);
    assert_true(summary.median == median);
    assert_true(summary.min == min);
    assert_true(summary.max == max);
}

static void finds_middle_and_range(void **state)
{
    (void)state;
    double create[] = {118.3, 104.2, 124.0, 115.2, 110.9};
    assert_summary(create, 5, 115.2, 104.2, 124.0);
    assert_true(create[0] == 118.3); // the order of rounds is kept
    assert_summary((const double[]){7}, 1, 7, 7, 7);
    assert_summary((const double[]){3, 1}, 2, 2, 1, 3);
    assert_summary((const double[]){4, 1, 3, 2}, 4, 2.5, 1, 4);
    assert_summary((const double[]){5, 5, 5, 5}, 4, 5, 5, 5);
    assert_summary((const double[]){DBL_MAX, DBL_MAX}, 2, DBL_MAX, DBL_MAX, DBL_MAX);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    assert_summary(NULL, 0, 0, 0, 0);
}

int test_summary(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_middle_and_range),
        cmocka_unit_test(nothing_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
