// test_worker.c: a crew does its job together, and nobody waits for one who failed.
#include "rig.h"

#include "engine/worker.h"
#include "stats/snapshot.h"

#include <signal.h>

enum { THREADS = 8 };

static _Atomic unsigned first_stage, second_stage, early, unblocked;
static struct crew crew; // its threads must end with a test that fails, too: see tear_down()

static struct workload one_workload(void)
{
    return (struct workload){.kind = WORKLOAD_CREATE, .tree = tree_of(100, 0), .threads = THREADS};
}

static void start(unsigned threads)
{
    struct error error;
    struct crew_setup setup = {.calls = &io_null, .threads = threads, .phases = 1u << PHASE_OP, .seed = 1};
    first_stage = second_stage = early = unblocked = 0;
    if (!crew_start(&crew, &setup, &error))
        fail_msg("%s", error.text);
}

static int tear_down(void **state)
{
    (void)state;
    crew_end(&crew);
    return 0;
}

static void count_first(struct worker *worker)
{
    worker_record(worker, PHASE_OP, clock_monotonic_ns());
    atomic_fetch_add(&first_stage, 1);
}

static void count_second(struct worker *worker)
{
    if (atomic_load(&first_stage) % worker->job->threads != 0)
        atomic_fetch_add(&early, 1);
    atomic_fetch_add(&second_stage, 1);
}

static void test_stages(void **state)
{
    (void)state;
    start(THREADS);
    struct workload workload = one_workload();
    struct job job = {.workload = &workload, .stages = {count_first, count_second}};
    unsigned expected = 0;
    for (unsigned i = 0; i < 200; i++) {
        job.threads = i % THREADS + 1; // not all of the crew, each time
        first_stage = 0;
        second_stage = 0;
        crew_run(&crew, &job);
        assert_int_equal(first_stage, job.threads);
        assert_int_equal(second_stage, job.threads);
        expected += job.threads;
    }
    assert_int_equal(early, 0);
    struct snapshot snapshot;
    snapshot_init(&snapshot, 1u << PHASE_OP);
    snapshot_take(&snapshot, crew.lanes, THREADS);
    assert_int_equal(snapshot.ops, expected);
    assert_true(crew.started_ns > 0);
    crew_clear(&crew);
    assert_int_equal(crew.started_ns, 0);
    snapshot_take(&snapshot, crew.lanes, THREADS);
    assert_int_equal(snapshot.ops, 0);
    snapshot_release(&snapshot);
    crew_end(&crew);
    crew_end(&crew);
}

static void count_bytes(struct worker *worker)
{
    worker_record(worker, PHASE_OP, clock_monotonic_ns());
    worker_record(worker, PHASE_FSYNC, clock_monotonic_ns()); // which no workload of this crew has
    lane_add_bytes(worker->lane, 100);
    worker->residency.pages += 4;
    worker->residency.resident += worker->number;
    atomic_fetch_add(&first_stage, 1);
}

// What is untimed leaves nothing in the lanes, before, between and after what is timed.
static void test_untimed(void **state)
{
    (void)state;
    start(THREADS);
    struct workload workload = one_workload();
    struct job untimed = {
        .workload = &workload, .threads = THREADS, .stages = {count_bytes}, .untimed = true};
    struct job timed = {.workload = &workload, .threads = THREADS, .stages = {count_first}};
    struct snapshot snapshot;
    snapshot_init(&snapshot, 1u << PHASE_OP);
    crew_run(&crew, &untimed);
    assert_int_equal(crew.started_ns, 0);
    crew_run(&crew, &timed);
    uint64_t started_ns = crew.started_ns;
    assert_true(started_ns > 0);
    for (unsigned i = 1; i < 4; i++) {
        crew_run(&crew, &untimed);
        snapshot_take(&snapshot, crew.lanes, THREADS);
        assert_int_equal(snapshot.ops, i * THREADS);
        assert_int_equal(snapshot.bytes, 0);
        crew_run(&crew, &timed);
        assert_int_equal(crew.started_ns, started_ns);
    }
    assert_int_equal(first_stage, 8 * THREADS); // all were done
    snapshot_release(&snapshot);

    struct residency found = crew_collect_residency(&crew);
    assert_int_equal(found.pages, 4 * 4 * THREADS);
    assert_int_equal(found.resident, 4 * THREADS * (THREADS - 1) / 2);
    assert_int_equal(crew_collect_residency(&crew).pages, 0);
    crew_run(&crew, &untimed);
    crew_clear(&crew);
    assert_int_equal(crew_collect_residency(&crew).pages, 0);
    crew_end(&crew);
}

