// metric.h (analysis): from samples to metrics.
//
// Pure: the same run gives the same metrics, so the table of a saved run is the table that was printed. Round
// 0 and follow-ups are in no metric, nor is a sample that isn't ok. A sample that failed, in any round, takes
// the whole metric of its tier away; one that was skipped leaves the rounds before it. There is a ratio only
// where the ranges don't overlap: touching is overlapping.
#pragma once

#include "base/text.h"
#include "record/metrics.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

// What one sample says in its workload's unit: files, commits or other operations a second, milliseconds a
// batch, or MB (10^6) a second. False where it can't say (not ok, or no time passed).
bool metric_value(const struct run *run, const struct sample *sample, double *value);

// The caller releases `metrics`. A cause points into the run: it holds until a sample is added or the run is
// released.
void metrics_derive(const struct run *run, struct metrics *metrics);

// Appends a sentence, a line each, for every value stored in a document (`stored`) that its samples don't
// give, to 1e-9 relative. What isn't stored can't disagree.
void metrics_disagree(const struct run *run, const struct metrics *derived, const struct metrics *stored,
                      struct text *sentences);
