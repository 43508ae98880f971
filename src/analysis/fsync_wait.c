// fsync_wait.c: what fsync took, and what it should have taken.
#include "analysis/fsync_wait.h"

#include "analysis/sweep.h"
#include "base/clock.h"
#include "base/xalloc.h"

#include <stdlib.h>

enum { RATE_SIZES_LEAST = 3 }; // from fewer the rate may still be the buffer's

// What a call of each file took; each thread makes it once a batch.
static double mean_ns(const struct sample *sample, enum phase phase)
{
    const struct sparse_histogram *latency = &sample->latency[phase];
    return latency->count > 0 ? (double)latency->sum_ns / (double)latency->count : 0;
}

static bool has_phases(const struct tier_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        if (facts->rounds[i].sample->latency[PHASE_FSYNC].count == 0 ||
            facts->rounds[i].sample->latency[PHASE_CLOSE].count == 0)
            return false;
    return facts->count > 0;
}

static void measure(const struct tier_facts *facts, const struct sweep_size *size, struct fsync_wait *wait)
{
    double *fsyncs = xcalloc(facts->count, sizeof *fsyncs), *waits = xcalloc(facts->count, sizeof *waits);
    double needed_ns = (double)size->bytes / wait->rate * NS_PER_S;
    for (size_t i = 0; i < facts->count; i++) {
        const struct round_facts *round = &facts->rounds[i];
        fsyncs[i] = mean_ns(round->sample, PHASE_FSYNC);
        double write_ns = round->cost * NS_PER_S - fsyncs[i] - mean_ns(round->sample, PHASE_DIRSYNC) -
                          mean_ns(round->sample, PHASE_CLOSE);
        waits[i] = needed_ns - write_ns;
    }
    wait->fsync_ns = summarize(fsyncs, facts->count).median;
    wait->expected_ns = summarize(waits, facts->count).median;
    free(waits);
    free(fsyncs);
}

void fsync_wait_derive(const struct facts *facts, const struct thresholds *thresholds, size_t workload,
                       unsigned tier, struct fsync_wait *wait)
{
    const struct tier_facts *of = &facts->tiers[workload][tier];
    struct sweep sweep;
    *wait = (struct fsync_wait){0};
    sweep_derive(facts, workload, tier, &sweep);
    const struct sweep_size *size = sweep_find(&sweep, workload);
    if (!size || !has_phases(of)) {
        wait->lacking = "the times of write, fsync and close aren't known apart";
        return;
    }
    const struct sweep_size *largest = &sweep.sizes[sweep.count - 1];
    if (!largest->marginal.known) {
        wait->lacking = sweep.count < 2 ? "one size alone doesn't tell the disk's own rate"
                                        : "the times of the largest sizes don't tell the disk's own rate";
        return;
    }
    wait->rate = largest->marginal.value;
    wait->accepted = size->rate;
    measure(of, size, wait);
    double seconds = threshold_value(thresholds, THRESHOLD_FSYNC_WAIT);
    double share = threshold_value(thresholds, THRESHOLD_FSYNC_SHARE);
    wait->state = FSYNC_WAITS;
    if (wait->expected_ns >= seconds * NS_PER_S && wait->fsync_ns < share * wait->expected_ns) {
        wait->state = FSYNC_RETURNS_EARLY;
    } else if (sweep.count < RATE_SIZES_LEAST) {
        // A rate that is the buffer's is too high, and then too little is expected.
        wait->state = FSYNC_UNKNOWN;
        wait->lacking = "two sizes alone don't tell the disk's own rate";
    }
}
