// section.c: batch by batch, with the sampler watching.
#include "engine/section.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/aligned.h"
#include "engine/engine.h"
#include "engine/preflight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_LEAST_NS (UINT64_C(50) * NS_PER_MS)
#define WAIT_SLICE_NS    (UINT64_C(50) * NS_PER_MS)

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
    if (workload_descriptions[workload->kind].on == ON_FILE)
        return batches; // all of them work on files that lie there already
    unsigned part = shared ? 4 : 2;
    uint64_t files = workload_files(workload);
    if (workload_on_tree(workload))
        files += tree_directories(&workload->tree) + 1;
    if (room->has_bytes)
        batches = at_most(batches, room->bytes / part, workload_payload(workload));
    if (room->has_files)
        batches = at_most(batches, room->files / part, files);
    return batches;
}

uint64_t section_bytes(const struct workload *workload, unsigned batches)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (workload_on_tree(workload))
        return tree_bytes(&workload->tree) * (work_of(workload->kind)->one_tree ? 1 : batches);
    return description->writes ? workload_bytes(workload) * batches : 0;
}

// ---- The closing sync ----

static bool sync_all(struct tier *tier)
{
    tier_call_begin(tier, CALL_SYNCFS);
    return tier->io.calls->syncfs(&tier->io, tier_dirfd(tier)) == 0 || tier_fail(tier, CALL_SYNCFS, ".");
}

static bool sync_directory(struct tier *tier, const char *path)
{
    const struct io_calls *calls = tier->io.calls;
    tier_call_begin(tier, CALL_OPENAT);
    int fd = calls->open_directory(&tier->io, tier_dirfd(tier), path);
    if (fd < 0)
        return tier_fail(tier, CALL_OPENAT, path);
    tier_call_begin(tier, CALL_DIRSYNC);
    bool synced = calls->fsync(&tier->io, fd) == 0 || tier_fail(tier, CALL_DIRSYNC, path);
    tier_call_begin(tier, CALL_CLOSE);
    bool closed = calls->close(&tier->io, fd) == 0 || !synced || tier_fail(tier, CALL_CLOSE, path);
    return synced && closed;
}

// Each directory that a batch changed: the leaves, of which a delete leaves none, and the tree's own.
static bool sync_directories(struct task *task, unsigned batch)
{
    struct tier *tier = task->tier;
    const struct tree *tree = &task->workload->tree;
    char own[NAME_SIZE];
    name_tree(batch, own);
    bool leaves = tree->depth > 0 && task->workload->kind != WORKLOAD_DELETE;
    for (unsigned leaf = 0; leaves && leaf < tree_leaves(tree); leaf++) {
        char below[TREE_PATH_SIZE], path[NAME_PATH_SIZE];
        tree_directory_path(tree, tree->depth, leaf, below);
        snprintf(path, sizeof path, "%s/%s", own, below);
        if (crew_asked(&tier->crew) || !sync_directory(tier, path))
            return false;
    }
    return sync_directory(tier, own);
}

// What makes a batch durable. Large files are synced by those who write them.
static bool closing_sync(struct task *task, unsigned batch, struct sample *sample)
{
    const struct workload *workload = task->workload;
    if (workload->sync == SYNC_NONE || !workload_on_tree(workload))
        return true;
    uint64_t start_ns = clock_monotonic_ns();
    bool synced = workload->sync == SYNC_SYNCFS ? sync_all(task->tier) : sync_directories(task, batch);
    uint64_t took_ns = tier_call_end(task->tier) - start_ns;
    sample->sync_ns += took_ns;
    sample->wall_ns += took_ns;
    return synced;
}

// ---- A batch ----

