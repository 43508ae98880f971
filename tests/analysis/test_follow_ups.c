// What is asked for once more, and what isn't.
#include "analysis/fixture.h"
#include "analysis/follow_ups.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_follow_ups(int argc, char *argv[]);

#define SECOND UINT64_C(1000000000)

static struct follow_up list[FOLLOW_UPS_MOST];

static void set_type(struct run *run, unsigned tier, const char *type)
{
    free(run->tiers[tier].mount.type);
    run->tiers[tier].mount.type = xstrdup(type);
}

static void expect_one(const struct run *run, const char *workload, unsigned tier, unsigned rounds,
                       uint64_t idle_ns, const char *why)
{
    assert_int_equal(follow_ups_wanted(run, list), 1);
    assert_string_equal(run->plan.workloads[list[0].workload].id, workload);
    assert_int_equal(list[0].tier, tier);
    assert_int_equal(list[0].rounds, rounds);
    assert_int_equal(list[0].idle_ns, idle_ns);
    assert_string_equal(list[0].why, why);
}

// A sample of the follow-up, that is ok or not.
static void answer(struct run *run, enum sample_status status)
{
    struct sample *sample = fixture_add(run, list[0].workload, list[0].tier, 1, SECOND);
    sample->block = 2;
    sample->status = status;
}

static void nothing_is_asked_of_a_plain_run(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,walk,delete,seq-write,seq-read", 6);
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    static const double values[] = {100, 104, 98, 101, 99, 102};
    for (size_t i = 0; i < run.plan.workload_count; i++)
        for (unsigned tier = 0; tier < 2 && !run.plan.workloads[i].follow_up; tier++)
            fixture_add_values(&run, i, tier, values, 6);
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    run_release(&run);
}

static void a_first_round_that_stands_apart_is_looked_at_again(void **state)
{
    (void)state;
    static const enum sample_status answers[] = {SAMPLE_OK, SAMPLE_FAILED, SAMPLE_SKIPPED};
    for (size_t i = 0; i < 3; i++) {
        struct run run;
        fixture_begin(&run, "seq-write-64", 5);
        size_t write = fixture_find(&run, "seq-write-64");
        fixture_add_values(&run, write, 0, (double[]){28.6, 306, 320, 340, 351}, 5);
        fixture_add_values(&run, write, 1, (double[]){300, 306, 320, 340, 351}, 5);
        expect_one(&run, "seq-write-64", 0, 5, 20 * SECOND, "first-round-differs");
        answer(&run, answers[i]);
        assert_int_equal(follow_ups_wanted(&run, list), 0);
        run_release(&run);
    }
}

static void after_a_round_0_it_is_no_first_use(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "walk", 5);
    size_t walk = fixture_find(&run, "walk");
    fixture_add_values(&run, walk, 0, (double[]){700, 300, 280, 310, 320}, 5);
    expect_one(&run, "walk", 0, 5, 20 * SECOND, "first-round-differs");
    fixture_add(&run, walk, 0, 0, 900000000);
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    run_release(&run);
}

static void a_long_run_asks_for_no_more_than_is_measured(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "walk", 100);
    size_t walk = fixture_find(&run, "walk");
    for (unsigned round = 1; round <= 100; round++)
        fixture_add(&run, walk, 1, round, round == 1 ? 50000000 : 5000000 + round * 100);
    expect_one(&run, "walk", 1, FOLLOW_UP_ROUNDS_MOST, 20 * SECOND, "first-round-differs");
    run_release(&run);
}

