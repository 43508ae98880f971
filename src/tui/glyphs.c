#include "tui/glyphs.h"

#include <string.h>

const struct glyphs glyphs_unicode = {
    .name = "unicode",
    .horizontal = "─",
    .vertical = "│",
    .top_left = "╭",
    .top_right = "╮",
    .bottom_left = "╰",
    .bottom_right = "╯",
    .corner = "└",
    .tick = "┤",
    .round_mark = "┴",
    .bar_full = "█",
    .bar_empty = "░",
    .line = "━",
    .line_end = "┥",
    .times = "×",
    .micro = "µs",
    .ellipsis = "…",
    .dash = "–",
    .point = "·",
    .columns = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
    .good_mark = "✓",
    .warning_mark = "!",
    .failure_mark = "✗",
};

const struct glyphs glyphs_ascii = {
    .name = "ascii",
    .ascii = true,
    .horizontal = "-",
    .vertical = "|",
    .top_left = "+",
    .top_right = "+",
    .bottom_left = "+",
    .bottom_right = "+",
    .corner = "+",
    .tick = "+",
    .round_mark = "+",
    .bar_full = "#",
    .bar_empty = ".",
    .line = "=",
    .line_end = "|",
    .times = "x",
    .micro = "us",
    .ellipsis = "...",
    .dash = "-",
    .point = ".",
    .columns = {" ", ".", ".", ":", ":", "=", "=", "#", "#"},
    .good_mark = "ok",
    .warning_mark = "!",
    .failure_mark = "x",
};

// What our own texts hold beyond ASCII.
static const struct {
    const char *unicode, *ascii;
} plain[] = {
    {"·", "-"}, {"×", "x"}, {"–", "-"}, {"—", "-"}, {"−", "-"}, {"µ", "u"}, {"…", "..."}, {"→", "->"},
};

void glyphs_text(const struct glyphs *glyphs, const char *text, struct text *out)
{
    if (!glyphs->ascii) {
        text_puts(out, text);
        return;
    }
    while (*text) {
        size_t length = 1;
        while (((unsigned char)text[length] & 0xc0) == 0x80)
            length++;
        const char *known = NULL;
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (strlen(plain[i].unicode) == length && memcmp(plain[i].unicode, text, length) == 0)
                known = plain[i].ascii;
        char one[8] = {0};
        if (known)
            text_puts(out, known);
        else if (length < sizeof one)
            text_put_safe(out, memcpy(one, text, length), true);
        else
            text_puts(out, "?");
        text += length;
    }
}
