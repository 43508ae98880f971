#include "stats/lane.h"
#include "stats/snapshot.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_lane(int argc, char *argv[]);

enum { LANES = 3, RECORDS = 200000 };
#define KEPT ((1u << PHASE_OP) | (1u << PHASE_FSYNC))

static struct lane lanes[LANES];

static void keeps_only_what_was_asked(void **state)
{
    (void)state;
    lane_init(&lanes[0], KEPT);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        assert_int_equal(lanes[0].phases[phase].counts != NULL, (KEPT >> phase) & 1);
    lane_release(&lanes[0]);
    lane_release(&lanes[0]); // again does no harm
}

static void a_snapshot_adds_up_all_lanes(void **state)
{
    (void)state;
    for (size_t i = 0; i < LANES; i++)
        lane_init(&lanes[i], KEPT);
    struct snapshot snapshot;
    snapshot_init(&snapshot, KEPT);

    snapshot_take(&snapshot, lanes, LANES);
    assert_int_equal(snapshot.ops, 0);
    assert_int_equal(histogram_percentile(&snapshot.histograms[PHASE_OP], 500), 0);

    lane_record(&lanes[0], PHASE_OP, 100);
    lane_record(&lanes[2], PHASE_OP, 9000);
    lane_record(&lanes[2], PHASE_OP, 0);
    lane_record(&lanes[1], PHASE_FSYNC, 77);
    lane_add_bytes(&lanes[0], 4096);
    lane_add_bytes(&lanes[1], 4096);
    snapshot_take(&snapshot, lanes, LANES);
    assert_int_equal(snapshot.ops, 3);
    assert_int_equal(snapshot.bytes, 8192);
    const struct histogram *op = &snapshot.histograms[PHASE_OP], *fsync = &snapshot.histograms[PHASE_FSYNC];
    assert_int_equal(op->count, 3);
    assert_int_equal(op->sum_ns, 9100);
    assert_int_equal(op->min_ns, 0);
    assert_int_equal(op->max_ns, 9000);
    assert_int_equal(op->counts[histogram_bucket(HISTOGRAM_DIGITS, 9000)], 1);
    assert_int_equal(fsync->count, 1);
    assert_int_equal(fsync->min_ns, 77);

    // The sampler's look leaves the other phases as they were.
    lane_record(&lanes[1], PHASE_FSYNC, 78);
    lane_record(&lanes[1], PHASE_OP, 1);
    snapshot_take_ops(&snapshot, lanes, LANES);
    assert_int_equal(snapshot.ops, 4);
    assert_int_equal(fsync->count, 1);

    // Cleared lanes count from nothing, in a snapshot that was used before.
    for (size_t i = 0; i < LANES; i++)
        lane_clear(&lanes[i]);
    snapshot_take(&snapshot, lanes, LANES);
    assert_int_equal(snapshot.ops, 0);
    assert_int_equal(snapshot.bytes, 0);
    assert_int_equal(op->count + fsync->count + op->sum_ns + op->max_ns, 0);
    assert_true(op->min_ns == UINT64_MAX);

    snapshot_release(&snapshot);
    for (size_t i = 0; i < LANES; i++)
        lane_release(&lanes[i]);
}

// What a reader can see while a worker is between the counters of one record.
static void a_half_made_record_gives_no_garbage(void **state)
{
    (void)state;
    lane_init(&lanes[0], KEPT);
    struct snapshot snapshot;
    snapshot_init(&snapshot, KEPT);
    struct lane_phase *phase = &lanes[0].phases[PHASE_OP];
    const struct histogram *op = &snapshot.histograms[PHASE_OP];

    size_t bucket = histogram_bucket(HISTOGRAM_DIGITS, 1000);
    atomic_store(&phase->counts[bucket], 1); // counted, but neither least nor greatest yet
    snapshot_take(&snapshot, lanes, 1);
    assert_int_equal(op->count, 1);
    assert_int_equal(op->min_ns, histogram_lowest(HISTOGRAM_DIGITS, bucket));
    assert_int_equal(op->max_ns, histogram_highest(HISTOGRAM_DIGITS, bucket));
    uint64_t median = histogram_percentile(op, 500);
    assert_true(median >= op->min_ns && median <= op->max_ns);

    atomic_store(&phase->counts[bucket], 0); // not counted when we looked, but the rest was seen
    atomic_store(&phase->sum_ns, 1000);
    atomic_store(&phase->min_ns, 1000);
    atomic_store(&phase->max_ns, 1000);
    snapshot_take(&snapshot, lanes, 1);
    assert_int_equal(op->count + op->sum_ns + op->max_ns, 0);
    assert_true(op->min_ns == UINT64_MAX);
    snapshot_release(&snapshot);
    lane_release(&lanes[0]);
}

static void *work(void *argument)
{
    struct lane *lane = argument;
    for (uint64_t i = 0; i < RECORDS; i++) {
        lane_record(lane, PHASE_OP, 100 + i % 100000);
        lane_add_bytes(lane, 10);
    }
    return NULL;
}

static void counts_while_others_read(void **state)
{
    (void)state;
    pthread_t workers[LANES];
    for (size_t i = 0; i < LANES; i++)
        lane_init(&lanes[i], KEPT);
    struct snapshot snapshot;
    snapshot_init(&snapshot, KEPT);
    for (size_t i = 0; i < LANES; i++)
        assert_int_equal(pthread_create(&workers[i], NULL, work, &lanes[i]), 0);

    const struct histogram *op = &snapshot.histograms[PHASE_OP];
    uint64_t ops = 0, bytes = 0;
    while (ops < (uint64_t)LANES * RECORDS) {
        snapshot_take_ops(&snapshot, lanes, LANES);
        assert_true(snapshot.ops >= ops && snapshot.bytes >= bytes);
        ops = snapshot.ops;
        bytes = snapshot.bytes;
        uint64_t sum = 0;
        for (size_t bucket = 0; bucket < histogram_buckets(HISTOGRAM_DIGITS); bucket++)
            sum += op->counts[bucket];
        assert_true(sum == op->count && sum == ops);
        if (ops == 0)
            continue;
        uint64_t median = histogram_percentile(op, 500);
        assert_true(op->min_ns <= median && median <= op->max_ns);
        assert_true(op->min_ns >= 100 && op->max_ns < 101000);
    }
    for (size_t i = 0; i < LANES; i++)
        assert_int_equal(pthread_join(workers[i], NULL), 0);
    snapshot_take(&snapshot, lanes, LANES);
    assert_int_equal(snapshot.bytes, (uint64_t)LANES * RECORDS * 10);
    assert_int_equal(op->min_ns, 100);
    assert_int_equal(op->max_ns, 100099);
    snapshot_release(&snapshot);
    for (size_t i = 0; i < LANES; i++)
        lane_release(&lanes[i]);
}

int test_lane(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_only_what_was_asked),
        cmocka_unit_test(a_snapshot_adds_up_all_lanes),
        cmocka_unit_test(a_half_made_record_gives_no_garbage),
        cmocka_unit_test(counts_while_others_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
