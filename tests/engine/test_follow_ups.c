// test_follow_ups.c: what the rules want to see once more is measured at the end, stored apart, and can be
// stopped, skipped, fail or find no time and no room like everything else.
#include "rig.h"

#include "base/units.h"

#define HOUR_NS (UINT64_C(3600) * NS_PER_S)

// What is asked for, and when that was.
static struct {
    struct follow_up list[FOLLOW_UPS_MOST];
    size_t count;
    unsigned times;
    size_t samples;
} asked;

static size_t ask(const struct run *run, struct follow_up list[FOLLOW_UPS_MOST])
{
    asked.times++;
    asked.samples = run->sample_count;
    memcpy(list, asked.list, asked.count * sizeof *list);
    return asked.count;
}

static size_t index_of(const struct rig *rig, const char *id)
{
    for (size_t i = 0; i < rig->run.plan.workload_count; i++)
        if (!strcmp(rig->run.plan.workloads[i].id, id))
            return i;
    fail_msg("the plan has no %s", id);
    return 0;
}

static void want(const struct rig *rig, const char *id, unsigned tier, unsigned rounds, uint64_t idle_ns)
{
    asked.list[asked.count++] = (struct follow_up){.workload = index_of(rig, id),
                                                   .tier = tier,
                                                   .rounds = rounds,
                                                   .idle_ns = idle_ns,
                                                   .why = "wide-range"};
}

// A run of these workloads that will ask; a walk-later needn't wait long here.
static void open_run(struct rig *rig, const char *workloads, char a[RIG_PATH_SIZE])
{
    rig_faults_clear();
    memset(&asked, 0, sizeof asked);
    rig_directory(a, "/dev/shm");
    struct plan_request request = rig_request();
    request.workloads = workloads;
    request.size_count = 0;
    rig_open(rig, &request, a, "null:");
    for (size_t i = 0; i < rig->run.plan.workload_count; i++)
        if (rig->run.plan.workloads[i].wait_ns > 0)
            rig->run.plan.workloads[i].wait_ns = NS_PER_MS;
    rig->ask = ask;
}

static void close_run(struct rig *rig, const char *a)
{
    assert_int_equal(rig_faults.open_files, 0);
    assert_int_equal(rig_entries(a), 0);
    assert_int_equal(rig->leftovers.length, 0);
    rig_close_all(rig);
    rmdir(a);
}

// The sample of a follow-up; NULL where there is none.
static const struct sample *followed(const struct run *run, const char *id, unsigned tier, unsigned round)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->block == 2 && sample->tier == tier && sample->round == round &&
            !strcmp(run->plan.workloads[sample->workload].id, id))
            return sample;
    }
    return NULL;
}

static size_t count_followed(const struct run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        count += run->samples[i].block == 2;
    return count;
}

static void read_back(const struct rig *rig, struct run *run)
{
    struct text document = {0};
    struct error error;
    *run = (struct run){0};
    if (!store_read(rig->folder, "last", &document, &error) ||
        !run_json_read(text_string(&document), document.length, run, NULL, &error))
        fail_msg("%s", error.text);
    text_free(&document);
}

