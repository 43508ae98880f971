#include "analysis/metric.h"

#include "analysis/pattern.h"
#include "analysis/percentiles.h"
#include "analysis/ratio.h"
#include "analysis/rule.h"
#include "analysis/sweep.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- One tier ----

static double or_nothing(struct real value)
{
    return value.known ? value.value : NAN;
}

static struct summary imported(const struct imported_summary *summary)
{
    return (struct summary){.n = summary->n.known ? (size_t)summary->n.value : 0,
                            .median = or_nothing(summary->median),
                            .min = or_nothing(summary->min),
                            .max = or_nothing(summary->max)};
}

// A first round that stands apart says nothing of the rounds after it: of reads and small files it is shown
// by itself. Of writes the whole metric is in doubt, and all of it stays together.
static bool first_is_left_out(const struct facts *facts, size_t workload, unsigned tier,
                              const struct thresholds *thresholds)
{
    enum metric_class class = metric_class_of(&facts->run->plan.workloads[workload]);
    return (CLASS_BIT(class) & CLASSES_WRITES) == 0 &&
           pattern_first_use(&facts->tiers[workload][tier], thresholds);
}

static void derive_tier(const struct facts *facts, size_t workload, unsigned tier,
                        const struct thresholds *thresholds, struct metric_tier *result)
{
    const struct tier_facts *from = &facts->tiers[workload][tier];
    result->state = from->state;
    result->cause = from->cause;
    if (from->state != METRIC_MEASURED)
        return;
    if (from->summary) {
        result->summary = imported(from->summary);
        return;
    }
    const struct round_facts *rounds = from->rounds;
    size_t count = from->count;
    if (first_is_left_out(facts, workload, tier, thresholds)) {
        result->first_use = (struct real){.known = true, .value = rounds->value};
        rounds++;
        count--;
    }
    result->each = xcalloc(count, sizeof *result->each);
    for (size_t i = 0; i < count; i++)
        result->each[i] = rounds[i].value;
    result->summary = summarize(result->each, count);
    percentiles_derive(rounds, count, thresholds, result->percentiles);
}

// ---- All of them ----

// What is measured only where it is needed, and has no sample: shown nowhere. Follow-ups are in no metric.
static bool is_absent(const struct run *run, size_t workload)
{
    if (run->plan.workloads[workload].follow_up)
        return true;
    if (!run->plan.workloads[workload].instead)
        return false;
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].workload == workload)
            return false;
    return true;
}

static void begin(const struct run *run, size_t workload, struct metric *metric)
{
    const struct workload *of = &run->plan.workloads[workload];
    memcpy(metric->id, of->id, sizeof metric->id);
    metric->workload = workload;
    metric->unit = workload_descriptions[of->kind].unit;
    metric->higher_is_better = workload_descriptions[of->kind].higher_is_better;
    metric->absent = is_absent(run, workload);
}

static bool is_pending(const struct run *run, const struct metric *metric)
{
    if (run->status != RUN_RUNNING)
        return false;
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        if (metric->tiers[tier].state == METRIC_EMPTY ||
            (metric->tiers[tier].state == METRIC_MEASURED && !metric->tiers[tier].cause &&
             metric->tiers[tier].summary.n + metric->tiers[tier].first_use.known < run->plan.rounds))
            return true;
    return false;
}

void metrics_derive(const struct facts *facts, const struct thresholds *thresholds, struct metrics *metrics)
{
    const struct run *run = facts->run;
    *metrics =
        (struct metrics){.rows = xcalloc(facts->length, sizeof *metrics->rows), .length = facts->length};
    for (size_t i = 0; i < facts->length; i++) {
        struct metric *metric = &metrics->rows[i];
        begin(run, i, metric);
        for (unsigned tier = 0; tier < run->tier_count && !metric->absent; tier++) {
            derive_tier(facts, i, tier, thresholds, &metric->tiers[tier]);
            sweep_past_buffer(facts, thresholds, i, tier, &metric->tiers[tier].past_buffer);
        }
        metric->pending = is_pending(run, metric);
        if (run_ratios_wanted(run) && !metric->absent)
            metric->ratio = ratio_derive(facts, metric);
    }
}
