// test_worker.c: a crew does its job together, and nobody waits for one who failed.
#include "rig.h"

#include "engine/worker.h"

#include <signal.h>

enum { THREADS = 8 };

static _Atomic unsigned first_stage, second_stage, early, unblocked;

static struct workload one_workload(void)
{
    return (struct workload){.kind = WORKLOAD_CREATE, .tree = tree_of(100, 0), .threads = THREADS};
}

static void start(struct crew *crew, unsigned threads)
{
    struct error error;
    struct crew_setup setup = {.calls = &io_null, .threads = threads, .phases = 1u << PHASE_OP, .seed = 1};
    first_stage = second_stage = early = unblocked = 0;
    if (!crew_start(crew, &setup, &error))
        fail_msg("%s", error.text);
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
    struct crew crew;
    start(&crew, THREADS);
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
    uint64_t recorded = 0;
    for (unsigned i = 0; i < THREADS; i++)
        recorded += crew.lanes[i].phases[PHASE_OP].count;
    assert_int_equal(recorded, expected);
    assert_true(crew.started_ns > 0);
    crew_clear(&crew);
    assert_int_equal(crew.started_ns, 0);
    assert_int_equal(crew.lanes[0].phases[PHASE_OP].count, 0);
    crew_end(&crew);
    crew_end(&crew);
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
    struct crew crew;
    start(&crew, THREADS);
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
    struct crew crew;
    start(&crew, 2);
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
    struct crew crew;
    start(&crew, 2);
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
    struct crew crew;
    start(&crew, 3);
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
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_halt),
        cmocka_unit_test(test_signals_are_blocked),
        cmocka_unit_test(test_payloads_differ),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
