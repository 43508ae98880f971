#include "stats/series.h"
#include "base/xalloc.h"

#include <stdlib.h>

struct series *series_new(void)
{
    return xcalloc(1, sizeof(struct series));
}

void series_free(struct series *series)
{
    if (!series)
        return;
    for (size_t i = 0; i < SERIES_CHUNKS; i++)
        free(atomic_load_explicit(&series->chunks[i], memory_order_relaxed));
    free(series);
}

bool series_append(struct series *series, const struct interval *interval)
{
    size_t length = atomic_load_explicit(&series->length, memory_order_relaxed);
    size_t chunk = length / SERIES_CHUNK;
    if (chunk >= SERIES_CHUNKS)
        return false;
    struct interval *intervals = atomic_load_explicit(&series->chunks[chunk], memory_order_relaxed);
    if (!intervals) {
        intervals = xcalloc(SERIES_CHUNK, sizeof *intervals);
        atomic_store_explicit(&series->chunks[chunk], intervals, memory_order_relaxed);
    }
    intervals[length % SERIES_CHUNK] = *interval;
    // The release publishes the interval and its chunk to whoever acquires the length.
    atomic_store_explicit(&series->length, length + 1, memory_order_release);
    return true;
}

size_t series_length(const struct series *series)
{
    return atomic_load_explicit(&series->length, memory_order_acquire);
}

const struct interval *series_at(const struct series *series, size_t index)
{
    const struct interval *intervals =
        atomic_load_explicit(&series->chunks[index / SERIES_CHUNK], memory_order_relaxed);
    return &intervals[index % SERIES_CHUNK];
}
