// judge.c: asks the rules, and puts what they answer into words and marks.
#include "analysis/judge.h"

#include "analysis/headline.h"
#include "analysis/metric.h"
#include "analysis/trust.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct inquiry {
    struct facts facts;
    const struct thresholds *thresholds;
    struct judgement *judgement;
    bool (*closed)[RUN_TIERS_MOST]; // by metric and tier: an integrity rule discarded it, which ends its
                                    // questions
};

// ---- Findings ----

// Takes the answer's evidence over.
static void add_finding(struct inquiry *inquiry, const struct rule *rule, enum verdict verdict,
                        const struct subject *subject, char *message, struct answer *answer)
{
    struct judgement *judgement = inquiry->judgement;
    struct finding finding = {
        .rule = rule->id,
        .verdict = verdict,
        .on_metric = rule->scope == SCOPE_VALUE || rule->scope == SCOPE_RATIO,
        .metric = subject->metric,
        .on_tier = rule->scope == SCOPE_VALUE || rule->scope == SCOPE_DISK,
        .tier = subject->tier,
        .statistic = answer->statistic,
        .message = message,
        .evidence_count = answer->evidence_count,
    };
    memcpy(finding.evidence, answer->evidence, sizeof finding.evidence);
    answer->evidence_count = 0;
    size_t count = judgement->finding_count++;
    // There are none yet, or a power of two, which is as many as there is room for.
    if ((count & (count - 1)) == 0)
        judgement->findings =
            xrealloc_array(judgement->findings, count > 0 ? 2 * count : 1, sizeof *judgement->findings);
    judgement->findings[count] = finding;
}

static void close_questions(struct inquiry *inquiry, const struct rule *rule, const struct subject *subject)
{
    if (rule->scope == SCOPE_VALUE)
        inquiry->closed[subject->metric][subject->tier] = true;
    for (size_t i = 0; rule->scope == SCOPE_DISK && i < inquiry->facts.length; i++)
        inquiry->closed[i][subject->tier] = true;
}

static const char *missing(const struct rule *rule, const struct subject *subject)
{
    for (size_t i = 0; i < RULE_NEEDS_MOST; i++)
        if (!need_is_met(rule->needs[i], subject))
            return need_words(rule->needs[i]);
    return NULL;
}

// Samples can hold figures so absurd that what is made of them is none.
static bool is_finite(const struct answer *answer)
{
    for (size_t i = 0; i < answer->evidence_count; i++)
        if (!isfinite(answer->evidence[i].value))
            return false;
    return true;
}

static void ask(struct inquiry *inquiry, const struct rule *rule, const struct subject *subject)
{
    struct answer answer = {.verdict = rule->verdict};
    const char *lacking = missing(rule, subject);
    enum outcome outcome = lacking ? OUTCOME_NOT_CHECKED : rule->judge(subject, &answer);
    if (outcome == OUTCOME_FIRED && !is_finite(&answer))
        outcome = answer_lacks(&answer, "its figures are too great or too small to compare");
    if (outcome == OUTCOME_NOT_CHECKED) {
        if (!lacking)
            lacking = answer.lacking ? answer.lacking : "it lacks its data";
        struct text message = {0};
        text_put_safe(&message, lacking, false);
        add_finding(inquiry, rule, VERDICT_NOT_CHECKED, subject, xstrdup(text_string(&message)), &answer);
        text_free(&message);
    }
    if (outcome == OUTCOME_FIRED) {
        char *sentence = answer_sentence(rule->messages[answer.message], &answer, subject);
        add_finding(inquiry, rule, answer.verdict, subject, sentence, &answer);
        if (rule->integrity && answer.verdict == VERDICT_DISCARD)
            close_questions(inquiry, rule, subject);
    }
    answer_release(&answer);
}

// ---- Whom a rule is asked about ----

static bool judges(const struct rule *rule, const struct inquiry *inquiry, size_t metric)
{
    const struct workload *workload = &inquiry->facts.run->plan.workloads[metric];
    return !inquiry->judgement->metrics.rows[metric].absent &&
           (rule->classes & CLASS_BIT(metric_class_of(workload))) != 0;
}

// A metric that failed has nothing but its failure to be judged by.
static bool is_open(const struct rule *rule, const struct inquiry *inquiry, size_t metric, unsigned tier)
{
    enum metric_state state = inquiry->facts.tiers[metric][tier].state;
    if (state == METRIC_FAILED)
        return rule->integrity;
    return state == METRIC_MEASURED && !inquiry->closed[metric][tier];
}

static struct subject subject_of(const struct inquiry *inquiry, size_t metric, unsigned tier)
{
    return (struct subject){.facts = &inquiry->facts,
                            .metrics = &inquiry->judgement->metrics,
                            .thresholds = inquiry->thresholds,
                            .metric = metric,
                            .tier = tier};
}

static void ask_about_values(struct inquiry *inquiry, const struct rule *rule)
{
    for (size_t i = 0; i < inquiry->facts.length; i++)
        for (unsigned tier = 0; tier < inquiry->facts.run->tier_count && judges(rule, inquiry, i); tier++) {
            struct subject subject = subject_of(inquiry, i, tier);
            if (is_open(rule, inquiry, i, tier))
                ask(inquiry, rule, &subject);
        }
}

static void ask_about_ratios(struct inquiry *inquiry, const struct rule *rule)
{
    for (size_t i = 0; i < inquiry->facts.length && inquiry->facts.run->tier_count == 2; i++) {
        struct subject subject = subject_of(inquiry, i, 0);
        if (judges(rule, inquiry, i) && is_open(rule, inquiry, i, 0) && is_open(rule, inquiry, i, 1))
            ask(inquiry, rule, &subject);
    }
}

