// metrics_json.h: the member "metrics" of a run document.
#pragma once

#include "base/error.h"
#include "record/judgement.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>

// Writes the array, a metric a line. Its findings are given by their places among those that were checked.
void metrics_json_write(const struct judgement *judgement, const struct run *run, struct json_out *out);

// Reads it as it stands, but for the findings. Metrics of workloads that the plan doesn't have, and values of
// tiers that the run doesn't have, are passed over. What is in `metrics` is the caller's to release, also on
// an error.
bool metrics_json_read(const struct json_value *value, const struct run *run, struct metrics *metrics,
                       struct error *error);
