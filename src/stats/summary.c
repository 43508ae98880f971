#include "stats/summary.h"
#include "base/xalloc.h"
#include "stats/ranks.h"

#include <stdlib.h>
#include <string.h>

struct summary summarize(const double *values, size_t count)
{
    if (count == 0)
        return (struct summary){0};
    double *sorted = xrealloc_array(NULL, count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    values_sort(sorted, count);
    struct summary summary = {
        .n = count,
        .median = sorted_median(sorted, count),
        .min = sorted[0],
        .max = sorted[count - 1],
    };
    free(sorted);
    return summary;
}
