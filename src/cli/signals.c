#include "cli/signals.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

// timeout(1) and a shell that hangs up send one signal twice, to the process and to its group, and the
// supervisor passes one on: what comes this soon is the same wish.
#define ECHO_NS (UINT64_C(250) * NS_PER_MS)

static const int ending_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static const int screen_signals[] = {SIGWINCH, SIGTSTP, SIGCONT};

enum { ENDING = sizeof ending_signals / sizeof *ending_signals };
enum { SCREEN = sizeof screen_signals / sizeof *screen_signals };

static bool is_ending(int number)
{
    for (size_t i = 0; i < ENDING; i++)
        if (ending_signals[i] == number)
            return true;
    return false;
}

// A shell without job control starts background commands with INT ignored; `kill -INT` must still end a run,
// so only HUP counts.
static bool hangup_ignored(void)
{
    struct sigaction action;
    return sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool signals_open(struct signals *signals, bool screen, struct error *error)
{
    *signals = (struct signals){.fd = -1};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING; i++)
        if (ending_signals[i] != SIGHUP || !hangup_ignored())
            sigaddset(&set, ending_signals[i]);
    for (size_t i = 0; screen && i < SCREEN; i++)
        sigaddset(&set, screen_signals[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return fail(error, "block signals: %s", strerror(errno));
    signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd < 0)
        return fail(error, "signalfd: %s", strerror(errno));
    return true;
}

void signals_close(struct signals *signals)
{
    if (signals->fd >= 0)
        close(signals->fd);
    signals->fd = -1;
}

static void note_ending(struct signals *signals, int number)
{
    uint64_t now = clock_monotonic_ns();
    if (!signals->ending) {
        signals->ending = number;
        signals->ending_at_ns = now;
    } else if (now - signals->ending_at_ns > ECHO_NS) {
        signals->twice = true;
    }
}

bool signals_read(struct signals *signals, sigset_t *others)
{
    bool any = false;
    if (others)
        sigemptyset(others);
    struct signalfd_siginfo info;
    while (read(signals->fd, &info, sizeof info) == (ssize_t)sizeof info) {
        int number = (int)info.ssi_signo;
        if (is_ending(number)) {
            note_ending(signals, number);
        } else if (others) {
            sigaddset(others, number);
            any = true;
        }
    }
    return any;
}

const char *signals_name(int number, char out[16])
{
    const char *name = sigabbrev_np(number);
    if (name)
        snprintf(out, 16, "SIG%s", name);
    else
        snprintf(out, 16, "signal %d", number);
    return out;
}
