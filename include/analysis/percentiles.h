// percentiles.h: of the latencies of single operations, as far as their number carries them.
//
// By default a percentile is each round's own, of which the middle and the range are shown. All rounds
// together give one only where they are alike: n operations in rounds that differ are worth fewer independent
// ones (stats/intraclass.h).
#pragma once

#include "analysis/facts.h"
#include "record/thresholds.h"
#include "stats/intraclass.h"

#include <stdbool.h>
#include <stddef.h>

// How many operations must lie beyond a percentile (op-percentile-gate.tail).
uint64_t percentiles_beyond(const struct thresholds *thresholds);

// Of `count` rounds, each of which has latencies; else nothing is filled in.
void percentiles_derive(const struct round_facts *rounds, size_t count, const struct thresholds *thresholds,
                        struct percentile percentiles[PERCENTILE_COUNT]);

// How alike the operations of a round are: of the logarithms of their latencies, at the middle of their
// buckets. Not known where a round lacks latencies.
struct intraclass percentiles_intraclass(const struct round_facts *rounds, size_t count);