static void test_measured_at_the_end(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "create,walk,delete", a);
    want(&rig, "create", 0, 3, 20 * UINT64_C(1000000));
    want(&rig, "walk-later", 0, 2, 0);
    want(&rig, "create", 0, 5, 0); // is asked for already
    want(&rig, "delete", 1, 1, 0);
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    rig_check_all_ok(&rig);
    // Once, when the last round was over.
    size_t in_rounds = 3 * 2 * 3;
    assert_int_equal(asked.times, 1);
    assert_int_equal(asked.samples, in_rounds);
    assert_int_equal(rig.run.sample_count, in_rounds + 3 + 2 + 1);
    for (size_t i = 0; i < rig.run.sample_count; i++)
        assert_int_equal(rig.run.samples[i].block, i < in_rounds ? 1 : 2);
    const struct sample *create = followed(&rig.run, "create", 0, 1);
    assert_int_equal(create->batches, rig_sample(&rig, "create", 0, 1)->batches);
    assert_int_equal(create->verify_blocks, 40 * create->batches); // what it wrote was read back
    assert_true(create->has_drain);
    assert_true(followed(&rig.run, "create", 0, 2)->start_ns > create->start_ns);
    assert_non_null(followed(&rig.run, "create", 0, 3));
    assert_int_equal(followed(&rig.run, "walk-later", 0, 2)->batches, 1);
    assert_non_null(followed(&rig.run, "delete", 1, 1));
    assert_int_equal(rig_events(&rig, "once more: create on A, asked by wide-range"), 1);
    assert_int_equal(rig_events(&rig, "once more: delete on B, asked by wide-range"), 1);

    struct run back;
    read_back(&rig, &back);
    assert_int_equal(back.status, RUN_COMPLETE);
    assert_int_equal(back.sample_count, rig.run.sample_count);
    assert_int_equal(count_followed(&back), 6);
    assert_int_equal(followed(&back, "create", 0, 2)->ops, followed(&rig.run, "create", 0, 2)->ops);
    assert_true(back.plan.workloads[index_of(&rig, "walk-later")].follow_up);
    assert_false(back.plan.workloads[index_of(&rig, "walk")].follow_up);
    run_release(&back);
    close_run(&rig, a);
}

// Each kind of workload can be asked for, also where a round would have made what it works on.
static void test_each_kind(void **state)
{
    (void)state;
    static const char *const ids[] = {"delete",
                                      "rename",
                                      "read-tree",
                                      "walk-later",
                                      "walk",
                                      "create",
                                      "seq-read-reopened",
                                      "commit",
                                      "rand-write-buffered"};
    enum { IDS = sizeof ids / sizeof *ids };
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "create,walk,read-tree,rename,delete,seq-read-reopened,rand-write-buffered,commit", a);
    for (size_t i = 0; i < IDS; i++)
        for (unsigned tier = 0; tier < 2; tier++)
            want(&rig, ids[i], tier, 2, 0);
    rig_start(&rig);
    rig_finish(&rig);
    rig_check_all_ok(&rig);
    assert_int_equal(count_followed(&rig.run), IDS * 2 * 2);
    close_run(&rig, a);
}

// As in the rounds before, each finds nothing there: a second walk of one tree would be another question.
static void test_each_round_begins_anew(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "walk", a);
    rig.run.plan.warmup_rounds = 0; // one batch a round
    want(&rig, "walk", 0, 3, 0);
    rig_start(&rig);
    rig_finish(&rig);
    rig_check_all_ok(&rig);
    assert_int_equal(rig_faults.counts[RIG_CREATE], (2 + 3) * 40);
    close_run(&rig, a);
}

static void stop_now(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    engine_stop(rig_engine(context));
}

static void skip_now(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    engine_skip(rig_engine(context));
}

// Two follow-ups, in the first of which something happens: its 40 stats come after all of the rounds.
static void open_walks(struct rig *rig, char a[RIG_PATH_SIZE], uint64_t stats)
{
    open_run(rig, "walk", a);
    rig->run.plan.warmup_rounds = 0; // one batch a round
    want(rig, "walk-later", 0, 2, 0);
    want(rig, "walk", 0, 1, 0);
    rig_faults.call = RIG_STAT;
    rig_faults.from = rig_faults.to = 2 * 40 + stats;
    rig_faults.context = rig;
}

// The rounds are all there: the run is as complete as it was going to be.
static void test_stop(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_walks(&rig, a, 7);
    rig_faults.hook = stop_now;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(count_followed(&rig.run), 1);
    const struct sample *sample = followed(&rig.run, "walk-later", 0, 1);
    assert_int_equal(sample->status, SAMPLE_STOPPED);
    assert_int_equal(sample->ops, 7);
    close_run(&rig, a);
}

