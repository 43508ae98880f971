// test_large_files.c: every workload on large files: which calls it makes, that all of it adds up, on memory,
// on a disk and on none, and what is in the page cache when it begins and ends.
#include "large_rig.h"

static const char *const every_id[] = {
    "seq-read-cold", "seq-read-reopened",  "seq-read-same-fd", "seq-read-direct-1m",  "seq-read-direct-128k",
    "rand-read",     "rand-read-buffered", "rand-write",       "rand-write-buffered", "commit",
};
enum { IDS = sizeof every_id / sizeof *every_id };

// ---- Random offsets ----

static void test_draw(void **state)
{
    (void)state;
    static const uint64_t ends[] = {1, 2, 7, 64, 1000};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (unsigned batch = 0; batch < 3; batch++) {
            unsigned counts[1000] = {0};
            for (uint64_t item = 0; item < 64 * ends[i]; item++) {
                uint64_t drawn = draw_below(12345, batch, item, ends[i]);
                assert_true(drawn < ends[i]);
                assert_int_equal(draw_below(12345, batch, item, ends[i]), drawn);
                counts[drawn]++;
            }
            // All places are reached, none much more than others: 64 times, 8 is one standard deviation.
            for (uint64_t place = 0; place < ends[i]; place++)
                assert_in_range(counts[place], 64 - 48, 64 + 48);
        }
    // Another batch, another section, the next item: elsewhere, and not in step.
    unsigned same_batch = 0, same_draw = 0, neighbours = 0;
    for (uint64_t item = 0; item < 1000; item++) {
        uint64_t drawn = draw_below(1, 0, item, 1000);
        same_batch += drawn == draw_below(1, 1, item, 1000);
        same_draw += drawn == draw_below(2, 0, item, 1000);
        neighbours += drawn + 1 == draw_below(1, 0, item + 1, 1000);
    }
    assert_true(same_batch < 10 && same_draw < 10 && neighbours < 10);
    // As it always was: runs with one seed go to the same places, whatever the version.
    assert_int_equal(draw_below(0, 0, 0, UINT64_MAX), UINT64_C(0xe220a8397b1dcdaf));
    assert_int_equal(draw_below(0, 0, 1, UINT64_MAX), UINT64_C(0x6e789e6aa1b965f4));
}

// ---- Calls ----

static struct text calls;

static void log_call(enum rig_call call, const char *name)
{
    static const char letters[RIG_CALLS] = {
        [RIG_CREATE] = 'c', [RIG_OPEN_FILE] = 'o', [RIG_WRITE] = 'w', [RIG_WRITE_AT] = 'W',
        [RIG_READ] = 'r',   [RIG_FSYNC] = 'f',     [RIG_CLOSE] = '.', [RIG_FSTAT] = 't'};
    text_printf(&calls, "%c%s ", letters[call] ? letters[call] : '?', name);
}

