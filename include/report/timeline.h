// timeline.h: what a plot shows of a row on a tier, thinned to a bounded number of points: its rates over
// time, and its latencies.
//
// Only sections that are ok, of rounds 1 to n: what the row's figures are made of.
#pragma once

#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_COLUMNS = 420 };

struct timeline_section {
    unsigned round;
    double begins; // as a share of the time of all
};

// Rates are in the row's unit a second, or operations a second where that unit is a time.
struct timeline {
    size_t columns;                    // TIMELINE_COLUMNS, or 0 where there is nothing
    double *highest, *lowest;          // of each column; owned
    uint64_t total_ns;                 // of all sections, end to end
    struct timeline_section *sections; // ascending rounds; owned
    size_t section_count;
    double most, least; // of the rates; least of those above 0
    double typical;     // work over time, all sections together
};

// False, with an empty timeline, where nothing was done. The caller releases it either way.
bool timeline_make(struct timeline *timeline, const struct run *run, size_t workload, unsigned tier);
void timeline_release(struct timeline *timeline);

// "files a second"
const char *timeline_unit(const struct run *run, size_t workload);

// The latencies of a tier's operations: shares of them, by bins of equal width on a logarithmic axis.
enum { SPREAD_BINS = 24, SPREAD_DECADES = 14 }; // bins a decade
struct spread {
    uint64_t count, min_ns, max_ns; // 0: none
    int least, most;                // ends of the axis, as powers of ten of 1 ns; the same for both tiers
    size_t bins;
    double shares[SPREAD_BINS * SPREAD_DECADES];
};

// Of both tiers, on one axis. False where no latencies are stored.
bool spreads_make(struct spread spreads[RUN_TIERS_MOST], const struct run *run, size_t workload);
