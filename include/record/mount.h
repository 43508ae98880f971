// mount.h: what the kernel says of the file system that a directory lies on. What isn't known is absent,
// never 0.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mount {
    char *type;   // "ext4", "fuse.sshfs"; NULL where the mount wasn't found; all strings owned, as the kernel
    char *source; // gives them with its octal escapes undone
    char *target;
    char *options;       // of the mount
    char *super_options; // of the file system
    unsigned major, minor;
    uint64_t id;     // of the mount, as statx and mountinfo have it
    uint64_t f_type; // statfs's magic number
    bool has_f_type;
};

void mount_release(struct mount *mount);

// Whether its files are this machine's memory (tmpfs, ramfs).
bool mount_in_memory(const struct mount *mount);

// Whether its files are reached through a FUSE server or over a network, as far as the type tells.
bool mount_is_remote(const struct mount *mount);

// An option in a comma-separated list (NULL: none) as it stands there: of "max_read", "max_read=131072". Not
// NUL-terminated: it has `*length` bytes. NULL, and length 0, where it isn't there.
const char *mount_find_option(const char *list, const char *name, size_t *length);
