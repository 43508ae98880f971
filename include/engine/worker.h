// worker.h: the threads that make the measured calls.
//
// A tier has one crew, kept for the run. The conductor gives it jobs, one at a time: a batch of a workload,
// but also what is untimed (making trees, opening and evicting files, reading back), which goes the same way.
// A job has up to two stages. Every worker arrives at a barrier before each of them, whatever happened to it
// before, so that a worker that failed or was told to stop never leaves the others waiting.
//
// Inside a stage a worker takes no lock, allocates nothing, uses no stdio and no floating point, and writes
// to no cache line that another one writes to. Between two operations it looks at the crew's `halt`.
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "engine/io.h"
#include "engine/names.h"
#include "engine/payload.h"
#include "spec/workload.h"
#include "stats/lane.h"
#include "stats/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKER_STAGES = 2, WORKER_BUFFER = 64 << 10 /* and at least a block that is read */ };

// The first call that failed. CALL_NONE: none did.
struct failure {
    enum call call;
    int number;         // errno; 0 where none tells
    bool out_of_inodes; // what ENOSPC meant: seen at that moment, before anything is removed
    uint64_t op;
    bool has_offset;
    uint64_t offset;
    char path[NAME_PATH_SIZE]; // below the scratch directory
};

// What reading back found. A mismatch is not a failure of the call, so the worker goes on and counts.
struct check {
    uint64_t blocks; // of 4 KiB at most
    uint64_t mismatches;
    bool has_allocated; // of sequential files
    uint64_t allocated_bytes;
    struct failure failure; // the first mismatch, or a call that failed
};

// How much of some files is in the page cache, in pages; of no pages where nothing could tell.
struct residency {
    uint64_t pages;
    uint64_t resident;
};

struct worker;

struct job {
    const struct workload *workload;
    unsigned threads;                                     // of the crew, the first so many take part
    void (*stages[WORKER_STAGES])(struct worker *worker); // the second may be NULL
    int dirfd;                                            // the scratch directory
    int treefd; // the directory of the batch's tree, for what creates and removes its files
    unsigned batch;
    bool untimed;     // its time isn't that of a section: nothing is recorded, and `started_ns` stays
    bool closing;     // done also where the crew was told to end: what was opened is closed
    bool renamed;     // the files of the tree have the names that a rename gave them
    uint64_t draw;    // where the random offsets of the section begin: the same on both tiers
    uint64_t making;  // in the stamps of what is written or read back: see content_file
    uint64_t layout;  // likewise, of what lay there before: random writes go over it
    uint64_t *mib_ns; // room for a time at each MiB that the section writes; NULL: not wanted
    bool verify_full; // read back every block of a sequential file, not 64 of them
};

struct worker {
    _Alignas(64) struct crew *crew;
    unsigned number;
    uint64_t seed; // of the payload
    const struct job *job;
    struct io io;
    struct lane *lane; // of an untimed job one that nobody reads
    struct progress *progress;
    struct payload payload;
    unsigned char *buffer; // aligned to PAYLOAD_BLOCK
    size_t buffer_size;
    int fd; // of the large file that is open from a job's `before` to its `after`; else -1
    struct residency residency; // of the files that it looked at since crew_collect_residency()
    size_t mib_length;
    uint64_t end_ns; // of its last job
    struct failure failure;
    struct check check;
    pthread_t thread;
};

// Why workers are to end their job after the operation in flight.
enum halt { HALT_FAILED = 1 << 0, HALT_ASKED = 1 << 1, HALT_DISMISSED = 1 << 2 };

struct crew {
    _Alignas(64) _Atomic unsigned halt; // bits of enum halt: read at each operation, written hardly ever
    _Alignas(64) _Atomic uint64_t started_ns; // when the first job since crew_clear() began; 0 before
    _Alignas(64) struct job job;              // read while it is done
    _Alignas(64) pthread_mutex_t lock;
    pthread_cond_t changed; // the workers wait for it: a job, a barrier passed, the end
    pthread_cond_t done;    // the conductor does: all workers finished
    uint64_t jobs;          // given so far
    bool ending;
    unsigned arrived; // at the barrier
    uint64_t barriers;
    unsigned finished;
    uint64_t job_start_ns;
    struct worker *workers;
    struct lane *lanes;       // one a worker, in a row
    struct lane untimed_lane; // what all of them record while nothing is timed
    struct progress *progress;
    unsigned size;
};

