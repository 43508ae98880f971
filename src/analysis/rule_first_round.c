// rule_first_round.c: one round apart from the others, and a slow start inside a round. The patterns are in
// pattern.h.
#include "analysis/rule_first_round.h"

#include "analysis/pattern.h"

#include <math.h>

// ---- first-round-differs ----

enum { SAYS_WRITE, SAYS_SET_APART, SAYS_AFTER_FIRST_USE };

// One round beside the range of others, in the metric's unit.
struct contrast {
    double first, low, high;
    uint64_t from, to; // the rounds of that range
};

static void put_contrast(const struct contrast *contrast, const struct subject *subject,
                         struct answer *answer)
{
    double low = fmin(contrast->first, contrast->low), high = fmax(contrast->first, contrast->high);
    answer_put_value(answer, "first", subject, contrast->first);
    answer_put(answer, "from", QUANTITY_COUNT, (double)contrast->from);
    answer_put(answer, "to", QUANTITY_COUNT, (double)contrast->to);
    answer_put(answer, "low", QUANTITY_NUMBER, contrast->low);
    answer_put(answer, "high", QUANTITY_NUMBER, contrast->high);
    answer_put(answer, "factor", QUANTITY_FACTOR, low > 0 ? high / low : 0);
}

static struct contrast contrast_of(double first, const struct round_facts *rest, size_t count)
{
    struct contrast contrast = {
        .first = first, .low = INFINITY, .from = rest[0].round, .to = rest[count - 1].round};
    for (size_t i = 0; i < count; i++) {
        contrast.low = fmin(contrast.low, rest[i].value);
        contrast.high = fmax(contrast.high, rest[i].value);
    }
    return contrast;
}

static enum outcome say_apart(const struct subject *subject, const struct contrast *contrast,
                              struct answer *answer)
{
    bool writes = (CLASS_BIT(metric_class_of(subject_workload(subject))) & CLASSES_WRITES) != 0;
    bool left_out = subject->metrics->rows[subject->metric].tiers[subject->tier].first_use.known;
    put_contrast(contrast, subject, answer);
    answer->verdict = writes ? VERDICT_DISCARD : VERDICT_CAVEAT;
    answer->message = writes ? SAYS_WRITE : SAYS_SET_APART;
    if (!writes)
        answer_put_text(answer, "consequence",
                        left_out ? "It is the first use, and reported from round 2 on"
                                 : "It may be the first use, and it is in the range");
    return OUTCOME_FIRED;
}

// A round 0 did one batch, which may fit a buffer that the more batches of the rounds fill.
static const char *consequence_of(const struct tier_facts *facts, bool warm)
{
    if (warm)
        return "Round 0 had been before it, so it isn't the first use; it is in the range";
    for (size_t i = 0; i < facts->count; i++)
        if (facts->rounds[i].sample->batches != facts->first_use->batches)
            return "It is the first use, and did it fewer times over than the rounds; it is in no figure";
    return "It is the first use, and in no figure";
}

// With round 0 in front: whether that one stands apart from the rounds, or round 1 all the same.
static enum outcome say_after_first_use(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    const struct sample *first_use = facts->first_use;
    bool warm = pattern_first_round(facts, subject->thresholds) == FIRST_ROUND_WARM;
    struct contrast contrast;
    if (warm) {
        contrast = contrast_of(facts->rounds[0].value, facts->rounds + 1, facts->count - 1);
    } else {
        double value, low = INFINITY, high = 0;
        if (!sample_value(subject->facts->run, first_use, &value))
            return OUTCOME_QUIET;
        for (size_t i = 0; i < facts->count; i++) {
            low = fmin(low, facts->rounds[i].cost);
            high = fmax(high, facts->rounds[i].cost);
        }
        double cost = (double)first_use->wall_ns / (double)first_use->batches / 1e9;
        if (!pattern_is_apart(cost, low, high, subject->thresholds))
            return OUTCOME_QUIET;
        contrast = contrast_of(value, facts->rounds, facts->count);
    }
    put_contrast(&contrast, subject, answer);
    answer_put(answer, "round", QUANTITY_COUNT, warm);
    answer_put_text(answer, "consequence", consequence_of(facts, warm));
    answer->verdict = VERDICT_INFO;
    answer->message = SAYS_AFTER_FIRST_USE;
    return OUTCOME_FIRED;
}

