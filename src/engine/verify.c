// verify.c: reads back what workers wrote, each worker its own files, whose bytes only it can tell.
#include "engine/verify.h"

#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

// One file while it is read back.
struct reading {
    struct worker *worker;
    int fd;
    struct content content;
    const char *path;
    uint64_t item; // number of the file, or of the block for a sequential one
};

static bool fail_reading(struct reading *reading, enum call call, uint64_t offset)
{
    return worker_fail_at(reading->worker, call, errno, reading->item, reading->path, offset);
}

// Reads one block and compares it. False where a call failed: then the file is given up.
static bool check_block(struct reading *reading, uint64_t offset)
{
    struct worker *worker = reading->worker;
    const struct content *content = &reading->content;
    uint64_t left = content->size - offset;
    size_t size = left < PAYLOAD_BLOCK ? (size_t)left : PAYLOAD_BLOCK, got = 0;
    progress_set(worker->progress, CALL_READ, reading->item, clock_monotonic_ns());
    while (got < size) {
        ssize_t result = worker->io.calls->read(&worker->io, reading->fd, worker->buffer + got, size - got,
                                                (off_t)(offset + got));
        if (result < 0)
            return fail_reading(reading, CALL_READ, offset + got);
        if (result == 0)
            break; // the file ends too early, which is a difference
        got += (size_t)result;
    }
    worker->check.blocks++;
    size_t equal = payload_compare(&worker->payload, content, offset, worker->buffer, got);
    if (equal < size)
        worker_mismatch(worker, reading->item, reading->path, offset + equal);
    return true;
}

static bool check_size(struct reading *reading, bool allocated)
{
    struct worker *worker = reading->worker;
    struct stat status;
    if (worker->io.calls->fstat(&worker->io, reading->fd, &status) != 0)
        return fail_reading(reading, CALL_FSTATAT, 0);
    if (allocated) {
        worker->check.has_allocated = true;
        worker->check.allocated_bytes += (uint64_t)status.st_blocks * 512;
    }
    // Too short a file shows when it is read.
    if ((uint64_t)status.st_size > reading->content.size)
        worker_mismatch(worker, reading->item, reading->path, reading->content.size);
    return true;
}

static bool open_reading(struct reading *reading, int dirfd, const char *name)
{
    struct worker *worker = reading->worker;
    progress_set(worker->progress, CALL_OPENAT, reading->item, clock_monotonic_ns());
    reading->fd = worker->io.calls->open_file(&worker->io, dirfd, name, O_RDONLY);
    if (reading->fd < 0) {
        worker_fail(worker, CALL_OPENAT, errno, reading->item, reading->path);
        return false;
    }
    return true;
}

static void check_small_file(struct worker *worker, uint64_t item)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    char name[TREE_PATH_SIZE], path[NAME_PATH_SIZE];
    tree_path(tree, item, job->renamed, name);
    worker_tree_path(worker, name, path);
    struct reading reading = {.worker = worker,
                              .content =
                                  content_small(&worker->payload, content_file(job->making, job->batch, item),
                                                item / job->threads, tree_file_bytes(tree, item)),
                              .path = path,
                              .item = item};
    if (!open_reading(&reading, job->treefd, name))
        return;
    bool good = check_size(&reading, false);
    for (uint64_t offset = 0; good && offset < reading.content.size && !worker_halted(worker);
         offset += PAYLOAD_BLOCK)
        good = check_block(&reading, offset);
    worker->io.calls->close(&worker->io, reading.fd);
}

static void check_small_files(struct worker *worker)
{
    const struct job *job = worker->job;
    for (uint64_t item = worker->number; item < job->workload->tree.files && !worker_halted(worker);
         item += job->threads)
        check_small_file(worker, item);
}

