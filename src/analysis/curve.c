#include "analysis/curve.h"

#include "base/units.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The id without "-t4", where it says the workload's own number of threads.
static void id_without_threads(const struct workload *workload, char out[WORKLOAD_ID_SIZE])
{
    char suffix[16];
    int length = snprintf(suffix, sizeof suffix, "-t%u", workload->threads);
    snprintf(out, WORKLOAD_ID_SIZE, "%s", workload->id);
    size_t all = strlen(out);
    if (all > (size_t)length && strcmp(out + all - (size_t)length, suffix) == 0)
        out[all - (size_t)length] = '\0';
}

static bool differ_in_threads_alone(const struct workload *a, const struct workload *b)
{
    char id_a[WORKLOAD_ID_SIZE], id_b[WORKLOAD_ID_SIZE];
    id_without_threads(a, id_a);
    id_without_threads(b, id_b);
    return strcmp(id_a, id_b) == 0 && a->threads != b->threads && a->kind == b->kind &&
           a->version == b->version && tree_same(&a->tree, &b->tree) && a->bytes == b->bytes &&
           a->block_bytes == b->block_bytes && a->operations == b->operations && a->access == b->access &&
           a->instead == b->instead && a->wait_ns == b->wait_ns && a->sync == b->sync;
}

// The indices of the workloads of a curve, `first` among them, by ascending threads. Of a plan from elsewhere
// that has more of them than a curve holds, the rest are left out.
static size_t members_of(const struct plan *plan, size_t first, size_t members[PLAN_THREAD_COUNTS_MOST])
{
    size_t count = 0;
    for (size_t i = first; i < plan->workload_count && count < PLAN_THREAD_COUNTS_MOST; i++) {
        const struct workload *workload = &plan->workloads[i];
        bool belongs = i == first || differ_in_threads_alone(&plan->workloads[first], workload);
        size_t at = count;
        while (at > 0 && plan->workloads[members[at - 1]].threads > workload->threads)
            at--;
        if (!belongs || (at > 0 && plan->workloads[members[at - 1]].threads == workload->threads))
            continue;
        memmove(&members[at + 1], &members[at], (count - at) * sizeof *members);
        members[at] = i;
        count++;
    }
    return count;
}

static bool is_first_of_its_curve(const struct plan *plan, size_t workload)
{
    for (size_t i = 0; i < workload; i++)
        if (differ_in_threads_alone(&plan->workloads[i], &plan->workloads[workload]))
            return false;
    return true;
}

// As a factor of speed: of a cost, the other way round.
static double scaling_of(const struct curve_tier *tier, size_t count, bool higher_is_better)
{
    if (!tier->known[0] || !tier->known[count - 1])
        return 0;
    double fewest = units_as_shown(tier->medians[0]), most = units_as_shown(tier->medians[count - 1]);
    if (!(fewest > 0) || !(most > 0))
        return 0;
    double scaling = higher_is_better ? most / fewest : fewest / most;
    return isfinite(scaling) ? scaling : 0;
}

// The figure that stands in the table; false where none does.
static bool figure_of(const struct metric_tier *tier, double *figure)
{
    *figure = metric_figure(tier);
    return tier->state == METRIC_MEASURED && tier->trust != TRUST_DISCARDED && isfinite(*figure);
}

static bool fill(struct curve *curve, const struct run *run, const struct metrics *metrics,
                 const size_t *members)
{
    const struct workload *first = &run->plan.workloads[members[0]];
    const struct workload_description *description = &workload_descriptions[first->kind];
    bool any = false;
    id_without_threads(first, curve->id);
    curve->unit = description->unit;
    for (size_t i = 0; i < curve->count; i++) {
        curve->threads[i] = run->plan.workloads[members[i]].threads;
        for (unsigned tier = 0; tier < run->tier_count; tier++) {
            double figure;
            bool known = figure_of(&metrics->rows[members[i]].tiers[tier], &figure);
            curve->tiers[tier].known[i] = known;
            curve->tiers[tier].medians[i] = known ? figure : 0;
            any = any || known;
        }
    }
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        curve->tiers[tier].scaling =
            scaling_of(&curve->tiers[tier], curve->count, description->higher_is_better);
    return any;
}

void curves_derive(const struct run *run, const struct metrics *metrics, struct curves *curves)
{
    const struct plan *plan = &run->plan;
    *curves = (struct curves){.list = xcalloc(plan->workload_count, sizeof *curves->list)};
    for (size_t i = 0; i < plan->workload_count; i++) {
        size_t members[PLAN_THREAD_COUNTS_MOST];
        if (!is_first_of_its_curve(plan, i))
            continue;
        struct curve curve = {.count = members_of(plan, i, members)};
        if (curve.count >= 2 && fill(&curve, run, metrics, members))
            curves->list[curves->length++] = curve;
    }
}

void curves_release(struct curves *curves)
{
    free(curves->list);
    *curves = (struct curves){0};
}
