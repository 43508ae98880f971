// test_estimate.c: time left from what was seen, and nothing from what wasn't.
#include "rig.h"

#include "base/rng.h"
#include "base/units.h"
#include "engine/estimate.h"

struct setting {
    struct plan plan;
    struct schedule schedule;
    struct estimate estimate;
};

static void set_up(struct setting *setting, const char *workloads, unsigned tiers)
{
    struct error error;
    struct plan_request request = {.profile = "quick",
                                   .workloads = workloads,
                                   .rounds = 3,
                                   .has_seed = true,
                                   .seed = 1,
                                   .sizes = {64 * MIB, 256 * MIB},
                                   .size_count = strstr(workloads, "seq") ? 2 : 0};
    if (!plan_make(&request, &setting->plan, &error))
        fail_msg("%s", error.text);
    schedule_make(&setting->schedule, &setting->plan, tiers);
    estimate_begin(&setting->estimate, &setting->plan, &setting->schedule);
}

static void tear_down(struct setting *setting)
{
    schedule_release(&setting->schedule);
    plan_release(&setting->plan);
}

static void test_nothing_to_go_by(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create,walk,seq-write", 2);
    struct estimated now = estimate_now(&setting.estimate, 0, 0);
    assert_false(now.has_remaining);
    assert_true(now.fraction == 0);
    estimate_section(&setting.estimate, 0, NS_PER_S);
    assert_false(estimate_now(&setting.estimate, 1, 0).has_remaining); // nothing is known of tier B
    // After the first pair a rough number is there.
    estimate_section(&setting.estimate, 1, NS_PER_S);
    now = estimate_now(&setting.estimate, 2, 0);
    assert_true(now.has_remaining);
    assert_true(now.remaining_ns > 6 * UINT64_C(1000000000)); // what create alone will take
    assert_true(now.fraction > 0 && now.fraction < 1);
    tear_down(&setting);
}

static uint64_t unseen_ns(uint64_t took_ns, const char *workloads)
{
    struct setting setting;
    set_up(&setting, workloads, 1);
    estimate_section(&setting.estimate, 0, took_ns);
    for (unsigned i = 1; i < setting.plan.workload_count; i++)
        estimate_leave_out(&setting.estimate, i == 1 ? 0 : i, 0);
    uint64_t ns = estimate_now(&setting.estimate, 1, 0).remaining_ns;
    tear_down(&setting);
    return ns;
}

// What wasn't seen follows the speed of what was; the bytes of a sequential write less so.
static void test_unseen_workloads(void **state)
{
    (void)state;
    uint64_t quick = unseen_ns(NS_PER_S, "create,delete"),
             slow = unseen_ns(UINT64_C(9960000000), "create,delete");
    assert_in_range(slow, 9 * quick, 10 * quick);
    quick = unseen_ns(NS_PER_S, "create,seq-write");
    slow = unseen_ns(UINT64_C(100) * NS_PER_S, "create,seq-write");
    assert_in_range(slow, 5 * quick, 11 * quick);
    // Whatever was seen, no number runs away.
    assert_true(unseen_ns(1, "create,delete") < UINT64_C(10) * NS_PER_S);
    assert_true(unseen_ns(UINT64_MAX / 4, "create,delete") < UINT64_C(1000000) * NS_PER_S);
}

static void test_sums(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create", 2); // rounds 0 to 3 on two tiers: 8 sections
    assert_int_equal(setting.schedule.length, 8);
    estimate_section(&setting.estimate, 0, 3 * UINT64_C(1000000000)); // tier A
    estimate_section(&setting.estimate, 1, NS_PER_S);                 // tier B
    struct estimated now = estimate_now(&setting.estimate, 2, 0);
    assert_true(now.has_remaining);
    assert_int_equal(now.remaining_ns, 3 * UINT64_C(3000000000) + 3 * UINT64_C(1000000000));
    assert_true(now.fraction > 0.249 && now.fraction < 0.251);
    tear_down(&setting);
}

static void test_other_size(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "seq-write", 1); // 64 in round 0, then 64 and 256 three times
    assert_int_equal(setting.schedule.length, 7);
    estimate_section(&setting.estimate, 0, NS_PER_S);
    struct estimated now = estimate_now(&setting.estimate, 1, 0);
    assert_true(now.has_remaining);
    assert_in_range(now.remaining_ns, 3 * UINT64_C(4700000000), 3 * UINT64_C(5000000000));
    tear_down(&setting);
}

