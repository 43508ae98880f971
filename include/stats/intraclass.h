// intraclass.h: how alike the operations of one round are, and so how many independent ones they are worth
// (one-way analysis of variance, ICC(1): P. E. Shrout and J. L. Fleiss, 1979; design effect: L. Kish, 1965).
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The values of one round, as sums about a shift that is the same for all rounds: of x - shift, and of
// (x - shift)^2. Take a shift near their middle, such as the mean of all: else the squares are so much
// greater than what is to be found in them that their difference is lost.
struct intraclass_group {
    size_t count;
    double sum;
    double sum_of_squares;
};

struct intraclass {
    double between;     // mean square between rounds
    double within;      // mean square within them
    double icc;         // 1 where each round has one value of its own; may be below 0
    double n_effective; // N / (1 + (m - 1) * max(0, icc)), N values in rounds of m on average
    bool known;         // at least two rounds, one with two values, not all equal, all finite; else all is 0
};

// icc = (between - within) / (between + (m0 - 1) * within), where m0 is the size of the rounds; where that
// differs, (N - sum of m_i^2 / N) / (k - 1) for k rounds (A. Donner, 1986). Empty rounds are passed over.
struct intraclass intraclass(const struct intraclass_group *groups, size_t count);
