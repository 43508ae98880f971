// options.h: the options that commands share, read by one table, which --help and the manual page list too.
#pragma once

#include "base/error.h"
#include "cli/command.h"
#include "spec/plan.h"
#include "spec/tier.h"

#include <stdbool.h>

struct options {
    struct plan_request plan;
    const char *runs;   // --runs DIR
    const char *output; // -o FILE; "-" is standard output
    bool dry_run;
    bool no_colour;
    bool ascii;
    bool help;
    char **arguments; // what isn't an option
    int argument_count;
};

// Which options a command takes (bits).
enum { OPTIONS_PLAN = 1, OPTIONS_RUNS = 2, OPTIONS_SCREEN = 4 };

// Reads them. Where something is wrong, says what in one line.
bool options_read(struct options *options, unsigned accepted, int argc, char **argv, struct error *error);

// Prints a command's help: usage, summary, the options that it takes, examples. It fits a screen.
void options_help(const struct command *command, unsigned accepted);
