// rule_stability.h: rules about all rounds of a metric, against each other and in their order.
#pragma once

#include "analysis/rule.h"

enum outcome rule_not_repeatable(const struct subject *subject, struct answer *answer);
enum outcome rule_wide_range(const struct subject *subject, struct answer *answer);
enum outcome rule_not_steady(const struct subject *subject, struct answer *answer);
enum outcome rule_drifting(const struct subject *subject, struct answer *answer);
enum outcome rule_two_levels(const struct subject *subject, struct answer *answer);
