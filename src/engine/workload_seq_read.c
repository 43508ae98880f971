// workload_seq_read.c: a large file read from its start to its end. What was done before the clock starts,
// and which calls are timed, depends on the access:
// - cold: evicted. Timed: openat, preads, close.
// - reopened: evicted, read as a whole, closed. Timed: openat, preads, close.
// - same-fd: the same, but not closed. Timed: preads through that descriptor.
// - direct: evicted. Timed: openat with O_DIRECT, preads, close.
// As with any program that doesn't know the length, the last pread is the one that gives nothing.
#include "engine/work.h"

#include "engine/files.h"
#include "engine/large.h"

#include <errno.h>
#include <fcntl.h>

static bool reads_before(enum access access)
{
    return access == ACCESS_REOPENED || access == ACCESS_SAME_FD;
}

static void before(struct worker *worker)
{
    enum access access = worker->job->workload->access;
    if (!large_open(worker, O_RDONLY))
        return;
    large_evict(worker);
    if (reads_before(access)) {
        uint64_t then = clock_monotonic_ns();
        large_read(worker, worker->fd, &then);
        worker->residency = (struct residency){0};
        large_look(worker);
    }
    if (access != ACCESS_SAME_FD)
        large_close(worker);
}

static bool fail_call(struct worker *worker, enum call call, const char *name)
{
    return worker_fail(worker, call, errno, worker->number, name);
}

static void read_file(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct io_calls *calls = worker->io.calls;
    uint64_t then = clock_monotonic_ns();
    if (job->workload->access == ACCESS_SAME_FD) {
        large_read(worker, worker->fd, &then);
        return;
    }
    char name[NAME_SIZE];
    name_large(worker->number, name);
    int flags = O_RDONLY | (job->workload->access == ACCESS_DIRECT ? O_DIRECT : 0);
    progress_set(worker->progress, CALL_OPENAT, worker->number, then);
    int fd = calls->open_file(&worker->io, job->dirfd, name, flags);
    if (fd < 0) {
        fail_call(worker, CALL_OPENAT, name);
        return;
    }
    then = worker_record(worker, PHASE_OPEN, then);
    bool read = large_read(worker, fd, &then);
    progress_set(worker->progress, CALL_CLOSE, worker->number, then);
    if (calls->close(&worker->io, fd) != 0 && read)
        fail_call(worker, CALL_CLOSE, name);
    else
        worker_record(worker, PHASE_CLOSE, then);
}

const struct work work_seq_read = {.stages = {read_file},
                                   .before = before,
                                   .after = large_look_again,
                                   .one_tree = true,
                                   .prepare = files_prepare,
                                   .settle = large_settle};
