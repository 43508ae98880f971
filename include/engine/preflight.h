// preflight.h: what can be known before anything is written: is there room, and are these two disks?
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "engine/target.h"
#include "record/run.h"

#include <stdbool.h>
#include <stdint.h>

// What a tier has room for. A memory-backed one has at most what memory the machine and its control groups
// have left.
struct room {
    bool has_bytes; // false: the file system doesn't say (0 blocks, or more than 2^53 bytes)
    uint64_t bytes;
    uint64_t total_bytes; // of the disk; 0 where it doesn't say
    bool has_files;       // false: it doesn't count files, or says 0 (rclone, btrfs)
    uint64_t files;
    bool in_memory;
    bool has_memory; // false: not in memory, or nothing tells how much is left
    uint64_t memory_bytes;
};

void room_of(const struct target *target, const struct run_tier *tier, struct room *room);

// Checks the plan in `run` against each tier: free bytes at least 2 x the largest payload + 5 % of the disk,
// free inodes at least 2 x the files that lie there at one time; on a memory-backed tier at most a quarter of
// the memory left. Where both tiers are one disk, or both memory, what lies there of both at one time counts
// (both trees of a round; sequential files come one after the other). Says no in one line with the figures.
// What could not be checked is appended to `notes`, a line each; so is a directory in which others could
// move ours away.
bool preflight_room(const struct run *run, const struct target targets[], struct text *notes,
                    struct error *error);

// The same of one workload, which lies there alone, on one tier that may be null.
bool preflight_fits(const struct run_tier *tier, const struct target *target,
                    const struct workload *workload);

// Checks that what the workers hold (blocks of data, histograms) takes at most three quarters of the memory
// left: a control group kills what takes more, in the middle of the run.
bool preflight_memory(const struct run *run, struct error *error);

// The same directory twice is an error. One disk under both sets run->shared_why: the same device, the same
// block device as source, or an overlay's upper layer on the other's. What is shared further down (loop
// devices whose files lie on one disk, partitions of one disk, memory) is only a line in `notes`.
bool preflight_shared(struct run *run, const struct target targets[], struct text *notes,
                      struct error *error);
