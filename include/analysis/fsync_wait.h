// fsync_wait.h: whether fsync of a large file waited until its data could have reached the disk.
//
// At the rate between the two largest sizes of the sweep a file of S bytes takes S / rate; what writing it
// didn't take of that is left for fsync: W = S / rate - t_write, with t_write from open to the last write
// (design: measuring, fsync-does-not-wait). Medians over rounds.
#pragma once

#include "analysis/facts.h"
#include "record/thresholds.h"

enum fsync_state {
    FSYNC_UNKNOWN, // `lacking` says what isn't known
    FSYNC_WAITS,   // or there is next to nothing that it would have to wait for
    FSYNC_RETURNS_EARLY
};

struct fsync_wait {
    enum fsync_state state;
    const char *lacking; // static
    double fsync_ns;     // that it took
    double expected_ns;  // W
    double rate;         // bytes a second, between the two largest sizes
    double accepted;     // bytes a second of the file as it was measured
};

// Only a workload of the write sweep has an answer.
void fsync_wait_derive(const struct facts *facts, const struct thresholds *thresholds, size_t workload,
                       unsigned tier, struct fsync_wait *wait);
