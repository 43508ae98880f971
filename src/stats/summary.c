#include "stats/summary.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

static int compare_values(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct summary summarize(const double *values, size_t count)
{
    if (count == 0)
        return (struct summary){0};
    double *sorted = xrealloc_array(NULL, count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_values);
    size_t middle = count / 2;
    struct summary summary = {
        .n = count,
        // Halved first, so that two huge values don't overflow.
        .median = count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2,
        .min = sorted[0],
        .max = sorted[count - 1],
    };
    free(sorted);
    return summary;
}
