// holm.h: the p of several tests at once, so that the chance that any of them cries wolf stays at 5 %
// (S. Holm, 1979).
#pragma once

#include <stddef.h>

// adjusted[i] belongs to p[i]; with the p in ascending order it is the greatest of (count - j) * p_j so far,
// j from 0, and at most 1. `adjusted` may be `p` itself.
void holm_adjust(const double *p, size_t count, double *adjusted);

// How many tests there may be so that one with this p, the least that its n can give, still reaches 0.05.
size_t holm_rows_carried(double least_p);
