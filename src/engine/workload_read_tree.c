// workload_read_tree.c: N times openat, read to the end, close. Before each batch the files are evicted from
// the page cache; how much of them stays there is looked at, and once more afterwards.
//
// Of each 4 KiB that were read the stamp is compared: between two calls, inside wall_ns and outside the
// operation.
#include "engine/work.h"

#include "base/clock.h"
#include "engine/cache.h"
#include "engine/trees.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// ---- Reading ----

// One file while it is read.
struct reading {
    struct worker *worker;
    uint64_t item;
    const char *name;
    struct content content;
    uint64_t done;     // bytes read
    bool differs;      // noted once, and then no more of its length
    uint64_t then;     // when the last call ended
    uint64_t checking; // what comparing took between two calls
};

static bool fail_file(struct worker *worker, enum call call, uint64_t item, const char *name)
{
    int number = errno;
    char path[NAME_PATH_SIZE];
    worker_tree_path(worker, name, path);
    return worker_fail(worker, call, number, item, path);
}

static bool fail_read(const struct reading *reading)
{
    int number = errno;
    char path[NAME_PATH_SIZE];
    worker_tree_path(reading->worker, reading->name, path);
    return worker_fail_at(reading->worker, CALL_READ, number, reading->item, path, reading->done);
}

static void note_difference(struct reading *reading, uint64_t offset)
{
    char path[NAME_PATH_SIZE];
    worker_tree_path(reading->worker, reading->name, path);
    worker_mismatch(reading->worker, reading->item, path, offset);
    reading->differs = true;
}

static uint64_t blocks_of(uint64_t size)
{
    return (size + PAYLOAD_BLOCK - 1) / PAYLOAD_BLOCK;
}

// Compares the stamps in what lies in the buffer: `size` bytes, which were read last.
static void check_buffer(struct reading *reading, size_t size)
{
    struct worker *worker = reading->worker;
    uint64_t offset = reading->done - size;
    worker->check.blocks += blocks_of(size);
    for (size_t at = 0; at < size;) {
        size_t right = payload_check_stamps(&worker->payload, &reading->content, offset + at,
                                            worker->buffer + at, size - at);
        if (right == size - at)
            return;
        at += right;
        note_difference(reading, offset + at);
        at = at / PAYLOAD_BLOCK * PAYLOAD_BLOCK + PAYLOAD_BLOCK;
    }
}

// What is left in the buffer, and whether the file was as long as it was made.
static void check_end(struct reading *reading)
{
    check_buffer(reading, (size_t)(reading->done % WORKER_BUFFER));
    uint64_t size = reading->content.size, done = reading->done;
    if (done < size)
        reading->worker->check.blocks += blocks_of(size) - blocks_of(done);
    if (done != size && !reading->differs)
        note_difference(reading, done < size ? done : size);
}

// False where a call failed, or the worker is to end.
static bool read_to_end(struct reading *reading, int fd)
{
    struct worker *worker = reading->worker;
    for (;;) {
        size_t fill = (size_t)(reading->done % WORKER_BUFFER);
        progress_set(worker->progress, CALL_READ, reading->item, reading->then);
        ssize_t got = worker->io.calls->read(&worker->io, fd, worker->buffer + fill, WORKER_BUFFER - fill,
                                             (off_t)reading->done);
        if (got < 0)
            return fail_read(reading);
        reading->then = worker_record(worker, PHASE_READ, reading->then);
        if (got == 0)
            return true;
        lane_add_bytes(worker->lane, (uint64_t)got);
        reading->done += (uint64_t)got;
        if (reading->done % WORKER_BUFFER != 0)
            continue;
        if (worker_halted(worker))
            return false;
        if (worker_on_null(worker))
            continue;
        check_buffer(reading, WORKER_BUFFER);
        uint64_t now = clock_monotonic_ns();
        reading->checking += now - reading->then;
        reading->then = now;
    }
}

