// test_failures.c: whichever call fails, one section fails with its name, and the run goes on.
#include "rig.h"
#include "temp_folder.h"

#include "base/units.h"

struct failing {
    const char *workloads;
    enum rig_call call;
    uint64_t at;
    int number;
    const char *failed; // the workload
    unsigned round;
    const char *error_call;
    const char *path;
};

// Files of one round 0: 40 created, 40 read back, 40 unlinked.
static const struct failing failings[] = {
    {"create,walk,delete", RIG_CREATE, 5, EDQUOT, "create", 0, "openat", "t000/f00000004"},
    {"create,walk,delete", RIG_WRITE, 40, ENOSPC, "create", 0, "write", "t000/f00000039"},
    {"create,walk,delete", RIG_MAKE_DIRECTORY, 1, EROFS, "create", 0, "mkdirat", "t000"},
    {"create,walk,delete", RIG_STAT, 7, EIO, "walk", 0, "fstatat", "t000/f"},
    {"create,walk,delete", RIG_READ_DIRECTORY, 1, EIO, "walk", 0, "getdents", "t000"},
    {"create,walk,delete", RIG_UNLINK, 3, EACCES, "delete", 0, "unlinkat", "t000/f00000002"},
    {"create,walk,delete", RIG_OPEN_FILE, 3, EIO, "create", 0, "openat", "t000/f00000002"},
    {"create,walk,delete", RIG_READ, 3, EIO, "create", 0, "read", "t000/f00000002"},
    {"create,walk,delete", RIG_FSTAT, 3, EIO, "create", 0, "fstatat", "t000/f00000002"},
    // The first syncfs is the drain's.
    {"create,walk,delete", RIG_SYNCFS, 2, EIO, "create", 0, "syncfs", "."},
    {"walk,delete", RIG_CREATE, 5, ENOSPC, "walk", 0, "openat", "t000/f00000004"},
    {"delete", RIG_CREATE, 5, ENOSPC, "delete", 0, "openat", "t000/f00000004"},
    {"seq-write", RIG_CREATE, 1, ENOSPC, "seq-write-2", 0, "openat", "s000-00"},
    {"seq-write", RIG_WRITE, 9, ENOSPC, "seq-write-2", 0, "write", "s000-00"},
    {"seq-write", RIG_FSYNC, 1, ENOSPC, "seq-write-2", 0, "fsync", "s000-00"},
    {"seq-write", RIG_FSYNC, 2, EINVAL, "seq-write-2", 0, "fsync", "."},
    {"seq-write", RIG_CLOSE, 1, EDQUOT, "seq-write-2", 0, "close", "s000-00"},
    {"seq-write", RIG_READ, 2, EIO, "seq-write-2", 0, "read", "s000-00"},
};

static void check_failing(const struct failing *failing)
{
    rig_faults_clear();
    rig_faults.call = failing->call;
    rig_faults.from = rig_faults.to = failing->at;
    rig_faults.number = failing->number;
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.rounds = 1;
    request.workloads = failing->workloads;
    if (!strstr(failing->workloads, "seq"))
        request.size_count = 0;
    struct rig rig;
    rig_run(&rig, &request, a, "null:");
    // A run of which a disk did nothing says nothing.
    assert_int_equal(rig.run.status, rig_in_rounds(&rig) == 1 ? RUN_FAILED : RUN_COMPLETE);

    size_t failed = 0;
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        const struct sample *sample = &rig.run.samples[i];
        rig_check_sample(&rig, sample);
        failed += sample->status == SAMPLE_FAILED;
        if (sample->tier == 1)
            assert_int_equal(sample->status, SAMPLE_OK);
    }
    assert_int_equal(failed, 1);
    const struct sample *sample = rig_sample(&rig, failing->failed, 0, failing->round);
    assert_non_null(sample);
    assert_int_equal(sample->status, SAMPLE_FAILED);
    assert_string_equal(sample->error.call, failing->error_call);
    assert_int_equal(sample->error.number, failing->number);
    assert_memory_equal(sample->error.path, failing->path, strlen(failing->path));
    assert_int_equal(rig_events(&rig, strerror(failing->number)), 1);
    // That workload isn't tried again there; the others are, and the other tier does all.
    assert_null(rig_sample(&rig, failing->failed, 0, failing->round + 1));
    assert_non_null(rig_sample(&rig, failing->failed, 1, 1));
    for (size_t i = 0; i < rig_in_rounds(&rig); i++)
        if (strcmp(rig.run.plan.workloads[i].id, failing->failed))
            assert_non_null(rig_sample(&rig, rig.run.plan.workloads[i].id, 0, 1));
    assert_int_equal(rig_faults.open_files, 0);
    assert_int_equal(rig_entries(a), 0);
    rig_close_all(&rig);
    rmdir(a);
}

