// mounts.h: which file system a directory lies on.
#pragma once

#include "base/error.h"
#include "record/mount.h"

#include <stdbool.h>
#include <stdint.h>

// Finds the line of a mountinfo text (proc(5)) by mount id. Pure. Octal escapes are undone. False where it
// isn't there or can't be read; `mount`, empty before, is filled only where it is true.
bool mountinfo_find(const char *mountinfo, uint64_t id, struct mount *mount);

// Finds the mount that an absolute path lies on, by its text alone: the one with the longest target that it
// begins with, the last where several are mounted there. `remote` tells whether any mount on the way to it is
// FUSE or a network's. Pure.
bool mountinfo_find_path(const char *mountinfo, const char *path, struct mount *mount, bool *remote);

// The mount of what stands at a path that the kernel names: an overlay's upper layer, the file of a loop
// device. False where nothing does: in a container such a path is the host's. It is looked up only where no
// server has to be asked on the way (and whoever uses such a path keeps it in the kernel's memory of names,
// so that no disk has to be asked either); elsewhere the path's text is all there is. `root` is put in front
// of /proc and of the path.
bool mount_of_path(const char *root, const char *path, struct mount *mount);

// The directory that an overlay's upper layer is, as the mount names it; NULL where it has none. The caller
// frees it.
char *mount_overlay_upper(const struct mount *mount);

// The value of a super option ("upperdir", "max_read"); NULL where it isn't there. The caller frees it.
char *mount_super_option(const struct mount *mount, const char *name);

// The id of the mount that an open file or directory was reached through: statx's (5.8 and on), else the
// "mnt_id" of /proc/self/fdinfo. False where neither can be had. No server is asked.
bool mount_id_of(int fd, uint64_t *id);

// Asks the kernel about an open directory: its mount id, the line of that in /proc/self/mountinfo, and
// fstatfs. `mount` is empty before. What can't be had stays absent: never an error.
void mount_of(int dirfd, struct mount *mount);
