#include "stats/lane.h"
#include "base/xalloc.h"

#include <stdlib.h>

static void clear_phase(struct lane_phase *phase)
{
    atomic_store_explicit(&phase->sum_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&phase->min_ns, UINT64_MAX, memory_order_relaxed);
    atomic_store_explicit(&phase->max_ns, 0, memory_order_relaxed);
    if (!phase->counts)
        return;
    size_t buckets = histogram_buckets(HISTOGRAM_DIGITS);
    for (size_t bucket = 0; bucket < buckets; bucket++)
        atomic_store_explicit(&phase->counts[bucket], 0, memory_order_relaxed);
}

void lane_init(struct lane *lane, unsigned phases)
{
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        lane->phases[phase].counts = phases & (1u << phase) ? xcalloc(histogram_buckets(HISTOGRAM_DIGITS),
                                                                      sizeof *lane->phases[phase].counts)
                                                            : NULL;
    lane_clear(lane);
}

void lane_release(struct lane *lane)
{
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        free(lane->phases[phase].counts);
        lane->phases[phase].counts = NULL;
    }
}

void lane_clear(struct lane *lane)
{
    atomic_store_explicit(&lane->bytes, 0, memory_order_relaxed);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        clear_phase(&lane->phases[phase]);
}