static void test_each_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failings / sizeof *failings; i++)
        check_failing(&failings[i]);
}

static struct temp_folder folder;

// ENOSPC is said of bytes and of inodes alike; which it was can be seen only before anything is removed.
static int check_inodes(void)
{
    if (mount("tmpfs", folder.path, "tmpfs", 0, "nr_inodes=30") < 0)
        return 99;
    struct plan_request request = rig_request();
    request.workloads = "create,delete";
    request.rounds = 1;
    request.size_count = 0;
    struct rig rig;
    rig_run(&rig, &request, folder.path, NULL);
    const struct sample *create = rig_sample(&rig, "create", 0, 0);
    const struct sample *delete = rig_sample(&rig, "delete", 0, 0);
    bool right = create->error.number == ENOSPC && delete->error.number == ENOSPC &&
                 rig_events(&rig, "out of inodes") == 2 && rig_entries(folder.path) == 0;
    rig_close_all(&rig);
    return !right;
}

static void test_inodes(void **state)
{
    (void)state;
    rig_faults_clear();
    temp_folder_make(&folder);
    temp_in_own_mounts(&folder, check_inodes);
    temp_folder_remove(&folder);
}

static void test_failed_writes(void **state)
{
    (void)state;
    rig_faults_clear();
    rig_faults.call = RIG_WRITE;
    rig_faults.from = rig_faults.to = 9;
    rig_faults.number = EIO;
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = "seq-write";
    struct rig rig;
    rig_run(&rig, &request, a, NULL);
    const struct sample *sample = rig_sample(&rig, "seq-write-2", 0, 0);
    assert_true(sample->error.has_offset);
    assert_int_equal(sample->error.offset, 8 * 65536);
    assert_int_equal(sample->error.op, 8);
    assert_int_equal(sample->ops, 8);
    assert_int_equal(sample->bytes, 8 * 65536);
    rig_close_all(&rig);

    rig_faults_clear();
    rig_faults.zero_writes = true;
    rig_run(&rig, &request, a, NULL);
    sample = rig_sample(&rig, "seq-write-2", 0, 0);
    assert_int_equal(sample->status, SAMPLE_FAILED);
    assert_string_equal(sample->error.call, "write");
    assert_int_equal(sample->error.number, 0);
    assert_string_equal(sample_error_reason(&sample->error), "nothing was written");
    assert_int_equal(rig.run.status, RUN_FAILED); // the only workload, of all sizes
    rig_close_all(&rig);
    rmdir(a);
}

static void test_short_writes(void **state)
{
    (void)state;
    for (uint64_t threads = 1; threads <= 2; threads++) {
        rig_faults_clear();
        rig_faults.short_writes = true;
        char a[RIG_PATH_SIZE];
        rig_directory(a, "/dev/shm");
        struct plan_request request = rig_request();
        request.threads[0] = threads;
        request.thread_count = 1;
        struct rig rig;
        rig_run(&rig, &request, a, NULL);
        rig_check_all_ok(&rig);
        assert_int_equal(rig_sample(&rig, "create", 0, 1)->verify_mismatches, 0);
        assert_int_equal(rig_sample(&rig, "seq-write-2", 0, 1)->verify_mismatches, 0);
        rig_close_all(&rig);
        rmdir(a);
    }
}

