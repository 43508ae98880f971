#include "engine/memory.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/cgroup.h"
#include "engine/proc.h"

#include <stdlib.h>

struct left {
    bool known;
    uint64_t bytes;
};

static void keep_least(struct left *left, uint64_t candidate)
{
    if (!left->known || candidate < left->bytes)
        left->bytes = candidate;
    left->known = true;
}

// What one group has left, in the words of version 2, else of version 1. Inactive page cache counts as used,
// and is given back when memory is short.
static void visit(void *argument, const char *folder)
{
    uint64_t limit, usage, droppable;
    if (!cgroup_memory_limit(folder, &limit))
        return;
    if (!proc_file_number(folder, "memory.current", "", &usage) &&
        !proc_file_number(folder, "memory.usage_in_bytes", "", &usage))
        return;
    if (proc_file_number(folder, "memory.stat", "total_inactive_file", &droppable) ||
        proc_file_number(folder, "memory.stat", "inactive_file", &droppable))
        usage -= droppable < usage ? droppable : usage;
    keep_least(argument, limit > usage ? limit - usage : 0);
}

bool memory_left(const char *root, uint64_t *bytes)
{
    struct left left = {0};
    uint64_t kib;
    char *proc = xformat("%s/proc", root);
    if (proc_file_number(proc, "meminfo", "MemAvailable:", &kib) && kib < UINT64_MAX / KIB)
        keep_least(&left, kib * KIB);
    free(proc);
    cgroup_walk(root, "memory", visit, &left);
    if (left.known)
        *bytes = left.bytes;
    return left.known;
}
