// preflight.h: what can be known before anything is written: is there room, and are these two disks?
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "engine/target.h"
#include "record/run.h"

#include <stdbool.h>
#include <stdint.h>

// What a tier has room for. A memory-backed one has what memory the machine and its control group have left.
struct room {
    bool has_bytes; // false: the file system doesn't say (0 blocks, or more than 2^53 bytes)
    uint64_t bytes;
    bool has_files;
    uint64_t files;
    bool in_memory;
};

void room_of(const struct target *target, const struct run_tier *tier, struct room *room);

// Checks the plan in `run` against each tier: free bytes at least 2 x the largest payload + 5 % of the disk,
// free inodes at least 2 x the files that lie there at one time; on a memory-backed tier at most a quarter of
// the memory left. Says no in one line with the figures. What could not be checked is appended to `notes`, a
// line each.
bool preflight_room(const struct run *run, const struct target targets[], struct text *notes,
                    struct error *error);

// The same directory twice is an error. One disk under both sets run->shared_why: the same device, the same
// block device as source, or an overlay's upper layer on the other's. A disk shared further down (two loop
// devices whose files lie on one disk) is only a line in `notes`.
bool preflight_shared(struct run *run, const struct target targets[], struct text *notes,
                      struct error *error);