// While nothing is done, for an hour; and how long that is can be seen.
static void test_stop_while_idle(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "walk", a);
    want(&rig, "walk", 0, 1, HOUR_NS);
    rig_start(&rig);
    struct engine_look look = {0};
    while (look.activity != ACTIVITY_WAITING) {
        clock_sleep_until(clock_monotonic_ns() + NS_PER_MS);
        engine_look(rig.engine, &look);
        assert_int_not_equal(look.activity, ACTIVITY_DONE);
    }
    assert_int_equal(look.section + 1, look.schedule.length);
    assert_int_equal(look.schedule.sections[look.section].block, 2);
    assert_true(look.has_remaining && look.remaining_ns > HOUR_NS / 2);
    assert_true(look.fraction < 1);
    engine_stop(rig.engine);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(count_followed(&rig.run), 0);
    close_run(&rig, a);
}

static void test_skip(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_walks(&rig, a, 7);
    rig_faults.hook = skip_now;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    const struct sample *sample = followed(&rig.run, "walk-later", 0, 1);
    assert_int_equal(sample->status, SAMPLE_SKIPPED);
    assert_int_equal(sample->reason, SKIP_USER);
    assert_null(followed(&rig.run, "walk-later", 0, 2));
    assert_int_equal(followed(&rig.run, "walk", 0, 1)->status, SAMPLE_OK);
    close_run(&rig, a);
}

// The disk did all of the rounds: one that fails once more is told of, and says nothing against them.
static void test_failure(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_walks(&rig, a, 7);
    rig_faults.number = EIO;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    const struct sample *sample = followed(&rig.run, "walk-later", 0, 1);
    assert_int_equal(sample->status, SAMPLE_FAILED);
    assert_int_equal(sample->error.number, EIO);
    assert_int_equal(rig_events(&rig, "walk-later on A, once more, round 1: fstatat"), 1);
    assert_null(followed(&rig.run, "walk-later", 0, 2));
    assert_int_equal(followed(&rig.run, "walk", 0, 1)->status, SAMPLE_OK);
    close_run(&rig, a);
}

// The plan's only workload fails in its second block: the run isn't one in which everything failed.
static void test_failure_of_all(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_walks(&rig, a, 7);
    asked.list[0] = asked.list[1];
    rig_faults.number = EIO;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(followed(&rig.run, "walk", 0, 1)->status, SAMPLE_FAILED);
    close_run(&rig, a);
}

static void test_time(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "create,walk", a);
    rig.run.plan.max_time_ns = HOUR_NS;
    want(&rig, "walk-later", 0, 2, 2 * HOUR_NS); // would end later
    want(&rig, "create", 0, 2, 0);
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(count_followed(&rig.run), 3);
    const struct sample *sample = followed(&rig.run, "walk-later", 0, 1);
    assert_int_equal(sample->status, SAMPLE_SKIPPED);
    assert_int_equal(sample->reason, SKIP_TIME);
    assert_int_equal(followed(&rig.run, "create", 0, 2)->status, SAMPLE_OK);
    close_run(&rig, a);
}

static void test_room(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "seq-write-1,seq-write-2,seq-write-3", a);
    rig.run.plan.workloads[index_of(&rig, "seq-write-6")].bytes = PLAN_PAYLOAD_MOST; // memory has none of it
    want(&rig, "seq-write-6", 0, 2, 0);
    want(&rig, "seq-write-3", 0, 1, 0);
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(count_followed(&rig.run), 2);
    const struct sample *sample = followed(&rig.run, "seq-write-6", 0, 1);
    assert_int_equal(sample->status, SAMPLE_SKIPPED);
    assert_int_equal(sample->reason, SKIP_ROOM);
    assert_int_equal(followed(&rig.run, "seq-write-3", 0, 1)->status, SAMPLE_OK);
    close_run(&rig, a);
}

static void test_larger_size(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "seq-write-1,seq-write-2,seq-write-3", a);
    want(&rig, "seq-write-6", 0, 2, 0);
    want(&rig, "seq-write-6", 1, 2, 0);
    rig_start(&rig);
    rig_finish(&rig);
    rig_check_all_ok(&rig);
    assert_int_equal(followed(&rig.run, "seq-write-6", 0, 2)->bytes, 6 * MIB);
    assert_int_equal(followed(&rig.run, "seq-write-6", 1, 2)->bytes, 6 * MIB);
    close_run(&rig, a);
}

