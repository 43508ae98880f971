// store.h: where documents are kept. The only file that opens documents.
//
// A document is written beside its final name (".diskduel-document-" and 16 random digits), synced, renamed
// over it, and the folder synced: a crash leaves the old one or the new one. Names are opened O_EXCL and
// O_NOFOLLOW. Among the runs a document is 0600, and folders that are made are 0700, whatever the umask is; a
// FILE of the user's gets the mode that the umask gives, and its owner can always read it.
#pragma once

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Where one run's document goes.
struct store_place {
    int folder;  // descriptor, or -1
    char *name;  // of the file in the folder
    char *path;  // as a user would write it
    mode_t mode; // of the file
};

// The runs' folder: `runs` where it isn't NULL, else $XDG_STATE_HOME/diskduel/runs (where that is an absolute
// path), else ~/.local/state/diskduel/runs, where ~ is $HOME, else the home that the user database knows. The
// caller frees it. NULL where there is no home.
char *store_folder(const char *runs, struct error *error);

// Opens (and makes, 0700) the folder and checks that a file can be written there, before anything is
// measured; removes what a save that was killed left there more than ten minutes ago. For the umask it must
// be called while there are no other threads. `output` is the user's -o FILE or NULL (also for `-o -`, which
// keeps the copy among the runs): it replaces that copy, and its folder isn't made. A FILE that exists is
// replaced only if it is a run's document, told by its first member; anything else of the user's is refused,
// so is a link. On an error there is nothing to close.
bool store_open(struct store_place *place, const char *runs, const char *output, const char *run_id,
                struct error *error);

// Looks again at what stands at the name, and leaves it where it may not be replaced. So does a document that
// store_read() would refuse for its length: the last one stays.
bool store_save(const struct store_place *place, const struct text *document, struct error *error);
void store_close(struct store_place *place);

// Reads the document that RUN names: a path if it holds a '/' or ends in .json, "-" for standard input, else
// "last" or the beginning of an id among the runs. Not a plain file, too large, none, or several (which are
// named): an error.
bool store_read(const char *runs, const char *name, struct text *document, struct error *error);
