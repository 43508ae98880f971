// estimate.h: how far a run is and how long it will take, from what its sections took so far. Pure: times
// come in as numbers.
//
// What a section takes is expected to be, in this order:
// - the median of the last few of the same workload and tier, so that one that stalled is soon forgotten;
//   round 0 counts only until there is a later one;
// - scaled from another size of the same kind on that tier;
// - a nominal cost, scaled by how much more than nominal this tier took for what it did.
#pragma once

#include "record/run.h"
#include "spec/plan.h"
#include "spec/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ESTIMATE_LAST = 5 };

// What the last sections of one workload on one tier took, with all around them.
struct estimate_past {
    uint64_t first_ns;               // in round 0; 0: not seen
    uint64_t last_ns[ESTIMATE_LAST]; // in later rounds, in a ring
    unsigned count;                  // of them, since the beginning
};

struct estimate {
    const struct plan *plan;
    const struct schedule *schedule;
    struct estimate_past past[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];
    bool left_out[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];
    uint64_t passed_ns; // by all sections that are over
    double fraction;    // the last one given: it never goes back
};

void estimate_begin(struct estimate *estimate, const struct plan *plan, const struct schedule *schedule);

// A section is over and took so long, from the end of the one before.
void estimate_section(struct estimate *estimate, size_t section, uint64_t took_ns);

// A workload will not be measured on a tier any more.
void estimate_leave_out(struct estimate *estimate, size_t workload, unsigned tier);

// What a section of the schedule is expected to take, with all around it.
uint64_t estimate_expect(const struct estimate *estimate, size_t section);

struct estimated {
    double fraction;    // of the run, 0 to 1
    bool has_remaining; // each tier that something remains to be measured on was seen at work
    uint64_t remaining_ns;
};

// `section` has been going on for so long.
struct estimated estimate_now(struct estimate *estimate, size_t section, uint64_t elapsed_ns);
