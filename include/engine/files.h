// files.h: the large files that lie on a tier for the workloads that read them or write over them: one a
// thread, each of its share of the bytes, laid out in order in blocks of 1 MiB and synced. All that is done
// here is untimed.
#pragma once

#include "engine/payload.h"
#include "spec/workload.h"

#include <stdbool.h>
#include <stdint.h>

struct task;
struct tier;
struct worker;

struct files {
    unsigned threads; // so many files may lie there; 0: none
    uint64_t bytes;   // over all of them
    uint64_t layout;  // the number in the stamps of what was laid out
    bool whole;       // they were laid out to the end, and nothing was written over them since
    bool verified;    // read back since
};

// The part of `bytes`, in blocks of `block_bytes`, that lies in the file of one of so many threads.
uint64_t files_share(uint64_t bytes, uint64_t block_bytes, unsigned threads, unsigned thread);

// What a worker's file holds, by the workload and the layout of its job.
struct content files_content(const struct worker *worker);

// Makes the files that the task's workload works on, unless they lie there.
bool files_prepare(struct task *task);

// Reads them back into task->own, once after they were made.
void files_verify_once(struct task *task);

// Removes them, whole or not; also where there are none.
bool files_remove(struct tier *tier);
