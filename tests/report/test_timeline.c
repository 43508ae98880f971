#include "report/timeline.h"

#include "report/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_timeline(int argc, char *argv[]);

static struct interval interval(uint64_t start_ms, uint64_t end_ms, uint64_t ops)
{
    return (struct interval){
        .start_ns = start_ms * 1000000, .end_ns = end_ms * 1000000, .ops = ops, .bytes = ops * 1000000};
}

static void put_series(struct sample *sample, const struct interval *intervals, size_t count)
{
    sample->series = xcalloc(count, sizeof *intervals);
    memcpy(sample->series, intervals, count * sizeof *intervals);
    sample->series_length = count;
}

static void rounds_are_joined_end_to_end(void **state)
{
    (void)state;
    struct run run;
    struct timeline timeline;
    fixture_begin(&run, "create,seq-write-1", 3);
    // Stored out of order; round 0, the other tier, what failed and follow-ups aren't drawn.
    put_series(fixture_add(&run, 0, 0, 2, 3000000000), (struct interval[]){interval(0, 3000, 30)}, 1);
    put_series(fixture_add(&run, 0, 0, 1, 1000000000), (struct interval[]){interval(0, 1000, 100)}, 1);
    put_series(fixture_add(&run, 0, 0, 0, 1000000000), (struct interval[]){interval(0, 9000, 900)}, 1);
    put_series(fixture_add(&run, 0, 1, 1, 1000000000), (struct interval[]){interval(0, 9000, 900)}, 1);
    fixture_add_other(&run, 0, 0, 3, SAMPLE_FAILED, SKIP_NONE);
    fixture_add(&run, 0, 0, 1, 7000000000)->block = 2;
    assert_true(timeline_make(&timeline, &run, 0, 0));
    assert_int_equal(timeline.total_ns, 4000000000);
    assert_int_equal(timeline.section_count, 2);
    assert_int_equal(timeline.sections[0].round, 1);
    assert_int_equal(timeline.sections[1].round, 2);
    assert_float_equal(timeline.sections[1].begins, 0.25, 1e-12);
    assert_float_equal(timeline.highest[0], 100, 1e-9);
    assert_float_equal(timeline.highest[TIMELINE_COLUMNS - 1], 10, 1e-9);
    assert_float_equal(timeline.most, 100, 1e-9);
    assert_float_equal(timeline.least, 10, 1e-9);
    timeline_release(&timeline);
    assert_false(timeline_make(&timeline, &run, 1, 0));
    assert_int_equal(timeline.columns, 0);
    timeline_release(&timeline);
    run_release(&run);
}

static void a_column_keeps_its_highest_and_lowest(void **state)
{
    (void)state;
    enum { COUNT = 10 * TIMELINE_COLUMNS };
    struct run run;
    struct timeline timeline;
    fixture_begin(&run, "create", 1);
    struct interval *intervals = xcalloc(COUNT, sizeof *intervals);
    for (uint64_t i = 0; i < COUNT; i++)
        intervals[i] = interval(i * 10, i * 10 + 10, i == 2005 ? 99 : i == 1005 ? 0 : 5);
    put_series(fixture_add(&run, 0, 0, 1, 1000000000), intervals, COUNT);
    assert_true(timeline_make(&timeline, &run, 0, 0));
    assert_float_equal(timeline.highest[200], 9900, 1e-6);
    assert_float_equal(timeline.lowest[200], 500, 1e-6);
    assert_float_equal(timeline.highest[100], 500, 1e-6);
    assert_float_equal(timeline.lowest[100], 0, 1e-6);
    assert_float_equal(timeline.least, 500, 1e-6); // of those above 0
    timeline_release(&timeline);
    free(intervals);
    run_release(&run);
}

static void without_intervals_a_sample_is_one(void **state)
{
    (void)state;
    struct run run;
    struct timeline timeline;
    fixture_begin(&run, "seq-write-1", 1);
    fixture_add(&run, 0, 0, 1, 500000000);
    assert_true(timeline_make(&timeline, &run, 0, 0));
    assert_float_equal(timeline.highest[7], 1.048576 / 0.5, 1e-9); // MB, not MiB
    assert_float_equal(timeline.typical, 1.048576 / 0.5, 1e-9);
    timeline_release(&timeline);
    run_release(&run);
}

static void absurd_times_stay_in_the_plot(void **state)
{
    (void)state;
    struct run run;
    struct timeline timeline;
    fixture_begin(&run, "create", 2);
    put_series(fixture_add(&run, 0, 0, 1, UINT64_C(1) << 52),
               (struct interval[]){{.end_ns = 0, .ops = 3}, {.end_ns = UINT64_C(1) << 52, .ops = UINT64_MAX}},
               2);
    put_series(fixture_add(&run, 0, 0, 2, 1), (struct interval[]){{.end_ns = 1, .ops = 1}}, 1);
    assert_true(timeline_make(&timeline, &run, 0, 0));
    for (size_t i = 0; i < timeline.columns; i++)
        assert_true(isfinite(timeline.highest[i]) && isfinite(timeline.lowest[i]));
    timeline_release(&timeline);
    run_release(&run);
}

static void both_tiers_share_an_axis(void **state)
{
    (void)state;
    struct run run;
    struct spread spreads[RUN_TIERS_MOST] = {0};
    fixture_begin(&run, "create", 1);
    assert_false(spreads_make(spreads, &run, 0));
    fixture_histogram(&fixture_add(&run, 0, 0, 1, 1000)->latency[PHASE_OP], 2000000, 1);
    fixture_histogram(&fixture_add(&run, 0, 1, 1, 1000)->latency[PHASE_OP], 3000, 4);
    fixture_histogram(&fixture_add(&run, 0, 1, 0, 1000)->latency[PHASE_OP], 1, 9); // round 0
    assert_true(spreads_make(spreads, &run, 0));
    for (unsigned tier = 0; tier < 2; tier++) {
        double sum = 0;
        assert_int_equal(spreads[tier].least, 3);
        assert_int_equal(spreads[tier].most, 7);
        assert_int_equal(spreads[tier].bins, 4 * SPREAD_BINS);
        for (size_t bin = 0; bin < spreads[tier].bins; bin++)
            sum += spreads[tier].shares[bin];
        assert_float_equal(sum, 1, 1e-12);
    }
    assert_int_equal(spreads[0].count, 1);
    assert_int_equal(spreads[1].count, 4);
    assert_int_equal(spreads[0].min_ns, 2000000);
    assert_int_equal(spreads[1].max_ns, 3180);
    assert_float_equal(spreads[0].shares[3 * SPREAD_BINS + 7], 1, 1e-12); // 24 * lg 2 is 7.2
    run_release(&run);
}

int test_timeline(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_joined_end_to_end),
        cmocka_unit_test(a_column_keeps_its_highest_and_lowest),
        cmocka_unit_test(without_intervals_a_sample_is_one),
        cmocka_unit_test(absurd_times_stay_in_the_plot),
        cmocka_unit_test(both_tiers_share_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
