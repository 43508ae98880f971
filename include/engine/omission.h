// omission.h: which sections of a schedule are not measured, and why: because a disk can't do them, because
// they stand in for something that every disk can do, or because --max-time has no room for their round.
//
// Time takes whole rounds away, of both tiers alike, and never changes the work: a round is begun only where
// it is expected to end in time, and before a round of everything else as many rounds of the write sweep are
// allowed for. Where time runs out in the middle of a round, the pair that is under way is finished, and
// nothing after it. The first two rounds are begun in any case. A follow-up is begun only where all of it is
// expected to end in time. Pure.
#pragma once

#include "engine/estimate.h"
#include "record/run.h"
#include "spec/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What time has room for is decided for each of these by itself.
enum part { PART_REST, PART_SWEEP, PART_FOLLOW_UP, PART_COUNT };

struct omission {
    const char *unsupported[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST]; // why; NULL: it isn't. Points into the run
    bool unneeded[PLAN_WORKLOADS_MOST]; // it would be measured instead of what all disks can do
    bool out_of_time;                   // nothing is begun any more
    bool over[PART_COUNT]; // no more rounds of everything but the sweep, of the sweep; nothing of the present
                           // follow-up
};

// What the disks can't do, once it is known what they support.
void omission_by_disks(struct omission *omission, const struct run *run);

// Before each section, in order: looks at the time, `elapsed_ns` since the run began.
void omission_by_time(struct omission *omission, const struct estimate *estimate, size_t section,
                      uint64_t elapsed_ns);

// Whether a section is to be left out; `reason` and `detail` (may be NULL) are what its sample says. Reason
// SKIP_NONE: nothing is said of it.
bool omission_of(const struct omission *omission, const struct estimate *estimate, size_t section,
                 enum skip_reason *reason, const char **detail);
