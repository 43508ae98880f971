// test_engine.c: whole runs, seen from outside.
#include "rig.h"

#include "base/units.h"
#include "stats/snapshot.h"

static void test_null_run(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    request.threads[0] = 3;
    request.thread_count = 1;
    struct rig rig;
    rig_run(&rig, &request, "null:", "X=null:");
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(rig.run.sample_count, 4 * 2 * 3);
    rig_check_all_ok(&rig);
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        const struct sample *sample = &rig.run.samples[i];
        assert_false(sample->has_verify);
        assert_false(sample->has_drain);
        assert_int_equal(sample->block, 1);
        // A perfect disk is quick: everything is repeated.
        if (sample->round == 0)
            assert_int_equal(sample->batches, 1);
        else
            assert_true(sample->batches > 1);
    }
    assert_int_equal(rig.run.event_count, 0);
    assert_true(rig.run.ended_realtime_ns >= rig.run.started_realtime_ns);
    assert_false(rig.save_failed);
    rig_close_all(&rig);
}

static void check_real_run(const char *where, uint64_t threads)
{
    rig_faults_clear();
    char a[RIG_PATH_SIZE], b[RIG_PATH_SIZE];
    rig_directory(a, where);
    rig_directory(b, "/dev/shm");
    struct plan_request request = rig_request();
    request.threads[0] = threads;
    request.thread_count = 1;
    request.file_bytes = 5000;
    request.has_file_bytes = true;
    struct rig rig;
    rig_run(&rig, &request, a, b);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(rig.run.sample_count, 4 * 2 * 3);
    rig_check_all_ok(&rig);
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        const struct sample *sample = &rig.run.samples[i];
        const struct workload *workload = &rig.run.plan.workloads[sample->workload];
        assert_true(sample->has_drain);
        assert_int_equal(sample->verify_mismatches, 0);
        if (workload->kind == WORKLOAD_CREATE)
            assert_int_equal(sample->verify_blocks, 40 * 2 * sample->batches);
        if (workload->kind == WORKLOAD_SEQ_WRITE) {
            assert_int_equal(sample->verify_blocks, 64 * threads * sample->batches);
            assert_true(sample->allocated_bytes >= 2 * MIB * sample->batches);
            assert_int_equal(sample->mib_length, threads == 1 ? 2 * sample->batches : 0);
        }
        if (workload->kind == WORKLOAD_WALK)
            assert_false(sample->has_verify);
    }
    assert_int_equal(rig_faults.open_files, 0);
    assert_string_equal(rig.leftovers.length ? rig.leftovers.bytes : "", "");
    assert_int_equal(rig_entries(a), 0);
    assert_int_equal(rig_entries(b), 0);
    rig_close_all(&rig);
    rmdir(a);
    rmdir(b);
}

static void test_real_runs(void **state)
{
    (void)state;
    check_real_run("/tmp", 1);
    check_real_run("/dev/shm", 3);
}

static void test_document(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    struct rig rig;
    rig_run(&rig, &request, "null:", NULL);
    struct text document = {0};
    struct error error;
    if (!store_read(rig.folder, "last", &document, &error))
        fail_msg("%s", error.text);
    struct run read = {0};
    if (!run_json_read(document.bytes, document.length, &read, NULL, &error))
        fail_msg("%s", error.text);
    assert_int_equal(read.status, RUN_COMPLETE);
    assert_int_equal(read.sample_count, rig.run.sample_count);
    run_release(&read);
    text_free(&document);
    rig_close_all(&rig);
}

// What a reader finds while the run goes on.
static struct {
    bool read;
    enum run_status status;
    size_t samples;
} seen;

static void read_document(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    const struct rig *rig = context;
    struct text document = {0};
    struct run run = {0};
    struct error error;
    seen.read = store_read(rig->folder, "last", &document, &error) &&
                run_json_read(document.bytes, document.length, &run, NULL, &error);
    seen.status = run.status;
    seen.samples = run.sample_count;
    if (seen.read)
        run_release(&run);
    text_free(&document);
}

