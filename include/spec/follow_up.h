// follow_up.h: a question that only another look at a disk answers. The analysis asks it at the end of a run,
// the engine measures it and stores the samples as block 2, which are in no metric.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct follow_up {
    size_t workload; // index in the plan: one of a round, or one that is there for follow-ups alone
    unsigned tier;
    unsigned rounds;  // of more than FOLLOW_UP_ROUNDS_MOST so many are measured
    uint64_t idle_ns; // the disks are left alone for so long before the first
    const char *why;  // the rule that asks; a static string
};

enum { FOLLOW_UPS_MOST = 64, FOLLOW_UP_ROUNDS_MOST = 32 };
