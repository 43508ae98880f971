// page.h: what a results page says, as cells and sentences. Made once; the table, the screens and later the
// reports only lay it out, so they can't disagree.
//
// A ratio is one of costs (time for the same work; a rate is inverted), of the medians as they are shown, the
// greater over the less. From 2 on it is written with at most three digits: "10.1x slower", "118x slower",
// "2.31x faster". Below 2 it is (ratio - 1) in percent: "34 % slower" is A's cost over B's, less 1, and
// "34 % faster" B's over A's, less 1. Where the ranges overlap it says "no clear difference".
#pragma once

#include "analysis/curve.h"
#include "analysis/metric.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

struct page_cell {
    char
        *value; // "115", in the row's unit; "failed", "skipped", "unsupported", "" where nothing is known yet
    char *range; // "104 to 124", or "" where one round gives none
};

struct page_row {
    size_t workload;  // index in the plan, in whose order rows stand; not each has a row (metrics.h: absent)
    char *label;      // "create"
    const char *unit; // "files/s"
    struct page_cell tiers[RUN_TIERS_MOST];
    char *verdict; // of A: "10.1x slower", "no clear difference", or ""
    enum comparison comparison;
    double ratio; // for a bar on a log axis; 0 where there is none
};

// What more threads give on one tier.
struct page_curve_tier {
    char *values[PLAN_THREAD_COUNTS_MOST];   // as in the table, by number of threads; "" where there is none
    double medians[PLAN_THREAD_COUNTS_MOST]; // for a plot; 0 where there is none
    char *scaling;                           // "6.78x as fast", or ""
};

struct page_curve {
    char *label;      // "create"
    const char *unit; // "files/s"
    size_t count;     // of numbers of threads
    unsigned threads[PLAN_THREAD_COUNTS_MOST];
    struct page_curve_tier tiers[RUN_TIERS_MOST];
};

struct page {
    char *title;                   // "agent-disk, 6 rounds, 2026-11-30 17:55 UTC"
    char *columns[RUN_TIERS_MOST]; // "A persistent", or "A" where that is its name
    unsigned tier_count;
    struct page_row *rows;
    size_t row_count;
    struct page_curve *curves; // none where nothing is measured at several numbers of threads
    size_t curve_count;
    char **notes; // sentences below the table, most important first
    size_t note_count;
};

// How a round is called everywhere: "round 0 (first use)", "round 3 of 6"; without `rounds` (0) "round 3".
enum { ROUND_NAME_SIZE = 48 };
void round_name(unsigned round, unsigned rounds, char out[ROUND_NAME_SIZE]);

// The same for a section of a plan. Large writes that do their rounds after those of the rest say so: "large
// writes, round 3 of 6", or, short, "large writes 3 of 6".
enum { ROUND_PLACE_SIZE = ROUND_NAME_SIZE + 16 };
void round_place(const struct plan *plan, const struct workload *workload, unsigned round, bool shortened,
                 char out[ROUND_PLACE_SIZE]);

// Text is ASCII but for foreign parts (names, paths), which are UTF-8 and already safe to show.
void page_make(struct page *page, const struct run *run, const struct metrics *metrics);
void page_release(struct page *page);
