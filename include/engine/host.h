// host.h (engine): asks the kernel about the machine. What can't be had stays unknown; nothing here can hang
// on a disk that is measured.
#pragma once

#include "record/host.h"

// `root` is put in front of /proc, /sys and /etc: "" but in tests.
void host_look(const char *root, struct host *host);
