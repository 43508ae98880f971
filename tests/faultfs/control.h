// control.h: lines by which a mounted disk is changed and asked, over a Unix socket that lies elsewhere.
//
// A client writes lines, shuts its side down, and reads until the end. The lines are done in order, up to the
// first that fails; the last line of the answer is "ok", or "error: " and why. What was set holds for every
// call that comes after the answer.
#pragma once

#include "base/error.h"
#include "disk.h"

#include <stdbool.h>

// A knob or a fault: NAME=VALUE. On a mounted disk some are refused.
bool control_set(struct disk *disk, const char *words, bool mounted, struct error *error);

int control_listen(const char *path, struct error *error); // a descriptor, or -1
void control_answer(struct disk *disk, int listener);      // one client

// The client's side: sends lines and prints what is said. False where that is an error, or nobody answers.
bool control_ask(const char *path, char *const lines[], int count, struct error *error);

void control_print(void); // for --help
