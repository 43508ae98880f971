#include "engine/calibrate.h"

#include "base/units.h"
#include "engine/rig.h"

int test_calibrate(int argc, char *argv[]);

static bool never(void *argument)
{
    (void)argument;
    return false;
}

// Says so from the `left`th question on.
static bool after_some(void *argument)
{
    unsigned *left = argument;
    return (*left)-- == 0;
}

static void reading_the_clock_costs_something(void **state)
{
    (void)state;
    struct calibration calibration = {0};
    calibrate_clock(&calibration);
    assert_true(calibration.clock_read_ns.known);
    assert_true(calibration.clock_step_ns.known);
    assert_true(calibration.clock_step_ns.value > 0);
}

static void stamping_costs_something(void **state)
{
    (void)state;
    struct calibration calibration = {0};
    calibrate_stamps(&calibration);
    assert_true(calibration.stamp_ns.known && calibration.stamp_ns.value > 0);
    assert_true(calibration.check_stamp_ns.known && calibration.check_stamp_ns.value > 0);
}

static void calibrate(const struct plan_request *request, bool (*stopping)(void *), void *argument,
                      struct plan *plan, struct calibration *calibration)
{
    struct error error;
    *calibration = (struct calibration){0};
    if (!plan_make(request, plan, &error))
        fail_msg("%s", error.text);
    // The tier is a real one, of which nothing may be touched.
    struct target target = {.dirfd = -1, .calls = &io_psync};
    struct tier tier;
    if (!tier_open(&tier, &(struct tier_setup){.target = &target, .plan = plan, .nonce = 1}, &error))
        fail_msg("%s", error.text);
    calibrate_workloads(&tier, plan, calibration, stopping, argument);
    assert_ptr_equal(tier.io.calls, &io_psync);
    assert_false(tier.null);
    assert_int_equal(tier.trees.count, 0);
    assert_int_equal(tier.files.threads, 0);
    assert_null(tier_failure(&tier));
    tier_close(&tier);
}

static void assert_all_known(const struct plan *plan, const struct calibration *calibration)
{
    for (size_t i = 0; i < plan->workload_count; i++) {
        if (plan->workloads[i].follow_up) { // it may never be measured
            assert_false(calibration->overhead[i].wall_ns.known);
            continue;
        }
        if (!calibration->overhead[i].wall_ns.known || calibration->overhead[i].wall_ns.value == 0)
            fail_msg("%s: %s", plan->profile, plan->workloads[i].id);
        assert_int_equal(calibration->overhead[i].ops, workload_ops(&plan->workloads[i]));
    }
}

static void every_workload_of_every_profile(void **state)
{
    (void)state;
    for (size_t i = 0; profiles[i].id; i++) {
        struct plan plan;
        struct calibration calibration;
        calibrate(&(struct plan_request){.profile = profiles[i].id}, never, NULL, &plan, &calibration);
        assert_all_known(&plan, &calibration);
        plan_release(&plan);
    }
}

static void every_kind_of_workload(void **state)
{
    (void)state;
    struct text ids = {0};
    for (enum workload_kind kind = 0; kind < WORKLOAD_KINDS; kind++)
        text_printf(&ids, "%s%s", kind > 0 ? "," : "", workload_descriptions[kind].id);
    struct plan_request request = rig_request();
    request.workloads = text_string(&ids);
    struct plan plan;
    struct calibration calibration;
    calibrate(&request, never, NULL, &plan, &calibration);
    assert_true(plan.workload_count >= WORKLOAD_KINDS);
    assert_all_known(&plan, &calibration);
    plan_release(&plan);
    text_free(&ids);
}

static void with_threads(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    request.threads[0] = 1;
    request.threads[1] = 3;
    request.thread_count = 2;
    struct plan plan;
    struct calibration calibration;
    calibrate(&request, never, NULL, &plan, &calibration);
    assert_all_known(&plan, &calibration);
    plan_release(&plan);
}

static void of_a_very_large_file_the_beginning_is_enough(void **state)
{
    (void)state;
    struct plan_request request = {.workloads = "seq-write",
                                   .sizes = {UINT64_C(1) << 40},
                                   .size_count = 1,
                                   .threads = {3},
                                   .thread_count = 1};
    struct plan plan;
    struct calibration calibration;
    calibrate(&request, never, NULL, &plan, &calibration);
    assert_true(calibration.overhead[0].wall_ns.known);
    assert_in_range(calibration.overhead[0].ops, 1, 1024);
    plan_release(&plan);
}

static void it_ends_when_asked(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    struct plan plan;
    struct calibration calibration;
    unsigned left = 0;
    calibrate(&request, after_some, &left, &plan, &calibration);
    assert_false(calibration.overhead[0].wall_ns.known);
    plan_release(&plan);
    left = 1;
    calibrate(&request, after_some, &left, &plan, &calibration);
    assert_true(calibration.overhead[0].wall_ns.known);
    assert_false(calibration.overhead[1].wall_ns.known);
    plan_release(&plan);
}

int test_calibrate(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_the_clock_costs_something),
        cmocka_unit_test(stamping_costs_something),
        cmocka_unit_test(every_workload_of_every_profile),
        cmocka_unit_test(every_kind_of_workload),
        cmocka_unit_test(with_threads),
        cmocka_unit_test(of_a_very_large_file_the_beginning_is_enough),
        cmocka_unit_test(it_ends_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
