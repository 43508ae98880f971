// workload_walk_later.c: the walk once more, of trees that were left alone for longer than clients remember
// what they were told: each batch walks a tree of its own, since walking one reminds them.
#include "engine/walk.h"

#include "engine/trees.h"
#include "engine/work.h"

static bool prepare(struct task *task)
{
    return trees_prepare(task, task->batches);
}

const struct work work_walk_later = {.stages = {walk_tree}, .prepare = prepare};
