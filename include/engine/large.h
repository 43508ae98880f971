// large.h: what the workloads on large files have in common around their timed part: each worker's own file
// is opened, evicted, read as a whole and looked at in the page cache. Untimed, but for large_read.
#pragma once

#include "engine/worker.h"

#include <stdbool.h>
#include <stdint.h>

// Opens the worker's file into worker->fd. False, with the failure noted, where that fails.
bool large_open(struct worker *worker, int flags);
void large_close(struct worker *worker); // also where none is open

// Evicts the file that is open, and notes how much of it stays in the page cache.
void large_evict(struct worker *worker);

// Notes how much of the file that is open lies in the page cache.
void large_look(struct worker *worker);

// `after` of a workload: opens the file again, unless it still is, looks and closes it.
void large_look_again(struct worker *worker);

// Reads a file in blocks of the workload's size from its start until a read gives nothing, and compares the
// stamps between two calls. Each block is an operation; the last read isn't one, and is recorded apart.
// `then`, when the last call ended, is moved on.
bool large_read(struct worker *worker, int fd, uint64_t *then);

// Reads one block into the buffer, also if it comes in parts; `then` is moved on to the end of the last call.
// Returns how much there was, -1 with the failure noted where a call failed.
ssize_t large_read_block(struct worker *worker, int fd, uint64_t item, uint64_t offset, uint64_t *then);

// Compares the stamps of what lies in the buffer, and moves `then` on. Nothing on a null tier.
void large_check(struct worker *worker, uint64_t item, uint64_t offset, size_t size, uint64_t *then);
