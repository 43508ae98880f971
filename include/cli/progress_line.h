// progress_line.h: how far a headless run is, on standard error.
//
// On a terminal it is one line that is drawn again in place, without escape sequences. Anywhere else it is a
// plain line for each workload of a round.
#pragma once

#include "engine/engine.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

struct progress_line {
    bool terminal;
    size_t columns; // of what stands on the terminal's line
    size_t last;    // section of the last plain line
    bool any;
};

void progress_line_open(struct progress_line *line);

// False where the reader of standard error went away (EPIPE): the run is to end, as SIGPIPE would end it.
bool progress_line_show(struct progress_line *line, const struct run *run, const struct engine_look *look);
void progress_line_clear(struct progress_line *line);
