// sample_json.h: one element of "samples" of a run document.
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>

// `run` has the plan and the tiers that samples name.
void sample_json_write(const struct sample *sample, const struct run *run, struct json_out *out);

// What is in `sample` is the caller's to release, also on an error.
bool sample_json_read(const struct json_value *value, const struct run *run, struct sample *sample,
                      struct error *error);