// Of one batch, of 2 MiB or 3 operations; what is evicted and looked at doesn't go through the table.
static void test_calls(void **state)
{
    (void)state;
    static const struct {
        const char *id, *calls;
    } cases[] = {
        {"seq-read-cold", "ol00 . ol00 r r r . ol00 . "},
        {"seq-read-reopened", "ol00 r r r . ol00 r r r . ol00 . "},
        {"seq-read-same-fd", "ol00 r r r r r r . "},
        {"seq-read-direct-1m", "ol00 . ol00 r r r . ol00 . "},
        {"rand-read", "ol00 . ol00 r r r . "},
        {"rand-read-buffered", "ol00 r r r . "},
        {"rand-write", "ol00 W W W f . "},
        {"rand-write-buffered", "ol00 W W W f . "},
        {"commit", "cc000-00 w f w f w f . "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *where = large_takes_direct("/dev/shm") ? "/dev/shm" : "/var/tmp";
        struct large_rig *large = large_set_up(where, cases[i].id, 2 * MIB, 3, 1);
        assert_true(large_prepare(large));
        text_free(&calls);
        rig_faults.watch = log_call;
        assert_true(large_measure(large));
        rig_faults.watch = NULL;
        assert_string_equal(text_string(&calls), cases[i].calls);
        assert_true(large_finish(large, true));
        large_tear_down(large);
    }
    text_free(&calls);
}

// ---- What adds up ----

static uint64_t spread_of(uint64_t bytes, unsigned threads, bool full)
{
    uint64_t blocks = 0;
    for (unsigned thread = 0; thread < threads; thread++) {
        uint64_t own = files_share(bytes, MIB, threads, thread) / 4096;
        blocks += full || own < 64 ? own : 64;
    }
    return blocks;
}

// How many blocks of 4 KiB are compared, while reading and afterwards.
static uint64_t blocks_compared(const struct large_rig *large, unsigned batches)
{
    const struct workload *workload = &large->workload;
    uint64_t blocks = workload->bytes / 4096;
    uint64_t spread = spread_of(workload->bytes, workload->threads, large->task.verify_full);
    switch (workload->kind) {
    case WORKLOAD_SEQ_READ: {
        bool twice = workload->access == ACCESS_REOPENED || workload->access == ACCESS_SAME_FD;
        return blocks * batches * (twice ? 2 : 1) + spread;
    }
    case WORKLOAD_RAND_READ:
        return workload->operations * batches + spread;
    case WORKLOAD_COMMIT:
        return workload->operations * batches;
    default: // with verify_full
        return blocks;
    }
}

static void check_phases(const struct large_rig *large, unsigned batches)
{
    const struct workload *workload = &large->workload;
    uint64_t files = (uint64_t)workload->threads * batches, ops = workload_ops(workload) * batches;
    bool reads = workload->kind == WORKLOAD_SEQ_READ, opens = reads && workload->access != ACCESS_SAME_FD;
    assert_int_equal(large_count(large, PHASE_OP), ops);
    assert_int_equal(large_count(large, PHASE_OPEN), opens ? files : 0);
    assert_int_equal(large_count(large, PHASE_CLOSE), opens ? files : 0);
    // The read that gives nothing; a perfect disk has none.
    assert_int_equal(large_count(large, PHASE_READ), reads && !large->null ? files : 0);
    assert_int_equal(large_count(large, PHASE_WRITE), workload->kind == WORKLOAD_COMMIT ? ops : 0);
    assert_int_equal(large_count(large, PHASE_FSYNC), workload->kind == WORKLOAD_COMMIT       ? ops
                                                      : workload->kind == WORKLOAD_RAND_WRITE ? files
                                                                                              : 0);
    uint64_t calls_ns = 0;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        if (large_count(large, phase) > 0)
            calls_ns += large->snapshot.histograms[phase].sum_ns;
    if (workload->kind == WORKLOAD_COMMIT) {
        // A commit is its write and its fsync, and nothing else.
        assert_int_equal(large->snapshot.histograms[PHASE_OP].sum_ns * 2, calls_ns);
        calls_ns /= 2;
    }
    assert_true(calls_ns <= large->sample.wall_ns * workload->threads);
}

static void check_residency(const struct large_rig *large, bool in_memory)
{
    const struct workload *workload = &large->workload;
    const struct sample *sample = &large->sample;
    bool known = workload_descriptions[workload->kind].reads && !large->null;
    assert_int_equal(sample->resident_before.known, known);
    assert_int_equal(sample->resident_after.known, known);
    if (!known)
        return;
    bool again = workload->access == ACCESS_REOPENED || workload->access == ACCESS_SAME_FD;
    bool read = again || workload->access == ACCESS_COLD;
    if (in_memory || again)
        assert_true(sample->resident_before.value >= 0.99);
    else
        assert_true(sample->resident_before.value <= 0.01);
    if (in_memory || read)
        assert_true(sample->resident_after.value >= 0.99);
    if (!in_memory && workload->access == ACCESS_DIRECT)
        assert_true(sample->resident_after.value <= 0.01);
}

static void check_one(const char *where, const char *id, unsigned threads, unsigned batches)
{
    struct large_rig *large = large_set_up(where, id, 4 * MIB, 70, threads);
    large->task.batches = batches;
    large->task.verify_full = large->workload.kind == WORKLOAD_RAND_WRITE;
    if (large->workload.access == ACCESS_DIRECT && !large->null && !large_takes_direct(where)) {
        // Not silently something else: the author of the plan leaves it out where the disk says so.
        assert_true(large_prepare(large));
        assert_false(large_measure(large));
        assert_int_equal(tier_failure(&large->tier)->call, CALL_OPENAT);
        assert_int_equal(tier_failure(&large->tier)->number, EINVAL);
        assert_true(large_finish(large, false));
        large_tear_down(large);
        return;
    }
    large_do(large);
    assert_int_equal(large->sample.batches, batches);
    assert_int_equal(large->snapshot.bytes, workload_bytes(&large->workload) * batches);
    check_phases(large, batches);
    check_residency(large, !large->null && large_in_memory(where));
    assert_int_equal(large->task.has_own, !large->null);
    assert_int_equal(large->task.own.mismatches, 0);
    assert_int_equal(large->task.own.failure.call, CALL_NONE);
    assert_int_equal(large->task.own.blocks, large->null ? 0 : blocks_compared(large, batches));
    // What is read stays for the next workload; what was written goes.
    bool stays = workload_descriptions[large->workload.kind].reads;
    assert_int_equal(large_files(large), stays && !large->null ? threads : 0);
    assert_int_equal(large->tier.files.whole, stays);
    large_tear_down(large);
}

static void check_all(const char *where)
{
    for (size_t i = 0; i < IDS; i++)
        for (unsigned threads = 1; threads <= 3; threads += 2)
            check_one(where, every_id[i], threads, threads == 1 ? 1 : 2);
}

static void test_memory(void **state)
{
    (void)state;
    check_all("/dev/shm");
}

static void test_disk(void **state)
{
    (void)state;
    check_all("/tmp");
}

static void test_null(void **state)
{
    (void)state;
    check_all("null:");
}

// A disk that takes and gives less than it is asked for at a time does as many operations.
static void test_short_writes(void **state)
{
    (void)state;
    static const char *const ids[] = {"rand-write", "rand-write-buffered", "commit"};
    for (size_t i = 0; i < 3; i++) {
        struct large_rig *large = large_set_up("/dev/shm", ids[i], 4 * MIB, 40, 2);
        large->workload.block_bytes = ids[i][0] == 'c' ? 4096 : 16384;
        large->task.verify_full = true;
        assert_true(large_prepare(large));
        rig_faults.short_writes = true;
        assert_true(large_measure(large));
        assert_true(large_finish(large, true));
        assert_int_equal(large_count(large, PHASE_OP), 40);
        assert_int_equal(large->snapshot.bytes, 40 * large->workload.block_bytes);
        assert_int_equal(large->task.own.mismatches, 0);
        assert_int_equal(large->task.own.blocks, ids[i][0] == 'c' ? 40 : 1024);
        assert_true(rig_faults.counts[RIG_WRITE_AT] + rig_faults.counts[RIG_WRITE] > 80);
        large_tear_down(large);
    }
}

// More threads than operations: some have nothing to do.
static void test_few_operations(void **state)
{
    (void)state;
    static const char *const ids[] = {"rand-read-buffered", "rand-write-buffered", "commit"};
    for (size_t i = 0; i < 3; i++) {
        struct large_rig *large = large_set_up("/dev/shm", ids[i], 8 * MIB, 2, 5);
        large_do(large);
        assert_int_equal(large_count(large, PHASE_OP), 2);
        assert_int_equal(large->task.own.mismatches, 0);
        large_tear_down(large);
    }
}

// ---- Places ----

// The offsets that are gone to, as the file tells afterwards: those whose bytes differ from the layout.
static size_t written_places(struct large_rig *large, bool written[1024])
{
    assert_true(large_prepare(large));
    int fd = large_open_again(large, "l00");
    unsigned char *before = xcalloc(4 * MIB, 1), *after = xcalloc(4 * MIB, 1);
    assert_int_equal(pread(fd, before, 4 * MIB, 0), 4 * MIB);
    assert_true(large_measure(large));
    assert_int_equal(pread(fd, after, 4 * MIB, 0), 4 * MIB);
    close(fd);
    size_t count = 0;
    for (size_t block = 0; block < 1024; block++) {
        written[block] = memcmp(before + block * 4096, after + block * 4096, 4096) != 0;
        count += written[block];
    }
    free(before);
    free(after);
    assert_true(large_finish(large, true));
    return count;
}

// Random writes go to the places that the numbers say, on any disk, and each batch to others.
static void test_places(void **state)
{
    (void)state;
    static const char *const wheres[] = {"/dev/shm", "/tmp"};
    for (unsigned batches = 1; batches <= 2; batches++)
        for (size_t i = 0; i < 2; i++) {
            struct large_rig *large = large_set_up(wheres[i], "rand-write-buffered", 4 * MIB, 70, 1);
            large->task.batches = batches;
            bool written[1024], expected[1024] = {false};
            size_t count = written_places(large, written), drawn = 0;
            for (unsigned batch = 0; batch < batches; batch++)
                for (uint64_t item = 0; item < 70; item++)
                    expected[large_offset(large, batch, item) / 4096] = true;
            for (size_t block = 0; block < 1024; block++) {
                drawn += expected[block];
                assert_int_equal(written[block], expected[block]);
            }
            assert_int_equal(count, drawn);
            assert_true(drawn > 60 * (size_t)batches); // hardly any place twice
            large_tear_down(large);
        }
}

// ---- Whole runs ----

// Whether a disk said that it can't do a workload, so that it was left out.
static bool left_out(const struct rig *rig, const struct sample *sample)
{
    const struct workload *workload = &rig->run.plan.workloads[sample->workload];
    const struct capability *supports = &rig->run.tiers[sample->tier].supports;
    if (workload->access == ACCESS_DIRECT)
        return supports->o_direct.known && !supports->o_direct.value;
    return workload->access == ACCESS_COLD && supports->evict.known && !supports->evict.value;
}

static void check_run(const char *where, uint64_t threads, bool warm)
{
    rig_faults_clear();
    char path[RIG_PATH_SIZE];
    rig_directory(path, where);
    struct plan_request request = {.profile = "quick",
                                   .workloads = "seq-read,rand-read,rand-write,commit",
                                   .rounds = warm ? 1 : 2,
                                   .threads = {1, threads},
                                   .thread_count = threads > 1 ? 2 : 1,
                                   .no_warmup = !warm};
    struct rig rig;
    rig_open(&rig, &request, path, "null:");
    for (size_t i = 0; i < rig.run.plan.workload_count; i++) {
        struct workload *workload = &rig.run.plan.workloads[i];
        workload->operations = workload->operations > 0 ? 50 : 0;
        workload->bytes = workload->kind == WORKLOAD_COMMIT ? 50 * 4096 : 3 * MIB;
    }
    rig_start(&rig);
    rig_finish(&rig);
    assert_int_equal(rig.run.status, RUN_COMPLETE);
    size_t measured = 0, skipped = 0;
    for (size_t i = 0; i < rig.run.sample_count; i++) {
        const struct sample *sample = &rig.run.samples[i];
        const struct workload *workload = &rig.run.plan.workloads[sample->workload];
        rig_check_sample(&rig, sample);
        if (left_out(&rig, sample)) {
            assert_int_equal(sample->status, SAMPLE_SKIPPED);
            assert_int_equal(sample->reason, SKIP_UNSUPPORTED);
            skipped++;
            continue;
        }
        if (sample->status != SAMPLE_OK)
            fail_msg("%s round %u: %s %s", workload->id, sample->round,
                     sample->error.call ? sample->error.call : "",
                     sample->error.path ? sample->error.path : "");
        measured++;
        bool real = sample->tier == 0;
        assert_int_equal(sample->has_verify, real);
        assert_int_equal(sample->verify_mismatches, 0);
        assert_int_equal(sample->resident_before.known, real && workload_descriptions[workload->kind].reads);
    }
    assert_true(measured > 0);
    // Memory neither forgets nor bypasses anything; a disk does, or this isn't one to test on.
    assert_int_equal(skipped > 0, large_in_memory(where));
    assert_int_equal(rig_faults.open_files, 0);
    assert_string_equal(text_string(&rig.leftovers), "");
    rig_close_all(&rig);
    assert_int_equal(rig_entries(path), 0);
    rmdir(path);
}

static void test_runs(void **state)
{
    (void)state;
    check_run("/dev/shm", 3, false);
    check_run("/dev/shm", 1, true); // many batches
    if (large_takes_direct("/tmp")) {
        check_run("/tmp", 3, false);
        check_run("/tmp", 1, true);
    }
}

int test_large_files(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw),           cmocka_unit_test(test_calls),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_disk),
        cmocka_unit_test(test_null),           cmocka_unit_test(test_short_writes),
        cmocka_unit_test(test_few_operations), cmocka_unit_test(test_places),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
