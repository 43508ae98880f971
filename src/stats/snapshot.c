#include "stats/snapshot.h"

void snapshot_init(struct snapshot *snapshot, unsigned phases)
{
    *snapshot = (struct snapshot){.phases = phases};
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        if (phases & (1u << phase))
            histogram_init(&snapshot->histograms[phase], HISTOGRAM_DIGITS);
}

void snapshot_release(struct snapshot *snapshot)
{
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        histogram_release(&snapshot->histograms[phase]);
    *snapshot = (struct snapshot){0};
}

static uint64_t load(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void add_phase(struct histogram *sum, const struct lane_phase *phase)
{
    if (!phase->counts)
        return;
    size_t buckets = histogram_buckets(HISTOGRAM_DIGITS);
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        uint64_t count = load(&phase->counts[bucket]);
        sum->counts[bucket] += count;
        sum->count += count;
    }
    sum->sum_ns += load(&phase->sum_ns);
    uint64_t min_ns = load(&phase->min_ns), max_ns = load(&phase->max_ns);
    if (min_ns < sum->min_ns)
        sum->min_ns = min_ns;
    if (max_ns > sum->max_ns)
        sum->max_ns = max_ns;
}

// A worker bumps a bucket, then the sum, the least and the greatest; we may have looked in between.
static void agree_with_buckets(struct histogram *sum)
{
    if (sum->count == 0) {
        sum->sum_ns = 0;
        sum->min_ns = UINT64_MAX;
        sum->max_ns = 0;
        return;
    }
    size_t first = 0, last = histogram_buckets(sum->digits) - 1;
    while (sum->counts[first] == 0)
        first++;
    while (sum->counts[last] == 0)
        last--;
    if (sum->min_ns > histogram_highest(sum->digits, first))
        sum->min_ns = histogram_lowest(sum->digits, first);
    if (sum->max_ns < histogram_lowest(sum->digits, last))
        sum->max_ns = histogram_highest(sum->digits, last);
}

static void take_phase(struct snapshot *snapshot, enum phase phase, const struct lane *lanes, size_t count)
{
    struct histogram *sum = &snapshot->histograms[phase];
    histogram_clear(sum);
    for (size_t i = 0; i < count; i++)
        add_phase(sum, &lanes[i].phases[phase]);
    agree_with_buckets(sum);
}

void snapshot_take(struct snapshot *snapshot, const struct lane *lanes, size_t count)
{
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        if (phase != PHASE_OP && snapshot->phases & (1u << phase))
            take_phase(snapshot, phase, lanes, count);
    snapshot_take_ops(snapshot, lanes, count);
}

void snapshot_take_ops(struct snapshot *snapshot, const struct lane *lanes, size_t count)
{
    snapshot->bytes = 0;
    for (size_t i = 0; i < count; i++)
        snapshot->bytes += load(&lanes[i].bytes);
    snapshot->ops = 0;
    if (!(snapshot->phases & (1u << PHASE_OP)))
        return;
    take_phase(snapshot, PHASE_OP, lanes, count);
    snapshot->ops = snapshot->histograms[PHASE_OP].count;
}
