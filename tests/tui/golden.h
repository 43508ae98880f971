// golden.h: compares a picture with the text that is kept of it. DISKDUEL_BLESS=1 keeps what is drawn now.
#pragma once

#include "base/xalloc.h"
#include "tui/canvas.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline char *golden_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return xstrdup("");
    struct text text = {0};
    char bytes[4096];
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, file)) > 0;)
        text_append(&text, bytes, length);
    fclose(file);
    char *whole = xstrdup(text_string(&text));
    text_free(&text);
    return whole;
}

static inline bool golden_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

// Whether the canvas is what tests/tui/golden/NAME.txt holds.
static inline bool golden_matches(const struct canvas *canvas, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/golden/%s.txt", TEST_SOURCE_DIR, name);
    struct text drawn = {0};
    canvas_dump(canvas, &drawn);
    const char *bless = getenv("DISKDUEL_BLESS");
    bool matches;
    if (bless && *bless) {
        matches = golden_write(path, text_string(&drawn));
        if (!matches)
            fprintf(stderr, "%s: %s\n", path, strerror(errno));
    } else {
        char *kept = golden_read(path);
        matches = strcmp(kept, text_string(&drawn)) == 0;
        if (!matches)
            fprintf(stderr, "%s differs; drawn was:\n%s", path, text_string(&drawn));
        free(kept);
    }
    text_free(&drawn);
    return matches;
}
