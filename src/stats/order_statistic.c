#include "stats/order_statistic.h"
#include "stats/confidence.h"

#include <math.h>
#include <stdbool.h>

static bool within(unsigned permille)
{
    return permille >= 1 && permille <= 999;
}

double order_coverage_of_range(size_t n)
{
    return order_range_holds(n, 500);
}

double order_range_holds(size_t n, unsigned permille)
{
    if (n < 2 || !within(permille))
        return 0;
    double p = permille / 1000.0;
    return 1 - pow(p, (double)n) - pow(1 - p, (double)n);
}

double order_max_reaches(size_t n, unsigned permille)
{
    return within(permille) ? 1 - pow(permille / 1000.0, (double)n) : 0;
}

// The binomial chance of k, over that of k - 1.
static double step_up(size_t n, size_t k, double odds)
{
    return (double)(n - k + 1) / (double)k * odds;
}

struct rank_interval order_interval(size_t n, unsigned permille)
{
    if (n == 0 || !within(permille))
        return (struct rank_interval){0};
    const double tail = (1 - CONFIDENCE) / 2, negligible = 1e-25;
    const double odds = permille / (1000.0 - permille);

    // Chances relative to that of a number near the likeliest, down and up until they no longer count.
    size_t likely = order_nearest_rank(n, permille), first = likely;
    double weight = 1, total = 1;
    for (; first > 0 && weight > negligible; first--) {
        weight /= step_up(n, first, odds);
        total += weight;
    }
    double above = 1;
    for (size_t k = likely + 1; k <= n && above > negligible; k++) {
        above *= step_up(n, k, odds);
        total += above;
    }

    // With k values below the percentile it lies between ranks k and k + 1.
    struct rank_interval interval = {0};
    double sum = weight, below_low = 0;
    size_t k = first;
    for (bool low_found = false;;) {
        if (!low_found && sum >= tail * total) {
            low_found = true;
            interval.low = k;
            below_low = sum - weight;
        }
        if (sum >= (1 - tail) * total || k == n)
            break;
        weight *= step_up(n, ++k, odds);
        sum += weight;
    }
    interval.high = k < n ? k + 1 : 0;
    if (interval.low > 0 && interval.high > 0)
        interval.coverage = (sum - below_low) / total;
    return interval;
}

size_t order_least_for_bound(unsigned permille)
{
    if (!within(permille))
        return 0;
    size_t n = 1;
    while (!confidence_covers(order_max_reaches(n, permille)))
        n++;
    return n;
}

size_t order_least_for_interval(unsigned permille)
{
    if (!within(permille))
        return 0;
    size_t n = 2;
    while (!confidence_covers(order_range_holds(n, permille)))
        n++;
    return n;
}

size_t order_nearest_rank(size_t n, unsigned permille)
{
    if (n == 0)
        return 0;
    if (permille >= 1000)
        return n;
    // In parts, since the product may pass 64 bits.
    size_t rank = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;
    return rank > 0 ? rank : 1;
}
