// trees.c: making and removing trees, untimed.
#include "engine/trees.h"

#include "engine/engine.h"
#include "engine/mounts.h"
#include "engine/tier.h"
#include "engine/verify.h"
#include "engine/work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool make_directory(struct tier *tier, const char *path)
{
    tier_call_begin(tier, CALL_MKDIRAT);
    bool made = tier->io.calls->make_directory(&tier->io, tier_dirfd(tier), path) == 0;
    if (!made)
        tier_fail(tier, CALL_MKDIRAT, path);
    tier_call_end(tier);
    return made;
}

// The directories below a tree's own, level by level.
static bool make_levels(struct tier *tier, const char *own, const struct tree *tree)
{
    for (unsigned level = 1; level <= tree->depth; level++)
        for (unsigned i = 0; i < tree_directories_at(tree, level); i++) {
            char below[TREE_PATH_SIZE], path[NAME_PATH_SIZE];
            tree_directory_path(tree, level, i, below);
            snprintf(path, sizeof path, "%s/%s", own, below);
            if (crew_asked(&tier->crew) || !make_directory(tier, path))
                return false;
        }
    return true;
}

bool trees_add_empty(struct tier *tier, const struct workload *workload, uint64_t making)
{
    struct trees *trees = &tier->trees;
    if (trees->count == 0)
        trees->maker = *workload;
    unsigned number = trees->count++;
    trees->makings[number] = making;
    trees->renamed[number] = false;

    char own[NAME_SIZE];
    name_tree(number, own);
    return make_directory(tier, own) && make_levels(tier, own, &workload->tree);
}

static bool fill_one(struct tier *tier, unsigned number)
{
    const struct trees *trees = &tier->trees;
    int treefd = trees_open(tier, number);
    if (treefd < 0)
        return false;
    crew_run(&tier->crew, &(struct job){.workload = &trees->maker,
                                        .threads = trees->maker.threads,
                                        .stages = {create_files},
                                        .dirfd = tier_dirfd(tier),
                                        .treefd = treefd,
                                        .batch = number,
                                        .untimed = true,
                                        .making = trees->makings[number]});
    tier->io.calls->close(&tier->io, treefd);
    return !crew_halted(&tier->crew);
}

bool trees_fill(struct tier *tier, const struct workload *workload, unsigned count, uint64_t making)
{
    while (tier->trees.count < count) {
        unsigned number = tier->trees.count;
        if (trees_add_empty(tier, tier->trees.count ? &tier->trees.maker : workload, making) &&
            fill_one(tier, number))
            continue;
        trees_remove(tier, number); // nobody may take half a tree for a whole one
        return false;
    }
    return true;
}

static void remove_below(const struct tier *tier, int dirfd, const char *name, unsigned levels);

// Removes what a directory lists, until something stays or the run is to end.
static void empty_listed(const struct tier *tier, int fd, unsigned levels)
{
    _Alignas(struct io_entry) unsigned char entries[16 << 10];
    ssize_t size;
    while ((size = getdents64(fd, entries, sizeof entries)) > 0)
        for (ssize_t at = 0; at < size;) {
            const struct io_entry *entry = (const struct io_entry *)(entries + at);
            at += entry->length;
            uint64_t item;
            unsigned directory;
            bool renamed;
            if (crew_dismissed(&tier->crew))
                return;
            if (tree_parse_file_name(entry->name, &item, &renamed) && unlinkat(fd, entry->name, 0) != 0)
                return;
            if (levels > 0 && tree_parse_directory_name(entry->name, &directory))
                remove_below(tier, fd, entry->name, levels - 1);
        }
}

// Most of the work of removing a tree of so many levels, in steps between which the run may end. Whatever
// can't be done here is left to scratch_remove_directory(), which knows the odd cases and says what stays.
static void empty_directory(const struct tier *tier, int dirfd, const char *name, unsigned levels)
{
    int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    uint64_t mount, own;
    if (mount_id_of(fd, &mount) && mount_id_of(dirfd, &own) && mount == own)
        empty_listed(tier, fd, levels);
    close(fd);
}

static void remove_below(const struct tier *tier, int dirfd, const char *name, unsigned levels)
{
    empty_directory(tier, dirfd, name, levels);
    (void)unlinkat(dirfd, name, AT_REMOVEDIR); // left to scratch_remove_directory() where it stays
}

bool trees_remove(struct tier *tier, unsigned from)
{
    struct trees *trees = &tier->trees;
    unsigned count = trees->count;
    if (from >= count)
        return true;
    trees->count = from;
    if (trees->measured > from)
        trees->measured = from;
    if (tier->null)
        return true;
    struct text leftovers = {0};
    bool removed = true;
    for (unsigned number = from; removed && number < count; number++) {
        char name[NAME_SIZE];
        name_tree(number, name);
        tier_call_begin(tier, CALL_RMDIR);
        empty_directory(tier, tier->scratch.dirfd, name, TREE_DEPTH_MOST);
        bool dismissed = crew_dismissed(&tier->crew);
        removed = !dismissed && scratch_remove_directory(tier->scratch.dirfd, name, &leftovers);
        if (!removed && !dismissed) {
            errno = 0; // whatever call it was
            tier_fail(tier, CALL_RMDIR, name);
        }
        tier_call_end(tier);
    }
    text_free(&leftovers); // what stays is tried again, and named, at the end of the run
    return removed;
}

bool trees_fit(const struct trees *trees, const struct workload *workload)
{
    return trees->count == 0 || tree_same(&trees->maker.tree, &workload->tree);
}

bool trees_prepare(struct task *task, unsigned count)
{
    struct tier *tier = task->tier;
    if (!trees_fit(&tier->trees, task->workload) && !verify_and_remove_trees(task))
        return false;
    atomic_store(task->activity, ACTIVITY_PREPARING);
    return trees_fill(tier, task->workload, count, task->layout);
}

int trees_open(struct tier *tier, unsigned number)
{
    char name[NAME_SIZE];
    name_tree(number, name);
    tier_call_begin(tier, CALL_OPENAT);
    int fd = tier->io.calls->open_directory(&tier->io, tier_dirfd(tier), name);
    if (fd < 0)
        tier_fail(tier, CALL_OPENAT, name);
    tier_call_end(tier);
    return fd;
}
