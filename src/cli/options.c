#include "cli/options.h"

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "report/report.h"
#include "spec/tree.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool set_profile(struct options *options, const char *value, struct error *error)
{
    (void)error;
    options->plan.profile = value;
    return true;
}

static bool set_workloads(struct options *options, const char *value, struct error *error)
{
    (void)error;
    options->plan.workloads = value;
    return true;
}

static bool set_rounds(struct options *options, const char *value, struct error *error)
{
    return units_parse_count("--rounds", value, 1, PLAN_ROUNDS_MOST, &options->plan.rounds, error);
}

static bool set_files(struct options *options, const char *value, struct error *error)
{
    return units_parse_count("--files", value, 1, TREE_FILES_MOST, &options->plan.files, error);
}

static bool parse_size(const char *name, const char *value, uint64_t least, uint64_t most, uint64_t *bytes,
                       struct error *error)
{
    if (!units_parse_size(name, value, bytes, error))
        return false;
    if (*bytes >= least && *bytes <= most)
        return true;
    char from[UNITS_TEXT_SIZE], to[UNITS_TEXT_SIZE];
    units_bytes(least, from);
    units_bytes(most, to);
    return fail(error, "%s: '%s' is not between %s and %s", name, value, from, to);
}

static bool set_file_size(struct options *options, const char *value, struct error *error)
{
    options->plan.has_file_bytes = true;
    return parse_size("--file-size", value, 0, PLAN_FILE_BYTES_MOST, &options->plan.file_bytes, error);
}

static bool set_sizes(struct options *options, const char *value, struct error *error)
{
    struct plan_request *plan = &options->plan;
    plan->size_count = 0;
    for (;;) {
        size_t length = strcspn(value, ",");
        if (plan->size_count == PLAN_SIZES_MOST)
            return fail(error, "--sizes: more than %d sizes", PLAN_SIZES_MOST);
        char *size = xstrndup(value, length);
        uint64_t *bytes = &plan->sizes[plan->size_count++];
        bool good = units_parse_size("--sizes", size, bytes, error);
        if (good && (*bytes == 0 || *bytes % MIB != 0))
            good = fail(error, "--sizes: '%s' is not a whole number of MiB (write 64MiB)", size);
        free(size);
        if (!good || value[length] == '\0')
            return good;
        value += length + 1;
    }
}

static bool set_threads(struct options *options, const char *value, struct error *error)
{
    struct plan_request *plan = &options->plan;
    plan->thread_count = 0;
    for (;;) {
        size_t length = strcspn(value, ",");
        if (plan->thread_count == PLAN_THREAD_COUNTS_MOST)
            return fail(error, "--threads: more than %d numbers", PLAN_THREAD_COUNTS_MOST);
        char *count = xstrndup(value, length);
        bool good = units_parse_count("--threads", count, 1, PLAN_THREADS_MOST,
                                      &plan->threads[plan->thread_count++], error);
        free(count);
        if (!good || value[length] == '\0')
            return good;
        value += length + 1;
    }
}

static bool set_sync(struct options *options, const char *value, struct error *error)
{
    options->plan.has_sync = true;
    options->plan.sync = sync_by_name(value);
    if (options->plan.sync != SYNC_COUNT && options->plan.sync != SYNC_MACHINE)
        return true;
    return fail(error, "--sync: '%s' is none of none, syncfs, fsync", value);
}

static bool set_max_time(struct options *options, const char *value, struct error *error)
{
    uint64_t *most_ns = &options->plan.max_time_ns;
    if (!units_parse_duration("--max-time", value, most_ns, error))
        return false;
    if (*most_ns >= NS_PER_S && *most_ns <= PLAN_TIME_MOST)
        return true;
    return fail(error, "--max-time: '%s' is not between 1s and 720h", value);
}

static bool set_block(struct options *options, const char *value, struct error *error)
{
    return parse_size("--block", value, PLAN_BLOCK_LEAST, PLAN_BLOCK_MOST, &options->plan.block_bytes, error);
}

static bool set_seed(struct options *options, const char *value, struct error *error)
{
    options->plan.has_seed = true;
    return units_parse_count("--seed", value, 0, PLAN_SEED_MOST, &options->plan.seed, error);
}

static bool set_no_warmup(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->plan.no_warmup = true;
    return true;
}

static bool set_verify(struct options *options, const char *value, struct error *error)
{
    options->plan.verify_full = strcmp(value, "full") == 0;
    if (!options->plan.verify_full && strcmp(value, "sample") != 0)
        return fail(error, "--verify: '%s' is neither sample nor full", value);
    return true;
}

static bool set_same_disk(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->plan.same_disk = true;
    return true;
}

static bool set_no_follow_up(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->plan.no_follow_up = true;
    return true;
}

