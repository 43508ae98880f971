// page.h: what a results page says, as cells and sentences. Made once; the table, the screens and the reports
// only lay it out, so they can't disagree.
//
// A ratio is one of costs (time for the same work; a rate is inverted), the greater over the less: of the
// rounds in pairs, with its interval, from 5 rounds on, else of the medians as they are shown. From 2 on it
// is written as "10.1x slower", "118x slower", "2.31x faster", with no finer digits than its interval
// supports and at most three. Below 2 it is (ratio - 1) in percent: "34 % slower" is A's cost over B's, less
// 1, and "34 % faster" B's over A's, less 1. Where the interval holds 1 (without one: where the ranges
// overlap) it says "no clear difference".
#pragma once

#include "analysis/curve.h"
#include "record/judgement.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

struct page_cell {
    char *value; // "115", in the row's unit; "failed", "skipped", "unsupported", "discarded", "" where
                 // nothing is known yet
    char *range; // "104 to 124", or "" where one round gives none
};

// The sentence of a finding, or of several that say the same. Sentences of one rule and verdict follow each
// other and have one mark: the first says all that a short page needs, the others repeat it with their own
// figures.
struct page_finding {
    const char *rule;
    enum verdict verdict;
    unsigned mark; // the number that rows name; 0 where it has none (info, not checked)
    char *about;   // "create and walk on A persistent", "B ephemeral", or "" where it is the run
    char *message;
    bool repeats;   // the one before it is of the same rule and verdict
    char *likewise; // what those that repeat it are about, or ""
};

// Its message, and behind it what else the same is said of: what a short page says of all that repeat it. The
// caller frees.
char *page_finding_words(const struct page_finding *finding);

// The latencies of a row's operations on a tier, as far as their number carries a percentile.
struct page_latency {
    char *label;                    // "create, A persistent"
    char *operation;                // "file"
    char *values[PERCENTILE_COUNT]; // "8.40 ms" of the rounds' middle; "" where it is withheld
    char *ranges[PERCENTILE_COUNT]; // "8.31 to 8.62 ms", or ""
    char *pooled[PERCENTILE_COUNT]; // of all rounds together; ""
};

// One line of what a run is: "A persistent", "/workspace, fuse.orlop, orlop:agent".
struct page_fact {
    char *label;
    char *value;
};

struct page_row {
    size_t workload;  // index in the plan, in whose order rows stand; not each has a row (metrics.h: absent)
    char *label;      // "create"
    const char *unit; // "files/s"
    struct page_cell tiers[RUN_TIERS_MOST];
    char *verdict;  // of A: "10.1x slower", "no clear difference", or ""
    char *interval; // of it: "8.4 to 10.7", or ""
    char *medians;  // the ratio of the medians as they are shown, beside it: "10.1x", or ""
    enum comparison comparison;
    double ratio;     // for a bar on a log axis; 0 where there is none
    double low, high; // likewise of its interval; 0 where there is none
    enum trust trust;
    bool pending; // the run goes on, and some of its rounds aren't in: nothing is decided
    char *marks;  // the numbers of the findings that mark it: "1", "1,3", or ""
};

// The sign that ends a row, before the numbers of its marks.
enum page_sign {
    SIGN_NONE,    // there is no figure
    SIGN_PENDING, // nothing is decided yet
    SIGN_GOOD,
    SIGN_CAVEAT, // of a figure, or of the comparison alone
    SIGN_DISCARDED,
    SIGN_COUNT
};

enum page_sign page_row_sign(const struct page_row *row);

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
    char *headline;                // what it comes to, or ""
    char *thresholds;              // those that differ from the standard, or ""
    char *columns[RUN_TIERS_MOST]; // "A persistent", or "A" where that is its name
    unsigned tier_count;
    struct page_row *rows;
    size_t row_count;
    struct page_curve *curves; // none where nothing is measured at several numbers of threads
    size_t curve_count;
    char **notes; // sentences below the table, most important first
    size_t note_count;
    size_t gap_count;              // of the notes, the first: what keeps the run from being whole
    struct page_finding *findings; // most severe first; those with the same sentence are one
    size_t finding_count;
    char *not_checked; // "wide-range (no values by round); ...": rules that lacked their data, or ""
    struct page_latency *latencies;
    size_t latency_count;
    struct page_fact *facts; // what was measured, where and when
    size_t fact_count;
    char **method; // sentences, made from what was done
    size_t method_count;
    char **limitations;
    size_t limitation_count;
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
void page_make(struct page *page, const struct run *run, const struct judgement *judgement);
void page_release(struct page *page);
