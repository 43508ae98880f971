// simulate.h: rounds made of known noise, and what the number of times that something happened in them shows.
//
// Seed the generator with a fixed number: then a test that passes always passes. To hold a rate of false
// alarms to a figure, fail where binomial_lower_bound() of the alarms lies above it.
#pragma once

#include "base/rng.h"

#include <math.h>
#include <stddef.h>

// Evenly between 0 and 1, never either.
static inline double simulate_uniform(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0; // 2^53
}

// Mean 0, standard deviation 1 (G. E. P. Box and M. E. Muller, 1958).
static inline double simulate_normal(struct rng *rng)
{
    const double full_turn = 6.283185307179586;
    double radius = sqrt(-2 * log(simulate_uniform(rng)));
    return radius * cos(full_turn * simulate_uniform(rng));
}

// Costs of rounds whose logarithms have that standard deviation about the logarithm of `median`.
static inline void simulate_rounds(struct rng *rng, double median, double sigma, double *costs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        costs[i] = median * exp(sigma * simulate_normal(rng));
}

// The chance of at least `hits` in so many trials at chance p each, where hits > trials * p.
static inline double binomial_tail(size_t hits, size_t trials, double p)
{
    double n = (double)trials, k = (double)hits;
    double term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p));
    double tail = 0;
    for (; k <= n && term > tail * 1e-16; k++) {
        tail += term;
        term *= (n - k) / (k + 1) * p / (1 - p);
    }
    return tail;
}

// The least rate that so many hits leave likely: the lower 95 % bound, one-sided and exact (C. J. Clopper and
// E. S. Pearson, 1934).
static inline double binomial_lower_bound(size_t hits, size_t trials)
{
    if (hits == 0)
        return 0;
    double low = 0, high = (double)hits / (double)trials;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (binomial_tail(hits, trials, middle) < 0.05)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The greatest rate that so many hits leave likely.
static inline double binomial_upper_bound(size_t hits, size_t trials)
{
    return 1 - binomial_lower_bound(trials - hits, trials);
}
