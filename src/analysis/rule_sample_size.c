// rule_sample_size.c: what so many rounds and operations can say, and in which words.
#include "analysis/rule_sample_size.h"

#include "analysis/percentiles.h"
#include "analysis/ratio.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "stats/order_statistic.h"

#include <math.h>
#include <stdlib.h>

static const struct metric_tier *figure_of(const struct subject *subject)
{
    return &subject->metrics->rows[subject->metric].tiers[subject->tier];
}

// The rounds that the figure is made of: without a first use that is set apart.
static const struct round_facts *rounds_of(const struct subject *subject, size_t *count)
{
    const struct tier_facts *facts = subject_facts(subject);
    size_t left_out = figure_of(subject)->first_use.known && facts->count > 0;
    *count = facts->count - left_out;
    return left_out ? facts->rounds + 1 : facts->rounds;
}

static enum outcome lacks_number(struct answer *answer)
{
    return answer_lacks(answer, "the number of rounds isn't known");
}

// "median 115, range 104 to 124 files/s": what there is of it, of an import maybe one of them alone.
static void put_figures(const struct subject *subject, const char *name, struct answer *answer)
{
    const struct summary *summary = &figure_of(subject)->summary;
    const char *unit = unit_name(subject->metrics->rows[subject->metric].unit);
    char median[UNITS_TEXT_SIZE], min[UNITS_TEXT_SIZE], max[UNITS_TEXT_SIZE];
    bool has_median = summary->n != 2 && isfinite(summary->median); // of two there is none
    bool has_range = summary->n > 1 && isfinite(summary->min) && isfinite(summary->max);
    units_three_digits(summary->median, median);
    units_three_digits(summary->min, min);
    units_three_digits(summary->max, max);
    struct text text = {0};
    if (has_median)
        text_printf(&text, "%s%s", summary->n > 1 ? "median " : "", median);
    if (has_range)
        text_printf(&text, "%srange %s to %s", has_median ? ", " : "", min, max);
    if (has_median || has_range)
        text_printf(&text, " %s", unit);
    else
        text_puts(&text, "nothing");
    answer_put_text(answer, name, text_string(&text));
    text_free(&text);
}

// ---- Percentiles of rounds ----

enum { SAYS_MISSED, SAYS_TOO_FEW, SAYS_ONE };

enum outcome rule_round_percentile_gate(const struct subject *subject, struct answer *answer)
{
    const struct summary *summary = &figure_of(subject)->summary;
    if (summary->n == 0)
        return lacks_number(answer);
    if (histogram_carries(summary->n, 900))
        return OUTCOME_QUIET;
    double missed = pow(0.9, (double)summary->n);
    answer_put(answer, "n", QUANTITY_COUNT, (double)summary->n);
    answer_put(answer, "missed", QUANTITY_SHARE, missed);
    put_figures(subject, "figures", answer);
    answer->statistic = "p90";
    // Of many rounds hardly any misses all of a tenth, and yet it has too few to be measured.
    answer->message = missed >= 0.01 ? SAYS_MISSED : SAYS_TOO_FEW;
    if (summary->n == 1)
        answer->message = SAYS_ONE;
    return OUTCOME_FIRED;
}

// ---- Percentiles of operations ----

static uint64_t least_operations(const struct round_facts *rounds, size_t count)
{
    uint64_t least = count > 0 ? UINT64_MAX : 0;
    for (size_t i = 0; i < count; i++)
        if (round_operations(&rounds[i])->count < least)
            least = round_operations(&rounds[i])->count;
    return least;
}

// Histograms of different digits, as a document may have them, give no common percentile.
static bool same_digits(const struct round_facts *rounds, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (round_operations(&rounds[i])->digits != round_operations(&rounds[0])->digits)
            return false;
    return true;
}

static enum outcome lacks_digits(struct answer *answer)
{
    return answer_lacks(answer, "the latencies of its rounds are counted in different digits");
}

