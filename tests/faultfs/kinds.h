// kinds.h: the kinds of call that a kernel makes to a FUSE disk, and names for groups of them.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { NAMES_SIZE = 128 }; // of a pattern of file names, as a shell has it; empty: all

enum kind {
    KIND_LOOKUP,
    KIND_GETATTR,
    KIND_SETATTR,
    KIND_READLINK,
    KIND_MKNOD,
    KIND_MKDIR,
    KIND_SYMLINK,
    KIND_LINK,
    KIND_UNLINK,
    KIND_RMDIR,
    KIND_RENAME,
    KIND_CREATE,
    KIND_OPEN,
    KIND_READ,
    KIND_WRITE,
    KIND_FALLOCATE,
    KIND_FLUSH, // at each close()
    KIND_FSYNC,
    KIND_RELEASE, // after the last close(); nobody waits for it
    KIND_OPENDIR,
    KIND_READDIR,
    KIND_FSYNCDIR,
    KIND_RELEASEDIR,
    KIND_STATFS,
    KIND_SETXATTR,
    KIND_GETXATTR,
    KIND_LISTXATTR,
    KIND_REMOVEXATTR,
    KIND_COUNT
};

const char *kind_name(enum kind kind);

// A set of kinds, one bit each: of the name of a kind or of a group (all, meta, data, sync).
bool kinds_parse(const char *text, uint64_t *kinds, struct error *error);

static inline bool kinds_have(uint64_t kinds, enum kind kind)
{
    return kinds >> kind & 1;
}

// Prints the groups and what is in them, for --help.
void kinds_print(void);
