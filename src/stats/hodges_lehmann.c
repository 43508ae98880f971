#include "stats/hodges_lehmann.h"
#include "stats/confidence.h"
#include "stats/ranks.h"

struct hodges_lehmann hodges_lehmann(double *estimates, size_t count, const double *chances)
{
    if (count == 0)
        return (struct hodges_lehmann){0};
    values_sort(estimates, count);

    size_t k = 1;
    double tail = chances[0]; // of fewer than k
    while (2 * (k + 1) <= count && confidence_covers(1 - 2 * (tail + chances[k])))
        tail += chances[k++];
    return (struct hodges_lehmann){
        .estimate = sorted_median(estimates, count),
        .low = estimates[k - 1],
        .high = estimates[count - k],
        .coverage = 1 - 2 * tail,
    };
}
