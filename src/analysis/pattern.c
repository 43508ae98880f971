#include "analysis/pattern.h"

#include "base/xalloc.h"
#include "stats/summary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

// What rounding takes from a logarithm that is exactly at a threshold.
static bool reaches(double value, double limit)
{
    return value >= limit - 1e-12;
}

// ---- The range of n rounds ----

// 1 - F^n - (1 - F)^n falls off like a normal density: equal steps over all of it, without an end correction,
// are exact to more digits than are needed.
static double d2_integral(size_t n)
{
    const double step = 1.0 / 32, end = 8;
    double sum = 0;
    for (double x = -end; x <= end; x += step) {
        double below = erfc(-x / sqrt(2)) / 2, above = erfc(x / sqrt(2)) / 2;
        sum += 1 - pow(below, (double)n) - pow(above, (double)n);
    }
    return sum * step;
}

double pattern_d2(size_t n)
{
    static const double printed[] = {
        [2] = 1.128, [3] = 1.693,  [4] = 2.059,  [5] = 2.326,  [6] = 2.534,  [7] = 2.704,  [8] = 2.847,
        [9] = 2.970, [10] = 3.078, [11] = 3.173, [12] = 3.258, [15] = 3.472, [20] = 3.735,
    };
    if (n < 2)
        return 0;
    if (n < sizeof printed / sizeof *printed && printed[n] > 0)
        return printed[n];
    return d2_integral(n);
}

bool pattern_range_reaches(double ratio, size_t n, double of_five)
{
    if (n < 2 || !(ratio > 1))
        return false;
    return reaches(log(ratio) * pattern_d2(5), log(of_five) * pattern_d2(n));
}

// ---- One round apart from the others ----

bool pattern_is_apart(double cost, double low, double high, const struct thresholds *thresholds)
{
    if (!(low > 0) || !(cost > 0))
        return false;
    double gap = cost > high ? log(cost / high) : log(low / cost);
    return gap > 0 && reaches(gap, log(threshold_value(thresholds, THRESHOLD_FIRST_ROUND_FACTOR))) &&
           reaches(gap, threshold_value(thresholds, THRESHOLD_FIRST_ROUND_RANGES) * log(high / low));
}

static bool is_apart_at(const double *costs, size_t n, size_t at, const struct thresholds *thresholds)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == at)
            continue;
        low = fmin(low, costs[i]);
        high = fmax(high, costs[i]);
    }
    return n >= PATTERN_APART_LEAST && pattern_is_apart(costs[at], low, high, thresholds);
}

bool pattern_first_round_differs(const double *costs, size_t n, const struct thresholds *thresholds)
{
    return n > 0 && is_apart_at(costs, n, 0, thresholds);
}

size_t pattern_lone_stall(const double *costs, size_t n, bool first_too, const struct thresholds *thresholds)
{
    size_t slowest = 0;
    for (size_t i = 1; i < n; i++)
        if (costs[i] > costs[slowest])
            slowest = i;
    if (n == 0 || (slowest == 0 && !first_too))
        return SIZE_MAX;
    // One that is faster than all others can't be the slowest.
    return is_apart_at(costs, n, slowest, thresholds) ? slowest : SIZE_MAX;
}

// ---- Rounds as arrays ----

struct round_series round_series_of(const struct round_facts *rounds, size_t count)
{
    struct round_series series = {.rounds = rounds,
                                  .count = count,
                                  .costs = xcalloc(count + 1, sizeof *series.costs),
                                  .values = xcalloc(count + 1, sizeof *series.values)};
    for (size_t i = 0; i < count; i++) {
        series.costs[i] = rounds[i].cost;
        series.values[i] = rounds[i].value;
    }
    return series;
}

struct round_series round_series_reported(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    size_t left_out = pattern_first_use(facts, thresholds);
    return round_series_of(left_out ? facts->rounds + 1 : facts->rounds, facts->count - left_out);
}

void round_series_release(struct round_series *series)
{
    free(series->costs);
    free(series->values);
    *series = (struct round_series){0};
}

// ---- Round 1 ----

// Whether the second block begins like the first: its first round stands apart on the same side from all
// rounds that aren't first in their block.
static bool begins_again(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    double low = INFINITY, high = 0;
    for (size_t i = 1; i < facts->count; i++) {
        low = fmin(low, facts->rounds[i].cost);
        high = fmax(high, facts->rounds[i].cost);
    }
    bool slow = facts->rounds[0].cost > high;
    for (size_t i = 1; i < facts->follow_up_count; i++) {
        low = fmin(low, facts->follow_up[i].cost);
        high = fmax(high, facts->follow_up[i].cost);
    }
    double cost = facts->follow_up[0].cost;
    return (cost > high) == slow && pattern_is_apart(cost, low, high, thresholds);
}

