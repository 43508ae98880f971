// signals.h: the signals that end a run or disturb its screen, taken by the main thread and by nobody else.
//
// They are blocked before the first other thread starts, so that no worker's call is ever interrupted, and
// read from a descriptor.
#pragma once

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct signals {
    int fd;     // readable when one has come; for poll()
    int ending; // the first of INT, QUIT, TERM, HUP that came; 0 while none has
    bool twice; // another came later: the user means now
    uint64_t ending_at_ns;
};

// Blocks them. With `screen` also those of a terminal: WINCH, TSTP and CONT. A SIGHUP that is ignored stays
// ignored (nohup).
bool signals_open(struct signals *signals, bool screen, struct error *error);
void signals_close(struct signals *signals); // they stay blocked

// Takes those that have come, without waiting; notes the ending ones in `signals` and returns whether
// `others` (which may be NULL) was given any.
bool signals_read(struct signals *signals, sigset_t *others);

// "SIGTERM"
const char *signals_name(int number, char out[16]);
