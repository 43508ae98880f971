// signed_rank.h: Wilcoxon's signed-rank test of paired rounds, and the size of their difference.
#pragma once

#include "stats/hodges_lehmann.h"

#include <stddef.h>

struct signed_rank {
    size_t n;        // differences
    double estimate; // Hodges and Lehmann's: the median of the Walsh averages (d_i + d_j) / 2, i <= j
    double low;      // of the N = n(n+1)/2 sorted averages the kth, for the greatest k that covers 95 %;
    double high;     // and the (N+1-k)th. From 5 differences down k is 1, the range, which covers less
    double coverage; // exact, of low to high; 0: there is no interval
    double w;        // the sum of the ranks of the positive differences
    double p;        // exact, two-sided
};

// {0} for no differences, or where one isn't finite; callers mostly pass logarithms of ratios.
//
// Zeros and ties: for w and p a difference of 0 is left out, as Wilcoxon did, and equal sizes share the mean
// of their ranks; p is exact given those ranks, over all 2^n signs, and 1 where nothing but zeros is left.
// The averages use all differences, zeros too; where they tie, the interval covers at least what it says.
//
// Time grows with n^3: 500 differences take some hundredths of a second.
struct signed_rank signed_rank(const double *differences, size_t n);

// The estimate and the interval alone, without the test, which takes most of that time.
struct hodges_lehmann signed_rank_size(const double *differences, size_t n);
