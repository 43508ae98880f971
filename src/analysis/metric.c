#include "analysis/metric.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- From samples to metrics ----

static double operations_per_second(const struct sample *sample)
{
    return (double)sample->ops * NS_PER_S / (double)sample->wall_ns;
}

static double milliseconds(const struct sample *sample)
{
    return (double)sample->wall_ns / (double)sample->batches / NS_PER_MS;
}

static double megabytes_per_second(const struct sample *sample)
{
    return (double)sample->bytes / 1e6 * NS_PER_S / (double)sample->wall_ns;
}

static double (*const value_of[UNIT_COUNT])(const struct sample *) = {
    [UNIT_FILES_PER_SECOND] = operations_per_second,    [UNIT_MILLISECONDS] = milliseconds,
    [UNIT_MEGABYTES_PER_SECOND] = megabytes_per_second, [UNIT_IOPS] = operations_per_second,
    [UNIT_COMMITS_PER_SECOND] = operations_per_second,
};

static const struct workload_description *description_of(const struct run *run, size_t workload)
{
    return &workload_descriptions[run->plan.workloads[workload].kind];
}

bool metric_value(const struct run *run, const struct sample *sample, double *value)
{
    if (sample->status != SAMPLE_OK || sample->workload >= run->plan.workload_count)
        return false;
    if (sample->wall_ns == 0 || sample->batches == 0)
        return false;
    *value = value_of[description_of(run, sample->workload)->unit](sample);
    return true;
}

// Whether a sample is one of those that a metric is made of.
static bool counts(const struct sample *sample, size_t workload, unsigned tier)
{
    return sample->workload == workload && sample->tier == tier && sample->round > 0 && sample->block == 1;
}

static const struct sample *first_with(const struct run *run, size_t workload, unsigned tier,
                                       enum sample_status status)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->workload == workload && sample->tier == tier && sample->status == status)
            return sample;
    }
    return NULL;
}

static void derive_tier(const struct run *run, size_t workload, unsigned tier, struct metric_tier *result)
{
    // A failure counts in round 0 too: the disk couldn't do it.
    result->cause = first_with(run, workload, tier, SAMPLE_FAILED);
    if (result->cause) {
        result->state = METRIC_FAILED;
        return;
    }
    result->cause = first_with(run, workload, tier, SAMPLE_SKIPPED);

    size_t most = 0, count = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        most += counts(&run->samples[i], workload, tier);
    double *each = xrealloc_array(NULL, most, sizeof *each);
    for (size_t i = 0; i < run->sample_count; i++)
        if (counts(&run->samples[i], workload, tier) && metric_value(run, &run->samples[i], &each[count]))
            count++;
    if (count == 0) {
        free(each);
        result->state = result->cause ? METRIC_SKIPPED : METRIC_EMPTY;
        return;
    }
    result->state = METRIC_MEASURED;
    result->each = each;
    result->summary = summarize(each, count);
}

static bool overlap(const struct summary *a, const struct summary *b)
{
    return a->min <= b->max && b->min <= a->max;
}

// The greater over the less; 0 where that isn't a number that could be shown.
static double ratio_of(double a, double b)
{
    double less = fmin(a, b), greater = fmax(a, b);
    double ratio = less > 0 ? greater / less : 0;
    return isfinite(ratio) ? ratio : 0;
}

static void compare_tiers(struct metric *metric)
{
    const struct metric_tier *a = &metric->tiers[0], *b = &metric->tiers[1];
    if (a->state != METRIC_MEASURED || b->state != METRIC_MEASURED)
        return;
    if (overlap(&a->summary, &b->summary)) {
        metric->comparison = COMPARISON_UNCLEAR;
        return;
    }
    double median_a = a->summary.median, median_b = b->summary.median;
    metric->ratio = ratio_of(median_a, median_b);
    if (metric->ratio <= 0)
        return;
    bool slower = metric->higher_is_better ? median_a < median_b : median_a > median_b;
    metric->comparison = slower ? COMPARISON_SLOWER : COMPARISON_FASTER;
    metric->ratio_shown = ratio_of(units_as_shown(median_a), units_as_shown(median_b));
    if (metric->ratio_shown <= 0) // a median so small that it is shown as 0
        metric->ratio_shown = metric->ratio;
}

// Until it has a sample, nobody needs a workload that stands in for another one.
static bool is_absent(const struct run *run, size_t workload)
{
    if (!run->plan.workloads[workload].instead)
        return false;
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].workload == workload)
            return false;
    return true;
}

