// screen.h: the terminal. The only file that knows curses.
//
// One thread uses it. It never asks the terminal a question, never clears the whole screen but after a resize
// or on redraw, and remembers how to undo what it did, so that the supervisor can after a crash.
#pragma once

#include "base/error.h"
#include "tui/canvas.h"
#include "tui/glyphs.h"

#include <stdbool.h>
#include <stddef.h>

struct screen;

struct screen_options {
    bool no_colour; // asked for by flag; a non-empty NO_COLOR does the same
    bool ascii; // asked for by flag; a locale that isn't UTF-8 does the same, unless none was chosen or it
                // is missing here, and C.UTF-8 can stand in
};

// Opens the terminal on standard output and input. Where TERM is unset, unknown or too dumb to place the
// cursor, an entry compiled in for xterm is used if the terminal isn't named dumb; else the error names TERM,
// a fix and `diskduel run`.
struct screen *screen_open(const struct screen_options *options, struct error *error);
void screen_close(struct screen *screen);

const struct glyphs *screen_glyphs(const struct screen *screen);

// The size now (TIOCGWINSZ; 80x24 where it says 0x0, as the first moments of a `kubectl exec` do).
void screen_size(struct screen *screen, int *width, int *height);

// After SIGWINCH or SIGCONT: takes the new size over and draws everything again at the next screen_draw().
void screen_resized(struct screen *screen);

// NULL, or one line on what the user should know of how the terminal was opened: that its TERM is unknown
// here and it is taken for an xterm.
const char *screen_note(const struct screen *screen);

// Shows the canvas; only what changed is sent.
void screen_draw(struct screen *screen, const struct canvas *canvas);

// The next key that was pressed, without waiting: a code as in keymap.h; 0 where there is none; -1 where the
// terminal is gone.
int screen_key(struct screen *screen);

// The bytes that undo what screen_open() did to the terminal, for whoever has to when this process can't.
const char *screen_undo(const struct screen *screen, size_t *length);
