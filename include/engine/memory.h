// memory.h: how much memory the program may still take: files of a tmpfs are memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The least of MemAvailable and of what the memory control groups, its own and those above it, have left
// (cgroup v2 and v1; page cache that can be dropped counts as left). `root` is put in front of /proc and
// /sys: "" but in tests. False where nothing tells.
bool memory_left(const char *root, uint64_t *bytes);
