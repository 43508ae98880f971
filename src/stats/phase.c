#include "stats/phase.h"

#include <string.h>

static const char *const names[PHASE_COUNT] = {
    [PHASE_OP] = "op",       [PHASE_OPEN] = "open",       [PHASE_READ] = "read",
    [PHASE_WRITE] = "write", [PHASE_FSYNC] = "fsync",     [PHASE_DIRSYNC] = "dirsync",
    [PHASE_CLOSE] = "close", [PHASE_READDIR] = "readdir", [PHASE_RMDIR] = "rmdir",
};

const char *phase_name(enum phase phase)
{
    return names[phase];
}

enum phase phase_by_name(const char *name)
{
    enum phase phase = 0;
    while (phase < PHASE_COUNT && strcmp(names[phase], name) != 0)
        phase++;
    return phase;
}
