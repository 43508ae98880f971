// ratio.h: how many times slower one tier is than the other, from their rounds in pairs.
#pragma once

#include "analysis/facts.h"

// The ratio of a metric whose tiers' summaries are derived: Hodges-Lehmann on the logarithms of the rounds'
// cost ratios with the exact signed-rank interval, from 5 pairs on (design: measuring, 2.4); the envelope of
// the ranges of an imported run; below, of the medians alone, and unclear where the ranges overlap.
struct ratio ratio_derive(const struct facts *facts, const struct metric *metric);

// "118x slower", "34 % faster", "no clear difference", "": by the rule of page.h. The caller frees.
char *ratio_words(const struct ratio *ratio);
char *ratio_interval_words(const struct ratio *ratio); // "108 to 130", "8 to 15 %", ""
