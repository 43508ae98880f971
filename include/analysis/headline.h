// headline.h: a run in one or two sentences, made from the rows that are reported.
//
// It names which kind of work (metadata, bandwidth, commits, random access) costs most on A and which least,
// each by one row, and says how many rows can't be compared. Never from a discarded row, never an average of
// ratios.
#pragma once

#include "record/judgement.h"
#include "record/run.h"

// NULL where nothing was to be compared. The caller frees.
char *headline_of(const struct run *run, const struct metrics *metrics);
