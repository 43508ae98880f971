#include "tui/screen.h"

#include "base/xalloc.h"
#include "build_info.h"
#include "tui/keymap.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum {
    ESCAPE_WAIT_MS = 25, // for the rest of a key's sequence
    USUAL_WIDTH = 80,
    USUAL_HEIGHT = 24,
    WIDTH_MOST = 2000, // a window that claims more is drawn that large
    HEIGHT_MOST = 1000,
    MARKS_MOST = CCHARW_MAX - 1
};

struct screen {
    SCREEN *terminal;
    const struct glyphs *glyphs;
    attr_t attributes[ROLE_COUNT];
    int pairs[ROLE_COUNT];
    struct text undo;
    char *note;
};

// The character set

static const char *chosen_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return NULL;
}

static bool is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// A shell in a container mostly has no locale at all, or one that isn't installed there; its terminal is a
// UTF-8 one all the same. Somebody who chose "C" means it.
static const struct glyphs *choose_glyphs(bool ascii)
{
    const char *chosen = chosen_locale();
    bool meant_utf8 = !chosen || strcasestr(chosen, "utf-8") || strcasestr(chosen, "utf8");
    if (!is_utf8() && meant_utf8)
        setlocale(LC_CTYPE, "C.UTF-8");
    return ascii || !is_utf8() ? &glyphs_ascii : &glyphs_unicode;
}

// Opening

// Longer than a string has to be allowed to be, which both compilers allow.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const char own_entry[] = BUILD_TERMINFO;
#pragma GCC diagnostic pop

static SCREEN *start_terminal(const char *type)
{
    SCREEN *terminal = newterm(type, stdout, stdin);
    if (!terminal)
        return NULL;
    const char *place_cursor = tigetstr("cup");
    if (place_cursor && place_cursor != (char *)-1)
        return terminal;
    endwin();
    delscreen(terminal);
    return NULL;
}

// The terminal as TERM names it, or where that leads nowhere, as an xterm by the entry that we carry along.
static SCREEN *open_terminal(struct screen *screen)
{
    const char *type = getenv("TERM");
    SCREEN *terminal = type && *type ? start_terminal(type) : NULL;
    if (terminal)
        return terminal;
    char *name = type && *type ? xstrdup(type) : NULL;
    if (setenv("TERMINFO", own_entry, 1) == 0)
        terminal = start_terminal("xterm-256color");
    if (terminal && name)
        screen->note = xformat("TERM=%s is unknown here; this is drawn as for an xterm", name);
    else if (terminal)
        screen->note = xstrdup("TERM is not set; this is drawn as for an xterm");
    free(name);
    return terminal;
}

static bool check_terminal(struct error *error)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return fail(error,
                    "the console needs a terminal, and standard %s is none: use diskduel run A B instead",
                    isatty(STDIN_FILENO) ? "output" : "input");
    const char *type = getenv("TERM");
    if (type && strcmp(type, "dumb") == 0)
        return fail(error, "TERM=dumb names a terminal that can't place its cursor: set TERM to what it is "
                           "(mostly xterm-256color), or use diskduel run A B");
    return true;
}

// A capability's bytes without the delays that a printing terminal would need.
static void append_capability(struct text *out, const char *name)
{
    const char *bytes = tigetstr(name);
    if (!bytes || bytes == (char *)-1)
        return;
    for (; *bytes; bytes++) {
        const char *end = strncmp(bytes, "$<", 2) == 0 ? strchr(bytes, '>') : NULL;
        if (end)
            bytes = end;
        else
            text_append(out, bytes, 1);
    }
}

static void collect_undo(struct text *out)
{
    static const char *const names[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        append_capability(out, names[i]);
}

// Where colours are few or none, weight stands in.
static void set_role(struct screen *screen, enum role role, int colours)
{
    const struct role_style *style = &palette[role];
    bool dim = role == ROLE_DIM || role == ROLE_TIER_A_DIM || role == ROLE_TIER_B_DIM;
    screen->attributes[role] = style->bold ? A_BOLD : A_NORMAL;
    if (style->default_colour)
        return;
    int colour = colours >= 256 ? style->ansi256 : style->ansi16;
    if (colours < 8 || (colours < 16 && role == ROLE_DIM)) {
        screen->attributes[role] |= dim ? A_DIM : A_NORMAL;
        return;
    }
    if (colour >= colours) {
        colour -= 8;
        screen->attributes[role] |= A_BOLD;
    }
    int pair = (int)role + 1;
    if (init_extended_pair(pair, colour, -1) == OK)
        screen->pairs[role] = pair;
}

static void set_roles(struct screen *screen, bool no_colour)
{
    const char *wish = getenv("NO_COLOR");
    bool colour = !no_colour && !(wish && *wish) && has_colors();
    int colours = 0;
    if (colour && start_color() == OK && use_default_colors() == OK)
        colours = COLORS;
    for (int role = 0; role < ROLE_COUNT; role++)
        set_role(screen, (enum role)role, colours);
}

struct screen *screen_open(const struct screen_options *options, struct error *error)
{
    if (!check_terminal(error))
        return NULL;
    struct screen *screen = xcalloc(1, sizeof *screen);
    screen->glyphs = choose_glyphs(options->ascii);
    // Exported LINES and COLUMNS are those of another moment.
    use_env(FALSE);
    use_tioctl(TRUE);
    screen->terminal = open_terminal(screen);
    if (!screen->terminal) {
        const char *type = getenv("TERM");
        fail(error,
             "TERM=%s is a terminal that can't be used: set TERM to what it is (mostly xterm-256color), "
             "or use diskduel run A B",
             type ? type : "");
        free(screen);
        return NULL;
    }
    collect_undo(&screen->undo);
    set_escdelay(ESCAPE_WAIT_MS);
    // Ctrl-C stays a signal.
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    set_roles(screen, options->no_colour);
    screen_resized(screen);
    return screen;
}

void screen_close(struct screen *screen)
{
    endwin();
    delscreen(screen->terminal);
    text_free(&screen->undo);
    free(screen->note);
    free(screen);
}

const struct glyphs *screen_glyphs(const struct screen *screen)
{
    return screen->glyphs;
}

const char *screen_note(const struct screen *screen)
{
    return screen->note;
}

const char *screen_undo(const struct screen *screen, size_t *length)
{
    *length = screen->undo.length;
    return text_string(&screen->undo);
}

// The size

static void window_size(int *width, int *height)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    *width = size.ws_col ? size.ws_col : USUAL_WIDTH;
    *height = size.ws_row ? size.ws_row : USUAL_HEIGHT;
    if (*width > WIDTH_MOST)
        *width = WIDTH_MOST;
    if (*height > HEIGHT_MOST)
        *height = HEIGHT_MOST;
}

