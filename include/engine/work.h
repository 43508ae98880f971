// work.h: what the engine does for each kind of workload. One row a kind, one file a row.
#pragma once

#include "engine/tier.h"
#include "engine/worker.h"
#include "record/sample.h"
#include "spec/workload.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct sampler;

// One section in the making.
struct task {
    struct tier *tier;
    const struct workload *workload;
    unsigned batches;
    bool verify_full;
    size_t sample;           // the number that its sample will have in the run
    struct sampler *sampler; // that watches it; NULL: nobody does
    bool paused;             // process or machine stood still while it was measured
    uint64_t making;         // the number in the stamps of what this section writes: the same on both tiers
    uint64_t layout;         // and of what is made for it, untimed
    uint64_t draw;           // see struct job
    _Atomic unsigned *activity; // enum activity, for whoever watches

    bool has_own; // read back: what this section wrote, or had made for it
    struct check own;
    bool has_earlier; // and what an earlier section did, which gave that sample of the run
    struct check earlier;
    size_t earlier_sample;
};

// What is done around a batch, by each worker: `before` opens and evicts what the stages need, `after` closes
// it and looks at the page cache again. Both are untimed, and `after` is done whatever happened before.
struct work {
    void (*stages[WORKER_STAGES])(struct worker *worker); // timed
    void (*before)(struct worker *worker);
    void (*after)(struct worker *worker);
    bool in_tree;                                  // the tree of the batch is opened before, untimed
    bool one_tree;                                 // all batches work on the first tree, or on one file
    bool (*prepare)(struct task *task);            // makes what the section needs, untimed
    bool (*settle)(struct task *task, bool whole); // afterwards, untimed; `whole`: all of it was done, well
};

extern const struct work work_create;
extern const struct work work_walk;
extern const struct work work_delete;
extern const struct work work_seq_write;
extern const struct work work_walk_later;
extern const struct work work_read_tree;
extern const struct work work_rename;
extern const struct work work_seq_read;
extern const struct work work_rand_read;
extern const struct work work_rand_write;
extern const struct work work_commit;

const struct work *work_of(enum workload_kind kind);

// The stage of create: also makes the trees that other workloads need.
void create_files(struct worker *worker);
