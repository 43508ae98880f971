// tree.h: the tree of small files: how many, how large, where, and what they are called.
//
// Files lie in the leaves of a tree of directories that has `fanout` directories in each, `depth` levels
// deep; with depth 0 all lie in the tree's own directory. Leaves are filled one after the other. Directories
// are d00 and on (d000 and on where there are more than 100 in one), files are f00000000 and on, created and
// deleted in that order; a rename makes an r of the f. Names are made without stdio, since workers make them
// while the clock runs.
//
// Files are all of one size, or of a few sizes in fixed shares. Which file has which size follows from its
// number alone, spread evenly, so that any two trees of one shape are alike, on any disk, to the byte.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TREE_NAME_SIZE = 24,
    TREE_PATH_SIZE = 48,
    TREE_FLAT_MOST = 1000, // files that lie in one directory where nothing else is asked for
    TREE_FANOUT = 32,      // and else so many directories
    TREE_FILES_MOST = 10000000,
    TREE_DEPTH_MOST = 4,
    TREE_FANOUT_MOST = 256,
    TREE_DIRECTORIES_MOST = 65536,
    TREE_SIZES_MOST = 12,
    TREE_SHARES = 1000 // shares are thousandths
};

struct tree_size {
    unsigned share; // of the files, in thousandths
    uint64_t bytes;
};

struct tree {
    uint64_t files;
    uint64_t file_bytes; // of each; 0 where `sizes` says it
    unsigned depth;
    unsigned fanout;     // 1 where depth is 0
    unsigned size_count; // 0: all have file_bytes
    struct tree_size sizes[TREE_SIZES_MOST];
};

// A tree of files of one size: flat up to TREE_FLAT_MOST of them, else one level of TREE_FANOUT directories.
struct tree tree_of(uint64_t files, uint64_t file_bytes);

bool tree_same(const struct tree *a, const struct tree *b);

uint64_t tree_file_bytes(const struct tree *tree, uint64_t item);
uint64_t tree_bytes(const struct tree *tree);         // of all files
uint64_t tree_bytes_on_disk(const struct tree *tree); // in whole blocks of 4 KiB, at least one a file
uint64_t tree_largest_file(const struct tree *tree);

// Directories below the tree's own. Those of a level (1 to depth) are numbered from 0 on; below number n of
// one level lie n * fanout and on of the next. The last level are the leaves.
unsigned tree_directories(const struct tree *tree); // on all levels; 0 where it is flat
unsigned tree_directories_at(const struct tree *tree, unsigned level);

// The files of a leaf: number of the first, and how many. A flat tree is one leaf, 0.
unsigned tree_leaves(const struct tree *tree);
unsigned tree_leaf_of(const struct tree *tree, uint64_t item);
uint64_t tree_first_item(const struct tree *tree, unsigned leaf);
uint64_t tree_items_in(const struct tree *tree, unsigned leaf);

// The first item that lies somewhere below a directory.
uint64_t tree_first_below(const struct tree *tree, unsigned level, unsigned number);

void tree_file_name(uint64_t item, bool renamed, char out[TREE_NAME_SIZE]); // "f00000117", "r00000117"
void tree_directory_name(const struct tree *tree, unsigned number,
                         char out[TREE_NAME_SIZE]); // within its parent: "d03" is number 3, or 35, or 67
bool tree_parse_file_name(const char *name, uint64_t *item, bool *renamed); // exactly such a name
bool tree_parse_directory_name(const char *name, unsigned *number);         // below TREE_FANOUT_MOST

// Paths below the tree's directory: "f00000117", "d03/f00000117"; "d03/d01".
void tree_path(const struct tree *tree, uint64_t item, bool renamed, char out[TREE_PATH_SIZE]);
void tree_directory_path(const struct tree *tree, unsigned level, unsigned number, char out[TREE_PATH_SIZE]);
