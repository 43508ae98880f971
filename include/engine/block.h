// block.h: block devices, as /sys shows them. `root` is put in front of /sys and /dev: "" but in tests.
#pragma once

#include "record/mount.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// The block device that a mount lies on; 0 where there is none.
dev_t block_of_mount(const char *root, const struct mount *mount);

// The disk that a device is a partition of; else the device itself.
dev_t block_whole(const char *root, dev_t block);

// "sda1", "loop0"; NULL where it isn't known. The caller frees it.
char *block_name(const char *root, dev_t block);

// The first line of a file in the device's folder ("queue/scheduler"); NULL where there is none. The caller
// frees it.
char *block_line(const char *root, dev_t block, const char *file);
bool block_number(const char *root, dev_t block, const char *file, uint64_t *number);
