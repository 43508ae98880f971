// large_rig.h: one section of a workload on large files, step by step and without an engine, so that a test
// can change things between the steps.
#pragma once

#include "rig.h"

#include "engine/draw.h"
#include "engine/files.h"
#include "engine/section.h"
#include "engine/work.h"
#include "stats/snapshot.h"

#include <sys/statfs.h>

enum { LARGE_MAKING = 3, LARGE_LAYOUT = 4, LARGE_DRAW = 99, LARGE_TMPFS_NUMBER = 0x01021994 };

struct large_rig {
    char path[RIG_PATH_SIZE];
    bool null;
    struct rig rig;
    struct tier tier;
    struct workload workload;
    struct task task;
    struct sample sample;
    struct snapshot snapshot; // of the section's lanes
    _Atomic unsigned activity;
};

// `where` is a directory, or "null:". Not on the stack, since the crew goes on where a check fails.
static inline struct large_rig *large_set_up(const char *where, const char *id, uint64_t bytes,
                                             uint64_t operations, unsigned threads)
{
    rig_faults_clear();
    struct large_rig *large = xcalloc(1, sizeof *large);
    large->null = !strcmp(where, "null:");
    if (large->null)
        snprintf(large->path, sizeof large->path, "%s", where);
    else
        rig_directory(large->path, where);
    struct plan_request request = {
        .profile = "quick", .workloads = id, .rounds = 1, .threads = {threads}, .thread_count = 1};
    rig_open_one(&large->rig, &large->tier, &request, large->path);
    large->workload = large->rig.run.plan.workloads[0];
    large->workload.bytes = bytes;
    large->workload.operations = operations;
    if (large->workload.kind == WORKLOAD_COMMIT)
        large->workload.bytes = operations * large->workload.block_bytes;
    large->task = (struct task){.tier = &large->tier,
                                .workload = &large->workload,
                                .batches = 1,
                                .making = LARGE_MAKING,
                                .layout = LARGE_LAYOUT,
                                .draw = LARGE_DRAW,
                                .activity = &large->activity};
    snapshot_init(&large->snapshot, (1u << PHASE_COUNT) - 1);
    return large;
}

static inline bool large_prepare(struct large_rig *large)
{
    tier_clear(&large->tier);
    return work_of(large->workload.kind)->prepare(&large->task);
}

static inline bool large_measure(struct large_rig *large)
{
    tier_clear(&large->tier);
    bool whole = section_do_batches(&large->task, &large->sample);
    // The lanes have room for the phases of the plan's workloads only, and are read for those.
    snapshot_release(&large->snapshot);
    snapshot_init(&large->snapshot, workload_descriptions[large->workload.kind].phases);
    snapshot_take(&large->snapshot, large->tier.crew.lanes, large->tier.crew.size);
    return whole;
}

static inline bool large_finish(struct large_rig *large, bool whole)
{
    const struct work *work = work_of(large->workload.kind);
    return !work->settle || work->settle(&large->task, whole);
}

// The three of them.
static inline void large_do(struct large_rig *large)
{
    assert_true(large_prepare(large));
    assert_true(large_measure(large));
    assert_true(large_finish(large, true));
}

static inline uint64_t large_count(const struct large_rig *large, enum phase phase)
{
    return large->snapshot.phases & (1u << phase) ? large->snapshot.histograms[phase].count : 0;
}

// How many files lie in the scratch directory, but for the marker.
static inline size_t large_files(const struct large_rig *large)
{
    if (large->null)
        return 0;
    char path[RIG_PATH_SIZE];
    snprintf(path, sizeof path, "/proc/self/fd/%d", large->tier.scratch.dirfd);
    size_t count = 0;
    DIR *directory = opendir(path);
    assert_non_null(directory);
    const struct dirent *entry;
    while ((entry = readdir(directory)))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static inline int large_open_again(const struct large_rig *large, const char *name)
{
    int fd = openat(large->tier.scratch.dirfd, name, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static inline void large_flip(const struct large_rig *large, const char *name, uint64_t offset)
{
    int fd = large_open_again(large, name);
    unsigned char byte;
    assert_int_equal(pread(fd, &byte, 1, (off_t)offset), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)offset), 1);
    close(fd);
}

// Where an operation of the first thread's goes to.
static inline uint64_t large_offset(const struct large_rig *large, unsigned batch, uint64_t item)
{
    const struct workload *workload = &large->workload;
    uint64_t own = files_share(workload->bytes, MIB, workload->threads, 0);
    return draw_below(LARGE_DRAW, batch, item, own / workload->block_bytes) * workload->block_bytes;
}

// Whether a file in that directory can be opened with O_DIRECT.
static inline bool large_takes_direct(const char *where)
{
    char path[RIG_PATH_SIZE];
    snprintf(path, sizeof path, "%s/diskduel-direct-XXXXXX", where);
    int fd = mkostemp(path, O_CLOEXEC);
    assert_true(fd >= 0);
    close(fd);
    fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    assert_true(fd >= 0 || errno == EINVAL);
    if (fd >= 0)
        close(fd);
    unlink(path);
    return fd >= 0;
}

static inline bool large_in_memory(const char *where)
{
    struct statfs status;
    assert_int_equal(statfs(where, &status), 0);
    return status.f_type == LARGE_TMPFS_NUMBER;
}

static inline void large_tear_down(struct large_rig *large)
{
    assert_int_equal(rig_faults.open_files, 0);
    for (unsigned i = 0; i < large->tier.crew.size; i++)
        assert_int_equal(large->tier.crew.workers[i].fd, -1);
    assert_true(files_remove(&large->tier));
    assert_int_equal(large_files(large), 0);
    sample_release(&large->sample);
    snapshot_release(&large->snapshot);
    rig_close_one(&large->rig, &large->tier);
    if (!large->null) {
        assert_int_equal(rig_entries(large->path), 0);
        rmdir(large->path);
    }
    free(large);
}
