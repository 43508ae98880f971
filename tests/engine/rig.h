// rig.h: what the engine's tests share: temporary directories, a disk that fails on demand, and whole runs.
#pragma once

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/engine.h"
#include "engine/target.h"
#include "engine/tier.h"
#include "record/run_json.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// cmocka.h wants the headers above.
#include <cmocka.h>

// ---- Directories ----

enum { RIG_PATH_SIZE = 64 };

static inline void rig_directory(char path[RIG_PATH_SIZE], const char *where)
{
    snprintf(path, RIG_PATH_SIZE, "%s/diskduel-test-XXXXXX", where);
    assert_non_null(mkdtemp(path));
}

static inline size_t rig_entries(const char *path)
{
    DIR *directory = opendir(path);
    assert_non_null(directory);
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)))
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(directory);
    return count;
}

// ---- A disk that fails on demand ----

enum rig_call {
    RIG_NONE,
    RIG_CREATE,
    RIG_OPEN_FILE,
    RIG_OPEN_DIRECTORY,
    RIG_MAKE_DIRECTORY,
    RIG_WRITE,
    RIG_WRITE_AT,
    RIG_READ,
    RIG_READ_DIRECTORY,
    RIG_FSYNC,
    RIG_SYNCFS,
    RIG_CLOSE,
    RIG_STAT,
    RIG_FSTAT,
    RIG_RENAME,
    RIG_UNLINK,
    RIG_REMOVE_DIRECTORY,
    RIG_CALLS
};

// Passes calls on to io_psync, but for what it was told. The fields are set before a run only.
static struct {
    enum rig_call call; // the one that is to fail, or to be told of
    uint64_t from;      // the how manieth since the start, from 1; it and all later ones,
    uint64_t to;        // up to this one
    int number;         // errno; 0: doesn't fail
    void (*hook)(void *context, int dirfd, const char *name); // called at `from`, instead of failing
    void *context;
    void (*watch)(enum rig_call call, const char *name); // told of every call
    uint64_t flip_read;                                  // the how manieth read gives one wrong bit
    bool short_writes;                                   // takes a third of what it is given
    bool zero_writes;                                    // takes nothing
    bool no_types;                                       // lists entries without telling what they are
    bool doubles;                                        // lists a file twice, and another one not at all
    _Atomic uint64_t counts[RIG_CALLS];
    _Atomic int64_t open_files;
} rig_faults;

static inline void rig_faults_clear(void)
{
    memset(&rig_faults, 0, sizeof rig_faults);
}

// Whether this call fails now.
static inline bool rig_fails(enum rig_call call, int dirfd, const char *name)
{
    uint64_t count = atomic_fetch_add(&rig_faults.counts[call], 1) + 1;
    if (rig_faults.watch)
        rig_faults.watch(call, name);
    if (call != rig_faults.call || count < rig_faults.from || count > rig_faults.to)
        return false;
    if (rig_faults.hook && count == rig_faults.from)
        rig_faults.hook(rig_faults.context, dirfd, name);
    errno = rig_faults.number;
    return rig_faults.number != 0;
}

static inline int rig_opened(int fd)
{
    if (fd >= 0)
        atomic_fetch_add(&rig_faults.open_files, 1);
    return fd;
}

static inline int rig_create(struct io *io, int dirfd, const char *name)
{
    return rig_fails(RIG_CREATE, dirfd, name) ? -1 : rig_opened(io_psync.create(io, dirfd, name));
}

static inline int rig_open_file(struct io *io, int dirfd, const char *name, int flags)
{
    return rig_fails(RIG_OPEN_FILE, dirfd, name) ? -1
                                                 : rig_opened(io_psync.open_file(io, dirfd, name, flags));
}

static inline int rig_open_directory(struct io *io, int dirfd, const char *name)
{
    return rig_fails(RIG_OPEN_DIRECTORY, dirfd, name) ? -1
                                                      : rig_opened(io_psync.open_directory(io, dirfd, name));
}

static inline int rig_make_directory(struct io *io, int dirfd, const char *name)
{
    return rig_fails(RIG_MAKE_DIRECTORY, dirfd, name) ? -1 : io_psync.make_directory(io, dirfd, name);
}

