// cmd_clean.c: removes what a killed run left in a directory, and only that.
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "engine/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static int clean_directory(const char *path, struct text *out)
{
    struct error error;
    int parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) {
        fail(&error, "%s: %s", path, strerror(errno));
        return report_error(&error, EXIT_USAGE);
    }
    struct text removed = {0}, kept = {0};
    bool failed;
    bool readable = scratch_clean(parent, &removed, &kept, &failed, &error);
    int status = failed ? EXIT_DISK : EXIT_DONE;
    if (!readable) {
        fail_context(&error, "%s", path);
        status = report_error(&error, EXIT_USAGE);
    }
    output_put_lines(out, "removed ", text_string(&removed), !output_utf8());
    output_put_lines(out, "kept ", text_string(&kept), !output_utf8());
    text_free(&removed);
    text_free(&kept);
    close(parent);
    return status;
}

static int perform(const struct options *options, int argc, char **argv)
{
    (void)argc, (void)argv;
    struct text out = {0};
    int status = EXIT_DONE;
    for (int i = 0; i < options->argument_count; i++) {
        int one = clean_directory(options->arguments[i], &out);
        if (one > status)
            status = one;
    }
    status = output_text(&out, status);
    text_free(&out);
    return status;
}

const struct command command_clean = {
    .name = "clean",
    .usage = "diskduel clean DIR...",
    .summary = "remove what a killed run left there",
    .examples = "  diskduel clean /workspace\n"
                "  diskduel clean /workspace /tmp\n"
                "  diskduel clean ./-odd-name\n",
    .least = 1,
    .most = INT_MAX,
    .what = "a directory to clean",
    .perform = perform,
};
