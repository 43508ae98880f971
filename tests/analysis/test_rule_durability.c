// The rules of durability, each where it fires, where it doesn't and where it lacks its data.
#include "analysis/ask.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_rule_durability(int argc, char *argv[]);

#define SECOND UINT64_C(1000000000)

// Plain writes on both disks, of which nothing more is known.
static size_t begin(struct run *run, const char *workloads, const char *id, unsigned rounds)
{
    fixture_begin(run, workloads, rounds);
    size_t workload = fixture_find(run, id);
    for (unsigned tier = 0; tier < 2; tier++)
        for (unsigned round = 1; round <= rounds; round++)
            fixture_add(run, workload, tier, round, 5 * SECOND);
    return workload;
}

static void set_mount(struct run *run, unsigned tier, const char *type, const char *options)
{
    struct mount *mount = &run->tiers[tier].mount;
    mount_release(mount);
    mount->type = xstrdup(type);
    mount->options = xstrdup("rw,relatime");
    mount->super_options = xstrdup(options);
}

static void expect(const struct run *run, const char *rule, size_t workload, unsigned tier,
                   enum outcome outcome, const char *sentence)
{
    struct asked_answer answer = ask(run, rule, workload, tier);
    assert_string_equal(answer.sentence, sentence);
    assert_int_equal(answer.outcome, outcome);
}

static void expect_quiet(const struct run *run, const char *rule, size_t workload, unsigned tier)
{
    expect(run, rule, workload, tier, OUTCOME_QUIET, "");
}

static enum verdict verdict_of(const struct run *run, const char *rule, size_t workload, unsigned tier)
{
    return ask(run, rule, workload, tier).verdict;
}

static const char no_mount[] = "the mount isn't known";

// ---- io-error ----

static void a_call_that_failed_takes_the_metric_away(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "create,seq-write-64", "seq-write-64", 3);
    size_t create = fixture_find(&run, "create");
    struct sample *failed = fixture_add_other(&run, write, 0, 3, SAMPLE_FAILED, SKIP_NONE);
    failed->error = (struct sample_error){.call = xstrdup("fsync"), .number = 5, .path = xstrdup("large\n0")};
    failed = fixture_add_other(&run, create, 0, 0, SAMPLE_FAILED, SKIP_NONE);
    failed->error = (struct sample_error){
        .call = xstrdup("openat"), .reason = xstrdup("out of inodes"), .path = xstrdup("d00/f00000003")};
    fixture_add_other(&run, create, 1, 2, SAMPLE_FAILED, SKIP_NONE);
    expect(
        &run, "io-error", write, 0, OUTCOME_FIRED,
        "fsync of large\\x0a0 failed in round 3 of 3: Input/output error. Retrying would hide it, so it was "
        "not retried.");
    expect(
        &run, "io-error", create, 0, OUTCOME_FIRED,
        "openat of d00/f00000003 failed in round 0 (first use): out of inodes. No part of it is reported.");
    expect(&run, "io-error", create, 1, OUTCOME_FIRED,
           "It failed in round 2 of 3, and the document doesn't say why. No part of it is reported.");
    expect_quiet(&run, "io-error", write, 1);
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[write].tiers[0].trust, TRUST_DISCARDED);
    assert_null(asked(&judgement, "sparse-file", write, 0)); // nothing else is asked of it
    judgement_release(&judgement);
    run_release(&run);
}

static void what_differs_is_no_failed_call(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64", "seq-write-64", 1);
    struct sample *failed = fixture_add_other(&run, write, 0, 1, SAMPLE_FAILED, SKIP_NONE);
    failed->error = (struct sample_error){
        .call = xstrdup("verify"), .path = xstrdup("s0"), .op = 3, .has_offset = true, .offset = 1048576};
    failed->has_verify = true;
    failed->verify_mismatches = 1;
    expect_quiet(&run, "io-error", write, 0);
    failed->has_verify = false; // then nobody else would say it
    expect(
        &run, "io-error", write, 0, OUTCOME_FIRED,
        "verify of s0 failed in round 1 of 1: no reason is known (operation 3, byte 1048576). No part of it "
        "is reported.");
    run_release(&run);
}

