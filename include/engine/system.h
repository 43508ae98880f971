// system.h: what the kernel counts, looked at before and after each section.
//
// Files are opened once and read by pread, outside the timed span; what isn't there stays unknown.
#pragma once

#include "record/system.h"

#include <stdbool.h>
#include <stdint.h>

enum { SYSTEM_FILES = 24 };

struct system_watch {
    int files[SYSTEM_FILES]; // -1 where there is none
};

// What was counted at one moment. Opaque but for its size, so that it can lie on a stack.
struct system_look {
    struct system_use counted; // absolute counts; the differences of two looks make a sample's
    uint64_t monotonic_ns;
    uint64_t realtime_ns;
    uint64_t boottime_ns;
};

// `root` is put in front of /proc and /sys: "" but in tests. Of the control groups that the process lies in,
// the one with the least limit is watched, of CPU time and of memory each, else its own.
void system_watch_open(struct system_watch *watch, const char *root);
void system_watch_close(struct system_watch *watch);

// `major`:`minor` is the block device of the tier, 0:0 where there is none.
void system_watch_look(const struct system_watch *watch, unsigned major, unsigned minor,
                       struct system_look *look);

// The difference of two looks; of levels (bytes in use, dirty, available) the second's. A count that went
// backwards, or wasn't known both times, is unknown.
void system_use_between(const struct system_look *before, const struct system_look *after,
                        struct system_use *use);

// What is read out of each text. Pure; false where it isn't there or is no number. ------------------------

// /proc/stat: ticks that the hypervisor took from all CPUs.
bool stat_steal(const char *text, uint64_t *ticks);

// cpu.stat of either version.
bool cpu_stat_throttled(const char *text, uint64_t *ns);

// *.pressure, /proc/pressure/*: the time for which some task waited.
bool pressure_some(const char *text, uint64_t *ns);

// memory.events: times at memory.high and memory.max.
bool memory_events_limits(const char *text, uint64_t *times);

// One line of /proc/diskstats, if it is that device's.
struct disk_counts {
    uint64_t read_bytes;
    uint64_t written_bytes;
    uint64_t busy_ns;
};

bool diskstats_line(const char *line, unsigned major, unsigned minor, struct disk_counts *counts);
