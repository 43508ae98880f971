// order_statistic.h: what sorted values say about a percentile of whatever they were drawn from, by rank
// alone: nothing is assumed of its shape.
//
// Each value lies below the true p-percentile with chance p, so how many of n do is binomial (H. A. David and
// H. N. Nagaraja, Order Statistics, section 7.1). Ranks are 1-based. `permille` is 500 for the median, 990
// for p99, and lies within 1 to 999: outside that there is no interval and no least number (all 0).
#pragma once

#include <stddef.h>

// The chance that the least to the greatest of n values holds the true median: 1 - 2^(1-n). 0 below 2 values.
double order_coverage_of_range(size_t n);

// The chance that it holds another true percentile: 1 - p^n - (1-p)^n.
double order_range_holds(size_t n, unsigned permille);

// The chance that the greatest of n values reaches the true percentile: 1 - p^n.
double order_max_reaches(size_t n, unsigned permille);

struct rank_interval {
    size_t low;      // 0: no value is low enough
    size_t high;     // 0: no value is high enough, so the interval has no finite upper end
    double coverage; // exact, at least 0.95; 0 where an end is missing
};

// The interval of at least 95 % with equal tails: of ranks, the highest low one and the lowest high one that
// leave at most 2.5 % beyond themselves. Takes time in proportion to the root of n.
struct rank_interval order_interval(size_t n, unsigned permille);

// The least n whose greatest value is a 95 % upper bound of the percentile (S. S. Wilks, 1941), and the least
// whose range holds the percentile with 95 %. With unequal tails, that is: order_interval() may still have no
// upper end there.
size_t order_least_for_bound(unsigned permille);
size_t order_least_for_interval(unsigned permille);

// The rank of a percentile, ceil(n * p), in integers; at least 1. 0 for no values.
size_t order_nearest_rank(size_t n, unsigned permille);