static bool rounds_begin_apart(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    if (facts->count == 0 || facts->rounds[0].round != 1)
        return false;
    struct round_series series = round_series_of(facts->rounds, facts->count);
    bool differs = pattern_first_round_differs(series.costs, series.count, thresholds);
    round_series_release(&series);
    return differs;
}

enum first_round pattern_first_round(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    if (!rounds_begin_apart(facts, thresholds))
        return FIRST_ROUND_ALIKE;
    if (facts->first_use)
        return FIRST_ROUND_WARM;
    // A block that was broken off before its first round says nothing of it.
    bool seen_again = facts->follow_up_count > 0 && facts->follow_up[0].round == 1;
    return seen_again && !begins_again(facts, thresholds) ? FIRST_ROUND_CHANCE : FIRST_ROUND_APART;
}

bool pattern_first_use(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    return pattern_first_round(facts, thresholds) == FIRST_ROUND_APART;
}

// Factors are the same of rates and of times: which side it lies on doesn't matter.
bool pattern_summary_has_first(const struct imported_summary *summary)
{
    return summary->n.known && summary->first.known && summary->rest_min.known && summary->rest_max.known &&
           summary->first.value > 0 && summary->rest_min.value > 0 &&
           summary->rest_max.value >= summary->rest_min.value;
}

bool pattern_summary_begins_apart(const struct imported_summary *summary, const struct thresholds *thresholds)
{
    return pattern_summary_has_first(summary) && summary->n.value >= PATTERN_APART_LEAST &&
           pattern_is_apart(summary->first.value, summary->rest_min.value, summary->rest_max.value,
                            thresholds);
}

size_t pattern_lone_stall_of(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    enum first_round first = pattern_first_round(facts, thresholds);
    struct round_series series = round_series_of(facts->rounds, facts->count);
    size_t at = pattern_lone_stall(series.costs, series.count,
                                   first == FIRST_ROUND_CHANCE || first == FIRST_ROUND_WARM, thresholds);
    round_series_release(&series);
    return at;
}

// ---- The order of rounds ----

double pattern_rise(const double *values, size_t n)
{
    if (n < 2)
        return 0;
    double middle = (double)(n - 1) / 2, product = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double from_middle = (double)i - middle;
        product += from_middle * values[i];
        squares += from_middle * from_middle;
    }
    return product / squares * (double)(n - 1);
}

int pattern_direction(const double *values, size_t n)
{
    bool rises = n > 1, falls = n > 1;
    for (size_t i = 1; i < n; i++) {
        rises = rises && values[i] > values[i - 1];
        falls = falls && values[i] < values[i - 1];
    }
    return rises - falls;
}

struct steadiness pattern_steadiness(const double values[PATTERN_STEADY_ROUNDS])
{
    struct summary summary = summarize(values, PATTERN_STEADY_ROUNDS);
    double sum = 0;
    for (size_t i = 0; i < PATTERN_STEADY_ROUNDS; i++)
        sum += values[i];
    double mean = sum / PATTERN_STEADY_ROUNDS;
    if (!(mean > 0))
        return (struct steadiness){0};
    return (struct steadiness){.range = (summary.max - summary.min) / mean,
                               .rise = pattern_rise(values, PATTERN_STEADY_ROUNDS) / mean};
}

double pattern_order_factor(const double *first, size_t n_first, const double *second, size_t n_second)
{
    struct summary a = summarize(first, n_first), b = summarize(second, n_second);
    bool overlap = a.min <= b.max && b.min <= a.max;
    return n_first == 0 || n_second == 0 || overlap ? 1 : b.median / a.median;
}

// ---- Two levels ----

static int ascending(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

bool pattern_two_levels(const double *costs, size_t n, const struct thresholds *thresholds, size_t *lower)
{
    if (n < PATTERN_LEVELS_LEAST)
        return false;
    double *sorted = xcalloc(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = log(costs[i]);
    qsort(sorted, n, sizeof *sorted, ascending);
    size_t at = PATTERN_LEVEL_LEAST;
    for (size_t i = at + 1; i + PATTERN_LEVEL_LEAST <= n; i++)
        if (sorted[i] - sorted[i - 1] > sorted[at] - sorted[at - 1])
            at = i;
    double gap = sorted[at] - sorted[at - 1];
    double wider = fmax(sorted[at - 1] - sorted[0], sorted[n - 1] - sorted[at]);
    free(sorted);
    *lower = at;
    return gap > 0 && reaches(gap, log(threshold_value(thresholds, THRESHOLD_LEVELS_FACTOR))) &&
           reaches(gap, 2 * wider);
}
