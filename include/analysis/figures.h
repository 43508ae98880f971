// figures.h: what a metric on a tier comes to, whether it has rounds or is an import's summary.
#pragma once

#include "analysis/facts.h"

#include <stdbool.h>

// The middle and the range of its values, in the metric's unit. Of an import that says a middle alone, the
// range is that middle; one that doesn't say its number of rounds counts as one. False where there is no
// middle.
bool figures_values(const struct tier_facts *facts, struct summary *values);

// The same of the follow-ups of block 2.
bool figures_follow_up(const struct tier_facts *facts, struct summary *values);

// What a value in a workload's unit comes to in seconds of one batch; 0 where it can't be told.
double figures_seconds_at(const struct workload *workload, double value);

// Seconds that one batch takes: the median of the rounds' costs, else what an import's wall time or middle
// comes to. False where that isn't known, or the metric counts no work by time.
bool figures_seconds(const struct facts *facts, size_t workload, unsigned tier, double *seconds);
