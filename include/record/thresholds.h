// thresholds.h: the figures at which the rules of trust decide, in one table with one version.
//
// A run keeps those that it was judged by; one that differs from the standard is named in the head of each
// report. `struct thresholds x = {0}` is the standard.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "record/read_json.h"
#include "record/write_json.h"

#include <stdbool.h>
#include <stddef.h>

enum { RULES_VERSION = 1 }; // rises with each change of a rule or of a standard figure

enum threshold {
    THRESHOLD_PERCENTILE_TAIL,
    THRESHOLD_TAIL_SHARE,
    THRESHOLD_STALL_SHARE,
    THRESHOLD_FIRST_ROUND_FACTOR,
    THRESHOLD_FIRST_ROUND_RANGES,
    THRESHOLD_NOT_REPEATABLE,
    THRESHOLD_WIDE_RANGE,
    THRESHOLD_STEADY_RANGE,
    THRESHOLD_STEADY_RISE,
    THRESHOLD_DRIFT_RISE,
    THRESHOLD_LEVELS_FACTOR,
    THRESHOLD_ORDER_FACTOR,
    THRESHOLD_SELF_RATIO,
    THRESHOLD_RAMP_RATE,
    THRESHOLD_SWEEP_MARGIN,
    THRESHOLD_SWEEP_BUFFERED,
    THRESHOLD_SWEEP_LEVELLED,
    THRESHOLD_SWEEP_DISCARD,
    THRESHOLD_KNEE_FACTOR,
    THRESHOLD_FSYNC_WAIT,
    THRESHOLD_FSYNC_SHARE,
    THRESHOLD_BACKLOG_SHARE,
    THRESHOLD_BACKLOG_BYTES,
    THRESHOLD_WRITE_READ_FACTOR,
    THRESHOLD_CLOSE_SHARE,
    THRESHOLD_SPARSE_SHARE,
    THRESHOLD_DIRECT_FACTOR,
    THRESHOLD_DIRECT_SINGLE,
    THRESHOLD_REQUEST_MARGIN,
    THRESHOLD_AGAIN_MARGIN,
    THRESHOLD_AGAIN_CACHED,
    THRESHOLD_AGAIN_RESIDENT,
    THRESHOLD_COLD_RESIDENT,
    THRESHOLD_COLD_RATE,
    THRESHOLD_DIRECT_RESIDENT,
    THRESHOLD_FITS_SHARE,
    THRESHOLD_WALK_FACTOR,
    THRESHOLD_OVERHEAD_CAVEAT,
    THRESHOLD_OVERHEAD_DISCARD,
    THRESHOLD_SHORT_DISCARD,
    THRESHOLD_SHORT_CAVEAT,
    THRESHOLD_SHORT_STEPS,
    THRESHOLD_SHORT_RUN,
    THRESHOLD_CLOCK_STEP,
    THRESHOLD_UNACCOUNTED,
    THRESHOLD_SCREEN_FACTOR,
    THRESHOLD_THROTTLED_CAVEAT,
    THRESHOLD_THROTTLED_ROUND,
    THRESHOLD_STOLEN_SHARE,
    THRESHOLD_MEMORY_PRESSURE,
    THRESHOLD_IO_PRESSURE,
    THRESHOLD_FREE_SHARE,
    THRESHOLD_WAKE_FILES,
    THRESHOLD_COUNT
};

struct threshold_entry {
    const char *name; // the rule's id, a dot and the figure's name: "wide-range.factor"
    double standard;
    double least, most; // what may be asked for
    const char *what;   // "max/min of 5 rounds from which …"; the unit with it
};

extern const struct threshold_entry threshold_entries[THRESHOLD_COUNT];

struct thresholds {
    bool changed[THRESHOLD_COUNT];
    double given[THRESHOLD_COUNT]; // where changed; it may be the standard again
};

double threshold_value(const struct thresholds *thresholds, enum threshold threshold);
bool threshold_differs(const struct thresholds *thresholds, enum threshold threshold); // from the standard

// Reads "wide-range.factor=1.3". An unknown name, or a value that is none or out of range, is an error that
// says what there is.
bool thresholds_set(struct thresholds *thresholds, const char *assignment, struct error *error);

// Puts what was asked for in place of what a run was judged by.
void thresholds_take(struct thresholds *thresholds, const struct thresholds *asked);

// Appends "wide-range.factor 1.3 (standard 1.5)", of all that differ, separated by commas; nothing where none
// does.
void thresholds_put_changed(const struct thresholds *thresholds, struct text *text);

// The value of "thresholds": all figures, by name; of a document, those that differ from the standard. A name
// that isn't known (an older or newer table's) is passed over.
void thresholds_json_write(const struct thresholds *thresholds, struct json_out *out);
bool thresholds_json_read(const struct json_value *value, struct thresholds *thresholds, struct error *error);
