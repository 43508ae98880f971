// probe.h: what a disk supports, found out by trying, on a file of its own in the scratch directory.
#pragma once

#include "record/capability.h"
#include "record/mount.h"

#define PROBE_NAME "p00" // of the file, while it is there

// Fills in what can be told; a question that a disk doesn't answer stays unknown, and no failure here is an
// error. Leaves nothing behind but what removing the scratch directory takes along. Takes about 1.5 s longer
// on a remote disk, whose memory of a file's attributes is looked at.
void probe_disk(int dirfd, const struct mount *mount, struct capability *capability, struct probes *probes);

// How far syncfs reaches on a file system of that type, on a kernel of that release ("6.18.44"): "whole", or
// "local-only" where the kernel doesn't ask a FUSE server. Pure.
const char *probe_syncfs_reach(const char *type, const char *release);
