// rule_sample_size.h: rules about what so many rounds and operations can say, and in which words.
#pragma once

#include "analysis/rule.h"

enum outcome rule_round_percentile_gate(const struct subject *subject, struct answer *answer);
enum outcome rule_op_percentile_gate(const struct subject *subject, struct answer *answer);
enum outcome rule_pooled_percentile_gate(const struct subject *subject, struct answer *answer);
enum outcome rule_tail_in_one_round(const struct subject *subject, struct answer *answer);
enum outcome rule_median_coverage(const struct subject *subject, struct answer *answer);
enum outcome rule_too_few_rounds(const struct subject *subject, struct answer *answer);
enum outcome rule_false_precision(const struct subject *subject, struct answer *answer);
enum outcome rule_service_time_only(const struct subject *subject, struct answer *answer);
enum outcome rule_stall_share(const struct subject *subject, struct answer *answer);
enum outcome rule_ratio_not_averaged(const struct subject *subject, struct answer *answer);
