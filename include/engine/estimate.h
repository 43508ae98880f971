// estimate.h: how far a run is and how long it will take, from what its sections took so far. Pure: times
// come in as numbers.
#pragma once

#include "record/run.h"
#include "spec/plan.h"
#include "spec/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct estimate {
    const struct plan *plan;
    const struct schedule *schedule;
    uint64_t took_ns[PLAN_WORKLOADS_MOST]
                    [RUN_TIERS_MOST]; // its last section, with all around it; 0: none yet
    bool left_out[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];
    uint64_t passed_ns; // by all sections that are over
    double fraction;    // the last one given: it never goes back
};

void estimate_begin(struct estimate *estimate, const struct plan *plan, const struct schedule *schedule);

// A section is over and took so long, from the end of the one before.
void estimate_section(struct estimate *estimate, size_t section, uint64_t took_ns);

// A workload will not be measured on a tier any more.
void estimate_leave_out(struct estimate *estimate, size_t workload, unsigned tier);

struct estimated {
    double fraction;    // of the run, 0 to 1
    bool has_remaining; // each workload that remains was seen, on either tier or in another size
    uint64_t remaining_ns;
};

// `section` has been going on for so long.
struct estimated estimate_now(struct estimate *estimate, size_t section, uint64_t elapsed_ns);
