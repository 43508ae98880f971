// table.h: the numbers as a plain table, for a terminal, a file or a pipe: ASCII borders none, no colour, no
// carriage return. Columns are as wide as their widest cell: with ordinary names and figures all of it fits
// 80 columns. Below it stands what more threads give, where that was measured.
#pragma once

#include "analysis/page.h"
#include "base/text.h"

// What the rules say stands at the end of a row, as layout_put_mark() has it. Intervals of ratios stand
// beside them where all of a line fits `columns`.
void report_table(const struct page *page, size_t columns, struct text *out);
