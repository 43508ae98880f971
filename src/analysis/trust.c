// trust.c: the table of rules (design: measuring, 1.2; the formulas and their sources stand with each rule).
//
// The order is the one in which they are asked: integrity, environment, harness, durability and caches,
// stability, sample size, comparison. Each function is in the file of its family.
#include "analysis/rule.h"

#include <string.h>

const struct rule rules[] = {
    // ---- Integrity ----

    // ---- Environment ----

    // ---- Harness ----

    // ---- Writes and durability ----

    // ---- Reads and caches ----

    // ---- Stability across rounds ----

    // ---- Sample size and wording ----

    // ---- Comparison of the tiers ----

    // ---- Comparison of runs ----

    // ---- What outlives the machine ----

    {.id = NULL},
};

const struct rule *rule_by_id(const char *id)
{
    for (const struct rule *rule = rules; rule->id; rule++)
        if (strcmp(rule->id, id) == 0)
            return rule;
    return NULL;
}
