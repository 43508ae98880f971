// test_small_files.c: every workload on small files, on trees of any shape: what it does, in which order,
// that all of it adds up, and what it finds when a file isn't as it was made.
#include "rig.h"

#include "base/units.h"

static struct text calls; // of tier A, one thread

static void log_call(enum rig_call call, const char *name)
{
    static const char letters[RIG_CALLS] = {
        [RIG_CREATE] = 'c',         [RIG_OPEN_FILE] = 'o', [RIG_OPEN_DIRECTORY] = 'O',
        [RIG_MAKE_DIRECTORY] = 'm', [RIG_WRITE] = 'w',     [RIG_READ] = 'r',
        [RIG_READ_DIRECTORY] = 'R', [RIG_FSYNC] = 'f',     [RIG_SYNCFS] = 'S',
        [RIG_CLOSE] = '.',          [RIG_STAT] = 's',      [RIG_FSTAT] = 't',
        [RIG_RENAME] = 'n',         [RIG_UNLINK] = 'u',    [RIG_REMOVE_DIRECTORY] = 'd'};
    text_printf(&calls, "%c%s ", letters[call], name);
}

static struct tree tree_of_depth(unsigned depth)
{
    return (struct tree){.files = 50,
                         .depth = depth,
                         .fanout = depth ? 3 : 1,
                         .size_count = 4,
                         .sizes = {{300, 0}, {350, 1000}, {300, 4096}, {50, 2 * WORKER_BUFFER + 5}}};
}

static void shape_plan(struct rig *rig, const struct tree *tree)
{
    for (size_t i = 0; i < rig->run.plan.workload_count; i++) {
        rig->run.plan.workloads[i].tree = *tree;
        if (rig->run.plan.workloads[i].wait_ns > 0)
            rig->run.plan.workloads[i].wait_ns = NS_PER_MS;
    }
}

static void run_shaped(struct rig *rig, const struct plan_request *request, const struct tree *tree,
                       const char *a, const char *b)
{
    rig_open(rig, request, a, b);
    shape_plan(rig, tree);
    rig_start(rig);
    rig_finish(rig);
}

static void close_run(struct rig *rig, const char *path)
{
    assert_int_equal(rig_faults.open_files, 0);
    assert_string_equal(text_string(&rig->leftovers), "");
    rig_close_all(rig);
    assert_int_equal(rig_entries(path), 0);
    rmdir(path);
}

// ---- The calls ----

static void check_calls(const char *workloads, enum sync_kind sync, const struct tree *tree,
                        const char *expected)
{
    rig_faults_clear();
    text_free(&calls);
    rig_faults.watch = log_call;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    struct plan_request request = {.profile = "quick",
                                   .workloads = workloads,
                                   .rounds = 1,
                                   .has_sync = true,
                                   .sync = sync,
                                   .no_warmup = true};
    struct rig rig;
    run_shaped(&rig, &request, tree, path, NULL);
    rig_check_all_ok(&rig);
    // A directory lists its entries in any order.
    for (char *name = calls.bytes; name && (name = strstr(name, " sf0000000")); name += 10)
        name[10] = '?';
    assert_string_equal(text_string(&calls), expected);
    text_free(&calls);
    close_run(&rig, path);
}

