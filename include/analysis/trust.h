// trust.h: the table of rules: what may be published of a run, and what not.
//
// The order is the one in which they are asked: integrity, environment, harness, durability and caches,
// stability, sample size, comparison. Each formula's source stands with its rule.
#pragma once

#include "analysis/rule.h"

extern const struct rule rules[];              // ends with id NULL
const struct rule *rule_by_id(const char *id); // NULL where there is none
