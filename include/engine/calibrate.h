// calibrate.h: what the tool itself costs, measured at the start of each run, so that nobody takes it for a
// disk's.
#pragma once

#include "record/calibration.h"
#include "spec/plan.h"

#include <stdbool.h>

// The clock: what reading it costs, and its least step.
void calibrate_clock(struct calibration *calibration);

// Stamping, and comparing stamps.
void calibrate_stamps(struct calibration *calibration);

// One batch of each workload of a plan with calls that do nothing (io_null), the median of a few; a workload
// that takes long is done once, and of a file of more than 1 GiB so much is done: `ops` tells how many
// operations. Ends early where `stopping(argument)` says so.
void calibrate_workloads(const struct plan *plan, struct calibration *calibration,
                         bool (*stopping)(void *argument), void *argument);
