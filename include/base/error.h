// error.h: how a failure travels to the user.
//
// A function that can fail returns bool (or a pointer) and takes a `struct error *` last. The innermost
// caller writes what failed, on which path and why; callers on the way up put context in front. The command
// decides what the exit status is, since only it knows whether the user, a disk or a document is to blame.
#pragma once

#include <stdbool.h>

// What the program says to its caller; the table is in the manual page.
enum exit_status {
    EXIT_DONE = 0,         // done, also with discarded or unsupported rows
    EXIT_USAGE = 2,        // the command line, or a directory that can't be used, found before the run
    EXIT_DISK = 3,         // a disk failed, hung, filled in mid-run or gave other bytes back
    EXIT_DOCUMENT = 4,     // a document could not be read
    EXIT_SIGNAL_BASE = 128 // plus the number of the signal
};

enum { ERROR_TEXT_SIZE = 1024 };

// One plain line. It may hold foreign bytes (paths): whoever prints it escapes it for its output.
struct error {
    char text[ERROR_TEXT_SIZE];
};

// Writes the line into `error` (which may be NULL) and returns false, so that a caller can `return fail(…)`.
bool fail(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Puts "CONTEXT: " in front of the line that is there and returns false.
bool fail_context(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
