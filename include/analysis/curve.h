// curve.h: what more threads give, where a plan measures a workload at several numbers of them.
//
// A curve is made of the workloads of a plan that differ in their threads alone. Pure, as metrics are.
#pragma once

#include "record/metrics.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

struct curve_tier {
    bool known[PLAN_THREAD_COUNTS_MOST]; // by number of threads: there is a figure that isn't discarded
    double medians[PLAN_THREAD_COUNTS_MOST];
    double scaling; // how many times as fast it is with most threads as with fewest, of the medians as they
                    // are displayed; 0 where either is unknown
};

struct curve {
    char id[WORKLOAD_ID_SIZE]; // of the workloads, without their number of threads: "create"
    enum unit unit;
    size_t count;                              // of numbers of threads: at least 2
    unsigned threads[PLAN_THREAD_COUNTS_MOST]; // ascending
    struct curve_tier tiers[RUN_TIERS_MOST];
};

struct curves {
    struct curve *list; // in the order in which the plan names them first; owned
    size_t length;
};

// `metrics` are the run's, judged. A curve without any figure isn't among `curves`,
// which the caller releases.
void curves_derive(const struct run *run, const struct metrics *metrics, struct curves *curves);
void curves_release(struct curves *curves);
