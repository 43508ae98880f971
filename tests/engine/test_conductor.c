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
                                       .threads = {threads[i]},
                                       .thread_count = 1};
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
        {RIG_OPEN_FILE, 5, "walk", SAMPLE_OK, 40},        // while it is read back before its delete
        {RIG_SYNCFS, 3, "create", SAMPLE_OK, 40},         // while it waits before the walk
        {RIG_MAKE_DIRECTORY, 2, "delete", SAMPLE_OK, 40}, // while it makes a tree of round 1
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

// Whatever goes on at the moment, a workload that is left out is noted as that, and all others are done.
static void test_skip_at_any_moment(void **state)
{
    (void)state;
    static const struct {
        enum rig_call call;
        uint64_t at;
        const char *workload;
        size_t measured; // of its samples, before
    } cases[] = {
        {RIG_MAKE_DIRECTORY, 1, "create", 0}, // while its first tree is made
        {RIG_SYNCFS, 1, "create", 0},         // while others' data is waited for
        {RIG_WRITE, 7, "create", 0},          // in the middle
        {RIG_SYNCFS, 2, "create", 1},         // in its closing sync, when all is done
        {RIG_SYNCFS, 3, "walk", 0},
        {RIG_OPEN_FILE, 3, "delete", 0}, // while create's files are read back
        {RIG_SYNCFS, 4, "delete", 0},
        {RIG_UNLINK, 40, "delete", 1},    // the last of its first files
        {RIG_FSYNC, 1, "seq-write-2", 1}, // when all of it is written
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_faults_clear();
        char a[RIG_PATH_SIZE];
        rig_directory(a, "/dev/shm");
        struct plan_request request = rig_request();
        struct rig rig;
        rig_open(&rig, &request, a, NULL);
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.hook = skip_now;
        rig_faults.context = &rig;
        rig_start(&rig);
        rig_finish(&rig);
        assert_int_equal(rig.run.status, RUN_COMPLETE);
        size_t skipped = 0, measured = 0;
        for (size_t j = 0; j < rig.run.sample_count; j++) {
            const struct sample *sample = &rig.run.samples[j];
            bool its = !strcmp(rig.run.plan.workloads[sample->workload].id, cases[i].workload);
            if (its && sample->status == SAMPLE_SKIPPED) {
                skipped++;
                continue;
            }
            measured += its;
            assert_int_equal(sample->status, SAMPLE_OK);
            rig_check_sample(&rig, sample);
        }
        assert_int_equal(skipped, 1);
        assert_true(measured <= cases[i].measured);
        assert_int_equal(rig.run.sample_count, 9 + 1 + measured);
        assert_int_equal(rig_faults.open_files, 0);
        assert_int_equal(rig_entries(a), 0);
        rig_close_all(&rig);
        rmdir(a);
    }
}

// When the run ends, nobody goes on removing trees one by one.
static void test_stop_while_removing(void **state)
{
    (void)state;
    rig_faults_clear();
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.files = 1200;
    struct rig rig;
    struct tier tier;
    rig_open_one(&rig, &tier, &request, a);
    const struct workload *create = &rig.run.plan.workloads[0];
    assert_true(trees_fill(&tier, create, 3, 1));
    assert_true(trees_remove(&tier, 2));
    assert_int_equal(faccessat(tier.scratch.dirfd, "t002", F_OK, 0), -1);
    assert_int_equal(faccessat(tier.scratch.dirfd, "t001/d31/f00001199", F_OK, 0), 0);
    crew_dismiss(&tier.crew);
    assert_false(trees_remove(&tier, 0));
    assert_null(tier_failure(&tier)); // that is no fault of the disk
    assert_int_equal(faccessat(tier.scratch.dirfd, "t000/d00/f00000000", F_OK, 0), 0);
    rig_close_one(&rig, &tier);
    assert_int_equal(rig_entries(a), 0);
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
        cmocka_unit_test(test_skip_at_any_moment),
        cmocka_unit_test(test_stop_while_removing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
