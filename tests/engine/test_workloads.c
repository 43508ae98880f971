// test_workloads.c: which calls each kind of workload makes, in which order, on which names.
#include "rig.h"

#include "base/units.h"
#include "engine/work.h"

#include <pthread.h>

static struct text calls; // of tier A, one thread
static uint64_t wrong;    // calls out of order, with several threads
static uint64_t tree_files;

static void log_call(enum rig_call call, const char *name)
{
    static const char letters[RIG_CALLS] = {
        [RIG_CREATE] = 'c', [RIG_OPEN_FILE] = 'o', [RIG_OPEN_DIRECTORY] = 'O', [RIG_MAKE_DIRECTORY] = 'm',
        [RIG_WRITE] = 'w',  [RIG_WRITE_AT] = 'W',  [RIG_READ] = 'r',           [RIG_READ_DIRECTORY] = 'R',
        [RIG_FSYNC] = 'f',  [RIG_SYNCFS] = 'S',    [RIG_CLOSE] = '.',          [RIG_STAT] = 's',
        [RIG_FSTAT] = 't',  [RIG_RENAME] = 'n',    [RIG_UNLINK] = 'u',         [RIG_REMOVE_DIRECTORY] = 'd'};
    text_printf(&calls, "%c%s ", letters[call], name);
}

static void run_logged(struct rig *rig, const char *workloads, uint64_t files, char path[RIG_PATH_SIZE])
{
    rig_faults_clear();
    text_free(&calls);
    rig_faults.watch = log_call;
    rig_directory(path, "/dev/shm");
    struct plan_request request = {
        .profile = "quick", .workloads = workloads, .rounds = 1, .no_warmup = true};
    if (strstr(workloads, "seq")) {
        request.sizes[0] = MIB;
        request.size_count = 1;
        request.block_bytes = 512 * KIB;
    }
    if (strcmp(workloads, "seq-write"))
        request.files = files;
    rig_run(rig, &request, path, NULL);
    rig_check_all_ok(rig);
}

static void close_logged(struct rig *rig, const char *path)
{
    text_free(&calls);
    rig_close_all(rig);
    assert_int_equal(rig_entries(path), 0);
    rmdir(path);
}

static void test_flat_tree(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    struct rig rig;
    run_logged(&rig, "create,walk,delete", 2, path);
    // The walk stats in the directory's order.
    char *walk = strstr(text_string(&calls), "R sf");
    assert_non_null(walk);
    for (char *name = walk; (name = strstr(name, "sf0000000")); name += 9)
        name[9] = '?';
    assert_string_equal(text_string(&calls),
                        "mt000 S Ot000 cf00000000 w . cf00000001 w . S . " // made, drained, timed, synced
                        "S Ot000 R sf0000000? sf0000000? R . "             // drained, walked
                        "Ot000 of00000000 t r . of00000001 t r . . "       // read back
                        "S Ot000 uf00000000 uf00000001 S . ");             // drained, deleted, synced
    close_logged(&rig, path);
}

static void test_sequential(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    struct rig rig;
    run_logged(&rig, "seq-write", 0, path);
    char expected[1024] = "S cs000-00 w w f f/ . os000-00 t ";
    for (unsigned i = 0; i < 64; i++)
        strcat(expected, "r ");
    strcat(expected, ". ");
    assert_string_equal(text_string(&calls), expected);
    close_logged(&rig, path);
}

