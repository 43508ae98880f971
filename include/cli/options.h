// options.h: the options of all commands, read by one table, which --help prints too.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "record/thresholds.h"
#include "spec/plan.h"

#include <stdbool.h>

struct report_format;

struct options {
    struct plan_request plan; // its strings are the command line's
    struct thresholds thresholds;
    const char *self;                   // --self RUN
    const char *runs;                   // --runs DIR
    const char *output;                 // -o FILE; "-" is standard output
    const struct report_format *format; // NULL: the brief table
    bool dry_run;
    bool no_colour;
    bool ascii;
    bool help;
    bool version;
    char **arguments; // what isn't an option, NULL at the end
    int argument_count;
    char **words; // owned: the command line as it was sorted
};

// Which options a command takes (bits).
enum {
    OPTIONS_PLAN = 1,     // what is to be measured
    OPTIONS_RUNS = 2,     // where runs are kept
    OPTIONS_OUTPUT = 4,   // where this one goes
    OPTIONS_SCREEN = 8,   // how the console looks
    OPTIONS_PROGRAM = 16, // what is asked of the program and not of a command
    OPTIONS_SHOW = 32     // how a saved run is shown
};

struct option_entry {
    char letter;          // 0: there is no short form
    const char *name;     // of the long form
    const char *argument; // what its value is called; NULL: it takes none
    const char *help;     // one line; NULL: not listed, since a list has to fit a screen
    unsigned accepted;    // by the commands that take one of these; 0: by all
    bool (*set)(struct options *options, const char *value, struct error *error);
};

extern const struct option_entry option_entries[]; // ends with name NULL

// Reads them; argv stays as it is. Where something is wrong, says what in one line. The caller releases both
// ways.
bool options_read(struct options *options, unsigned accepted, int argc, char **argv, struct error *error);
void options_release(struct options *options);

// Refuses fewer than `least` or more than `most` arguments. `what` says what they are ("a run").
bool options_count(const struct options *options, int least, int most, const char *what, struct error *error);

// Appends the lines of --help for those options, aligned.
void options_list(unsigned accepted, struct text *out);