// Nobody is asked where a run does without, or where its rounds aren't all there.
static void test_not_asked(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "walk", a);
    want(&rig, "walk", 0, 1, 0);
    rig.run.plan.no_follow_up = true;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    assert_int_equal(asked.times, 0);
    assert_int_equal(count_followed(&rig.run), 0);
    close_run(&rig, a);

    open_run(&rig, "walk", a);
    want(&rig, "walk", 0, 1, 0);
    rig_faults.call = RIG_STAT;
    rig_faults.from = rig_faults.to = 20;
    rig_faults.hook = stop_now;
    rig_faults.context = &rig;
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_STOPPED);
    assert_int_equal(asked.times, 0);
    close_run(&rig, a);
}

// Watches as a screen does, as fast as it can, while the schedule grows.
static void test_watch(void **state)
{
    (void)state;
    memset(&asked, 0, sizeof asked);
    struct plan_request request = rig_request();
    struct rig rig;
    rig_open(&rig, &request, "null:", "X=null:");
    want(&rig, "create", 0, FOLLOW_UP_ROUNDS_MOST, 0);
    want(&rig, "create", 1, FOLLOW_UP_ROUNDS_MOST, 0);
    want(&rig, "walk", 0, FOLLOW_UP_ROUNDS_MOST, 0);
    rig.ask = ask;
    rig_start(&rig);
    size_t length = 0, section = 0;
    double fraction = 0;
    struct engine_look look;
    do {
        engine_look(rig.engine, &look);
        assert_true(look.schedule.length >= length && look.section >= section && look.fraction >= fraction);
        assert_true(look.section <= look.schedule.length);
        for (size_t i = length; i < look.schedule.length; i++)
            assert_in_range(look.schedule.sections[i].block, 1, 2);
        length = look.schedule.length;
        section = look.section;
        fraction = look.fraction;
    } while (!engine_wait(rig.engine, 0));
    engine_look(rig.engine, &look);
    assert_int_equal(look.section, look.schedule.length);
    assert_int_equal(look.schedule.length, 24 + 3 * FOLLOW_UP_ROUNDS_MOST);
    assert_true(look.fraction == 1);
    rig_finish(&rig);
    rig_check_all_ok(&rig);
    rig_close_all(&rig);
}

// Before the first section the machine is left alone, where there is a disk and nobody wants an end.
static void test_left_alone(void **state)
{
    (void)state;
    char a[RIG_PATH_SIZE];
    struct rig rig;
    open_run(&rig, "walk", a);
    rig.idle_ns = 60 * UINT64_C(1000000);
    rig_start(&rig);
    rig_finish(&rig);
    const struct calibration *calibration = &rig.run.calibration;
    assert_true(calibration->idle_ns.known && calibration->idle_ns.value >= rig.idle_ns);
    assert_int_equal(calibration->idle_io_pressure_ns.known, access("/proc/pressure/io", R_OK) == 0);
    close_run(&rig, a);

    open_run(&rig, "walk", a);
    rig.idle_ns = HOUR_NS;
    rig_start(&rig);
    engine_stop(rig.engine);
    rig_finish(&rig);
    assert_false(calibration->idle_ns.known);
    close_run(&rig, a);

    struct plan_request request = rig_request();
    rig_open(&rig, &request, "null:", NULL);
    rig.idle_ns = HOUR_NS;
    rig_start(&rig);
    rig_finish(&rig);
    assert_false(calibration->idle_ns.known);
    rig_close_all(&rig);
}

int test_follow_ups(int argc, char *argv[]);

int test_follow_ups(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measured_at_the_end),
        cmocka_unit_test(test_each_kind),
        cmocka_unit_test(test_each_round_begins_anew),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_while_idle),
        cmocka_unit_test(test_skip),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_failure_of_all),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_larger_size),
        cmocka_unit_test(test_not_asked),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
