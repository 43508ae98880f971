// progress.h: what a worker is doing at this moment, for whoever watches.
//
// Single-writer atomics, no pointers: a reader may see the call of one moment with the item of the next,
// which is good enough to show and can't crash. A call that began long ago is a stall.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// The calls that diskduel makes on a measured disk. call_name() gives the word that a user reads and the
// document stores ("openat", "fsync"); CALL_DIRSYNC is an fsync of a directory, CALL_VERIFY the comparison of
// what was read.
enum call {
    CALL_NONE,
    CALL_OPENAT,
    CALL_WRITE,
    CALL_READ,
    CALL_FSYNC,
    CALL_DIRSYNC,
    CALL_CLOSE,
    CALL_FSTATAT,
    CALL_RENAMEAT,
    CALL_FADVISE,
    CALL_MINCORE,
    CALL_UNLINKAT,
    CALL_MKDIRAT,
    CALL_RMDIR,
    CALL_GETDENTS,
    CALL_SYNCFS,
    CALL_VERIFY,
    CALL_COUNT
};

const char *call_name(enum call call);

struct progress {
    _Alignas(64) _Atomic uint32_t call; // enum call
    _Atomic uint64_t item;              // number of the file (small files) or of the block (sequential files)
    _Atomic uint64_t start_ns;          // CLOCK_MONOTONIC when the call began
};

static inline void progress_set(struct progress *progress, enum call call, uint64_t item, uint64_t start_ns)
{
    atomic_store_explicit(&progress->start_ns, start_ns, memory_order_relaxed);
    atomic_store_explicit(&progress->item, item, memory_order_relaxed);
    atomic_store_explicit(&progress->call, (uint32_t)call, memory_order_relaxed);
}
