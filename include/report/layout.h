// layout.h: the order in which a whole page is told, for all formats that people read: title and headline;
// what was measured; the numbers; single operations; marks; what was thrown away; what wasn't checked;
// method; limitations; raw data; the tool. A part that has nothing to tell is left out with its heading.
#pragma once

#include "base/text.h"
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

// One of a list.
struct layout_item {
    const char *label; // "x2 seq-write-64 on A persistent", or "" where it is a plain sentence
    const char *words;
    unsigned mark; // that rows name; 0 where it has none
    bool repeats;  // the item before it, with other figures
};

// What a format writes, each in its own way. Strings are the page's, to be escaped.
struct layout {
    void (*head)(const struct report *report, struct text *out); // title, headline, thresholds
    void (*heading)(struct text *out, const char *words);
    void (*paragraph)(struct text *out, const char *words);
    void (*list)(struct text *out, const struct layout_item *items, size_t count);
    void (*facts)(const struct page *page, struct text *out);
    void (*numbers)(const struct report *report, struct text *out);
    void (*operations)(const struct report *report, struct text *out);
};

void layout_page(const struct report *report, const struct layout *layout, struct text *out);

// "x2 seq-write-64 on A persistent", or "" where it is of the whole run. The caller frees.
char *layout_label(const struct page_finding *finding);

// Appends what the rules say of a row: "ok", "!1,3", "x2", or "..." where nothing is decided.
void layout_put_mark(const struct page_row *row, struct text *out);

// "Judged by other thresholds than the standard: ….", or "". The caller frees.
char *layout_thresholds(const struct page *page);

// "diskduel 0.1.0, commit …, rules version 1". Appends it, safe to show.
void layout_put_tool(const struct report *report, struct text *out);

extern const char *const layout_percentiles_withheld; // what an empty percentile means
