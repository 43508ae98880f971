// rule_sweep.h: the rules that look at sizes of a write sweep, and inside one large write. Formulas: design,
// measuring 1.2 C.
#pragma once

#include "analysis/rule.h"

enum outcome rule_size_sweep_select(const struct subject *subject, struct answer *answer);
enum outcome rule_buffer_not_outrun(const struct subject *subject, struct answer *answer);
enum outcome rule_knee(const struct subject *subject, struct answer *answer);
enum outcome rule_fsync_does_not_wait(const struct subject *subject, struct answer *answer);