static bool judges_any(const struct rule *rule, const struct inquiry *inquiry)
{
    for (size_t i = 0; i < inquiry->facts.length; i++)
        if (judges(rule, inquiry, i))
            return true;
    return false;
}

static void ask_about_disks(struct inquiry *inquiry, const struct rule *rule)
{
    for (unsigned tier = 0; tier < inquiry->facts.run->tier_count && judges_any(rule, inquiry); tier++) {
        struct subject subject = subject_of(inquiry, 0, tier);
        if (!inquiry->facts.run->tiers[tier].null)
            ask(inquiry, rule, &subject);
    }
}

static void ask_about_run(struct inquiry *inquiry, const struct rule *rule)
{
    struct subject subject = subject_of(inquiry, 0, 0);
    if (judges_any(rule, inquiry))
        ask(inquiry, rule, &subject);
}

static void ask_all(struct inquiry *inquiry)
{
    static void (*const about[])(struct inquiry *, const struct rule *) = {
        [SCOPE_VALUE] = ask_about_values,
        [SCOPE_RATIO] = ask_about_ratios,
        [SCOPE_DISK] = ask_about_disks,
        [SCOPE_RUN] = ask_about_run,
        [SCOPE_CHANGE] = NULL,
        [SCOPE_WAKE] = NULL, // no run is their subject
    };
    for (const struct rule *rule = rules; rule->id; rule++)
        if (about[rule->scope])
            about[rule->scope](inquiry, rule);
}

// ---- What that makes of the figures ----

// What is said of a disk or a run is said of the figures that a row has of it.
static bool bears_on(const struct inquiry *inquiry, const struct finding *finding, size_t index)
{
    const struct metric *metric = &inquiry->judgement->metrics.rows[index];
    if (finding->on_metric)
        return finding->metric == index;
    enum trust figure = finding->on_tier ? metric->tiers[finding->tier].trust : metric->trust;
    return figure != TRUST_NONE && judges(rule_by_id(finding->rule), inquiry, index);
}

static enum trust worse(enum trust trust, enum verdict verdict)
{
    static const enum trust of_verdict[VERDICT_COUNT] = {
        [VERDICT_CAVEAT] = TRUST_CAVEAT, [VERDICT_DISCARD] = TRUST_DISCARDED};
    return of_verdict[verdict] > trust ? of_verdict[verdict] : trust;
}

static void withhold_ratio(struct metric *metric, unsigned tier)
{
    (void)tier;
    metric->ratio = (struct ratio){0};
}

static void withhold_pooled_tail(struct metric *metric, unsigned tier)
{
    for (size_t i = 0; i < PERCENTILE_COUNT; i++)
        if (percentile_permilles[i] >= 950)
            metric->tiers[tier].percentiles[i].pooled = false;
}

// What is derived before the rules are asked, and isn't shown after all.
static const struct {
    const char *statistic;
    void (*withhold)(struct metric *metric, unsigned tier);
} statistics[] = {{"ratio", withhold_ratio}, {"pooled p95", withhold_pooled_tail}};

static void withhold(const struct finding *finding, struct metric *metric)
{
    for (size_t i = 0; finding->statistic && i < sizeof statistics / sizeof *statistics; i++)
        if (strcmp(finding->statistic, statistics[i].statistic) == 0)
            statistics[i].withhold(metric, finding->tier);
}

static void apply(const struct finding *finding, size_t index, struct metric *metric)
{
    metric->findings = xrealloc_array(metric->findings, metric->finding_count + 1, sizeof *metric->findings);
    metric->findings[metric->finding_count++] = index;
    bool of_ratio = finding->on_metric && !finding->on_tier;
    metric->trust = worse(metric->trust, finding->verdict);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST && !of_ratio; tier++)
        if (metric->tiers[tier].trust != TRUST_NONE && (!finding->on_tier || finding->tier == tier))
            metric->tiers[tier].trust = worse(metric->tiers[tier].trust, finding->verdict);
    withhold(finding, metric);
}

static void apply_findings(struct inquiry *inquiry, size_t index)
{
    struct metric *metric = &inquiry->judgement->metrics.rows[index];
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        enum metric_state state = metric->tiers[tier].state;
        if (state == METRIC_MEASURED || state == METRIC_FAILED)
            metric->tiers[tier].trust = metric->trust = TRUST_REPORTED;
    }
    for (size_t i = 0; i < inquiry->judgement->finding_count; i++) {
        const struct finding *finding = &inquiry->judgement->findings[i];
        if (finding->verdict != VERDICT_NOT_CHECKED && bears_on(inquiry, finding, index))
            apply(finding, i, metric);
    }
    bool discarded = metric->tiers[0].trust == TRUST_DISCARDED || metric->tiers[1].trust == TRUST_DISCARDED;
    if (discarded && !metric->pending)
        metric->ratio = (struct ratio){0};
}

void judge_run(const struct run *run, struct judgement *judgement)
{
    *judgement = (struct judgement){.rules_version = RULES_VERSION};
    struct inquiry inquiry = {.thresholds = &run->thresholds, .judgement = judgement};
    facts_derive(run, &inquiry.facts);
    inquiry.closed = xcalloc(inquiry.facts.length, sizeof *inquiry.closed);
    metrics_derive(&inquiry.facts, inquiry.thresholds, &judgement->metrics);
    ask_all(&inquiry);
    for (size_t i = 0; i < judgement->metrics.length; i++)
        if (!judgement->metrics.rows[i].absent)
            apply_findings(&inquiry, i);
    judgement->headline = headline_of(run, &judgement->metrics);
    free(inquiry.closed);
    facts_release(&inquiry.facts);
}
