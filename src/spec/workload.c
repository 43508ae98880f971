// workload.c: the table of workloads, and what one batch of each does.
#include "spec/workload.h"

#include "base/units.h"
#include "stats/phase.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BIT(phase) (1u << PHASE_##phase)

const struct workload_description workload_descriptions[WORKLOAD_KINDS] = {
    [WORKLOAD_CREATE] =
        {
            .id = "create",
            .operation = "file",
            .unit = UNIT_FILES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_SYNCFS,
            .sync_choice = true,
            .phases = BIT(OP) | BIT(OPEN) | BIT(WRITE) | BIT(FSYNC) | BIT(CLOSE),
            .on = ON_TREE,
            .writes = true,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_WALK] =
        {
            .id = "walk",
            .operation = "stat",
            .unit = UNIT_MILLISECONDS,
            .higher_is_better = false,
            .sync = SYNC_NONE,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(OPEN) | BIT(READDIR) | BIT(CLOSE),
            .on = ON_TREE,
            .writes = false,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_WALK_LATER] =
        {
            .id = "walk-later",
            .operation = "stat",
            .unit = UNIT_MILLISECONDS,
            .higher_is_better = false,
            .sync = SYNC_NONE,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(OPEN) | BIT(READDIR) | BIT(CLOSE),
            .on = ON_TREE,
            .writes = false,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_READ_TREE] =
        {
            .id = "read-tree",
            .operation = "file",
            .unit = UNIT_FILES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_NONE,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(OPEN) | BIT(READ) | BIT(CLOSE),
            .on = ON_TREE,
            .writes = false,
            .reads = true,
            .version = 1,
        },
    [WORKLOAD_RENAME] =
        {
            .id = "rename",
            .operation = "file",
            .unit = UNIT_FILES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_NONE,
            .sync_choice = true,
            .phases = BIT(OP),
            .on = ON_TREE,
            .writes = false,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_DELETE] =
        {
            .id = "delete",
            .operation = "file",
            .unit = UNIT_MILLISECONDS,
            .higher_is_better = false,
            .sync = SYNC_SYNCFS,
            .sync_choice = true,
            .phases = BIT(OP) | BIT(RMDIR),
            .on = ON_TREE,
            .writes = false,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_SEQ_READ] =
        {
            .id = "seq-read",
            .operation = "block",
            .unit = UNIT_MEGABYTES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_NONE,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(OPEN) | BIT(READ) | BIT(CLOSE),
            .on = ON_FILE,
            .writes = false,
            .reads = true,
            .version = 1,
        },
    [WORKLOAD_RAND_READ] =
        {
            .id = "rand-read",
            .operation = "block",
            .unit = UNIT_IOPS,
            .higher_is_better = true,
            .sync = SYNC_NONE,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(READ),
            .on = ON_FILE,
            .writes = false,
            .reads = true,
            .version = 1,
        },
    [WORKLOAD_RAND_WRITE] =
        {
            .id = "rand-write",
            .operation = "block",
            .unit = UNIT_IOPS,
            .higher_is_better = true,
            .sync = SYNC_FSYNC,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(FSYNC),
            .on = ON_FILE,
            .writes = true,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_COMMIT] =
        {
            .id = "commit",
            .operation = "commit",
            .unit = UNIT_COMMITS_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_FSYNC,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(WRITE) | BIT(FSYNC),
            .on = ON_OWN_FILE,
            .writes = true,
            .reads = false,
            .version = 1,
        },
    [WORKLOAD_SEQ_WRITE] =
        {
            .id = "seq-write",
            .operation = "block",
            .unit = UNIT_MEGABYTES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_FSYNC,
            .sync_choice = false,
            .phases = BIT(OP) | BIT(OPEN) | BIT(FSYNC) | BIT(DIRSYNC) | BIT(CLOSE),
            .on = ON_OWN_FILE,
            .writes = true,
            .reads = false,
            .version = 1,
        },
};

const struct workload_variant workload_variants[] = {
    {"create", WORKLOAD_CREATE, ACCESS_BUFFERED, 0},
    {"walk", WORKLOAD_WALK, ACCESS_BUFFERED, 0},
    {"walk-later", WORKLOAD_WALK_LATER, ACCESS_BUFFERED, 0},
    {"read-tree", WORKLOAD_READ_TREE, ACCESS_BUFFERED, 0},
    {"rename", WORKLOAD_RENAME, ACCESS_BUFFERED, 0},
    {"delete", WORKLOAD_DELETE, ACCESS_BUFFERED, 0},
    {"seq-read-cold", WORKLOAD_SEQ_READ, ACCESS_COLD, MIB},
    {"seq-read-reopened", WORKLOAD_SEQ_READ, ACCESS_REOPENED, MIB},
    {"seq-read-same-fd", WORKLOAD_SEQ_READ, ACCESS_SAME_FD, MIB},
    {"seq-read-direct-1m", WORKLOAD_SEQ_READ, ACCESS_DIRECT, MIB},
    {"seq-read-direct-128k", WORKLOAD_SEQ_READ, ACCESS_DIRECT, 128 * KIB},
    {"rand-read", WORKLOAD_RAND_READ, ACCESS_DIRECT, 4 * KIB},
    {"rand-read-buffered", WORKLOAD_RAND_READ, ACCESS_BUFFERED, 4 * KIB},
    {"rand-write", WORKLOAD_RAND_WRITE, ACCESS_DIRECT, 4 * KIB},
    {"rand-write-buffered", WORKLOAD_RAND_WRITE, ACCESS_BUFFERED, 4 * KIB},
    {"commit", WORKLOAD_COMMIT, ACCESS_BUFFERED, 4 * KIB},
    {.id = NULL},
};

