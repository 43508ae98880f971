// rule_order.h: rules about what the comparison itself adds.
#pragma once

#include "analysis/rule.h"

enum outcome rule_order_effect(const struct subject *subject, struct answer *answer);
enum outcome rule_self_comparison_fails(const struct subject *subject, struct answer *answer);
