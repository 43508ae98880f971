// The knee of a write: the design's deterministic vector (measuring, E3), and what has none.
#include "analysis/knee.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_knee(int argc, char *argv[]);

#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

enum { MIB_MOST = 4096 };

static uint64_t times[MIB_MOST];

// Times at each of `count` MiB: the first `fast` at one rate, the others at another (MiB a second).
static void write_at(size_t count, size_t fast, double before, double after)
{
    double seconds = 0.0007; // open
    for (size_t i = 0; i < count; i++) {
        seconds += 1 / (i < fast ? before : after);
        times[i] = (uint64_t)llround(seconds * 1e9);
    }
}

static void gives_the_vector(void **state)
{
    (void)state;
    struct knee knee;
    write_at(1024, 300, 900, 100);
    assert_true(knee_find(times, 1024, &knee));
    assert_int_equal(knee.mib, 301);
    assert_near(knee.before, 899.5, 0.05);
    assert_near(knee.after, 100.0, 0.05);
}

static void finds_a_rise_too(void **state)
{
    (void)state;
    struct knee knee;
    write_at(256, 100, 50, 400);
    assert_true(knee_find(times, 256, &knee));
    assert_in_range(knee.mib, 99, 102);
    assert_near(knee.before, 50, 1);
    assert_near(knee.after, 400, 10);
}

// What lies at the edge of where it is looked for may lie outside.
static void finds_none_at_the_ends(void **state)
{
    (void)state;
    struct knee knee;
    write_at(1024, 20, 900, 100);
    assert_false(knee_find(times, 1024, &knee));
    write_at(1024, 1015, 900, 100);
    assert_false(knee_find(times, 1024, &knee));
}

static void few_points_have_none(void **state)
{
    (void)state;
    struct knee knee;
    write_at(MIB_MOST, 10, 900, 100);
    assert_false(knee_find(times, KNEE_MIB_LEAST - 1, &knee));
    assert_true(knee_find(times, KNEE_MIB_LEAST, &knee));
    assert_int_equal(knee.mib, 10);
    assert_false(knee_find(NULL, 0, &knee));
}

// Documents may hold anything.
static void times_that_do_not_rise_have_none(void **state)
{
    (void)state;
    struct knee knee;
    for (size_t i = 0; i < 100; i++)
        times[i] = 5000;
    assert_false(knee_find(times, 100, &knee));
    for (size_t i = 0; i < 100; i++)
        times[i] = UINT64_MAX - i * (UINT64_MAX / 200);
    assert_false(knee_find(times, 100, &knee));
}

// A long write, whose times are large numbers, is told as well as a short one.
static void keeps_its_digits(void **state)
{
    (void)state;
    struct knee knee;
    write_at(MIB_MOST, 2000, 1.5, 0.5); // more than an hour
    assert_true(knee_find(times, MIB_MOST, &knee));
    assert_in_range(knee.mib, 1980, 2020);
    assert_near(knee.before, 1.5, 0.01);
    assert_near(knee.after, 0.5, 0.001);
}

int test_knee(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_vector),
        cmocka_unit_test(finds_a_rise_too),
        cmocka_unit_test(finds_none_at_the_ends),
        cmocka_unit_test(few_points_have_none),
        cmocka_unit_test(times_that_do_not_rise_have_none),
        cmocka_unit_test(keeps_its_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
