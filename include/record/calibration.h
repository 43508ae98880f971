// calibration.h: what the tool itself costs, measured at the start of a run.
#pragma once

#include "record/fields.h"
#include "spec/plan.h"

struct calibration {
    struct count clock_read_ns;  // one reading of CLOCK_MONOTONIC, median
    struct count clock_step_ns;  // the least step seen
    struct count stamp_ns;       // stamping one MiB (256 blocks of 4 KiB) in memory
    struct count check_stamp_ns; // comparing the stamps of one MiB
    struct loop_overhead {
        struct count wall_ns; // one batch of the workload where every call does nothing
        uint64_t ops;
    } overhead[PLAN_WORKLOADS_MOST];  // by index in the plan
    struct count idle_ns;             // the machine was left alone for so long before the first section,
    struct count idle_io_pressure_ns; // and something waited for I/O for so much of it (PSI "some")
    struct real
        screen_factor; // how many times as long the same took with a screen drawn, where that was measured
    struct self_ratio {
        struct real low;  // of a disk compared with itself on this machine, in this workload: the interval of
        struct real high; // the ratio
    } self[PLAN_WORKLOADS_MOST]; // by index in the plan
};

void calibration_json_write(const struct calibration *calibration, const struct plan *plan,
                            struct json_out *out); // the value of "calibration"
bool calibration_json_read(const struct json_value *value, const struct plan *plan,
                           struct calibration *calibration, struct error *error);
