#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

struct terminal {
    int master;
    int slave; // kept open, so that the modes can be read when the program is gone
    pid_t program;
    int width, height;
    VTerm *vterm;
    VTermScreen *screen;
    bool alternate, cursor_visible;
    struct termios before;
    char *bytes;
    size_t length, capacity;
    char *text;
};

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct terminal *terminal = user;
    if (property == VTERM_PROP_ALTSCREEN)
        terminal->alternate = value->boolean;
    if (property == VTERM_PROP_CURSORVISIBLE)
        terminal->cursor_visible = value->boolean;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void start_program(struct terminal *terminal, char *const argv[], const char *const environment[])
{
    close(terminal->master);
    if (login_tty(terminal->slave) != 0)
        _exit(126);
    for (; *environment; environment++) {
        if (strchr(*environment, '='))
            putenv(strdup(*environment));
        else
            unsetenv(*environment);
    }
    execv(argv[0], argv);
    _exit(127);
}

struct terminal *terminal_start(char *const argv[], const char *const environment[], int width, int height)
{
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (!terminal)
        abort();
    struct winsize size = {.ws_col = (unsigned short)width, .ws_row = (unsigned short)height};
    if (openpty(&terminal->master, &terminal->slave, NULL, NULL, &size) != 0)
        abort();
    tcgetattr(terminal->slave, &terminal->before);
    terminal->width = width;
    terminal->height = height;
    terminal->cursor_visible = true;
    terminal->vterm = vterm_new(height, width);
    vterm_set_utf8(terminal->vterm, 1);
    terminal->screen = vterm_obtain_screen(terminal->vterm);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_reset(terminal->screen, 1);
    terminal->program = fork();
    if (terminal->program < 0)
        abort();
    if (terminal->program == 0)
        start_program(terminal, argv, environment);
    return terminal;
}

void terminal_end(struct terminal *terminal)
{
    if (terminal->program > 0) {
        kill(terminal->program, SIGKILL);
        waitpid(terminal->program, NULL, 0);
    }
    terminal_hang_up(terminal);
    vterm_free(terminal->vterm);
    free(terminal->bytes);
    free(terminal->text);
    free(terminal);
}

void terminal_hang_up(struct terminal *terminal)
{
    if (terminal->master < 0)
        return;
    close(terminal->slave);
    close(terminal->master);
    terminal->master = -1;
}

pid_t terminal_program(const struct terminal *terminal)
{
    return terminal->program;
}

void terminal_resize(struct terminal *terminal, int width, int height)
{
    struct winsize size = {.ws_col = (unsigned short)width, .ws_row = (unsigned short)height};
    terminal->width = width;
    terminal->height = height;
    vterm_set_size(terminal->vterm, height, width);
    ioctl(terminal->master, TIOCSWINSZ, &size);
}

void terminal_type(struct terminal *terminal, const char *keys)
{
    if (write(terminal->master, keys, strlen(keys)) < 0)
        perror("write to the terminal");
}

static void keep(struct terminal *terminal, const char *bytes, size_t length)
{
    if (terminal->length + length > terminal->capacity) {
        terminal->capacity = 2 * (terminal->length + length);
        terminal->bytes = realloc(terminal->bytes, terminal->capacity);
        if (!terminal->bytes)
            abort();
    }
    memcpy(terminal->bytes + terminal->length, bytes, length);
    terminal->length += length;
}

// Takes what comes within that time; false where nothing did.
static bool take(struct terminal *terminal, int milliseconds)
{
    struct pollfd fd = {.fd = terminal->master, .events = POLLIN};
    if (poll(&fd, 1, milliseconds) <= 0) // also waits where the terminal has hung up
        return false;
    char bytes[4096];
    ssize_t length = read(terminal->master, bytes, sizeof bytes);
    if (length <= 0)
        return false;
    keep(terminal, bytes, (size_t)length);
    vterm_input_write(terminal->vterm, bytes, (size_t)length);
    return true;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool terminal_shows(struct terminal *terminal, const char *text, int seconds)
{
    double end = now() + seconds;
    while (!strstr(terminal_text(terminal), text)) {
        if (now() > end)
            return false;
        take(terminal, 100);
    }
    return true;
}

void terminal_settle(struct terminal *terminal, int milliseconds)
{
    while (take(terminal, milliseconds))
        ;
}

int terminal_wait(struct terminal *terminal, int seconds)
{
    double end = now() + seconds;
    int status;
    while (waitpid(terminal->program, &status, WNOHANG) == 0) {
        if (now() > end)
            return -1;
        take(terminal, 50);
    }
    terminal->program = -1;
    terminal_settle(terminal, 100);
    return status;
}

static size_t put_codepoint(char *out, uint32_t codepoint)
{
    if (codepoint < 0x80) {
        out[0] = (char)codepoint;
        return 1;
    }
    if (codepoint < 0x800) {
        out[0] = (char)(0xc0 | codepoint >> 6);
        out[1] = (char)(0x80 | (codepoint & 0x3f));
        return 2;
    }
    if (codepoint < 0x10000) {
        out[0] = (char)(0xe0 | codepoint >> 12);
        out[1] = (char)(0x80 | (codepoint >> 6 & 0x3f));
        out[2] = (char)(0x80 | (codepoint & 0x3f));
        return 3;
    }
    out[0] = '?';
    return 1;
}

const char *terminal_text(struct terminal *terminal)
{
    free(terminal->text);
    size_t most = (size_t)terminal->height * ((size_t)terminal->width * 4 * VTERM_MAX_CHARS_PER_CELL + 1) + 1;
    terminal->text = calloc(most, 1);
    if (!terminal->text)
        abort();
    size_t length = 0;
    for (int y = 0; y < terminal->height; y++) {
        for (int x = 0; x < terminal->width; x++) {
            VTermScreenCell cell;
            vterm_screen_get_cell(terminal->screen, (VTermPos){.row = y, .col = x}, &cell);
            if (cell.chars[0] == 0)
                terminal->text[length++] = ' ';
            for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] && cell.chars[i] != UINT32_MAX; i++)
                length += put_codepoint(terminal->text + length, cell.chars[i]);
        }
        terminal->text[length++] = '\n';
    }
    return terminal->text;
}

const char *terminal_bytes(const struct terminal *terminal, size_t *length)
{
    *length = terminal->length;
    return terminal->bytes;
}

bool terminal_on_alternate_screen(const struct terminal *terminal)
{
    return terminal->alternate;
}

bool terminal_cursor_visible(const struct terminal *terminal)
{
    return terminal->cursor_visible;
}

void terminal_modes(const struct terminal *terminal, struct termios *modes, struct termios *before)
{
    tcgetattr(terminal->slave, modes);
    *before = terminal->before;
}
