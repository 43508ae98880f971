#include "fixture.h"
#include "tui/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void add(struct fixture *fixture, unsigned tier, size_t section, uint64_t ns, uint64_t ops)
{
    struct interval interval = {.start_ns = fixture->now_ns,
                                .end_ns = fixture->now_ns + ns,
                                .ops = ops,
                                .bytes = ops * MIB,
                                .section = (uint32_t)section};
    series_append(fixture->series[tier], &interval);
    fixture->now_ns += ns;
    fixture->duel.tiers[tier].length = series_length(fixture->series[tier]);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6 * fabs(b);
}

// The closing snapshot of a section, 1 ms long with 5 operations, is no 5,000 a second.
static void a_short_end_is_no_peak(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    size_t first = fixture_find(&fixture, "create", 1, 0), second = fixture_find(&fixture, "create", 2, 0);
    add(&fixture, 0, first, 100000000, 10);
    add(&fixture, 0, first, 1000000, 5);
    add(&fixture, 0, second, 1000000, 1); // a section as short as that stands alone
    struct trace trace;
    trace_make(&trace, &fixture.duel, 0, 0);
    assert_int_equal(trace.length, 2);
    assert_true(near(trace.beats[0].amount / trace.beats[0].seconds, 15 / 0.101));
    assert_true(trace.beats[1].begins);
    assert_int_equal(trace.beats[1].round, 2);
    double rate;
    assert_true(trace_rate(&trace, 2, false, &rate));
    assert_true(near(rate, 1000));
    assert_false(trace_rate(&trace, 3, true, &rate));
    trace_release(&trace);
    fixture_close(&fixture);
}

static void only_its_workload_and_what_is_sound(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    add(&fixture, 1, fixture_find(&fixture, "create", 1, 1), 100000000, 10);
    add(&fixture, 1, fixture_find(&fixture, "walk", 1, 1), 100000000, 999);
    add(&fixture, 1, fixture.schedule.length, 100000000, 999);
    add(&fixture, 1, UINT32_MAX, 100000000, 999);
    add(&fixture, 1, fixture_find(&fixture, "create", 1, 1), 0, 7); // no time passed
    struct trace trace;
    trace_make(&trace, &fixture.duel, 1, 0);
    assert_int_equal(trace.length, 1);
    assert_true(near(trace.amount, 10));
    trace_release(&trace);
    // An old length is the frozen picture.
    fixture.duel.tiers[1].length = 0;
    trace_make(&trace, &fixture.duel, 1, 0);
    assert_int_equal(trace.length, 0);
    assert_null(trace.beats);
    trace_make(&trace, &fixture.duel, 1, SIZE_MAX);
    assert_int_equal(trace.length, 0);
    fixture_close(&fixture);
}

static void megabytes_where_the_workload_counts_them(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    size_t section = fixture_find(&fixture, "seq-write-64", 1, 0);
    add(&fixture, 0, section, 500000000, 10);
    struct trace trace;
    trace_make(&trace, &fixture.duel, 0, fixture.schedule.sections[section].workload);
    double rate;
    assert_true(trace_rate(&trace, 1, true, &rate));
    assert_true(near(rate, 10 * 1.048576 / 0.5));
    trace_release(&trace);
    fixture_close(&fixture);
}

// What isn't counted in megabytes is counted in operations, whatever else it moves.
static void operations_where_the_workload_counts_those(void **state)
{
    (void)state;
    static const char *const ids[] = {"read-tree", "rand-read", "commit", "walk-later", "rename"};
    struct fixture fixture;
    fixture_open(&fixture,
                 &(struct fixture_request){.workloads = "walk-later,read-tree,rename,rand-read,commit"});
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        size_t section = fixture_find(&fixture, ids[i], 1, 0);
        add(&fixture, 0, section, 500000000, 10);
        struct trace trace;
        trace_make(&trace, &fixture.duel, 0, fixture.schedule.sections[section].workload);
        double rate = 0;
        assert_true(trace_rate(&trace, 1, true, &rate));
        assert_true(near(rate, 20));
        trace_release(&trace);
    }
    fixture_close(&fixture);
}

// A section of one interval has a whole column; beats are joined until all rounds fit.
static void points_fill_columns(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    size_t first = fixture_find(&fixture, "create", 1, 0), second = fixture_find(&fixture, "create", 2, 0);
    add(&fixture, 0, first, 100000000, 10);
    for (uint64_t i = 1; i <= 5; i++)
        add(&fixture, 0, second, 100000000, i * 10);
    struct trace trace;
    trace_make(&trace, &fixture.duel, 0, 0);
    size_t count;
    struct plot_point *points = trace_points(&trace, 1, 2, &count);
    static const double values[] = {100, 100, 100, 200, 300, 400, 500, 500};
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++)
        assert_true(near(points[i].value, values[i]));
    assert_true(points[0].mark && points[2].mark && !points[1].mark && !points[3].mark);
    assert_int_equal(points[2].round, 2);
    free(points);

    assert_int_equal(trace_grouping(&trace, 8, 2), 1);
    assert_int_equal(trace_grouping(&trace, 7, 2), 2);
    assert_int_equal(trace_grouping(&trace, 4, 2), 5);
    points = trace_points(&trace, 2, 2, &count);
    assert_int_equal(count, 6);
    assert_true(near(points[2].value, 150) && near(points[4].value, 500));
    free(points);
    trace_release(&trace);
    fixture_close(&fixture);
}

static void nothing_gives_no_points(void **state)
{
    (void)state;
    struct trace trace = {0};
    size_t count = 5;
    assert_null(trace_points(&trace, 1, 2, &count));
    assert_int_equal(count, 0);
    assert_int_equal(trace_grouping(&trace, 0, 2), 1);
    trace_release(&trace);
}

int test_trace(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_end_is_no_peak),
        cmocka_unit_test(only_its_workload_and_what_is_sound),
        cmocka_unit_test(megabytes_where_the_workload_counts_them),
        cmocka_unit_test(operations_where_the_workload_counts_those),
        cmocka_unit_test(points_fill_columns),
        cmocka_unit_test(nothing_gives_no_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
