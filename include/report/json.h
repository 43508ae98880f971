// json.h (report): the run document written again (record/run_json.h), with what its samples give now.
#pragma once

#include "base/text.h"
#include "report/report.h"

void report_json(const struct report *report, struct text *out);
