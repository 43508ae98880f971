// trees.h: the trees of small files that lie on a tier at this moment: t000, t001 and on, one a batch, all of
// one shape. All that is done here is untimed.
#pragma once

#include "engine/worker.h"
#include "spec/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TREES_MOST = 256 };

struct task;
struct tier;

struct trees {
    struct workload maker; // their shape, and by how many threads they were written
    unsigned count;
    unsigned measured;            // the first so many were written by a measured section,
    size_t sample;                // which gave this sample of the run
    uint64_t makings[TREES_MOST]; // the number in the stamps of each
    bool renamed[TREES_MOST];     // its files have the names that a rename gave them
};

// Makes the directories of one more tree, without files.
bool trees_add_empty(struct tier *tier, const struct workload *workload, uint64_t making);

// Makes whole trees until there are `count`, with that number in their stamps.
bool trees_fill(struct tier *tier, const struct workload *workload, unsigned count, uint64_t making);

// Removes the trees from number `from` on, whole or not. False, without a failure, where the crew was
// dismissed before it was done: then what is left goes with the scratch directory.
bool trees_remove(struct tier *tier, unsigned from);

// Whether the trees that lie there have the shape that a workload works on; so they have where there is none.
bool trees_fit(const struct trees *trees, const struct workload *workload);

// Sees to it that at least so many whole trees lie there that fit the task's workload: those that don't are
// read back and removed first, and what is missing is made.
bool trees_prepare(struct task *task, unsigned count);

// Opens a tree's own directory; -1, with the tier's failure noted, where that fails.
int trees_open(struct tier *tier, unsigned number);
