// table.h: the page's rows as a table on a canvas, for the live and the results screen.
//
// A row's unit stands once, behind its label; numbers end under one another; what the rules say of a row ends
// it: a tick, "!" or a cross, with the numbers of the sentences below. Where the width is short, the bars go
// first, then the intervals of the ratios, then words and names get shorter, then the ranges go below their
// values or away: a column goes whole, a number never in part. Last, labels lose their middle.
#pragma once

#include "analysis/page.h"
#include "tui/canvas.h"
#include "tui/glyphs.h"

#include <stdbool.h>
#include <stddef.h>

enum table_ranges { RANGES_BESIDE, RANGES_BELOW, RANGES_NONE };

// Where everything stands, found over all rows so that it holds when the table scrolls.
struct table_layout {
    int width;                  // of all of it
    int label;                  // columns of the labels: of the widest, where it fits
    int unit;                   // of the widest unit, which stands behind the label
    int number[RUN_TIERS_MOST]; // of the widest number
    int range[RUN_TIERS_MOST];  // of the widest range
    int tier[RUN_TIERS_MOST];   // of a tier's whole column
    int verdict;                // with the interval, where there are intervals
    int mark;
    int bar;     // 0: no bars
    double most; // what the bars' axis ends at
    bool fits;   // all of it
    enum table_ranges ranges;
    bool intervals; // of the ratios, behind them
    bool brief;     // fewer words and blanks
};

// The layout that fits in so many columns. `below` says what becomes of ranges that don't fit beside their
// values: a line of their own (true) or nothing.
struct table_layout table_lay(const struct page *page, const struct glyphs *glyphs, int width, bool below);

// Lines of a row: two where a range stands below its value.
int table_row_height(const struct table_layout *layout, const struct page *page, size_t row);
void table_head(struct canvas *canvas, int left, int y, const struct table_layout *layout,
                const struct glyphs *glyphs, const struct page *page);
void table_row(struct canvas *canvas, int left, int y, const struct table_layout *layout,
               const struct glyphs *glyphs, const struct page *page, size_t row, bool present);
