// sample.h: what one section gave: one workload on one tier in one round.
#pragma once

#include "record/system.h"
#include "stats/histogram.h"
#include "stats/phase.h"
#include "stats/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sample_status { SAMPLE_OK, SAMPLE_FAILED, SAMPLE_STOPPED, SAMPLE_SKIPPED };
enum skip_reason { SKIP_NONE, SKIP_UNSUPPORTED, SKIP_USER, SKIP_TIME, SKIP_ROOM };

const char *sample_status_name(enum sample_status status);
const char *skip_reason_name(enum skip_reason reason); // NULL for SKIP_NONE

// The call that failed. `path` is relative to the scratch directory. `number` is 0 where no errno tells
// (bytes read back that differ).
struct sample_error {
    char *call; // NULL: nothing failed
    int number; // errno
    char *path;
    char *reason; // in words, as it was known at that moment; NULL where errno says all
    uint64_t op;
    bool has_offset;
    uint64_t offset; // in the file, of a read, write or comparison
};

struct sample {
    size_t workload; // index in the plan
    unsigned tier;
    unsigned round;
    unsigned block;    // 1; follow-ups have 2 and on
    uint64_t sequence; // order in the run
    uint64_t started_realtime_ns;
    uint64_t ended_realtime_ns; // when the measuring ended, before anything is read back; 0: it didn't begin
    uint64_t ended_boottime_ns; // CLOCK_BOOTTIME at that moment
    uint64_t start_ns;          // since the run began; absent (0) for a skipped one
    enum sample_status status;
    enum skip_reason reason;
    char *detail; // why a disk can't do it, in words; NULL where it isn't unsupported; owned
    bool first;   // this tier went first in its pair

    uint64_t batches;
    uint64_t wall_ns; // all batches, with sync_ns
    uint64_t
        sync_ns; // the closing syncfs alone; 0 where there is none: a sequential file's fsyncs are phases
    uint64_t ops;
    uint64_t bytes;
    struct sparse_histogram latency[PHASE_COUNT];

    struct interval *series; // start_ns and end_ns count from start_ns of the sample; owned
    size_t series_length;
    uint64_t *mib_ns; // since start_ns, at each MiB written; owned
    size_t mib_length;

    bool has_drain;
    uint64_t drain_ns;
    bool has_dirty; // /proc/meminfo could be read
    uint64_t dirty_before_bytes;
    uint64_t dirty_after_bytes;
    bool drain_timed_out;

    struct real resident_before; // share of what is read that was in the page cache when the clock started,
    struct real resident_after;  // and afterwards; of several batches the greatest

    struct system_use system;

    bool has_verify;
    uint64_t verify_blocks;
    uint64_t verify_mismatches;
    bool has_allocated;
    uint64_t allocated_bytes;

    struct sample_error error;
};

// Why a call failed, in words: the reason kept, else what errno means.
const char *sample_error_reason(const struct sample_error *error);

void sample_release(struct sample *sample);
