// rule_persistence.h: whether a wake test shows that a disk outlives its machine (design: measuring, 1.2 G).
// They are asked with subject.wake.
#pragma once

#include "analysis/rule.h"

enum outcome rule_woke_same_machine(const struct subject *subject, struct answer *answer);
enum outcome rule_persist_hash(const struct subject *subject, struct answer *answer);
enum outcome rule_wake_single(const struct subject *subject, struct answer *answer);
