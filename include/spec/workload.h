// workload.h: what can be measured. One row of the table describes a kind of workload in words and units; the
// engine maps the kind to the functions that do it, and the manual page says which calls are timed.
#pragma once

#include "spec/tree.h"

#include <stdbool.h>
#include <stdint.h>

enum workload_kind { WORKLOAD_CREATE, WORKLOAD_WALK, WORKLOAD_DELETE, WORKLOAD_SEQ_WRITE, WORKLOAD_KINDS };

enum unit { UNIT_FILES_PER_SECOND, UNIT_MILLISECONDS, UNIT_MEGABYTES_PER_SECOND, UNIT_COUNT };

// How a section ends: what makes its work durable.
enum sync_kind { SYNC_NONE, SYNC_SYNCFS, SYNC_FSYNC, SYNC_COUNT };

struct workload_description {
    const char *id;        // "create"; a seq-write's id in a plan is "seq-write-64" (its MiB follow)
    const char *operation; // what one operation is: "file", "stat", "block"
    enum unit unit;
    bool higher_is_better;
    enum sync_kind sync;
    unsigned phases;  // the set of bits (1u << enum phase) that it records
    bool on_tree;     // works on a tree of small files, not on one large file
    bool writes;      // leaves data behind that is read back and checked
    unsigned version; // rises when the definition changes: runs with other versions aren't compared
};

extern const struct workload_description workload_descriptions[WORKLOAD_KINDS];

const char *unit_name(enum unit unit);         // "files/s", "ms", "MB/s"
const char *sync_name(enum sync_kind sync);    // "none", "syncfs", "fsync"
enum sync_kind sync_by_name(const char *name); // SYNC_COUNT where there is none
enum workload_kind
workload_kind_by_id(const char *id); // of a kind's own id; WORKLOAD_KINDS where there is none

enum { WORKLOAD_ID_SIZE = 48 };

// One workload of a plan: a kind and its parameters. A tree's members are 0 for a sequential file and the
// other way round. With T threads, thread t does items t, t + T, …: files of a tree; blocks of a sequential
// write, into a file of the thread's own.
struct workload {
    char id[WORKLOAD_ID_SIZE]; // unique in a plan
    enum workload_kind kind;
    unsigned version;
    struct tree tree;
    uint64_t bytes;       // a sequential file's size, over all threads
    uint64_t block_bytes; // of one write
    unsigned threads;
    enum sync_kind sync;
};

// What one batch of a workload does: operations and bytes written, over all threads.
uint64_t workload_ops(const struct workload *workload);
uint64_t workload_bytes(const struct workload *workload); // written
uint64_t workload_files(const struct workload *workload); // files that it makes or works on
