// plan_total.h: what a plan asks of a disk, in sums.
#pragma once

#include "spec/plan.h"

#include <stdint.h>

// What a plan asks of one tier, with round 0, each section counted once, though a quick tier repeats short
// ones, and none that is measured instead of another or only where the rules ask. What the workloads of a
// round need (trees, one shape after the other; large files) is made untimed where none of them creates it,
// and counts all the same. A tree and large files may lie there together; of the write sweep one file at a
// time, and nothing else.
struct plan_totals {
    uint64_t ops; // timed ones
    uint64_t bytes_written;
    uint64_t files_created;
    uint64_t largest_payload_bytes; // the most that lies on the disk at one time; a small file is >= 4 KiB
    uint64_t most_files;            // likewise
};

struct plan_totals plan_total(const struct plan *plan);
