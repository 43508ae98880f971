// system.h: what the machine did to a section: the difference between a look before it and one after it,
// where the kernel counts. What isn't known is absent.
#pragma once

#include "record/fields.h"

struct system_use {
    struct count cpu_ns;               // of this process, user and system
    struct count involuntary_switches; // of this process
    struct count throttled_ns;         // the control group was held back by its quota (cpu.stat)
    struct count throttled_periods;
    struct count steal_ns;           // of all CPUs, taken by the hypervisor (/proc/stat)
    struct count cpu_pressure_ns;    // "some" of the pressure stall information, of the machine
    struct count io_pressure_ns;     // or of the control group where it has its own
    struct count memory_pressure_ns; //
    struct count memory_events;      // times the group hit memory.high or memory.max (v1: failcnt)
    struct count memory_bytes;       // that the group uses after it
    struct count dirty_bytes;        // Dirty + Writeback after it
    struct count available_bytes;    // MemAvailable after it
    struct count disk_read_bytes;    // the tier's block device (/proc/diskstats)
    struct count disk_written_bytes;
    struct count disk_busy_ns;
    struct signed_count realtime_drift_ns; // CLOCK_REALTIME's step less CLOCK_MONOTONIC's
    struct count suspended_ns;             // CLOCK_BOOTTIME's step less CLOCK_MONOTONIC's
};

extern const struct field system_use_fields[];
