// csv.h: one row a sample, for a spreadsheet or a script. RFC 4180: a header row, CRLF, quotes where a cell
// needs them.
//
// run, host, tier, workload, round, sequence, status, started, wall_ns, sync_ns, ops, bytes, value, unit,
// trust, rules. `value` is the sample's in `unit`; `trust` is that of the metric on that disk and `rules` are
// the ids of what was found of it, separated by blanks: both only where the sample is in a figure. What isn't
// known is an empty cell.
//
// Names are made safe to show, as everywhere (text_put_safe), and one that a spreadsheet would take for a
// formula (it begins with = + - or @) has a ' before it. Numbers stay numbers.
#pragma once

#include "base/text.h"
#include "report/report.h"

void report_csv(const struct report *report, struct text *out);
