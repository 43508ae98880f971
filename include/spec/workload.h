// workload.h: what can be measured. One row of a table describes a kind of workload in words and units; the
// engine maps the kind to the functions that do it, and the manual page says which calls are timed.
#pragma once

#include "spec/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum workload_kind {
    WORKLOAD_CREATE,
    WORKLOAD_WALK,
    WORKLOAD_WALK_LATER,
    WORKLOAD_READ_TREE,
    WORKLOAD_RENAME,
    WORKLOAD_DELETE,
    WORKLOAD_SEQ_READ,
    WORKLOAD_RAND_READ,
    WORKLOAD_RAND_WRITE,
    WORKLOAD_COMMIT,
    WORKLOAD_SEQ_WRITE,
    WORKLOAD_KINDS
};

enum unit {
    UNIT_FILES_PER_SECOND,
    UNIT_MILLISECONDS,
    UNIT_MEGABYTES_PER_SECOND,
    UNIT_IOPS,
    UNIT_COMMITS_PER_SECOND,
    UNIT_COUNT
};

// How a section ends: what makes its work durable. With SYNC_FSYNC a create fsyncs each file before it is
// closed; create, rename and delete then fsync each directory that they changed.
// SYNC_MACHINE is sync(2), all file systems: never planned, but what others measured may have it.
enum sync_kind { SYNC_NONE, SYNC_SYNCFS, SYNC_FSYNC, SYNC_MACHINE, SYNC_COUNT };

// How a large file is opened, and in which state its pages are when the clock starts.
enum access {
    ACCESS_BUFFERED,
    ACCESS_COLD,     // buffered, evicted just before
    ACCESS_REOPENED, // buffered, read as a whole just before, closed and opened again
    ACCESS_SAME_FD,  // buffered, read as a whole just before through the same descriptor
    ACCESS_DIRECT,   // O_DIRECT, evicted just before
    ACCESS_COUNT
};

// What the workload works on.
enum work_on { ON_TREE, ON_FILE, ON_OWN_FILE }; // small files; a large file that is there; one that it writes

struct workload_description {
    const char *id;        // "create"
    const char *operation; // what one operation is: "file", "stat", "block", "commit"
    enum unit unit;
    bool higher_is_better;
    enum sync_kind sync; // by default
    bool sync_choice;    // --sync chooses it
    unsigned phases;     // the set of bits (1u << enum phase) that it records
    enum work_on on;
    bool writes;      // data: what it leaves behind is read back and checked
    bool reads;       // data, whose share in the page cache is looked at before and after
    unsigned version; // rises when the definition changes: runs with other versions aren't compared
};

extern const struct workload_description workload_descriptions[WORKLOAD_KINDS];

// What can be asked for by name, in the order of a round; ends with id NULL. seq-write isn't here: it is
// "seq-write-64" and so on, with its MiB.
struct workload_variant {
    const char *id; // "create", "seq-read-direct-1m", "rand-read-buffered"
    enum workload_kind kind;
    enum access access;
    uint64_t block_bytes;
};

extern const struct workload_variant workload_variants[];

const char *unit_name(enum unit unit);         // "files/s", "ms", "MB/s", "IOPS", "commits/s"
const char *sync_name(enum sync_kind sync);    // "none", "syncfs", "fsync", "sync"
enum sync_kind sync_by_name(const char *name); // SYNC_COUNT where there is none
const char *access_name(enum access access);   // "buffered", "cold", "reopened", "same-fd", "direct"
enum access access_by_name(const char *name);  // ACCESS_COUNT where there is none
enum workload_kind
workload_kind_by_id(const char *id); // of a kind's own id; WORKLOAD_KINDS where there is none

enum { WORKLOAD_ID_SIZE = 48 };

// One workload of a plan: a kind and its parameters. What a kind doesn't use is 0. With T threads, thread t
// does items t, t + T, …: files of a tree; blocks or operations on a large file, of which each thread has one
// of its own, of its share of the bytes.
struct workload {
    char id[WORKLOAD_ID_SIZE]; // unique in a plan: "create", "clone-create", "walk-t4"
    enum workload_kind kind;
    unsigned version;
    struct tree tree;
    uint64_t bytes;       // of the large files, over all threads
    uint64_t block_bytes; // of one read or write of a large file
    uint64_t operations;  // of rand-* and commit, over all threads
    enum access access;
    bool instead;     // measured only where a disk can't do the workload before it: the same one, buffered
    bool follow_up;   // measured only where the analysis asks for it at the end; in no metric
    uint64_t wait_ns; // walk-later: the tree is left alone for so long before it is walked
    unsigned threads;
    enum sync_kind sync;
};

// Writes the id that a workload has by itself, without a profile's step and the number of threads: "create",
// "seq-write-64", "rand-read-buffered".
void workload_base_id(const struct workload *workload, char out[WORKLOAD_ID_SIZE]);

// How many bytes of its id stand before that: a step's name and a dash, or nothing. SIZE_MAX where the id is
// no such one, with or without its number of threads behind it; a step's name is of a to z, 0 to 9 and '-'.
size_t workload_step_length(const struct workload *workload);

// Whether both are of one write sweep: the sizes of one step with one number of threads.
bool workload_same_sweep(const struct workload *a, const struct workload *b);

// Whether it works on a tree of small files.
bool workload_on_tree(const struct workload *workload);

// Whether it does a given number of operations on its large files, and not each block once.
bool workload_is_counted(const struct workload *workload);

// What one batch of a workload does: operations, and bytes moved, over all threads.
uint64_t workload_ops(const struct workload *workload);
uint64_t workload_bytes(const struct workload *workload);   // written or read while it is timed
uint64_t workload_payload(const struct workload *workload); // what lies on the disk for it, or after it
uint64_t workload_files(const struct workload *workload);   // likewise, files