void metrics_derive(const struct run *run, struct metrics *metrics)
{
    size_t length = run->plan.workload_count;
    *metrics = (struct metrics){.rows = xcalloc(length, sizeof *metrics->rows), .length = length};
    for (size_t i = 0; i < length; i++) {
        struct metric *metric = &metrics->rows[i];
        const struct workload_description *description = description_of(run, i);
        memcpy(metric->id, run->plan.workloads[i].id, sizeof metric->id);
        metric->workload = i;
        metric->unit = description->unit;
        metric->higher_is_better = description->higher_is_better;
        metric->absent = is_absent(run, i);
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            derive_tier(run, i, tier, &metric->tiers[tier]);
        if (run_ratios_wanted(run))
            compare_tiers(metric);
    }
}

// ---- What a document stores, against what its samples give ----

static bool agree(double stored, double derived)
{
    if (stored == derived)
        return true;
    return fabs(stored - derived) <= 1e-9 * fmax(fabs(stored), fabs(derived));
}

static void put_figure(struct text *sentences, const struct run *run, const struct metric *metric,
                       unsigned tier)
{
    text_put_safe(sentences, metric->id, false);
    text_puts(sentences, " on ");
    text_put_safe(sentences, run->tiers[tier].name, false);
    text_puts(sentences, ": ");
}

static void check_value(const struct run *run, const struct metric *metric, unsigned tier, const char *what,
                        double stored, double derived, struct text *sentences)
{
    if (agree(stored, derived))
        return;
    put_figure(sentences, run, metric, tier);
    text_printf(sentences, "the document says %s %.12g, its samples give %.12g.\n", what, stored, derived);
}

static bool each_agrees(const struct metric_tier *stored, const struct metric_tier *derived)
{
    for (size_t i = 0; i < derived->summary.n; i++)
        if (!agree(stored->each[i], derived->each[i]))
            return false;
    return true;
}

static void check_tier(const struct run *run, const struct metric *stored_metric,
                       const struct metric *derived_metric, unsigned tier, struct text *sentences)
{
    const struct metric_tier *stored = &stored_metric->tiers[tier], *derived = &derived_metric->tiers[tier];
    if (stored->state != METRIC_MEASURED)
        return; // nothing is stored that could be wrong
    if (derived->state != METRIC_MEASURED) {
        put_figure(sentences, run, stored_metric, tier);
        text_puts(sentences, "the document has a value, its samples give none.\n");
        return;
    }
    const struct summary *was = &stored->summary, *is = &derived->summary;
    check_value(run, stored_metric, tier, "n", (double)was->n, (double)is->n, sentences);
    check_value(run, stored_metric, tier, "median", was->median, is->median, sentences);
    check_value(run, stored_metric, tier, "min", was->min, is->min, sentences);
    check_value(run, stored_metric, tier, "max", was->max, is->max, sentences);
    if (stored->each && was->n == is->n && !each_agrees(stored, derived)) {
        put_figure(sentences, run, stored_metric, tier);
        text_puts(sentences, "the values by round in the document are not those of its samples.\n");
    }
}

static bool names_slower(const struct metric *metric)
{
    return metric->comparison == COMPARISON_SLOWER || metric->comparison == COMPARISON_FASTER;
}

static void check_ratio(const struct metric *stored, const struct metric *derived, struct text *sentences)
{
    bool other_number = stored->ratio > 0 && !agree(stored->ratio, derived->ratio);
    bool other_disk = names_slower(stored) && stored->comparison != derived->comparison;
    if (!other_number && !other_disk)
        return;
    text_put_safe(sentences, stored->id, false);
    if (!names_slower(derived))
        text_puts(sentences, ": the document says that one disk is slower, its samples don't.\n");
    else if (other_number)
        text_printf(sentences, ": the document says a ratio of %.12g, its samples give %.12g.\n",
                    stored->ratio, derived->ratio);
    else
        text_puts(sentences, ": the document says that the other disk is the slower one.\n");
}

static const struct metric *metric_by_id(const struct metrics *metrics, const char *id)
{
    for (size_t i = 0; i < metrics->length; i++)
        if (strcmp(metrics->rows[i].id, id) == 0)
            return &metrics->rows[i];
    return NULL;
}

void metrics_disagree(const struct run *run, const struct metrics *derived, const struct metrics *stored,
                      struct text *sentences)
{
    for (size_t i = 0; i < stored->length; i++) {
        const struct metric *was = &stored->rows[i], *is = metric_by_id(derived, was->id);
        if (!is) {
            text_put_safe(sentences, was->id, false);
            text_puts(sentences, ": the document has a metric of that name, its plan has none.\n");
            continue;
        }
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            check_tier(run, was, is, tier, sentences);
        check_ratio(was, is, sentences);
    }
}
