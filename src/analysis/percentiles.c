#include "analysis/percentiles.h"

#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>

static bool all_have_operations(const struct round_facts *rounds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (round_operations(&rounds[i])->digits == 0 || round_operations(&rounds[i])->count == 0)
            return false;
    return count > 0;
}

// ---- How alike the rounds are ----

static double logarithm_of_middle(unsigned digits, const struct histogram_bin *bin)
{
    size_t bucket = histogram_bucket(digits, bin->lowest_ns);
    double low = (double)histogram_lowest(digits, bucket), high = (double)histogram_highest(digits, bucket);
    return log(fmax((low + high) / 2, 1));
}

static double sum_logarithms(const struct sparse_histogram *latency)
{
    double sum = 0;
    for (size_t i = 0; i < latency->length; i++)
        sum += (double)latency->bins[i].count * logarithm_of_middle(latency->digits, &latency->bins[i]);
    return sum;
}

static struct intraclass_group group_of(const struct sparse_histogram *latency, double shift)
{
    struct intraclass_group group = {.count = latency->count};
    for (size_t i = 0; i < latency->length; i++) {
        double distance = logarithm_of_middle(latency->digits, &latency->bins[i]) - shift;
        group.sum += (double)latency->bins[i].count * distance;
        group.sum_of_squares += (double)latency->bins[i].count * distance * distance;
    }
    return group;
}

struct intraclass percentiles_intraclass(const struct round_facts *rounds, size_t count)
{
    if (!all_have_operations(rounds, count))
        return (struct intraclass){0};
    double sum = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        sum += sum_logarithms(round_operations(&rounds[i]));
        all += (double)round_operations(&rounds[i])->count;
    }
    struct intraclass_group *groups = xcalloc(count, sizeof *groups);
    for (size_t i = 0; i < count; i++)
        groups[i] = group_of(round_operations(&rounds[i]), sum / all);
    struct intraclass result = intraclass(groups, count);
    free(groups);
    return result;
}

// ---- The percentiles ----

uint64_t percentiles_beyond(const struct thresholds *thresholds)
{
    return (uint64_t)ceil(threshold_value(thresholds, THRESHOLD_PERCENTILE_TAIL));
}

static void fill_rounds(struct percentile *percentile, const struct round_facts *rounds, size_t count,
                        unsigned permille, uint64_t beyond)
{
    double *each = xcalloc(count, sizeof *each);
    percentile->in_rounds = true;
    for (size_t i = 0; i < count; i++) {
        const struct sparse_histogram *latency = round_operations(&rounds[i]);
        percentile->in_rounds =
            percentile->in_rounds && histogram_carries_beyond(latency->count, permille, beyond);
        each[i] = (double)sparse_percentile(latency, permille);
    }
    if (percentile->in_rounds)
        percentile->rounds = summarize(each, count);
    free(each);
}

void percentiles_derive(const struct round_facts *rounds, size_t count, const struct thresholds *thresholds,
                        struct percentile percentiles[PERCENTILE_COUNT])
{
    if (!all_have_operations(rounds, count))
        return;
    unsigned digits = round_operations(&rounds[0])->digits;
    for (size_t i = 1; i < count; i++)
        if (round_operations(&rounds[i])->digits != digits)
            return; // buckets that can't be added
    uint64_t beyond = percentiles_beyond(thresholds);
    struct intraclass alike = percentiles_intraclass(rounds, count);
    struct histogram pooled;
    histogram_init(&pooled, digits);
    for (size_t i = 0; i < count; i++)
        sparse_add_to(round_operations(&rounds[i]), &pooled);
    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        unsigned permille = percentile_permilles[i];
        fill_rounds(&percentiles[i], rounds, count, permille, beyond);
        percentiles[i].pooled =
            alike.known && histogram_carries_effective(alike.n_effective, permille, beyond);
        if (percentiles[i].pooled)
            percentiles[i].pooled_ns = (double)histogram_percentile(&pooled, permille);
    }
    histogram_release(&pooled);
}