static void test_phases(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    struct rig rig;
    run_logged(&rig, "create,walk,delete,seq-write", 1500, path);
    static const struct {
        const char *workload;
        uint64_t counts[PHASE_COUNT];
    } expected[] = {
        {"create", {[PHASE_OP] = 1500, [PHASE_OPEN] = 1500, [PHASE_WRITE] = 1500, [PHASE_CLOSE] = 1500}},
        {"delete", {[PHASE_OP] = 1500, [PHASE_RMDIR] = 32}},
        {"seq-write-1",
         {[PHASE_OP] = 2, [PHASE_OPEN] = 1, [PHASE_FSYNC] = 1, [PHASE_DIRSYNC] = 1, [PHASE_CLOSE] = 1}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct sample *sample = rig_sample(&rig, expected[i].workload, 0, 1);
        assert_non_null(sample);
        for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
            assert_int_equal(sample->latency[phase].count, expected[i].counts[phase]);
    }
    close_logged(&rig, path);
}

// Directories go only when no file of any thread is left.
static void watch_order(enum rig_call call, const char *name)
{
    (void)name;
    if (call == RIG_REMOVE_DIRECTORY && atomic_load(&rig_faults.counts[RIG_UNLINK]) % tree_files != 0)
        wrong++;
}

static void test_directories_last(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    for (uint64_t threads = 2; threads <= 5; threads++) {
        rig_faults_clear();
        rig_faults.watch = watch_order;
        wrong = 0;
        tree_files = 1100;
        struct plan_request request = {.profile = "quick",
                                       .workloads = "delete",
                                       .rounds = 1,
                                       .files = tree_files,
                                       .threads = {threads},
                                       .thread_count = 1,
                                       .no_warmup = true};
        struct rig rig;
        rig_run(&rig, &request, path, NULL);
        rig_check_all_ok(&rig);
        assert_int_equal(wrong, 0);
        assert_int_equal(rig_faults.counts[RIG_REMOVE_DIRECTORY], 32);
        rig_close_all(&rig);
    }
    rmdir(path);
}

static void test_disks_that_tell_no_types(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    for (unsigned doubles = 0; doubles < 2; doubles++) {
        rig_faults_clear();
        rig_faults.no_types = true;
        rig_faults.doubles = doubles;
        struct plan_request request = {.profile = "quick", .workloads = "walk", .rounds = 1, .files = 1200};
        struct rig rig;
        rig_run(&rig, &request, path, NULL);
        const struct sample *sample = rig_sample(&rig, "walk", 0, 0);
        if (doubles) {
            assert_int_equal(sample->status, SAMPLE_FAILED);
            assert_string_equal(sample->error.call, "getdents");
            assert_string_equal(sample->error.path, "t000/d00");
            assert_true(rig_events(&rig, "it doesn't hold the files"));
        } else {
            assert_int_equal(sample->status, SAMPLE_OK);
        }
        assert_int_equal(rig_faults.open_files, 0);
        rig_close_all(&rig);
    }
    rmdir(path);
}

// Which thread made which file, by its number modulo the threads.
enum { SHARED_AMONG = 3 };
static pthread_mutex_t makers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t makers[SHARED_AMONG];
static bool made[SHARED_AMONG];

static void watch_makers(enum rig_call call, const char *name)
{
    uint64_t item;
    bool renamed;
    if (call != RIG_CREATE || !tree_parse_file_name(name, &item, &renamed))
        return;
    pthread_mutex_lock(&makers_lock);
    size_t part = item % SHARED_AMONG;
    if (!made[part])
        makers[part] = pthread_self();
    made[part] = true;
    wrong += !pthread_equal(makers[part], pthread_self());
    for (size_t i = 0; i < SHARED_AMONG; i++)
        wrong += i != part && made[i] && pthread_equal(makers[i], pthread_self());
    pthread_mutex_unlock(&makers_lock);
}

static void test_items_are_shared_out(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    rig_faults_clear();
    rig_faults.watch = watch_makers;
    wrong = 0;
    memset(made, 0, sizeof made);
    struct plan_request request = {.profile = "quick",
                                   .workloads = "create",
                                   .rounds = 1,
                                   .files = 100,
                                   .threads = {SHARED_AMONG},
                                   .thread_count = 1};
    struct rig rig;
    rig_run(&rig, &request, path, NULL);
    rig_check_all_ok(&rig);
    assert_int_equal(wrong, 0);
    assert_true(made[0] && made[1] && made[2]);
    rig_close_all(&rig);
    rmdir(path);
}

// Each batch has a tree and a sync of its own, and each section one sync before it.
static void test_batches(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    rig_faults_clear();
    struct plan_request request = {
        .profile = "quick", .workloads = "create,walk,delete", .rounds = 2, .files = 20};
    struct rig rig;
    rig_run(&rig, &request, path, NULL);
    rig_check_all_ok(&rig);
    uint64_t syncs = 0, made_trees = 0, unlinked = 0;
    for (unsigned round = 0; round <= 2; round++) {
        const struct sample *create = rig_sample(&rig, "create", 0, round);
        const struct sample *delete = rig_sample(&rig, "delete", 0, round);
        assert_true(create && delete &&rig_sample(&rig, "walk", 0, round));
        syncs += 3 + create->batches + delete->batches;
        made_trees += create->batches > delete->batches ? create->batches : delete->batches;
        unlinked += 20 * delete->batches;
    }
    assert_int_equal(rig_faults.counts[RIG_SYNCFS], syncs);
    assert_int_equal(rig_faults.counts[RIG_MAKE_DIRECTORY], made_trees);
    assert_int_equal(rig_faults.counts[RIG_UNLINK], unlinked);
    rig_close_all(&rig);
    rmdir(path);
}

// Blocks that don't divide the size, larger than a MiB, and fewer than threads.
static void test_odd_blocks(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    static const uint64_t blocks[] = {12288, 3 * MIB, 8 * MIB};
    static const uint64_t threads[] = {1, 2, 5};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            rig_faults_clear();
            struct plan_request request = {.profile = "quick",
                                           .workloads = "seq-write",
                                           .rounds = 1,
                                           .no_warmup = true,
                                           .sizes = {8 * MIB},
                                           .size_count = 1,
                                           .block_bytes = blocks[i],
                                           .threads = {threads[j]},
                                           .thread_count = 1,
                                           .verify_full = true};
            struct rig rig;
            rig_run(&rig, &request, path, NULL);
            rig_check_all_ok(&rig);
            const struct sample *sample = &rig.run.samples[0];
            assert_int_equal(sample->verify_blocks, 8 * MIB / 4096);
            assert_int_equal(sample->latency[PHASE_FSYNC].count, threads[j]);
            assert_int_equal(sample->latency[PHASE_DIRSYNC].count, threads[j]);
            assert_int_equal(sample->mib_length, threads[j] == 1 ? 8 : 0);
            for (size_t k = 1; k < sample->mib_length; k++)
                assert_true(sample->mib_ns[k] >= sample->mib_ns[k - 1]);
            if (sample->mib_length)
                assert_true(sample->mib_ns[7] <= sample->wall_ns);
            rig_close_all(&rig);
        }
    rmdir(path);
}

static void test_every_kind_has_functions(void **state)
{
    (void)state;
    for (enum workload_kind kind = 0; kind < WORKLOAD_KINDS; kind++) {
        assert_non_null(work_of(kind));
        assert_non_null(work_of(kind)->stages[0]);
        assert_non_null(work_of(kind)->prepare);
    }
}

int test_workloads(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_tree),
        cmocka_unit_test(test_sequential),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_directories_last),
        cmocka_unit_test(test_disks_that_tell_no_types),
        cmocka_unit_test(test_items_are_shared_out),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_odd_blocks),
        cmocka_unit_test(test_every_kind_has_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