static const char *const unit_names[UNIT_COUNT] = {
    [UNIT_FILES_PER_SECOND] = "files/s",     [UNIT_MILLISECONDS] = "ms",
    [UNIT_MEGABYTES_PER_SECOND] = "MB/s",    [UNIT_IOPS] = "IOPS",
    [UNIT_COMMITS_PER_SECOND] = "commits/s",
};

static const char *const sync_names[SYNC_COUNT] = {
    [SYNC_NONE] = "none",
    [SYNC_SYNCFS] = "syncfs",
    [SYNC_FSYNC] = "fsync",
    [SYNC_MACHINE] = "sync",
};

static const char *const access_names[ACCESS_COUNT] = {
    [ACCESS_BUFFERED] = "buffered", [ACCESS_COLD] = "cold",     [ACCESS_REOPENED] = "reopened",
    [ACCESS_SAME_FD] = "same-fd",   [ACCESS_DIRECT] = "direct",
};

const char *unit_name(enum unit unit)
{
    return unit_names[unit];
}

const char *sync_name(enum sync_kind sync)
{
    return sync_names[sync];
}

const char *access_name(enum access access)
{
    return access_names[access];
}

static unsigned index_of(const char *const *names, unsigned count, const char *name)
{
    unsigned i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

enum sync_kind sync_by_name(const char *name)
{
    return (enum sync_kind)index_of(sync_names, SYNC_COUNT, name);
}

enum access access_by_name(const char *name)
{
    return (enum access)index_of(access_names, ACCESS_COUNT, name);
}

enum workload_kind workload_kind_by_id(const char *id)
{
    enum workload_kind kind = 0;
    while (kind < WORKLOAD_KINDS && strcmp(workload_descriptions[kind].id, id) != 0)
        kind++;
    return kind;
}

void workload_base_id(const struct workload *workload, char out[WORKLOAD_ID_SIZE])
{
    const struct workload_variant *variant = workload_variants;
    while (variant->id && (variant->kind != workload->kind || variant->access != workload->access ||
                           variant->block_bytes != workload->block_bytes))
        variant++;
    if (variant->id)
        snprintf(out, WORKLOAD_ID_SIZE, "%s", variant->id);
    else if (workload->kind == WORKLOAD_SEQ_WRITE)
        snprintf(out, WORKLOAD_ID_SIZE, "seq-write-%" PRIu64, workload->bytes / MIB);
    else
        snprintf(out, WORKLOAD_ID_SIZE, "%s", workload_descriptions[workload->kind].id);
}

static bool is_step(const char *id, size_t length)
{
    return length == 0 || (length > 1 && id[0] != '-' && id[length - 1] == '-' &&
                           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") >= length);
}

size_t workload_step_length(const struct workload *workload)
{
    char base[WORKLOAD_ID_SIZE], with_threads[WORKLOAD_ID_SIZE + 16];
    workload_base_id(workload, base);
    snprintf(with_threads, sizeof with_threads, "%s-t%u", base, workload->threads);
    const char *const tails[] = {base, with_threads};
    size_t length = strlen(workload->id);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        size_t tail = strlen(tails[i]);
        if (length >= tail && strcmp(workload->id + length - tail, tails[i]) == 0 &&
            is_step(workload->id, length - tail))
            return length - tail;
    }
    return SIZE_MAX;
}

bool workload_same_sweep(const struct workload *a, const struct workload *b)
{
    if (a->kind != WORKLOAD_SEQ_WRITE || b->kind != WORKLOAD_SEQ_WRITE || a->threads != b->threads)
        return false;
    size_t step = workload_step_length(a);
    return step != SIZE_MAX && step == workload_step_length(b) && strncmp(a->id, b->id, step) == 0;
}

bool workload_on_tree(const struct workload *workload)
{
    return workload_descriptions[workload->kind].on == ON_TREE;
}

bool workload_is_counted(const struct workload *workload)
{
    return workload->kind == WORKLOAD_RAND_READ || workload->kind == WORKLOAD_RAND_WRITE ||
           workload->kind == WORKLOAD_COMMIT;
}

uint64_t workload_ops(const struct workload *workload)
{
    if (workload_on_tree(workload))
        return workload->tree.files;
    if (workload_is_counted(workload) || workload->block_bytes == 0)
        return workload->operations;
    return workload->bytes / workload->block_bytes + (workload->bytes % workload->block_bytes != 0);
}

uint64_t workload_bytes(const struct workload *workload)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (workload_on_tree(workload))
        return workload->kind == WORKLOAD_CREATE || description->reads ? tree_bytes(&workload->tree) : 0;
    return workload_is_counted(workload) ? workload->operations * workload->block_bytes : workload->bytes;
}

uint64_t workload_payload(const struct workload *workload)
{
    return workload_on_tree(workload) ? tree_bytes_on_disk(&workload->tree) : workload->bytes;
}

uint64_t workload_files(const struct workload *workload)
{
    return workload_on_tree(workload) ? workload->tree.files : workload->threads;
}
