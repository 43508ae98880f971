// canvas.h: a grid of cells that views draw on; no terminal involved.
//
// Everything is clipped: drawing outside the canvas, or the rectangle given, does nothing, whatever the
// numbers.
#pragma once

#include "base/text.h"
#include "tui/palette.h"

#include <stdbool.h>
#include <stdint.h>

enum { CELL_BYTES = 16 };

// One column of the screen. A wide character has an empty cell after it (text "").
struct cell {
    char text[CELL_BYTES]; // UTF-8, with its combining marks, NUL-terminated; " " where nothing was drawn
    uint8_t role;          // enum role
};

struct rect {
    int x, y, width, height; // negative sizes count as 0
};

struct canvas {
    int width, height;
    struct cell *cells;
};

void canvas_init(struct canvas *canvas, int width, int height); // blank; sizes below 0 count as 0
void canvas_release(struct canvas *canvas);
const struct cell *canvas_at(const struct canvas *canvas, int x, int y); // NULL outside

// Writes UTF-8 text from (x, y), at most `columns` of it, and returns how many columns it took. What must not
// reach a terminal (controls, broken UTF-8) becomes '?'. A wide character that doesn't fit whole is left out.
int canvas_text(struct canvas *canvas, int x, int y, int columns, enum role role, const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int columns, enum role role, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
int canvas_right(struct canvas *canvas, int right, int y, int columns, enum role role,
                 const char *text); // ends before `right`
void canvas_fill(struct canvas *canvas, struct rect rect, enum role role, const char *glyph);

// The whole canvas as UTF-8 lines without trailing blanks: what golden texts hold.
void canvas_dump(const struct canvas *canvas, struct text *out);
