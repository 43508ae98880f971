// series.h: what happened, interval by interval.
//
// The sampler appends; everyone else reads. Intervals never move or change once published, so a reader needs
// no lock: take series_length() once, then look at anything below it. Pausing the screen is keeping an old
// length.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SERIES_OCTAVES = 41, // octave k counts latencies from 2^k to 2^(k+1) - 1 ns; 0 ns counts as 1 ns
    SERIES_CHUNK = 256,  // intervals allocated at a time
    SERIES_CHUNKS = 4096 // 29 hours at ten a second; then appending stops and says so
};

struct interval {
    uint64_t start_ns; // since the run began
    uint64_t end_ns;
    uint64_t ops; // in this interval alone
    uint64_t bytes;
    uint32_t section; // number of the section in the schedule
    uint32_t octaves[SERIES_OCTAVES];
};

struct series {
    _Atomic size_t length;
    struct interval *_Atomic chunks[SERIES_CHUNKS];
};

struct series *series_new(void);
void series_free(struct series *series);

// Publishes one more interval; false (and nothing happens) where the series is full. One thread at a time.
bool series_append(struct series *series, const struct interval *interval);

size_t series_length(const struct series *series);
const struct interval *series_at(const struct series *series,
                                 size_t index); // index < an earlier series_length()