// ---- What a sync reaches ----

static void durability_of_a_remote_disk_cannot_be_proven(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64", "seq-write-64", 3);
    expect(&run, "durability-unprovable", write, 0, OUTCOME_NOT_CHECKED, no_mount);
    set_mount(&run, 0, "fuse.orlop", "rw");
    set_mount(&run, 1, "ext4", "rw");
    expect(&run, "durability-unprovable", write, 0, OUTCOME_FIRED,
           "Durable as far as fsync reports (fuse.orlop). Whether the bytes were on the server's "
           "storage at that moment cannot be seen from inside; a test across a sleep shows whether they were "
           "there later.");
    assert_int_equal(verdict_of(&run, "durability-unprovable", write, 0), VERDICT_CAVEAT);
    expect_quiet(&run, "durability-unprovable", write, 1);
    run_release(&run);
}

static void a_wider_flush_is_an_upper_bound(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64", "seq-write-64", 3);
    expect_quiet(&run, "upper-bound-sync", write, 0);
    run.plan.workloads[write].sync = SYNC_SYNCFS;
    expect(&run, "upper-bound-sync", write, 0, OUTCOME_FIRED,
           "The flush covers the whole file system, more than the file, so this is an upper bound on the "
           "time to "
           "durability.");
    assert_int_equal(verdict_of(&run, "upper-bound-sync", write, 0), VERDICT_CAVEAT);
    run.plan.workloads[write].sync = SYNC_MACHINE;
    expect(
        &run, "upper-bound-sync", write, 0, OUTCOME_FIRED,
        "The flush covers all file systems of the machine, more than the file, so this is an upper bound on "
        "the time to durability.");
    run_release(&run);
}

static void add_phase(struct sample *sample, enum phase phase, uint64_t ns)
{
    sample->latency[phase] =
        (struct sparse_histogram){.digits = 2, .count = 1, .sum_ns = ns, .min_ns = ns, .max_ns = ns};
}

// Where fsync doesn't wait, the time is no upper bound.
static void no_bound_where_fsync_does_not_wait(void **state)
{
    (void)state;
    static const char *const ids[] = {"seq-write-64", "seq-write-256", "seq-write-1024"};
    static const uint64_t ms[] = {100, 300, 9000};
    struct run run;
    fixture_begin(&run, "seq-write-64,seq-write-256,seq-write-1024", 3);
    for (size_t i = 0; i < 3; i++)
        for (unsigned round = 1; round <= 3; round++) {
            size_t workload = fixture_find(&run, ids[i]);
            run.plan.workloads[workload].sync = SYNC_SYNCFS;
            struct sample *sample = fixture_add(&run, workload, 0, round, ms[i] * 1000000);
            add_phase(sample, PHASE_FSYNC, 1000);
            add_phase(sample, PHASE_CLOSE, 1000);
        }
    size_t write = fixture_find(&run, "seq-write-256");
    assert_int_equal(ask(&run, "fsync-does-not-wait", write, 0).outcome, OUTCOME_FIRED);
    expect_quiet(&run, "upper-bound-sync", write, 0);
    run_release(&run);
}

