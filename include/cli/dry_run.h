// dry_run.h: what a run would do, as text: operations, bytes and files for each disk, what each disk is and
// has room for, and in how many sections. What isn't known is called unknown.
#pragma once

#include "cli/session.h"

// On standard output; returns an exit status.
int dry_run_print(const struct session *session);
