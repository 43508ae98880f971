#include "analysis/ratio.h"

#include "analysis/sweep.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "stats/signed_rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS_LEAST = 5 }; // fewer give no interval worth its name: 87.5 % at 4

// ---- Of the medians ----

static double greater_over_less(double a, double b)
{
    double less = fmin(a, b), greater = fmax(a, b);
    double ratio = less > 0 ? greater / less : 0;
    return isfinite(ratio) ? ratio : 0;
}

static bool overlap(const struct summary *a, const struct summary *b)
{
    return a->min <= b->max && b->min <= a->max;
}

static void fill_medians(struct ratio *ratio, const struct metric *metric)
{
    double a = metric_figure(&metric->tiers[0]), b = metric_figure(&metric->tiers[1]);
    ratio->of_medians = greater_over_less(a, b);
    ratio->of_medians_shown = greater_over_less(units_as_shown(a), units_as_shown(b));
    if (ratio->of_medians_shown <= 0) // a median so small that it is shown as 0
        ratio->of_medians_shown = ratio->of_medians;
}

static void compare_medians(struct ratio *ratio, const struct metric *metric)
{
    double a = metric_figure(&metric->tiers[0]), b = metric_figure(&metric->tiers[1]);
    if (!(ratio->of_medians > 0)) {
        ratio->comparison = COMPARISON_NONE;
        return;
    }
    bool slower = metric->higher_is_better ? a < b : a > b;
    ratio->comparison = slower ? COMPARISON_SLOWER : COMPARISON_FASTER;
}

// ---- Of the rounds in pairs ----

static const struct round_facts *first_in_figure(const struct tier_facts *facts,
                                                 const struct metric_tier *tier)
{
    return facts->rounds + (tier->first_use.known && facts->count > 0);
}

// What a round cost on both tiers: all of it, or what came past the write buffer.
static bool costs_of(const struct facts *facts, const struct metric *metric, const struct round_facts *a,
                     const struct round_facts *b, bool past_buffer, double *logarithm)
{
    double cost_a = a->cost, cost_b = b->cost;
    if (past_buffer && (!sweep_marginal_costs(facts, metric->workload, 0, a->round, &cost_a) ||
                        !sweep_marginal_costs(facts, metric->workload, 1, b->round, &cost_b)))
        return false;
    *logarithm = log(cost_a / cost_b);
    return true;
}

// The logarithms of A's cost over B's, of the rounds that both tiers' figures have. Returns how many.
static size_t pair_rounds(const struct facts *facts, const struct metric *metric, bool past_buffer,
                          double *logarithms)
{
    const struct tier_facts *tiers = facts->tiers[metric->workload];
    const struct round_facts *a = first_in_figure(&tiers[0], &metric->tiers[0]),
                             *b = first_in_figure(&tiers[1], &metric->tiers[1]);
    const struct round_facts *end_a = tiers[0].rounds + tiers[0].count,
                             *end_b = tiers[1].rounds + tiers[1].count;
    size_t count = 0;
    while (a < end_a && b < end_b) {
        if (a->round == b->round && costs_of(facts, metric, a, b, past_buffer, &logarithms[count]))
            count++;
        unsigned round = a->round < b->round ? a->round : b->round;
        a += a->round == round;
        b += b->round == round;
    }
    return count;
}

// Turns a ratio of costs, A's over B's, so that the slower one is above.
static void orient(struct ratio *ratio)
{
    if (ratio->comparison != COMPARISON_FASTER)
        return;
    double low = ratio->low;
    ratio->factor = 1 / ratio->factor;
    ratio->low = 1 / ratio->high;
    ratio->high = 1 / low;
}

static enum comparison comparison_of(double low, double high)
{
    if (low > 1)
        return COMPARISON_SLOWER;
    return high < 1 ? COMPARISON_FASTER : COMPARISON_UNCLEAR;
}

static bool fill_pairs(struct ratio *ratio, const double *logarithms, size_t count)
{
    struct hodges_lehmann size = signed_rank_size(logarithms, count);
    if (!(size.coverage > 0))
        return false;
    ratio->factor = exp(size.estimate);
    ratio->low = exp(size.low);
    ratio->high = exp(size.high);
    ratio->confidence = size.coverage;
    if (!isfinite(ratio->factor) || !isfinite(ratio->high) || !(ratio->low > 0))
        return false;
    ratio->comparison = comparison_of(ratio->low, ratio->high);
    orient(ratio);
    return true;
}

// ---- Of an imported run's ranges ----

static bool has_range(const struct metric_tier *tier)
{
    const struct summary *summary = &tier->summary;
    return summary->min > 0 && summary->min <= summary->max && isfinite(summary->max);
}

// Where what the ranges allow is beyond all figures, the medians must do.
static void fill_envelope(struct ratio *ratio, const struct metric *metric)
{
    const struct summary *a = &metric->tiers[0].summary, *b = &metric->tiers[1].summary;
    double low = a->min / b->max, high = a->max / b->min;
    if (!isfinite(high) || !isfinite(1 / low))
        return;
    ratio->low = metric->higher_is_better ? 1 / high : low;
    ratio->high = metric->higher_is_better ? 1 / low : high;
    ratio->comparison = comparison_of(ratio->low, ratio->high);
    ratio->factor = 1; // of which orient() makes 1 again
    orient(ratio);
    ratio->factor = 0;
}

// ---- All of it ----

