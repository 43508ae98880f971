#include "stats/progress.h"

static const char *const names[CALL_COUNT] = {
    [CALL_NONE] = "nothing",      [CALL_OPENAT] = "openat",
    [CALL_WRITE] = "write",       [CALL_READ] = "read",
    [CALL_FSYNC] = "fsync",       [CALL_DIRSYNC] = "fsync",
    [CALL_CLOSE] = "close",       [CALL_FSTATAT] = "fstatat",
    [CALL_RENAMEAT] = "renameat", [CALL_FADVISE] = "posix_fadvise",
    [CALL_MINCORE] = "mincore",   [CALL_UNLINKAT] = "unlinkat",
    [CALL_MKDIRAT] = "mkdirat",   [CALL_RMDIR] = "rmdir",
    [CALL_GETDENTS] = "getdents", [CALL_SYNCFS] = "syncfs",
    [CALL_VERIFY] = "verify",
};

const char *call_name(enum call call)
{
    return names[call];
}
