// verify.h: what was written is read back and compared, byte by byte. Untimed, and not on a null tier.
//
// Files are read the way any program reads them, so their bytes may come from the page cache: this finds what
// a client or a server mixed up, cut short or lost, not what decayed on a medium. Small files are read whole;
// for large ones see verify_large.h.
#pragma once

#include "engine/work.h"

#include <stdbool.h>

// All trees that lie there: those that an earlier section wrote go to task->earlier, those that were made for
// this one to task->own. What was read back once isn't again.
void verify_trees_once(struct task *task);

// Reads back those that a section wrote, and removes all. Needs no workload in the task.
bool verify_and_remove_trees(struct task *task);

// Whether it is worth while to go on with the next tree or batch: nobody asked to stop, and no call failed.
bool verify_goes_on(const struct task *task, const struct check *check);
