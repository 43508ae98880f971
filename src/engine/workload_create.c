// workload_create.c: N times openat, write, close, then what makes all of them durable: one syncfs, or an
// fsync of each file before it is closed and of each directory afterwards.
#include "engine/work.h"

#include "engine/engine.h"
#include "engine/verify.h"

#include <errno.h>

static bool fail_file(struct worker *worker, enum call call, uint64_t item, const char *name, int number)
{
    char path[NAME_PATH_SIZE];
    worker_tree_path(worker, name, path);
    return worker_fail(worker, call, number, item, path);
}

// Writes all of a file, unless the crew is halted between two pieces. `then` is moved on to the end of the
// last write, `stamping` by what stamping took between two.
static bool write_content(struct worker *worker, int fd, const struct content *content, const char *name,
                          uint64_t item, uint64_t *then, uint64_t *stamping)
{
    const unsigned char *chunk = worker->payload.bytes + content->at; // the first one is stamped
    for (uint64_t done = 0; done < content->size;) {
        uint64_t begin = done - done % content->chunk;
        if (done > 0 && done == begin) {
            if (worker_halted(worker))
                return false;
            payload_stamp(&worker->payload, content, begin);
            uint64_t now = clock_monotonic_ns();
            *stamping += now - *then;
            *then = now;
        }
        size_t left = (size_t)(begin + content_chunk_size(content, begin) - done);
        progress_set(worker->progress, CALL_WRITE, item, *then);
        ssize_t written = worker->io.calls->write(&worker->io, fd, chunk + (done - begin), left);
        if (written <= 0) {
            int number = written < 0 ? errno : 0;
            char path[NAME_PATH_SIZE];
            worker_tree_path(worker, name, path);
            return worker_fail_at(worker, CALL_WRITE, number, item, path, done);
        }
        *then = worker_record(worker, PHASE_WRITE, *then);
        lane_add_bytes(worker->lane, (uint64_t)written);
        done += (uint64_t)written;
    }
    return true;
}

// Trees for other workloads are synced as a whole before those are measured.
static bool syncs_files(const struct job *job)
{
    return !job->untimed && job->workload->sync == SYNC_FSYNC;
}

static bool create_file(struct worker *worker, const char *name, uint64_t item)
{
    const struct job *job = worker->job;
    const struct io_calls *calls = worker->io.calls;
    struct content content = content_small(&worker->payload, content_file(job->making, job->batch, item),
                                           item / job->threads, tree_file_bytes(&job->workload->tree, item));
    payload_stamp(&worker->payload, &content, 0);

    uint64_t start = clock_monotonic_ns(), stamping = 0;
    progress_set(worker->progress, CALL_OPENAT, item, start);
    int fd = calls->create(&worker->io, job->treefd, name);
    if (fd < 0)
        return fail_file(worker, CALL_OPENAT, item, name, errno);
    uint64_t then = worker_record(worker, PHASE_OPEN, start);
    if (!write_content(worker, fd, &content, name, item, &then, &stamping)) {
        calls->close(&worker->io, fd);
        return false;
    }
    if (syncs_files(job)) {
        progress_set(worker->progress, CALL_FSYNC, item, then);
        if (calls->fsync(&worker->io, fd) != 0) {
            fail_file(worker, CALL_FSYNC, item, name, errno);
            calls->close(&worker->io, fd);
            return false;
        }
        then = worker_record(worker, PHASE_FSYNC, then);
    }
    progress_set(worker->progress, CALL_CLOSE, item, then);
    if (calls->close(&worker->io, fd) != 0)
        return fail_file(worker, CALL_CLOSE, item, name, errno);
    then = worker_record(worker, PHASE_CLOSE, then);
    lane_record(worker->lane, PHASE_OP, then - start - stamping);
    return true;
}

void create_files(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    for (uint64_t item = worker->number; item < tree->files && !worker_halted(worker); item += job->threads) {
        char name[TREE_PATH_SIZE];
        tree_path(tree, item, false, name);
        if (!create_file(worker, name, item))
            return;
    }
}

static bool prepare(struct task *task)
{
    struct tier *tier = task->tier;
    if (!verify_and_remove_trees(task))
        return false;
    atomic_store(task->activity, ACTIVITY_PREPARING);
    for (unsigned i = 0; i < task->batches && !crew_asked(&tier->crew); i++)
        if (!trees_add_empty(tier, task->workload, task->making))
            return false;
    return true;
}

static bool settle(struct task *task, bool whole)
{
    struct trees *trees = &task->tier->trees;
    if (!whole)
        return trees_remove(task->tier, 0);
    trees->measured = trees->count;
    trees->sample = task->sample;
    return true;
}

const struct work work_create = {
    .stages = {create_files}, .in_tree = true, .prepare = prepare, .settle = settle};
