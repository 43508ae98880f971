// sampler.h: what the lanes show ten times a second while a section is measured, as intervals of a series.
//
// A thread of its own with absolute deadlines. The conductor begins and ends a section; the end takes a last
// look, so that each section gives at least one interval, however short. The sampler alone appends, under one
// mutex; no worker ever takes it.
#pragma once

#include "base/error.h"
#include "record/run.h"
#include "stats/lane.h"
#include "stats/series.h"
#include "stats/snapshot.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLER_PERIOD_MS = 100 };

// A section that is to be watched.
struct sampler_section {
    unsigned tier;
    uint32_t number; // in the schedule
    uint64_t ops_planned;
    const struct lane *lanes;
    size_t lane_count;
    const _Atomic uint64_t *started_ns; // when its workers began; 0 until they did
};

// A tier's present section, or its last one.
struct sampler_view {
    bool has_section;
    struct sampler_section section;
    struct snapshot snapshot; // operations only
    struct series *series;
    size_t first; // of the section's intervals in the series
};

struct sampler {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool started;
    bool ending;
    bool full; // a series took no more
    uint64_t origin_ns;
    struct sampler_view views[RUN_TIERS_MOST];
    struct sampler_view *present; // while a section is measured
    uint64_t looked_ns;           // when the last interval ended; 0: none did yet
    bool held;
    uint64_t held_ns; // when it began to be
    uint64_t gap_ns;  // for how long the section was held before
    uint64_t deadline_ns;
    struct snapshot snapshot;
};

// Times in the series count from `origin_ns`.
bool sampler_start(struct sampler *sampler, uint64_t origin_ns, struct error *error);
void sampler_stop(struct sampler *sampler); // ends the thread and frees the series; also {0}

// The lanes are clear, and nobody writes to them yet.
void sampler_begin(struct sampler *sampler, const struct sampler_section *section);

// Between two batches of a section something untimed is done: the section's time stands still meanwhile, so
// that its intervals join, and none shows a pause that wasn't the disk's.
void sampler_hold(struct sampler *sampler);
void sampler_resume(struct sampler *sampler);

// Nobody writes to them any more. Gives the section's intervals, with times since `started_ns`; the caller
// frees them.
void sampler_end(struct sampler *sampler, struct interval **intervals, size_t *length);

// Whether a series took no more: what happens from then on is not in it.
bool sampler_is_full(struct sampler *sampler);

const struct series *sampler_series(const struct sampler *sampler, unsigned tier);

// Copies the latencies as they were at the last look.
bool sampler_latency(struct sampler *sampler, unsigned tier, struct sampler_section *section, uint64_t *ops,
                     struct histogram *latency);
