// knobs.h: how the disk behaves: a table of names with values, each settable when it is mounted and most of
// them later.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "kinds.h"

#include <stdbool.h>
#include <stdint.h>

// What a call that should make bytes durable does.
enum durability {
    DURABILITY_FILE,  // waits until the file's bytes have left the write buffer
    DURABILITY_ALL,   // waits until the buffer is empty
    DURABILITY_NOOP,  // says that all is well, and has done nothing
    DURABILITY_ENOSYS // says that it doesn't know the call; the kernel asks never again, and tells programs:
                      // done
};

struct knobs {
    uint64_t latency_ns[KIND_COUNT];
    uint64_t read_rate, write_rate;   // bytes a second; 0: no limit
    uint64_t buffer_bytes, drain;     // the write buffer and the rate behind it; 0: no limit
    uint64_t stall_ns, stall_idle_ns; // longer for a first call, and for the first after such a pause
    uint64_t stall_kinds;
    char stall_names[NAMES_SIZE];
    uint64_t attr_timeout_ns, entry_timeout_ns;
    int fsync, flush; // enum durability
    bool drop_removed;
    bool serial, sync_reads;
    bool keep_cache, direct_io;
    bool odirect, dirent_types, statfs, xattr, fallocate;
};

extern const struct knobs knobs_default;

// Sets one knob by its words. On a disk that is mounted already some can't be.
bool knobs_set(struct knobs *knobs, const char *name, const char *value, bool mounted, struct error *error);

void knobs_show(const struct knobs *knobs, struct text *answer); // a line for each: NAME=VALUE
void knobs_print(void);                                          // for --help
