// sweep.c: times by size, and the rates between them.
#include "analysis/sweep.h"

#include "analysis/figures.h"
#include "base/xalloc.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

enum { MARGINAL_SIZES_LEAST = 3 };

// ---- One size ----

// What the rounds of a size say; false where there are none that took time.
static bool from_rounds(const struct round_facts *rounds, size_t count, struct sweep_size *size)
{
    if (count == 0)
        return false;
    double *costs = xcalloc(count, sizeof *costs);
    for (size_t i = 0; i < count; i++)
        costs[i] = rounds[i].cost;
    struct summary summary = summarize(costs, count);
    free(costs);
    if (!(summary.min > 0))
        return false;
    size->seconds = summary.median;
    size->low = (double)size->bytes / summary.max;
    size->high = (double)size->bytes / summary.min;
    return true;
}

// An import's range is that of the rounds after the first, where it tells that one apart.
static bool from_summary(const struct facts *facts, unsigned tier, struct sweep_size *size)
{
    const struct imported_summary *summary = facts->tiers[size->workload][tier].summary;
    if (!summary)
        return false;
    struct real low = summary->rest_min.known ? summary->rest_min : summary->min;
    struct real high = summary->rest_max.known ? summary->rest_max : summary->max;
    if (!figures_seconds(facts, size->workload, tier, &size->seconds)) {
        if (!low.known || !(low.value > 0))
            return false;
        size->seconds = (double)size->bytes / 1e6 / low.value;
    }
    double rate = (double)size->bytes / size->seconds;
    size->low = low.known ? fmin(low.value * 1e6, rate) : rate;
    size->high = high.known ? fmax(high.value * 1e6, rate) : rate;
    return true;
}

static bool measure(const struct facts *facts, size_t workload, unsigned tier, struct sweep_size *size)
{
    const struct tier_facts *of = &facts->tiers[workload][tier];
    *size = (struct sweep_size){.workload = workload, .bytes = facts->run->plan.workloads[workload].bytes};
    if (of->state != METRIC_MEASURED ||
        !(of->count > 0 ? from_rounds(of->rounds, of->count, size) : from_summary(facts, tier, size)))
        return false;
    size->rate = (double)size->bytes / size->seconds;
    return isfinite(size->rate) && size->rate > 0;
}

static bool measure_later(const struct facts *facts, size_t workload, unsigned tier, struct sweep_size *size)
{
    const struct tier_facts *of = &facts->tiers[workload][tier];
    *size = (struct sweep_size){.workload = workload, .bytes = facts->run->plan.workloads[workload].bytes};
    if (!from_rounds(of->follow_up, of->follow_up_count, size))
        return false;
    size->rate = (double)size->bytes / size->seconds;
    return isfinite(size->rate);
}

// ---- Between sizes ----

// Whether the larger size took longer in at least three of four rounds that both have. Where they share
// none (an import, a follow-up), the middles must do.
static bool rounds_agree(const struct tier_facts *smaller, const struct tier_facts *larger)
{
    size_t pairs = 0, longer = 0, i = 0, j = 0;
    while (i < smaller->count && j < larger->count) {
        const struct round_facts *a = &smaller->rounds[i], *b = &larger->rounds[j];
        pairs += a->round == b->round;
        longer += a->round == b->round && b->cost > a->cost;
        i += a->round <= b->round;
        j += b->round <= a->round;
    }
    return longer * 4 >= pairs * 3;
}

static struct real marginal(const struct sweep_size *smaller, const struct sweep_size *larger)
{
    double seconds = larger->seconds - smaller->seconds;
    double rate = (double)(larger->bytes - smaller->bytes) / seconds;
    bool known = larger->bytes > smaller->bytes && seconds > 0 && isfinite(rate);
    return (struct real){.known = known, .value = known ? rate : 0};
}

static void relate(const struct facts *facts, unsigned tier, struct sweep *sweep)
{
    for (size_t i = 1; i < sweep->count; i++) {
        struct sweep_size *smaller = &sweep->sizes[i - 1], *larger = &sweep->sizes[i];
        if (rounds_agree(&facts->tiers[smaller->workload][tier], &facts->tiers[larger->workload][tier]))
            larger->marginal = marginal(smaller, larger);
    }
    if (sweep->has_later && sweep->count > 0)
        sweep->later.marginal = marginal(&sweep->sizes[sweep->count - 1], &sweep->later);
}

