#include "stats/signed_rank.h"
#include "base/xalloc.h"
#include "stats/ranks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// The chance of each sum up to `greatest`, where every rank is in it or not at the toss of a coin.
static double *sum_chances(const size_t *ranks, size_t count, size_t greatest)
{
    double *chances = xcalloc(greatest + 1, sizeof *chances);
    chances[0] = 1;
    size_t reach = 0;
    for (size_t i = 0; i < count; i++) {
        reach = reach + ranks[i] < greatest ? reach + ranks[i] : greatest;
        for (size_t sum = reach; sum >= ranks[i]; sum--)
            chances[sum] = (chances[sum] + chances[sum - ranks[i]]) / 2;
        for (size_t sum = 0; sum < ranks[i] && sum <= reach; sum++)
            chances[sum] /= 2;
    }
    return chances;
}

static void test(struct signed_rank *result, const double *differences, size_t n)
{
    double *sizes = xcalloc(n, sizeof *sizes);
    bool *positive = xcalloc(n, sizeof *positive);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (differences[i] == 0)
            continue;
        sizes[count] = fabs(differences[i]);
        positive[count++] = differences[i] > 0;
    }

    size_t *ranks = xcalloc(n, sizeof *ranks); // twice each
    ranks_twice(sizes, count, ranks);
    size_t all = count * (count + 1), above = 0;
    for (size_t i = 0; i < count; i++)
        above += positive[i] ? ranks[i] : 0;
    size_t lesser = above < all - above ? above : all - above;
    double *chances = sum_chances(ranks, count, lesser);
    double tail = 0;
    for (size_t sum = 0; sum <= lesser; sum++)
        tail += chances[sum];
    result->w = (double)above / 2;
    result->p = fmin(1, 2 * tail);
    free(chances);
    free(ranks);
    free(positive);
    free(sizes);
}

static bool all_finite(const double *differences, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(differences[i]))
            return false;
    return true;
}

struct hodges_lehmann signed_rank_size(const double *differences, size_t n)
{
    if (n == 0 || !all_finite(differences, n))
        return (struct hodges_lehmann){0};
    size_t count = n * (n + 1) / 2, filled = 0;
    double *averages = xcalloc(count, sizeof *averages);
    size_t *ranks = xcalloc(n, sizeof *ranks);
    for (size_t i = 0; i < n; i++) {
        ranks[i] = i + 1;
        for (size_t j = i; j < n; j++)
            averages[filled++] = differences[i] / 2 + differences[j] / 2;
    }
    // As many averages lie below the true difference as the sum of ranks says (J. W. Tukey, 1949).
    double *chances = sum_chances(ranks, n, count / 2);
    struct hodges_lehmann size = hodges_lehmann(averages, count, chances);
    free(chances);
    free(ranks);
    free(averages);
    return size;
}

struct signed_rank signed_rank(const double *differences, size_t n)
{
    if (n == 0 || !all_finite(differences, n))
        return (struct signed_rank){0};
    struct hodges_lehmann size = signed_rank_size(differences, n);
    struct signed_rank result = {
        .n = n, .estimate = size.estimate, .low = size.low, .high = size.high, .coverage = size.coverage};
    test(&result, differences, n);
    return result;
}
