// rule_order.c: differences that come from the comparison itself.
#include "analysis/rule_order.h"

#include "analysis/pattern.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>

// ---- order-effect ----

// The factor of a tier's rounds that ran second over those that ran first; false where either are too few.
static bool order_factor(const struct subject *subject, unsigned tier, double *factor)
{
    struct round_series series =
        round_series_reported(&subject->facts->tiers[subject->metric][tier], subject->thresholds);
    double *sides[2] = {xcalloc(series.count + 1, sizeof(double)), xcalloc(series.count + 1, sizeof(double))};
    size_t counts[2] = {0};
    for (size_t i = 0; i < series.count; i++) {
        unsigned side = !series.rounds[i].sample->first;
        sides[side][counts[side]++] = series.costs[i];
    }
    bool known = counts[0] >= PATTERN_LEVEL_LEAST && counts[1] >= PATTERN_LEVEL_LEAST;
    *factor = known ? pattern_order_factor(sides[0], counts[0], sides[1], counts[1]) : 1;
    free(sides[0]);
    free(sides[1]);
    round_series_release(&series);
    return known;
}

enum outcome rule_order_effect(const struct subject *subject, struct answer *answer)
{
    double worst = 1;
    unsigned of = 0;
    for (unsigned tier = 0; tier < 2; tier++) {
        double factor;
        if (!order_factor(subject, tier, &factor))
            return answer_lacks(answer, "fewer than %d rounds that went first, or second",
                                PATTERN_LEVEL_LEAST);
        if (fabs(log(factor)) > fabs(log(worst))) {
            worst = factor;
            of = tier;
        }
    }
    double shown = worst > 1 ? worst : 1 / worst;
    if (shown < subject_threshold(subject, THRESHOLD_ORDER_FACTOR) || worst == 1)
        return OUTCOME_QUIET;
    struct text disk = {0};
    run_put_tier(subject->facts->run, of, &disk);
    answer_put_text(answer, "disk", text_string(&disk));
    text_free(&disk);
    answer_put(answer, "factor", QUANTITY_FACTOR, shown);
    answer_put_text(answer, "place", worst > 1 ? "second" : "first");
    return OUTCOME_FIRED;
}

// ---- self-comparison-fails ----

enum { SAYS_SELF, SAYS_SELF_COVERS };

static double beyond_one(double ratio)
{
    return (ratio > 1 ? ratio : 1 / ratio) - 1;
}

static double stated_ratio(const struct ratio *ratio)
{
    return ratio->factor > 0 ? ratio->factor : ratio->of_medians;
}

static bool self_fails(const struct subject *subject, double ratio, bool named)
{
    return named || beyond_one(ratio) > subject_threshold(subject, THRESHOLD_SELF_RATIO) - 1;
}

// Both tiers of the run are one disk.
static enum outcome judge_own_comparison(const struct subject *subject, struct answer *answer)
{
    const struct ratio *ratio = &subject->metrics->rows[subject->metric].ratio;
    if (ratio->comparison == COMPARISON_NONE)
        return answer_lacks(answer, "no ratio of the disk to itself was asked for");
    bool named = ratio->comparison != COMPARISON_UNCLEAR;
    double of_itself = stated_ratio(ratio);
    if (!(of_itself > 0) || !self_fails(subject, of_itself, named))
        return OUTCOME_QUIET;
    answer_put(answer, "difference", QUANTITY_SHARE, beyond_one(of_itself));
    answer->verdict = VERDICT_CAVEAT;
    return OUTCOME_FIRED;
}

enum outcome rule_self_comparison_fails(const struct subject *subject, struct answer *answer)
{
    const struct run *run = subject->facts->run;
    const struct self_ratio *self = &run->calibration.self[subject->metric];
    const struct ratio *ratio = &subject->metrics->rows[subject->metric].ratio;
    if (run->shared_why)
        return judge_own_comparison(subject, answer);
    if (!self->low.known || !self->high.known || !(self->low.value > 0) || self->high.value < self->low.value)
        return answer_lacks(answer, "%s", need_words(NEED_SELF));
    bool named = self->low.value > 1 || self->high.value < 1;
    double of_itself = sqrt(self->low.value * self->high.value);
    if (!self_fails(subject, of_itself, named))
        return OUTCOME_QUIET;
    answer_put(answer, "difference", QUANTITY_SHARE, beyond_one(of_itself));
    bool covers = ratio->comparison != COMPARISON_NONE && stated_ratio(ratio) > 0 &&
                  beyond_one(stated_ratio(ratio)) < beyond_one(of_itself);
    answer->verdict = covers ? VERDICT_REFUSE : VERDICT_CAVEAT;
    answer->message = covers ? SAYS_SELF_COVERS : SAYS_SELF;
    answer->statistic = covers ? "ratio" : NULL;
    return OUTCOME_FIRED;
}