// What was opened is closed, whoever asked for an end.
static void test_closing(void **state)
{
    (void)state;
    start(2);
    struct workload workload = one_workload();
    struct job job = {.workload = &workload, .threads = 2, .stages = {count_bytes}, .untimed = true};
    crew_dismiss(&crew);
    crew_run(&crew, &job);
    assert_int_equal(first_stage, 0);
    job.closing = true;
    crew_run(&crew, &job);
    assert_int_equal(first_stage, 2);
    crew_end(&crew);
}

static void test_buffers(void **state)
{
    (void)state;
    static const struct {
        uint64_t read_bytes;
        size_t size;
    } cases[] = {{0, WORKER_BUFFER},
                 {4096, WORKER_BUFFER},
                 {WORKER_BUFFER + 1, WORKER_BUFFER + 4096},
                 {1 << 20, 1 << 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct crew_setup setup = {.calls = &io_null, .threads = 2, .read_bytes = cases[i].read_bytes};
        assert_true(crew_start(&crew, &setup, NULL));
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(crew.workers[k].buffer_size, cases[i].size);
            assert_int_equal((uintptr_t)crew.workers[k].buffer % 4096, 0);
            assert_int_equal(crew.workers[k].fd, -1);
        }
        crew_end(&crew);
    }
}

static void fail_some(struct worker *worker)
{
    atomic_fetch_add(&first_stage, 1);
    if (worker->number % 3 == 2)
        worker_fail(worker, CALL_WRITE, EIO, worker->number, "t000/f");
}

static void test_failures(void **state)
{
    (void)state;
    start(THREADS);
    struct workload workload = one_workload();
    crew_run(&crew,
             &(struct job){.workload = &workload, .threads = THREADS, .stages = {fail_some, count_second}});
    assert_int_equal(second_stage, 0); // nobody went on, and nobody hangs
    const struct failure *failure = crew_failure(&crew);
    assert_int_equal(failure->op % 3, 2); // whichever came first: the others may not even have begun
    assert_int_equal(failure->number, EIO);
    assert_string_equal(failure->path, "t000/f");
    assert_true(crew_halted(&crew));
    assert_false(crew_asked(&crew));
    crew_clear(&crew);
    assert_null(crew_failure(&crew));
    assert_false(crew_halted(&crew));
    crew_end(&crew);
}

static void test_halt(void **state)
{
    (void)state;
    start(2);
    struct workload workload = one_workload();
    struct job job = {.workload = &workload, .threads = 2, .stages = {count_first, count_second}};
    crew_halt(&crew);
    crew_clear(&crew); // doesn't lose it
    crew_run(&crew, &job);
    assert_int_equal(first_stage, 0);
    assert_true(crew_asked(&crew));
    crew_resume(&crew);
    crew_run(&crew, &job);
    assert_int_equal(first_stage, 2);
    crew_end(&crew);
}

static void test_dismissed(void **state)
{
    (void)state;
    start(2);
    struct workload workload = one_workload();
    struct job job = {.workload = &workload, .threads = 2, .stages = {count_first}};
    assert_false(crew_dismissed(&crew));
    crew_dismiss(&crew);
    crew_resume(&crew); // takes back what was asked for a while, not this
    crew_clear(&crew);
    crew_run(&crew, &job);
    assert_int_equal(first_stage, 0);
    assert_true(crew_dismissed(&crew));
    crew_end(&crew);
}

