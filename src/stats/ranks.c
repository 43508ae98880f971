#include "stats/ranks.h"
#include "base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_values(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void values_sort(double *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare_values);
}

double sorted_median(const double *sorted, size_t count)
{
    size_t middle = count / 2;
    if (count % 2 == 1)
        return sorted[middle];
    return sorted[middle - 1] / 2 +
           sorted[middle] / 2; // halved first, so that two huge values don't overflow
}

// How many of the sorted values are below `value`, or not above it.
static size_t count_up_to(const double *sorted, size_t count, double value, bool inclusive)
{
    size_t from = 0;
    while (from < count) {
        size_t middle = from + (count - from) / 2;
        if (sorted[middle] < value || (inclusive && !(sorted[middle] > value)))
            from = middle + 1;
        else
            count = middle;
    }
    return from;
}

void ranks_twice(const double *values, size_t count, size_t *twice)
{
    if (count == 0)
        return;
    double *sorted = xrealloc_array(NULL, count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    values_sort(sorted, count);
    for (size_t i = 0; i < count; i++)
        twice[i] =
            count_up_to(sorted, count, values[i], false) + 1 + count_up_to(sorted, count, values[i], true);
    free(sorted);
}
