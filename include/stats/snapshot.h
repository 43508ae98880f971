// snapshot.h: what a tier's lanes hold, added up at one moment.
#pragma once

#include "stats/histogram.h"
#include "stats/lane.h"

#include <stddef.h>
#include <stdint.h>

struct snapshot {
    uint64_t ops;    // operations finished: the count of PHASE_OP
    uint64_t bytes;  // bytes written or read
    unsigned phases; // the set of those below that are initialised
    struct histogram histograms[PHASE_COUNT];
};

void snapshot_init(struct snapshot *snapshot, unsigned phases);
void snapshot_release(struct snapshot *snapshot);

// Adds up every phase of all lanes. A histogram's count is the sum of its buckets as read, so that the parts
// always agree, whatever the workers did meanwhile.
void snapshot_take(struct snapshot *snapshot, const struct lane *lanes, size_t count);

// The operations' histogram alone, and ops and bytes: what the sampler needs ten times a second.
void snapshot_take_ops(struct snapshot *snapshot, const struct lane *lanes, size_t count);
