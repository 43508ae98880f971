// rule_stability.c: what the rounds of a metric say of each other. A first use that is set apart is left out
// by most: they judge the rounds that are reported. The patterns are in pattern.h.
#include "analysis/rule_stability.h"

#include "analysis/pattern.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>

// ---- not-repeatable, wide-range ----

struct spread {
    size_t n;
    double factor; // slowest over fastest
};

static bool spread_of_summary(const struct imported_summary *summary, const struct thresholds *thresholds,
                              struct spread *spread)
{
    if (pattern_summary_begins_apart(summary, thresholds)) {
        *spread = (struct spread){.n = (size_t)summary->n.value - 1,
                                  .factor = summary->rest_max.value / summary->rest_min.value};
        return true;
    }
    if (summary->n.known && summary->n.value < 2) {
        *spread = (struct spread){.n = (size_t)summary->n.value, .factor = 1};
        return true;
    }
    if (!summary->n.known || !summary->min.known || !summary->max.known || !(summary->min.value > 0))
        return false;
    *spread =
        (struct spread){.n = (size_t)summary->n.value, .factor = summary->max.value / summary->min.value};
    return true;
}

static bool spread_of(const struct subject *subject, struct spread *spread)
{
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->summary)
        return spread_of_summary(facts->summary, subject->thresholds, spread);
    struct round_series series = round_series_reported(facts, subject->thresholds);
    struct summary costs = summarize(series.costs, series.count);
    round_series_release(&series);
    *spread = (struct spread){.n = costs.n, .factor = costs.n > 0 ? costs.max / costs.min : 1};
    return true;
}

static bool spread_reaches(const struct subject *subject, const struct spread *spread, enum threshold of_five)
{
    return pattern_range_reaches(spread->factor, spread->n, subject_threshold(subject, of_five));
}

// Whether one round explains the spread.
static bool one_round_stands_apart(const struct subject *subject)
{
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->summary)
        return pattern_summary_begins_apart(facts->summary, subject->thresholds);
    return pattern_first_round(facts, subject->thresholds) != FIRST_ROUND_ALIKE ||
           pattern_lone_stall_of(facts, subject->thresholds) != SIZE_MAX;
}

static bool is_scattered(const struct subject *subject, const struct spread *spread)
{
    return spread_reaches(subject, spread, THRESHOLD_NOT_REPEATABLE) && !one_round_stands_apart(subject);
}

enum { SPREAD_LEAST = 3 }; // of two rounds the range is one difference, and as good as any

// What neither rule can do without; OUTCOME_FIRED where it is there.
static enum outcome begin_spread(const struct subject *subject, struct answer *answer, struct spread *spread)
{
    if (!spread_of(subject, spread))
        return answer_lacks(answer, "the range of its rounds, or their number, isn't known");
    return spread->n < SPREAD_LEAST ? answer_lacks_rounds(answer, SPREAD_LEAST) : OUTCOME_FIRED;
}

static void put_spread(const struct spread *spread, struct answer *answer)
{
    answer_put(answer, "rounds", QUANTITY_COUNT, (double)spread->n);
    answer_put(answer, "factor", QUANTITY_FACTOR, spread->factor);
}

enum outcome rule_not_repeatable(const struct subject *subject, struct answer *answer)
{
    struct spread spread;
    enum outcome outcome = begin_spread(subject, answer, &spread);
    if (outcome != OUTCOME_FIRED)
        return outcome;
    if (!is_scattered(subject, &spread))
        return OUTCOME_QUIET;
    if (subject_facts(subject)->summary)
        return answer_lacks(answer, "whether one round alone stands apart isn't known");
    put_spread(&spread, answer);
    return OUTCOME_FIRED;
}

enum outcome rule_wide_range(const struct subject *subject, struct answer *answer)
{
    struct spread spread;
    enum outcome outcome = begin_spread(subject, answer, &spread);
    if (outcome != OUTCOME_FIRED)
        return outcome;
    bool discarded = !subject_facts(subject)->summary && is_scattered(subject, &spread);
    if (discarded || !spread_reaches(subject, &spread, THRESHOLD_WIDE_RANGE))
        return OUTCOME_QUIET;
    put_spread(&spread, answer);
    return OUTCOME_FIRED;
}

// ---- not-steady ----

enum { SAYS_RANGE, SAYS_RISE, SAYS_RANGE_AT_LEAST };

static enum outcome say_range(const struct subject *subject, double range, size_t message,
                              struct answer *answer)
{
    answer_put(answer, "range", QUANTITY_SHARE, range);
    answer_put(answer, "limit", QUANTITY_SHARE, subject_threshold(subject, THRESHOLD_STEADY_RANGE));
    answer->message = message;
    return OUTCOME_FIRED;
}

