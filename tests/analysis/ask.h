// ask.h: asks one rule about a run made by hand, for the tests of the rules.
//
// A test of a rule has at least one run on which it fires, one on which it doesn't, and one that lacks its
// data.
#pragma once

#include "analysis/fixture.h"
#include "analysis/judge.h"
#include "analysis/trust.h"

#include <stdbool.h>
#include <stdio.h>

// What the judgement says of a rule on a metric of a tier (SIZE_MAX: about no metric; 2: about no tier): the
// first such finding, or NULL where the rule was quiet. It holds until the judgement is released.
static inline const struct finding *asked(const struct judgement *judgement, const char *rule, size_t metric,
                                          unsigned tier)
{
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        if (strcmp(finding->rule, rule) == 0 && finding->on_metric == (metric != SIZE_MAX) &&
            finding->on_tier == (tier < RUN_TIERS_MOST) &&
            (!finding->on_metric || finding->metric == metric) &&
            (!finding->on_tier || finding->tier == tier))
            return finding;
    }
    return NULL;
}

// The evidence of that name; NAN where the finding has none.
static inline double evidence_of(const struct finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->evidence_count; i++)
        if (strcmp(finding->evidence[i].name, name) == 0)
            return finding->evidence[i].value;
    return NAN;
}

// One question: the rule alone, of the table, about a metric on a tier of a run as it stands.
struct asked_answer {
    enum outcome outcome;
    enum verdict verdict;
    char sentence[1024]; // of a rule that fired, or what it lacks
};

static inline struct asked_answer ask(const struct run *run, const char *id, size_t metric, unsigned tier)
{
    const struct rule *rule = rule_by_id(id);
    struct asked_answer result = {0};
    if (!rule) {
        fprintf(stderr, "no rule is called %s\n", id);
        abort();
    }
    struct facts facts;
    struct judgement judgement;
    facts_derive(run, &facts);
    judge_run(run, &judgement);
    struct subject subject = {.facts = &facts,
                              .metrics = &judgement.metrics,
                              .thresholds = &run->thresholds,
                              .metric = metric,
                              .tier = tier};
    struct answer answer = {.verdict = rule->verdict};
    result.outcome = OUTCOME_NOT_CHECKED;
    const char *lacking = NULL;
    for (size_t i = 0; i < RULE_NEEDS_MOST && !lacking; i++)
        if (!need_is_met(rule->needs[i], &subject))
            lacking = need_words(rule->needs[i]);
    if (lacking) {
        snprintf(result.sentence, sizeof result.sentence, "%s", lacking);
    } else {
        result.outcome = rule->judge(&subject, &answer);
        char *sentence = NULL;
        if (result.outcome == OUTCOME_FIRED)
            sentence = answer_sentence(rule->messages[answer.message], &answer, &subject);
        snprintf(result.sentence, sizeof result.sentence, "%s",
                 sentence         ? sentence
                 : answer.lacking ? answer.lacking
                                  : "");
        free(sentence);
    }
    result.verdict = answer.verdict;
    answer_release(&answer);
    judgement_release(&judgement);
    facts_release(&facts);
    return result;
}

// One question about two runs or about a wake: with subject.change or subject.wake, and no run.
static inline struct asked_answer ask_of(const struct subject *about, const char *id)
{
    const struct thresholds standard = {0};
    const struct rule *rule = rule_by_id(id);
    if (!rule) {
        fprintf(stderr, "no rule is called %s\n", id);
        abort();
    }
    struct subject subject = *about;
    subject.thresholds = &standard;
    struct answer answer = {.verdict = rule->verdict};
    struct asked_answer result = {.outcome = rule->judge(&subject, &answer)};
    char *sentence = NULL;
    if (result.outcome == OUTCOME_FIRED)
        sentence = answer_sentence(rule->messages[answer.message], &answer, &subject);
    snprintf(result.sentence, sizeof result.sentence, "%s",
             sentence         ? sentence
             : answer.lacking ? answer.lacking
                              : "");
    result.verdict = answer.verdict;
    free(sentence);
    answer_release(&answer);
    return result;
}
