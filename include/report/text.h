// text.h (report): the page as a plain table, for a terminal, a file or a pipe: ASCII borders none, no
// colour, no carriage return. Columns are as wide as their widest cell: with ordinary names and figures all
// of it fits 80 columns. Below it stands what more threads give, where that was measured, and the notes.
#pragma once

#include "analysis/page.h"
#include "base/text.h"

void report_text(const struct page *page, struct text *out);