static struct job job_of(const struct task *task, unsigned number, const struct sample *sample)
{
    const struct tier *tier = task->tier;
    const struct workload *workload = task->workload;
    const struct work *work = work_of(workload->kind);
    struct job job = {.workload = workload,
                      .threads = workload->threads,
                      .dirfd = tier_dirfd(tier),
                      .treefd = -1,
                      .batch = work->one_tree ? 0 : number,
                      .draw = task->draw,
                      .making = task->making,
                      .layout = tier->files.layout,
                      .mib_ns = sample->mib_ns};
    if (workload_on_tree(workload)) {
        job.making = tier->trees.makings[job.batch];
        job.renamed = tier->trees.renamed[job.batch];
    }
    return job;
}

// What is done around a batch, untimed, and what is in the page cache then.
static void do_untimed(struct task *task, const struct job *batch, void (*stage)(struct worker *),
                       bool closing, struct real *resident)
{
    if (!stage)
        return;
    struct job job = *batch;
    job.stages[0] = stage;
    job.stages[1] = NULL;
    job.untimed = true;
    job.closing = closing;
    job.mib_ns = NULL;
    struct crew *crew = &task->tier->crew;
    if (task->sampler)
        sampler_hold(task->sampler);
    crew_run(crew, &job);
    if (task->sampler && !closing)
        sampler_resume(task->sampler);
    struct residency found = crew_collect_residency(crew);
    if (found.pages == 0 || !workload_descriptions[task->workload->kind].reads)
        return;
    double share = (double)found.resident / (double)found.pages;
    if (!resident->known || share > resident->value)
        *resident = (struct real){.known = true, .value = share};
}

static bool do_batch(struct task *task, const struct job *job, struct sample *sample)
{
    struct crew *crew = &task->tier->crew;
    const struct work *work = work_of(task->workload->kind);
    if (work->before && sample->batches == 0) // of later batches it would only flicker
        atomic_store(task->activity, ACTIVITY_PREPARING);
    do_untimed(task, job, work->before, false, &sample->resident_before);
    atomic_store(task->activity, ACTIVITY_MEASURING);
    if (!crew_halted(crew)) {
        sample->batches++;
        sample->wall_ns += crew_run(crew, job);
    }
    bool good = !crew_halted(crew) && closing_sync(task, job->batch, sample);
    do_untimed(task, job, work->after, true, &sample->resident_after);
    return good && !crew_failure(crew);
}

static bool measure_batch(struct task *task, unsigned number, struct sample *sample)
{
    struct tier *tier = task->tier;
    const struct work *work = work_of(task->workload->kind);
    struct job job = job_of(task, number, sample);
    memcpy(job.stages, work->stages, sizeof job.stages);
    if (!work->in_tree)
        return do_batch(task, &job, sample);
    job.treefd = trees_open(tier, job.batch);
    if (job.treefd < 0)
        return false;
    bool good = do_batch(task, &job, sample);
    tier->io.calls->close(&tier->io, job.treefd);
    return good;
}

bool section_do_batches(struct task *task, struct sample *sample)
{
    bool whole = !crew_asked(&task->tier->crew);
    for (unsigned number = 0; whole && number < task->batches; number++)
        whole = measure_batch(task, number, sample);
    // What was read was compared on the way.
    bool compared = workload_descriptions[task->workload->kind].reads && !task->tier->null;
    if (compared && sample->batches > 0) {
        task->has_own = true;
        crew_take_check(&task->tier->crew, &task->own);
    }
    return whole;
}

void section_wait(const struct task *task, uint64_t ns)
{
    if (ns == 0)
        return;
    atomic_store(task->activity, ACTIVITY_WAITING);
    uint64_t end_ns = clock_monotonic_ns() + ns, now_ns;
    while ((now_ns = clock_monotonic_ns()) < end_ns && !crew_asked(&task->tier->crew))
        clock_sleep_until(end_ns - now_ns > WAIT_SLICE_NS ? now_ns + WAIT_SLICE_NS : end_ns);
}

// One thread's file gives a time for each MiB.
static void prepare_mib_times(const struct task *task, struct sample *sample)
{
    const struct workload *workload = task->workload;
    if (workload->kind != WORKLOAD_SEQ_WRITE || workload->threads != 1)
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
    task->sampler = watch->sampler;
    bool whole = section_do_batches(task, sample);
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