void sweep_derive(const struct facts *facts, size_t workload, unsigned tier, struct sweep *sweep)
{
    *sweep = (struct sweep){0};
    if (facts->run->plan.workloads[workload].kind != WORKLOAD_SEQ_WRITE)
        return;
    size_t members[PLAN_SIZES_MOST];
    size_t count = sweep_of(&facts->run->plan, workload, members);
    for (size_t i = 0; i < count; i++) {
        bool follow_up = facts->run->plan.workloads[members[i]].follow_up;
        if (follow_up && measure_later(facts, members[i], tier, &sweep->later))
            sweep->has_later = true;
        if (!follow_up && measure(facts, members[i], tier, &sweep->sizes[sweep->count]))
            sweep->count++;
    }
    relate(facts, tier, sweep);
}

const struct sweep_size *sweep_find(const struct sweep *sweep, size_t workload)
{
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->sizes[i].workload == workload)
            return &sweep->sizes[i];
    return NULL;
}

// ---- What they tell ----

// Whether the rates between the last three sizes differ; where the first of them isn't known, nobody knows.
static enum sweep_state levelled(const struct sweep *sweep, const struct thresholds *thresholds)
{
    struct real last = sweep->sizes[sweep->count - 1].marginal,
                before = sweep->sizes[sweep->count - 2].marginal;
    if (!before.known)
        return SWEEP_UNKNOWN;
    double limit = threshold_value(thresholds, THRESHOLD_SWEEP_LEVELLED) * last.value;
    return fabs(before.value - last.value) <= limit ? SWEEP_OUTRUN : SWEEP_UNLEVELLED;
}

enum sweep_state sweep_judge(const struct sweep *sweep, const struct thresholds *thresholds)
{
    if (sweep->count < MARGINAL_SIZES_LEAST || !sweep->sizes[sweep->count - 1].marginal.known)
        return SWEEP_UNKNOWN;
    const struct sweep_size *largest = &sweep->sizes[sweep->count - 1];
    double over = largest->rate / largest->marginal.value;
    if (over > threshold_value(thresholds, THRESHOLD_SWEEP_DISCARD))
        return SWEEP_HIDDEN;
    if (over > threshold_value(thresholds, THRESHOLD_SWEEP_MARGIN))
        return SWEEP_BUFFERED;
    return levelled(sweep, thresholds);
}

double sweep_reported(const struct sweep *sweep, const struct thresholds *thresholds)
{
    if (sweep->count == 0)
        return 0;
    const struct sweep_size *largest = &sweep->sizes[sweep->count - 1];
    enum sweep_state state = sweep_judge(sweep, thresholds);
    return state == SWEEP_UNKNOWN || state == SWEEP_OUTRUN ? largest->rate : largest->marginal.value;
}

bool sweep_past_buffer(const struct facts *facts, const struct thresholds *thresholds, size_t workload,
                       unsigned tier, struct real *rate)
{
    struct sweep sweep;
    *rate = (struct real){0};
    sweep_derive(facts, workload, tier, &sweep);
    if (sweep.count == 0 || sweep.sizes[sweep.count - 1].workload != workload)
        return false;
    enum sweep_state state = sweep_judge(&sweep, thresholds);
    if (state != SWEEP_UNLEVELLED && state != SWEEP_BUFFERED)
        return false;
    *rate = (struct real){.known = true, .value = sweep.sizes[sweep.count - 1].marginal.value / 1e6};
    return true;
}

static const struct round_facts *round_of(const struct tier_facts *facts, unsigned round)
{
    for (size_t i = 0; i < facts->count; i++)
        if (facts->rounds[i].round == round)
            return &facts->rounds[i];
    return NULL;
}

bool sweep_marginal_costs(const struct facts *facts, size_t workload, unsigned tier, unsigned round,
                          double *cost)
{
    struct sweep sweep;
    sweep_derive(facts, workload, tier, &sweep);
    const struct sweep_size *size = sweep_find(&sweep, workload);
    if (!size || size == sweep.sizes)
        return false;
    const struct round_facts *smaller = round_of(&facts->tiers[size[-1].workload][tier], round);
    const struct round_facts *larger = round_of(&facts->tiers[workload][tier], round);
    if (!smaller || !larger || larger->cost <= smaller->cost)
        return false;
    *cost = larger->cost - smaller->cost;
    return true;
}
