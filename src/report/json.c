#include "report/json.h"

#include "record/run_json.h"

void report_json(const struct report *report, struct text *out)
{
    run_json_write(report->run, report->judgement, out);
}
