// device.h (engine): asks the kernel what lies below a mount. No server is asked, and nothing here can hang
// on a disk.
#pragma once

#include "record/device.h"
#include "record/mount.h"

// `root` is put in front of /proc and /sys: "" but in tests.
void device_of(const char *root, const struct mount *mount, struct device *device);
