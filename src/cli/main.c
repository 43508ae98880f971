// main.c: settles what holds for the whole process, then goes where the first word says.
#include "cli/command.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// A descriptor from 0 to 2 that is closed would be given to the next file, and what is meant for the user
// would be written into it.
static void fill_standard_descriptors(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static bool names_locale(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

// LC_NUMERIC stays "C", so that numbers have points everywhere. In a container the locale is often not set,
// or not installed, while the terminal shows UTF-8; one that is asked for and there is obeyed.
static void set_locale(void)
{
    bool asked = names_locale("LC_ALL") || names_locale("LC_CTYPE") || names_locale("LANG");
    if (setlocale(LC_CTYPE, "") && (asked || strcmp(nl_langinfo(CODESET), "UTF-8") == 0))
        return;
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "C");
}

// Each worker holds a few files open.
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    fill_standard_descriptors();
    set_locale();
    raise_file_limit();
    // A reader that goes away and a file that grows too large are errors of the call, with a clean end.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    const struct command *command = argc > 1 ? command_by_name(argv[1]) : NULL;
    return command ? command_main(command, argc - 1, argv + 1) : command_main(&command_console, argc, argv);
}
