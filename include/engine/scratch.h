// scratch.h: the one directory that diskduel makes on a tier, and the only place where it writes.
//
// Its name is ".diskduel-" and 16 random hexadecimal digits; it is made 0700, opened O_DIRECTORY|O_NOFOLLOW
// and used through *at() calls from that descriptor. A marker file ".diskduel-RUNID" in it names run,
// process, boot and host; the directory is held by flock(2) as long as the program lives. What is removed is
// only what has the names that diskduel gives (tree.h; "t000", "s000-00" and the like below), by unlinkat,
// never following a link, never crossing a mount.
//
// The marker is the first thing made in it and the last thing removed, so that a program killed at any moment
// leaves a directory that is empty, holds only the beginning of a marker, or is vouched for by a whole one:
// those three are what scratch_clean() removes.
#pragma once

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SCRATCH_NAME_SIZE = 32 };

struct scratch {
    int parent; // not owned
    int dirfd;
    char name[SCRATCH_NAME_SIZE];
};

// Makes, opens, locks and marks the directory below `parent`. Removes it again where a later step fails.
bool scratch_create(struct scratch *scratch, int parent, const char *run_id, struct error *error);

// Removes what lies in it, the marker last, and itself, and closes it. A file that a FUSE server keeps under
// another name while it is open gets a short while to go. What could not be removed is named in `leftovers`,
// a line each, and makes this false.
bool scratch_remove(struct scratch *scratch, struct text *leftovers);

// Closes it and leaves it where it is.
void scratch_abandon(struct scratch *scratch);

// Empties one directory below `dirfd` of files and directories that diskduel names, and removes it.
bool scratch_remove_directory(int dirfd, const char *name, struct text *leftovers);

// What `diskduel clean` does below a directory: removes each unlocked scratch directory that holds a valid
// marker, or nothing but an unfinished one, or nothing. Everything else stays; what looks like ours and stays
// is named with the reason in `kept`, what went in `removed`, a line each. `failed` (may be NULL) tells
// whether something that was to go is among what stays. False where the directory can't be read.
//
// Another user's stays, but for root (a remote disk may give owners of its own: there, permission decides).
// Where flock isn't supported, the marker's process must be gone. Where a lock may not be seen from here
// (none supported, or a remote disk and another host's marker), what was changed in the last ten minutes
// stays.
bool scratch_clean(int parent, struct text *removed, struct text *kept, bool *failed, struct error *error);

// Whether others could move the scratch directory away: the parent is world-writable and not sticky.
bool scratch_parent_is_open(int parent);
