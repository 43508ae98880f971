// work.c: which functions do which kind of workload.
#include "engine/work.h"

static const struct work *const works[] = {
    [WORKLOAD_CREATE] = &work_create,         [WORKLOAD_WALK] = &work_walk,
    [WORKLOAD_WALK_LATER] = &work_walk_later, [WORKLOAD_READ_TREE] = &work_read_tree,
    [WORKLOAD_RENAME] = &work_rename,         [WORKLOAD_DELETE] = &work_delete,
    [WORKLOAD_SEQ_READ] = &work_seq_read,     [WORKLOAD_RAND_READ] = &work_rand_read,
    [WORKLOAD_RAND_WRITE] = &work_rand_write, [WORKLOAD_COMMIT] = &work_commit,
    [WORKLOAD_SEQ_WRITE] = &work_seq_write,
};
_Static_assert(sizeof works / sizeof *works == WORKLOAD_KINDS, "a kind of workload has no functions");

const struct work *work_of(enum workload_kind kind)
{
    return works[kind];
}