static void test_saved_after_each_round(void **state)
{
    (void)state;
    rig_faults_clear();
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = "create,walk,delete";
    request.size_count = 0;
    struct rig rig;
    rig_open(&rig, &request, a, NULL);
    rig_faults.call = RIG_CREATE;
    rig_faults.from = rig_faults.to = 41; // the first of round 1
    rig_faults.hook = read_document;
    rig_faults.context = &rig;
    rig_start(&rig);
    rig_finish(&rig);
    assert_true(seen.read);
    assert_int_equal(seen.status, RUN_RUNNING);
    assert_int_equal(seen.samples, 3);
    rig_close_all(&rig);
    rmdir(a);
}

static void test_no_warmup(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    request.no_warmup = true;
    struct rig rig;
    rig_run(&rig, &request, "null:", NULL);
    rig_check_all_ok(&rig);
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        assert_int_equal(rig.run.samples[i].batches, 1);
        assert_true(rig.run.samples[i].round > 0);
    }
    rig_close_all(&rig);
}

// Where the run can't begin on one tier, nothing is left on the other.
static void test_start_fails(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE], b[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    rig_directory(b, "/dev/shm");
    struct plan_request request = rig_request();
    struct rig rig;
    rig_open(&rig, &request, b, a);
    assert_int_equal(rmdir(a), 0);
    struct error error;
    struct engine_setup setup = {
        .run = &rig.run, .targets = rig.targets, .store = &rig.store, .judge = rig_judge};
    struct engine *engine = NULL;
    assert_true(engine_start(&engine, &setup, &error));
    assert_true(engine_wait(engine, UINT64_MAX));
    assert_true(engine_failed(engine, &error));
    assert_non_null(strstr(error.text, a));
    assert_string_equal(engine_leftovers(engine), "");
    assert_int_equal(rig_entries(b), 0);
    assert_int_equal(rig.run.sample_count, 0);
    struct text document = {0};
    assert_false(store_read(rig.folder, "last", &document, &error)); // nothing was saved either
    text_free(&document);
    engine_free(engine);
    rig_close_all(&rig);
    rmdir(b);
}

static void test_stop_at_once(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    request.rounds = 500;
    struct rig rig;
    rig_open(&rig, &request, "null:", "X=null:");
    rig_start(&rig);
    engine_stop(rig.engine);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_STOPPED);
    rig_close_all(&rig);
}

// Watches as a screen does, as fast as it can, while everything goes on.
static void test_watch(void **state)
{
    (void)state;
    struct plan_request request = rig_request();
    request.threads[0] = 2;
    request.thread_count = 1;
    struct rig rig;
    rig_open(&rig, &request, "null:", "X=null:");
    rig_start(&rig);
    struct histogram latency;
    histogram_init(&latency, HISTOGRAM_DIGITS);
    double fraction = 0;
    size_t section = 0, length = 0;
    while (!engine_wait(rig.engine, 0)) {
        struct engine_look look;
        engine_look(rig.engine, &look);
        assert_true(look.fraction >= fraction && look.fraction <= 1);
        assert_true(look.section >= section);
        fraction = look.fraction;
        section = look.section;
        struct engine_latency now;
        engine_latency(rig.engine, 0, &now, &latency);
        assert_true(now.ops <= now.ops_planned);
        assert_int_equal(now.ops, latency.count);
        assert_true(series_length(engine_series(rig.engine, 0)) >= length);
        length = series_length(engine_series(rig.engine, 0));
        const struct run *run = engine_lock_run(rig.engine);
        assert_true(run->sample_count >= look.samples);
        engine_unlock_run(rig.engine);
    }
    struct engine_look look;
    engine_look(rig.engine, &look);
    assert_int_equal(look.activity, ACTIVITY_DONE);
    assert_int_equal(look.section, look.schedule.length);
    assert_true(look.fraction == 1);
    assert_int_equal(look.samples, 24);
    assert_false(look.has_call);
    histogram_release(&latency);
    rig_finish(&rig);
    rig_close_all(&rig);
}

