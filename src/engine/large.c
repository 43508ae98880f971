// large.c: a worker's large file.
#include "engine/large.h"

#include "engine/cache.h"
#include "engine/files.h"

#include <errno.h>
#include <fcntl.h>

static bool fail_call(struct worker *worker, enum call call)
{
    int number = errno;
    char name[NAME_SIZE];
    name_large(worker->number, name);
    return worker_fail(worker, call, number, worker->number, name);
}

static uint64_t size_of(const struct worker *worker)
{
    return files_content(worker).size;
}

bool large_open(struct worker *worker, int flags)
{
    char name[NAME_SIZE];
    name_large(worker->number, name);
    progress_set(worker->progress, CALL_OPENAT, worker->number, clock_monotonic_ns());
    worker->fd = worker->io.calls->open_file(&worker->io, worker->job->dirfd, name, flags);
    return worker->fd >= 0 || fail_call(worker, CALL_OPENAT);
}

void large_close(struct worker *worker)
{
    if (worker->fd < 0)
        return;
    progress_set(worker->progress, CALL_CLOSE, worker->number, clock_monotonic_ns());
    if (worker->io.calls->close(&worker->io, worker->fd) != 0 && !worker_halted(worker))
        fail_call(worker, CALL_CLOSE);
    worker->fd = -1;
}

void large_look(struct worker *worker)
{
    if (worker_on_null(worker))
        return;
    progress_set(worker->progress, CALL_MINCORE, worker->number, clock_monotonic_ns());
    (void)cache_residency(worker->fd, size_of(worker), &worker->residency.pages,
                          &worker->residency.resident); // what can't be told stays unknown
}

void large_evict(struct worker *worker)
{
    if (worker_on_null(worker))
        return;
    progress_set(worker->progress, CALL_FADVISE, worker->number, clock_monotonic_ns());
    (void)cache_evict(worker->fd, size_of(worker)); // what stays is counted
    large_look(worker);
}

void large_look_again(struct worker *worker)
{
    bool open = worker->fd >= 0;
    if (!open && (worker_halted(worker) || !large_open(worker, O_RDONLY)))
        return;
    if (!worker_halted(worker))
        large_look(worker);
    large_close(worker);
}

// ---- Reading ----

static ssize_t fail_read(struct worker *worker, uint64_t item, uint64_t offset)
{
    int number = errno;
    char name[NAME_SIZE];
    name_large(worker->number, name);
    worker_fail_at(worker, CALL_READ, number, item, name, offset);
    return -1;
}

ssize_t large_read_block(struct worker *worker, int fd, uint64_t item, uint64_t offset, uint64_t *then)
{
    size_t size = (size_t)worker->job->workload->block_bytes, done = 0;
    uint64_t start = *then;
    progress_set(worker->progress, CALL_READ, item, start);
    while (done < size) {
        ssize_t got = worker->io.calls->read(&worker->io, fd, worker->buffer + done, size - done,
                                             (off_t)(offset + done));
        if (got < 0)
            return fail_read(worker, item, offset + done);
        if (got == 0)
            break;
        lane_add_bytes(worker->lane, (uint64_t)got);
        done += (size_t)got;
    }
    *then = worker_record(worker, done > 0 ? PHASE_OP : PHASE_READ, start);
    return (ssize_t)done;
}

static void note_difference(struct worker *worker, uint64_t item, uint64_t offset)
{
    char name[NAME_SIZE];
    name_large(worker->number, name);
    worker_mismatch(worker, item, name, offset);
}

static uint64_t blocks_of(uint64_t size)
{
    return (size + PAYLOAD_BLOCK - 1) / PAYLOAD_BLOCK;
}

// Compares the stamps in the first `size` bytes of the buffer. True where one differs.
static bool stamps_differ(struct worker *worker, const struct content *content, uint64_t item,
                          uint64_t offset, size_t size)
{
    bool differ = false;
    for (size_t at = 0; at < size; at += PAYLOAD_BLOCK) {
        at += payload_check_stamps(&worker->payload, content, offset + at, worker->buffer + at, size - at);
        if (at >= size)
            break;
        differ = true;
        note_difference(worker, item, offset + at);
        at = at / PAYLOAD_BLOCK * PAYLOAD_BLOCK;
    }
    return differ;
}

void large_check(struct worker *worker, uint64_t item, uint64_t offset, size_t got, uint64_t *then)
{
    if (worker_on_null(worker))
        return;
    struct content content = files_content(worker);
    uint64_t left = offset < content.size ? content.size - offset : 0;
    uint64_t block_bytes = worker->job->workload->block_bytes;
    size_t wanted = (size_t)(left < block_bytes ? left : block_bytes), both = got < wanted ? got : wanted;
    worker->check.blocks += blocks_of(got > wanted ? got : wanted);
    // One difference a block at most, so that there are never more of them than blocks.
    if (!stamps_differ(worker, &content, item, offset, both) && got != wanted)
        note_difference(worker, item, offset + both);
    *then = clock_monotonic_ns();
}

// A perfect disk gives bytes for ever: there the size ends it.
static bool at_end(const struct worker *worker, uint64_t offset)
{
    return worker_on_null(worker) && offset >= size_of(worker);
}

bool large_read(struct worker *worker, int fd, uint64_t *then)
{
    const struct job *job = worker->job;
    uint64_t block_bytes = job->workload->block_bytes;
    for (uint64_t offset = 0; !at_end(worker, offset); offset += block_bytes) {
        if (worker_halted(worker))
            return false;
        uint64_t item = offset / block_bytes * job->threads + worker->number;
        ssize_t got = large_read_block(worker, fd, item, offset, then);
        if (got < 0)
            return false;
        large_check(worker, item, offset, (size_t)got, then);
        if ((uint64_t)got < block_bytes)
            return true; // the last read gave nothing
    }
    return true;
}

bool large_settle(struct task *task, bool whole)
{
    if (whole)
        files_verify_once(task);
    return true;
}