// Of five rounds whose least, middle and greatest values are known the mean lies within bounds: the other two
// are at most the middle and the greatest. No line through them rises by more than 1.2 times their range.
static enum outcome not_steady_by_summary(const struct subject *subject, struct answer *answer)
{
    const struct imported_summary *summary = subject_facts(subject)->summary;
    if (summary->n.known && summary->n.value < PATTERN_STEADY_ROUNDS)
        return answer_lacks_rounds(answer, PATTERN_STEADY_ROUNDS);
    if (!summary->n.known || summary->n.value != PATTERN_STEADY_ROUNDS || !summary->median.known ||
        !summary->min.known || !summary->max.known || !(summary->min.value > 0))
        return answer_lacks(answer, "the values of the last 5 rounds aren't known");
    double min = summary->min.value, median = summary->median.value, max = summary->max.value;
    double range_at_least = (max - min) / ((min + 2 * median + 2 * max) / 5);
    double range_at_most = (max - min) / ((2 * min + 2 * median + max) / 5);
    if (range_at_least > subject_threshold(subject, THRESHOLD_STEADY_RANGE))
        return say_range(subject, range_at_least, SAYS_RANGE_AT_LEAST, answer);
    if (range_at_most <= subject_threshold(subject, THRESHOLD_STEADY_RANGE) &&
        1.2 * range_at_most <= subject_threshold(subject, THRESHOLD_STEADY_RISE))
        return OUTCOME_QUIET;
    return answer_lacks(answer, "the order of its rounds isn't known");
}

enum outcome rule_not_steady(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->summary)
        return not_steady_by_summary(subject, answer);
    struct round_series series = round_series_reported(facts, subject->thresholds);
    size_t count = series.count;
    struct steadiness steadiness = {0};
    if (count >= PATTERN_STEADY_ROUNDS)
        steadiness = pattern_steadiness(series.values + count - PATTERN_STEADY_ROUNDS);
    round_series_release(&series);
    if (count < PATTERN_STEADY_ROUNDS)
        return answer_lacks_rounds(answer, PATTERN_STEADY_ROUNDS);
    if (steadiness.range > subject_threshold(subject, THRESHOLD_STEADY_RANGE))
        return say_range(subject, steadiness.range, SAYS_RANGE, answer);
    if (fabs(steadiness.rise) <= subject_threshold(subject, THRESHOLD_STEADY_RISE))
        return OUTCOME_QUIET;
    answer_put_text(answer, "direction", steadiness.rise > 0 ? "rises" : "falls");
    answer_put(answer, "rise", QUANTITY_SHARE, fabs(steadiness.rise));
    answer_put(answer, "limit", QUANTITY_SHARE, subject_threshold(subject, THRESHOLD_STEADY_RISE));
    answer->message = SAYS_RISE;
    return OUTCOME_FIRED;
}

// ---- drifting ----

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

// All rounds, a first use with them: it may be where the drift begins.
enum outcome rule_drifting(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    struct round_series series = round_series_of(facts->rounds, facts->count);
    size_t count = series.count;
    enum outcome outcome = OUTCOME_QUIET;
    int direction = pattern_direction(series.costs, count);
    if (count < PATTERN_DRIFT_LEAST) {
        outcome = answer_lacks_rounds(answer, PATTERN_DRIFT_LEAST);
    } else if (direction != 0 && fabs(pattern_rise(series.costs, count)) / mean_of(series.costs, count) >
                                     subject_threshold(subject, THRESHOLD_DRIFT_RISE)) {
        answer_put_text(answer, "slower", direction > 0 ? "slower" : "faster");
        answer_put(answer, "from", QUANTITY_NUMBER, series.values[0]);
        answer_put_value(answer, "to", subject, series.values[count - 1]);
        outcome = OUTCOME_FIRED;
    }
    round_series_release(&series);
    return outcome;
}

// ---- two-levels ----

static int by_cost(const void *a, const void *b)
{
    const struct round_facts *first = a, *second = b;
    return (first->cost > second->cost) - (first->cost < second->cost);
}

// Puts the middle of each level, of which the first has the `lower` rounds of least cost.
static void put_levels(const struct subject *subject, const struct round_series *series, size_t lower,
                       struct answer *answer)
{
    struct round_facts *sorted = xcalloc(series->count, sizeof *sorted);
    for (size_t i = 0; i < series->count; i++)
        sorted[i] = series->rounds[i];
    qsort(sorted, series->count, sizeof *sorted, by_cost);
    struct round_series levels = round_series_of(sorted, series->count);
    answer_put_value(answer, "low", subject, summarize(levels.values, lower).median);
    answer_put(answer, "low_rounds", QUANTITY_COUNT, (double)lower);
    answer_put_value(answer, "high", subject, summarize(levels.values + lower, series->count - lower).median);
    answer_put(answer, "high_rounds", QUANTITY_COUNT, (double)(series->count - lower));
    round_series_release(&levels);
    free(sorted);
}

enum outcome rule_two_levels(const struct subject *subject, struct answer *answer)
{
    struct round_series series = round_series_reported(subject_facts(subject), subject->thresholds);
    size_t lower = 0;
    enum outcome outcome = OUTCOME_QUIET;
    if (series.count < PATTERN_LEVELS_LEAST) {
        outcome = answer_lacks_rounds(answer, PATTERN_LEVELS_LEAST);
    } else if (pattern_two_levels(series.costs, series.count, subject->thresholds, &lower)) {
        put_levels(subject, &series, lower, answer);
        outcome = OUTCOME_FIRED;
    }
    round_series_release(&series);
    return outcome;
}
