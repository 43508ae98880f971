// rule_durability.h: the rules that judge what a write claims to have made durable, and those that judge its
// bytes. Formulas: design, measuring 1.2 C. The write sweep's own are in rule_sweep.h.
#pragma once

#include "analysis/rule.h"

enum outcome rule_io_error(const struct subject *subject, struct answer *answer);
enum outcome rule_durability_unprovable(const struct subject *subject, struct answer *answer);
enum outcome rule_upper_bound_sync(const struct subject *subject, struct answer *answer);
enum outcome rule_sync_misses_fuse(const struct subject *subject, struct answer *answer);
enum outcome rule_other_tier_flushed(const struct subject *subject, struct answer *answer);
enum outcome rule_backlog_at_start(const struct subject *subject, struct answer *answer);
enum outcome rule_not_durable_by_design(const struct subject *subject, struct answer *answer);
enum outcome rule_write_outruns_read(const struct subject *subject, struct answer *answer);
enum outcome rule_close_carries_cost(const struct subject *subject, struct answer *answer);
enum outcome rule_compressible_data(const struct subject *subject, struct answer *answer);
enum outcome rule_sparse_file(const struct subject *subject, struct answer *answer);
