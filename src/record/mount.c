// mount.c: what kind of file system a mount is.
#include "record/mount.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void mount_release(struct mount *mount)
{
    free(mount->type);
    free(mount->source);
    free(mount->target);
    free(mount->options);
    free(mount->super_options);
    *mount = (struct mount){0};
}

static bool is_one_of(const char *type, const char *const names[])
{
    for (; *names; names++)
        if (!strcmp(type, *names))
            return true;
    return false;
}

bool mount_in_memory(const struct mount *mount)
{
    static const char *const names[] = {"tmpfs", "ramfs", "devtmpfs", "hugetlbfs", NULL};
    return mount->type && is_one_of(mount->type, names);
}

bool mount_is_remote(const struct mount *mount)
{
    static const char *const names[] = {"fuse",   "fuseblk", "virtiofs", "nfs",    "nfs4",  "cifs", "smb3",
                                        "smbfs",  "9p",      "ceph",     "afs",    "coda",  "gfs2", "lustre",
                                        "beegfs", "gpfs",    "orangefs", "wekafs", "panfs", NULL};
    static const char subtype[] = "fuse."; // "fuse.sshfs": the server's own name follows
    return mount->type && (is_one_of(mount->type, names) || !strncmp(mount->type, subtype, strlen(subtype)));
}

const char *mount_find_option(const char *list, const char *name, size_t *length)
{
    size_t wanted = strlen(name);
    for (const char *at = list; at && *at; at += *length, at += *at == ',') {
        *length = strcspn(at, ",");
        if (*length >= wanted && strncmp(at, name, wanted) == 0 && (*length == wanted || at[wanted] == '='))
            return at;
    }
    *length = 0;
    return NULL;
}
