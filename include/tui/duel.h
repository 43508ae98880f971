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

enum tier_state {
    TIER_WAITING, // it is the other one's turn, or nobody's
    TIER_PREPARING,
    TIER_DRAINING,
    TIER_MEASURING,
    TIER_VERIFYING
};

// Its picture is the last section of duel.workload that was measured on it, as far as that got: the present
// one, or one of an earlier round, which stays until the next has something to show.
struct duel_tier {
    enum tier_state state;
    const struct series *series;
    size_t length;             // intervals to look at: an old length is a frozen picture
    bool has_section;          // there is a picture: section, ops and latency hold
    bool live;                 // and that section is being measured at this moment
    struct section section;    // its round is the picture's
    uint64_t ops, ops_planned; // of that section
    struct histogram latency;  // of that section's operations
};

struct duel {
    const struct run *run; // plan, tiers and status; only members that don't change while a run goes on
    const struct schedule *schedule;
    struct duel_tier tiers[RUN_TIERS_MOST];
    const struct page *page; // the table so far, or the results
    size_t section;          // index in the schedule of the present section
    size_t workload;   // that both panes show: the last one whose measuring began on either tier; a frozen
                       // picture keeps its own
    const char *doing; // "delete on A: unlinkat f00000131, 4 ms"; safe to show
    bool stalled;      // that call has been waiting for long
    double fraction;   // of the run
    bool has_remaining;
    uint64_t remaining_ns;
    const char *saved_as; // path of the document, once the run is over; safe to show
    const char *warning;  // NULL, or one line that must be seen (the document could not be saved)
};