static inline ssize_t rig_write(struct io *io, int fd, const void *bytes, size_t size)
{
    if (rig_fails(RIG_WRITE, fd, ""))
        return -1;
    if (rig_faults.zero_writes)
        return 0;
    return io_psync.write(io, fd, bytes, rig_faults.short_writes ? size / 3 + 1 : size);
}

static inline ssize_t rig_write_at(struct io *io, int fd, const void *bytes, size_t size, off_t offset)
{
    if (rig_fails(RIG_WRITE_AT, fd, ""))
        return -1;
    if (rig_faults.zero_writes)
        return 0;
    size_t part = (size / 3 / 4096 + 1) * 4096; // O_DIRECT takes whole blocks only
    return io_psync.write_at(io, fd, bytes, rig_faults.short_writes && part < size ? part : size, offset);
}

static inline ssize_t rig_read(struct io *io, int fd, void *bytes, size_t size, off_t offset)
{
    if (rig_fails(RIG_READ, fd, ""))
        return -1;
    ssize_t got = io_psync.read(io, fd, bytes, size, offset);
    if (got > 0 && atomic_load(&rig_faults.counts[RIG_READ]) == rig_faults.flip_read)
        ((unsigned char *)bytes)[got / 2] ^= 1;
    return got;
}

static inline ssize_t rig_read_directory(struct io *io, int dirfd, void *entries, size_t size)
{
    if (rig_fails(RIG_READ_DIRECTORY, dirfd, ""))
        return -1;
    ssize_t got = io_psync.read_directory(io, dirfd, entries, size);
    const char *first = NULL;
    for (ssize_t at = 0; at < got;) {
        struct io_entry *entry = (struct io_entry *)((unsigned char *)entries + at);
        at += entry->length;
        if (rig_faults.no_types)
            entry->type = 0;
        if (entry->name[0] != 'f')
            continue;
        if (rig_faults.doubles && first) {
            memcpy(entry->name, first, strlen(first));
            break;
        }
        first = entry->name;
    }
    return got;
}

static inline int rig_fsync(struct io *io, int fd)
{
    struct stat status;
    bool directory = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    return rig_fails(RIG_FSYNC, fd, directory ? "/" : "") ? -1 : io_psync.fsync(io, fd);
}

static inline int rig_syncfs(struct io *io, int fd)
{
    return rig_fails(RIG_SYNCFS, fd, "") ? -1 : io_psync.syncfs(io, fd);
}

// Like the kernel's, it is closed even where this fails.
static inline int rig_close(struct io *io, int fd)
{
    atomic_fetch_sub(&rig_faults.open_files, 1);
    int result = io_psync.close(io, fd);
    return rig_fails(RIG_CLOSE, fd, "") ? -1 : result;
}

static inline int rig_stat(struct io *io, int dirfd, const char *name, struct stat *status)
{
    return rig_fails(RIG_STAT, dirfd, name) ? -1 : io_psync.stat(io, dirfd, name, status);
}

static inline int rig_fstat(struct io *io, int fd, struct stat *status)
{
    return rig_fails(RIG_FSTAT, fd, "") ? -1 : io_psync.fstat(io, fd, status);
}

static inline int rig_rename(struct io *io, int dirfd, const char *from, const char *to)
{
    return rig_fails(RIG_RENAME, dirfd, from) ? -1 : io_psync.rename(io, dirfd, from, to);
}

static inline int rig_unlink(struct io *io, int dirfd, const char *name)
{
    return rig_fails(RIG_UNLINK, dirfd, name) ? -1 : io_psync.unlink(io, dirfd, name);
}

static inline int rig_remove_directory(struct io *io, int dirfd, const char *name)
{
    return rig_fails(RIG_REMOVE_DIRECTORY, dirfd, name) ? -1 : io_psync.remove_directory(io, dirfd, name);
}

