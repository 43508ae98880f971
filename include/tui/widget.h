// widget.h: the parts that screens are made of: a box with titles in its border, text that is cut or wrapped,
// a progress bar, the keys.
//
// Text goes through glyphs_text(), so it may hold our own signs on any terminal.
#pragma once

#include "tui/canvas.h"
#include "tui/glyphs.h"
#include "tui/keymap.h"

// Draws a border around the rectangle and returns what is left inside, with a blank column on each side.
struct rect widget_box(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role);

// Writes " text " onto a border, cut to `columns`, and returns where the next one may stand, a piece of
// border further. Nothing where it would have less than a letter.
int widget_title(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs,
                 enum role role, const char *text);

// Writes text; what doesn't fit is cut and ends in an ellipsis. Returns the columns taken.
int widget_text(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs, enum role role,
                const char *text);

// The same, ending before `right`.
int widget_right(struct canvas *canvas, int right, int y, int columns, const struct glyphs *glyphs,
                 enum role role, const char *text);

// Columns that text takes once it went through glyphs_text().
int widget_columns(const struct glyphs *glyphs, const char *text);

// Foreign text made safe, in this terminal's characters. The caller frees.
char *widget_safe(const struct glyphs *glyphs, const char *foreign);

// Cuts a path from its beginning, so that its end, which tells, stays: "…/deep/dir". The caller frees.
char *widget_path(const struct glyphs *glyphs, const char *safe, int columns);

// Cuts a name in its middle, so that what tells it from others stays on both sides: "seq-rea…ct-1m". The
// caller frees.
char *widget_middle(const struct glyphs *glyphs, const char *safe, int columns);

// Writes text in as many lines as it takes, broken at blanks and, where a word is longer than a line, inside
// it. Returns the number of lines; with a NULL canvas it only counts. Lines past the rectangle aren't drawn.
int widget_wrap(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                const char *text);

void widget_progress(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs,
                     double fraction);

// The keys of a screen, from the key table, onto a border: "space freeze ─ n skip". A key that doesn't fit
// whole is left out, and so are those for the action `without`. Returns where the next text may stand.
int widget_keys(struct canvas *canvas, int x, int y, int columns, unsigned screen, enum action without);
