// plan_rules.c: limits.
#include "spec/plan_rules.h"

#include "base/units.h"
#include "spec/plan.h"

#include <inttypes.h>

const struct setting_names option_names = {
    .rounds = "--rounds",
    .seed = "--seed",
    .threads = "--threads",
    .files = "--files",
    .file_bytes = "--file-size",
    .bytes = "--sizes",
    .block_bytes = "--block",
    .max_time = "--max-time",
};

const struct setting_names member_names = {
    .prefix = "plan.",
    .rounds = "rounds",
    .seed = "seed",
    .threads = "threads",
    .files = "files",
    .file_bytes = "file_bytes",
    .bytes = "bytes",
    .block_bytes = "block_bytes",
    .max_time = "max_time_ns",
};

bool rules_check_range(const struct setting_names *names, const char *name, uint64_t value, uint64_t least,
                       uint64_t most, struct error *error)
{
    if (value >= least && value <= most)
        return true;
    return fail(error, "%s%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64, names->prefix, name, value,
                least, most);
}

static bool check_shape(const struct setting_names *names, const struct tree *tree, struct error *error)
{
    const char *prefix = names->prefix;
    if (tree->depth > TREE_DEPTH_MOST)
        return fail(error, "%sdepth: %u is not from 0 to %d", prefix, tree->depth, TREE_DEPTH_MOST);
    if (tree->fanout < 1 || tree->fanout > TREE_FANOUT_MOST)
        return fail(error, "%sfanout: %u is not from 1 to %d", prefix, tree->fanout, TREE_FANOUT_MOST);
    if (tree->depth == 0 && tree->fanout != 1)
        return fail(error, "%sfanout: %u, but a tree without directories has 1", prefix, tree->fanout);
    uint64_t leaves = 1;
    for (unsigned level = 0; level < tree->depth; level++)
        leaves *= tree->fanout; // at most 2^32
    if (leaves > TREE_DIRECTORIES_MOST || tree_directories(tree) > TREE_DIRECTORIES_MOST)
        return fail(error, "%sdepth: %u levels of %u directories are more than %d", prefix, tree->depth,
                    tree->fanout, TREE_DIRECTORIES_MOST);
    return true;
}

static bool check_sizes(const struct setting_names *names, const struct tree *tree, struct error *error)
{
    unsigned shares = 0;
    if (tree->size_count > TREE_SIZES_MOST)
        return fail(error, "%ssizes: %u of them; at most %d can be", names->prefix, tree->size_count,
                    TREE_SIZES_MOST);
    for (unsigned i = 0; i < tree->size_count; i++) {
        if (tree->sizes[i].share < 1 || tree->sizes[i].share > TREE_SHARES)
            return fail(error, "%ssizes: a share of %u is not from 1 to %d", names->prefix,
                        tree->sizes[i].share, TREE_SHARES);
        shares += tree->sizes[i].share;
        if (!rules_check_range(names, names->file_bytes, tree->sizes[i].bytes, 0, PLAN_FILE_BYTES_MOST,
                               error))
            return false;
    }
    if (tree->size_count > 0 && shares != TREE_SHARES)
        return fail(error, "%ssizes: the shares add up to %u, not %d", names->prefix, shares, TREE_SHARES);
    if (tree->size_count > 0 && tree->file_bytes > 0)
        return fail(error, "%s%s: %" PRIu64 ", but the sizes say it", names->prefix, names->file_bytes,
                    tree->file_bytes);
    return true;
}

bool rules_check_tree(const struct setting_names *names, const struct tree *tree, struct error *error)
{
    if (!rules_check_range(names, names->files, tree->files, 1, TREE_FILES_MOST, error) ||
        !rules_check_range(names, names->file_bytes, tree->file_bytes, 0, PLAN_FILE_BYTES_MOST, error) ||
        !check_shape(names, tree, error) || !check_sizes(names, tree, error))
        return false;
    if (tree_bytes(tree) <= PLAN_PAYLOAD_MOST)
        return true;
    if (tree->size_count > 0)
        return fail(error, "%s%s: %" PRIu64 " files are more than 1 TiB", names->prefix, names->files,
                    tree->files);
    return fail(error, "%s%s: %" PRIu64 " files of %" PRIu64 " bytes are more than 1 TiB", names->prefix,
                names->files, tree->files, tree->file_bytes);
}

bool rules_check_large(const struct setting_names *names, uint64_t bytes, struct error *error)
{
    if (bytes % MIB)
        return fail(error, "%s%s: %" PRIu64 " bytes are not whole MiB", names->prefix, names->bytes, bytes);
    return rules_check_range(names, names->bytes, bytes, MIB, PLAN_PAYLOAD_MOST, error);
}

bool rules_check_block(const struct setting_names *names, uint64_t block_bytes, struct error *error)
{
    if (!rules_check_range(names, names->block_bytes, block_bytes, PLAN_BLOCK_LEAST, PLAN_BLOCK_MOST, error))
        return false;
    if (block_bytes % PLAN_BLOCK_LEAST)
        return fail(error, "%s%s: %" PRIu64 " is not a multiple of %" PRIu64 " bytes", names->prefix,
                    names->block_bytes, block_bytes, PLAN_BLOCK_LEAST);
    return true;
}

bool rules_check_threads(const struct setting_names *names, uint64_t threads, struct error *error)
{
    return rules_check_range(names, names->threads, threads, 1, PLAN_THREADS_MOST, error);
}
