// marker.h: the file in a scratch directory that says whose it is: ".diskduel-RUNID".
//
// A few lines of "key value" between a first line with the format's version and a last line "end", by which
// one that was cut short is known.
#pragma once

#include "base/error.h"
#include "record/run.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { MARKER_NAME_SIZE = RUN_ID_SIZE + 16, MARKER_WORD_SIZE = 72 };

struct marker {
    char run[RUN_ID_SIZE];
    uint64_t pid;
    uint64_t start;              // of the process, in ticks since boot; 0 where /proc doesn't tell
    char boot[MARKER_WORD_SIZE]; // boot id; "" where unknown
    char host[MARKER_WORD_SIZE];
};

enum marker_state { MARKER_VALID, MARKER_UNFINISHED, MARKER_FOREIGN };

void marker_of_self(struct marker *marker, const char *run_id);

// Whether a file of that name may be a marker.
bool marker_name_is(const char *name);

// Makes the file below `dirfd` (never an existing one), 0600 whatever the umask. `owner` is given its owner,
// as the file system has it.
bool marker_write(const struct marker *marker, int dirfd, uid_t *owner, struct error *error);

// Reads one, which may be anybody's. Unfinished is one that a killed program may have left: the beginning of
// a valid one.
enum marker_state marker_read(int dirfd, const char *name, struct marker *marker);

// Whether the process that the marker names runs now, on this machine since the same boot.
bool marker_process_lives(const struct marker *marker);

// Whether the marker was made since this machine's last boot, or at least on a machine of this name.
bool marker_same_boot(const struct marker *marker);
bool marker_same_host(const struct marker *marker);
