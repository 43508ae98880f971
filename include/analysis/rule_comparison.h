// rule_comparison.h: what two runs can't tell, and differences that the machine shows by itself (design:
// measuring, 1.2 G, and machine-changed of F). They are asked with subject.change.
#pragma once

#include "analysis/rule.h"

enum outcome rule_cannot_tell_n(const struct subject *subject, struct answer *answer);
enum outcome rule_many_comparisons(const struct subject *subject, struct answer *answer);
enum outcome rule_both_tiers_moved(const struct subject *subject, struct answer *answer);
enum outcome rule_one_session_a_side(const struct subject *subject, struct answer *answer);
enum outcome rule_machine_changed(const struct subject *subject, struct answer *answer);

// Of a change where subject.change is set; else of the ratio of a run's two tiers.
enum outcome rule_contradicts_bound(const struct subject *subject, struct answer *answer);
