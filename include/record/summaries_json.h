// summaries_json.h: the member "summaries" of the document of an imported run.
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/run.h"
#include "record/write_json.h"

#include <stdbool.h>

// Writes the array, a summary a line.
void summaries_json_write(const struct run *run, struct json_out *out);

// Reads it into run->summaries. A workload or tier that isn't there, two summaries of one place, and figures
// that contradict each other are errors.
bool summaries_json_read(const struct json_value *value, struct run *run, struct error *error);
