// workload_delete.c: unlinks each file in the order in which they were made, then the directories below the
// tree, then one syncfs. The tree's own directory goes afterwards, untimed.
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
        char name[2 * TREE_NAME_SIZE];
        tree_path(tree, item, name);
        progress_set(worker->progress, CALL_UNLINKAT, item, then);
        if (worker->io.calls->unlink(&worker->io, job->treefd, name) != 0) {
            fail_removal(worker, CALL_UNLINKAT, item, name);
            return;
        }
        then = worker_record(worker, PHASE_OP, then);
    }
}

static void remove_directories(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    uint64_t then = clock_monotonic_ns();
    for (unsigned i = worker->number; i < tree_directories(tree) && !worker_halted(worker);
         i += job->threads) {
        char name[TREE_NAME_SIZE];
        tree_directory_name(i, name);
        uint64_t item = tree_first_item(tree, i);
        progress_set(worker->progress, CALL_RMDIR, item, then);
        if (worker->io.calls->remove_directory(&worker->io, job->treefd, name) != 0) {
            fail_removal(worker, CALL_RMDIR, item, name);
            return;
        }
        then = worker_record(worker, PHASE_RMDIR, then);
    }
}

// Takes the trees that this round's create left, makes those that are missing, and reads all of them back.
static bool prepare(struct task *task)
{
    struct tier *tier = task->tier;
    if (!trees_fit(&tier->trees, task->workload) && !verify_and_remove_trees(task))
        return false;
    atomic_store(task->activity, ACTIVITY_PREPARING);
    if (!trees_fill(tier, task->workload, task->batches))
        return false;
    verify_trees_once(task);
    return trees_remove(tier, task->batches);
}

static bool settle(struct task *task, bool whole)
{
    (void)whole;
    return trees_remove(task->tier, 0);
}

const struct work work_delete = {
    .stages = {unlink_files, remove_directories}, .in_tree = true, .prepare = prepare, .settle = settle};