// "p50, p90 and p95 are shown", of the first `count` percentiles.
static void put_shown(struct answer *answer, size_t count)
{
    struct text text = {0};
    for (size_t i = 0; i < count; i++)
        text_printf(&text, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", percentile_name(i));
    text_puts(&text, count == 1 ? " is shown" : " are shown");
    answer_put_text(answer, "shown", text_string(&text));
    text_free(&text);
}

enum { SAYS_WHICH_ARE_SHOWN, SAYS_NONE_IS_SHOWN };

enum outcome rule_op_percentile_gate(const struct subject *subject, struct answer *answer)
{
    size_t count, carried = 0;
    const struct round_facts *rounds = rounds_of(subject, &count);
    const struct percentile *percentiles = figure_of(subject)->percentiles;
    if (!same_digits(rounds, count))
        return lacks_digits(answer);
    while (carried < PERCENTILE_COUNT && percentiles[carried].in_rounds)
        carried++;
    if (carried == PERCENTILE_COUNT)
        return OUTCOME_QUIET;
    double tail = (double)percentiles_beyond(subject->thresholds);
    answer->statistic = percentile_name(carried);
    answer_put_text(answer, "percentile", percentile_name(carried));
    answer_put(answer, "needed", QUANTITY_COUNT,
               ceil(tail * 1000 / (1000 - (double)percentile_permilles[carried])));
    answer_put(answer, "operations", QUANTITY_COUNT, (double)least_operations(rounds, count));
    if (carried > 0)
        put_shown(answer, carried);
    answer->message = carried > 0 ? SAYS_WHICH_ARE_SHOWN : SAYS_NONE_IS_SHOWN;
    return OUTCOME_FIRED;
}

// ---- All rounds together ----

static uint64_t all_operations(const struct round_facts *rounds, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += round_operations(&rounds[i])->count;
    return all;
}

enum outcome rule_pooled_percentile_gate(const struct subject *subject, struct answer *answer)
{
    size_t count, at = 0;
    const struct round_facts *rounds = rounds_of(subject, &count);
    const struct percentile *percentiles = figure_of(subject)->percentiles;
    uint64_t operations = all_operations(rounds, count);
    struct intraclass alike = percentiles_intraclass(rounds, count);
    if (!same_digits(rounds, count))
        return lacks_digits(answer);
    if (count < 2)
        return answer_lacks(answer, "fewer than 2 rounds");
    if (!alike.known)
        return answer_lacks(answer, "all its latencies are equal, or there is one a round");
    while (at < PERCENTILE_COUNT && percentiles[at].pooled)
        at++;
    // Where as many independent operations weren't enough either, it isn't the rounds that withhold it.
    if (at == PERCENTILE_COUNT || !histogram_carries_beyond(operations, percentile_permilles[at],
                                                            percentiles_beyond(subject->thresholds)))
        return OUTCOME_QUIET;
    answer->statistic = "pooled percentiles";
    answer_put(answer, "operations", QUANTITY_COUNT, (double)operations);
    answer_put(answer, "icc", QUANTITY_NUMBER, alike.icc);
    answer_put(answer, "effective", QUANTITY_COUNT, alike.n_effective);
    answer_put_text(answer, "percentile", percentile_name(at));
    return OUTCOME_FIRED;
}

enum { TAIL_PERMILLE = 950, TAIL_PERCENTILE = 2 /* of percentile_permilles */, TAIL_ROUNDS_LEAST = 5 };

// The pooled p95; of the operations above it, how many there are, and the round that has most of them.
struct tail {
    uint64_t operations;
    uint64_t in_round;
    unsigned round;
};

static uint64_t operations_above(const struct sparse_histogram *latency, uint64_t ns)
{
    uint64_t above = 0;
    for (size_t i = 0; i < latency->length; i++)
        if (latency->bins[i].lowest_ns > ns)
            above += latency->bins[i].count;
    return above;
}

static struct tail tail_of(const struct round_facts *rounds, size_t count)
{
    struct histogram pooled;
    histogram_init(&pooled, round_operations(&rounds[0])->digits);
    for (size_t i = 0; i < count; i++)
        sparse_add_to(round_operations(&rounds[i]), &pooled);
    uint64_t begin = histogram_percentile(&pooled, TAIL_PERMILLE);
    histogram_release(&pooled);
    struct tail tail = {0};
    for (size_t i = 0; i < count; i++) {
        uint64_t above = operations_above(round_operations(&rounds[i]), begin);
        tail.operations += above;
        if (above > tail.in_round) {
            tail.in_round = above;
            tail.round = rounds[i].round;
        }
    }
    return tail;
}

enum outcome rule_tail_in_one_round(const struct subject *subject, struct answer *answer)
{
    size_t count;
    const struct round_facts *rounds = rounds_of(subject, &count);
    if (count < TAIL_ROUNDS_LEAST)
        return answer_lacks(answer, "fewer than %d rounds", TAIL_ROUNDS_LEAST);
    if (!same_digits(rounds, count))
        return lacks_digits(answer);
    uint64_t beyond = percentiles_beyond(subject->thresholds);
    if (!histogram_carries_beyond(all_operations(rounds, count), TAIL_PERMILLE, beyond))
        return answer_lacks(answer, "too few operations for a p95 of all rounds");
    struct tail tail = tail_of(rounds, count);
    if (tail.operations < beyond)
        return answer_lacks(answer, "too many of its latencies are equal for a tail");
    if ((double)tail.in_round <= (double)tail.operations * subject_threshold(subject, THRESHOLD_TAIL_SHARE))
        return OUTCOME_QUIET;
    // Where nothing of it would have been shown, there is nothing to mark.
    if (!figure_of(subject)->percentiles[TAIL_PERCENTILE].pooled)
        answer->verdict = VERDICT_INFO;
    answer->statistic = "pooled p95"; // and those above it
    answer_put(answer, "in_round", QUANTITY_COUNT, (double)tail.in_round);
    answer_put(answer, "slowest", QUANTITY_COUNT, (double)tail.operations);
    answer_put(answer, "round", QUANTITY_COUNT, tail.round);
    return OUTCOME_FIRED;
}

// ---- Numbers of rounds ----

// Its digits are what matters: 93.75 %, 96.88 %.
static void put_coverage(struct answer *answer, const char *name, size_t n)
{
    double percent = 100 * order_coverage_of_range(n);
    char *words = percent < 99.99 ? xformat("%.4g %%", percent) : xstrdup("over 99.99 %");
    answer_put_text(answer, name, words);
    free(words);
}

enum outcome rule_median_coverage(const struct subject *subject, struct answer *answer)
{
    size_t n = figure_of(subject)->summary.n;
    if (n == 0)
        return lacks_number(answer);
    if (n < 2)
        return answer_lacks(answer, "one round has no range");
    answer_put(answer, "n", QUANTITY_COUNT, (double)n);
    answer_put(answer, "next", QUANTITY_COUNT, (double)n + 1);
    answer_put(answer, "covers", QUANTITY_SHARE, order_coverage_of_range(n));
    put_coverage(answer, "coverage", n);
    put_coverage(answer, "next_coverage", n + 1);
    answer->message = n >= 15; // then there is nothing to gain
    return OUTCOME_FIRED;
}

enum { ROUNDS_ENOUGH = 5 };

// One observation of a large file says more as a time for so many bytes.
static void put_observation(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    uint64_t bytes = workload_bytes(subject_workload(subject)), ns = 0;
    if (facts->summary && facts->summary->wall_ns.known)
        ns = facts->summary->wall_ns.value;
    else if (facts->count == 1 && facts->rounds[0].sample->batches == 1)
        ns = facts->rounds[0].sample->wall_ns;
    if (workload_descriptions[subject_workload(subject)->kind].unit != UNIT_MEGABYTES_PER_SECOND || ns == 0 ||
        bytes == 0) {
        put_figures(subject, "observation", answer);
        return;
    }
    char time[UNITS_TEXT_SIZE], size[UNITS_TEXT_SIZE];
    units_duration(ns, "us", time);
    units_bytes(bytes, size);
    char *words = xformat("%s for %s", time, size);
    answer_put_text(answer, "observation", words);
    free(words);
}

enum outcome rule_too_few_rounds(const struct subject *subject, struct answer *answer)
{
    const struct summary *summary = &figure_of(subject)->summary;
    if (summary->n == 0)
        return lacks_number(answer);
    if (summary->n >= ROUNDS_ENOUGH)
        return OUTCOME_QUIET;
    answer_put(answer, "n", QUANTITY_COUNT, (double)summary->n);
    if (summary->n == 1) {
        put_observation(subject, answer);
    } else {
        put_figures(subject, "figures", answer);
        put_coverage(answer, "coverage", summary->n);
    }
    answer->message = summary->n < 3 ? summary->n - 1 : 2;
    return OUTCOME_FIRED;
}

// ---- Words of a ratio ----

// The last digit that an interval supports (the second of its half width) against the first decimal, of a
// factor or of percent, that would be printed without a look at it.
enum outcome rule_false_precision(const struct subject *subject, struct answer *answer)
{
    const struct ratio *ratio = &subject->metrics->rows[subject->metric].ratio;
    if (ratio->comparison != COMPARISON_SLOWER && ratio->comparison != COMPARISON_FASTER)
        return OUTCOME_QUIET; // none is printed
    if (!(ratio->high > ratio->low))
        return answer_lacks(answer, "the ratio has no interval");
    double stated = ratio->factor > 0 ? ratio->factor : ratio->of_medians_shown;
    bool in_percent = stated < 2;
    double half = (ratio->high - ratio->low) / 2 * (in_percent ? 100 : 1);
    if (floor(log10(half)) - 1 < 0)
        return OUTCOME_QUIET;
    char *words = ratio_words(ratio), *interval = ratio_interval_words(ratio);
    char *plain =
        in_percent ? xformat("%.1f %%", (ratio->of_medians - 1) * 100) : xformat("%.1fx", ratio->of_medians);
    answer_put_text(answer, "words", words);
    answer_put_text(answer, "interval", interval);
    answer_put_text(answer, "plain", plain);
    free(words);
    free(interval);
    free(plain);
    return OUTCOME_FIRED;
}

enum outcome rule_ratio_not_averaged(const struct subject *subject, struct answer *answer)
{
    size_t rows = 0;
    for (size_t i = 0; i < subject->metrics->length; i++) {
        const struct metric *metric = &subject->metrics->rows[i];
        rows += !metric->absent && metric->tiers[0].state == METRIC_MEASURED &&
                metric->tiers[1].state == METRIC_MEASURED;
    }
    answer->statistic = "overall score";
    return subject->facts->run->tier_count == 2 && rows >= 2 ? OUTCOME_FIRED : OUTCOME_QUIET;
}

// ---- Single operations ----

enum outcome rule_service_time_only(const struct subject *subject, struct answer *answer)
{
    if (!figure_of(subject)->percentiles[0].in_rounds)
        return OUTCOME_QUIET; // no latency is shown
    unsigned threads = subject_workload(subject)->threads;
    answer_put(answer, "threads", QUANTITY_COUNT, threads);
    answer->message = threads > 1;
    return OUTCOME_FIRED;
}

enum { STALL_OPERATIONS_LEAST = 50 };

enum outcome rule_stall_share(const struct subject *subject, struct answer *answer)
{
    size_t count;
    const struct round_facts *rounds = rounds_of(subject, &count);
    const struct sample *worst = NULL;
    double share = 0, limit = subject_threshold(subject, THRESHOLD_STALL_SHARE);
    size_t asked = 0, stalled = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = rounds[i].sample;
        if (sample->latency[PHASE_OP].count < STALL_OPERATIONS_LEAST)
            continue;
        asked++;
        double of_round = (double)sample->latency[PHASE_OP].max_ns / (double)sample->wall_ns;
        stalled += of_round > limit;
        if (of_round > share) {
            share = of_round;
            worst = sample;
        }
    }
    if (asked == 0)
        return answer_lacks(answer, "fewer than %d operations in a round", STALL_OPERATIONS_LEAST);
    if (stalled == 0)
        return OUTCOME_QUIET;
    // The middle of the rounds is unmoved by a stall in fewer than half of them.
    if (2 * stalled < asked)
        answer->verdict = VERDICT_INFO;
    answer_put(answer, "longest", QUANTITY_NS, (double)worst->latency[PHASE_OP].max_ns);
    answer_put(answer, "round", QUANTITY_COUNT, worst->round);
    answer_put(answer, "wall", QUANTITY_NS, (double)worst->wall_ns);
    answer_put(answer, "share", QUANTITY_SHARE, share);
    return OUTCOME_FIRED;
}
