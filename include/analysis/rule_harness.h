// rule_harness.h: whether the program itself, its clock or its output is in the figures (design: measuring,
// 1.2 E).
#pragma once

#include "analysis/rule.h"

enum outcome rule_overhead_floor(const struct subject *subject, struct answer *answer);
enum outcome rule_too_short(const struct subject *subject, struct answer *answer);
enum outcome rule_short_run(const struct subject *subject, struct answer *answer);
enum outcome rule_clock_stepped(const struct subject *subject, struct answer *answer);
enum outcome rule_time_unaccounted(const struct subject *subject, struct answer *answer);
enum outcome rule_output_on_tier(const struct subject *subject, struct answer *answer);
enum outcome rule_unit_unclear(const struct subject *subject, struct answer *answer);
enum outcome rule_screen_perturbs(const struct subject *subject, struct answer *answer);
