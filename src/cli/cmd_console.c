// cmd_console.c: two disks, live. The loop waits for a key, a signal or a tenth of a second, looks at the
// engine, and draws. It makes no call on a measured disk.
#include "analysis/judge.h"
#include "base/clock.h"
#include "base/xalloc.h"
#include "cli/command.h"
#include "cli/dry_run.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "cli/supervisor.h"
#include "cli/watch.h"
#include "tui/screen.h"
#include "tui/view.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICK_MS = 125 };

// How long a signal waits for calls in flight before the program goes without them.
#define DEADLINE_NS (UINT64_C(5) * NS_PER_S)

struct console {
    struct session *session;
    struct supervisor *supervisor;
    struct engine *engine;
    struct screen *screen;
    char *screen_note; // what was to be said of the terminal; NULL mostly
    struct signals signals;
    struct watch watch;
    struct model model;
    struct canvas canvas;
    bool ended;   // everything is measured, removed and saved
    bool leaving; // the screen is to be closed
};

static void draw(struct console *console)
{
    int width, height;
    screen_size(console->screen, &width, &height);
    if (width != console->canvas.width || height != console->canvas.height) {
        canvas_release(&console->canvas);
        canvas_init(&console->canvas, width, height);
    }
    struct model *model = &console->model;
    const struct duel *duel = &console->watch.duel;
    model->automatic_logarithmic = view_logarithmic(duel);
    if (model->screen == SCREEN_RESULTS)
        model_clamp(model, view_results_overflow(&console->canvas, duel));
    view_draw(&console->canvas, screen_glyphs(console->screen), model, duel);
    screen_draw(console->screen, &console->canvas);
}

// A terminal that takes nothing (Ctrl-S, a line that hangs) isn't waited for: signals must still be obeyed.
static bool terminal_takes(void)
{
    struct pollfd fd = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT);
}

static void close_screen(struct console *console)
{
    if (!console->screen)
        return;
    screen_close(console->screen);
    console->screen = NULL;
    supervisor_release(console->supervisor);
}

static _Noreturn void abandon(struct console *console, int status)
{
    close_screen(console);
    session_abandon(console->session, status);
}

static void perform(struct console *console, enum effect effect)
{
    switch (effect) {
    case EFFECT_NONE:
    case EFFECT_FREEZE: // watch_refresh() is told by the model
        break;
    case EFFECT_REDRAW:
        screen_resized(console->screen);
        break;
    case EFFECT_SKIP:
        engine_skip(console->engine);
        break;
    case EFFECT_STOP:
        engine_stop(console->engine);
        break;
    case EFFECT_LEAVE:
        console->leaving = true;
        break;
    }
}

// False where the terminal is gone.
static bool take_keys(struct console *console)
{
    for (;;) {
        int key = screen_key(console->screen);
        if (key <= 0)
            return key == 0;
        enum action action = keymap_action(console->model.screen, (unsigned)key);
        perform(console, model_update(&console->model, action, !console->ended));
    }
}

// Gives the terminal to the shell until the job is continued. Curses' own handler for SIGTSTP does it, at a
// moment when nothing else is under way.
static void suspend(struct console *console)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGTSTP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    screen_resized(console->screen);
}

static void take_signals(struct console *console)
{
    sigset_t others;
    bool was_ending = console->signals.ending != 0;
    bool any = signals_read(&console->signals, &others);
    if (console->signals.ending && !was_ending) {
        engine_stop(console->engine);
        console->model.stopping = true;
    }
    if (any && sigismember(&others, SIGTSTP))
        suspend(console);
    if (any && (sigismember(&others, SIGWINCH) || sigismember(&others, SIGCONT)))
        screen_resized(console->screen);
}

static void hang_up(struct console *console)
{
    if (console->signals.ending)
        return;
    console->signals.ending = SIGHUP;
    console->signals.ending_at_ns = clock_monotonic_ns();
    engine_stop(console->engine);
}

// The end of a run shows its results, unless a signal wants the program to go.
static void note_end(struct console *console)
{
    struct error error;
    if (!console->ended && engine_wait(console->engine, 0)) {
        console->ended = true;
        console->leaving = engine_failed(console->engine, &error); // said when the screen is closed
        console->model.screen = SCREEN_RESULTS;
        console->model.scroll = 0;
    }
    if (console->ended && console->signals.ending)
        console->leaving = true;
}

static void obey_deadline(struct console *console)
{
    const struct signals *signals = &console->signals;
    bool late = signals->ending && clock_monotonic_ns() - signals->ending_at_ns > DEADLINE_NS;
    if (signals->twice || late)
        abandon(console, EXIT_SIGNAL_BASE + signals->ending);
}

// After a second q: the shell has its terminal back, and what is in flight has a moment to end.
static void await_end(struct console *console)
{
    uint64_t deadline = clock_monotonic_ns() + DEADLINE_NS;
    engine_stop(console->engine);
    if (!engine_wait(console->engine, (uint64_t)TICK_MS * NS_PER_MS))
        output_note("stopping, at most 5 seconds longer; Ctrl-C leaves at once");
    while (!engine_wait(console->engine, (uint64_t)TICK_MS * NS_PER_MS)) {
        signals_read(&console->signals, NULL);
        if (console->signals.ending)
            abandon(console, EXIT_SIGNAL_BASE + console->signals.ending);
        if (clock_monotonic_ns() > deadline)
            abandon(console, EXIT_DISK);
    }
}

