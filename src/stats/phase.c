#include "stats/phase.h"

static const char *const names[PHASE_COUNT] = {
    [PHASE_OP] = "op",       [PHASE_OPEN] = "open",       [PHASE_READ] = "read",
    [PHASE_WRITE] = "write", [PHASE_FSYNC] = "fsync",     [PHASE_DIRSYNC] = "dirsync",
    [PHASE_CLOSE] = "close", [PHASE_READDIR] = "readdir", [PHASE_RMDIR] = "rmdir",
};

const char *phase_name(enum phase phase)
{
    return names[phase];
}