static bool set_threshold(struct options *options, const char *value, struct error *error)
{
    return thresholds_set(&options->thresholds, value, error) || fail_context(error, "--threshold");
}

static bool set_dry_run(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->dry_run = true;
    return true;
}

static bool set_self(struct options *options, const char *value, struct error *error)
{
    options->self = value;
    return *value || fail(error, "--self: the name of the run is empty");
}

static bool set_runs(struct options *options, const char *value, struct error *error)
{
    options->runs = value;
    return *value || fail(error, "--runs: the name of the folder is empty");
}

static bool set_output(struct options *options, const char *value, struct error *error)
{
    options->output = value;
    return *value || fail(error, "--output: the name of the file is empty");
}

static bool set_format(struct options *options, const char *value, struct error *error)
{
    options->format = report_format_by_name(value);
    if (options->format)
        return true;
    struct text names = {0};
    report_put_names(&names);
    fail(error, "--format: '%s' is none of %s", value, text_string(&names));
    text_free(&names);
    return false;
}

static bool set_no_colour(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->no_colour = true;
    return true;
}

static bool set_ascii(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->ascii = true;
    return true;
}

static bool set_help(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->help = true;
    return true;
}

static bool set_version(struct options *options, const char *value, struct error *error)
{
    (void)value;
    (void)error;
    options->version = true;
    return true;
}

const struct option_entry option_entries[] = {
    {'p', "profile", "NAME", "agent-disk (default), quick, npm-install, git, database", OPTIONS_PLAN,
     set_profile},
    {'w', "workloads", "LIST", "only these: create,read-tree,seq-read,commit (see man)", OPTIONS_PLAN,
     set_workloads},
    {'r', "rounds", "N", "how often each is done on each disk", OPTIONS_PLAN, set_rounds},
    {'f', "files", "N", "small files in the tree", OPTIONS_PLAN, set_files},
    {'s', "file-size", "SIZE", "of a small file: 4096, 4KiB, 10kB", OPTIONS_PLAN, set_file_size},
    {0, "sizes", "LIST", "of the large files, whole MiB: 64MiB,1GiB", OPTIONS_PLAN, set_sizes},
    {'t', "threads", "LIST", "that work on a disk at a time: 4, or 1,2,4,8 in turn", OPTIONS_PLAN,
     set_threads},
    {'b', "block", "SIZE", "of one write to a large file, 4KiB to 64MiB", OPTIONS_PLAN, set_block},
    {0, "sync", "HOW", "of small files: none, syncfs or fsync", OPTIONS_PLAN, set_sync},
    {0, "max-time", "TIME", "leave out rounds that end later: 90s, 5m, 1h30m", OPTIONS_PLAN, set_max_time},
    {0, "seed", "N", "of the order and of the data", OPTIONS_PLAN, set_seed},
    {0, "no-warmup", NULL, "no round 0, which shows the first use", OPTIONS_PLAN, set_no_warmup},
    {0, "verify", "HOW", "large files are read back as a sample or in full", OPTIONS_PLAN, set_verify},
    {0, "same-disk", NULL, NULL, OPTIONS_PLAN, set_same_disk}, // the note that there are no ratios names it
    {0, "no-follow-up", NULL, NULL, OPTIONS_PLAN, set_no_follow_up}, // the manual page tells of it
    {0, "threshold", "NAME=VALUE", NULL, OPTIONS_PLAN | OPTIONS_SHOW, set_threshold}, // the reports name it
    {0, "dry-run", NULL, "print the plan and write nothing", OPTIONS_PLAN, set_dry_run},
    {0, "self", "RUN", NULL, OPTIONS_PLAN, set_self},
    {0, "runs", "DIR", "the folder where runs are kept", OPTIONS_RUNS, set_runs},
    {'o', "output", "FILE", "save this run as FILE instead; - is standard output", OPTIONS_OUTPUT,
     set_output},
    {0, "format", "NAME", "the whole page: text, markdown, html, csv or json", OPTIONS_SHOW, set_format},
    {'o', "output", "FILE", "write it to FILE, which must be new", OPTIONS_SHOW, set_output},
    {0, "no-color", NULL, "no colours on the screen", OPTIONS_SCREEN, set_no_colour},
    {0, "ascii", NULL, "draw with ASCII characters alone", OPTIONS_SCREEN, set_ascii},
    {'h', "help", NULL, NULL, 0, set_help},
    {0, "version", NULL, "version, commit, compiler and features", OPTIONS_PROGRAM, set_version},
    {0, NULL, NULL, NULL, 0, NULL},
};

enum { ENTRIES = sizeof option_entries / sizeof *option_entries - 1 };

static bool is_accepted(const struct option_entry *entry, unsigned accepted)
{
    return entry->accepted == 0 || (entry->accepted & accepted) != 0;
}

