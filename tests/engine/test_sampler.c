// test_sampler.c: intervals that add up to what the lanes hold.
#include "rig.h"

#include "engine/sampler.h"

static _Atomic uint64_t started_ns;

static void begin(struct sampler *sampler, struct lane *lanes, unsigned tier, uint32_t number)
{
    sampler_begin(sampler, &(struct sampler_section){.tier = tier,
                                                     .number = number,
                                                     .ops_planned = 10,
                                                     .lanes = lanes,
                                                     .lane_count = 2,
                                                     .started_ns = &started_ns});
}

static void test_sections(void **state)
{
    (void)state;
    struct lane lanes[2];
    for (unsigned i = 0; i < 2; i++)
        lane_init(&lanes[i], 1u << PHASE_OP);
    struct sampler sampler = {0};
    struct error error;
    uint64_t origin_ns = clock_monotonic_ns();
    assert_true(sampler_start(&sampler, origin_ns, &error));

    // A section that is over at once gives one interval all the same.
    started_ns = 0;
    begin(&sampler, lanes, 1, 7);
    started_ns = clock_monotonic_ns();
    lane_record(&lanes[0], PHASE_OP, 0);
    lane_record(&lanes[0], PHASE_OP, 1);
    lane_record(&lanes[1], PHASE_OP, 1023);
    lane_record(&lanes[1], PHASE_OP, 1024);
    lane_record(&lanes[1], PHASE_OP, UINT64_MAX);
    lane_add_bytes(&lanes[0], 4096);
    struct interval *intervals;
    size_t length;
    sampler_end(&sampler, &intervals, &length);
    assert_int_equal(length, 1);
    assert_int_equal(intervals[0].start_ns, 0);
    assert_int_equal(intervals[0].ops, 5);
    assert_int_equal(intervals[0].bytes, 4096);
    assert_int_equal(intervals[0].section, 7);
    assert_int_equal(intervals[0].octaves[0], 2);
    assert_int_equal(intervals[0].octaves[9], 1);
    assert_int_equal(intervals[0].octaves[10], 1);
    assert_int_equal(intervals[0].octaves[39], 1);
    free(intervals);
    assert_int_equal(series_length(sampler_series(&sampler, 1)), 1);
    assert_int_equal(series_length(sampler_series(&sampler, 0)), 0);
    assert_int_equal(series_at(sampler_series(&sampler, 1), 0)->start_ns, started_ns - origin_ns);

    struct sampler_section section;
    struct histogram latency;
    histogram_init(&latency, HISTOGRAM_DIGITS);
    uint64_t ops;
    assert_true(sampler_latency(&sampler, 1, &section, &ops, &latency));
    assert_int_equal(ops, 5);
    assert_int_equal(latency.count, 5);
    assert_int_equal(section.number, 7);
    assert_false(sampler_latency(&sampler, 0, &section, &ops, &latency));

    // The next one begins from nothing.
    for (unsigned i = 0; i < 2; i++)
        lane_clear(&lanes[i]);
    started_ns = 0;
    begin(&sampler, lanes, 1, 8);
    assert_true(sampler_latency(&sampler, 1, &section, &ops, &latency));
    assert_int_equal(ops, 0);
    started_ns = clock_monotonic_ns();
    lane_record(&lanes[0], PHASE_OP, 5);
    while (series_length(sampler_series(&sampler, 1)) < 4) // until the thread has looked three times
        clock_sleep_until(clock_monotonic_ns() + NS_PER_MS);
    lane_record(&lanes[1], PHASE_OP, 5);
    sampler_end(&sampler, &intervals, &length);
    assert_true(length >= 4);
    uint64_t total = 0;
    for (size_t i = 0; i < length; i++) {
        total += intervals[i].ops;
        assert_int_equal(intervals[i].section, 8);
        if (i > 0)
            assert_int_equal(intervals[i].start_ns, intervals[i - 1].end_ns);
    }
    assert_int_equal(total, 2);
    free(intervals);

    // One whose workers never began gives none.
    started_ns = 0;
    begin(&sampler, lanes, 0, 9);
    sampler_end(&sampler, &intervals, &length);
    assert_int_equal(length, 0);
    assert_null(intervals);

    histogram_release(&latency);
    sampler_stop(&sampler);
    sampler_stop(&sampler);
    for (unsigned i = 0; i < 2; i++)
        lane_release(&lanes[i]);
}

// What is done between two batches has no time in the section: intervals join, and say nothing of it.
static void test_held(void **state)
{
    (void)state;
    struct lane lanes[2];
    for (unsigned i = 0; i < 2; i++)
        lane_init(&lanes[i], 1u << PHASE_OP);
    struct sampler sampler = {0};
    struct error error;
    assert_true(sampler_start(&sampler, clock_monotonic_ns(), &error));
    started_ns = 0;
    begin(&sampler, lanes, 0, 3);
    sampler_hold(&sampler); // before its first batch a section has no time at all
    sampler_resume(&sampler);
    started_ns = clock_monotonic_ns();
    lane_record(&lanes[0], PHASE_OP, 5);
    sampler_hold(&sampler);
    size_t length_then = series_length(sampler_series(&sampler, 0));
    assert_int_equal(length_then, 1); // what was done until then is to be seen
    sampler_hold(&sampler);
    uint64_t held_ns = clock_monotonic_ns();
    clock_sleep_until(held_ns + 3 * SAMPLER_PERIOD_MS * (uint64_t)NS_PER_MS);
    held_ns = clock_monotonic_ns() - held_ns;
    assert_int_equal(series_length(sampler_series(&sampler, 0)), length_then);
    sampler_resume(&sampler);
    sampler_resume(&sampler);
    lane_record(&lanes[1], PHASE_OP, 5);
    struct interval *intervals;
    size_t length;
    sampler_end(&sampler, &intervals, &length);
    uint64_t all_ns = clock_monotonic_ns() - started_ns;
    assert_true(length >= 2);
    uint64_t ops = 0;
    for (size_t i = 0; i < length; i++) {
        ops += intervals[i].ops;
        if (i > 0)
            assert_int_equal(intervals[i].start_ns, intervals[i - 1].end_ns);
    }
    assert_int_equal(ops, 2);
    assert_true(intervals[length - 1].end_ns <= all_ns - held_ns);
    free(intervals);
    sampler_stop(&sampler);
    for (unsigned i = 0; i < 2; i++)
        lane_release(&lanes[i]);
}

int test_sampler(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sections), cmocka_unit_test(test_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