static const struct io_calls rig_calls = {
    .name = "rig",
    .create = rig_create,
    .open_file = rig_open_file,
    .open_directory = rig_open_directory,
    .make_directory = rig_make_directory,
    .write = rig_write,
    .write_at = rig_write_at,
    .read = rig_read,
    .read_directory = rig_read_directory,
    .fsync = rig_fsync,
    .syncfs = rig_syncfs,
    .close = rig_close,
    .stat = rig_stat,
    .fstat = rig_fstat,
    .rename = rig_rename,
    .unlink = rig_unlink,
    .remove_directory = rig_remove_directory,
};

// ---- A run ----

struct rig {
    struct run run;
    struct target targets[RUN_TIERS_MOST];
    struct store_place store;
    char folder[RIG_PATH_SIZE]; // of the documents
    struct engine *_Atomic engine;
    size_t (*ask)(const struct run *run, struct follow_up list[FOLLOW_UPS_MOST]); // NULL: for nothing
    uint64_t idle_ns;
    struct text leftovers; // as the engine named them
    bool save_failed;
};

// A plan of all workloads that takes no time.
static inline struct plan_request rig_request(void)
{
    return (struct plan_request){.profile = "quick",
                                 .rounds = 2,
                                 .files = 40,
                                 .sizes = {2 * MIB},
                                 .size_count = 1,
                                 .block_bytes = 65536};
}

static inline void rig_judge(const struct run *run, struct judgement *judgement)
{
    (void)run;
    (void)judgement;
}

static inline void rig_open_tier(struct rig *rig, const char *path)
{
    unsigned number = rig->run.tier_count++;
    struct tier_name name = {0};
    struct error error;
    assert_true(tier_name_parse(path, &name, &error));
    if (!target_open(&name, &rig->targets[number], &rig->run.tiers[number], &error))
        fail_msg("%s", error.text);
    rig->run.tiers[number].name = xstrdup(number == 0 ? "A" : "B");
    tier_name_release(&name);
}

// Plans and opens a run on `a` and, unless it is NULL, `b`: paths or "null:". Tier A's calls go through the
// faults, where it is a real one.
static inline void rig_open(struct rig *rig, const struct plan_request *request, const char *a, const char *b)
{
    memset(rig, 0, sizeof *rig);
    struct error error;
    run_begin(&rig->run);
    if (!plan_make(request, &rig->run.plan, &error))
        fail_msg("%s", error.text);
    rig_open_tier(rig, a);
    if (b)
        rig_open_tier(rig, b);
    if (!rig->run.tiers[0].null)
        rig->targets[0].calls = &rig_calls;
    rig_directory(rig->folder, "/tmp");
    if (!store_open(&rig->store, rig->folder, NULL, rig->run.id, &error))
        fail_msg("%s", error.text);
}

static inline void rig_start(struct rig *rig)
{
    struct error error;
    struct engine_setup setup = {.run = &rig->run,
                                 .targets = rig->targets,
                                 .store = &rig->store,
                                 .judge = rig_judge,
                                 .ask = rig->ask,
                                 .idle_ns = rig->idle_ns};
    struct engine *engine;
    if (!engine_start(&engine, &setup, &error))
        fail_msg("%s", error.text);
    rig->engine = engine;
}

// For hooks, which run while engine_start() may still be about to return.
static inline struct engine *rig_engine(struct rig *rig)
{
    while (!rig->engine)
        clock_sleep_until(clock_monotonic_ns() + NS_PER_MS);
    return rig->engine;
}

static inline void rig_finish(struct rig *rig)
{
    assert_true(engine_wait(rig->engine, UINT64_MAX));
    struct engine_look look;
    engine_look(rig->engine, &look);
    rig->save_failed = look.save_failed;
    text_puts(&rig->leftovers, engine_leftovers(rig->engine));
    engine_free(rig->engine);
    rig->engine = NULL;
}

static inline void rig_close_all(struct rig *rig)
{
    for (unsigned i = 0; i < rig->run.tier_count; i++)
        target_close(&rig->targets[i]);
    store_close(&rig->store);
    run_release(&rig->run);
    text_free(&rig->leftovers);
    char command[128];
    snprintf(command, sizeof command, "rm -rf -- '%s'", rig->folder);
    assert_int_equal(system(command), 0);
}

static inline void rig_run(struct rig *rig, const struct plan_request *request, const char *a, const char *b)
{
    rig_open(rig, request, a, b);
    rig_start(rig);
    rig_finish(rig);
}