// What getopt_long reads: the accepted entries; a long option's value is its index past the letters.
struct getopt_table {
    struct option longs[ENTRIES + 1];
    char shorts[2 * ENTRIES + 2];
};

static void table_make(struct getopt_table *table, unsigned accepted)
{
    *table = (struct getopt_table){0};
    size_t longs = 0, shorts = 0;
    table->shorts[shorts++] = ':'; // a missing value is told apart from an unknown option
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct option_entry *entry = &option_entries[i];
        if (!is_accepted(entry, accepted))
            continue;
        int has_value = entry->argument ? required_argument : no_argument;
        table->longs[longs++] = (struct option){entry->name, has_value, NULL, UCHAR_MAX + 1 + (int)i};
        if (!entry->letter)
            continue;
        table->shorts[shorts++] = entry->letter;
        if (entry->argument)
            table->shorts[shorts++] = ':';
    }
}

static const struct option_entry *entry_of(int code)
{
    if (code > UCHAR_MAX)
        return &option_entries[code - UCHAR_MAX - 1];
    for (size_t i = 0; i < ENTRIES; i++)
        if (code && option_entries[i].letter == code)
            return &option_entries[i];
    return NULL;
}

static bool fail_unknown_long(const char *word, unsigned accepted, struct error *error)
{
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    int width = (int)length;
    struct text meant = {0};
    int matches = 0;
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct option_entry *entry = &option_entries[i];
        if (strncmp(entry->name, name, length) != 0)
            continue;
        if (!is_accepted(entry, accepted)) {
            if (entry->name[length] == '\0')
                return fail(error, "--%s is not an option of this command", entry->name);
            continue;
        }
        text_printf(&meant, "%s--%s", matches++ ? " or " : "", entry->name);
    }
    if (matches > 1)
        fail(error, "--%.*s: %s?", width, name, text_string(&meant));
    else
        fail(error, "unknown option --%.*s", width, name);
    text_free(&meant);
    return false;
}

// Why getopt_long stopped, from what it leaves behind.
static bool fail_option(int code, const char *word, unsigned accepted, struct error *error)
{
    const struct option_entry *entry = entry_of(optopt);
    if (code == ':' && entry && optopt > UCHAR_MAX)
        return fail(error, "--%s needs a value: --%s %s", entry->name, entry->name, entry->argument);
    if (code == ':' && entry)
        return fail(error, "-%c needs a value: -%c %s", optopt, optopt, entry->argument);
    if (optopt > UCHAR_MAX)
        return fail(error, "--%s takes no value", entry->name);
    if (optopt && entry)
        return fail(error, "-%c is not an option of this command", optopt);
    if (optopt)
        return fail(error, "unknown option -%c", optopt);
    return fail_unknown_long(word, accepted, error);
}

bool options_read(struct options *options, unsigned accepted, int argc, char **argv, struct error *error)
{
    *options = (struct options){0};
    options->words = xcalloc((size_t)argc + 1, sizeof *options->words);
    memcpy(options->words, argv, (size_t)argc * sizeof *argv);
    struct getopt_table table;
    table_make(&table, accepted);
    optind = 0; // begins anew
    opterr = 0;
    for (;;) {
        int code = getopt_long(argc, options->words, table.shorts, table.longs, NULL);
        if (code == -1)
            break;
        const struct option_entry *entry = code == ':' || code == '?' ? NULL : entry_of(code);
        if (!entry)
            return fail_option(code, options->words[optind - 1], accepted, error);
        if (!entry->set(options, optarg, error))
            return false;
    }
    options->arguments = options->words + optind;
    options->argument_count = argc - optind;
    return true;
}

void options_release(struct options *options)
{
    free(options->words);
    *options = (struct options){0};
}

bool options_count(const struct options *options, int least, int most, const char *what, struct error *error)
{
    if (options->argument_count < least)
        return fail(error, "name %s", what);
    if (options->argument_count > most)
        return fail(error, "'%s' is one argument too many: name %s", options->arguments[most], what);
    return true;
}

void options_list(unsigned accepted, struct text *out)
{
    enum { HELP_COLUMN = 24 };
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct option_entry *entry = &option_entries[i];
        if (!is_accepted(entry, accepted) || !entry->help)
            continue;
        size_t start = out->length;
        if (entry->letter)
            text_printf(out, "  -%c, ", entry->letter);
        else
            text_puts(out, "      ");
        text_printf(out, "--%s", entry->name);
        if (entry->argument)
            text_printf(out, " %s", entry->argument);
        size_t taken = out->length - start;
        text_repeat(out, ' ', taken < HELP_COLUMN ? HELP_COLUMN - taken : 1);
        text_printf(out, "%s\n", entry->help);
    }
}