// A disk that is gone: each workload fails there once, by whichever thread, and the run ends by itself.
static void test_threads_fail_together(void **state)
{
    (void)state;
    rig_faults_clear();
    rig_faults.call = RIG_UNLINK;
    rig_faults.from = 10;
    rig_faults.to = UINT64_MAX;
    rig_faults.number = ENOTCONN;
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.threads[0] = 4;
    request.thread_count = 1;
    request.rounds = 1;
    request.files = 2000;
    struct rig rig;
    rig_run(&rig, &request, a, NULL);
    assert_int_equal(rig_sample(&rig, "delete", 0, 0)->status, SAMPLE_FAILED);
    assert_int_equal(rig_sample(&rig, "create", 0, 1)->status, SAMPLE_OK);
    assert_int_equal(rig_entries(a), 0);
    rig_close_all(&rig);
    rmdir(a);
}

// ---- Verification ----

static void test_flipped_bit(void **state)
{
    (void)state;
    static const struct {
        const char *workloads;
        const char *sample;
        const char *path;
        uint64_t offset;
    } cases[] = {
        {"create,walk,delete", "create", "t000/f00000003", 2048},
        {"create,walk", "create", "t000/f00000003", 2048},
        {"delete", "delete", "t000/f00000003", 2048},
        {"seq-write", "seq-write-2", "s000-00", 3 * 511 / 63 * UINT64_C(4096) + 2048},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_faults_clear();
        rig_faults.flip_read = 4;
        char a[RIG_PATH_SIZE];
        rig_directory(a, "/dev/shm");
        struct plan_request request = rig_request();
        request.workloads = cases[i].workloads;
        if (!strstr(cases[i].workloads, "seq"))
            request.size_count = 0;
        struct rig rig;
        rig_run(&rig, &request, a, NULL);
        const struct sample *sample = rig_sample(&rig, cases[i].sample, 0, 0);
        assert_int_equal(sample->status, SAMPLE_FAILED);
        assert_string_equal(sample->error.call, "verify");
        assert_int_equal(sample->error.number, 0);
        assert_string_equal(sample->error.path, cases[i].path);
        assert_true(sample->error.has_offset);
        assert_int_equal(sample->error.offset, cases[i].offset);
        assert_int_equal(sample->verify_mismatches, 1);
        assert_true(sample->verify_blocks >= 40);
        assert_true(rig_events(&rig, cases[i].path));
        assert_int_equal(rig_entries(a), 0);
        rig_close_all(&rig);
        rmdir(a);
    }
}

static void test_verify_full(void **state)
{
    (void)state;
    rig_faults_clear();
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = "seq-write";
    request.verify_full = true;
    struct rig rig;
    rig_run(&rig, &request, a, NULL);
    const struct sample *sample = rig_sample(&rig, "seq-write-2", 0, 1);
    assert_int_equal(sample->verify_blocks, 512 * sample->batches);
    rig_close_all(&rig);
    rmdir(a);
}

// Somebody takes a file away before the walk.
static void remove_one(void *context, int dirfd, const char *name)
{
    (void)context;
    if (!strcmp(name, "t000"))
        assert_int_equal(unlinkat(dirfd, "t000/f00000011", 0), 0);
}

static void test_walk_misses_a_file(void **state)
{
    (void)state;
    rig_faults_clear();
    rig_faults.call = RIG_OPEN_DIRECTORY;
    rig_faults.from = rig_faults.to = 2; // create opens its tree first
    rig_faults.hook = remove_one;
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = "create,walk";
    request.size_count = 0;
    struct rig rig;
    rig_run(&rig, &request, a, NULL);
    const struct sample *sample = rig_sample(&rig, "walk", 0, 0);
    assert_int_equal(sample->status, SAMPLE_FAILED);
    assert_string_equal(sample->error.call, "getdents");
    assert_int_equal(sample->error.number, 0);
    assert_string_equal(sample->error.path, "t000");
    assert_string_equal(sample_error_reason(&sample->error),
                        "it doesn't hold the files that were made in it");
    rig_close_all(&rig);
    rmdir(a);
}

int test_failures(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call),
        cmocka_unit_test(test_inodes),
        cmocka_unit_test(test_failed_writes),
        cmocka_unit_test(test_short_writes),
        cmocka_unit_test(test_threads_fail_together),
        cmocka_unit_test(test_flipped_bit),
        cmocka_unit_test(test_verify_full),
        cmocka_unit_test(test_walk_misses_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