static void test_calls(void **state)
{
    (void)state;
    static const struct tree flat = {.files = 2, .file_bytes = 5000, .fanout = 1};
    check_calls("create,read-tree", SYNC_NONE, &flat,
                "mt000 S Ot000 cf00000000 w . cf00000001 w . . "
                "S Ot000 of00000000 . of00000001 . "             // evicted, and looked at,
                "of00000000 . of00000001 . "                     // once more, synced, since none went
                "of00000000 r r . of00000001 r r . "             // timed
                "of00000000 . of00000001 . . "                   // looked at
                "Ot000 of00000000 t r r . of00000001 t r r . . " // create's files read back
    );
    check_calls("create", SYNC_FSYNC, &flat,
                "mt000 S Ot000 cf00000000 w f . cf00000001 w f . Ot000 f/ . . "
                "Ot000 of00000000 t r r . of00000001 t r r . . ");
    check_calls("rename", SYNC_FSYNC, &flat,
                "mt000 Ot000 cf00000000 w . cf00000001 w . . S " // made
                "Ot000 nf00000000 nf00000001 Ot000 f/ . . ");

    static const struct tree deep = {.files = 4, .depth = 2, .fanout = 2};
    check_calls("delete", SYNC_FSYNC, &deep,
                "mt000 mt000/d00 mt000/d01 mt000/d00/d00 mt000/d00/d01 mt000/d01/d00 mt000/d01/d01 "
                "Ot000 cd00/d00/f00000000 . cd00/d01/f00000001 . cd01/d00/f00000002 . cd01/d01/f00000003 . . "
                "Ot000 od00/d00/f00000000 t . od00/d01/f00000001 t . od01/d00/f00000002 t . "
                "od01/d01/f00000003 t . . S "
                "Ot000 ud00/d00/f00000000 ud00/d01/f00000001 ud01/d00/f00000002 ud01/d01/f00000003 "
                "dd00/d00 dd00/d01 dd00 dd01/d00 dd01/d01 dd01 Ot000 f/ . . ");
    check_calls("create,walk", SYNC_FSYNC, &deep,
                "mt000 mt000/d00 mt000/d01 mt000/d00/d00 mt000/d00/d01 mt000/d01/d00 mt000/d01/d01 S "
                "Ot000 cd00/d00/f00000000 f . cd00/d01/f00000001 f . cd01/d00/f00000002 f . "
                "cd01/d01/f00000003 f . "
                "Ot000/d00/d00 f/ . Ot000/d00/d01 f/ . Ot000/d01/d00 f/ . Ot000/d01/d01 f/ . Ot000 f/ . . S "
                "Ot000 R R Od00 R R Od00 R sf0000000? R . Od01 R sf0000000? R . . "
                "Od01 R R Od00 R sf0000000? R . Od01 R sf0000000? R . . . "
                "Ot000 od00/d00/f00000000 t . od00/d01/f00000001 t . od01/d00/f00000002 t . "
                "od01/d01/f00000003 t . . ");
}

// ---- All of them ----

static void check_all(const char *workloads, const char *where, unsigned depth, enum sync_kind sync,
                      uint64_t threads, bool warm)
{
    rig_faults_clear();
    char path[RIG_PATH_SIZE];
    rig_directory(path, where);
    struct plan_request request = {.profile = "quick",
                                   .workloads = workloads,
                                   .rounds = 1,
                                   .has_sync = true,
                                   .sync = sync,
                                   .threads = {1, threads},
                                   .thread_count = threads > 1 ? 2 : 1,
                                   .no_warmup = !warm};
    struct tree tree = tree_of_depth(depth);
    struct rig rig;
    run_shaped(&rig, &request, &tree, path, "null:");
    assert_int_equal(rig.run.sample_count, rig_in_rounds(&rig) * (warm ? 4 : 2));
    rig_check_all_ok(&rig);
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        const struct sample *sample = &rig.run.samples[i];
        const struct workload *workload = &rig.run.plan.workloads[sample->workload];
        bool real = sample->tier == 0, reads = workload->kind == WORKLOAD_READ_TREE;
        assert_int_equal(sample->resident_before.known, real && reads);
        assert_int_equal(sample->resident_after.known, real && reads);
        assert_int_equal(sample->sync_ns > 0, workload->sync != SYNC_NONE && (real || sample->sync_ns > 0));
        if (workload->kind == WORKLOAD_CREATE || workload->kind == WORKLOAD_DELETE)
            assert_true(!real || !sample->has_verify || sample->verify_blocks % rig_tree_blocks(&tree) == 0);
        assert_int_equal(sample->latency[PHASE_FSYNC].count,
                         workload->kind == WORKLOAD_CREATE && sync == SYNC_FSYNC ? sample->ops : 0);
        if (workload->kind == WORKLOAD_DELETE)
            assert_int_equal(sample->latency[PHASE_RMDIR].count, tree_directories(&tree) * sample->batches);
        if (reads)
            assert_int_equal(sample->latency[PHASE_CLOSE].count, sample->ops);
    }
    close_run(&rig, path);
}

static const char every_workload[] = "create,walk,walk-later,read-tree,rename,delete";

static void test_memory(void **state)
{
    (void)state;
    static const enum sync_kind syncs[] = {SYNC_NONE, SYNC_SYNCFS, SYNC_FSYNC, SYNC_FSYNC};
    for (unsigned depth = 0; depth <= 3; depth++)
        check_all(every_workload, "/dev/shm", depth, syncs[depth], 3, false);
    check_all(every_workload, "/dev/shm", 2, SYNC_FSYNC, 1, true); // many batches
}

