// workload_rename.c: gives each file another name in its directory, f… becomes r….
#include "engine/work.h"

#include "engine/trees.h"
#include "engine/verify.h"

#include <errno.h>

static void rename_files(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    uint64_t then = clock_monotonic_ns();
    for (uint64_t item = worker->number; item < tree->files && !worker_halted(worker); item += job->threads) {
        char from[TREE_PATH_SIZE], to[TREE_PATH_SIZE];
        tree_path(tree, item, false, from);
        tree_path(tree, item, true, to);
        progress_set(worker->progress, CALL_RENAMEAT, item, then);
        if (worker->io.calls->rename(&worker->io, job->treefd, from, to) != 0) {
            int number = errno;
            char path[NAME_PATH_SIZE];
            worker_tree_path(worker, from, path);
            worker_fail(worker, CALL_RENAMEAT, number, item, path);
            return;
        }
        then = worker_record(worker, PHASE_OP, then);
    }
}

static bool any_renamed(const struct trees *trees)
{
    for (unsigned i = 0; i < trees->count; i++)
        if (trees->renamed[i])
            return true;
    return false;
}

static bool prepare(struct task *task)
{
    if (any_renamed(&task->tier->trees) && !verify_and_remove_trees(task))
        return false;
    return trees_prepare(task, task->batches);
}

static bool settle(struct task *task, bool whole)
{
    struct trees *trees = &task->tier->trees;
    if (!whole)
        return trees_remove(task->tier, 0); // some files have one name, some the other
    for (unsigned i = 0; i < task->batches; i++)
        trees->renamed[i] = true;
    return true;
}

const struct work work_rename = {
    .stages = {rename_files}, .in_tree = true, .prepare = prepare, .settle = settle};
