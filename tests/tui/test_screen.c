// The terminal itself: a child draws on a pseudo-terminal, and what it sent is read from the other end.
#include "base/text.h"
#include "tui/keymap.h"
#include "tui/screen.h"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

enum { DEADLINE_MS = 20000 };

// What a child does, with its end of a pipe to tell what it found.
struct play {
    void (*child)(int report);
    void (*parent)(int terminal, int report); // NULL: only listens
    const char *term;                         // NULL: unset
    const char *variable, *value;             // one more of the environment
    struct winsize size;
};

struct outcome {
    struct text sent;   // to the terminal
    struct text report; // by the child
    int status;
};

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static _Noreturn void run_child(const struct play *play, int report)
{
    static const char *const cleared[] = {
        "LC_ALL",        "LC_CTYPE", "LANG",      "NO_COLOR",           "LINES", "COLUMNS", "TERMINFO",
        "TERMINFO_DIRS", "TERMCAP",  "COLORTERM", "NCURSES_NO_UTF8_ACS"};
    for (size_t i = 0; i < sizeof cleared / sizeof *cleared; i++)
        unsetenv(cleared[i]);
    setenv("LC_ALL", "C.UTF-8", 1);
    set("TERM", play->term);
    if (play->variable)
        set(play->variable, play->value);
    setlocale(LC_CTYPE, "");
    play->child(report);
    _exit(0);
}

// Takes what both ends say until they are closed.
static void listen_to(int terminal, int report, struct outcome *outcome)
{
    struct pollfd fds[] = {{.fd = terminal, .events = POLLIN}, {.fd = report, .events = POLLIN}};
    struct text *texts[] = {&outcome->sent, &outcome->report};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (poll(fds, 2, DEADLINE_MS) <= 0)
            break;
        for (size_t i = 0; i < 2; i++) {
            char bytes[4096];
            if (fds[i].fd < 0 || !fds[i].revents)
                continue;
            ssize_t length = read(fds[i].fd, bytes, sizeof bytes);
            if (length > 0)
                text_append(texts[i], bytes, (size_t)length);
            else
                fds[i].fd = -1;
        }
    }
}

static struct outcome play(const struct play *play)
{
    struct outcome outcome = {0};
    int report[2], terminal;
    struct winsize size = play->size;
    assert_int_equal(pipe(report), 0);
    pid_t child = forkpty(&terminal, NULL, NULL, &size);
    assert_true(child >= 0);
    if (child == 0) {
        close(report[0]);
        run_child(play, report[1]);
    }
    close(report[1]);
    if (play->parent)
        play->parent(terminal, report[0]);
    listen_to(terminal, report[0], &outcome);
    close(terminal);
    close(report[0]);
    assert_int_equal(waitpid(child, &outcome.status, 0), child);
    return outcome;
}

static void release(struct outcome *outcome)
{
    text_free(&outcome->sent);
    text_free(&outcome->report);
}

static bool sent(const struct outcome *outcome, const char *bytes)
{
    return memmem(text_string(&outcome->sent), outcome->sent.length, bytes, strlen(bytes)) != NULL;
}

static size_t times_sent(const struct outcome *outcome, const char *bytes)
{
    size_t times = 0, length = strlen(bytes);
    for (const char *at = text_string(&outcome->sent); (at = strstr(at, bytes)); at += length)
        times++;
    return times;
}

static void assert_report(const struct outcome *outcome, const char *wanted)
{
    assert_string_equal(text_string(&outcome->report), wanted);
}

static const struct winsize usual = {.ws_col = 80, .ws_row = 24};

// What the children do

static struct screen *open_or_say(int report, const struct screen_options *options)
{
    struct error error;
    struct screen *screen = screen_open(options, &error);
    if (!screen) {
        dprintf(report, "%s", error.text);
        _exit(1);
    }
    return screen;
}

static void draw(struct screen *screen, const char *text)
{
    struct canvas canvas;
    int width, height;
    screen_size(screen, &width, &height);
    canvas_init(&canvas, width, height);
    canvas_text(&canvas, 0, 0, width, ROLE_TIER_A, text);
    canvas_text(&canvas, 0, 1, width, ROLE_DIM, "dim");
    canvas_text(&canvas, width - 1, height - 1, 1, ROLE_ERROR, "#");
    screen_draw(screen, &canvas);
    canvas_release(&canvas);
}

static void draws(int report)
{
    struct screen *screen = open_or_say(report, &(struct screen_options){0});
    int width, height;
    screen_size(screen, &width, &height);
    draw(screen, "first 日本 e\u0301 µ");
    draw(screen, "first 日本 e\u0301 µ");
    draw(screen, "other");
    dprintf(report, "%dx%d %s %s", width, height, screen_glyphs(screen)->name,
            screen_note(screen) ? screen_note(screen) : "-");
    screen_close(screen);
}

