// self.h: what a disk compared with itself showed, taken from a saved run with --same-disk, so that the rules
// can tell differences between two disks from those that the machine shows between one and the same.
#pragma once

#include "base/error.h"
#include "record/run.h"

// Reads the run called `name` (as store_read() finds it) and puts the interval of each ratio into the
// calibration of `run`, where the plans have a workload in common. Says why where that run can't be read
// (EXIT_DOCUMENT), isn't of one disk, or has no ratio of any workload of the plan (EXIT_USAGE).
enum exit_status self_take(struct run *run, const char *runs, const char *name, struct error *error);
