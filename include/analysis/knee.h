// knee.h: where the speed of one large write changes: two straight lines through the time at each MiB.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KNEE_MIB_LEAST = 20 }; // fewer don't show it

struct knee {
    size_t mib;    // written when it changed; rather late than early
    double before; // MiB a second
    double after;  //
};

// Finds the place between 5 % and 95 % of the write, to half a percent, at which two lines of least squares
// (time against MiB written) leave the least. False where there is none inside of that, or the times are too
// few or don't rise. Whether the speeds differ enough is the caller's question.
bool knee_find(const uint64_t *mib_ns, size_t count, struct knee *knee);
