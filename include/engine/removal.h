// removal.h: emptying directories of what diskduel names, and of nothing else.
//
// By unlinkat() below descriptors only, never following a link, never crossing a mount, and never deeper than
// the shapes that diskduel makes. Entry types that a directory claims are not trusted.
#pragma once

#include "base/text.h"

#include <stdbool.h>

// What a directory may hold.
enum shape {
    SHAPE_SCRATCH, // trees (t000), large files (s000-00, c000-00, l00, p00), the marker, which is left alone
    SHAPE_TREE,    // files (f00000000, r00000000), directories (d00, d000)
    SHAPE_LEVEL_1, // likewise, so many levels below the tree's own
    SHAPE_LEVEL_2,
    SHAPE_LEVEL_3,
    SHAPE_LEAF, // files: a tree is no deeper
    SHAPE_COUNT
};

// Removes what lies in the directory `fd`, which `path` names in `leftovers`: a line for each name that
// stays, with the reason; the first few of many. What others keep in there for a moment (.fuse_hidden of a
// file that is still open) gets about a second to go. True where nothing stays.
bool removal_empty(int fd, enum shape shape, const char *path, struct text *leftovers);

// The same for the directory `name` below `dirfd`, and removes it. One that isn't there is removed.
bool removal_directory(int dirfd, const char *name, enum shape shape, const char *path,
                       struct text *leftovers);
