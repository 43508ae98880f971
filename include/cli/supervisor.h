// supervisor.h: a second process that gives the terminal back when the first one can't.
//
// The program forks once, after its options and before any thread and the screen. The child is the program.
// The parent keeps the terminal's modes, waits for the child, and where the child dies without having left
// the screen (a crash, kill -9), writes the undo bytes that the child handed over and sets the modes again.
// No crash handler runs in the child.
//
// A key's signal reaches both processes, and only the child obeys it; `kill PID` reaches the parent alone,
// which passes it on. When the child stops (Ctrl-Z), the parent stops itself, so that the shell sees its job
// stopped. When the parent dies, the child gets SIGHUP.
#pragma once

#include "base/error.h"

#include <stddef.h>

struct supervisor;

// Returns in the child; the parent stays in here and ends the process with the child's exit status, or with
// 128 plus the number of the signal that killed it. NULL where there can't be a second process.
struct supervisor *supervisor_start(struct error *error);

// What undoes the screen, from the moment that it is open. Bytes past 1024 are left out.
void supervisor_guard(struct supervisor *supervisor, const char *undo, size_t length);

// The screen was left in good order.
void supervisor_release(struct supervisor *supervisor);
