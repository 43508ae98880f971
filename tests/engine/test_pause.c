// test_pause.c: a process that was stopped notices, and what it measured meanwhile is measured again. Each
// test stops a child of its own for real.
#include "rig.h"

#include "engine/pause.h"

#include <signal.h>
#include <sys/wait.h>

static void test_status(void **state)
{
    (void)state;
    uint64_t times;
    bool sleeping;
    assert_true(status_sleeps("Name:\tState\nState:\tS (sleeping)\nvoluntary_ctxt_switches:\t12\n"
                              "nonvoluntary_ctxt_switches:\t99\n",
                              &times, &sleeping));
    assert_int_equal(times, 12);
    assert_true(sleeping);
    assert_true(status_sleeps("nonvoluntary_ctxt_switches:\t99\nState:\tR\nvoluntary_ctxt_switches: 0",
                              &times, &sleeping));
    assert_int_equal(times, 0);
    assert_false(sleeping);
    static const char *const bad[] = {
        "",
        "State:\tS\n",
        "voluntary_ctxt_switches:\t1\n",
        "State:\tS\nnonvoluntary_ctxt_switches:\t1\n",
        "State:\tS\nvoluntary_ctxt_switches:\n1\n",
        "State:\tS\nvoluntary_ctxt_switches:\t-1\n",
        "State:\tS\nvoluntary_ctxt_switches:\t1x\n",
        "State:\tS\nvoluntary_ctxt_switches:\t99999999999999999999999\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(status_sleeps(bad[i], &times, &sleeping));
}

// What the kernel says of a process's threads, one after the other.
static void read_threads(pid_t pid, struct text *text)
{
    char path[RIG_PATH_SIZE];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    const struct dirent *entry;
    while ((entry = readdir(directory))) {
        char name[2 * RIG_PATH_SIZE + 256], status[8192];
        snprintf(name, sizeof name, "%s/%s/status", path, entry->d_name);
        int fd = open(name, O_RDONLY);
        ssize_t size = fd >= 0 ? read(fd, status, sizeof status) : 0;
        if (size > 0)
            text_printf(text, "%.*s", (int)size, status);
        if (fd >= 0)
            close(fd);
    }
    closedir(directory);
}

// A stop that ends at once isn't one: waits until all threads came to rest.
static void await_rest(pid_t pid)
{
    struct text before = {0};
    read_threads(pid, &before);
    for (bool rests = false; !rests;) {
        clock_sleep_until(clock_monotonic_ns() + 30 * NS_PER_MS);
        struct text now = {0};
        read_threads(pid, &now);
        rests = !strcmp(text_string(&before), text_string(&now)) && !strstr(text_string(&now), "State:\tR") &&
                !strstr(text_string(&now), "State:\tS");
        text_free(&before);
        before = now;
    }
    text_free(&before);
}

// Lets `child` do its work in a process of its own, and continues that whenever it stops. Returns how often.
static unsigned run_child(void (*child)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        child();
        fflush(NULL);
        _exit(0);
    }
    unsigned times = 0;
    int status;
    for (;;) {
        assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
        if (!WIFSTOPPED(status))
            break;
        times++;
        await_rest(pid);
        kill(pid, SIGCONT);
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return times;
}

// To the calling thread, so that it stops here and not some time later with the others.
static void stop_process(void)
{
    raise(SIGSTOP);
}

// Some time after a stop the thread sleeps again.
static bool is_settled(const struct pause_watch *watch)
{
    uint64_t before = pause_watch_count(watch);
    clock_sleep_until(clock_monotonic_ns() + 10 * NS_PER_MS);
    return pause_watch_count(watch) == before;
}

static void watch_in_child(void)
{
    struct pause_watch watch;
    struct error error;
    assert_true(pause_watch_start(&watch, &error));
    for (unsigned i = 0; i < 20; i++) {
        uint64_t before = pause_watch_count(&watch);
        assert_true(before > 0);
        assert_int_equal(pause_watch_count(&watch), before);
        stop_process();
        assert_true(pause_watch_count(&watch) > before);
        while (!is_settled(&watch))
            continue;
    }
    // Signals that stop nobody, one of which continues nobody.
    uint64_t before = pause_watch_count(&watch);
    kill(getpid(), SIGCONT);
    kill(getpid(), SIGWINCH);
    kill(getpid(), SIGCHLD);
    clock_sleep_until(clock_monotonic_ns() + 10 * NS_PER_MS);
    assert_int_equal(pause_watch_count(&watch), before);
    pause_watch_end(&watch);
    pause_watch_end(&watch);
}

static void test_stops_are_counted(void **state)
{
    (void)state;
    assert_int_equal(run_child(watch_in_child), 20);
}

// ---- Whole runs, with a stop at some calls ----

static struct {
    enum rig_call call;
    uint64_t at[2];
} stops;

static void stop_at(enum rig_call call, const char *name)
{
    (void)name;
    uint64_t count = atomic_load(&rig_faults.counts[call]);
    if (call == stops.call && (count == stops.at[0] || count == stops.at[1]))
        stop_process();
}

// One round of everything, once, on a disk that is stopped at two calls of a kind.
static void run_stopped(struct rig *rig, char path[RIG_PATH_SIZE], enum rig_call call, uint64_t first,
                        uint64_t second)
{
    stops.call = call;
    stops.at[0] = first;
    stops.at[1] = second;
    rig_faults.watch = stop_at;
    rig_directory(path, "/dev/shm");
    struct plan_request request = rig_request();
    request.rounds = 1;
    request.no_warmup = true;
    rig_run(rig, &request, path, NULL);
    assert_int_equal(rig_entries(path), 0);
    assert_int_equal(rig_faults.open_files, 0);
}

static void finish(struct rig *rig, const char *path)
{
    rig_close_all(rig);
    rmdir(path);
}

static size_t count_status(const struct rig *rig, const char *workload, enum sample_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < rig->run.sample_count; i++) {
        const struct sample *sample = &rig->run.samples[i];
        assert_int_equal(sample->sequence, i);
        rig_check_sample(rig, sample);
        count += sample->tier == 0 && sample->status == status &&
                 !strcmp(rig->run.plan.workloads[sample->workload].id, workload);
    }
    return count;
}

