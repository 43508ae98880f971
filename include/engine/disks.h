// disks.h: what two directories have in common, as far as the kernel tells: the directory, the disk, or
// something further down.
#pragma once

#include "base/text.h"
#include "engine/target.h"
#include "record/run.h"

enum disks {
    DISKS_APART,        // as far as can be seen; `why` may say what can't
    DISKS_SHARED_BELOW, // loop devices whose files lie on one disk, partitions of one disk, memory
    DISKS_SAME,         // one device, or an overlay's upper layer on the other's
    DISKS_SAME_DIRECTORY
};

// Compares the two tiers of a run, neither of which is null. `why` (empty before) is given a sentence.
enum disks disks_compare(const struct run *run, const struct target targets[], struct text *why);

// Whether two directories lie on one disk as DISKS_SAME has it.
bool disks_same(int dirfd_a, int dirfd_b);
