// tier.h: a disk as the user names it: DIR, NAME=DIR, or null: (no disk at all: every call succeeds and does
// nothing).
#pragma once

#include "base/error.h"

#include <stdbool.h>

struct tier_name {
    char *name; // what stands before the first '=' where no '/' stands before it; NULL where none was given;
                // owned
    char *path; // owned
    bool null;
};

// Refuses an empty path, and a name that is empty, longer than 32 bytes or holds control characters.
bool tier_name_parse(const char *argument, struct tier_name *tier, struct error *error);
void tier_name_release(struct tier_name *tier);
