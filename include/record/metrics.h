// metrics.h: what is derived from samples, as plain data: per tier the middle and the range over rounds, how
// far that can be trusted, and how the tiers compare. analysis/ fills it; the document stores it for readers
// in other languages.
#pragma once

#include "record/run.h"
#include "spec/workload.h"
#include "stats/summary.h"

#include <stdbool.h>
#include <stddef.h>

enum metric_state {
    METRIC_EMPTY, // nothing yet, or nothing was to be measured
    METRIC_MEASURED,
    METRIC_FAILED, // a section failed: nothing of this metric is reported for the tier
    METRIC_SKIPPED // left out: by the user, by time, or because the disk can't
};

// The worst that the rules say of a figure.
enum trust {
    TRUST_NONE, // there is no figure
    TRUST_REPORTED,
    TRUST_CAVEAT,   // shown with a mark and a sentence
    TRUST_DISCARDED // kept in the data and shown nowhere as a figure
};

const char *trust_name(enum trust trust); // "reported", "caveat", "discarded"; NULL for TRUST_NONE

// Of the latencies of a tier's operations, by nearest rank.
struct percentile {
    bool in_rounds;        // each round has operations enough for it
    struct summary rounds; // of each round's own value, in ns
    bool pooled;           // all rounds together are worth enough independent operations
    double pooled_ns;
};

enum { PERCENTILE_COUNT = 5 };
extern const unsigned percentile_permilles[PERCENTILE_COUNT]; // 500, 900, 950, 990, 999
const char *percentile_name(size_t index);                    // "p50", "p99.9"

struct metric_tier {
    enum metric_state state;
    enum trust trust;
    struct summary summary;     // of `each`
    double *each;               // by round; owned; NULL where a run was imported without them
    const struct sample *cause; // the first sample that failed or was skipped; NULL else
    struct real first_use;      // round 1, where it stands apart: then it isn't in `each`
    struct real past_buffer; // MB/s between the size below and this one, where the average isn't the disk's
    struct percentile percentiles[PERCENTILE_COUNT];
};

enum comparison {
    COMPARISON_NONE,    // a side is missing or discarded, the ratio isn't wanted, or there is one tier
    COMPARISON_UNCLEAR, // no clear difference
    COMPARISON_SLOWER,  // A is
    COMPARISON_FASTER
};

// How many times the cost of the slower tier is that of the faster one; where none is named, A's over B's.
// Costs are times for the same work: a rate is inverted.
struct ratio {
    enum comparison comparison;
    double of_medians;       // the greater over the less; 0 where there is none
    double of_medians_shown; // the same from the medians as they are displayed, which readers recompute
    double factor;           // Hodges-Lehmann, of the rounds in pairs; 0 with fewer than 5
    double low, high;        // its interval (signed ranks), or the envelope of an imported run's ranges
    double confidence; // that the interval holds the true one; 0 where it is an envelope, or there is none
    bool past_buffer;  // of the rates past the write buffer (metric_tier.past_buffer)
};

struct metric {
    char id[WORKLOAD_ID_SIZE]; // the workload's
    size_t workload;
    enum unit unit;
    bool higher_is_better;
    bool absent;  // measured only where it is needed, and it wasn't: shown and stored nowhere
    bool pending; // the run goes on, and some of its rounds aren't in: nothing is decided
    struct metric_tier tiers[RUN_TIERS_MOST];
    struct ratio ratio;
    enum trust trust; // the worse tier's
    size_t *findings; // indices of those of the judgement that bear on it; owned
    size_t finding_count;
};

// The figure that stands in a row: the median, or what came past the write buffer.
static inline double metric_figure(const struct metric_tier *tier)
{
    return tier->past_buffer.known ? tier->past_buffer.value : tier->summary.median;
}

struct metrics {
    struct metric *rows; // one a workload, in the plan's order; owned
    size_t length;
};

void metrics_release(struct metrics *metrics);