static void a_sync_alone_misses_a_fuse_server(void **state)
{
    (void)state;
    static const char lacks_calls[] = "whether fsync was called too isn't known";
    struct run run;
    size_t write = begin(&run, "seq-write-64", "seq-write-64", 1);
    run.plan.workloads[write].sync = SYNC_MACHINE;
    expect(&run, "sync-misses-fuse", write, 0, OUTCOME_NOT_CHECKED, no_mount);
    set_mount(&run, 0, "fuse.orlop", "rw");
    expect(&run, "sync-misses-fuse", write, 0, OUTCOME_NOT_CHECKED, lacks_calls);
    add_phase(&run.samples[0], PHASE_OP, 1000);
    expect(
        &run, "sync-misses-fuse", write, 0, OUTCOME_FIRED,
        "sync and syncfs do not reach the buffer of a FUSE server (fuse.orlop). Only fsync does, and it was "
        "not called.");
    assert_int_equal(verdict_of(&run, "sync-misses-fuse", write, 0), VERDICT_DISCARD);
    set_mount(&run, 0, "virtiofs", "rw");
    expect_quiet(&run, "sync-misses-fuse", write, 0);
    set_mount(&run, 0, "fuseblk", "rw"); // from 6.18 on it is asked
    expect(&run, "sync-misses-fuse", write, 0, OUTCOME_NOT_CHECKED,
           "whether syncfs reaches this server isn't known");
    run.tiers[0].supports.syncfs = xstrdup("whole");
    expect_quiet(&run, "sync-misses-fuse", write, 0);
    set_mount(&run, 0, "fuse", "rw");
    free(run.tiers[0].supports.syncfs);
    run.tiers[0].supports.syncfs = xstrdup("local-only");
    assert_int_equal(ask(&run, "sync-misses-fuse", write, 0).outcome, OUTCOME_FIRED);
    add_phase(&run.samples[0], PHASE_FSYNC, 1000);
    expect_quiet(&run, "sync-misses-fuse", write, 0);
    run.plan.workloads[write].sync = SYNC_FSYNC;
    expect_quiet(&run, "sync-misses-fuse", write, 0);
    run_release(&run);
}

static void a_sync_of_the_machine_bills_both_disks(void **state)
{
    (void)state;
    struct run run;
    size_t create = begin(&run, "create", "create", 1);
    expect_quiet(&run, "other-tier-flushed", create, 0);
    run.plan.workloads[create].sync = SYNC_MACHINE;
    expect(
        &run, "other-tier-flushed", create, 0, OUTCOME_FIRED,
        "sync flushes every file system of the machine, the other disk's with them. How much of the time was "
        "not this disk's cannot be told.");
    assert_int_equal(verdict_of(&run, "other-tier-flushed", create, 0), VERDICT_DISCARD);
    run.origin = RUN_IMPORTED;
    assert_int_equal(verdict_of(&run, "other-tier-flushed", create, 0), VERDICT_CAVEAT);
    run_release(&run);
}

static void set_backlog(struct run *run, size_t index, uint64_t bytes)
{
    run->samples[index].has_drain = run->samples[index].has_dirty = true;
    run->samples[index].dirty_after_bytes = bytes;
}

static void a_backlog_is_told(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64,commit", "seq-write-64", 3);
    expect(&run, "backlog-at-start", write, 0, OUTCOME_NOT_CHECKED,
           "what was still to be written before isn't known");
    for (size_t i = 0; i < run.sample_count; i++)
        set_backlog(&run, i, 6 * MIB); // less than a tenth of the payload
    expect_quiet(&run, "backlog-at-start", write, 0);
    set_backlog(&run, 0, 312 * MIB);
    set_backlog(&run, 2, 7 * MIB);
    expect(&run, "backlog-at-start", write, 0, OUTCOME_FIRED,
           "312 MiB of unsaved data, of any disk of this machine, was waiting when round 1 of 3 began; so it "
           "was "
           "in 2 of 3 rounds, of 64 MiB each.");
    assert_int_equal(verdict_of(&run, "backlog-at-start", write, 0), VERDICT_CAVEAT);
    // What is always there is no backlog, however little is written.
    size_t commit = fixture_find(&run, "commit");
    fixture_add(&run, commit, 0, 1, SECOND);
    set_backlog(&run, run.sample_count - 1, 900 * KIB);
    expect_quiet(&run, "backlog-at-start", commit, 0);
    run_release(&run);
}

