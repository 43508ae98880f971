// text.h: text that grows, and foreign text made safe to show.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// {0} is a valid empty text. `bytes` is NUL-terminated once anything was appended; `length` doesn't count the
// NUL.
struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

void text_append(struct text *text, const char *bytes, size_t length);
void text_puts(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_repeat(struct text *text, char byte, size_t count);
const char *text_string(const struct text *text); // never NULL
void text_free(struct text *text);                // and makes it empty

// Decodes one UTF-8 sequence. Returns its length in bytes, or 0 where the bytes are not valid UTF-8 (overlong
// forms, surrogates and numbers past U+10FFFF are not).
size_t utf8_decode(const char *bytes, size_t length, uint32_t *codepoint);

// Encodes a code point; returns the number of bytes written (1 to 4).
size_t utf8_encode(uint32_t codepoint, char out[4]);

// Columns that a code point takes on a terminal, whatever the locale: 0 for combining marks, 2 for wide
// characters, -1 for those that must not be printed (controls, line and paragraph separators, and the
// bidirectional marks, overrides and isolates, which could reorder what stands beside them).
int codepoint_columns(uint32_t codepoint);

// Appends foreign text so that no terminal obeys it: each byte of what must not be printed, or isn't UTF-8,
// becomes \xNN (lower-case digits); with `ascii`, so does everything past 0x7e.
void text_put_safe(struct text *text, const char *foreign, bool ascii);

// Columns that safe UTF-8 text takes.
size_t text_columns(const char *safe);