void screen_size(struct screen *screen, int *width, int *height)
{
    window_size(width, height);
    if (*width != getmaxx(stdscr) || *height != getmaxy(stdscr))
        screen_resized(screen);
}

void screen_resized(struct screen *screen)
{
    (void)screen; // curses knows one terminal at a time, this one
    int width, height;
    window_size(&width, &height);
    if (width != getmaxx(stdscr) || height != getmaxy(stdscr))
        resize_term(height, width);
    clearok(curscr, TRUE);
}

// Drawing

// A cell as curses wants it; '?' where its idea of a character's width is another than ours, since everything
// beside it would shift. Returns how many columns it takes.
static int make_cell(const struct screen *screen, const struct cell *cell, cchar_t *out)
{
    wchar_t wide[MARKS_MOST + 2] = {0};
    size_t length = strlen(cell->text), at = 0, count = 0;
    int taken = 1;
    while (at < length && count <= MARKS_MOST) {
        uint32_t codepoint = 0;
        size_t bytes = utf8_decode(cell->text + at, length - at, &codepoint);
        if (bytes == 0)
            break;
        if (count == 0)
            taken = codepoint_columns(codepoint);
        bool shown = wcwidth((wchar_t)codepoint) == (count == 0 ? taken : 0) && taken > 0;
        if ((screen->glyphs->ascii && codepoint > 0x7e) || (!shown && count == 0)) {
            wide[0] = L'?';
            count = 1;
            taken = 1;
            break;
        }
        if (shown)
            wide[count++] = (wchar_t)codepoint;
        at += bytes;
    }
    if (count == 0) {
        wide[0] = L' ';
        taken = 1;
    }
    int pair = screen->pairs[cell->role];
    setcchar(out, wide, screen->attributes[cell->role], 0, &pair);
    return taken;
}

void screen_draw(struct screen *screen, const struct canvas *canvas)
{
    int width = getmaxx(stdscr), height = getmaxy(stdscr);
    if (canvas->width < width || canvas->height < height)
        werase(stdscr);
    for (int y = 0; y < canvas->height && y < height; y++)
        for (int x = 0; x < canvas->width && x < width;) {
            cchar_t shown;
            int taken = make_cell(screen, canvas_at(canvas, x, y), &shown);
            // In the last corner this says ERR, since the cursor can't go on, and draws all the same.
            (void)mvadd_wch(y, x, &shown);
            x += taken;
        }
    wmove(stdscr, 0, 0);
    wrefresh(stdscr);
}

// Keys

static const struct {
    int curses;
    unsigned code;
} keys[] = {
    {KEY_UP, KEY_CODE_UP},           {KEY_DOWN, KEY_CODE_DOWN}, {KEY_PPAGE, KEY_CODE_PAGE_UP},
    {KEY_NPAGE, KEY_CODE_PAGE_DOWN}, {KEY_HOME, KEY_CODE_HOME}, {KEY_END, KEY_CODE_END},
};

static unsigned code_of(int curses)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].curses == curses)
            return keys[i].code;
    return 0;
}

// Input that is ready and yet holds nothing is at its end; a window that was closed is gone.
static bool is_gone(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, 0) <= 0)
        return false;
    if (input.revents & (POLLHUP | POLLERR | POLLNVAL))
        return true;
    int bytes = 0;
    return ioctl(STDIN_FILENO, FIONREAD, &bytes) != 0 || bytes == 0;
}

int screen_key(struct screen *screen)
{
    for (;;) {
        wint_t key = 0;
        int kind = wget_wch(stdscr, &key);
        if (kind == ERR)
            return is_gone() ? -1 : 0;
        if (kind == OK && key != 0)
            return (int)key;
        if (kind == KEY_CODE_YES && key == KEY_RESIZE)
            screen_resized(screen);
        unsigned code = kind == KEY_CODE_YES ? code_of((int)key) : 0;
        if (code)
            return (int)code;
    }
}
