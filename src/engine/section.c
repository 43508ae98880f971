// section.c: batch by batch, with the sampler watching.
#include "engine/section.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/aligned.h"
#include "engine/engine.h"
#include "engine/preflight.h"

#include <stdlib.h>
#include <string.h>

#define SECTION_LEAST_NS (UINT64_C(50) * NS_PER_MS)

unsigned section_batches(uint64_t first_ns)
{
    if (first_ns >= SECTION_LEAST_NS)
        return 1;
    if (first_ns <= SECTION_LEAST_NS / SECTION_BATCHES_MOST)
        return SECTION_BATCHES_MOST;
    return (unsigned)((SECTION_LEAST_NS + first_ns - 1) / first_ns);
}

static unsigned at_most(unsigned batches, uint64_t available, uint64_t each)
{
    uint64_t most = available / each;
    if (most >= batches)
        return batches;
    return most > 1 ? (unsigned)most : 1;
}

unsigned section_batches_in(unsigned batches, const struct workload *workload, const struct room *room,
                            bool shared)
{
    unsigned part = shared ? 4 : 2;
    uint64_t files = workload_files(workload), bytes = workload->bytes;
    if (workload_descriptions[workload->kind].on_tree) {
        uint64_t blocks = (workload->tree.file_bytes + PAYLOAD_BLOCK - 1) / PAYLOAD_BLOCK;
        bytes = files * (blocks ? blocks : 1) * PAYLOAD_BLOCK;
        files += tree_directories(&workload->tree) + 1;
    }
    if (room->has_bytes)
        batches = at_most(batches, room->bytes / part, bytes);
    if (room->has_files)
        batches = at_most(batches, room->files / part, files);
    return batches;
}

uint64_t section_bytes(const struct workload *workload, unsigned batches)
{
    if (!workload_descriptions[workload->kind].on_tree)
        return workload->bytes * batches;
    uint64_t tree = workload->tree.files * workload->tree.file_bytes;
    return work_of(workload->kind)->one_tree ? tree : tree * batches;
}

static bool closing_sync(struct task *task, struct sample *sample)
{
    struct tier *tier = task->tier;
    uint64_t start_ns = tier_call_begin(tier, CALL_SYNCFS);
    bool synced = tier->io.calls->syncfs(&tier->io, tier_dirfd(tier)) == 0;
    if (!synced)
        tier_fail(tier, CALL_SYNCFS, ".");
    uint64_t took_ns = tier_call_end(tier) - start_ns;
    sample->sync_ns += took_ns;
    sample->wall_ns += took_ns;
    return synced;
}

static bool measure_batch(struct task *task, unsigned number, struct sample *sample)
{
    struct tier *tier = task->tier;
    const struct work *work = work_of(task->workload->kind);
    struct job job = {.workload = task->workload,
                      .threads = task->workload->threads,
                      .dirfd = tier_dirfd(tier),
                      .treefd = -1,
                      .batch = work->one_tree ? 0 : number,
                      .making = task->making,
                      .mib_ns = sample->mib_ns};
    memcpy(job.stages, work->stages, sizeof job.stages);
    if (work->in_tree) {
        job.treefd = trees_open(tier, job.batch);
        if (job.treefd < 0)
            return false;
    }
    sample->batches++;
    sample->wall_ns += crew_run(&tier->crew, &job);
    bool good = !crew_halted(&tier->crew);
    if (work->in_tree)
        tier->io.calls->close(&tier->io, job.treefd);
    return good && (task->workload->sync != SYNC_SYNCFS || closing_sync(task, sample));
}

// One thread's file gives a time for each MiB.
static void prepare_mib_times(const struct task *task, struct sample *sample)
{
    const struct workload *workload = task->workload;
    if (workload_descriptions[workload->kind].on_tree || workload->threads != 1)
        return;
    sample->mib_ns = aligned_zeroed(64, task->batches * (workload->bytes / MIB) * sizeof *sample->mib_ns);
}

static void take_mib_times(const struct task *task, uint64_t started_ns, struct sample *sample)
{
    if (!sample->mib_ns)
        return;
    sample->mib_length = task->tier->crew.workers[0].mib_length;
    for (size_t i = 0; i < sample->mib_length; i++)
        sample->mib_ns[i] -= started_ns;
}

static void take_lanes(const struct task *task, const struct section_watch *watch, struct sample *sample)
{
    const struct crew *crew = &task->tier->crew;
    struct snapshot *snapshot = watch->snapshot;
    snapshot_take(snapshot, crew->lanes, crew->size);
    sample->ops = snapshot->ops;
    sample->bytes = snapshot->bytes;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        if (snapshot->phases & (1u << phase))
            sparse_from(&sample->latency[phase], &snapshot->histograms[phase]);
}

bool section_measure(struct task *task, const struct section_watch *watch, struct sample *sample)
{
    struct tier *tier = task->tier;
    tier_clear(tier);
    prepare_mib_times(task, sample);
    atomic_store(task->activity, ACTIVITY_MEASURING);
    uint64_t pauses = pause_watch_count(watch->pauses);
    sample->started_realtime_ns = clock_realtime_ns();
    uint64_t before_ns = clock_monotonic_ns();
    sampler_begin(watch->sampler,
                  &(struct sampler_section){.tier = watch->tier,
                                            .number = watch->number,
                                            .ops_planned = workload_ops(task->workload) * task->batches,
                                            .lanes = tier->crew.lanes,
                                            .lane_count = tier->crew.size,
                                            .started_ns = &tier->crew.started_ns});
    bool whole = true;
    for (unsigned number = 0; whole && number < task->batches; number++)
        whole = measure_batch(task, number, sample);
    sampler_end(watch->sampler, &sample->series, &sample->series_length);
    task->paused = pause_watch_count(watch->pauses) != pauses;

    uint64_t started_ns = atomic_load_explicit(&tier->crew.started_ns, memory_order_relaxed);
    if (started_ns == 0)
        started_ns = before_ns; // the first batch's tree couldn't be opened
    sample->start_ns = started_ns - watch->origin_ns;
    take_mib_times(task, started_ns, sample);
    take_lanes(task, watch, sample);
    return whole;
}

// What a call that failed means, where its errno doesn't say it.
static const char *reason_of(const struct failure *failure)
{
    if (failure->out_of_inodes)
        return "out of inodes";
    if (failure->number != 0)
        return NULL;
    if (failure->call == CALL_VERIFY)
        return "what was read back differs from what was written";
    if (failure->call == CALL_GETDENTS)
        return "it doesn't hold the files that were made in it";
    if (failure->call == CALL_RMDIR)
        return "not all of it could be removed";
    return "nothing was written";
}

void section_note_failure(struct sample *sample, const struct failure *failure)
{
    if (failure->call == CALL_NONE || sample->error.call)
        return;
    sample->status = SAMPLE_FAILED;
    sample->reason = SKIP_NONE;
    const char *reason = reason_of(failure);
    sample->error = (struct sample_error){.call = xstrdup(call_name(failure->call)),
                                          .reason = reason ? xstrdup(reason) : NULL,
                                          .number = failure->number,
                                          .path = xstrdup(failure->path),
                                          .op = failure->op,
                                          .has_offset = failure->has_offset,
                                          .offset = failure->offset};
}

void section_note_check(struct sample *sample, const struct check *check)
{
    sample->has_verify = true;
    sample->verify_blocks += check->blocks;
    sample->verify_mismatches += check->mismatches;
    sample->has_allocated |= check->has_allocated;
    sample->allocated_bytes += check->allocated_bytes;
    section_note_failure(sample, &check->failure);
}
