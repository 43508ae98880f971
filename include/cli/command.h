// command.h: the table of commands; one file a command.
#pragma once

#include "base/error.h"

struct options;

struct command {
    const char *name;     // NULL for the console, which needs no word
    const char *usage;    // "diskduel run [OPTIONS] A B"
    const char *summary;  // one line
    const char *examples; // three real ones, a line each
    unsigned accepted;    // the options that it takes (options.h)
    int least, most;      // how many arguments it takes
    const char *what;     // and what they are
    // Does it, once the command line is read. argv[0] is the command's name, or the program's for the
    // console. Returns an exit status.
    int (*perform)(const struct options *options, int argc, char **argv);
};

extern const struct command command_console, command_run, command_show, command_clean;
extern const struct command *const commands[]; // those with a name; ends with NULL

const struct command *command_by_name(const char *name); // NULL where there is none

// Reads the command line and does what it asks for: the command, or --help or --version. --help prints usage,
// summary, options and examples, the console's also names the commands; it fits a screen of 80 by 24. Returns
// an exit status.
int command_main(const struct command *command, int argc, char **argv);

// "diskduel: TEXT" on standard error, safe to show, and the hint to --help; returns EXIT_USAGE.
int usage_error(const struct command *command, const struct error *error);

// The same without the hint, with a status of the caller's.
int report_error(const struct error *error, enum exit_status status);
