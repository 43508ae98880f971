#include "kinds.h"

#include <stdio.h>
#include <string.h>

#define BIT(kind) (UINT64_C(1) << (kind))

static const char *const names[KIND_COUNT] = {
    [KIND_LOOKUP] = "lookup",
    [KIND_GETATTR] = "getattr",
    [KIND_SETATTR] = "setattr",
    [KIND_READLINK] = "readlink",
    [KIND_MKNOD] = "mknod",
    [KIND_MKDIR] = "mkdir",
    [KIND_SYMLINK] = "symlink",
    [KIND_LINK] = "link",
    [KIND_UNLINK] = "unlink",
    [KIND_RMDIR] = "rmdir",
    [KIND_RENAME] = "rename",
    [KIND_CREATE] = "create",
    [KIND_OPEN] = "open",
    [KIND_READ] = "read",
    [KIND_WRITE] = "write",
    [KIND_FALLOCATE] = "fallocate",
    [KIND_FLUSH] = "flush",
    [KIND_FSYNC] = "fsync",
    [KIND_RELEASE] = "release",
    [KIND_OPENDIR] = "opendir",
    [KIND_READDIR] = "readdir",
    [KIND_FSYNCDIR] = "fsyncdir",
    [KIND_RELEASEDIR] = "releasedir",
    [KIND_STATFS] = "statfs",
    [KIND_SETXATTR] = "setxattr",
    [KIND_GETXATTR] = "getxattr",
    [KIND_LISTXATTR] = "listxattr",
    [KIND_REMOVEXATTR] = "removexattr",
};

static const struct group {
    const char *name;
    uint64_t kinds;
} groups[] = {
    {"all", BIT(KIND_COUNT) - 1},
    {"meta", BIT(KIND_LOOKUP) | BIT(KIND_GETATTR) | BIT(KIND_SETATTR) | BIT(KIND_READLINK) | BIT(KIND_MKNOD) |
                 BIT(KIND_MKDIR) | BIT(KIND_SYMLINK) | BIT(KIND_LINK) | BIT(KIND_UNLINK) | BIT(KIND_RMDIR) |
                 BIT(KIND_RENAME) | BIT(KIND_CREATE) | BIT(KIND_OPEN) | BIT(KIND_OPENDIR) |
                 BIT(KIND_READDIR) | BIT(KIND_STATFS)},
    {"data", BIT(KIND_READ) | BIT(KIND_WRITE)},
    {"sync", BIT(KIND_FLUSH) | BIT(KIND_FSYNC) | BIT(KIND_FSYNCDIR)},
};
enum { GROUP_COUNT = sizeof groups / sizeof *groups };

const char *kind_name(enum kind kind)
{
    return names[kind];
}

bool kinds_parse(const char *text, uint64_t *kinds, struct error *error)
{
    for (int i = 0; i < GROUP_COUNT; i++) {
        if (strcmp(groups[i].name, text) != 0)
            continue;
        *kinds = groups[i].kinds;
        return true;
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (strcmp(names[kind], text) != 0)
            continue;
        *kinds = BIT(kind);
        return true;
    }
    return fail(error, "'%s' is no kind of call", text);
}

void kinds_print(void)
{
    for (int i = 0; i < GROUP_COUNT; i++) {
        printf("  %-5s", groups[i].name);
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            if (kind == KIND_COUNT / 2 && i == 0)
                printf("\n       ");
            if (kinds_have(groups[i].kinds, (enum kind)kind))
                printf(" %s", names[kind]);
        }
        putchar('\n');
    }
}
