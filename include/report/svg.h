// svg.h: plots of a run as inline SVG, and the escaping of what stands between tags.
//
// Colours are classes: "a" is tier A, "b" is tier B, which is dashed too; each is named by its letter. Every
// plot has a title and a description.
#pragma once

#include "analysis/page.h"
#include "base/text.h"
#include "record/run.h"

#include <stdbool.h>

// Appends it for HTML and XML, between tags or in quotes. `safe` has no control characters.
void html_put(struct text *out, const char *safe);

// The work of a row over time, both tiers on one scale, one below the other: sections of rounds 1 to n joined
// end to end, with a tick at each round. Where a tier has more intervals than the plot has columns, the line
// is the highest rate of each column and a band reaches down to the lowest. The rates are logarithmic where
// the tiers are 20 times apart. False where there is nothing to show; then nothing is appended.
bool svg_throughput(const struct run *run, const struct page *page, const struct page_row *row,
                    struct text *out);

// How long single operations of a row took, in rounds 1 to n, both tiers on one logarithmic axis. An interval
// that holds one operation is visible.
bool svg_latency(const struct run *run, const struct page *page, const struct page_row *row,
                 struct text *out);

// Ratios on one logarithmic axis: to the right A is slower, to the left B is.
struct svg_ratio_axis {
    int least, most; // powers of ten
};
struct svg_ratio_axis svg_ratio_axis_of(const struct page *page);
void svg_ratio_head(const struct svg_ratio_axis *axis, struct text *out);
void svg_ratio(const struct page_row *row, const struct svg_ratio_axis *axis, struct text *out);