static bool read_file(struct worker *worker, uint64_t item, const char *name)
{
    const struct job *job = worker->job;
    const struct io_calls *calls = worker->io.calls;
    struct reading reading = {.worker = worker,
                              .item = item,
                              .name = name,
                              .content =
                                  content_small(&worker->payload, content_file(job->making, job->batch, item),
                                                0, tree_file_bytes(&job->workload->tree, item))};
    uint64_t start = clock_monotonic_ns();
    progress_set(worker->progress, CALL_OPENAT, item, start);
    int fd = calls->open_file(&worker->io, job->treefd, name, O_RDONLY);
    if (fd < 0)
        return fail_file(worker, CALL_OPENAT, item, name);
    reading.then = worker_record(worker, PHASE_OPEN, start);
    if (!read_to_end(&reading, fd)) {
        calls->close(&worker->io, fd);
        return false;
    }
    progress_set(worker->progress, CALL_CLOSE, item, reading.then);
    if (calls->close(&worker->io, fd) != 0)
        return fail_file(worker, CALL_CLOSE, item, name);
    reading.then = worker_record(worker, PHASE_CLOSE, reading.then);
    lane_record(worker->lane, PHASE_OP, reading.then - start - reading.checking);
    if (!worker_on_null(worker))
        check_end(&reading);
    return true;
}

// Does something with each of the worker's files, until it can't be done or the worker is to end.
static void for_each_file(struct worker *worker, bool (*what)(struct worker *, uint64_t, const char *))
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    for (uint64_t item = worker->number; item < tree->files && !worker_halted(worker); item += job->threads) {
        char name[TREE_PATH_SIZE];
        tree_path(tree, item, job->renamed, name);
        if (!what(worker, item, name))
            return;
    }
}

static void read_files(struct worker *worker)
{
    for_each_file(worker, read_file);
}

// ---- The page cache, untimed ----

// Opens a file, lets `drop` at it where there is one, and counts its pages.
static bool look_at_file(struct worker *worker, uint64_t item, const char *name, void (*drop)(int fd))
{
    uint64_t size = tree_file_bytes(&worker->job->workload->tree, item);
    if (size == 0)
        return true;
    progress_set(worker->progress, CALL_OPENAT, item, clock_monotonic_ns());
    int fd = worker->io.calls->open_file(&worker->io, worker->job->treefd, name, O_RDONLY);
    if (fd < 0)
        return fail_file(worker, CALL_OPENAT, item, name);
    if (drop) {
        progress_set(worker->progress, CALL_FADVISE, item, clock_monotonic_ns());
        drop(fd);
    }
    progress_set(worker->progress, CALL_MINCORE, item, clock_monotonic_ns());
    (void)cache_residency(fd, size, &worker->residency.pages, &worker->residency.resident); // else unknown
    worker->io.calls->close(&worker->io, fd);
    return true;
}

static bool look(struct worker *worker, uint64_t item, const char *name)
{
    return look_at_file(worker, item, name, NULL);
}

// Advice, so what it does is counted and not assumed.
static void advise(int fd)
{
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

// Pages that still have to be written stay. What lies there was synced before the section, where the disk
// could: this is hardly ever needed.
static void sync_and_advise(int fd)
{
    (void)fsync(fd);
    advise(fd);
}

static bool evict(struct worker *worker, uint64_t item, const char *name)
{
    return look_at_file(worker, item, name, advise);
}

static bool evict_again(struct worker *worker, uint64_t item, const char *name)
{
    return look_at_file(worker, item, name, sync_and_advise);
}

// Where one pass over all files leaves too much, it is done again, after a rest if that helped at all. Where
// nothing went although all was synced, as in memory, nothing will.
static void evict_files(struct worker *worker)
{
    struct residency *found = &worker->residency;
    for (unsigned try = 0; try < CACHE_TRIES && !worker_on_null(worker); try++) {
        if (found->resident < found->pages)
            clock_sleep_until(clock_monotonic_ns() + CACHE_REST_MS * (uint64_t)NS_PER_MS);
        *found = (struct residency){0};
        for_each_file(worker, try > 0 ? evict_again : evict);
        bool none_went = found->resident == found->pages;
        if (worker_halted(worker) || found->resident * 100 <= found->pages || (none_went && try > 0))
            return;
    }
}

static void look_at_files(struct worker *worker)
{
    if (!worker_on_null(worker))
        for_each_file(worker, look);
}

// ---- The section ----

static bool prepare(struct task *task)
{
    return trees_prepare(task, 1);
}

const struct work work_read_tree = {.stages = {read_files},
                                    .before = evict_files,
                                    .after = look_at_files,
                                    .in_tree = true,
                                    .one_tree = true,
                                    .prepare = prepare};
