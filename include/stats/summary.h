// summary.h: the middle and the range of a few values. No mean and no deviation: storage times are skewed.
#pragma once

#include <stddef.h>

struct summary {
    size_t n;
    double median; // of an even number: the mean of the middle two
    double min;
    double max;
};

struct summary summarize(const double *values, size_t count); // {0} for none; doesn't change the values
