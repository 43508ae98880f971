// profile.h: the plans that have a name.
//
// A profile is one or more steps; each has its workloads and, where they are on small files, the tree that
// these lie in.
#pragma once

#include "spec/tree.h"

#include <stddef.h>
#include <stdint.h>

enum { PROFILE_SIZES = 8, PROFILE_STEPS = 8 };

struct profile_step {
    const char *name; // "clone": stands before the ids of its workloads ("clone-create"); NULL: nothing does
    const char *workloads; // ids separated by commas, as --workloads takes them; NULL ends the steps
    struct tree tree;
    uint64_t sizes[PROFILE_SIZES]; // of its seq-write, in bytes, ascending, 0-terminated
};

struct profile {
    const char *id;
    const char *summary; // a line for a list of profiles
    struct profile_step steps[PROFILE_STEPS];
    unsigned rounds;
};

extern const struct profile profiles[]; // ends with id NULL; the first is the default

const struct profile *profile_by_id(const char *id); // NULL where there is none
