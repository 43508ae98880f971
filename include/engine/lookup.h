// lookup.h: asks something that a hanging disk may never answer, on a thread that is given up on when it is
// late.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Runs `look(answer)` on a thread of its own and waits for it, at most that long. True: it has returned, and
// the answer is the caller's. False: it hasn't (or no thread could be had); then thread and answer are given
// up on: `answer` belongs to the thread, which calls `discard(answer)` if it ever returns. So an answer is on
// the heap and holds everything that `look` needs.
bool lookup_run(void (*look)(void *answer), void (*discard)(void *answer), void *answer, uint64_t timeout_ns);
