// judge.h: from a run to everything that is published of it: metrics, ratios, what each rule found, headline.
// Pure: the screens, the table, the reports and the exit status all say what this says.
#pragma once

#include "record/judgement.h"

// By the thresholds that stand in the run. The caller releases `judgement`, which points into the run: it
// holds until a sample is added or the run is released.
void judge_run(const struct run *run, struct judgement *judgement);
