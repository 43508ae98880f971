// conductor.h: the thread that goes through the schedule, and what it shares with the engine's public face.
//
// The conductor alone writes the run. What watchers read lies under one of two locks, which no worker takes:
// `lock` for where the run is, `run_lock` for samples and events while somebody reads them.
#pragma once

#include "engine/drain.h"
#include "engine/engine.h"
#include "engine/estimate.h"
#include "engine/omission.h"
#include "engine/pause.h"
#include "engine/sampler.h"
#include "engine/system.h"
#include "engine/tier.h"
#include "engine/work.h"
#include "stats/snapshot.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct engine {
    struct engine_setup setup;
    struct schedule schedule; // the conductor's own; it grows under `lock`
    uint64_t origin_ns;       // CLOCK_MONOTONIC when the run began
    struct tier tiers[RUN_TIERS_MOST];
    struct sampler sampler;
    struct pause_watch pauses;
    pthread_t thread; // the conductor

    // The conductor's own.
    struct error start_error; // the run could not begin; empty else
    struct drain drain;
    struct system_watch system;
    dev_t devices[RUN_TIERS_MOST]; // the block device that its data ends on; 0 where there is none
    struct snapshot snapshot;
    unsigned batches[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST]; // 0: not decided, one
    bool failed[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];      // not tried again
    bool skip_noted[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];
    struct omission omission;
    uint64_t bytes_before;   // what the last section wrote
    bool cut_short;          // not all sections were measured to their end
    enum run_status outcome; // what the rounds came to, whatever becomes of follow-ups
    bool full_noted;
    struct text leftovers;

    _Atomic unsigned activity; // enum activity

    pthread_mutex_t run_lock;

    pthread_mutex_t lock; // all below
    pthread_cond_t ended;
    bool done;
    bool stopping;
    bool left_out[PLAN_WORKLOADS_MOST]; // by the user
    size_t section;                     // in the schedule
    uint64_t section_start_ns;
    struct estimate estimate;
    size_t samples;
    struct error save_error; // of the last attempt; empty where it went well
};

// The conductor's thread; the argument is the engine.
void *conductor_main(void *engine);
