// workload_walk.c: opens and reads each directory, and stats each file that it finds there.
//
// Every worker reads all directories, as every walker would, and stats the files whose number is its own. A
// directory is known by the name that we gave it, since not all file systems tell the type. That each file
// was found, once, is checked by the count and the sum of their numbers.
#include "engine/work.h"

#include "engine/engine.h"
#include "engine/verify.h"

#include <errno.h>
#include <string.h>

struct walk {
    struct worker *worker;
    uint64_t then;             // when the last call ended, and the next began
    char path[NAME_PATH_SIZE]; // of the directory, for messages
    uint64_t directories;      // a bit for each that was found
    uint64_t found;            // files in this directory
    uint64_t sum;              // of their numbers
};

static bool fail_walk(struct walk *walk, enum call call, uint64_t item, int number)
{
    return worker_fail(walk->worker, call, number, item, walk->path);
}

static bool stat_file(struct walk *walk, int dirfd, const char *name, uint64_t item)
{
    struct worker *worker = walk->worker;
    struct stat status;
    progress_set(worker->progress, CALL_FSTATAT, item, walk->then);
    if (worker->io.calls->stat(&worker->io, dirfd, name, &status) != 0) {
        int number = errno;
        size_t length = strlen(walk->path);
        walk->path[length++] = '/';
        memcpy(walk->path + length, name, strlen(name) + 1);
        return fail_walk(walk, CALL_FSTATAT, item, number);
    }
    walk->then = worker_record(worker, PHASE_OP, walk->then);
    return true;
}

// What one read of a directory gave. False: a call failed, or the worker is to end.
static bool take_entries(struct walk *walk, int dirfd, size_t size)
{
    struct worker *worker = walk->worker;
    const struct job *job = worker->job;
    for (size_t at = 0; at < size;) {
        const struct io_entry *entry = (const struct io_entry *)(worker->buffer + at);
        at += entry->length;
        uint64_t item;
        unsigned directory;
        if (tree_parse_directory_name(entry->name, &directory))
            walk->directories |= UINT64_C(1) << directory;
        if (!tree_parse_file_name(entry->name, &item))
            continue;
        walk->found++;
        walk->sum += item;
        if (item % job->threads != worker->number)
            continue;
        if (worker_halted(worker) || !stat_file(walk, dirfd, entry->name, item))
            return false;
    }
    return true;
}

static bool read_entries(struct walk *walk, int dirfd, uint64_t item)
{
    struct worker *worker = walk->worker;
    for (;;) {
        progress_set(worker->progress, CALL_GETDENTS, item, walk->then);
        ssize_t size = worker->io.calls->read_directory(&worker->io, dirfd, worker->buffer, WORKER_BUFFER);
        if (size < 0)
            return fail_walk(walk, CALL_GETDENTS, item, errno);
        walk->then = worker_record(worker, PHASE_READDIR, walk->then);
        if (size == 0)
            return true;
        if (!take_entries(walk, dirfd, (size_t)size))
            return false;
    }
}

// Reads a directory to its end and checks that it held `count` files, from number `first` on, each once.
static bool read_all(struct walk *walk, int dirfd, uint64_t first, uint64_t count)
{
    walk->found = 0;
    walk->sum = 0;
    if (!read_entries(walk, dirfd, first))
        return false;
    if (walk->found != count || walk->sum != first * count + (count ? count * (count - 1) / 2 : 0))
        return fail_walk(walk, CALL_GETDENTS, first, 0);
    return true;
}

static int open_directory(struct walk *walk, int dirfd, const char *name, uint64_t item)
{
    struct worker *worker = walk->worker;
    progress_set(worker->progress, CALL_OPENAT, item, walk->then);
    int fd = worker->io.calls->open_directory(&worker->io, dirfd, name);
    if (fd < 0) {
        fail_walk(walk, CALL_OPENAT, item, errno);
        return -1;
    }
    walk->then = worker_record(worker, PHASE_OPEN, walk->then);
    return fd;
}

static bool close_directory(struct walk *walk, int fd, uint64_t item)
{
    struct worker *worker = walk->worker;
    progress_set(worker->progress, CALL_CLOSE, item, walk->then);
    if (worker->io.calls->close(&worker->io, fd) != 0)
        return fail_walk(walk, CALL_CLOSE, item, errno);
    walk->then = worker_record(worker, PHASE_CLOSE, walk->then);
    return true;
}

static bool walk_directory(struct walk *walk, int rootfd, unsigned directory)
{
    const struct tree *tree = &walk->worker->job->workload->tree;
    char name[TREE_NAME_SIZE];
    tree_directory_name(directory, name);
    worker_tree_path(walk->worker, name, walk->path);
    uint64_t first = tree_first_item(tree, directory);
    int fd = open_directory(walk, rootfd, name, first);
    if (fd < 0)
        return false;
    if (!read_all(walk, fd, first, tree_items_in(tree, directory))) {
        walk->worker->io.calls->close(&walk->worker->io, fd);
        return false;
    }
    return close_directory(walk, fd, first);
}

// A flat tree's files lie in its root, a deep one's in the directories that its root holds.
static bool walk_root(struct walk *walk, int rootfd)
{
    const struct tree *tree = &walk->worker->job->workload->tree;
    unsigned directories = tree_directories(tree);
    if (!read_all(walk, rootfd, 0, directories ? 0 : tree->files))
        return false;
    uint64_t all = (UINT64_C(1) << directories) - 1;
    if ((walk->directories & all) != all)
        return fail_walk(walk, CALL_GETDENTS, 0, 0);
    for (unsigned i = 0; i < directories; i++)
        if (worker_halted(walk->worker) || !walk_directory(walk, rootfd, i))
            return false;
    worker_tree_path(walk->worker, "", walk->path);
    return true;
}

static void walk_tree(struct worker *worker)
{
    struct walk walk = {.worker = worker};
    char name[NAME_SIZE];
    name_tree(worker->job->batch, name);
    worker_tree_path(worker, "", walk.path);
    walk.then = clock_monotonic_ns();
    int rootfd = open_directory(&walk, worker->job->dirfd, name, 0);
    if (rootfd < 0)
        return;
    if (walk_root(&walk, rootfd))
        close_directory(&walk, rootfd, 0);
    else
        worker->io.calls->close(&worker->io, rootfd);
}

static bool prepare(struct task *task)
{
    if (!trees_fit(&task->tier->trees, task->workload) && !verify_and_remove_trees(task))
        return false;
    atomic_store(task->activity, ACTIVITY_PREPARING);
    return task->tier->trees.count > 0 || trees_fill(task->tier, task->workload, 1);
}

const struct work work_walk = {.stages = {walk_tree}, .one_tree = true, .prepare = prepare};
