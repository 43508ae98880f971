// plan_check.h: whether a plan that somebody else wrote can be measured.
#pragma once

#include "base/error.h"
#include "spec/plan.h"

#include <stdbool.h>

// Checks a plan that came from a document by the same rules; the message names the member
// ("plan.workloads[3].files: …").
bool plan_check(const struct plan *plan, struct error *error);
