// files.h: the large files that lie on a tier for the workloads that read them or write over them: one a
// thread, each of its share of the bytes, laid out in order in blocks of 1 MiB and synced. All that is done
// here is untimed.
#pragma once

#include "spec/workload.h"

#include <stdbool.h>
#include <stdint.h>

struct task;
struct tier;

struct files {
    bool present;
    uint64_t bytes; // over all threads
    unsigned threads;
    uint64_t layout;   // the number in the stamps of what was laid out
    bool written_over; // random writes went over it: no other section can use it
    bool verified;     // read back since it was made
};

// The part of `bytes`, in blocks of `block_bytes`, that lies in the file of one of so many threads.
uint64_t files_share(uint64_t bytes, uint64_t block_bytes, unsigned threads, unsigned thread);

// Makes the files that the task's workload works on, unless they lie there.
bool files_prepare(struct task *task);

// Reads them back (VERIFY_SPREAD blocks each, or all) into task->own, once.
void files_verify_once(struct task *task);

// Removes them, whole or not; also where there are none.
bool files_remove(struct tier *tier);
