// test_omission.c: what a disk can't do, what stands in for it, and rounds that time has no room for.
#include "rig.h"

#include "base/units.h"
#include "engine/omission.h"

struct setting {
    struct run run;
    struct schedule schedule;
    struct estimate estimate;
    struct omission omission;
};

static void set_up(struct setting *setting, const char *workloads, unsigned rounds, uint64_t max_time_ns)
{
    *setting = (struct setting){.run.tier_count = 2};
    struct error error;
    struct plan_request request = {.profile = "quick",
                                   .workloads = workloads,
                                   .rounds = rounds,
                                   .max_time_ns = max_time_ns,
                                   .has_seed = true,
                                   .seed = 7};
    if (!plan_make(&request, &setting->run.plan, &error))
        fail_msg("%s", error.text);
    schedule_make(&setting->schedule, &setting->run.plan, 2);
    estimate_begin(&setting->estimate, &setting->run.plan, &setting->schedule);
}

static void tear_down(struct setting *setting)
{
    schedule_release(&setting->schedule);
    run_release(&setting->run);
}

static size_t index_of(const struct setting *setting, const char *id)
{
    for (size_t i = 0; i < setting->run.plan.workload_count; i++)
        if (!strcmp(setting->run.plan.workloads[i].id, id))
            return i;
    fail_msg("the plan has no %s", id);
    return 0;
}

// What is said of the first section of a workload on a tier.
static bool omitted(const struct setting *setting, const char *id, unsigned tier, enum skip_reason *reason,
                    const char **detail)
{
    size_t workload = index_of(setting, id);
    for (size_t i = 0; i < setting->schedule.length; i++) {
        const struct section *section = &setting->schedule.sections[i];
        if (section->workload == workload && section->tier == tier)
            return omission_of(&setting->omission, &setting->estimate, i, reason, detail);
    }
    fail_msg("no section of %s", id);
    return false;
}

static void test_disks_that_can(void **state)
{
    (void)state;
    struct setting setting;
    enum skip_reason reason;
    const char *detail;
    set_up(&setting, "seq-read,rand-read", 2, 0);
    setting.run.tiers[0].supports.o_direct = known_flag(true); // of the other nothing is known
    omission_by_disks(&setting.omission, &setting.run);
    assert_false(omitted(&setting, "seq-read-cold", 0, &reason, &detail));
    assert_false(omitted(&setting, "seq-read-direct-1m", 1, &reason, &detail));
    assert_false(omitted(&setting, "rand-read", 0, &reason, &detail));
    // Nobody needs what stands in for it, and nothing is said of it.
    assert_true(omitted(&setting, "rand-read-buffered", 0, &reason, &detail));
    assert_int_equal(reason, SKIP_NONE);
    tear_down(&setting);
}

static void test_disks_that_cannot(void **state)
{
    (void)state;
    struct setting setting;
    enum skip_reason reason;
    const char *detail;
    set_up(&setting, "seq-read,rand-read", 2, 0);
    setting.run.tiers[0].supports.o_direct = known_flag(true);
    setting.run.tiers[0].supports.evict = known_flag(true);
    setting.run.tiers[1].supports.o_direct = known_flag(false);
    setting.run.tiers[1].supports.o_direct_why = xstrdup("open: Invalid argument");
    setting.run.tiers[1].supports.evict = known_flag(false);
    omission_by_disks(&setting.omission, &setting.run);
    assert_true(omitted(&setting, "seq-read-direct-128k", 1, &reason, &detail));
    assert_int_equal(reason, SKIP_UNSUPPORTED);
    assert_string_equal(detail, "open: Invalid argument");
    assert_true(omitted(&setting, "seq-read-cold", 1, &reason, &detail));
    assert_string_equal(detail, "its files stay in memory");
    assert_true(omitted(&setting, "rand-read", 1, &reason, &detail));
    assert_int_equal(reason, SKIP_UNSUPPORTED);
    // The disk that can does it; and both do what stands in for it, so that there is a pair.
    assert_false(omitted(&setting, "rand-read", 0, &reason, &detail));
    assert_false(omitted(&setting, "rand-read-buffered", 0, &reason, &detail));
    assert_false(omitted(&setting, "rand-read-buffered", 1, &reason, &detail));
    assert_false(omitted(&setting, "seq-read-reopened", 1, &reason, &detail));
    tear_down(&setting);
}

