// schedule.h: in which order a plan's sections are done. Pure: the same plan gives the same schedule.
//
// A round is every workload once on each tier, paired workload by workload. Which tier goes first: A in round
// 0; in odd rounds one coin flip a workload, mirrored in the next (ABBA), from the plan's seed. The write
// sweep does its rounds after all rounds of the rest; its round 0 is its smallest size alone, for each step
// and number of threads. (Randomized multiple interleaved trials: Abedi and Brecht, ICPE 2017.)
#pragma once

#include "spec/plan.h"

#include <stdbool.h>
#include <stddef.h>

struct section {
    size_t workload; // index in the plan
    unsigned tier;   // 0 is A
    unsigned round;
    bool first;      // this tier went first in its pair
    bool ends_round; // nothing of this round, or of the sweep's round, follows: time to save
};

struct schedule {
    struct section *sections; // owned
    size_t length;
};

void schedule_make(struct schedule *schedule, const struct plan *plan, unsigned tiers);
void schedule_release(struct schedule *schedule);
