// headline.h: a run in one or two sentences, made from the rows that are reported.
//
// It names which kind of work (metadata, bandwidth, commits, random access) costs most on A and which least,
// each by one row. Never from a discarded row, never an average of ratios.
#pragma once

#include "record/judgement.h"
#include "record/run.h"

// NULL where no row says anything. The caller frees.
char *headline_of(const struct run *run, const struct metrics *metrics);
