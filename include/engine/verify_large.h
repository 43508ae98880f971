// verify_large.h: large files are read back: of each the first, the last and 62 blocks of 4 KiB between them,
// or all with verify_full. What is found goes to task->own. Untimed, and not on a null tier.
#pragma once

#include "engine/work.h"

enum { VERIFY_SPREAD = 64 };

// The files that this task's section wrote in sequence, of all batches.
void verify_sequential(struct task *task);

// The files that lie there to be read.
void verify_layout(struct task *task);

// The same after random writes went over them: each block that was written holds what was written to it last;
// of the others a spread holds what lay there before.
void verify_random_writes(struct task *task);

// The logs of commits, of all batches, whole.
void verify_logs(struct task *task);
