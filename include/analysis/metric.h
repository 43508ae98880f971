// metric.h (analysis): from the rounds of a run to metrics and the ratios of its tiers.
//
// Pure: the same run gives the same metrics, so the table of a saved run is the table that was printed. Round
// 0 and follow-ups are in no metric, nor is a sample that isn't ok. A sample that failed, in any round, takes
// the whole metric of its tier away; one that was skipped leaves the rounds before it. What the rules say of
// the figures comes afterwards (judge.h).
#pragma once

#include "analysis/facts.h"
#include "record/thresholds.h"

// The caller releases `metrics`. A cause points into the run: it holds until a sample is added or the run is
// released.
void metrics_derive(const struct facts *facts, const struct thresholds *thresholds, struct metrics *metrics);
