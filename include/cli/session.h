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

struct session {
    struct run run;
    struct target targets[RUN_TIERS_MOST];
    struct store_place store;
    bool has_store;
    struct text notes; // what the user should know before it starts, a line each
};

// Reads the tiers, makes the plan, opens the directories, names the tiers, checks room and whether they are
// two disks, and opens the place for the document, in this order; nothing has been written to a tier when it
// returns. Any failure is the user's to mend (EXIT_USAGE). With options->dry_run no place for a document is
// opened.
bool session_open(struct session *session, const struct options *options, int argc, char **argv,
                  struct error *error);

bool session_start(struct session *session, struct engine **engine, struct error *error);

// The exit status that a finished run deserves: EXIT_DISK where a section failed or something could not be
// removed, else EXIT_DONE.
int session_status(const struct session *session, const struct engine *engine);
void session_close(struct session *session);