static void draws_plainly(int report)
{
    struct screen *screen = open_or_say(report, &(struct screen_options){.no_colour = true, .ascii = true});
    draw(screen, "a 日 µ");
    dprintf(report, "%s", screen_glyphs(screen)->name);
    screen_close(screen);
}

static void tells_undo(int report)
{
    struct screen *screen = open_or_say(report, &(struct screen_options){0});
    size_t length;
    const char *undo = screen_undo(screen, &length);
    dprintf(report, "%.*s", (int)length, undo);
    screen_close(screen);
}

static void wait_for_input(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    (void)poll(&input, 1, DEADLINE_MS);
}

static void reads_keys(int report)
{
    struct screen *screen = open_or_say(report, &(struct screen_options){0});
    dprintf(report, "%d", screen_key(screen));
    for (int key = 0; key != 'q' && key != -1;) {
        wait_for_input();
        while ((key = screen_key(screen)) > 0 && key != 'q')
            dprintf(report, " %x", (unsigned)key);
    }
    screen_close(screen);
}

static void waits_for_the_end(int report)
{
    signal(SIGHUP, SIG_IGN);
    struct screen *screen = open_or_say(report, &(struct screen_options){0});
    dprintf(report, "ready ");
    wait_for_input();
    dprintf(report, "%d", screen_key(screen));
    _exit(0);
}

static void resizes(int report)
{
    struct screen *screen = open_or_say(report, &(struct screen_options){0});
    static const struct winsize sizes[] = {
        {.ws_col = 100, .ws_row = 30}, {.ws_col = 1, .ws_row = 1}, {0}, {.ws_col = 40, .ws_row = 10}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int width, height;
        ioctl(STDIN_FILENO, TIOCSWINSZ, &sizes[i]);
        screen_resized(screen);
        screen_size(screen, &width, &height);
        draw(screen, "resized");
        dprintf(report, "%dx%d ", width, height);
    }
    screen_close(screen);
}

// The tests

static void only_differences_are_sent(void **state)
{
    (void)state;
    struct outcome outcome = play(&(struct play){.child = draws, .term = "xterm-256color", .size = usual});
    assert_report(&outcome, "80x24 unicode -");
    assert_true(sent(&outcome, "first 日本 e\u0301 µ"));
    assert_true(sent(&outcome, "other"));
    assert_true(sent(&outcome, "#"));
    assert_int_equal(times_sent(&outcome, "first"), 1);
    assert_int_equal(times_sent(&outcome, "\033[2J") + times_sent(&outcome, "\033[J"), 1);
    assert_true(sent(&outcome, "38;5;32"));
    // Nothing is asked of the terminal, no mouse, and what was switched on is off again.
    static const char *const never[] = {"\033[6n",     "\033[c",      "\033[0c",     "\033[>c", "\033]11;?",
                                        "\033[?1000h", "\033[?1006h", "\033[?2004h", "\033]4;"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_false(sent(&outcome, never[i]));
    assert_int_equal(times_sent(&outcome, "\033[?1049h"), times_sent(&outcome, "\033[?1049l"));
    assert_true(sent(&outcome, "\033[?25l"));
    release(&outcome);
}

static void colours_by_terminal(void **state)
{
    (void)state;
    struct outcome outcome = play(&(struct play){
        .child = draws, .term = "xterm-256color", .variable = "NO_COLOR", .value = "1", .size = usual});
    assert_true(sent(&outcome, "first"));
    assert_false(sent(&outcome, "38;5") || sent(&outcome, "\033[3"));
    release(&outcome);
    // An empty one means nothing.
    outcome = play(&(struct play){
        .child = draws, .term = "xterm-256color", .variable = "NO_COLOR", .value = "", .size = usual});
    assert_true(sent(&outcome, "38;5"));
    release(&outcome);
    outcome = play(&(struct play){.child = draws, .term = "vt100", .size = usual});
    assert_true(sent(&outcome, "first"));
    assert_false(sent(&outcome, "38;5") || sent(&outcome, "\033[3"));
    release(&outcome);
    // Eight colours: grey is not black.
    outcome = play(&(struct play){.child = draws, .term = "linux", .size = usual});
    assert_true(sent(&outcome, "34"));
    assert_false(sent(&outcome, "\033[30m") || sent(&outcome, ";30m"));
    release(&outcome);
    outcome = play(&(struct play){.child = draws_plainly, .term = "xterm-256color", .size = usual});
    assert_report(&outcome, "ascii");
    assert_false(sent(&outcome, "38;5"));
    assert_true(sent(&outcome, "a ?") && !sent(&outcome, "日") && !sent(&outcome, "µ"));
    release(&outcome);
}

static void unknown_terminals_are_taken_for_an_xterm(void **state)
{
    (void)state;
    static const char *const terms[] = {NULL, "", "no-such-terminal-here", "unknown"};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct outcome outcome = play(&(struct play){.child = draws, .term = terms[i], .size = usual});
        assert_true(sent(&outcome, "\033[?1049h"));
        assert_true(sent(&outcome, "38;5;32"));
        assert_non_null(strstr(text_string(&outcome.report), "TERM"));
        release(&outcome);
    }
}