static void memory_and_volatile_mounts_make_nothing_durable(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64", "seq-write-64", 3);
    expect(&run, "not-durable-by-design", write, 1, OUTCOME_NOT_CHECKED, no_mount);
    set_mount(&run, 0, "ext4", "rw,novolatile");
    set_mount(&run, 1, "tmpfs", "rw");
    expect(&run, "not-durable-by-design", write, 1, OUTCOME_FIRED,
           "It is in memory (tmpfs). There is nothing to make durable, so no ratio of durable "
           "writes is "
           "printed.");
    expect_quiet(&run, "not-durable-by-design", write, 0);
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[write].tiers[1].trust, TRUST_DISCARDED);
    assert_int_equal(judgement.metrics.rows[write].tiers[0].trust, TRUST_CAVEAT);
    assert_int_equal(judgement.metrics.rows[write].ratio.comparison, COMPARISON_NONE);
    judgement_release(&judgement);
    set_mount(&run, 1, "overlay", "rw,lowerdir=/a,volatile");
    expect(&run, "not-durable-by-design", write, 1, OUTCOME_FIRED,
           "It is mounted with volatile (overlay): it ignores syncs. Nothing is made durable, so no "
           "ratio of durable writes is printed.");
    set_mount(&run, 1, "overlay", "fsync=volatile,rw");
    assert_int_equal(ask(&run, "not-durable-by-design", write, 1).outcome, OUTCOME_FIRED);
    set_mount(&run, 1, "overlay", "rw,fsync=volatiles,lowerdir=volatile");
    expect_quiet(&run, "not-durable-by-design", write, 1);
    run_release(&run);
}

// ---- Against the read ----

static void a_write_that_outruns_the_read_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-write-64,seq-write-1024,seq-read-cold", 3);
    size_t small = fixture_find(&run, "seq-write-64"), large = fixture_find(&run, "seq-write-1024");
    size_t cold = fixture_find(&run, "seq-read-cold");
    fixture_add_values(&run, small, 0, (double[]){320, 340, 330}, 3);
    fixture_add_values(&run, large, 0, (double[]){190, 196.9, 200}, 3);
    expect(&run, "write-outruns-read", large, 0, OUTCOME_NOT_CHECKED,
           "no cold read of this disk is measured");
    fixture_add_values(&run, cold, 0, (double[]){16.3, 16, 16.7}, 3);
    expect(&run, "write-outruns-read", large, 0, OUTCOME_FIRED,
           "Writing ran 12x faster than reading back (197 MB/s against 16.3 MB/s). Either reads go one small "
           "request at a time, or part of the write never left this machine.");
    assert_int_equal(verdict_of(&run, "write-outruns-read", large, 0), VERDICT_CAVEAT);
    expect_quiet(&run, "write-outruns-read", small, 0);
    // A read from memory tells nothing of the store.
    run.samples[run.sample_count - 1].resident_before = (struct real){true, 1};
    expect(&run, "write-outruns-read", large, 0, OUTCOME_NOT_CHECKED,
           "no cold read of this disk is measured");
    fixture_add_values(&run, large, 1, (double[]){400, 400, 400}, 3);
    fixture_add_values(&run, cold, 1, (double[]){100, 100, 100}, 3);
    expect_quiet(&run, "write-outruns-read", large, 1);
    run_release(&run);
}

// ---- Inside the file ----

static void a_close_that_does_the_work_is_told(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64,commit", "seq-write-64", 3);
    size_t commit = fixture_find(&run, "commit");
    fixture_add(&run, commit, 0, 1, SECOND);
    expect(&run, "close-carries-cost", write, 0, OUTCOME_NOT_CHECKED,
           "the times of write, fsync and close aren't known apart");
    for (size_t i = 0; i < run.sample_count; i++) {
        struct sample *sample = &run.samples[i];
        add_phase(sample, PHASE_FSYNC, 1000);
        add_phase(sample, PHASE_CLOSE, (sample->tier == 0 ? 4400 : 490) * UINT64_C(1000000));
    }
    expect(&run, "close-carries-cost", write, 0, OUTCOME_FIRED,
           "4.40 s of 5.00 s was in close (medians); close is inside the timed section.");
    assert_int_equal(verdict_of(&run, "close-carries-cost", write, 0), VERDICT_INFO);
    expect_quiet(&run, "close-carries-cost", write, 1);
    expect_quiet(&run, "close-carries-cost", commit, 0);
    run_release(&run);
}

