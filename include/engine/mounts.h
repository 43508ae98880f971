// mounts.h: which file system a directory lies on.
#pragma once

#include "base/error.h"
#include "record/mount.h"

#include <stdbool.h>
#include <stdint.h>

// Finds the line of a mountinfo text (proc(5)) by mount id. Pure. Octal escapes are undone. False where it
// isn't there or can't be read; `mount`, empty before, is filled only where it is true.
bool mountinfo_find(const char *mountinfo, uint64_t id, struct mount *mount);

// The id of the mount that an open file or directory was reached through: statx's (5.8 and on), else the
// "mnt_id" of /proc/self/fdinfo. False where neither can be had. No server is asked.
bool mount_id_of(int fd, uint64_t *id);

// Asks the kernel about an open directory: its mount id, the line of that in /proc/self/mountinfo, and
// fstatfs. `mount` is empty before. What can't be had stays absent: never an error.
void mount_of(int dirfd, struct mount *mount);
