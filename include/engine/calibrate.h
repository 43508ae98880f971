// calibrate.h: what the tool itself costs, measured at the start of each run, so that nobody takes it for a
// disk's.
#pragma once

#include "engine/tier.h"
#include "record/calibration.h"
#include "spec/plan.h"

#include <stdbool.h>

// The clock: what reading it costs, and its least step.
void calibrate_clock(struct calibration *calibration);

// Stamping, and comparing stamps.
void calibrate_stamps(struct calibration *calibration);

// One batch of each workload of a plan's rounds with calls that do nothing (io_null), the median of a few; a
// workload that takes long is done once, and of a file of more than 1 GiB so much is done: `ops` tells how
// many operations. Ends early where `stopping(argument)` says so.
//
// The workers of `tier`, on which nothing lies yet, do it: what they hold in memory is enough for both.
void calibrate_workloads(struct tier *tier, const struct plan *plan, struct calibration *calibration,
                         bool (*stopping)(void *argument), void *argument);
