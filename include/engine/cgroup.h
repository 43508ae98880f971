// cgroup.h: the control groups that this process is in, of version 2 and of version 1, as far as their files
// can be seen.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The path of the process's own group, from the text of /proc/self/cgroup: in the hierarchy of version 2
// where `controller` is "", else in the one of version 1 that holds the controller ("memory",
// "name=systemd"). NULL where there is none. The caller frees it. Pure.
char *cgroup_path(const char *text, const char *controller);

// Visits the folders of the process's own group and of all above it, upwards: each can be the one that holds
// it back. Version 2 comes first, then the hierarchy of version 1 that holds the controller; with "", version
// 2 is all. A folder may be missing, and so may any file in it. In a container the path may name groups that
// can't be seen from inside; the topmost that can is the container's own. `root` is put in front of /proc and
// /sys.
void cgroup_walk(const char *root, const char *controller, void (*visit)(void *argument, const char *folder),
                 void *argument);

// What one group is limited to, in the words of either version; false where it isn't. A limit of "max", or
// one that no machine has, is none.
bool cgroup_quota(const char *folder, double *cpus);
bool cgroup_memory_limit(const char *folder, uint64_t *bytes);
bool cgroup_limit(const char *folder, const char *name, uint64_t *limit); // any file that holds a number
