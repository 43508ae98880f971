// trees.c: making and removing trees, untimed.
#include "engine/trees.h"

#include "engine/tier.h"
#include "engine/work.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool make_directory(struct tier *tier, const char *path)
{
    tier_call_begin(tier, CALL_MKDIRAT);
    bool made = tier->io.calls->make_directory(&tier->io, tier_dirfd(tier), path) == 0;
    if (!made)
        tier_fail(tier, CALL_MKDIRAT, path);
    tier_call_end(tier);
    return made;
}

bool trees_add_empty(struct tier *tier, const struct workload *workload, uint64_t making)
{
    struct trees *trees = &tier->trees;
    if (trees->count == 0)
        trees->maker = *workload;
    unsigned number = trees->count++;
    trees->makings[number] = making;

    char tree[NAME_SIZE];
    name_tree(number, tree);
    if (!make_directory(tier, tree))
        return false;
    for (unsigned i = 0; i < tree_directories(&workload->tree); i++) {
        char name[TREE_NAME_SIZE], path[NAME_PATH_SIZE];
        tree_directory_name(i, name);
        snprintf(path, sizeof path, "%s/%s", tree, name);
        if (!make_directory(tier, path))
            return false;
    }
    return true;
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
                                        .making = trees->makings[number]});
    tier->io.calls->close(&tier->io, treefd);
    return !crew_halted(&tier->crew);
}

bool trees_fill(struct tier *tier, const struct workload *workload, unsigned count)
{
    uint64_t making = tier->trees.count < count ? ++tier->makings : 0;
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
        removed = scratch_remove_directory(tier->scratch.dirfd, name, &leftovers);
        if (!removed) {
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
    const struct tree *have = &trees->maker.tree, *want = &workload->tree;
    return trees->count == 0 || (have->files == want->files && have->file_bytes == want->file_bytes &&
                                 have->depth == want->depth && have->fanout == want->fanout);
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
