// confidence.h: the one level at which diskduel says that something is so: 95 %.
//
// Chances and coverages are quotients of whole numbers, computed in doubles: the small allowance keeps one
// that is exactly at the level from falling off it by rounding.
#pragma once

#include <stdbool.h>

#define CONFIDENCE 0.95

static inline bool confidence_covers(double coverage)
{
    return coverage >= CONFIDENCE - 1e-12;
}

// Whether a chance of luck is small enough: p of at most 0.05.
static inline bool confidence_significant(double p)
{
    return p <= 1 - CONFIDENCE + 1e-12;
}
