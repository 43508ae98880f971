#include "cli/command.h"

#include "build_info.h"
#include "cli/options.h"
#include "cli/output.h"
#include "engine/io.h"
#include "tui/glyphs.h"

#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

const struct command *const commands[] = {&command_run, &command_show, &command_clean, NULL};

const struct command *command_by_name(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

// The console takes more options than fit a screen beside the commands, so it lists only those of its own.
static void console_help(struct text *out)
{
    text_puts(out, "\nCommands\n");
    for (size_t i = 0; commands[i]; i++)
        text_printf(out, "  %-32s %s\n", commands[i]->usage, commands[i]->summary);
    text_puts(out, "\nOptions: those of `diskduel run --help`, and\n");
    options_list(OPTIONS_SCREEN | OPTIONS_PROGRAM, out);
}

static int help(const struct command *command)
{
    struct text text = {0};
    text_printf(&text, "usage: %s\n%s\n", command->usage, command->summary);
    if (command->name)
        options_list(command->accepted, &text);
    else
        console_help(&text);
    text_printf(&text, "\nExamples\n%s", command->examples);
    int status = output_text(&text, EXIT_DONE);
    text_free(&text);
    return status;
}

static int version(void)
{
    struct text text = {0};
    text_printf(&text, "diskduel %s\ncommit %s, %s\n", BUILD_VERSION, BUILD_COMMIT, BUILD_COMPILER);
    text_printf(&text, "features: console %s %s, I/O %s %s", glyphs_unicode.name, glyphs_ascii.name,
                io_psync.name, io_null.name);
#ifdef __GLIBC__
    text_printf(&text, ", glibc %s", gnu_get_libc_version());
#endif
    text_puts(&text, "\n");
    int status = output_text(&text, EXIT_DONE);
    text_free(&text);
    return status;
}

int command_main(const struct command *command, int argc, char **argv)
{
    struct options options;
    struct error error;
    int status;
    if (!options_read(&options, command->accepted, argc, argv, &error))
        status = usage_error(command, &error);
    else if (options.help)
        status = help(command);
    else if (options.version)
        status = version();
    else if (!options_count(&options, command->least, command->most, command->what, &error))
        status = usage_error(command, &error);
    else
        status = command->perform(&options, argc, argv);
    options_release(&options);
    return status;
}

int usage_error(const struct command *command, const struct error *error)
{
    int length = (int)strlen(error->text);
    if (length > 0 && error->text[length - 1] == '.')
        length--;
    output_note("%.*s (see diskduel %s%s--help)", length, error->text, command->name ? command->name : "",
                command->name ? " " : "");
    return EXIT_USAGE;
}

int report_error(const struct error *error, enum exit_status status)
{
    output_note("%s", error->text);
    return (int)status;
}