static enum outcome first_round_of_summary(const struct subject *subject, struct answer *answer)
{
    const struct imported_summary *summary = subject_facts(subject)->summary;
    if (summary->n.known && summary->n.value < PATTERN_APART_LEAST)
        return answer_lacks_rounds(answer, PATTERN_APART_LEAST);
    if (!pattern_summary_has_first(summary))
        return answer_lacks(answer, "round 1 isn't known apart from the others");
    if (!pattern_summary_begins_apart(summary, subject->thresholds))
        return OUTCOME_QUIET;
    struct contrast contrast = {.first = summary->first.value,
                                .low = summary->rest_min.value,
                                .high = summary->rest_max.value,
                                .from = 2,
                                .to = summary->n.value};
    return say_apart(subject, &contrast, answer);
}

enum outcome rule_first_round_differs(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->summary)
        return first_round_of_summary(subject, answer);
    if (facts->count < PATTERN_APART_LEAST)
        return answer_lacks_rounds(answer, PATTERN_APART_LEAST);
    if (facts->rounds[0].round != 1)
        return answer_lacks(answer, "round 1 is missing");
    if (facts->first_use)
        return say_after_first_use(subject, answer);
    if (!pattern_first_use(facts, subject->thresholds))
        return OUTCOME_QUIET;
    struct contrast contrast = contrast_of(facts->rounds[0].value, facts->rounds + 1, facts->count - 1);
    return say_apart(subject, &contrast, answer);
}

// ---- lone-stall ----

enum outcome rule_lone_stall(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->count < PATTERN_APART_LEAST)
        return answer_lacks_rounds(answer, PATTERN_APART_LEAST);
    size_t at = pattern_lone_stall_of(facts, subject->thresholds);
    if (at == SIZE_MAX)
        return OUTCOME_QUIET;
    struct round_series others = round_series_of(facts->rounds, facts->count);
    others.costs[at] = others.costs[--others.count];
    answer_put(answer, "round", QUANTITY_COUNT, facts->rounds[at].round);
    answer_put(answer, "factor", QUANTITY_FACTOR,
               facts->rounds[at].cost / summarize(others.costs, others.count).median);
    round_series_release(&others);
    answer->message = pattern_first_round(facts, subject->thresholds) == FIRST_ROUND_CHANCE;
    return OUTCOME_FIRED;
}

// ---- ramp-in-round ----

enum { RAMP_MIB_LEAST = 20 }; // so that a tenth is two at least

struct ramp {
    size_t first; // MiB that the first tenth is
    size_t next;  // MiB that took as long right after it
    double rate;  // of the first tenth, as a share of that of the middle half
};

// Of the first batch of a sample: a ramp is at the beginning. False where it has too few MiB.
static bool ramp_of(const struct sample *sample, struct ramp *ramp)
{
    size_t length = sample->mib_length / (sample->batches > 0 ? sample->batches : 1);
    if (length < RAMP_MIB_LEAST)
        return false;
    const uint64_t *at = sample->mib_ns;
    size_t first = (length + 9) / 10, quarter = length / 4, end = quarter + length / 2;
    double of_first = (double)at[first - 1] / (double)first;
    double of_middle = (double)(at[end - 1] - at[quarter - 1]) / (double)(end - quarter);
    *ramp = (struct ramp){.first = first, .rate = of_first > 0 ? of_middle / of_first : 1};
    while (first + ramp->next < length && at[first + ramp->next] - at[first - 1] <= at[first - 1])
        ramp->next++;
    return true;
}

enum outcome rule_ramp_in_round(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    double limit = subject_threshold(subject, THRESHOLD_RAMP_RATE);
    struct ramp worst = {.rate = INFINITY};
    unsigned round = 0, seen = 0;
    for (size_t i = 0; i < facts->count; i++) {
        struct ramp ramp;
        if (!ramp_of(facts->rounds[i].sample, &ramp))
            return answer_lacks(answer, "fewer than %d MiB are written at a time", RAMP_MIB_LEAST);
        seen += ramp.rate < limit;
        if (ramp.rate < worst.rate) {
            worst = ramp;
            round = facts->rounds[i].round;
        }
    }
    if (seen == 0)
        return OUTCOME_QUIET;
    answer_put(answer, "first", QUANTITY_COUNT, (double)worst.first);
    answer_put(answer, "next", QUANTITY_COUNT, (double)worst.next);
    answer_put(answer, "round", QUANTITY_COUNT, round);
    answer_put(answer, "seen", QUANTITY_COUNT, seen);
    answer_put(answer, "rounds", QUANTITY_COUNT, (double)facts->count);
    return OUTCOME_FIRED;
}