// Somebody asks for an end, and takes it back, while jobs come and go, of which some fail: each job ends.
static void *halt_and_resume(void *argument)
{
    const _Atomic bool *over = argument;
    while (!atomic_load(over)) {
        crew_halt(&crew);
        crew_resume(&crew);
        clock_sleep_until(clock_monotonic_ns() + NS_PER_MS / 20);
    }
    return NULL;
}

static void test_halts_at_any_moment(void **state)
{
    (void)state;
    start(THREADS);
    struct workload workload = one_workload();
    _Atomic bool over = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, halt_and_resume, &over), 0);
    for (unsigned i = 0; i < 200; i++) {
        crew_clear(&crew);
        first_stage = 0;
        crew_run(&crew, &(struct job){.workload = &workload,
                                      .threads = i % THREADS + 1,
                                      .stages = {i % 5 ? count_first : fail_some, count_first}});
        assert_true(first_stage <= 2 * (i % THREADS + 1));
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    crew_end(&crew);
}

// Crews that end before all of their threads have begun, or right after a job.
static void test_short_lives(void **state)
{
    (void)state;
    struct workload workload = one_workload();
    for (unsigned i = 0; i < 20; i++) {
        start(THREADS);
        if (i % 2)
            crew_run(&crew,
                     &(struct job){.workload = &workload, .threads = 1 + i % 3, .stages = {count_first}});
        crew_end(&crew);
        assert_int_equal(first_stage, i % 2 ? 1 + i % 3 : 0);
    }
}

static void look_at_signals(struct worker *worker)
{
    (void)worker;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGALRM, SIGUSR1};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigismember(&blocked, signals[i]))
            atomic_fetch_add(&unblocked, 1);
}

static void test_signals_are_blocked(void **state)
{
    (void)state;
    start(2);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    assert_false(sigismember(&blocked, SIGINT)); // ours is as it was
    struct workload workload = one_workload();
    crew_run(&crew, &(struct job){.workload = &workload, .threads = 2, .stages = {look_at_signals}});
    assert_int_equal(unblocked, 0);
    crew_end(&crew);
}

static void test_payloads_differ(void **state)
{
    (void)state;
    start(3);
    struct workload workload = one_workload();
    crew_run(&crew, &(struct job){.workload = &workload, .threads = 3, .stages = {count_first}});
    for (unsigned i = 1; i < 3; i++)
        assert_memory_not_equal(crew.workers[0].payload.bytes, crew.workers[i].payload.bytes, 4096);
    crew_end(&crew);
}

static void test_paths(void **state)
{
    (void)state;
    struct job job = {.batch = 12};
    struct worker worker = {.job = &job};
    char path[NAME_PATH_SIZE];
    worker_tree_path(&worker, "d03/f00000117", path);
    assert_string_equal(path, "t012/d03/f00000117");
    worker_tree_path(&worker, "", path);
    assert_string_equal(path, "t012");
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    worker_tree_path(&worker, longer, path);
    assert_true(strlen(path) < NAME_PATH_SIZE);
}

int test_worker(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_stages, tear_down),
        cmocka_unit_test_teardown(test_untimed, tear_down),
        cmocka_unit_test_teardown(test_closing, tear_down),
        cmocka_unit_test_teardown(test_buffers, tear_down),
        cmocka_unit_test_teardown(test_failures, tear_down),
        cmocka_unit_test_teardown(test_halt, tear_down),
        cmocka_unit_test_teardown(test_dismissed, tear_down),
        cmocka_unit_test_teardown(test_halts_at_any_moment, tear_down),
        cmocka_unit_test_teardown(test_short_lives, tear_down),
        cmocka_unit_test_teardown(test_signals_are_blocked, tear_down),
        cmocka_unit_test_teardown(test_payloads_differ, tear_down),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
