#include "cli/supervisor.h"

#include "base/descriptor.h"
#include "cli/output.h"
#include "cli/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { UNDO_MOST = 1024 };

// Lives in memory that both processes see. The length is stored last and read first: a parent never sees half
// a text.
struct supervisor {
    _Atomic size_t length; // 0: the screen isn't open
    char undo[UNDO_MOST];
};

struct terminal {
    bool known;
    struct termios modes;
};

// Those that the parent passes on when a person sent them to it alone.
static const int forwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};

enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

static void terminal_restore(const struct supervisor *supervisor, const struct terminal *terminal)
{
    size_t length = atomic_load(&supervisor->length);
    (void)descriptor_write(STDOUT_FILENO, supervisor->undo, length); // a terminal that is gone needs nothing
    if (terminal->known)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->modes);
}

static _Noreturn void parent_leave(const struct supervisor *supervisor, const struct terminal *terminal,
                                   int status)
{
    bool screen_was_open = atomic_load(&supervisor->length) > 0;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (screen_was_open || number)
        terminal_restore(supervisor, terminal);
    char name[16];
    if (number && screen_was_open)
        output_note(
            "ended by %s in the middle of its work; the terminal is restored, and `diskduel clean DIR` "
            "removes what was left on a disk",
            signals_name(number, name));
    _exit(number ? EXIT_SIGNAL_BASE + number : WEXITSTATUS(status));
}

static void child_changed(pid_t child, const struct supervisor *supervisor, const struct terminal *terminal)
{
    int status;
    while (waitpid(child, &status, WNOHANG | WUNTRACED) == child) {
        if (!WIFSTOPPED(status))
            parent_leave(supervisor, terminal, status);
        raise(SIGSTOP);
        kill(child, SIGCONT); // somebody may have continued this process alone
    }
}

// A child in the middle of a write to a terminal that takes nothing (Ctrl-S, a line that hangs) couldn't
// obey: what waits there is dropped, and the terminal set going. That it was stopped by a key only an off and
// on undoes.
static void pass_on(pid_t child, int number)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLOUT};
    if (poll(&fd, 1, 0) == 0) {
        tcflush(STDIN_FILENO, TCOFLUSH);
        tcflow(STDIN_FILENO, TCOOFF);
        tcflow(STDIN_FILENO, TCOON);
    }
    kill(child, number);
}

static _Noreturn void parent_run(pid_t child, const struct supervisor *supervisor,
                                 const struct terminal *terminal, const sigset_t *set)
{
    for (;;) {
        siginfo_t info;
        int number = sigwaitinfo(set, &info);
        if (number == SIGCHLD)
            child_changed(child, supervisor, terminal);
        else if (number > 0 && info.si_code == SI_USER)
            pass_on(child, number);
    }
}

static void parent_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < FORWARDED; i++)
        sigaddset(set, forwarded[i]);
}

struct supervisor *supervisor_start(struct error *error)
{
    struct supervisor *supervisor =
        mmap(NULL, sizeof *supervisor, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (supervisor == MAP_FAILED) {
        fail(error, "share memory with the supervisor: %s", strerror(errno));
        return NULL;
    }
    atomic_init(&supervisor->length, 0);
    struct terminal terminal = {0};
    terminal.known = tcgetattr(STDIN_FILENO, &terminal.modes) == 0;

    signal(SIGCHLD, SIG_DFL); // whoever started us may have ignored it
    sigset_t set, blocked, before;
    parent_signals(&set);
    blocked = set;
    sigaddset(&blocked, SIGTTOU); // so that tcsetattr works from wherever the shell has put us
    sigprocmask(SIG_BLOCK, &blocked, &before);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        int why = errno;
        sigprocmask(SIG_SETMASK, &before, NULL);
        munmap(supervisor, sizeof *supervisor);
        fail(error, "fork: %s", strerror(why));
        return NULL;
    }
    if (child > 0)
        parent_run(child, supervisor, &terminal, &set);

    prctl(PR_SET_PDEATHSIG, SIGHUP);
    if (getppid() != parent)
        _exit(EXIT_SIGNAL_BASE + SIGHUP); // it died before the line above
    sigprocmask(SIG_SETMASK, &before, NULL);
    return supervisor;
}

void supervisor_guard(struct supervisor *supervisor, const char *undo, size_t length)
{
    if (length > UNDO_MOST)
        length = UNDO_MOST;
    memcpy(supervisor->undo, undo, length);
    atomic_store(&supervisor->length, length);
}

void supervisor_release(struct supervisor *supervisor)
{
    atomic_store(&supervisor->length, 0);
}
