// workload_commit.c: appends a block to a log and fsyncs it, again and again, as a database commits. The log
// is created before the clock starts.
#include "engine/work.h"

#include "engine/engine.h"
#include "engine/files.h"
#include "engine/verify_large.h"

#include <errno.h>
#include <unistd.h>

static bool fail_log(struct worker *worker, enum call call, uint64_t item)
{
    int number = errno;
    char name[NAME_SIZE];
    name_log(worker->job->batch, worker->number, name);
    return worker_fail(worker, call, number, item, name);
}

static void before(struct worker *worker)
{
    char name[NAME_SIZE];
    name_log(worker->job->batch, worker->number, name);
    progress_set(worker->progress, CALL_OPENAT, worker->number, clock_monotonic_ns());
    worker->fd = worker->io.calls->create(&worker->io, worker->job->dirfd, name);
    if (worker->fd < 0)
        fail_log(worker, CALL_OPENAT, worker->number);
}

static void after(struct worker *worker)
{
    if (worker->fd < 0)
        return;
    progress_set(worker->progress, CALL_CLOSE, worker->number, clock_monotonic_ns());
    if (worker->io.calls->close(&worker->io, worker->fd) != 0 && !worker_halted(worker))
        fail_log(worker, CALL_CLOSE, worker->number);
    worker->fd = -1;
}

static bool fail_write(struct worker *worker, uint64_t item, uint64_t offset, ssize_t written)
{
    int number = written < 0 ? errno : 0;
    char name[NAME_SIZE];
    name_log(worker->job->batch, worker->number, name);
    return worker_fail_at(worker, CALL_WRITE, number, item, name, offset);
}

// Writes one block, also if the disk takes it in parts.
static bool append(struct worker *worker, const unsigned char *bytes, size_t size, uint64_t item,
                   uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = worker->io.calls->write(&worker->io, worker->fd, bytes + done, size - done);
        if (written <= 0)
            return fail_write(worker, item, offset + done, written);
        lane_add_bytes(worker->lane, (uint64_t)written);
        done += (size_t)written;
    }
    return true;
}

static bool commit(struct worker *worker, const struct content *content, uint64_t item, uint64_t offset)
{
    const unsigned char *bytes = payload_stamp(&worker->payload, content, offset);
    uint64_t start = clock_monotonic_ns();
    progress_set(worker->progress, CALL_WRITE, item, start);
    if (!append(worker, bytes, (size_t)content_chunk_size(content, offset), item, offset))
        return false;
    uint64_t then = worker_record(worker, PHASE_WRITE, start);
    progress_set(worker->progress, CALL_FSYNC, item, then);
    if (worker->io.calls->fsync(&worker->io, worker->fd) != 0)
        return fail_log(worker, CALL_FSYNC, item);
    then = worker_record(worker, PHASE_FSYNC, then);
    lane_record(worker->lane, PHASE_OP, then - start);
    return true;
}

static void commit_all(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    struct content content = content_sequential(
        &worker->payload, content_file(job->making, job->batch, worker->number), workload->block_bytes,
        files_share(workload->bytes, workload->block_bytes, job->threads, worker->number));
    uint64_t offset = 0;
    for (uint64_t item = worker->number; item < workload->operations; item += job->threads) {
        if (worker_halted(worker) || !commit(worker, &content, item, offset))
            return;
        offset += workload->block_bytes;
    }
}

static bool prepare(struct task *task)
{
    (void)task;
    return true;
}

static bool remove_logs(struct task *task)
{
    struct tier *tier = task->tier;
    bool removed = true;
    for (unsigned batch = 0; batch < task->batches; batch++)
        for (unsigned thread = 0; thread < task->workload->threads; thread++) {
            char name[NAME_SIZE];
            name_log(batch, thread, name);
            tier_call_begin(tier, CALL_UNLINKAT);
            if (unlinkat(tier->scratch.dirfd, name, 0) != 0 && errno != ENOENT)
                removed = tier_fail(tier, CALL_UNLINKAT, name);
            tier_call_end(tier);
        }
    return removed;
}

static bool settle(struct task *task, bool whole)
{
    if (task->tier->null)
        return true;
    if (whole)
        verify_logs(task);
    atomic_store(task->activity, ACTIVITY_REMOVING);
    return remove_logs(task);
}

const struct work work_commit = {
    .stages = {commit_all}, .before = before, .after = after, .prepare = prepare, .settle = settle};