// A section that stalled is soon forgotten, and round 0 as soon as there is a later one.
static void test_stalls(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create", 1); // rounds 0 to 3
    estimate_section(&setting.estimate, 0, UINT64_C(50) * NS_PER_S);
    estimate_section(&setting.estimate, 1, NS_PER_S);
    assert_int_equal(estimate_now(&setting.estimate, 2, 0).remaining_ns, 2 * UINT64_C(1000000000));
    estimate_section(&setting.estimate, 2, UINT64_C(100) * NS_PER_S);
    assert_int_equal(estimate_now(&setting.estimate, 3, 0).remaining_ns, NS_PER_S);
    tear_down(&setting);
}

// The first of its kind that goes on and on raises what is to come while it does, not in one jump at its end.
static void test_rises_meanwhile(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create", 1);
    uint64_t before = estimate_now(&setting.estimate, 0, NS_PER_S).remaining_ns;
    uint64_t later = estimate_now(&setting.estimate, 0, UINT64_C(20) * NS_PER_S).remaining_ns;
    assert_true(before < later);
    estimate_section(&setting.estimate, 0, UINT64_C(20) * NS_PER_S);
    assert_int_equal(estimate_now(&setting.estimate, 1, 0).remaining_ns, later);
    tear_down(&setting);
}

// A whole run on a slow and a quick tier, with noise, a slow first use and two stalls: after the first pair
// the number is there and of the right size, the fraction never goes back, and nothing jumps but by what a
// stall or a workload that was never seen explains.
static void test_whole_run(void **state)
{
    (void)state;
    static const double costs_s[2][5] = {{1.5, 0.1, 2.0, 0.5, 1.6}, {0.2, 0.2, 0.25, 0.15, 0.35}};
    struct setting setting;
    set_up(&setting, "create,walk,delete,seq-write", 2);
    size_t length = setting.schedule.length;
    double took_s[64], after_s = 0;
    struct rng rng;
    rng_seed(&rng, 1);
    for (size_t i = 0; i < length; i++) {
        const struct section *section = &setting.schedule.sections[i];
        took_s[i] =
            costs_s[section->tier][section->workload] * (0.8 + 0.4 * (double)(rng_next(&rng) % 1000) / 1000);
        took_s[i] *= i == 13 || i == 27 ? 10 : 1;
        after_s += took_s[i];
    }
    double fraction = 0, last_s = 0;
    for (size_t i = 0; i < length; i++) {
        for (unsigned quarter = 0; quarter < 4; quarter++) {
            struct estimated now =
                estimate_now(&setting.estimate, i, (uint64_t)(took_s[i] * quarter / 4 * NS_PER_S));
            double left_s = (double)now.remaining_ns / NS_PER_S, really_s = after_s - took_s[i] * quarter / 4;
            assert_int_equal(now.has_remaining, i >= 2);
            assert_true(now.fraction >= fraction && now.fraction < 1);
            fraction = now.fraction;
            if (i < 2)
                continue;
            assert_true(left_s < 6 * really_s + 1 && left_s + 25 > really_s / 6);
            if (i > 2 && setting.schedule.sections[i].round > 0)
                assert_true(left_s < 1.6 * last_s + 1 && left_s > last_s / 1.6 - 1);
            last_s = left_s;
        }
        estimate_section(&setting.estimate, i, (uint64_t)(took_s[i] * NS_PER_S));
        after_s -= took_s[i];
    }
    assert_true(estimate_now(&setting.estimate, length, 0).fraction == 1);
    tear_down(&setting);
}

static void test_present_section(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create", 1);
    estimate_section(&setting.estimate, 0, NS_PER_S);
    assert_int_equal(estimate_now(&setting.estimate, 1, NS_PER_S / 4).remaining_ns, 2750000000);
    // Late: the fraction stays below 1, and nothing goes below 0 or back.
    struct estimated late = estimate_now(&setting.estimate, 3, UINT64_C(100) * NS_PER_S);
    assert_int_equal(late.remaining_ns, 0);
    assert_true(late.fraction < 1);
    struct estimated after = estimate_now(&setting.estimate, 3, UINT64_C(100) * NS_PER_S + 1);
    assert_true(after.fraction >= late.fraction);
    struct estimated done = estimate_now(&setting.estimate, 4, 0);
    assert_true(done.fraction == 1);
    assert_int_equal(done.remaining_ns, 0);
    tear_down(&setting);
}

