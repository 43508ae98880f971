// hodges_lehmann.h: the size of a difference as the middle of all its pairwise estimates, with an exact
// interval (J. L. Hodges and E. L. Lehmann, 1963; M. Hollander and D. A. Wolfe, Nonparametric Statistical
// Methods, sections 3.3 and 4.3).
#pragma once

#include <stddef.h>

struct hodges_lehmann {
    double estimate; // the median of the pairwise estimates
    double low;      // the kth least of them
    double high;     // the kth greatest
    double coverage; // exact, where values don't tie; 0: there is no interval
};

// Sorts `estimates` in place. chances[j] is the chance that exactly j of them lie below the true difference,
// for j up to count / 2 (the rest mirrors it). k is the greatest that covers at least 95 %, or 1 where none
// does. {0} where `count` is 0.
struct hodges_lehmann hodges_lehmann(double *estimates, size_t count, const double *chances);