// Measured again once, whichever call was in flight; what was measured first stays in the document.
static void each_workload_in_child(void)
{
    static const struct {
        enum rig_call call;
        uint64_t at;
        const char *workload;
    } cases[] = {
        {RIG_CREATE, 5, "create"}, {RIG_SYNCFS, 2, "create"}, // the closing one
        {RIG_STAT, 5, "walk"},     {RIG_UNLINK, 5, "delete"}, {RIG_FSYNC, 1, "seq-write-2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        char path[RIG_PATH_SIZE];
        rig_faults_clear();
        run_stopped(&rig, path, cases[i].call, cases[i].at, 0);
        assert_int_equal(rig.run.status, RUN_COMPLETE);
        assert_int_equal(rig.run.sample_count, 5);
        assert_int_equal(count_status(&rig, cases[i].workload, SAMPLE_STOPPED), 1);
        assert_int_equal(count_status(&rig, cases[i].workload, SAMPLE_OK), 1);
        assert_int_equal(rig_events(&rig, "stood still"), 1);
        assert_int_equal(rig_events(&rig, "measured once more"), 1);
        finish(&rig, path);
    }
}

static void test_measured_again(void **state)
{
    (void)state;
    assert_int_equal(run_child(each_workload_in_child), 5);
}

static void twice_in_child(void)
{
    struct rig rig;
    char path[RIG_PATH_SIZE];
    rig_faults_clear();
    run_stopped(&rig, path, RIG_CREATE, 5, 45);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(count_status(&rig, "create", SAMPLE_STOPPED), 2);
    assert_int_equal(count_status(&rig, "create", SAMPLE_OK), 0);
    assert_int_equal(count_status(&rig, "walk", SAMPLE_OK), 1);
    assert_int_equal(rig_events(&rig, "no value from this round"), 1);
    finish(&rig, path);
}

static void test_only_once(void **state)
{
    (void)state;
    assert_int_equal(run_child(twice_in_child), 2);
}

// What isn't timed may be stopped as one likes.
static void untimed_in_child(void)
{
    struct rig rig;
    char path[RIG_PATH_SIZE];
    rig_faults_clear();
    run_stopped(&rig, path, RIG_MAKE_DIRECTORY, 1, 0);
    assert_int_equal(rig.run.sample_count, 4);
    rig_check_all_ok(&rig);
    assert_int_equal(rig_events(&rig, "stood still"), 0);
    finish(&rig, path);
    rig_faults_clear();
    run_stopped(&rig, path, RIG_READ, 3, 0);
    rig_check_all_ok(&rig);
    finish(&rig, path);
}

static void test_untimed(void **state)
{
    (void)state;
    assert_int_equal(run_child(untimed_in_child), 2);
}

// A call that the stop itself interrupted is no fault of the disk; any other failure is.
static void interrupted_in_child(void)
{
    for (unsigned i = 0; i < 2; i++) {
        struct rig rig;
        char path[RIG_PATH_SIZE];
        rig_faults_clear();
        rig_faults.call = RIG_CREATE;
        rig_faults.from = rig_faults.to = 5;
        rig_faults.number = i == 0 ? EINTR : EIO;
        run_stopped(&rig, path, RIG_CREATE, 5, 0);
        assert_int_equal(count_status(&rig, "create", SAMPLE_STOPPED), i == 0);
        assert_int_equal(count_status(&rig, "create", SAMPLE_OK), i == 0);
        assert_int_equal(count_status(&rig, "create", SAMPLE_FAILED), i == 1);
        finish(&rig, path);
    }
}

static void test_interrupted_calls(void **state)
{
    (void)state;
    assert_int_equal(run_child(interrupted_in_child), 2);
}

int test_pause(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status),         cmocka_unit_test(test_stops_are_counted),
        cmocka_unit_test(test_measured_again), cmocka_unit_test(test_only_once),
        cmocka_unit_test(test_untimed),        cmocka_unit_test(test_interrupted_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
