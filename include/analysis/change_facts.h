// change_facts.h: what the rules about two runs ask for: of one metric, before and after.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct change_facts {
    const char *label;                      // the metric's, safe to show
    size_t before_count, after_count;       // rounds
    size_t before_sessions, after_sessions; // sittings that they come from; 0: not known
    bool has_p;
    double p;           // of this row alone
    double p_in_family; // after Holm
    size_t family;      // rows in the diff
    bool has_size;
    double factor, low, high; // after over before, in cost, of A against B
    bool has_control;         // both tiers are in both runs
    bool control_moved;       // B changed the same way by itself
    double control_factor;
    bool against_control_significant; // the test on A/B
    bool has_self;                    // a disk was compared with itself
    double self_low, self_high;       // interval of that ratio
    const char *machine_differs;      // what isn't alike on both sides, in words; NULL: all alike
    bool machine_known;
    bool workload_differs; // its definition has another version
};
