// profile.h: the plans that have a name.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PROFILE_SIZES = 8 };

struct profile {
    const char *id;
    const char *workloads; // ids of kinds, separated by commas, in the order of a round
    uint64_t files;
    uint64_t file_bytes;
    uint64_t sizes[PROFILE_SIZES]; // of the write sweep, in bytes, ascending, 0-terminated
    unsigned rounds;
};

extern const struct profile profiles[]; // ends with id NULL; the first is the default

const struct profile *profile_by_id(const char *id); // NULL where there is none
