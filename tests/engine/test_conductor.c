// test_conductor.c: what a section needs is there, and a run ends or leaves something out when it is asked
// to.
#include "rig.h"

#include "base/units.h"

static void test_trees(void **state)
{
    (void)state;
    static const uint64_t threads[] = {1, 3, 4};
    for (size_t i = 0; i < 3; i++) {
        rig_faults_clear();
        char a[RIG_PATH_SIZE];
        rig_directory(a, "/dev/shm");
        struct plan_request request = {.profile = "quick",
                                       .workloads = "create,walk,delete",
                                       .rounds = 1,
                                       .files = 2000,
                                       .has_file_bytes = true,
                                       .file_bytes = 10,
                                       .threads = threads[i]};
        struct rig rig;
        rig_run(&rig, &request, a, "null:");
        assert_int_equal(rig.run.sample_count, 3 * 2 * 2);
        rig_check_all_ok(&rig);
        const struct sample *delete = rig_sample(&rig, "delete", 0, 1);
        assert_int_equal(delete->latency[PHASE_RMDIR].count, 32 * delete->batches);
        const struct sample *walk = rig_sample(&rig, "walk", 0, 1);
        assert_int_equal(walk->latency[PHASE_OPEN].count, 33 * threads[i] * walk->batches);
        assert_int_equal(walk->latency[PHASE_CLOSE].count, 33 * threads[i] * walk->batches);
        assert_true(walk->latency[PHASE_READDIR].count >= 66 * threads[i] * walk->batches);
        assert_int_equal(rig_entries(a), 0);
        rig_close_all(&rig);
        rmdir(a);
    }
}

// Some workloads need what others would have made: it is made untimed.
static void test_alone(void **state)
{
    (void)state;
    static const char *const workloads[] = {"walk", "delete", "create", "walk,delete", "create,walk"};
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        rig_faults_clear();
        char a[RIG_PATH_SIZE];
        rig_directory(a, "/dev/shm");
        struct plan_request request = rig_request();
        request.workloads = workloads[i];
        request.size_count = 0;
        struct rig rig;
        rig_run(&rig, &request, a, NULL);
        rig_check_all_ok(&rig);
        assert_true(rig.run.sample_count >= 3);
        const struct sample *create = rig_sample(&rig, "create", 0, 2);
        const struct sample *delete = rig_sample(&rig, "delete", 0, 2);
        if (create)
            assert_int_equal(create->verify_blocks, 40 * create->batches);
        if (delete)
            assert_int_equal(delete->verify_blocks, 40 * delete->batches);
        assert_int_equal(rig_entries(a), 0);
        rig_close_all(&rig);
        rmdir(a);
    }
}

static void stop_now(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    struct rig *rig = context;
    struct engine *engine = rig_engine(rig);
    struct engine_look look;
    engine_look(engine, &look);
    assert_true(look.has_call);
    engine_stop(engine);
}

static void skip_now(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    engine_skip(rig_engine(context));
}

static void test_stop(void **state)
{
    (void)state;
    static const struct {
        enum rig_call call;
        uint64_t at;
        const char *workload; // of the last sample; NULL: nothing is left of it
        enum sample_status status;
        uint64_t ops;
    } cases[] = {
        {RIG_CREATE, 10, "create", SAMPLE_STOPPED, 10},
        {RIG_STAT, 20, "walk", SAMPLE_STOPPED, 20},
        {RIG_UNLINK, 30, "delete", SAMPLE_STOPPED, 30},
        {RIG_OPEN_READ, 5, "walk", SAMPLE_OK, 40}, // while it is read back before its delete
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_faults_clear();
        char a[RIG_PATH_SIZE];
        rig_directory(a, "/dev/shm");
        struct rig rig;
        struct plan_request request = rig_request();
        rig_open(&rig, &request, a, NULL);
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.hook = stop_now;
        rig_faults.context = &rig;
        rig_start(&rig);
        rig_finish(&rig);
        assert_int_equal(rig.run.status, RUN_STOPPED);
        const struct sample *last = &rig.run.samples[rig.run.sample_count - 1];
        assert_string_equal(rig.run.plan.workloads[last->workload].id, cases[i].workload);
        assert_int_equal(last->status, cases[i].status);
        assert_int_equal(last->ops, cases[i].ops);
        rig_check_sample(&rig, last);
        assert_int_equal(rig_faults.open_files, 0);
        assert_int_equal(rig_entries(a), 0);
        rig_close_all(&rig);
        rmdir(a);
    }
}

static void test_skip(void **state)
{
    (void)state;
    rig_faults_clear();
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    struct rig rig;
    rig_open(&rig, &request, a, "null:");
    rig_faults.call = RIG_STAT;
    rig_faults.from = rig_faults.to = 45; // in round 1
    rig_faults.hook = skip_now;
    rig_faults.context = &rig;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    size_t skipped[2] = {0}, walks[2] = {0};
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        const struct sample *sample = &rig.run.samples[i];
        if (rig.run.plan.workloads[sample->workload].kind != WORKLOAD_WALK) {
            assert_int_equal(sample->status, SAMPLE_OK);
            continue;
        }
        walks[sample->tier]++;
        if (sample->status != SAMPLE_SKIPPED)
            continue;
        skipped[sample->tier]++;
        assert_int_equal(sample->reason, SKIP_USER);
        assert_int_equal(sample->ops, 0);
        assert_int_equal(sample->start_ns, 0);
    }
    assert_int_equal(skipped[0], 1);
    assert_int_equal(skipped[1], 1);
    assert_int_equal(walks[0], 2);
    assert_non_null(rig_sample(&rig, "delete", 0, 2));
    assert_non_null(rig_sample(&rig, "create", 1, 2));
    assert_int_equal(rig_entries(a), 0);
    rig_close_all(&rig);
    rmdir(a);
}

int test_conductor(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
