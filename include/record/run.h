// run.h: one run as plain data: everything needed to derive each published number again.
//
// The conductor is the only writer while a run goes on; the reader of a document is, afterwards.
#pragma once

#include "base/text.h"
#include "record/calibration.h"
#include "record/capability.h"
#include "record/device.h"
#include "record/host.h"
#include "record/mount.h"
#include "record/sample.h"
#include "record/summaries.h"
#include "record/thresholds.h"
#include "spec/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// FAILED: a disk failed in every workload, so that the run says nothing of it.
enum run_status { RUN_RUNNING, RUN_COMPLETE, RUN_STOPPED, RUN_FAILED };

// IMPORTED: somebody else's figures, which may have summaries in place of samples.
enum run_origin { RUN_MEASURED, RUN_IMPORTED };
enum { RUN_ID_SIZE = 32, RUN_TIERS_MOST = 2 };

const char *run_status_name(enum run_status status);
const char *run_origin_name(enum run_origin origin); // "measured", "imported"

struct run_tier {
    char *name;
    char *path_given; // as the user wrote it
    char *path;       // resolved
    bool null;        // no disk at all; then nothing below is known
    struct mount mount;
    struct device device;
    bool has_space;
    uint64_t total_bytes; // statvfs at the start; 0 is unknown
    uint64_t free_bytes;
    uint64_t files_free;
    struct space_after {
        struct count free_bytes; // and at the end, when all was removed
        struct count files_free;
    } after;
    struct capability supports; // known once the run has begun
    struct probes probes;
    struct flag holds_output; // the run's document is kept on it
};

// Something that happened and isn't a sample, in the order in which it did.
struct run_event {
    uint64_t at_ns; // since the run began
    char *text;
};

// All strings are owned, also those of argv, which may be NULL.
struct run {
    char id[RUN_ID_SIZE];      // "20261130T175535Z-3f2a9c": the start, and ids sort by it
    char session[RUN_ID_SIZE]; // random: one start of the program
    enum run_status status;
    enum run_origin origin;
    char *title;  // what a user, or an import, calls it; NULL mostly
    char **notes; // of an import: where it comes from, whose it is; owned
    size_t note_count;
    uint64_t started_realtime_ns;
    uint64_t ended_realtime_ns; // 0 while running
    char **argv;
    size_t argc;
    char *tool_version;
    char *tool_commit;
    char *tool_compiler;
    char *tool_flags; // of the build: "RelWithDebInfo dynamic"
    struct host host;
    struct calibration calibration;
    struct thresholds thresholds; // that the rules go by
    struct flag screen;           // a console was drawn meanwhile

    struct run_tier tiers[RUN_TIERS_MOST];
    unsigned tier_count;
    char *shared_why; // both tiers are one disk: a sentence; NULL where they aren't
    struct plan plan;

    struct sample *samples;
    size_t sample_count;
    size_t sample_capacity;
    struct run_event *events;
    size_t event_count;
    struct imported_summaries summaries; // of an imported run
};

// Gives the run its id, session and start, and what is known of tool and host; the rest stays as it is. The
// first call for a run that was {0}.
void run_begin(struct run *run);

// Takes the sample over, and everything it owns. What it returns stays valid until the next one is added.
struct sample *run_add_sample(struct run *run, const struct sample *sample);
void run_add_event(struct run *run, uint64_t at_ns, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void run_release(struct run *run);
void run_tier_release(struct run_tier *tier); // also one that isn't in a run yet

// Whether ratios of the two tiers may be shown: there are two, and they aren't one disk, or the user asked
// all the same.
bool run_ratios_wanted(const struct run *run);

// Appends, safe to show, what a tier is called: "A persistent", or "A" where that is its name.
void run_put_tier(const struct run *run, unsigned tier, struct text *text);

// Appends, safe to show, that both tiers are one disk and what that means for the ratios: a sentence without
// its full stop; nothing where they aren't.
void run_put_shared(const struct run *run, struct text *text);
