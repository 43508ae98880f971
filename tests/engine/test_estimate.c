// test_estimate.c: time left from what was seen, and nothing from what wasn't.
#include "rig.h"

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
    // create was seen on both tiers, walk nowhere.
    estimate_section(&setting.estimate, 0, NS_PER_S);
    estimate_section(&setting.estimate, 1, NS_PER_S);
    now = estimate_now(&setting.estimate, 2, 0);
    assert_false(now.has_remaining);
    assert_true(now.fraction > 0 && now.fraction < 1);
    tear_down(&setting);
}

static void test_sums(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "create", 2); // rounds 0 to 3 on two tiers: 8 sections
    assert_int_equal(setting.schedule.length, 8);
    estimate_section(&setting.estimate, 0, 3 * UINT64_C(1000000000)); // tier A
    struct estimated now = estimate_now(&setting.estimate, 1, 0);
    assert_true(now.has_remaining); // B is taken to be like A until it is seen
    assert_int_equal(now.remaining_ns, 7 * UINT64_C(3000000000));
    estimate_section(&setting.estimate, 1, NS_PER_S); // tier B
    now = estimate_now(&setting.estimate, 2, 0);
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
    assert_int_equal(now.remaining_ns, 3 * UINT64_C(1000000000) + 3 * UINT64_C(4000000000));
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

int test_estimate(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_go_by), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_other_size),       cmocka_unit_test(test_present_section),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
