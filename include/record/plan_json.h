// plan_json.h: the member "plan" of a run document.
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/write_json.h"
#include "spec/plan.h"

#include <stdbool.h>

void plan_json_write(const struct plan *plan, struct json_out *out);

// Reads it, and checks it as plan_check does. Only of an imported run a workload may end in sync(2). What is
// in `plan` is the caller's to release, also on an error.
bool plan_json_read(const struct json_value *value, bool imported, struct plan *plan, struct error *error);
