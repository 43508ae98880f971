// rule_first_round.h: rules about one round apart from the others, and a slow start inside a round.
#pragma once

#include "analysis/rule.h"

enum outcome rule_first_round_differs(const struct subject *subject, struct answer *answer);
enum outcome rule_lone_stall(const struct subject *subject, struct answer *answer);
enum outcome rule_ramp_in_round(const struct subject *subject, struct answer *answer);