static void a_dumb_one_is_refused(void **state)
{
    (void)state;
    struct outcome outcome = play(&(struct play){.child = draws, .term = "dumb", .size = usual});
    const char *report = text_string(&outcome.report);
    assert_non_null(strstr(report, "TERM=dumb"));
    assert_non_null(strstr(report, "xterm-256color"));
    assert_non_null(strstr(report, "diskduel run"));
    assert_int_equal(outcome.sent.length, 0);
    release(&outcome);
}

static void character_sets(void **state)
{
    (void)state;
    static const struct {
        const char *locale, *glyphs;
    } cases[] = {{"C", "ascii"},
                 {"POSIX", "ascii"},
                 {NULL, "unicode"},
                 {"en_XX.UTF-8", "unicode"},
                 {"en_XX", "ascii"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcome outcome = play(&(struct play){
            .child = draws, .term = "xterm", .variable = "LC_ALL", .value = cases[i].locale, .size = usual});
        assert_non_null(strstr(text_string(&outcome.report), cases[i].glyphs));
        bool ascii = strcmp(cases[i].glyphs, "ascii") == 0;
        assert_true(sent(&outcome, ascii ? "first ?" : "first 日本"));
        release(&outcome);
    }
}

static void the_window_tells_its_size(void **state)
{
    (void)state;
    struct outcome outcome = play(&(struct play){.child = draws,
                                                 .term = "xterm",
                                                 .variable = "COLUMNS",
                                                 .value = "33",
                                                 .size = {.ws_col = 90, .ws_row = 30}});
    assert_report(&outcome, "90x30 unicode -");
    release(&outcome);
    outcome = play(&(struct play){.child = draws, .term = "xterm", .size = {0}});
    assert_report(&outcome, "80x24 unicode -");
    release(&outcome);
    outcome = play(&(struct play){.child = resizes, .term = "xterm", .size = usual});
    assert_report(&outcome, "100x30 1x1 80x24 40x10 ");
    assert_int_equal(times_sent(&outcome, "resized"), 3);
    release(&outcome);
}

static void undo_is_complete(void **state)
{
    (void)state;
    struct outcome outcome =
        play(&(struct play){.child = tells_undo, .term = "xterm-256color", .size = usual});
    const char *undo = text_string(&outcome.report);
    assert_non_null(strstr(undo, "\033[?1049l"));
    assert_non_null(strstr(undo, "\033[?25h"));
    assert_non_null(strstr(undo, "\033[m"));
    assert_null(strstr(undo, "$<"));
    release(&outcome);
}

static void press_keys(int terminal, int report)
{
    char bytes[2];
    assert_int_equal(read(report, bytes, 1), 1); // it has opened, and found no key
    static const char keys[] = "j\033OA\033[6~\033OHé\f ";
    assert_int_equal(write(terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
    // The escape key alone, told from a sequence by the silence behind it.
    usleep(200000);
    assert_int_equal(write(terminal, "\033", 1), 1);
    usleep(400000);
    assert_int_equal(write(terminal, "q", 1), 1);
}

static void keys_have_their_codes(void **state)
{
    (void)state;
    struct outcome outcome =
        play(&(struct play){.child = reads_keys, .parent = press_keys, .term = "xterm", .size = usual});
    char wanted[128];
    snprintf(wanted, sizeof wanted, " %x %x %x %x %x %x %x %x", 'j', (unsigned)KEY_CODE_UP,
             (unsigned)KEY_CODE_PAGE_DOWN, (unsigned)KEY_CODE_HOME, 0xe9u, '\f', ' ', 0x1bu);
    assert_report(&outcome, wanted);
    release(&outcome);
}

static void hang_up(int terminal, int report)
{
    char ready[6];
    assert_int_equal(read(report, ready, sizeof ready), (ssize_t)sizeof ready);
    // All that holds this end of it goes, as when a window is closed.
    int nowhere = open("/dev/null", O_RDWR);
    assert_true(nowhere >= 0);
    assert_int_equal(dup2(nowhere, terminal), terminal);
    close(nowhere);
}

static void a_closed_window_is_noticed(void **state)
{
    (void)state;
    struct outcome outcome =
        play(&(struct play){.child = waits_for_the_end, .parent = hang_up, .term = "xterm", .size = usual});
    assert_report(&outcome, "-1");
    release(&outcome);
}

int test_screen(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_differences_are_sent),
        cmocka_unit_test(colours_by_terminal),
        cmocka_unit_test(unknown_terminals_are_taken_for_an_xterm),
        cmocka_unit_test(a_dumb_one_is_refused),
        cmocka_unit_test(character_sets),
        cmocka_unit_test(the_window_tells_its_size),
        cmocka_unit_test(undo_is_complete),
        cmocka_unit_test(keys_have_their_codes),
        cmocka_unit_test(a_closed_window_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