// Goes through a schedule in which each section takes so long; counts those that are measured, by workload
// and tier. Rounds that are left out must be the same on both.
static uint64_t go_through(struct setting *setting, uint64_t section_ns,
                           unsigned measured[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST])
{
    uint64_t elapsed_ns = 0;
    for (size_t i = 0; i < setting->schedule.length; i++) {
        enum skip_reason reason;
        const char *detail;
        omission_by_time(&setting->omission, &setting->estimate, i, elapsed_ns);
        if (omission_of(&setting->omission, &setting->estimate, i, &reason, &detail)) {
            assert_int_equal(reason, SKIP_TIME);
            continue;
        }
        estimate_section(&setting->estimate, i, section_ns);
        elapsed_ns += section_ns;
        measured[setting->schedule.sections[i].workload][setting->schedule.sections[i].tier]++;
    }
    for (size_t i = 0; i < setting->run.plan.workload_count; i++)
        assert_int_equal(measured[i][0], measured[i][1]);
    return elapsed_ns;
}

static void test_time(void **state)
{
    (void)state;
    struct setting setting;
    // 11 rounds of two workloads and the sweep's 11, on two disks, a second each: 66 s in all.
    unsigned all[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST] = {0};
    set_up(&setting, "create,walk,seq-write-64", 10, UINT64_C(100) * NS_PER_S);
    assert_int_equal(go_through(&setting, NS_PER_S, all), UINT64_C(66) * NS_PER_S);
    tear_down(&setting);

    unsigned some[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST] = {0};
    set_up(&setting, "create,walk,seq-write-64", 10, UINT64_C(30) * NS_PER_S);
    uint64_t took_ns = go_through(&setting, NS_PER_S, some);
    assert_true(took_ns <= UINT64_C(30) * NS_PER_S);
    assert_true(took_ns >= UINT64_C(20) * NS_PER_S); // and makes use of the time
    size_t create = index_of(&setting, "create"), sweep = index_of(&setting, "seq-write-64");
    assert_int_equal(some[create][0], some[index_of(&setting, "walk")][0]);
    assert_in_range(some[create][0], 3, 10);
    assert_in_range(some[sweep][0], 3, 10); // room was left for it
    tear_down(&setting);
}

static void test_no_time_at_all(void **state)
{
    (void)state;
    struct setting setting;
    unsigned measured[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST] = {0};
    set_up(&setting, "create,walk,seq-write-64", 10, NS_PER_S);
    // The pair that is under way is finished, nothing after it.
    assert_int_equal(go_through(&setting, NS_PER_S, measured), 2 * NS_PER_S);
    assert_int_equal(measured[index_of(&setting, "create")][0], 1);
    assert_int_equal(measured[index_of(&setting, "walk")][0], 0);
    tear_down(&setting);
}

// A follow-up is begun only where all of it has room, whatever the rounds left out, and each by itself.
static void test_follow_ups(void **state)
{
    (void)state;
    struct setting setting;
    enum skip_reason reason;
    const char *detail;
    set_up(&setting, "create", 2, UINT64_C(100) * NS_PER_S);
    setting.omission.over[PART_REST] = true; // there was no room for the last round
    size_t at = setting.schedule.length;
    for (size_t i = 0; i < at; i++)
        estimate_section(&setting.estimate, i, NS_PER_S);
    // 20 s idle and 3 rounds of 1 s; and 3 rounds alone.
    const struct follow_up list[] = {{.tier = 0, .rounds = 3, .idle_ns = UINT64_C(20) * NS_PER_S},
                                     {.tier = 1, .rounds = 3}};
    assert_true(schedule_follow_up(&setting.schedule, &list[0]));
    assert_true(schedule_follow_up(&setting.schedule, &list[1]));
    uint64_t elapsed_ns = UINT64_C(78) * NS_PER_S;
    for (size_t i = 0; i < 6; i++) {
        omission_by_time(&setting.omission, &setting.estimate, at + i, elapsed_ns);
        bool omitted = omission_of(&setting.omission, &setting.estimate, at + i, &reason, &detail);
        assert_int_equal(omitted, i < 3);
        assert_int_equal(reason, i < 3 ? SKIP_TIME : SKIP_NONE);
    }
    omission_by_time(&setting.omission, &setting.estimate, at, UINT64_C(76) * NS_PER_S);
    assert_false(omission_of(&setting.omission, &setting.estimate, at, &reason, &detail));
    // Nothing is begun when it is too late after all.
    omission_by_time(&setting.omission, &setting.estimate, at + 1, UINT64_C(100) * NS_PER_S);
    assert_true(omission_of(&setting.omission, &setting.estimate, at + 1, &reason, &detail));
    assert_int_equal(reason, SKIP_TIME);
    tear_down(&setting);
}

int test_omission(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disks_that_can), cmocka_unit_test(test_disks_that_cannot),
        cmocka_unit_test(test_time),           cmocka_unit_test(test_no_time_at_all),
        cmocka_unit_test(test_follow_ups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
