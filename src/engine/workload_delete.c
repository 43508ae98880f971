// workload_delete.c: unlinks each file in the order in which they were made, then removes the directories
// below the tree, the deepest first, then syncs. The tree's own directory goes afterwards, untimed.
#include "engine/work.h"

#include "engine/engine.h"
#include "engine/verify.h"

#include <errno.h>

static void fail_removal(struct worker *worker, enum call call, uint64_t item, const char *name)
{
    int number = errno;
    char path[NAME_PATH_SIZE];
    worker_tree_path(worker, name, path);
    worker_fail(worker, call, number, item, path);
}

static void unlink_files(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    uint64_t then = clock_monotonic_ns();
    for (uint64_t item = worker->number; item < tree->files && !worker_halted(worker); item += job->threads) {
        char name[TREE_PATH_SIZE];
        tree_path(tree, item, job->renamed, name);
        progress_set(worker->progress, CALL_UNLINKAT, item, then);
        if (worker->io.calls->unlink(&worker->io, job->treefd, name) != 0) {
            fail_removal(worker, CALL_UNLINKAT, item, name);
            return;
        }
        then = worker_record(worker, PHASE_OP, then);
    }
}

// Of one level, those below one of the topmost directories.
static bool remove_level(struct worker *worker, unsigned level, unsigned top, uint64_t *then)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    unsigned count = tree_directories_at(tree, level - 1);
    for (unsigned i = top * count; i < (top + 1) * count; i++) {
        char name[TREE_PATH_SIZE];
        tree_directory_path(tree, level, i, name);
        uint64_t item = tree_first_below(tree, level, i);
        if (worker_halted(worker))
            return false;
        progress_set(worker->progress, CALL_RMDIR, item, *then);
        if (worker->io.calls->remove_directory(&worker->io, job->treefd, name) != 0) {
            fail_removal(worker, CALL_RMDIR, item, name);
            return false;
        }
        *then = worker_record(worker, PHASE_RMDIR, *then);
    }
    return true;
}

// What lies below a topmost directory is one worker's, so that none waits for another.
static void remove_directories(struct worker *worker)
{
    const struct tree *tree = &worker->job->workload->tree;
    uint64_t then = clock_monotonic_ns();
    for (unsigned top = worker->number; tree->depth > 0 && top < tree->fanout; top += worker->job->threads)
        for (unsigned level = tree->depth; level > 0; level--)
            if (!remove_level(worker, level, top, &then))
                return;
}

// Takes the trees that lie there, makes those that are missing, and reads all of them back.
static bool prepare(struct task *task)
{
    if (!trees_prepare(task, task->batches))
        return false;
    verify_trees_once(task);
    return trees_remove(task->tier, task->batches);
}

static bool settle(struct task *task, bool whole)
{
    (void)whole;
    return trees_remove(task->tier, 0);
}

const struct work work_delete = {
    .stages = {unlink_files, remove_directories}, .in_tree = true, .prepare = prepare, .settle = settle};
