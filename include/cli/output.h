// output.h: what the program prints. Data goes to standard output, talk to standard error; foreign bytes are
// made safe before a terminal sees them.
#pragma once

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

enum { EXIT_READER_GONE = 141 }; // as SIGPIPE would have it

// Whether the terminal, by the locale, shows UTF-8.
bool output_utf8(void);

// Writes the text to standard output as it is and returns `status`. Where the reader is gone it says nothing
// and returns EXIT_READER_GONE; where the output can't be written for another reason, it says so and returns
// EXIT_DISK.
int output_text(const struct text *text, int status);

// Writes the text to a new file. A file that is there, of whatever kind, is never touched; one that can't be
// written whole is removed again.
bool output_file(const char *path, const struct text *text, struct error *error);

// "diskduel: TEXT" on standard error, safe to show. Nobody is told if that fails.
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Each line of `lines` on standard error, safe to show, after `prefix`.
void output_lines(const char *prefix, const char *lines);

// Appends each line of `lines`, safe to show, after `prefix`.
void output_put_lines(struct text *text, const char *prefix, const char *lines, bool ascii);