// A tier alone, without an engine: on `path`, with all that the plan asks for.
static inline void rig_open_one(struct rig *rig, struct tier *tier, const struct plan_request *request,
                                const char *path)
{
    rig_open(rig, request, path, NULL);
    struct error error;
    struct tier_setup setup = {
        .target = &rig->targets[0], .null = rig->run.tiers[0].null, .plan = &rig->run.plan, .nonce = 7};
    if (!tier_open(tier, &setup, &error) || !tier_make_scratch(tier, rig->run.id, &error))
        fail_msg("%s", error.text);
}

static inline void rig_close_one(struct rig *rig, struct tier *tier)
{
    tier_remove(tier, &rig->leftovers);
    assert_int_equal(rig->leftovers.length, 0);
    tier_close(tier);
    rig_close_all(rig);
}

// The sample of that workload, tier and round; NULL where there is none.
static inline const struct sample *rig_sample(const struct rig *rig, const char *workload, unsigned tier,
                                              unsigned round)
{
    for (size_t i = 0; i < rig->run.sample_count; i++) {
        const struct sample *sample = &rig->run.samples[i];
        if (sample->tier == tier && sample->round == round &&
            !strcmp(rig->run.plan.workloads[sample->workload].id, workload))
            return sample;
    }
    return NULL;
}

// How many workloads its rounds have.
static inline size_t rig_in_rounds(const struct rig *rig)
{
    size_t count = 0;
    for (size_t i = 0; i < rig->run.plan.workload_count; i++)
        count += !rig->run.plan.workloads[i].follow_up;
    return count;
}

// How many events say that.
static inline size_t rig_events(const struct rig *rig, const char *part)
{
    size_t count = 0;
    for (size_t i = 0; i < rig->run.event_count; i++)
        count += strstr(rig->run.events[i].text, part) != NULL;
    return count;
}

// What holds of every histogram.
static inline void rig_check_latency(const struct sparse_histogram *sparse)
{
    if (sparse->count == 0) {
        assert_int_equal(sparse->length, 0);
        assert_int_equal(sparse->sum_ns, 0);
        return;
    }
    uint64_t count = 0;
    for (size_t i = 0; i < sparse->length; i++) {
        assert_true(i == 0 || sparse->bins[i].lowest_ns > sparse->bins[i - 1].lowest_ns);
        assert_true(sparse->bins[i].count > 0);
        count += sparse->bins[i].count;
    }
    assert_int_equal(count, sparse->count);
    assert_true(sparse->bins[0].lowest_ns <= sparse->min_ns);
    assert_true(sparse->bins[sparse->length - 1].lowest_ns <= sparse->max_ns);
    assert_in_range(sparse->sum_ns, sparse->count * sparse->min_ns, sparse->count * sparse->max_ns);
    struct histogram histogram;
    histogram_init(&histogram, sparse->digits);
    sparse_add_to(sparse, &histogram);
    uint64_t before_ns = sparse->min_ns;
    for (unsigned permille = 0; permille <= 1000; permille += 50) {
        uint64_t ns = histogram_percentile(&histogram, permille);
        assert_in_range(ns, before_ns, sparse->max_ns);
        before_ns = ns;
    }
    histogram_release(&histogram);
}

// Blocks of 4 KiB, a file's last one counted where it isn't whole.
static inline uint64_t rig_tree_blocks(const struct tree *tree)
{
    uint64_t blocks = 0;
    for (uint64_t item = 0; item < tree->files; item++)
        blocks += (tree_file_bytes(tree, item) + 4095) / 4096;
    return blocks;
}

// A file is its calls, end to end, and nothing else; and calls are inside wall_ns, each thread's one after
// the other.
static inline void rig_check_calls(const struct workload *workload, const struct sample *sample)
{
    uint64_t sum_ns[PHASE_COUNT], file_ns = 0, calls_ns = 0;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        sum_ns[phase] = sample->latency[phase].sum_ns;
        file_ns += phase == PHASE_OP ? 0 : sum_ns[phase];
        calls_ns += sum_ns[phase];
    }
    if (workload->kind == WORKLOAD_CREATE || workload->kind == WORKLOAD_READ_TREE) {
        assert_int_equal(sum_ns[PHASE_OP], file_ns);
        calls_ns = file_ns;
    }
    if (workload->kind == WORKLOAD_COMMIT)
        calls_ns = sum_ns[PHASE_OP];
    assert_true(calls_ns <= (sample->wall_ns - sample->sync_ns) * workload->threads);
}

