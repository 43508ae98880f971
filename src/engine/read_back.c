// read_back.c: open, size, blocks, close.
#include "engine/read_back.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static bool fail_at(struct read_back *back, enum call call, uint64_t offset)
{
    return worker_fail_at(back->worker, call, errno, back->item, back->path, offset);
}

bool read_back_open(struct read_back *back, int dirfd, const char *name)
{
    struct worker *worker = back->worker;
    progress_set(worker->progress, CALL_OPENAT, back->item, clock_monotonic_ns());
    back->fd = worker->io.calls->open_file(&worker->io, dirfd, name, O_RDONLY);
    return back->fd >= 0 || worker_fail(worker, CALL_OPENAT, errno, back->item, back->path);
}

void read_back_close(struct read_back *back)
{
    struct worker *worker = back->worker;
    progress_set(worker->progress, CALL_CLOSE, back->item, clock_monotonic_ns());
    worker->io.calls->close(&worker->io, back->fd);
}

bool read_back_size(struct read_back *back, bool allocated)
{
    struct worker *worker = back->worker;
    struct stat status;
    if (worker->io.calls->fstat(&worker->io, back->fd, &status) != 0)
        return fail_at(back, CALL_FSTATAT, 0);
    if (allocated) {
        worker->check.has_allocated = true;
        worker->check.allocated_bytes += (uint64_t)status.st_blocks * 512;
    }
    // Too short a file shows when it is read.
    if ((uint64_t)status.st_size > back->content.size)
        worker_mismatch(worker, back->item, back->path, back->content.size);
    return true;
}

bool read_back_block(struct read_back *back, uint64_t offset)
{
    struct worker *worker = back->worker;
    const struct content *content = &back->content;
    uint64_t left = content->size - offset;
    size_t size = left < PAYLOAD_BLOCK ? (size_t)left : PAYLOAD_BLOCK, got = 0;
    progress_set(worker->progress, CALL_READ, back->item, clock_monotonic_ns());
    while (got < size) {
        ssize_t result = worker->io.calls->read(&worker->io, back->fd, worker->buffer + got, size - got,
                                                (off_t)(offset + got));
        if (result < 0)
            return fail_at(back, CALL_READ, offset + got);
        if (result == 0)
            break; // the file ends too early, which is a difference
        got += (size_t)result;
    }
    worker->check.blocks++;
    size_t equal = payload_compare(&worker->payload, content, offset, worker->buffer, got);
    if (equal < size)
        worker_mismatch(worker, back->item, back->path, offset + equal);
    return true;
}
