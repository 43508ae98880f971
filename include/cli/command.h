// command.h: the table of commands; one file a command.
#pragma once

#include "base/error.h"

struct command {
    const char *name;                   // NULL for the console, which needs no word
    const char *usage;                  // "diskduel run [OPTIONS] A B"
    const char *summary;                // one line
    const char *help;                   // options apart, with three examples
    int (*main)(int argc, char **argv); // argv[0] is the command's name; returns an exit status
};

extern const struct command command_console, command_run, command_show, command_clean;
extern const struct command *const commands[]; // ends with NULL

// "diskduel: TEXT" on standard error, safe to show, and the hint to --help; returns EXIT_USAGE.
int usage_error(const struct command *command, const struct error *error);

// The same without the hint, with a status of the caller's.
int report_error(const struct error *error, enum exit_status status);
