// text.h (report): the page in plain text, for a terminal, a file or a pipe: no colour, no carriage return.
#pragma once

#include "analysis/page.h"
#include "base/text.h"
#include "report/report.h"

// The table with the headline above it, and below it what was thrown away, what the marks mean and the notes.
void report_text(const struct page *page, struct text *out);

// All of the page.
void report_text_page(const struct report *report, struct text *out);
