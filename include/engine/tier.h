// tier.h: one tier as the conductor works on it: its scratch directory, its crew, and the calls that the
// conductor makes there itself, untimed.
#pragma once

#include "engine/files.h"
#include "engine/scratch.h"
#include "engine/target.h"
#include "engine/trees.h"
#include "engine/worker.h"
#include "spec/plan.h"

#include <stdbool.h>
#include <stdint.h>

struct tier {
    const struct target *target;
    bool null;              // no disk: nothing is read back, drained or removed
    struct scratch scratch; // of a real one
    struct crew crew;
    struct io io;             // the conductor's own
    struct progress progress; // likewise
    struct trees trees;
    struct files files;
    struct failure failure; // the first call of the conductor that failed in this section
};

struct tier_setup {
    const struct target *target;
    bool null;
    const struct plan *plan;
    uint64_t nonce; // of the run
};

// Starts the crew. Makes no call on the disk.
bool tier_open(struct tier *tier, const struct tier_setup *setup, struct error *error);

// Makes the scratch directory, which is a call that can wait for the disk.
bool tier_make_scratch(struct tier *tier, const char *run_id, struct error *error);

// Removes the scratch directory, if there is one; what stays is named in `leftovers`.
void tier_remove(struct tier *tier, struct text *leftovers);

void tier_close(struct tier *tier); // ends the crew

// -1 where there is no disk.
int tier_dirfd(const struct tier *tier);

// A call of the conductor begins or ends: what whoever watches sees.
uint64_t tier_call_begin(struct tier *tier, enum call call);
uint64_t tier_call_end(struct tier *tier);

// Notes that a call failed, with errno; false.
bool tier_fail(struct tier *tier, enum call call, const char *path);

// What failed first in this section: a worker's call, or else one of the conductor's, which tidies up after
// workers. NULL: none.
const struct failure *tier_failure(const struct tier *tier);

// Before a section and before its measuring: empties the lanes and forgets failures.
void tier_clear(struct tier *tier);