static void loop(struct console *console)
{
    bool terminal_there = true;
    while (!console->leaving) {
        watch_refresh(&console->watch, console->model.frozen);
        bool drawn = terminal_there && terminal_takes();
        if (drawn)
            draw(console);
        struct pollfd fds[] = {
            {.fd = terminal_there ? STDIN_FILENO : -1, .events = POLLIN},
            {.fd = console->signals.fd, .events = POLLIN},
        };
        // Once the run is over nothing changes by itself.
        if (poll(fds, 2, console->ended && drawn ? -1 : TICK_MS) < 0 && errno != EINTR)
            break;
        if (terminal_there && !take_keys(console))
            terminal_there = false;
        if (!terminal_there)
            hang_up(console);
        take_signals(console);
        note_end(console);
        if (!console->ended)
            obey_deadline(console);
    }
}

// The table stays in the terminal's scrollback.
static int print_results(const struct console *console, int status)
{
    const struct run *run = &console->session->run;
    struct judgement judgement;
    judge_run(run, &judgement);
    struct text text = {0}, lines = {0};
    if (console->screen_note)
        text_printf(&lines, "note: %s\n", console->screen_note);
    session_table(run, &judgement, &text);
    session_outcome(console->session, console->engine, &lines);
    text_puts(&text, "\n");
    output_put_lines(&text, "", text_string(&lines), !output_utf8());
    int printed = output_text(&text, status);
    judgement_release(&judgement);
    text_free(&text);
    text_free(&lines);
    return console->signals.ending ? status : printed;
}

static int measure(struct console *console)
{
    struct error error;
    if (!session_start(console->session, true, &console->engine, &error)) {
        close_screen(console);
        return report_error(&error, EXIT_USAGE);
    }
    console->model.screen = SCREEN_LIVE;
    watch_open(&console->watch, console->engine, console->session, screen_glyphs(console->screen));
    loop(console);
    watch_close(&console->watch);
    canvas_release(&console->canvas);
    close_screen(console);
    await_end(console);
    if (engine_failed(console->engine, &error)) {
        int failed = session_failed(console->engine, &error);
        engine_free(console->engine);
        return failed;
    }

    int status = session_status(console->session, console->engine);
    if (console->signals.ending)
        status = EXIT_SIGNAL_BASE + console->signals.ending;
    status = print_results(console, status);
    engine_free(console->engine);
    return status;
}

static int with_screen(struct console *console, const struct options *options)
{
    struct error error;
    if (!signals_open(&console->signals, true, &error))
        return report_error(&error, EXIT_USAGE);
    struct screen_options screen_options = {.no_colour = options->no_colour, .ascii = options->ascii};
    console->screen = screen_open(&screen_options, &error);
    int status;
    if (console->screen) {
        size_t length;
        const char *undo = screen_undo(console->screen, &length), *note = screen_note(console->screen);
        console->screen_note = note ? xstrdup(note) : NULL;
        supervisor_guard(console->supervisor, undo, length);
        status = measure(console);
        free(console->screen_note);
    } else {
        status = report_error(&error, EXIT_USAGE);
    }
    signals_close(&console->signals);
    return status;
}

// Notes are printed before the screen opens and are there again when it has closed; what must be seen is on
// the screen too.
static int console_with(const struct options *options, struct supervisor *supervisor, int argc, char **argv)
{
    struct session session;
    struct error error;
    enum exit_status opened = session_open(&session, options, argc, argv, &error);
    if (opened != EXIT_DONE) {
        session_close(&session);
        return report_error(&error, opened);
    }
    output_lines("note: ", text_string(&session.notes));
    struct console console = {.session = &session, .supervisor = supervisor};
    int status = options->dry_run ? dry_run_print(&session) : with_screen(&console, options);
    session_close(&session);
    return status;
}

static int supervised(const struct options *options, int argc, char **argv)
{
    struct error error;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        fail(&error,
             "the console needs a terminal on standard input and output; without one use: diskduel run");
        return usage_error(&command_console, &error);
    }
    struct supervisor *supervisor = supervisor_start(&error);
    if (!supervisor)
        return report_error(&error, EXIT_USAGE);
    return console_with(options, supervisor, argc, argv);
}

static bool check_usage(const struct options *options, struct error *error)
{
    if (options->output && strcmp(options->output, "-") == 0)
        return fail(error, "-o -: the screen is on standard output; use diskduel run");
    if (options->argument_count > 2)
        return fail(error, "'%s' is no command, and the console takes two directories, not %d",
                    options->arguments[0], options->argument_count);
    return true;
}

static int begin(const struct options *options, int argc, char **argv)
{
    struct error error;
    if (!check_usage(options, &error))
        return usage_error(&command_console, &error);
    return options->dry_run ? console_with(options, NULL, argc, argv) : supervised(options, argc, argv);
}

const struct command command_console = {
    .usage = "diskduel [OPTIONS] A B",
    .summary = "measure two directories side by side, watch, and save the run",
    .examples = "  diskduel /workspace /tmp\n"
                "  diskduel -p quick mine=/mnt/a other=/mnt/b\n"
                "  diskduel run -o run.json /workspace /tmp\n",
    .accepted = OPTIONS_PLAN | OPTIONS_RUNS | OPTIONS_OUTPUT | OPTIONS_SCREEN | OPTIONS_PROGRAM,
    .least = 2,
    .most = INT_MAX, // begin() knows better what a third is
    .what = "two directories, A and B",
    .perform = begin,
};
