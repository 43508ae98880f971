// mann_whitney.h: whether two runs differ, and by how much: Mann and Whitney's test of unpaired rounds
// (H. B. Mann and D. R. Whitney, 1947), and Hodges and Lehmann's shift.
#pragma once

#include "stats/hodges_lehmann.h"

#include <stdbool.h>
#include <stddef.h>

struct mann_whitney {
    double u;       // pairs in which the value after is the greater; a tie counts 1/2
    double p;       // two-sided
    bool exact;     // p is counted over all splits; else it is the normal approximation
    bool identical; // all values are equal: there is nothing to test, and p, 1, isn't to be shown
};

// p is the share of all splits of the values into n1 and n2 whose u lies as far from n1 * n2 / 2, so ties
// need no correction. Past a million splits it is the normal approximation with corrections for ties and
// continuity. Where a side is empty or holds NaN, p is 1 and u 0.
struct mann_whitney mann_whitney(const double *before, size_t n1, const double *after, size_t n2);

// The least p that n1 and n2 values can give, where all of one side lie above all of the other:
// 2 / C(n1 + n2, n1), and at most 1.
double mann_whitney_least_p(size_t n1, size_t n2);

// The median of all after[j] - before[i], and D_(k) to D_(n1 * n2 + 1 - k) of them in order. Callers pass
// logarithms, so that a shift is a factor. {0} where a side is empty or holds a value that isn't finite.
//
// Time grows with n1 * n1 * n2, n1 the lesser: 500 v 500 take a tenth of a second.
struct hodges_lehmann shift_between(const double *before, size_t n1, const double *after, size_t n2);
