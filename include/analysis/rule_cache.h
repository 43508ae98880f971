// rule_cache.h: the rules that judge where read bytes came from, and whether they are those that were
// written. Formulas: design, measuring 1.2 D.
#pragma once

#include "analysis/rule.h"

enum outcome rule_readback_mismatch(const struct subject *subject, struct answer *answer);
enum outcome rule_direct_beats_cached(const struct subject *subject, struct answer *answer);
enum outcome rule_request_size_explains(const struct subject *subject, struct answer *answer);
enum outcome rule_again_not_faster(const struct subject *subject, struct answer *answer);
enum outcome rule_again_from_cache(const struct subject *subject, struct answer *answer);
enum outcome rule_cold_was_warm(const struct subject *subject, struct answer *answer);
enum outcome rule_server_cache_unknown(const struct subject *subject, struct answer *answer);
enum outcome rule_residency_unknown(const struct subject *subject, struct answer *answer);
enum outcome rule_direct_not_direct(const struct subject *subject, struct answer *answer);
enum outcome rule_fits_in_memory(const struct subject *subject, struct answer *answer);
enum outcome rule_walk_cache_window(const struct subject *subject, struct answer *answer);
