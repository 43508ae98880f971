// mounts.h: which file system a directory lies on.
#pragma once

#include "base/error.h"
#include "record/mount.h"

#include <stdbool.h>
#include <stdint.h>

// Finds the line of a mountinfo text (proc(5)) by mount id. Pure. Octal escapes are undone. False where it
// isn't there or can't be read.
bool mountinfo_find(const char *mountinfo, uint64_t id, struct mount *mount);

// Asks the kernel about an open directory: statx's mount id (5.8 and on; else the "mnt_id" of
// /proc/self/fdinfo), its line in /proc/self/mountinfo, and fstatfs. What can't be had stays absent: never an
// error.
void mount_of(int dirfd, struct mount *mount);