static void test_left_out(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create,walk", 1);
    estimate_section(&setting.estimate, 0, NS_PER_S);
    estimate_leave_out(&setting.estimate, 1, 0);
    struct estimated now = estimate_now(&setting.estimate, 1, 0);
    assert_true(now.has_remaining);
    assert_int_equal(now.remaining_ns, 3 * UINT64_C(1000000000));
    tear_down(&setting);
}

// A wait that is part of a workload takes as long on any disk, however slow.
static void test_waits(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create,walk-later", 1);
    assert_true(estimate_expect(&setting.estimate, 1) > UINT64_C(1500) * NS_PER_MS);
    estimate_section(&setting.estimate, 0, UINT64_C(50) * NS_PER_S); // 250 times what is nominal
    uint64_t expected_ns = estimate_expect(&setting.estimate, 1);
    assert_true(expected_ns > UINT64_C(3000) * NS_PER_MS); // the stats take longer too,
    assert_true(expected_ns < UINT64_C(6000) * NS_PER_MS); // the wait doesn't
    estimate_section(&setting.estimate, 1, UINT64_C(1600) * NS_PER_MS);
    assert_int_equal(estimate_expect(&setting.estimate, 1), UINT64_C(1600) * NS_PER_MS);
    // A round to come repeats what is short, but waits once.
    assert_true(estimate_expect(&setting.estimate, 3) < UINT64_C(2000) * NS_PER_MS);
    tear_down(&setting);
}

// What stands in for another workload, and isn't needed, takes no time.
static void test_unneeded(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "rand-read", 2);
    assert_int_equal(setting.plan.workload_count, 2);
    assert_true(estimate_expect(&setting.estimate, 2) > 0);
    estimate_leave_out(&setting.estimate, 1, 0);
    estimate_leave_out(&setting.estimate, 1, 1);
    assert_int_equal(estimate_expect(&setting.estimate, 2), 0);
    tear_down(&setting);
}

// The time for which nothing is done before a follow-up is known, and says nothing of its workload.
static void test_follow_ups(void **state)
{
    (void)state;
    static const uint64_t idle_ns = UINT64_C(20) * NS_PER_S;
    struct setting setting;
    set_up(&setting, "create", 1);
    size_t at = setting.schedule.length;
    for (size_t i = 0; i < at; i++)
        estimate_section(&setting.estimate, i, NS_PER_S);
    assert_true(estimate_now(&setting.estimate, at, 0).fraction == 1); // nothing was asked for
    setting.estimate.fraction = 0.5;
    struct follow_up again = {.workload = 0, .rounds = 3, .idle_ns = idle_ns};
    assert_true(schedule_follow_up(&setting.schedule, &again));
    assert_int_equal(estimate_expect(&setting.estimate, at), idle_ns + NS_PER_S);
    assert_int_equal(estimate_expect(&setting.estimate, at + 1), NS_PER_S);
    assert_int_equal(estimate_now(&setting.estimate, at, 0).remaining_ns, idle_ns + 3 * UINT64_C(1000000000));
    assert_int_equal(estimate_now(&setting.estimate, at, idle_ns).remaining_ns, 3 * UINT64_C(1000000000));
    for (size_t i = 0; i < ESTIMATE_LAST; i++)
        estimate_section(&setting.estimate, at, idle_ns + 2 * (uint64_t)NS_PER_S);
    assert_int_equal(estimate_expect(&setting.estimate, at + 1), 2 * UINT64_C(1000000000));
    tear_down(&setting);

    // A workload that no round had: what is expected of it grows with what it takes, not with the idle time.
    set_up(&setting, "walk", 1);
    at = setting.schedule.length;
    for (size_t i = 0; i < at; i++)
        estimate_section(&setting.estimate, i, NS_PER_S);
    again.workload = 1;
    assert_true(schedule_follow_up(&setting.schedule, &again));
    uint64_t expected_ns = estimate_expect(&setting.estimate, at + 1);
    assert_true(expected_ns > UINT64_C(1500) * NS_PER_MS && expected_ns < UINT64_C(10) * NS_PER_S);
    assert_int_equal(estimate_now(&setting.estimate, at, idle_ns).remaining_ns, 3 * expected_ns);
    tear_down(&setting);
}

int test_estimate(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_go_by),
        cmocka_unit_test(test_unseen_workloads),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_rises_meanwhile),
        cmocka_unit_test(test_whole_run),
        cmocka_unit_test(test_other_size),
        cmocka_unit_test(test_present_section),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_unneeded),
        cmocka_unit_test(test_follow_ups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
