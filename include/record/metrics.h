// metrics.h: what is derived from samples, as plain data: per tier the middle and the range over rounds, and
// how the tiers compare. analysis/ fills it; the document stores it for readers in other languages.
#pragma once

#include "record/run.h"
#include "spec/workload.h"
#include "stats/summary.h"

#include <stdbool.h>
#include <stddef.h>

enum metric_state {
    METRIC_EMPTY, // nothing yet, or nothing was to be measured
    METRIC_MEASURED,
    METRIC_FAILED, // a section failed: nothing of this metric is reported for the tier
    METRIC_SKIPPED // left out: by the user, by time, or because the disk can't
};

struct metric_tier {
    enum metric_state state;
    struct summary summary;     // of `each`
    double *each;               // by round; owned
    const struct sample *cause; // the first sample that failed or was skipped; NULL else
};

enum comparison {
    COMPARISON_NONE,    // a side is missing, the ratio isn't wanted, or there is one tier
    COMPARISON_UNCLEAR, // the ranges overlap: no clear difference
    COMPARISON_SLOWER,  // A is, by the ratio of medians
    COMPARISON_FASTER
};

struct metric {
    char id[WORKLOAD_ID_SIZE]; // the workload's
    size_t workload;
    enum unit unit;
    bool higher_is_better;
    bool
        absent; // stands in for a workload that each disk can do, and has no sample: shown and stored nowhere
    struct metric_tier tiers[RUN_TIERS_MOST];
    enum comparison comparison;
    double ratio; // of the medians, as cost, the greater over the less: at least 1; 0 where there is none
    double ratio_shown; // the same from the medians as they are displayed, which readers recompute
};

struct metrics {
    struct metric *rows; // one a workload, in the plan's order; owned
    size_t length;
};

void metrics_release(struct metrics *metrics);
