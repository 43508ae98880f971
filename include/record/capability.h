// capability.h: what a tier supports, found out by trying in the scratch directory. What isn't known is
// absent.
#pragma once

#include "record/fields.h"

#include <stdbool.h>

struct capability {
    struct flag o_direct; // reads and writes pass the page cache by
    char *o_direct_why;   // where not: "open: Invalid argument", "tmpfs takes the flag and ignores it"
    struct count direct_memory_alignment_bytes; // of buffers
    struct count direct_alignment_bytes;        // of offsets and lengths
    struct flag evict;                          // posix_fadvise(DONTNEED) empties the page cache of a file
    char *evict_why;                            // where not
    struct flag residency;                      // mincore tells what is in the page cache
    struct flag d_type;                         // getdents64 tells what an entry is
    struct flag fallocate;
    struct flag xattr; // user.*
    char *syncfs;      // "whole", or "local-only" where a FUSE server isn't asked
};

extern const struct field capability_fields[];

// What was timed on the way, as it is: rules judge it.
struct probes {
    struct count fsync_bytes;    // a file of so many bytes was written,
    struct count write_ns;       // which took so long,
    struct count fsync_ns;       // and fsync of it so long,
    struct count fsync_again_ns; // and a second fsync at once, with nothing to write
    struct count stat_again_ns;  // an fstatat right after another one of the same file
    struct count stat_later_ns;  // and one after the file was left alone for stat_wait_ns
    struct count stat_wait_ns;   // (remote tiers only)
};

extern const struct field probes_fields[];
