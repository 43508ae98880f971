// engine.h: measures a plan on its tiers, in threads of its own, and lets others watch.
//
// engine_start() makes no call on a disk. The conductor thread makes the scratch directories, tries what each
// disk supports, measures what the tool itself costs, and goes through the schedule: prepare, drain, measure,
// read back, note the sample, save at the end of each round; then, once, through what the rules want to see
// once more. It removes what it made and saves again when it ends, also after engine_stop(). Whoever watches
// takes copies (engine_look, engine_latency), reads a series up to its length, or holds the run still for a
// moment (engine_lock_run). No watcher can slow a worker down.
#pragma once

#include "base/error.h"
#include "engine/target.h"
#include "record/judgement.h"
#include "record/run.h"
#include "record/store.h"
#include "spec/follow_up.h"
#include "spec/schedule.h"
#include "stats/histogram.h"
#include "stats/progress.h"
#include "stats/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;

struct engine_setup {
    struct run *run; // begun, with plan and tiers; the engine is its only writer until it is freed
    const struct target *targets; // one a tier
    const struct store_place *store;
    void (*judge)(const struct run *run, struct judgement *judgement); // what is stored beside the samples
    // What is to be looked at once more when all rounds are measured; NULL: nothing.
    size_t (*ask)(const struct run *run, struct follow_up list[FOLLOW_UPS_MOST]);
    // Before the first section the machine is left alone for so long, where there is a disk at all: what
    // waits for I/O meanwhile is others' (run.calibration). 0: it isn't.
    uint64_t idle_ns;
};

// Starts the threads.
bool engine_start(struct engine **engine, const struct engine_setup *setup, struct error *error);

// Asks for an end after the operations in flight. The run's status becomes "stopped", unless all rounds were
// measured already. From any thread.
void engine_stop(struct engine *engine);

// Leaves the present workload out on both tiers for the rest of the run, after the operations in flight.
void engine_skip(struct engine *engine);

// Whether the run ended before it began, because a scratch directory couldn't be made; `error` says why.
// Nothing was measured or saved then, and what could not be removed is among engine_leftovers(). After
// engine_wait() said true.
bool engine_failed(struct engine *engine, struct error *error);

// Waits until everything is measured, removed and saved, at most that long; true when it is.
bool engine_wait(struct engine *engine, uint64_t timeout_ns);

// After engine_wait() said true: ends the threads and frees all; the run stays the caller's.
void engine_free(struct engine *engine);

enum activity {
    ACTIVITY_STARTING,  // scratch directories, what the disks support, what the tool costs
    ACTIVITY_DRAINING,  // waiting until what others wrote has reached the disk
    ACTIVITY_PREPARING, // making what a section needs, untimed
    ACTIVITY_WAITING,   // leaving a disk alone, as a workload or a follow-up wants it
    ACTIVITY_MEASURING,
    ACTIVITY_VERIFYING, // reading back what was written
    ACTIVITY_REMOVING,
    ACTIVITY_SAVING,
    ACTIVITY_DONE
};

// What is going on at this moment.
struct engine_look {
    enum activity activity;
    struct schedule schedule; // it grows when follow-ups are asked for. Its sections are the engine's: they
                              // live as long, and none moves or changes
    size_t section;           // index in it; its length when done
    bool has_call;            // a call on the disk is in flight; of several, the one that waits longest
    enum call call;
    uint64_t item;
    uint64_t waiting_ns;
    double fraction;    // of the run, 0 to 1
    bool has_remaining; // false until there is something to go by
    uint64_t remaining_ns;
    size_t samples;   // in the run so far: look at the run again when it changes
    bool save_failed; // the last attempt to save the document failed (engine_save_error() says why)
};

void engine_look(struct engine *engine, struct engine_look *look);

// Why the last attempt to save the document failed; empty where it went well, or there was none yet.
void engine_save_error(struct engine *engine, struct error *error);

// A tier's intervals since the run began.
const struct series *engine_series(const struct engine *engine, unsigned tier);

// The latencies of a tier's operations in its present section, or its last one. `latency` is initialised by
// the caller.
struct engine_latency {
    bool has_section;
    size_t section; // index in the schedule
    uint64_t ops;   // done so far
    uint64_t ops_planned;
};

void engine_latency(struct engine *engine, unsigned tier, struct engine_latency *state,
                    struct histogram *latency);

// The run, held still: samples, events and status. Keep it for as long as it takes to derive something, no
// longer.
const struct run *engine_lock_run(struct engine *engine);
void engine_unlock_run(struct engine *engine);

// The path of an item as a user would recognise it ("d03/f00000117", "block 17"), for a workload of the plan.
void engine_item_name(const struct workload *workload, uint64_t item, char out[TREE_PATH_SIZE]);

// Paths of what was left on a disk because it could not be removed, a line each with the reason; empty
// mostly. After engine_wait().
const char *engine_leftovers(const struct engine *engine);
