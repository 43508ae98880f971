// command.h: the table of commands; one file a command.
#pragma once

#include "base/error.h"

struct command {
    const char *name;     // NULL for the console, which needs no word
    const char *usage;    // "diskduel run [OPTIONS] A B"
    const char *summary;  // one line
    const char *examples; // three real ones, a line each
    unsigned accepted;    // the options that it takes (options.h)
    // argv[0] is the command's name, or the program's for the console. Returns an exit status.
    int (*main)(int argc, char **argv);
};

extern const struct command command_console, command_run, command_show, command_clean;
extern const struct command *const commands[]; // those with a name; ends with NULL

const struct command *command_by_name(const char *name); // NULL where there is none

// What --help prints: usage, summary, options, examples; the console's also names the commands. It fits a
// screen of 80 by 24. Returns an exit status.
int command_help(const struct command *command);
int command_version(void);

// "diskduel: TEXT" on standard error, safe to show, and the hint to --help; returns EXIT_USAGE.
int usage_error(const struct command *command, const struct error *error);

// The same without the hint, with a status of the caller's.
int report_error(const struct error *error, enum exit_status status);
