// html.h: the page as one HTML file that needs nothing else: no script, no font, no image from elsewhere.
// Light and dark as the reader has it; it can be printed, and read on a phone.
//
// It is well-formed XML too. Its size is bounded: a plot has at most as many points as it has columns
// (report/svg.h), and there are two plots a row.
#pragma once

#include "base/text.h"
#include "report/report.h"

void report_html(const struct report *report, struct text *out);
