// workload_seq_write.c: one large file, written durably: open, write block by block, fsync, fsync of its
// directory, close. With T threads each has a file of its own, of every T-th block.
#include "engine/work.h"

#include "base/units.h"
#include "engine/engine.h"
#include "engine/files.h"
#include "engine/verify_large.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// One thread's file while it is written.
struct sequential {
    struct worker *worker;
    struct content content;
    char name[NAME_SIZE];
    uint64_t done; // bytes written
    uint64_t then; // when the last call ended
};

// Notes the time at each MiB that the last write has passed.
static void note_mib(struct sequential *file, uint64_t before)
{
    struct worker *worker = file->worker;
    if (!worker->job->mib_ns)
        return;
    for (uint64_t mib = before / MIB; mib < file->done / MIB; mib++)
        worker->job->mib_ns[worker->mib_length++] = file->then;
}

// Writes one block, also if the disk takes it in parts. `block` is its number in the whole sequence.
static bool write_block(struct sequential *file, int fd, uint64_t block)
{
    struct worker *worker = file->worker;
    uint64_t begin = file->done;
    uint64_t size = content_chunk_size(&file->content, begin);
    const unsigned char *bytes = payload_stamp(&worker->payload, &file->content, begin);
    uint64_t start = clock_monotonic_ns();
    progress_set(worker->progress, CALL_WRITE, block, start);
    for (uint64_t written = 0; written < size;) {
        ssize_t result = worker->io.calls->write(&worker->io, fd, bytes + written, (size_t)(size - written));
        if (result <= 0)
            return worker_fail_at(worker, CALL_WRITE, result < 0 ? errno : 0, block, file->name, file->done);
        lane_add_bytes(worker->lane, (uint64_t)result);
        written += (uint64_t)result;
        file->done += (uint64_t)result;
    }
    file->then = worker_record(worker, PHASE_OP, start);
    note_mib(file, begin);
    return true;
}

// One of the calls that end the file, timed apart.
static bool finish(struct sequential *file, enum call call, enum phase phase,
                   int (*function)(struct io *, int), int fd)
{
    struct worker *worker = file->worker;
    uint64_t last = workload_ops(worker->job->workload) - 1;
    progress_set(worker->progress, call, last, file->then);
    if (function(&worker->io, fd) != 0)
        return worker_fail(worker, call, errno, last, call == CALL_DIRSYNC ? "." : file->name);
    file->then = worker_record(worker, phase, file->then);
    return true;
}

static bool write_file(struct sequential *file, int fd)
{
    struct worker *worker = file->worker;
    const struct job *job = worker->job;
    uint64_t blocks = workload_ops(job->workload);
    for (uint64_t block = worker->number; block < blocks; block += job->threads)
        if (worker_halted(worker) || !write_block(file, fd, block))
            return false;
    return finish(file, CALL_FSYNC, PHASE_FSYNC, worker->io.calls->fsync, fd) &&
           finish(file, CALL_DIRSYNC, PHASE_DIRSYNC, worker->io.calls->fsync, job->dirfd);
}

static void write_sequential(struct worker *worker)
{
    const struct job *job = worker->job;
    struct sequential file = {
        .worker = worker,
        .content = content_sequential(
            &worker->payload, content_file(job->making, job->batch, worker->number),
            job->workload->block_bytes,
            files_share(job->workload->bytes, job->workload->block_bytes, job->threads, worker->number))};
    name_sequential(job->batch, worker->number, file.name);
    uint64_t start = clock_monotonic_ns();
    progress_set(worker->progress, CALL_OPENAT, worker->number, start);
    int fd = worker->io.calls->create(&worker->io, job->dirfd, file.name);
    if (fd < 0) {
        worker_fail(worker, CALL_OPENAT, errno, worker->number, file.name);
        return;
    }
    file.then = worker_record(worker, PHASE_OPEN, start);
    if (write_file(&file, fd))
        finish(&file, CALL_CLOSE, PHASE_CLOSE, worker->io.calls->close, fd);
    else
        worker->io.calls->close(&worker->io, fd);
}

static bool prepare(struct task *task)
{
    (void)task;
    return true;
}

// The files of all batches, whole or not.
static bool remove_files(struct task *task)
{
    struct tier *tier = task->tier;
    bool removed = true;
    for (unsigned batch = 0; batch < task->batches; batch++)
        for (unsigned thread = 0; thread < task->workload->threads; thread++) {
            char name[NAME_SIZE];
            name_sequential(batch, thread, name);
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
        verify_sequential(task);
    atomic_store(task->activity, ACTIVITY_REMOVING);
    return remove_files(task);
}

const struct work work_seq_write = {.stages = {write_sequential}, .prepare = prepare, .settle = settle};