static void drop_folder(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    struct rig *rig = context;
    char command[256]; // to root no folder is read-only, so it goes
    snprintf(command, sizeof command, "rm -rf -- '%s'", rig->folder);
    assert_int_equal(system(command), 0);
}

static void test_save_fails(void **state)
{
    (void)state;
    rig_faults_clear();
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    struct rig rig;
    rig_open(&rig, &request, a, NULL);
    rig_faults.call = RIG_CREATE;
    rig_faults.from = rig_faults.to = 1;
    rig_faults.hook = drop_folder;
    rig_faults.context = &rig;
    rig_start(&rig);
    rig_finish(&rig);
    assert_true(rig.save_failed);
    assert_true(rig.run.event_count >= 1);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(rig_entries(a), 0);
    rig_close_all(&rig);
    rmdir(a);
}

// Somebody puts a file of his own into our directory: it stays, and is named.
static void put_foreign(void *context, int dirfd, const char *name)
{
    (void)context;
    (void)name;
    close(openat(dirfd, "foreign", O_CREAT | O_WRONLY, 0600));
}

static void test_leftovers(void **state)
{
    (void)state;
    rig_faults_clear();
    rig_faults.call = RIG_MAKE_DIRECTORY;
    rig_faults.from = rig_faults.to = 1;
    rig_faults.hook = put_foreign;
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = "create";
    request.size_count = 0;
    struct rig rig;
    rig_run(&rig, &request, a, "null:");
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    char expected[2 * RIG_PATH_SIZE];
    snprintf(expected, sizeof expected, "%s/.diskduel-", a);
    assert_memory_equal(text_string(&rig.leftovers), expected, strlen(expected));
    assert_non_null(strstr(text_string(&rig.leftovers), "/foreign: "));
    assert_int_equal(rig_events(&rig, "left behind: "), 1);
    assert_int_equal(rig_entries(a), 1);
    rig_close_all(&rig);
    char command[2 * RIG_PATH_SIZE];
    snprintf(command, sizeof command, "rm -rf -- '%s'", a);
    assert_int_equal(system(command), 0);
}

// A tier that can't be synced between sections is asked once.
static void test_failed_drain(void **state)
{
    (void)state;
    rig_faults_clear();
    rig_faults.call = RIG_SYNCFS;
    rig_faults.from = rig_faults.to = 1;
    rig_faults.number = EIO;
    char a[RIG_PATH_SIZE];
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = "walk";
    request.size_count = 0;
    struct rig rig;
    rig_run(&rig, &request, a, NULL);
    rig_check_all_ok(&rig);
    assert_int_equal(rig_events(&rig, "syncfs between sections"), 1);
    assert_int_equal(rig_faults.counts[RIG_SYNCFS], 1);
    rig_close_all(&rig);
    rmdir(a);
}

static void test_item_names(void **state)
{
    (void)state;
    char name[2 * TREE_NAME_SIZE];
    struct workload create = {.kind = WORKLOAD_CREATE, .tree = tree_of(2000, 1)};
    engine_item_name(&create, 117, name);
    assert_string_equal(name, "d01/f00000117");
    struct workload write = {.kind = WORKLOAD_SEQ_WRITE};
    engine_item_name(&write, 17, name);
    assert_string_equal(name, "block 17");
}

int test_engine(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_run),     cmocka_unit_test(test_real_runs),
        cmocka_unit_test(test_document),     cmocka_unit_test(test_saved_after_each_round),
        cmocka_unit_test(test_no_warmup),    cmocka_unit_test(test_start_fails),
        cmocka_unit_test(test_stop_at_once), cmocka_unit_test(test_watch),
        cmocka_unit_test(test_save_fails),   cmocka_unit_test(test_leftovers),
        cmocka_unit_test(test_failed_drain), cmocka_unit_test(test_item_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
