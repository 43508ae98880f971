// ranks.h: values in order, and where each stands.
#pragma once

#include <stddef.h>

void values_sort(double *values, size_t count); // ascending

// The middle of sorted values; of an even number, the mean of the middle two. `count` is at least 1.
double sorted_median(const double *sorted, size_t count);

// Twice the rank of each value, so that it is a whole number where values tie: equal ones share the mean of
// their ranks. 3 1 3 gives 5 2 5.
void ranks_twice(const double *values, size_t count, size_t *twice);