// What holds of every sample, whatever it measured.
static inline void rig_check_sample(const struct rig *rig, const struct sample *sample)
{
    const struct workload *workload = &rig->run.plan.workloads[sample->workload];
    uint64_t ops = 0, bytes = 0, octaves = 0, before_ns = 0;
    for (size_t i = 0; i < sample->series_length; i++) {
        const struct interval *interval = &sample->series[i];
        assert_int_equal(interval->start_ns, before_ns);
        assert_true(interval->end_ns > interval->start_ns);
        before_ns = interval->end_ns;
        ops += interval->ops;
        bytes += interval->bytes;
        for (unsigned octave = 0; octave < SERIES_OCTAVES; octave++)
            octaves += interval->octaves[octave];
    }
    assert_int_equal(ops, sample->ops);
    assert_int_equal(bytes, sample->bytes);
    assert_int_equal(octaves, sample->ops);
    assert_int_equal(sample->latency[PHASE_OP].count, sample->ops);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        rig_check_latency(&sample->latency[phase]);
        if (!(workload_descriptions[workload->kind].phases & (1u << phase)))
            assert_int_equal(sample->latency[phase].count, 0);
    }
    assert_true(sample->sync_ns <= sample->wall_ns);
    assert_true((workload->sync != SYNC_NONE && workload_on_tree(workload)) || sample->sync_ns == 0);
    bool reads = workload_descriptions[workload->kind].reads;
    assert_true(reads || (!sample->resident_before.known && !sample->resident_after.known));
    assert_true(sample->resident_before.value >= 0 && sample->resident_before.value <= 1);
    assert_true(sample->resident_after.value >= 0 && sample->resident_after.value <= 1);
    for (size_t i = 0; i < sample->mib_length; i++) {
        assert_true(i == 0 || sample->mib_ns[i] >= sample->mib_ns[i - 1]);
        assert_true(sample->mib_ns[i] <= before_ns); // the end of the last interval
    }
    assert_true(sample->verify_mismatches <= sample->verify_blocks);
    assert_true(!sample->drain_timed_out || sample->has_dirty);
    if (sample->status != SAMPLE_OK)
        return;
    assert_int_equal(sample->ops, workload_ops(workload) * sample->batches);
    assert_int_equal(sample->bytes, workload_bytes(workload) * sample->batches);
    assert_true(sample->series_length >= 1);
    assert_true(before_ns >= sample->wall_ns);
    assert_true(sample->wall_ns > 0);
    assert_int_equal(sample->mib_length, workload->kind == WORKLOAD_SEQ_WRITE && workload->threads == 1
                                             ? workload->bytes / MIB * sample->batches
                                             : 0);
    if (workload->kind == WORKLOAD_READ_TREE && !rig->run.tiers[sample->tier].null)
        assert_int_equal(sample->verify_blocks, rig_tree_blocks(&workload->tree) * sample->batches);
    rig_check_calls(workload, sample);
    assert_null(sample->error.call);
}

static inline void rig_check_all_ok(const struct rig *rig)
{
    uint64_t end_ns = 0;
    for (size_t i = 0; i < rig->run.sample_count; i++) {
        const struct sample *sample = &rig->run.samples[i];
        if (sample->status != SAMPLE_OK)
            fail_msg("%s round %u: %s %s", rig->run.plan.workloads[sample->workload].id, sample->round,
                     sample->error.call ? sample->error.call : "",
                     sample->error.path ? sample->error.path : "");
        assert_int_equal(sample->sequence, i);
        rig_check_sample(rig, sample);
        // One at a time: never both tiers, and what is untimed lies between.
        assert_true(sample->start_ns >= end_ns);
        end_ns = sample->start_ns + sample->wall_ns;
    }
}