struct crew_setup {
    const struct io_calls *calls;
    unsigned threads;
    uint64_t block_bytes; // the largest that is written
    uint64_t read_bytes;  // the largest that is read, 0: WORKER_BUFFER is enough
    unsigned phases;      // that any of its workloads records
    uint64_t nonce;
    uint64_t seed; // workers add their number
};

// Starts the threads. Each fills its payload before it takes its first job.
bool crew_start(struct crew *crew, const struct crew_setup *setup, struct error *error);
void crew_end(struct crew *crew); // waits for the threads and frees; also {0}

// Empties lanes, failures and counts: before a section. What was asked stays.
void crew_clear(struct crew *crew);

// Does the job and returns how long it took, from the moment when all workers were ready until the last one
// ended.
uint64_t crew_run(struct crew *crew, const struct job *job);

// From any thread: ends the job after the operations in flight, and those to come, until crew_resume().
void crew_halt(struct crew *crew);
void crew_resume(struct crew *crew);

// The same for good: the run ends. Not even tidying up goes on: the scratch directory is removed as a whole.
void crew_dismiss(struct crew *crew);

static inline bool crew_halted(const struct crew *crew)
{
    return atomic_load_explicit(&crew->halt, memory_order_relaxed) != 0;
}

static inline bool crew_asked(const struct crew *crew)
{
    return atomic_load(&crew->halt) & HALT_ASKED;
}

static inline bool crew_dismissed(const struct crew *crew)
{
    return atomic_load(&crew->halt) & HALT_DISMISSED;
}

// The failure of the first worker that had one; NULL where none had.
const struct failure *crew_failure(const struct crew *crew);

// Fills in what the file system of `dirfd` tells of a failure.
void failure_explain(struct failure *failure, int dirfd);

// Adds up what the workers read back, and takes it from them.
void crew_collect_check(struct crew *crew, struct check *check);
void check_add(struct check *sum, const struct check *part);

// The same of what they compared while they were timed; the failure of a call stays theirs.
void crew_take_check(struct crew *crew, struct check *check);

// Adds up what the workers saw of the page cache, and takes it from them.
struct residency crew_collect_residency(struct crew *crew);

// For the stages. ---------------------------------------------------------------------------------------

static inline bool worker_halted(const struct worker *worker)
{
    return crew_halted(worker->crew);
}

// Whether there is no disk: what was read can't be compared then, nor looked for in the page cache.
static inline bool worker_on_null(const struct worker *worker)
{
    return worker->io.calls == &io_null;
}

// Ends a call that began at `start_ns`: records it, and returns the time, at which the next one begins.
static inline uint64_t worker_record(struct worker *worker, enum phase phase, uint64_t start_ns)
{
    uint64_t now_ns = clock_monotonic_ns();
    lane_record(worker->lane, phase, now_ns - start_ns);
    return now_ns;
}

// Notes that a call failed with that errno, unless one did before, and halts the crew. `path` is below the
// scratch directory. False, so that a stage can return it.
bool worker_fail(struct worker *worker, enum call call, int number, uint64_t op, const char *path);

// The same, with the place in the file.
bool worker_fail_at(struct worker *worker, enum call call, int number, uint64_t op, const char *path,
                    uint64_t offset);

// Notes that what was read differs from what was written.
void worker_mismatch(struct worker *worker, uint64_t op, const char *path, uint64_t offset);

// The path below the scratch directory of a path below the batch's tree; "" is the tree itself.
void worker_tree_path(const struct worker *worker, const char *path, char out[NAME_PATH_SIZE]);
