#include "analysis/disagree.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

// A figure that not every tier has.
static void check_known(const struct run *run, const struct metric *metric, unsigned tier, const char *what,
                        struct real stored, struct real derived, struct text *sentences)
{
    if (!stored.known)
        return;
    if (derived.known) {
        check_value(run, metric, tier, what, stored.value, derived.value, sentences);
        return;
    }
    put_figure(sentences, run, metric, tier);
    text_printf(sentences, "the document says %s %.12g, its samples give none.\n", what, stored.value);
}

static struct real real_if(bool known, double value)
{
    return (struct real){.known = known, .value = value};
}

static void check_percentile(const struct run *run, const struct metric *stored, const struct metric *derived,
                             unsigned tier, size_t index, struct text *sentences)
{
    const struct percentile *was = &stored->tiers[tier].percentiles[index],
                            *is = &derived->tiers[tier].percentiles[index];
    const struct {
        const char *of;
        struct real stored, derived;
    } figures[] = {
        {"median", real_if(was->in_rounds, was->rounds.median), real_if(is->in_rounds, is->rounds.median)},
        {"min", real_if(was->in_rounds, was->rounds.min), real_if(is->in_rounds, is->rounds.min)},
        {"max", real_if(was->in_rounds, was->rounds.max), real_if(is->in_rounds, is->rounds.max)},
        {"pooled", real_if(was->pooled, was->pooled_ns), real_if(is->pooled, is->pooled_ns)},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        char what[32];
        snprintf(what, sizeof what, "%s (%s, in ns)", percentile_name(index), figures[i].of);
        check_known(run, stored, tier, what, figures[i].stored, figures[i].derived, sentences);
    }
}

// What the rules decide is there: a first use told apart, a rate past the buffer, percentiles past their
// gates.
static void check_decided(const struct run *run, const struct metric *stored, const struct metric *derived,
                          unsigned tier, struct text *sentences)
{
    const struct metric_tier *was = &stored->tiers[tier], *is = &derived->tiers[tier];
    if (was->state != METRIC_MEASURED || is->state != METRIC_MEASURED)
        return;
    check_known(run, stored, tier, "a first use of", was->first_use, is->first_use, sentences);
    check_known(run, stored, tier, "a rate past the buffer of", was->past_buffer, is->past_buffer, sentences);
    for (size_t i = 0; i < PERCENTILE_COUNT; i++)
        check_percentile(run, stored, derived, tier, i, sentences);
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
    if (stored->each && derived->each && was->n == is->n && !each_agrees(stored, derived)) {
        put_figure(sentences, run, stored_metric, tier);
        text_puts(sentences, "the values by round in the document are not those of its samples.\n");
    }
}

static bool names_slower(const struct ratio *ratio)
{
    return ratio->comparison == COMPARISON_SLOWER || ratio->comparison == COMPARISON_FASTER;
}

static void put_ratio(struct text *sentences, const struct metric *metric, const char *what)
{
    text_put_safe(sentences, metric->id, false);
    text_printf(sentences, ": %s\n", what);
}

static void check_ratio(const struct metric *stored, const struct metric *derived, struct text *sentences)
{
    static const struct {
        const char *name;
        size_t offset;
    } figures[] = {
        {"a ratio of", offsetof(struct ratio, of_medians)},
        {"a paired ratio of", offsetof(struct ratio, factor)},
        {"a ratio of at least", offsetof(struct ratio, low)},
        {"a ratio of at most", offsetof(struct ratio, high)},
    };
    const struct ratio *was = &stored->ratio, *is = &derived->ratio;
    if (names_slower(was) && !names_slower(is)) {
        put_ratio(sentences, stored, "the document says that one disk is slower, its samples don't.");
        return;
    }
    if (names_slower(was) && was->comparison != is->comparison) {
        put_ratio(sentences, stored, "the document says that the other disk is the slower one.");
        return;
    }
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        double said, given;
        memcpy(&said, (const char *)was + figures[i].offset, sizeof said);
        memcpy(&given, (const char *)is + figures[i].offset, sizeof given);
        if (!(said > 0) || agree(said, given))
            continue;
        text_put_safe(sentences, stored->id, false);
        text_printf(sentences, ": the document says %s %.12g, its samples give ", figures[i].name, said);
        if (given > 0)
            text_printf(sentences, "%.12g.\n", given);
        else
            text_puts(sentences, "none.\n");
    }
}

static const char *word(enum trust trust)
{
    return trust_name(trust) ? trust_name(trust) : "no figure";
}

static void put_trust(struct text *sentences, enum trust was, enum trust is)
{
    text_printf(sentences, "the document says \"%s\", the rules say \"%s\".\n", word(was), word(is));
}

// The row's trust is told only where those of its figures aren't.
static void check_trust(const struct run *run, const struct metric *stored, const struct metric *derived,
                        struct text *sentences)
{
    bool told = false;
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        enum trust was = stored->tiers[tier].trust, is = derived->tiers[tier].trust;
        if (was == TRUST_NONE || was == is)
            continue;
        put_figure(sentences, run, stored, tier);
        put_trust(sentences, was, is);
        told = true;
    }
    if (told || stored->trust == TRUST_NONE || stored->trust == derived->trust)
        return;
    text_put_safe(sentences, stored->id, false);
    text_puts(sentences, ": ");
    put_trust(sentences, stored->trust, derived->trust);
}

static const struct metric *metric_by_id(const struct metrics *metrics, const char *id)
{
    for (size_t i = 0; i < metrics->length; i++)
        if (strcmp(metrics->rows[i].id, id) == 0)
            return &metrics->rows[i];
    return NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

void disagree_sentences(const struct run *run, const struct judgement *derived,
                        const struct judgement *stored, struct text *sentences)
{
    bool same_rules = stored->rules_version == derived->rules_version;
    for (size_t i = 0; i < stored->metrics.length; i++) {
        const struct metric *was = &stored->metrics.rows[i], *is = metric_by_id(&derived->metrics, was->id);
        if (!is) {
            text_put_safe(sentences, was->id, false);
            text_puts(sentences, ": the document has a metric of that name, its plan has none.\n");
            continue;
        }
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            if (same_rules || !is->tiers[tier].first_use.known) // other rules count other rounds
                check_tier(run, was, is, tier, sentences);
        if (!same_rules)
            continue;
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            check_decided(run, was, is, tier, sentences);
        check_ratio(was, is, sentences);
        check_trust(run, was, is, sentences);
    }
    if (same_rules && stored->headline && !same_text(stored->headline, derived->headline))
        text_puts(sentences, "The headline in the document is not what its samples give.\n");
}
