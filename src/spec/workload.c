// workload.c: the table of workloads, and what one batch of each does.
#include "spec/workload.h"

#include "stats/phase.h"

#include <string.h>

const struct workload_description workload_descriptions[WORKLOAD_KINDS] = {
    [WORKLOAD_CREATE] =
        {
            .id = "create",
            .operation = "file",
            .unit = UNIT_FILES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_SYNCFS,
            .phases = 1u << PHASE_OP | 1u << PHASE_OPEN | 1u << PHASE_WRITE | 1u << PHASE_CLOSE,
            .on_tree = true,
            .writes = true,
            .version = 1,
        },
    [WORKLOAD_WALK] =
        {
            .id = "walk",
            .operation = "stat",
            .unit = UNIT_MILLISECONDS,
            .higher_is_better = false,
            .sync = SYNC_NONE,
            .phases = 1u << PHASE_OP | 1u << PHASE_OPEN | 1u << PHASE_READDIR | 1u << PHASE_CLOSE,
            .on_tree = true,
            .writes = false,
            .version = 1,
        },
    [WORKLOAD_DELETE] =
        {
            .id = "delete",
            .operation = "file",
            .unit = UNIT_MILLISECONDS,
            .higher_is_better = false,
            .sync = SYNC_SYNCFS,
            .phases = 1u << PHASE_OP | 1u << PHASE_RMDIR,
            .on_tree = true,
            .writes = false,
            .version = 1,
        },
    [WORKLOAD_SEQ_WRITE] =
        {
            .id = "seq-write",
            .operation = "block",
            .unit = UNIT_MEGABYTES_PER_SECOND,
            .higher_is_better = true,
            .sync = SYNC_FSYNC,
            .phases = 1u << PHASE_OP | 1u << PHASE_OPEN | 1u << PHASE_FSYNC | 1u << PHASE_DIRSYNC |
                      1u << PHASE_CLOSE,
            .on_tree = false,
            .writes = true,
            .version = 1,
        },
};

static const char *const unit_names[UNIT_COUNT] = {
    [UNIT_FILES_PER_SECOND] = "files/s",
    [UNIT_MILLISECONDS] = "ms",
    [UNIT_MEGABYTES_PER_SECOND] = "MB/s",
};

static const char *const sync_names[SYNC_COUNT] = {
    [SYNC_NONE] = "none",
    [SYNC_SYNCFS] = "syncfs",
    [SYNC_FSYNC] = "fsync",
};

const char *unit_name(enum unit unit)
{
    return unit_names[unit];
}

const char *sync_name(enum sync_kind sync)
{
    return sync_names[sync];
}

enum sync_kind sync_by_name(const char *name)
{
    enum sync_kind sync = 0;
    while (sync < SYNC_COUNT && strcmp(sync_names[sync], name))
        sync++;
    return sync;
}

enum workload_kind workload_kind_by_id(const char *id)
{
    enum workload_kind kind = 0;
    while (kind < WORKLOAD_KINDS && strcmp(workload_descriptions[kind].id, id))
        kind++;
    return kind;
}

uint64_t workload_ops(const struct workload *workload)
{
    if (workload_descriptions[workload->kind].on_tree)
        return workload->tree.files;
    if (workload->block_bytes == 0)
        return 0;
    return workload->bytes / workload->block_bytes + (workload->bytes % workload->block_bytes != 0);
}

uint64_t workload_bytes(const struct workload *workload)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (!description->writes)
        return 0;
    return description->on_tree ? workload->tree.files * workload->tree.file_bytes : workload->bytes;
}

uint64_t workload_files(const struct workload *workload)
{
    return workload_descriptions[workload->kind].on_tree ? workload->tree.files : workload->threads;
}