static void a_direct_read_that_beats_the_cache_asks_for_the_small_block(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-read-reopened,seq-read-direct-1m", 6);
    static const double buffered[] = {15.4, 15.5, 15.3, 15.4, 15.4, 15.4};
    static const double direct[] = {107, 106, 108, 107, 107, 107};
    fixture_add_values(&run, fixture_find(&run, "seq-read-reopened"), 0, buffered, 6);
    fixture_add_values(&run, fixture_find(&run, "seq-read-direct-1m"), 0, direct, 6);
    expect_one(&run, "seq-read-direct-128k", 0, 3, 0, "direct-beats-cached");
    // Also where the times a request are alike: that is a hint.
    run.tiers[0].device.read_ahead_bytes = known_count(128 * KIB);
    expect_one(&run, "seq-read-direct-128k", 0, 3, 0, "direct-beats-cached");
    answer(&run, SAMPLE_OK);
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    run_release(&run);

    // What the rounds have isn't asked for.
    fixture_begin(&run, "seq-read-reopened,seq-read-direct-1m,seq-read-direct-128k", 6);
    fixture_add_values(&run, fixture_find(&run, "seq-read-reopened"), 0, buffered, 6);
    fixture_add_values(&run, fixture_find(&run, "seq-read-direct-1m"), 0, direct, 6);
    fixture_add_values(&run, fixture_find(&run, "seq-read-direct-128k"), 0, buffered, 6);
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    run_release(&run);
}

static void a_walk_is_looked_at_later_on_remote_disks_alone(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "walk", 2);
    size_t walk = fixture_find(&run, "walk");
    set_type(&run, 0, "fuse.orlop");
    set_type(&run, 1, "ext4");
    for (unsigned tier = 0; tier < 2; tier++)
        fixture_add_values(&run, walk, tier, (double[]){4.3, 4.1}, 2);
    expect_one(&run, "walk-later", 0, 2, 0, "walk-cache-window");
    run.plan.no_follow_up = true;
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    run_release(&run);
}

static void a_buffer_that_is_not_outrun_asks_for_a_larger_size(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        double mib_a_second; // a lying fsync, and an honest one (design: measuring, E2)
        double honoured;
    } sizes[] = {{"seq-write-64", 540, 91}, {"seq-write-256", 775, 96}, {"seq-write-1024", 125.6, 96}};
    struct run run;
    fixture_begin(&run, "seq-write-64,seq-write-256,seq-write-1024", 3);
    for (size_t i = 0; i < 3; i++) {
        size_t workload = fixture_find(&run, sizes[i].id);
        double mib = (double)(run.plan.workloads[workload].bytes / MIB);
        for (unsigned round = 1; round <= 3; round++) {
            fixture_add(&run, workload, 0, round, (uint64_t)(mib / sizes[i].honoured * 1e9));
            fixture_add(&run, workload, 1, round, (uint64_t)(mib / sizes[i].mib_a_second * 1e9));
        }
    }
    expect_one(&run, "seq-write-2048", 1, 3, 0, "buffer-not-outrun");
    answer(&run, SAMPLE_OK);
    assert_int_equal(follow_ups_wanted(&run, list), 0);
    run_release(&run);
}

static void the_list_has_an_end(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run,
                          "create,walk,read-tree,rename,delete,commit,rand-read,rand-write,seq-read-cold", 5,
                          (uint64_t[]){1, 2, 4, 8, 16, 0});
    size_t asked = 0;
    for (size_t i = 0; i < run.plan.workload_count; i++)
        for (unsigned tier = 0; tier < 2 && !run.plan.workloads[i].follow_up; tier++, asked++)
            for (unsigned round = 1; round <= 5; round++)
                fixture_add(&run, i, tier, round, round == 1 ? 10 * SECOND : SECOND + round);
    assert_true(asked > FOLLOW_UPS_MOST);
    assert_int_equal(follow_ups_wanted(&run, list), FOLLOW_UPS_MOST);
    run_release(&run);
}

int test_follow_ups(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_asked_of_a_plain_run),
        cmocka_unit_test(a_first_round_that_stands_apart_is_looked_at_again),
        cmocka_unit_test(after_a_round_0_it_is_no_first_use),
        cmocka_unit_test(a_long_run_asks_for_no_more_than_is_measured),
        cmocka_unit_test(a_direct_read_that_beats_the_cache_asks_for_the_small_block),
        cmocka_unit_test(a_walk_is_looked_at_later_on_remote_disks_alone),
        cmocka_unit_test(a_buffer_that_is_not_outrun_asks_for_a_larger_size),
        cmocka_unit_test(the_list_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
