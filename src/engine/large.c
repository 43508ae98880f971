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

void large_check(struct worker *worker, uint64_t item, uint64_t offset, size_t size, uint64_t *then)
{
    if (worker_on_null(worker))
        return;
    struct content content = files_content(worker);
    worker->check.blocks += (size + PAYLOAD_BLOCK - 1) / PAYLOAD_BLOCK;
    size_t right = payload_check_stamps(&worker->payload, &content, offset, worker->buffer, size);
    if (right < size) {
        char name[NAME_SIZE];
        name_large(worker->number, name);
        worker_mismatch(worker, item, name, offset + right);
    }
    *then = clock_monotonic_ns();
}

// A perfect disk gives bytes for ever: there the size ends it.
static bool at_end(const struct worker *worker, uint64_t offset, uint64_t size)
{
    return worker_on_null(worker) && offset >= size;
}

bool large_read(struct worker *worker, int fd, uint64_t *then)
{
    const struct job *job = worker->job;
    uint64_t size = size_of(worker), offset = 0, block_bytes = job->workload->block_bytes;
    for (;;) {
        uint64_t item = offset / block_bytes * job->threads + worker->number;
        if (worker_halted(worker))
            return false;
        if (at_end(worker, offset, size))
            return true;
        ssize_t got = large_read_block(worker, fd, item, offset, then);
        if (got < 0)
            return false;
        if (got == 0)
            break;
        large_check(worker, item, offset, (size_t)got, then);
        offset += (uint64_t)got;
        if ((uint64_t)got < block_bytes)
            break; // what was read in parts had its end at the last one
    }
    if (offset == size)
        return true;
    char name[NAME_SIZE];
    name_large(worker->number, name);
    worker_mismatch(worker, offset / block_bytes, name, offset < size ? offset : size);
    return true;
}
