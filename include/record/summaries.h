// summaries.h: what an imported run says of a metric on a tier where samples are missing. It is judged as it
// stands, and what it can't answer isn't checked. What isn't known is absent.
#pragma once

#include "record/fields.h"

#include <stddef.h>

struct imported_summary {
    size_t workload; // index in the plan
    unsigned tier;
    struct count n;     // rounds
    struct real median; // in the workload's unit, like all below
    struct real min;
    struct real max;
    struct real first;    // of round 1
    struct real rest_min; // of rounds 2 and on
    struct real rest_max;
    struct count wall_ns; // of one round, where the source says the time beside the rate
    struct real printed;  // the rate as printed beside it, in the source's own unit
    char *printed_unit;   // "MB/s", as the source has it; owned
};

struct imported_summaries {
    struct imported_summary *list; // owned
    size_t length;
};

void imported_summaries_release(struct imported_summaries *summaries);

// NULL where there is none.
const struct imported_summary *imported_summary_of(const struct imported_summaries *summaries,
                                                   size_t workload, unsigned tier);