static void data_of_an_import_is_not_known(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-64", "seq-write-64", 3);
    expect_quiet(&run, "compressible-data", write, 0);
    run.origin = RUN_IMPORTED;
    expect(
        &run, "compressible-data", write, 0, OUTCOME_FIRED,
        "What data was written isn't known. A store that compresses or deduplicates writes almost nothing of "
        "zeros and repeats.");
    assert_int_equal(verdict_of(&run, "compressible-data", write, 0), VERDICT_CAVEAT);
    run_release(&run);
}

static void set_allocated(struct run *run, uint64_t bytes)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        run->samples[i].has_allocated = true;
        run->samples[i].allocated_bytes = bytes;
    }
}

static void a_sparse_file_is_told(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "seq-write-256", "seq-write-256", 3);
    expect(&run, "sparse-file", write, 0, OUTCOME_NOT_CHECKED, no_mount);
    set_mount(&run, 0, "ext4", "rw");
    set_mount(&run, 1, "fuse.orlop", "rw");
    expect(&run, "sparse-file", write, 0, OUTCOME_NOT_CHECKED,
           "how much room the file takes wasn't looked at");
    set_allocated(&run, 12 * MIB);
    expect(&run, "sparse-file", write, 0, OUTCOME_FIRED, "Only 12 MiB of 256 MiB is allocated.");
    assert_int_equal(verdict_of(&run, "sparse-file", write, 0), VERDICT_DISCARD);
    expect(&run, "sparse-file", write, 1, OUTCOME_NOT_CHECKED,
           "a fuse.orlop disk needn't tell how much room a file takes");
    set_mount(&run, 0, "btrfs", "rw");
    assert_int_equal(verdict_of(&run, "sparse-file", write, 0), VERDICT_CAVEAT);
    run.samples[1].allocated_bytes = 256 * MIB; // then reading back was broken off in the others
    expect_quiet(&run, "sparse-file", write, 0);
    run_release(&run);
}

// Random writes go into one file, however often they are done.
static void batches_of_random_writes_are_one_file(void **state)
{
    (void)state;
    struct run run;
    size_t write = begin(&run, "rand-write", "rand-write", 1);
    set_mount(&run, 0, "ext4", "rw");
    for (size_t i = 0; i < run.sample_count; i++)
        run.samples[i].batches = 4;
    set_allocated(&run, 64 * MIB);
    expect_quiet(&run, "sparse-file", write, 0);
    set_allocated(&run, 32 * MIB);
    expect(&run, "sparse-file", write, 0, OUTCOME_FIRED, "Only 32 MiB of 64 MiB is allocated.");
    run_release(&run);
}

int test_rule_durability(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_failed_takes_the_metric_away),
        cmocka_unit_test(what_differs_is_no_failed_call),
        cmocka_unit_test(durability_of_a_remote_disk_cannot_be_proven),
        cmocka_unit_test(a_wider_flush_is_an_upper_bound),
        cmocka_unit_test(no_bound_where_fsync_does_not_wait),
        cmocka_unit_test(a_sync_alone_misses_a_fuse_server),
        cmocka_unit_test(a_sync_of_the_machine_bills_both_disks),
        cmocka_unit_test(a_backlog_is_told),
        cmocka_unit_test(memory_and_volatile_mounts_make_nothing_durable),
        cmocka_unit_test(a_write_that_outruns_the_read_is_told),
        cmocka_unit_test(a_close_that_does_the_work_is_told),
        cmocka_unit_test(data_of_an_import_is_not_known),
        cmocka_unit_test(a_sparse_file_is_told),
        cmocka_unit_test(batches_of_random_writes_are_one_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
