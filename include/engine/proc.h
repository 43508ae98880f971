// proc.h: the kernel's small text files (/proc, /sys), read whole.
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// Appends what the file holds. False where it can't be opened or read to its end, or is absurdly long: what
// the kernel doesn't tell is unknown, never an error.
bool proc_read(const char *path, struct text *text);

// The number that follows `key` at the beginning of a line ("MemAvailable:", "mnt_id:"), past blanks.
bool proc_number(const char *text, const char *key, uint64_t *number);
