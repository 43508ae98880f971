// large.h: what the workloads on large files have in common around their timed part: each worker's own file
// is opened, evicted, read as a whole and looked at in the page cache. Untimed, but for large_read.
#pragma once

#include "engine/worker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct task;

// Opens the worker's file into worker->fd. False, with the failure noted, where that fails.
bool large_open(struct worker *worker, int flags);
void large_close(struct worker *worker); // also where none is open

// Evicts the file that is open, and notes how much of it stays in the page cache.
void large_evict(struct worker *worker);

// Notes how much of the file that is open lies in the page cache.
void large_look(struct worker *worker);

// `after` of a workload: opens the file again, unless it still is, looks and closes it.
void large_look_again(struct worker *worker);

// Reads a file in blocks of the workload's size from its start until a read gives nothing, as any program
// does that doesn't know its length, and compares the stamps between two calls. Each block is an operation;
// the last read isn't one, and is recorded apart. `then`, when the last call ended, is moved on.
bool large_read(struct worker *worker, int fd, uint64_t *then);

// Reads one block into the buffer, also if it comes in parts; `then` is moved on to the end of the last call.
// Returns how much there was, -1 with the failure noted where a call failed.
ssize_t large_read_block(struct worker *worker, int fd, uint64_t item, uint64_t offset, uint64_t *then);

// Compares the stamps of a block of which so many bytes were read into the buffer, and whether that is all of
// it; moves `then` on. Nothing on a null tier.
void large_check(struct worker *worker, uint64_t item, uint64_t offset, size_t got, uint64_t *then);

// `settle` of what reads: what it read was compared on the way; once after they were made the files are read
// back too, beyond their stamps.
bool large_settle(struct task *task, bool whole);
