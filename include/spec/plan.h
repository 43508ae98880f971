// plan.h: what is to be measured, settled before anything is touched. Two runs of one plan do the same work.
#pragma once

#include "base/error.h"
#include "spec/profile.h"
#include "spec/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PLAN_ROUNDS_MOST = 500,
    PLAN_THREADS_MOST = 64,
    PLAN_THREAD_COUNTS_MOST = 8,
    PLAN_SIZES_MOST = 16,
    PLAN_WORKLOADS_MOST = 128,
    FOLLOW_UP_SIZES = 3
};
#define PLAN_BLOCK_LEAST     UINT64_C(4096) // and a block is a multiple of it: what is stamped one by one
#define PLAN_BLOCK_MOST      (UINT64_C(64) << 20)
#define PLAN_FILE_BYTES_MOST (UINT64_C(1) << 30)
#define PLAN_PAYLOAD_MOST    (UINT64_C(1) << 40) // bytes of a tree, or of one file of the sweep
#define PLAN_SEED_MOST       ((UINT64_C(1) << 53) - 1)

#define PLAN_TIME_MOST (UINT64_C(30) * 24 * 3600 * 1000000000) // of --max-time

// What a user may ask for. 0, NULL or false: as the profile has it; where a profile says nothing, 1 thread,
// blocks of 1 MiB, the sync that each workload has, no end and a random seed.
struct plan_request {
    const char *profile;
    const char *workloads; // ids separated by commas: those of the profile, kinds ("seq-write" is the whole
                           // sweep, "seq-read" all its ways), or "seq-write-64"
    uint64_t rounds;
    uint64_t files;
    bool has_file_bytes; // a file of 0 bytes can be asked for
    uint64_t file_bytes;
    uint64_t sizes[PLAN_SIZES_MOST]; // bytes, whole MiB
    size_t size_count;
    uint64_t threads[PLAN_THREAD_COUNTS_MOST]; // more than one: each workload once for each of them
    size_t thread_count;
    uint64_t block_bytes; // of the write sweep
    bool has_sync;
    enum sync_kind sync; // of create, rename and delete
    uint64_t max_time_ns;
    bool has_seed;
    uint64_t seed;
    bool no_warmup;
    bool verify_full;
    bool same_disk; // a ratio is wanted although both tiers are one disk
    bool no_follow_up;
};

struct plan {
    char *profile; // id; owned
    unsigned rounds;
    unsigned warmup_rounds; // 0 or 1
    uint64_t seed;
    uint64_t max_time_ns; // no round is begun on either tier that would end later; 0: no end
    bool verify_full;
    bool same_disk;
    bool no_follow_up;          // the rules don't get another look at anything
    struct workload *workloads; // in the order of a round, the write sweep last and ascending, and behind it
                                // those that only the rules may ask for (workload.follow_up); owned
    size_t workload_count;
};

// A plan may have several steps, whose workloads have their ids behind the step's name ("clone-create") and
// trees of their own; and several numbers of threads, which follow the id ("walk-t4"): then it has all of a
// step, or of the write sweep, for one number before it has any for the next.
//
// Behind a rand-read or rand-write stands the same one buffered, to be measured instead where a disk knows no
// O_DIRECT, unless it was asked for anyway.
//
// Behind all of a round stand the workloads that the rules may ask for at the end (follow_up.h) and that the
// plan lacks: a walk-later for each walk, a seq-read-direct-128k for each seq-read-direct-1m, and twice the
// largest size of each write sweep of FOLLOW_UP_SIZES or more; as many of them as there is room for.
//
// Fills `plan` (the caller releases it) or says what can't be: an unknown profile or workload, a size that
// isn't whole MiB, a number out of range, an id twice. The message begins with the option that the user wrote
// ("--rounds: …"), and nothing is left to release. Whatever order the ids are given in, a round does them in
// the order of the profile's steps and of workload_variants, and sizes ascending.
bool plan_make(const struct plan_request *request, struct plan *plan, struct error *error);

// Whether a workload is done in round 0, where there is one: all of a round are but the larger sizes of a
// write sweep.
bool plan_in_round_0(const struct plan *plan, size_t index);

void plan_release(struct plan *plan);
