#include "stats/mann_whitney.h"
#include "base/xalloc.h"
#include "stats/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How many ways there are to choose k of n; infinite where a double can't hold it.
static double ways_to_choose(size_t n, size_t k)
{
    if (k > n - k)
        k = n - k;
    double ways = 1;
    for (size_t i = 1; i <= k && isfinite(ways); i++)
        ways = ways * (double)(n - k + i) / (double)i; // whole after each step
    return ways;
}

double mann_whitney_least_p(size_t n1, size_t n2)
{
    return fmin(1, 2 / ways_to_choose(n1 + n2, n1));
}

// Twice a sum of ranks, less its mean over all splits.
typedef ptrdiff_t deviation;

// Counts the ways to choose `more` of the ranks so that `sum` with them lies at least `limit` from 0.
static size_t count_as_far(const size_t *ranks, size_t count, size_t more, deviation sum, deviation limit)
{
    size_t found = 0;
    if (more == 0)
        return sum >= limit || -sum >= limit;
    for (size_t i = 0; i + more <= count; i++)
        found += count_as_far(ranks + i + 1, count - i - 1, more - 1, sum + (deviation)ranks[i], limit);
    return found;
}

// `limit` is how far from 0 the observed deviation lies. Sorts the pooled values.
static double normal_p(double *pooled, size_t n1, size_t n2, deviation limit)
{
    size_t count = n1 + n2;
    double ties = 0; // of t^3 - t, for each t values that are equal
    values_sort(pooled, count);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && pooled[to] == pooled[from];)
            to++;
        double t = (double)(to - from);
        ties += t * t * t - t;
    }
    double n = (double)count;
    double variance = (double)n1 * (double)n2 / 12 * (n + 1 - ties / (n * (n - 1)));
    double distance = (double)limit / 2 - 0.5;
    return distance <= 0 ? 1 : erfc(distance / sqrt(2 * variance));
}

static bool all_equal(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

static bool usable(const double *values, size_t count, bool infinite_too)
{
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]) || (isinf(values[i]) && !infinite_too))
            return false;
    return count > 0;
}

struct mann_whitney mann_whitney(const double *before, size_t n1, const double *after, size_t n2)
{
    const double splits_most = 1e6;
    if (!usable(before, n1, true) || !usable(after, n2, true))
        return (struct mann_whitney){.p = 1};
    size_t count = n1 + n2, lesser = n1 < n2 ? n1 : n2;
    double *pooled = xrealloc_array(NULL, count, sizeof *pooled);
    memcpy(pooled, before, n1 * sizeof *pooled);
    memcpy(pooled + n1, after, n2 * sizeof *pooled);
    size_t *ranks = xcalloc(count, sizeof *ranks); // twice each
    ranks_twice(pooled, count, ranks);

    size_t sum = 0;
    for (size_t i = n1; i < count; i++)
        sum += ranks[i];
    deviation observed = (deviation)sum - (deviation)(n2 * (count + 1));
    deviation limit = observed < 0 ? -observed : observed;
    double splits = ways_to_choose(count, n1);
    struct mann_whitney result = {
        .u = (double)(sum - n2 * (n2 + 1)) / 2,
        .exact = splits <= splits_most,
        .identical = all_equal(pooled, count),
        .p = 1,
    };
    deviation mean = (deviation)(lesser * (count + 1));
    if (result.exact)
        result.p = (double)count_as_far(ranks, count, lesser, -mean, limit) / splits;
    else if (!result.identical)
        result.p = normal_p(pooled, n1, n2, limit);
    free(ranks);
    free(pooled);
    return result;
}

// The chance of each u up to `greatest`, where nothing differs: the coefficients of the Gaussian binomial,
// the product of (1 - x^(n2+i)) / (1 - x^i) over i up to n1, divided by their sum as it grows.
static double *u_chances(size_t n1, size_t n2, size_t greatest)
{
    double *chances = xcalloc(greatest + 1, sizeof *chances);
    chances[0] = 1;
    for (size_t i = 1; i <= n1; i++) {
        for (size_t u = greatest; u >= n2 + i; u--)
            chances[u] -= chances[u - n2 - i];
        for (size_t u = i; u <= greatest; u++)
            chances[u] += chances[u - i];
        for (size_t u = 0; u <= greatest; u++)
            chances[u] *= (double)i / (double)(n2 + i);
    }
    return chances;
}

struct hodges_lehmann shift_between(const double *before, size_t n1, const double *after, size_t n2)
{
    if (!usable(before, n1, false) || !usable(after, n2, false))
        return (struct hodges_lehmann){0};
    size_t count = n1 * n2, filled = 0;
    double *shifts = xcalloc(count, sizeof *shifts);
    for (size_t i = 0; i < n1; i++)
        for (size_t j = 0; j < n2; j++)
            shifts[filled++] = after[j] - before[i];
    double *chances = n1 < n2 ? u_chances(n1, n2, count / 2) : u_chances(n2, n1, count / 2);
    struct hodges_lehmann size = hodges_lehmann(shifts, count, chances);
    free(chances);
    free(shifts);
    return size;
}
