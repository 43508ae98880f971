// schedule.h: in which order a plan's sections are done. Pure: the same plan gives the same schedule.
//
// A round is every workload once on each tier, paired workload by workload. Which tier goes first: A in round
// 0; in odd rounds one coin flip a workload, mirrored in the next (ABBA), from the plan's seed. The write
// sweep does its rounds after all rounds of the rest; its round 0 is its smallest size alone, for each step
// and number of threads. (Randomized multiple interleaved trials: Abedi and Brecht, ICPE 2017.)
//
// Behind all of them stands what the rules want to see once more, as soon as they asked. Each of its rounds
// ends like any other, so that the next one begins with as little on the disk.
#pragma once

#include "spec/follow_up.h"
#include "spec/plan.h"

#include <stdbool.h>
#include <stddef.h>

struct section {
    size_t workload; // index in the plan
    unsigned tier;   // 0 is A
    unsigned round;
    unsigned block;   // 1; of follow-ups 2
    uint64_t idle_ns; // the disks are left alone for so long before it
    bool first;       // this tier went first in its pair, or has none
    bool ends_round;  // nothing of this round, or of the sweep's round, follows: time to save
};

struct schedule {
    struct section *sections; // owned
    size_t length;
    size_t capacity; // how many it can have: sections never move when some are added
};

void schedule_make(struct schedule *schedule, const struct plan *plan, unsigned tiers);

// Appends a follow-up's sections, of block 2. False, with nothing appended, where it has no rounds, where
// that workload is followed up on that tier already, or where there is no more room (there is for
// FOLLOW_UPS_MOST).
bool schedule_follow_up(struct schedule *schedule, const struct follow_up *follow_up);
void schedule_release(struct schedule *schedule);
