// duel.h: everything that the live and the results screens show, as plain data. The console's loop fills it;
// views read it and nothing else. No view makes a disk call, knows the engine or asks the time.
#pragma once

#include "analysis/page.h"
#include "record/run.h"
#include "spec/schedule.h"
#include "stats/histogram.h"
#include "stats/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct duel_tier {
    const struct series *series;
    size_t length;             // intervals to look at: an old length is a frozen picture
    bool has_section;          // something was measured on it
    struct section section;    // the present one, or the last
    bool measuring;            // it is this tier's turn
    uint64_t ops, ops_planned; // of that section
    struct histogram latency;  // of that section's operations
};

struct duel {
    const struct run *run; // plan, tiers and status; only members that don't change while a run goes on
    const struct schedule *schedule;
    struct duel_tier tiers[RUN_TIERS_MOST];
    const struct page *page;    // the table so far, or the results
    size_t section;             // index in the schedule of the present section
    const struct section *held; // while frozen: the section of the schedule that was present when it began,
                                // whose workload the panes keep showing; NULL else
    const char *doing;          // "delete on A: unlinkat f00000131, 4 ms"; safe to show
    bool stalled;               // that call has been waiting for long
    double fraction;            // of the run
    bool has_remaining;
    uint64_t remaining_ns;
    const char *saved_as; // path of the document, once the run is over; safe to show
    const char *warning;  // NULL, or one line that must be seen (the document could not be saved)
};
