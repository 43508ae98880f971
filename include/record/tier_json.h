// tier_json.h: one element of "tiers" of a run document.
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>

void tier_json_write(const struct run_tier *tier, struct json_out *out);

// What is in `tier` is the caller's to release, also on an error.
bool tier_json_read(const struct json_value *value, struct run_tier *tier, struct error *error);
