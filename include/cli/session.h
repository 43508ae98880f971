// session.h: what run and console have in common: from two arguments to a run that is ready to start, and its
// end.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "cli/options.h"
#include "engine/engine.h"
#include "engine/target.h"
#include "record/run.h"
#include "record/store.h"

#include <stdbool.h>

struct session {
    struct run run;
    struct target targets[RUN_TIERS_MOST];
    struct store_place store;
    bool has_store;
    char *warning;     // what must be seen on the screen too: one disk, or A and B look swapped; NULL else
    struct text notes; // what the user should know before it starts, a line each; the warning is among them
};

// Reads the tiers, makes the plan, opens the directories, names the tiers, checks room and whether they are
// two disks, and opens the place for the document, in this order; nothing has been written to a tier when it
// returns. Any failure is the user's to mend: EXIT_DOCUMENT where --self names a run that can't be read, else
// EXIT_USAGE. With options->dry_run no place for a document is opened. argv is the command's, for the
// document. session_close() releases it either way.
enum exit_status session_open(struct session *session, const struct options *options, int argc, char **argv,
                              struct error *error);

// `screen`: a console is drawn meanwhile, which the document says.
bool session_start(struct session *session, bool screen, struct engine **engine, struct error *error);

// Says why a run could not begin, and what of it was left behind; gives the exit status.
int session_failed(struct engine *engine, const struct error *error);

// The exit status that a finished run deserves: EXIT_DISK where a section failed, or something could not be
// removed or saved, else EXIT_DONE.
int session_status(const struct session *session, struct engine *engine);

// Appends what the table doesn't tell, a line each: what was left on a disk, and where the document lies or
// why it doesn't. After engine_wait() said true.
void session_outcome(const struct session *session, struct engine *engine, struct text *lines);

// Ends the program at once, with threads that may hang in a call, and says what may be left on the disks and
// which command removes it. Touches no disk.
_Noreturn void session_abandon(const struct session *session, int status);

void session_close(struct session *session);

// Appends the table of a run: the same for a run that just ended and for its document.
void session_table(const struct run *run, const struct judgement *judgement, struct text *text);
