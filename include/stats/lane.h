// lane.h: where one worker counts, and everybody else reads.
//
// A lane has a single writer, its worker, which uses relaxed loads and stores only: no lock, no
// read-modify-write, no shared cache line. Readers (the sampler) see each counter somewhere between two
// operations. Within a section counters only grow; the conductor clears a lane between sections, when neither
// its worker nor the sampler is looking.
#pragma once

#include "stats/histogram.h"
#include "stats/phase.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct lane_phase {
    _Atomic uint64_t sum_ns;
    _Atomic uint64_t min_ns;
    _Atomic uint64_t max_ns;
    _Atomic uint64_t *counts; // histogram_buckets(HISTOGRAM_DIGITS); NULL where the phase is not kept
};

struct lane {
    _Alignas(64) _Atomic uint64_t bytes;
    struct lane_phase phases[PHASE_COUNT];
};

// `phases` is a set of bits (1u << enum phase): the others cost no memory and must not be recorded. Memory is
// touched here, so that the first record of a run faults no page.
void lane_init(struct lane *lane, unsigned phases);
void lane_release(struct lane *lane);
void lane_clear(struct lane *lane);

// The worker's: 4 ns a record on a machine of 2026.
static inline void lane_record(struct lane *lane, enum phase phase, uint64_t ns)
{
    struct lane_phase *p = &lane->phases[phase];
    _Atomic uint64_t *slot = &p->counts[histogram_bucket(HISTOGRAM_DIGITS, ns)];
#define LANE_BUMP(counter, by)                                                                               \
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + (by),               \
                          memory_order_relaxed)
    LANE_BUMP(slot, 1);
    LANE_BUMP(&p->sum_ns, ns);
    if (ns < atomic_load_explicit(&p->min_ns, memory_order_relaxed))
        atomic_store_explicit(&p->min_ns, ns, memory_order_relaxed);
    if (ns > atomic_load_explicit(&p->max_ns, memory_order_relaxed))
        atomic_store_explicit(&p->max_ns, ns, memory_order_relaxed);
}

static inline void lane_add_bytes(struct lane *lane, uint64_t bytes)
{
    LANE_BUMP(&lane->bytes, bytes);
#undef LANE_BUMP
}
