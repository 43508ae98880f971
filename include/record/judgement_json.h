// judgement_json.h: what is derived from a run, as members of its document: "rules_version", "metrics",
// "findings", "not_checked" and "headline".
#pragma once

#include "base/error.h"
#include "record/judgement.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>

// Writes them into the object that is open, a line each. Rules that lacked their data stand in "not_checked"
// and not among the findings, so that the indices in a metric's "findings" count the others alone. Without a
// judgement (NULL) rules_version is 0, and there is nothing else.
void judgement_json_write(const struct judgement *judgement, const struct run *run, struct json_out *out);

// Reads them from the whole document as they stand, but findings: those are derived again. What is in
// `judgement`, which is {0}, is the caller's to release, also on an error.
bool judgement_json_read(const struct json_value *top, const struct run *run, struct judgement *judgement,
                         struct error *error);
