// pattern.h: what the rounds of one metric look like in their order, as pure functions of their costs.
//
// A cost is the time of the same work, above 0; a rate is inverted first. Thresholds that are factors are
// reached by what equals them. Formulas and figures: design, measuring 1.2 B and 1.3.
#pragma once

#include "analysis/facts.h"
#include "record/thresholds.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    PATTERN_APART_LEAST = 4,   // rounds from which one that stands apart can be told
    PATTERN_STEADY_ROUNDS = 5, // that steadiness looks at: the last ones
    PATTERN_DRIFT_LEAST = 5,   // fewer lie in order by chance too often: 2 / n!, 8 % at 4
    PATTERN_LEVELS_LEAST = 8,  // rounds from which two levels can be told
    PATTERN_LEVEL_LEAST = 3,   // rounds that make a level, or a side of the order in the pair
};

// The mean range of n values drawn from a normal distribution with deviation 1 (L. H. C. Tippett, 1925): from
// 2 to 12, 15 and 20 as tables print it, else the integral of 1 - F(x)^n - (1 - F(x))^n. 0 for n below 2.
double pattern_d2(size_t n);

// Whether the slowest round over the fastest one is what `of_five` is at 5 rounds: ln(ratio) / d2(n) reaches
// ln(of_five) / d2(5), so that more rounds, which reach further, aren't held against a disk.
bool pattern_range_reaches(double ratio, size_t n, double of_five);

// Whether a round lies outside of all others, `low` to `high`, by the factor of first-round-differs at least
// and by so many times their range.
bool pattern_is_apart(double cost, double low, double high, const struct thresholds *thresholds);

bool pattern_first_round_differs(const double *costs, size_t n, const struct thresholds *thresholds);

// The round that is that much slower than all others, as an index; SIZE_MAX where there is none. The first
// one counts only with `first_too`: without, it may be a first use.
size_t pattern_lone_stall(const double *costs, size_t n, bool first_too, const struct thresholds *thresholds);

// Line through n values by least squares, at equal distances: how far it rises from the first to the last.
double pattern_rise(const double *values, size_t n);

// 1 where each value is above the one before, -1 where each is below, 0 else and below 2 values.
int pattern_direction(const double *values, size_t n);

// SNIA's steady state (Solid State Storage Performance Test Specification 2.0.2, 2.1.24), of the last 5
// measured values.
struct steadiness {
    double range; // greatest less least, as a share of the mean
    double rise;  // of their line, likewise; below 0 where it falls
};
struct steadiness pattern_steadiness(const double values[PATTERN_STEADY_ROUNDS]);

// Whether rounds sit at two levels: the widest gap that leaves 3 or more on each side is of the factor of
// two-levels at least, and twice as wide as either side. `lower` is how many are at the lower cost.
bool pattern_two_levels(const double *costs, size_t n, const struct thresholds *thresholds, size_t *lower);

// How many times as long rounds that ran second in their pair took as those that ran first, by their medians;
// below 1 where the first ones took longer. 1 where they overlap.
double pattern_order_factor(const double *first, size_t n_first, const double *second, size_t n_second);

// What to make of round 1, with what a second block of rounds says of it where there is one.
enum first_round {
    FIRST_ROUND_ALIKE,  // no other than the rest, or it can't be told
    FIRST_ROUND_APART,  // a first use, as far as can be told
    FIRST_ROUND_CHANCE, // it stands apart, but a second block, after a rest, didn't begin like that
    FIRST_ROUND_WARM    // it stands apart, but round 0 was before it
};
enum first_round pattern_first_round(const struct tier_facts *facts, const struct thresholds *thresholds);

// Whether that is FIRST_ROUND_APART: reads, walks, creates and deletes are then reported from round 2 on.
bool pattern_first_use(const struct tier_facts *facts, const struct thresholds *thresholds);

// The same of an import's summary that has round 1 apart from the others.
bool pattern_summary_has_first(const struct imported_summary *summary);
bool pattern_summary_begins_apart(const struct imported_summary *summary,
                                  const struct thresholds *thresholds);

// The index among the rounds of a lone stall, round 1 with them where it can't be a first use; SIZE_MAX where
// there is none.
size_t pattern_lone_stall_of(const struct tier_facts *facts, const struct thresholds *thresholds);

// Rounds as the functions above take them.
struct round_series {
    const struct round_facts *rounds;
    size_t count;
    double *costs;  // owned
    double *values; // in the metric's unit; owned
};
struct round_series round_series_of(const struct round_facts *rounds, size_t count);
struct round_series round_series_reported(const struct tier_facts *facts,
                                          const struct thresholds *thresholds); // without a first use
void round_series_release(struct round_series *series);
