// tree.h: the tree of small files: how many, how large, where, and what they are called.
//
// Up to 1,000 files lie flat in the tree's own directory (depth 0, fanout 1); more are spread over 32
// directories, d00 to d31, filled one after the other. Files are f00000000 and on, created and deleted in
// that order. Names are made without stdio, since workers make them while the clock runs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TREE_NAME_SIZE = 24, TREE_FLAT_MOST = 1000, TREE_FANOUT = 32, TREE_FILES_MOST = 10000000 };

struct tree {
    uint64_t files;
    uint64_t file_bytes;
    unsigned depth;
    unsigned fanout;
};

struct tree tree_of(uint64_t files, uint64_t file_bytes);

unsigned tree_directories(const struct tree *tree); // below the tree's own: 0 where it is flat
unsigned tree_directory_of(const struct tree *tree, uint64_t item);    // 0 where it is flat
uint64_t tree_first_item(const struct tree *tree, unsigned directory); // the range of items in a directory:
uint64_t tree_items_in(const struct tree *tree, unsigned directory);   // first, and how many

void tree_file_name(uint64_t item, char out[TREE_NAME_SIZE]);           // "f00000117"
void tree_directory_name(unsigned directory, char out[TREE_NAME_SIZE]); // "d03"
bool tree_parse_file_name(const char *name, uint64_t *item);            // exactly such a name
bool tree_parse_directory_name(const char *name, unsigned *directory);

// The path below the tree's directory: "f00000117" or "d03/f00000117".
void tree_path(const struct tree *tree, uint64_t item, char out[2 * TREE_NAME_SIZE]);
