// work.c: which functions do which kind of workload.
#include "engine/work.h"

static const struct work *const works[] = {
    [WORKLOAD_CREATE] = &work_create,
    [WORKLOAD_WALK] = &work_walk,
    [WORKLOAD_DELETE] = &work_delete,
    [WORKLOAD_SEQ_WRITE] = &work_seq_write,
};
_Static_assert(sizeof works / sizeof *works == WORKLOAD_KINDS, "a kind of workload has no functions");

const struct work *work_of(enum workload_kind kind)
{
    return works[kind];
}
