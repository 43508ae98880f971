// sweep.h: what the sizes of a write sweep tell of a buffer in front of the disk.
//
// A size's time T is the median over its rounds, and its average rate S / T; between two sizes the marginal
// rate is (Sb - Sa) / (Tb - Ta): what the disk did with the bytes that only the larger one has (design:
// measuring, 1.1 and E2). So the average of an even number of rounds may differ in the last digit from the
// row's median rate.
#pragma once

#include "analysis/facts.h"
#include "record/thresholds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sweep_size {
    size_t workload;
    uint64_t bytes;
    double seconds;       // T
    double rate;          // bytes a second, on average; low and high are those of the rounds
    double low, high;     //
    struct real marginal; // bytes a second past the size below. Unknown for the smallest; and where the times
                          // don't tell it: the larger size must take longer in the middle, and in at least
                          // three of four rounds
};

// The sizes that were measured on a tier, ascending. A size that an import gives a range of alone, without a
// middle, stands with its slowest.
struct sweep {
    struct sweep_size sizes[PLAN_SIZES_MOST];
    size_t count;
    bool has_later; // a larger size was looked at as a follow-up
    struct sweep_size later;
};

// Nothing where the workload is of no sweep.
void sweep_derive(const struct facts *facts, size_t workload, unsigned tier, struct sweep *sweep);

// The size that is a workload's; NULL where it isn't measured.
const struct sweep_size *sweep_find(const struct sweep *sweep, size_t workload);

// Whether the average of the largest size still contains the buffer.
enum sweep_state {
    SWEEP_UNKNOWN,    // fewer than three sizes, or a rate between the last three isn't known
    SWEEP_OUTRUN,     // the average is that between the last two sizes
    SWEEP_UNLEVELLED, // it is, but the last two rates between sizes differ
    SWEEP_BUFFERED,   // the average is above that between the last two sizes
    SWEEP_HIDDEN      // by so much that no rate is reported
};

enum sweep_state sweep_judge(const struct sweep *sweep, const struct thresholds *thresholds);

// The rate, in bytes a second, that smaller sizes are measured against: the largest size's average, or what
// it ran at past the size below where that average still contains the buffer.
double sweep_reported(const struct sweep *sweep, const struct thresholds *thresholds);

// The rate in MB/s past the size below, where a workload is the largest of its sweep and its average still
// contains the buffer, yet not so much of it that nothing is reported. Else `rate` becomes unknown, and this
// is false.
bool sweep_past_buffer(const struct facts *facts, const struct thresholds *thresholds, size_t workload,
                       unsigned tier, struct real *rate);

// Seconds of a round for the bytes that this size has and the one below hasn't. False where either has no
// such round, or it took no time.
bool sweep_marginal_costs(const struct facts *facts, size_t workload, unsigned tier, unsigned round,
                          double *cost);
