// plan.h: what is to be measured, settled before anything is touched. Two runs of one plan do the same work.
#pragma once

#include "base/error.h"
#include "spec/profile.h"
#include "spec/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAN_ROUNDS_MOST = 1000, PLAN_THREADS_MOST = 64, PLAN_SIZES_MOST = 16, PLAN_WORKLOADS_MOST = 64 };
#define PLAN_BLOCK_LEAST     UINT64_C(4096)
#define PLAN_BLOCK_MOST      (UINT64_C(64) << 20)
#define PLAN_FILE_BYTES_MOST (UINT64_C(1) << 30)
#define PLAN_SEED_MOST       ((UINT64_C(1) << 53) - 1)

// What a user may ask for. 0 or NULL: as the profile has it.
struct plan_request {
    const char *profile;
    const char
        *workloads; // ids separated by commas: kinds ("seq-write" is the whole sweep) or "seq-write-64"
    uint64_t rounds;
    uint64_t files;
    bool has_file_bytes; // a file of 0 bytes can be asked for
    uint64_t file_bytes;
    uint64_t sizes[PLAN_SIZES_MOST]; // bytes, whole MiB
    size_t size_count;
    uint64_t threads;
    uint64_t block_bytes;
    bool has_seed;
    uint64_t seed;
    bool no_warmup;
    bool verify_full;
    bool same_disk; // a ratio is wanted although both tiers are one disk
};

struct plan {
    char *profile; // id; owned
    unsigned rounds;
    unsigned warmup_rounds; // 0 or 1
    uint64_t seed;
    bool verify_full;
    bool same_disk;
    struct workload *workloads; // in the order of a round, the write sweep last and ascending; owned
    size_t workload_count;
};

// Fills `plan` (the caller releases it) or says what can't be: an unknown profile or workload, a size that
// isn't whole MiB, a number out of range, an id twice.
bool plan_make(const struct plan_request *request, struct plan *plan, struct error *error);

// Checks a plan that came from a document by the same rules.
bool plan_check(const struct plan *plan, struct error *error);

void plan_release(struct plan *plan);

// What a plan asks of one tier, each section counted once (a quick tier repeats short sections, see
// measuring.md 3.4).
struct plan_totals {
    uint64_t sections;
    uint64_t ops;
    uint64_t bytes_written;
    uint64_t files_created;
    uint64_t largest_payload_bytes; // the most that lies on the disk at one time
    uint64_t most_files;            // likewise
};

struct plan_totals plan_total(const struct plan *plan);
