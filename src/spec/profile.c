// profile.c: the table of profiles.
#include "spec/profile.h"

#include "base/units.h"

#include <string.h>

const struct profile profiles[] = {
    {
        .id = "agent-disk",
        .workloads = "create,walk,delete,seq-write",
        .files = 200,
        .file_bytes = 4 * KIB,
        .sizes = {64 * MIB, 256 * MIB, 1024 * MIB},
        .rounds = 6,
    },
    {
        .id = "quick",
        .workloads = "create,walk,delete,seq-write",
        .files = 200,
        .file_bytes = 4 * KIB,
        .sizes = {64 * MIB},
        .rounds = 6,
    },
    {.id = NULL},
};

const struct profile *profile_by_id(const char *id)
{
    for (const struct profile *profile = profiles; profile->id; profile++)
        if (!strcmp(profile->id, id))
            return profile;
    return NULL;
}