static void test_disk(void **state)
{
    (void)state;
    check_all(every_workload, "/tmp", 2, SYNC_FSYNC, 3, false);
    check_all("read-tree,delete", "/tmp", 1, SYNC_NONE, 1, true);
}

// With other threads the trees of a round are walked and read after they were renamed.
static void test_renamed(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth <= 2; depth++) {
        check_all("create,rename,walk,read-tree", "/dev/shm", depth, SYNC_NONE, 3, false);
        check_all("walk,walk-later,read-tree,rename", "/dev/shm", depth, SYNC_NONE, 3, false);
    }
}

// Many directories in one, as object stores have.
static void test_broad(void **state)
{
    (void)state;
    rig_faults_clear();
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    struct plan_request request = {.profile = "quick",
                                   .workloads = every_workload,
                                   .rounds = 1,
                                   .threads = {3},
                                   .thread_count = 1,
                                   .no_warmup = true};
    struct tree tree = {
        .files = 300, .file_bytes = 10, .depth = 1, .fanout = 256}; // not all leaves have some
    struct rig rig;
    run_shaped(&rig, &request, &tree, path, "null:");
    rig_check_all_ok(&rig);
    close_run(&rig, path);
}

// ---- Eviction ----

// On a disk that lets its pages go, none is there when the clock starts, and all are when it ends.
static void test_evicted(void **state)
{
    (void)state;
    rig_faults_clear();
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/var/tmp");
    struct plan_request request = {
        .profile = "quick", .workloads = "read-tree", .rounds = 1, .files = 20, .no_warmup = true};
    struct rig rig;
    rig_run(&rig, &request, path, NULL);
    rig_check_all_ok(&rig);
    const struct sample *sample = rig_sample(&rig, "read-tree", 0, 1);
    const struct capability *supports = &rig.run.tiers[0].supports;
    if (supports->evict.known && supports->evict.value) {
        assert_true(sample->resident_before.known && sample->resident_before.value <= 0.01);
        assert_true(sample->resident_after.known && sample->resident_after.value >= 0.99);
    }
    close_run(&rig, path);
}

// ---- What isn't as it was made ----

static void flip(int dirfd, const char *name, off_t offset)
{
    int fd = openat(dirfd, name, O_RDWR | O_CLOEXEC);
    unsigned char byte;
    if (fd < 0 || pread(fd, &byte, 1, offset) != 1)
        abort();
    byte ^= 1;
    if (pwrite(fd, &byte, 1, offset) != 1)
        abort();
    close(fd);
}

static void flip_stamp(void *context, int dirfd, const char *name)
{
    (void)context;
    flip(dirfd, name, 4096 + 20);
}

static void flip_elsewhere(void *context, int dirfd, const char *name)
{
    (void)context;
    flip(dirfd, name, 4096 + 2000);
}

static void cut(void *context, int dirfd, const char *name)
{
    (void)context;
    int fd = openat(dirfd, name, O_RDWR | O_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 4096) != 0)
        abort();
    close(fd);
}

static void grow(void *context, int dirfd, const char *name)
{
    (void)context;
    int fd = openat(dirfd, name, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || write(fd, "x", 1) != 1)
        abort();
    close(fd);
}

