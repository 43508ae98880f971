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

// The same of the file `folder`/`name`.
bool proc_file_number(const char *folder, const char *name, const char *key, uint64_t *number);

// The first line of a file, without blanks at its end; NULL where there is none or nothing is on it. The
// caller frees it.
char *proc_line(const char *folder, const char *name);
