// glyphs.h: the drawing characters that a terminal can show: braille and blocks where its character set is
// UTF-8, plain ASCII elsewhere.
#pragma once

#include "base/text.h"

#include <stdbool.h>

struct glyphs {
    const char *name; // "unicode", "ascii"
    bool ascii;
    const char *horizontal, *vertical;
    const char *top_left, *top_right, *bottom_left, *bottom_right;
    const char *corner;     // where two axes meet
    const char *tick;       // a mark on an axis
    const char *round_mark; // where a round begins on the time axis
    const char *bar_full, *bar_empty;
    const char *line, *line_end; // of a ratio bar
    const char *times;           // "×" or "x"
    const char *micro;           // "µs" or "us"
    const char *ellipsis;        // "…" or "..."
    const char *dash;            // between two numbers: "–" or "-"
    const char *point;           // of a line that is drawn between two marks
    const char
        *columns[9]; // an eighth-filled column each: " ", "▁" … "█"; ASCII has fewer shapes and repeats them
    const char *good_mark, *warning_mark, *failure_mark; // "✓" or "ok", "!", and "✗" or "x"
};

extern const struct glyphs glyphs_unicode;
extern const struct glyphs glyphs_ascii;

// Appends safe UTF-8 text as this terminal can show it. In ASCII our own signs become their plain spelling
// ("×" is "x", "…" is "..."), and whatever else isn't ASCII becomes \xNN.
void glyphs_text(const struct glyphs *glyphs, const char *text, struct text *out);