static void test_changed(void **state)
{
    (void)state;
    static const struct {
        void (*hook)(void *, int, const char *);
        bool seen; // while it is read
        uint64_t offset;
    } cases[] = {{flip_stamp, true, 4096 + 20},
                 {flip_elsewhere, false, 4096 + 2000},
                 {cut, true, 4096},
                 {grow, true, 9000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned depth = 0; depth <= 2; depth += 2) {
            rig_faults_clear();
            rig_faults.call = RIG_OPEN_FILE; // when its pages are looked at, before anything is timed
            rig_faults.from = rig_faults.to = 4;
            rig_faults.hook = cases[i].hook;
            char path[RIG_PATH_SIZE];
            rig_directory(path, "/dev/shm");
            struct plan_request request = {
                .profile = "quick", .workloads = "create,read-tree,delete", .rounds = 1, .no_warmup = true};
            struct tree tree = {.files = 20, .file_bytes = 9000, .depth = depth, .fanout = depth ? 2 : 1};
            struct rig rig;
            run_shaped(&rig, &request, &tree, path, NULL);
            const char *expected = depth ? "t000/d00/d00/f00000003" : "t000/f00000003";
            const struct sample *create = rig_sample(&rig, "create", 0, 1);
            const struct sample *read = rig_sample(&rig, "read-tree", 0, 1);
            assert_int_equal(create->status, SAMPLE_FAILED); // read back as a whole
            assert_string_equal(create->error.path, expected);
            assert_int_equal(create->error.offset, cases[i].offset);
            assert_int_equal(read->status, cases[i].seen ? SAMPLE_FAILED : SAMPLE_OK);
            assert_int_equal(read->verify_mismatches, cases[i].seen);
            assert_int_equal(read->verify_blocks, 20 * 3);
            if (cases[i].seen) {
                assert_string_equal(read->error.call, "verify");
                assert_string_equal(read->error.path, expected);
                assert_int_equal(read->error.op, 3);
                assert_int_equal(read->error.offset, cases[i].offset);
                assert_true(rig_events(&rig, "differs from what was written"));
            }
            close_run(&rig, path);
        }
}

// A directory that holds more, or less, than was made in it.
static void add_directory(void *context, int dirfd, const char *name)
{
    (void)context;
    (void)name;
    if (mkdirat(dirfd, "t000/d00/d07", 0700) != 0)
        abort();
}

static void add_file(void *context, int dirfd, const char *name)
{
    (void)context;
    (void)name;
    int fd = openat(dirfd, "t000/d01/f00000001", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0)
        abort();
    close(fd);
}

static void take_file(void *context, int dirfd, const char *name)
{
    (void)context;
    (void)name;
    if (unlinkat(dirfd, "t000/d01/d02/f00000030", 0) != 0)
        abort();
}

static void test_walk_checks(void **state)
{
    (void)state;
    static const struct {
        void (*hook)(void *, int, const char *);
        const char *path;
    } cases[] = {{add_directory, "t000/d00"}, {add_file, "t000/d01"}, {take_file, "t000/d01/d02"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_faults_clear();
        rig_faults.call = RIG_OPEN_DIRECTORY; // the first one is the making's, the second one the walk's
        rig_faults.from = rig_faults.to = 2;
        rig_faults.hook = cases[i].hook;
        char path[RIG_PATH_SIZE];
        rig_directory(path, "/dev/shm");
        struct plan_request request = {
            .profile = "quick", .workloads = "walk", .rounds = 1, .no_warmup = true};
        struct tree tree = {.files = 54, .depth = 2, .fanout = 3};
        struct rig rig;
        run_shaped(&rig, &request, &tree, path, NULL);
        const struct sample *walk = rig_sample(&rig, "walk", 0, 1);
        assert_int_equal(walk->status, SAMPLE_FAILED);
        assert_string_equal(walk->error.call, "getdents");
        assert_string_equal(walk->error.path, cases[i].path);
        close_run(&rig, path);
    }
}

// ---- Calls that fail ----

static void test_failures(void **state)
{
    (void)state;
    static const struct {
        const char *workloads;
        enum sync_kind sync;
        enum rig_call call;
        uint64_t at;
        const char *error_call;
        const char *path;
    } cases[] = {
        {"rename", SYNC_NONE, RIG_RENAME, 3, "renameat", "t000/d00/f00000002"},
        {"rename", SYNC_FSYNC, RIG_FSYNC, 2, "fsync", "t000/d01"},
        {"rename", SYNC_FSYNC, RIG_OPEN_DIRECTORY, 5, "openat", "t000"}, // made, begun, d00, d01
        {"create", SYNC_FSYNC, RIG_FSYNC, 2, "fsync", "t000/d00/f00000001"},
        {"create", SYNC_FSYNC, RIG_FSYNC, 12, "fsync", "t000/d01"},
        {"delete", SYNC_FSYNC, RIG_FSYNC, 1, "fsync", "t000"},
        {"delete", SYNC_NONE, RIG_REMOVE_DIRECTORY, 2, "rmdir", "t000/d01"},
        {"read-tree", SYNC_NONE, RIG_OPEN_FILE, 2, "openat", "t000/d00/f00000001"},  // while it is evicted
        {"read-tree", SYNC_NONE, RIG_OPEN_FILE, 22, "openat", "t000/d00/f00000001"}, // timed
        {"read-tree", SYNC_NONE, RIG_OPEN_FILE, 32, "openat", "t000/d00/f00000001"}, // looked at afterwards
        {"read-tree", SYNC_NONE, RIG_READ, 2, "read", "t000/d00/f00000000"},
        {"walk-later", SYNC_NONE, RIG_STAT, 1, "fstatat", "t000/d00/f0000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_faults_clear();
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.number = EIO;
        char path[RIG_PATH_SIZE];
        rig_directory(path, "/dev/shm");
        struct plan_request request = {.profile = "quick",
                                       .workloads = cases[i].workloads,
                                       .rounds = 1,
                                       .has_sync = true,
                                       .sync = cases[i].sync,
                                       .no_warmup = true};
        struct tree tree = {.files = 10, .file_bytes = 100, .depth = 1, .fanout = 2};
        struct rig rig;
        run_shaped(&rig, &request, &tree, path, NULL);
        assert_int_equal(rig.run.sample_count, 1);
        const struct sample *sample = &rig.run.samples[0];
        assert_int_equal(sample->status, SAMPLE_FAILED);
        assert_string_equal(sample->error.call, cases[i].error_call);
        assert_memory_equal(sample->error.path, cases[i].path, strlen(cases[i].path));
        assert_int_equal(sample->error.number, EIO);
        rig_check_sample(&rig, sample);
        close_run(&rig, path);
    }
}

// ---- Ends that are asked for ----

static void stop_now(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    engine_stop(rig_engine(context));
}

static void test_stops(void **state)
{
    (void)state;
    static const struct {
        const char *workloads;
        enum rig_call call;
        uint64_t at;
        size_t samples;
    } cases[] = {
        {"read-tree", RIG_OPEN_FILE, 5, 1}, // while it is evicted
        {"read-tree", RIG_OPEN_FILE, 23, 1}, {"read-tree", RIG_READ, 3, 1},
        {"read-tree", RIG_OPEN_FILE, 34, 1}, // while it is looked at: all was measured
        {"rename", RIG_RENAME, 4, 1},        {"walk-later", RIG_MAKE_DIRECTORY, 2, 0},
        {"walk-later", RIG_SYNCFS, 1, 0},    {"delete", RIG_REMOVE_DIRECTORY, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig_faults_clear();
        char path[RIG_PATH_SIZE];
        rig_directory(path, "/dev/shm");
        struct plan_request request = {
            .profile = "quick", .workloads = cases[i].workloads, .rounds = 1, .no_warmup = true};
        struct tree tree = {.files = 10, .file_bytes = 100, .depth = 1, .fanout = 2};
        struct rig rig;
        rig_open(&rig, &request, path, NULL);
        shape_plan(&rig, &tree);
        rig.run.plan.workloads[0].wait_ns = UINT64_C(3600) * NS_PER_S; // whoever waits is interrupted
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.hook = stop_now;
        rig_faults.context = &rig;
        if (strcmp(cases[i].workloads, "walk-later") != 0)
            rig.run.plan.workloads[0].wait_ns = 0;
        rig_start(&rig);
        rig_finish(&rig);
        assert_int_equal(rig.run.sample_count, cases[i].samples);
        for (size_t k = 0; k < rig.run.sample_count; k++)
            rig_check_sample(&rig, &rig.run.samples[k]);
        close_run(&rig, path);
    }
}

// Asked for while a tree is left alone: within the hour.
static void test_stop_while_waiting(void **state)
{
    (void)state;
    rig_faults_clear();
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/dev/shm");
    struct plan_request request = {
        .profile = "quick", .workloads = "walk-later", .rounds = 1, .files = 10, .no_warmup = true};
    struct rig rig;
    rig_open(&rig, &request, path, NULL);
    rig.run.plan.workloads[0].wait_ns = UINT64_C(3600) * NS_PER_S;
    rig_start(&rig);
    struct engine_look look = {0};
    while (atomic_load(&rig_faults.counts[RIG_SYNCFS]) == 0 || look.activity == ACTIVITY_DRAINING) {
        clock_sleep_until(clock_monotonic_ns() + NS_PER_MS);
        engine_look(rig.engine, &look);
    }
    assert_false(engine_wait(rig.engine, 100 * (uint64_t)NS_PER_MS));
    engine_stop(rig.engine);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_STOPPED);
    assert_int_equal(rig_faults.counts[RIG_STAT], 0);
    for (size_t k = 0; k < rig.run.sample_count; k++) {
        assert_int_equal(rig.run.samples[k].status, SAMPLE_STOPPED);
        rig_check_sample(&rig, &rig.run.samples[k]);
    }
    close_run(&rig, path);
}

int test_small_files(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_disk),
        cmocka_unit_test(test_renamed),
        cmocka_unit_test(test_broad),
        cmocka_unit_test(test_evicted),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_walk_checks),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_stop_while_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
