// sample_json.h: one element of "samples" of a run document.
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>
#include <stddef.h>

// `run` has the plan and the tiers that samples name. Detail past `most` bytes is left out, and named in
// "left_out"; intervals of a series are joined until they fit.
void sample_json_write(const struct sample *sample, const struct run *run, size_t most, struct json_out *out);

// What is in `sample` is the caller's to release, also on an error.
bool sample_json_read(const struct json_value *value, const struct run *run, struct sample *sample,
                      struct error *error);
