// drain.h: waits until what was written before has reached the disks, so that no section pays for another.
//
// Before each section: syncfs of each tier, then until the kernel's Dirty and Writeback are within 1 MiB of
// what they were at the run's start, at most for 1 s (10 s beside a section that writes 64 MiB and more,
// 100 ms after two time-outs: then somebody else keeps writing), then 20 ms of rest. Never sync(): it would
// wait for disks that have nothing to do with the run.
#pragma once

#include "engine/tier.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAIN_PATIENT = 2 }; // time-outs after which it waits no longer than 100 ms

struct drain {
    int meminfo; // /proc/meminfo, read by pread; -1: not there, and then nothing is waited for
    uint64_t start_bytes;
    unsigned time_outs;
    bool given_up[RUN_TIERS_MOST]; // its syncfs failed once: it isn't asked again
};

// Opens `meminfo` ("/proc/meminfo") and notes the present level.
void drain_open(struct drain *drain, const char *meminfo);
void drain_close(struct drain *drain);

// What one drain found.
struct drained {
    bool done;   // false: there are only null tiers, and nothing was waited for
    uint64_t ns; // without the rest
    bool has_dirty;
    uint64_t before_bytes;
    uint64_t after_bytes;
    bool timed_out;
    bool sync_failed[RUN_TIERS_MOST]; // now, for the first time
    int sync_errno[RUN_TIERS_MOST];
};

// `bytes` is what the larger of the sections before and after writes. Ends early when `asked`'s crew is asked
// to stop.
void drain_wait(struct drain *drain, struct tier *tiers, unsigned count, uint64_t bytes,
                const struct crew *asked, struct drained *drained);

// Dirty + Writeback of a meminfo text. Pure. False where either is missing or no number.
bool meminfo_dirty(const char *text, uint64_t *bytes);
