// metrics_json.h: the member "metrics" of a run document.
#pragma once

#include "base/error.h"
#include "record/metrics.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>

// Writes the array, a metric a line.
void metrics_json_write(const struct metrics *metrics, const struct run *run, struct json_out *out);

// Reads it as it stands. Metrics of workloads that the plan doesn't have, and values of tiers that the run
// doesn't have, are passed over. What is in `metrics` is the caller's to release, also on an error.
bool metrics_json_read(const struct json_value *value, const struct run *run, struct metrics *metrics,
                       struct error *error);
