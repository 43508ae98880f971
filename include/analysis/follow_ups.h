// follow_ups.h: what the rules would like to see once more before they judge.
//
// A second block of a workload after 20 s idle, where its first round stands apart (first use or chance?);
// direct reads in the size of the kernel's read-ahead, where a direct read beats a buffered one; a walk after
// the attribute cache's time, on a remote disk; a larger size, where the largest is still partly buffer.
#pragma once

#include "record/run.h"
#include "spec/follow_up.h"

#include <stddef.h>

// Fills `list` and returns how many they are. Pure. What was followed up already isn't asked again.
size_t follow_ups_wanted(const struct run *run, struct follow_up list[FOLLOW_UPS_MOST]);
