// workload_walk.c: opens and reads each directory, and stats each file that it finds there.
//
// Every worker reads all directories, as every walker would, and stats the files whose number is its own. A
// directory is known by the name that we gave it, since not all file systems tell the type. A leaf must hold
// its files, each once, which is checked by the count and the sum of their numbers, and no directory; any
// other directory must hold its directories and no file.
#include "engine/walk.h"

#include "engine/trees.h"
#include "engine/work.h"

#include <errno.h>
#include <string.h>

enum { SET_BITS = 64, SET_SIZE = TREE_FANOUT_MOST / SET_BITS };

// The directory that is walked at this moment.
struct walk {
    struct worker *worker;
    const struct tree *tree;
    uint64_t then; // when the last call ended, and the next began
    unsigned level;
    unsigned number;                // in its level
    uint64_t first;                 // the first item in it, or below
    uint64_t files;                 // found in it
    uint64_t sum;                   // of their numbers
    uint64_t directories[SET_SIZE]; // found in it: a bit for each
};

static void go_to(struct walk *walk, unsigned level, unsigned number)
{
    walk->level = level;
    walk->number = number;
    walk->first = tree_first_below(walk->tree, level, number);
}

// Of the present directory, or of a file in it.
static bool fail_walk(struct walk *walk, enum call call, uint64_t item, int number, const char *name)
{
    char below[TREE_PATH_SIZE] = "", path[NAME_PATH_SIZE];
    if (walk->level > 0)
        tree_directory_path(walk->tree, walk->level, walk->number, below);
    worker_tree_path(walk->worker, below, path);
    size_t length = strlen(path), more = strlen(name);
    if (more > 0 && length + 1 + more < sizeof path) {
        path[length] = '/';
        memcpy(path + length + 1, name, more + 1);
    }
    return worker_fail(walk->worker, call, number, item, path);
}

static bool stat_file(struct walk *walk, int dirfd, const char *name, uint64_t item)
{
    struct worker *worker = walk->worker;
    struct stat status;
    progress_set(worker->progress, CALL_FSTATAT, item, walk->then);
    if (worker->io.calls->stat(&worker->io, dirfd, name, &status) != 0)
        return fail_walk(walk, CALL_FSTATAT, item, errno, name);
    walk->then = worker_record(worker, PHASE_OP, walk->then);
    return true;
}

static bool take_entry(struct walk *walk, int dirfd, const char *name)
{
    struct worker *worker = walk->worker;
    uint64_t item;
    unsigned directory;
    bool renamed;
    if (tree_parse_directory_name(name, &directory))
        walk->directories[directory / SET_BITS] |= UINT64_C(1) << directory % SET_BITS;
    if (!tree_parse_file_name(name, &item, &renamed))
        return true;
    walk->files++;
    walk->sum += item;
    if (item % worker->job->threads != worker->number)
        return true;
    return !worker_halted(worker) && stat_file(walk, dirfd, name, item);
}

static bool read_entries(struct walk *walk, int dirfd)
{
    struct worker *worker = walk->worker;
    for (;;) {
        progress_set(worker->progress, CALL_GETDENTS, walk->first, walk->then);
        ssize_t size = worker->io.calls->read_directory(&worker->io, dirfd, worker->buffer, WORKER_BUFFER);
        if (size < 0)
            return fail_walk(walk, CALL_GETDENTS, walk->first, errno, "");
        walk->then = worker_record(worker, PHASE_READDIR, walk->then);
        if (size == 0)
            return true;
        for (ssize_t at = 0; at < size;) {
            const struct io_entry *entry = (const struct io_entry *)(worker->buffer + at);
            at += entry->length;
            if (!take_entry(walk, dirfd, entry->name))
                return false;
        }
    }
}

// Whether the directories that were found are the first so many.
static bool are_first(const uint64_t directories[SET_SIZE], unsigned count)
{
    for (unsigned i = 0; i < SET_SIZE; i++) {
        unsigned here = count > i * SET_BITS ? count - i * SET_BITS : 0;
        uint64_t expected = here >= SET_BITS ? UINT64_MAX : (UINT64_C(1) << here) - 1;
        if (directories[i] != expected)
            return false;
    }
    return true;
}

// Reads all of the present directory, and checks that it holds what it should.
static bool read_all(struct walk *walk, int fd)
{
    bool leaf = walk->level == walk->tree->depth;
    uint64_t first = walk->first, count = leaf ? tree_items_in(walk->tree, walk->number) : 0;
    walk->files = 0;
    walk->sum = 0;
    memset(walk->directories, 0, sizeof walk->directories);
    if (!read_entries(walk, fd))
        return false;
    uint64_t sum = count ? first * count + count * (count - 1) / 2 : 0;
    if (walk->files != count || walk->sum != sum ||
        !are_first(walk->directories, leaf ? 0 : walk->tree->fanout))
        return fail_walk(walk, CALL_GETDENTS, first, 0, "");
    return true;
}

static bool walk_directory(struct walk *walk, int dirfd, const char *name);

static bool walk_below(struct walk *walk, int fd)
{
    unsigned level = walk->level, number = walk->number;
    if (level == walk->tree->depth)
        return true;
    for (unsigned i = 0; i < walk->tree->fanout; i++) {
        char name[TREE_NAME_SIZE];
        tree_directory_name(walk->tree, i, name);
        go_to(walk, level + 1, number * walk->tree->fanout + i);
        if (worker_halted(walk->worker) || !walk_directory(walk, fd, name))
            return false;
    }
    go_to(walk, level, number);
    return true;
}

static bool walk_directory(struct walk *walk, int dirfd, const char *name)
{
    struct worker *worker = walk->worker;
    progress_set(worker->progress, CALL_OPENAT, walk->first, walk->then);
    int fd = worker->io.calls->open_directory(&worker->io, dirfd, name);
    if (fd < 0)
        return fail_walk(walk, CALL_OPENAT, walk->first, errno, "");
    walk->then = worker_record(worker, PHASE_OPEN, walk->then);
    if (!read_all(walk, fd) || !walk_below(walk, fd)) {
        worker->io.calls->close(&worker->io, fd);
        return false;
    }
    progress_set(worker->progress, CALL_CLOSE, walk->first, walk->then);
    if (worker->io.calls->close(&worker->io, fd) != 0)
        return fail_walk(walk, CALL_CLOSE, walk->first, errno, "");
    walk->then = worker_record(worker, PHASE_CLOSE, walk->then);
    return true;
}

void walk_tree(struct worker *worker)
{
    struct walk walk = {.worker = worker, .tree = &worker->job->workload->tree};
    char name[NAME_SIZE];
    name_tree(worker->job->batch, name);
    go_to(&walk, 0, 0);
    walk.then = clock_monotonic_ns();
    walk_directory(&walk, worker->job->dirfd, name);
}

static bool prepare(struct task *task)
{
    return trees_prepare(task, 1);
}

const struct work work_walk = {.stages = {walk_tree}, .one_tree = true, .prepare = prepare};