// Where an average still contains a write buffer, its rounds are compared by what came past it, and not at
// all where that can't be told.
static bool is_past_buffer(const struct metric *metric)
{
    return metric->tiers[0].past_buffer.known || metric->tiers[1].past_buffer.known;
}

static struct ratio derive(const struct facts *facts, const struct metric *metric)
{
    struct ratio ratio = {.past_buffer = is_past_buffer(metric)};
    const struct metric_tier *a = &metric->tiers[0], *b = &metric->tiers[1];
    const struct tier_facts *tiers = facts->tiers[metric->workload];
    if (a->state != METRIC_MEASURED || b->state != METRIC_MEASURED)
        return ratio;
    if (!isfinite(a->summary.median) || !isfinite(b->summary.median))
        return ratio;
    fill_medians(&ratio, metric);
    if (tiers[0].summary || tiers[1].summary) {
        compare_medians(&ratio, metric);
        if (ratio.comparison != COMPARISON_NONE && has_range(a) && has_range(b))
            fill_envelope(&ratio, metric);
        return ratio;
    }
    size_t most = tiers[0].count < tiers[1].count ? tiers[0].count : tiers[1].count;
    double *logarithms = xcalloc(most + 1, sizeof *logarithms);
    size_t count = pair_rounds(facts, metric, ratio.past_buffer, logarithms);
    bool paired = count >= PAIRS_LEAST && fill_pairs(&ratio, logarithms, count);
    free(logarithms);
    if (paired)
        return ratio;
    if (ratio.past_buffer)
        return (struct ratio){0};
    ratio.factor = ratio.low = ratio.high = ratio.confidence = 0;
    if (overlap(&a->summary, &b->summary))
        ratio.comparison = COMPARISON_UNCLEAR;
    else
        compare_medians(&ratio, metric);
    return ratio;
}

struct ratio ratio_derive(const struct facts *facts, const struct metric *metric)
{
    struct ratio ratio = derive(facts, metric);
    if (ratio.comparison == COMPARISON_UNCLEAR || ratio.comparison == COMPARISON_NONE)
        ratio.of_medians = ratio.of_medians_shown = 0; // a number that the rounds don't carry
    return ratio;
}

// ---- In words ----

// The power of ten of the last digit that is shown: the second of the interval's half width (GUM, 7.2.6), at
// most three digits of the figure, and at least one of its low end.
static int last_place(double value, double low, double high)
{
    int place = (int)floor(log10(value)) - 2;
    double half = (high - low) / 2;
    if (half > 0) {
        int supported = (int)floor(log10(half)) - 1;
        place = supported > place ? supported : place;
    }
    int least = low > 0 ? (int)floor(log10(low)) : place;
    return place < least ? place : least;
}

static void put_to_place(double value, int place, char out[UNITS_TEXT_SIZE])
{
    double unit = pow(10, place);
    snprintf(out, UNITS_TEXT_SIZE, "%.*f", place < 0 ? -place : 0, round(value / unit) * unit);
}

static bool has_interval(const struct ratio *ratio)
{
    return ratio->high > 0 &&
           (ratio->comparison == COMPARISON_SLOWER || ratio->comparison == COMPARISON_FASTER);
}

// What is stated: the paired figure, else that of the medians.
static double stated(const struct ratio *ratio)
{
    return ratio->factor > 0 ? ratio->factor : ratio->of_medians_shown;
}

static bool in_percent(const struct ratio *ratio)
{
    return stated(ratio) < 2;
}

static double shown(const struct ratio *ratio, double value)
{
    return in_percent(ratio) ? (value - 1) * 100 : value;
}

static int place_of(const struct ratio *ratio)
{
    double value = fmax(shown(ratio, stated(ratio)), 0.01);
    if (ratio->factor > 0)
        return last_place(value, shown(ratio, ratio->low), shown(ratio, ratio->high));
    // Without an interval of its own: whole percent, three digits of a factor.
    return in_percent(ratio) ? 0 : last_place(value, 0, 0);
}

char *ratio_words(const struct ratio *ratio)
{
    if (ratio->comparison == COMPARISON_NONE)
        return xstrdup("");
    if (ratio->comparison == COMPARISON_UNCLEAR)
        return xstrdup("no clear difference");
    const char *word = ratio->comparison == COMPARISON_SLOWER ? "slower" : "faster";
    double value = stated(ratio);
    char digits[UNITS_TEXT_SIZE];
    if (value >= 1e6)
        return xformat("over 1000000x %s", word);
    put_to_place(shown(ratio, value), place_of(ratio), digits);
    if (!in_percent(ratio))
        return xformat("%sx %s", digits, word);
    return strtod(digits, NULL) <= 0 ? xformat("under 1 %% %s", word) : xformat("%s %% %s", digits, word);
}

char *ratio_interval_words(const struct ratio *ratio)
{
    if (!has_interval(ratio) || stated(ratio) >= 1e6)
        return xstrdup("");
    char low[UNITS_TEXT_SIZE], high[UNITS_TEXT_SIZE];
    int place = ratio->factor > 0 ? place_of(ratio)
                                  : last_place(fmax(shown(ratio, ratio->low), 0.01), shown(ratio, ratio->low),
                                               shown(ratio, ratio->high));
    put_to_place(shown(ratio, ratio->low), place, low);
    put_to_place(shown(ratio, ratio->high), place, high);
    const char *percent = in_percent(ratio) ? " %" : "";
    if (ratio->confidence > 0)
        return xformat("%s to %s%s", low, high, percent);
    return xformat("between %s and %s%s", low, high, percent); // all that the ranges allow
}