static void check_sequential_file(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    char name[NAME_SIZE];
    name_sequential(job->batch, worker->number, name);
    struct reading reading = {
        .worker = worker,
        .content = content_sequential(&worker->payload, content_file(job->making, job->batch, worker->number),
                                      workload->block_bytes, sequential_size(workload, worker->number)),
        .path = name,
        .item = worker->number};
    if (!open_reading(&reading, job->dirfd, name))
        return;
    bool good = check_size(&reading, true);
    uint64_t blocks = reading.content.size / PAYLOAD_BLOCK + (reading.content.size % PAYLOAD_BLOCK != 0);
    uint64_t looks = job->verify_full || blocks < VERIFY_SPREAD ? blocks : VERIFY_SPREAD;
    for (uint64_t look = 0; good && look < looks && !worker_halted(worker); look++) {
        uint64_t block = looks == blocks ? look : look * (blocks - 1) / (looks - 1);
        uint64_t offset = block * PAYLOAD_BLOCK;
        reading.item = offset / workload->block_bytes * job->threads + worker->number;
        good = check_block(&reading, offset);
    }
    worker->io.calls->close(&worker->io, reading.fd);
}

static void check_tree(struct task *task, unsigned number, struct check *check)
{
    struct tier *tier = task->tier;
    const struct trees *trees = &tier->trees;
    int treefd = trees_open(tier, number);
    if (treefd < 0) {
        // What can't be opened can't be compared either; that is the finding, and the section goes on.
        check_add(check, &(struct check){.failure = tier->failure});
        tier->failure = (struct failure){0};
        return;
    }
    crew_run(&tier->crew, &(struct job){.workload = &trees->maker,
                                        .threads = trees->maker.threads,
                                        .stages = {check_small_files},
                                        .dirfd = tier_dirfd(tier),
                                        .treefd = treefd,
                                        .batch = number,
                                        .untimed = true,
                                        .renamed = trees->renamed[number],
                                        .making = trees->makings[number]});
    tier->io.calls->close(&tier->io, treefd);
    crew_collect_check(&tier->crew, check);
}

// Whether it is worth while to go on with the next tree or batch.
static bool goes_on(const struct task *task, const struct check *check)
{
    return !crew_asked(&task->tier->crew) &&
           (check->failure.call == CALL_NONE || check->failure.call == CALL_VERIFY);
}

static void check_measured_trees(struct task *task)
{
    struct tier *tier = task->tier;
    unsigned measured = tier->trees.measured;
    if (tier->null || measured == 0)
        return;
    atomic_store(task->activity, ACTIVITY_VERIFYING);
    task->has_earlier = true;
    task->earlier_sample = tier->trees.sample;
    for (unsigned i = 0; i < measured && goes_on(task, &task->earlier); i++)
        check_tree(task, i, &task->earlier);
    tier->trees.measured = 0;
}

void verify_trees_once(struct task *task)
{
    struct tier *tier = task->tier;
    unsigned measured = tier->trees.measured;
    check_measured_trees(task);
    if (tier->null || tier->trees.count <= measured)
        return;
    atomic_store(task->activity, ACTIVITY_VERIFYING);
    task->has_own = true;
    for (unsigned i = measured; i < tier->trees.count && goes_on(task, &task->own); i++)
        check_tree(task, i, &task->own);
}

bool verify_and_remove_trees(struct task *task)
{
    check_measured_trees(task);
    atomic_store(task->activity, ACTIVITY_REMOVING);
    return trees_remove(task->tier, 0);
}

void verify_sequential(struct task *task)
{
    struct tier *tier = task->tier;
    atomic_store(task->activity, ACTIVITY_VERIFYING);
    task->has_own = true;
    for (unsigned batch = 0; batch < task->batches && goes_on(task, &task->own); batch++) {
        crew_run(&tier->crew, &(struct job){.workload = task->workload,
                                            .threads = task->workload->threads,
                                            .stages = {check_sequential_file},
                                            .dirfd = tier_dirfd(tier),
                                            .treefd = -1,
                                            .batch = batch,
                                            .untimed = true,
                                            .making = task->making,
                                            .verify_full = task->verify_full});
        crew_collect_check(&tier->crew, &task->own);
    }
}
