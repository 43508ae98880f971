// figures.c: rounds or a summary, alike.
#include "analysis/figures.h"

#include "base/clock.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>

static double value_of(const struct round_facts *round)
{
    return round->value;
}

static double cost_of(const struct round_facts *round)
{
    return round->cost;
}

static struct summary summarize_rounds(const struct round_facts *rounds, size_t count,
                                       double (*of)(const struct round_facts *round))
{
    double *values = xcalloc(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = of(&rounds[i]);
    struct summary summary = summarize(values, count);
    free(values);
    return summary;
}

static double known_or(struct real value, double otherwise)
{
    return value.known ? value.value : otherwise;
}

bool figures_values(const struct tier_facts *facts, struct summary *values)
{
    *values = (struct summary){0};
    if (facts->state != METRIC_MEASURED)
        return false;
    if (facts->count > 0) {
        *values = summarize_rounds(facts->rounds, facts->count, value_of);
        return true;
    }
    const struct imported_summary *summary = facts->summary;
    if (!summary || !summary->median.known)
        return false;
    double median = summary->median.value;
    *values = (struct summary){.n = summary->n.known ? (size_t)summary->n.value : 1,
                               .median = median,
                               .min = known_or(summary->min, median),
                               .max = known_or(summary->max, median)};
    return true;
}

bool figures_follow_up(const struct tier_facts *facts, struct summary *values)
{
    *values = summarize_rounds(facts->follow_up, facts->follow_up_count, value_of);
    return facts->follow_up_count > 0;
}

double figures_seconds_at(const struct workload *workload, double value)
{
    if (!(value > 0))
        return 0;
    switch (workload_descriptions[workload->kind].unit) {
    case UNIT_MILLISECONDS:
        return value / 1e3;
    case UNIT_MEGABYTES_PER_SECOND:
        return (double)workload_bytes(workload) / 1e6 / value;
    case UNIT_FILES_PER_SECOND:
    case UNIT_IOPS:
    case UNIT_COMMITS_PER_SECOND:
        return (double)workload_ops(workload) / value;
    case UNIT_COUNT:
        break;
    }
    return 0;
}

bool figures_seconds(const struct facts *facts, size_t workload, unsigned tier, double *seconds)
{
    const struct tier_facts *of = &facts->tiers[workload][tier];
    struct summary values;
    *seconds = 0;
    if (of->state != METRIC_MEASURED)
        return false;
    if (of->count > 0)
        *seconds = summarize_rounds(of->rounds, of->count, cost_of).median;
    else if (of->summary && of->summary->wall_ns.known)
        *seconds = (double)of->summary->wall_ns.value / NS_PER_S;
    else if (figures_values(of, &values))
        *seconds = figures_seconds_at(&facts->run->plan.workloads[workload], values.median);
    return *seconds > 0 && isfinite(*seconds);
}
