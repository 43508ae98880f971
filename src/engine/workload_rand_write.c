// workload_rand_write.c: pwrites of one block each at random aligned offsets of a file that lies there, then
// one fsync of it. The file is opened before the clock starts, with O_DIRECT where the access is direct.
//
// What is written differs in its stamps from what lay there, and from batch to batch, so that a write that
// was lost is found. Blocks of the payload are aligned to 4 KiB, which is as much as any disk that was tried
// asks of direct I/O.
#include "engine/work.h"

#include "engine/draw.h"
#include "engine/engine.h"
#include "engine/files.h"
#include "engine/large.h"
#include "engine/verify_large.h"

#include <errno.h>
#include <fcntl.h>

static void before(struct worker *worker)
{
    large_open(worker, O_RDWR | (worker->job->workload->access == ACCESS_DIRECT ? O_DIRECT : 0));
}

static void fail_write(struct worker *worker, uint64_t item, uint64_t offset, ssize_t written)
{
    int number = written < 0 ? errno : 0;
    char name[NAME_SIZE];
    name_large(worker->number, name);
    worker_fail_at(worker, CALL_WRITE, number, item, name, offset);
}

// Writes one block, also if the disk takes it in parts.
static bool write_block(struct worker *worker, const struct content *content, uint64_t item, uint64_t offset)
{
    size_t size = (size_t)worker->job->workload->block_bytes, done = 0;
    const unsigned char *bytes = payload_stamp(&worker->payload, content, offset);
    uint64_t start = clock_monotonic_ns();
    progress_set(worker->progress, CALL_WRITE, item, start);
    while (done < size) {
        ssize_t written = worker->io.calls->write_at(&worker->io, worker->fd, bytes + done, size - done,
                                                     (off_t)(offset + done));
        if (written <= 0) {
            fail_write(worker, item, offset + done, written);
            return false;
        }
        lane_add_bytes(worker->lane, (uint64_t)written);
        done += (size_t)written;
    }
    worker_record(worker, PHASE_OP, start);
    return true;
}

static void sync_file(struct worker *worker)
{
    uint64_t last = worker->job->workload->operations - 1, start = clock_monotonic_ns();
    progress_set(worker->progress, CALL_FSYNC, last, start);
    if (worker->io.calls->fsync(&worker->io, worker->fd) == 0) {
        worker_record(worker, PHASE_FSYNC, start);
        return;
    }
    int number = errno;
    char name[NAME_SIZE];
    name_large(worker->number, name);
    worker_fail(worker, CALL_FSYNC, number, last, name);
}

static void write_blocks(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    uint64_t size = files_content(worker).size, blocks = size / workload->block_bytes;
    struct content content = content_over(
        &worker->payload, content_file(job->making, job->batch, worker->number), workload->block_bytes, size);
    if (blocks == 0)
        return;
    for (uint64_t item = worker->number; item < workload->operations; item += job->threads) {
        uint64_t offset = draw_below(job->draw, job->batch, item, blocks) * workload->block_bytes;
        if (worker_halted(worker) || !write_block(worker, &content, item, offset))
            return;
    }
    sync_file(worker);
}

static bool settle(struct task *task, bool whole)
{
    if (whole && !task->tier->null)
        verify_random_writes(task);
    atomic_store(task->activity, ACTIVITY_REMOVING);
    return files_remove(task->tier); // they aren't what was laid out any more
}

const struct work work_rand_write = {.stages = {write_blocks},
                                     .before = before,
                                     .after = large_close,
                                     .prepare = files_prepare,
                                     .settle = settle};
