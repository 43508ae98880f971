// The help: the key table as a list, and how to read the screen it lies on.
#include "tui/view.h"

#include "tui/widget.h"

#include <string.h>

enum { KEY_COLUMNS = 10, PADDING = 2 };

static const struct {
    unsigned screens;
    const char *text;
} reading[] = {
    {SCREEN_LIVE, "One disk is measured at a time; a dimmed picture is its last."},
    {SCREEN_LIVE, "Preparing, draining (earlier writes) and verifying are untimed."},
    {SCREEN_LIVE, "Both panes have the same axes. Time runs only while a disk"},
    {SCREEN_LIVE, "is measured; a number marks where each round begins."},
    {SCREEN_LIVE, "A percentile shows once enough operations stand behind it."},
    {SCREEN_LIVE, "Large writes do their rounds after all rounds of the rest."},
    {SCREEN_ANY, "Values are medians of the rounds, with their range."},
    {SCREEN_ANY, "Round 0 (first use) is in no figure."},
};

enum { READING = sizeof reading / sizeof *reading };

// Further keys for the same thing stand beside the first: "Up, k".
static size_t key_text(size_t index, unsigned screen, char out[KEY_COLUMNS + 1])
{
    size_t next = index + 1;
    size_t used = strlen(key_bindings[index].key);
    memcpy(out, key_bindings[index].key, used + 1);
    for (; next < key_binding_count && !key_bindings[next].help; next++) {
        size_t length = strlen(key_bindings[next].key);
        if (!(key_bindings[next].screens & screen) || used + 2 + length > KEY_COLUMNS)
            continue;
        memcpy(out + used, ", ", 2);
        memcpy(out + used + 2, key_bindings[next].key, length + 1);
        used += 2 + length;
    }
    return next;
}

// Draws the lines, or with a NULL canvas only finds how many and how wide they are.
static struct rect lines(struct canvas *canvas, struct rect rect, unsigned screen)
{
    int height = 0, width = 0;
    for (size_t i = 0; i < key_binding_count;) {
        char keys[KEY_COLUMNS + 1];
        size_t next = key_text(i, screen, keys);
        if (key_bindings[i].screens & screen) {
            int length = (int)strlen(key_bindings[i].help);
            width = KEY_COLUMNS + length > width ? KEY_COLUMNS + length : width;
            if (canvas) {
                canvas_text(canvas, rect.x, rect.y + height, KEY_COLUMNS, ROLE_KEY, keys);
                canvas_text(canvas, rect.x + KEY_COLUMNS, rect.y + height, length, ROLE_TEXT,
                            key_bindings[i].help);
            }
            height++;
        }
        i = next;
    }
    height++;
    for (size_t i = 0; i < READING; i++) {
        if (!(reading[i].screens & screen))
            continue;
        int length = (int)strlen(reading[i].text);
        width = length > width ? length : width;
        if (canvas)
            canvas_text(canvas, rect.x, rect.y + height, length, ROLE_DIM, reading[i].text);
        height++;
    }
    return (struct rect){0, 0, width, height};
}

void view_help(struct canvas *canvas, const struct glyphs *glyphs, unsigned screen)
{
    struct rect size = lines(NULL, (struct rect){0}, screen);
    struct rect box = {.width = size.width + 2 * PADDING + 2, .height = size.height + 4};
    box.x = (canvas->width - box.width) / 2;
    box.y = (canvas->height - box.height) / 2;
    canvas_fill(canvas, box, ROLE_TEXT, " ");
    widget_box(canvas, box, glyphs, ROLE_DIM);
    widget_title(canvas, box.x + 2, box.y, box.width - 4, glyphs, ROLE_TITLE, "help");
    int x = box.x + 2, y = box.y + box.height - 1;
    x += canvas_text(canvas, x, y, 1, ROLE_DIM, " ");
    x += canvas_text(canvas, x, y, box.width - 4, ROLE_KEY, "Esc");
    canvas_text(canvas, x, y, box.width - 4, ROLE_DIM, " close ");
    lines(canvas, (struct rect){box.x + 1 + PADDING, box.y + 2, size.width, size.height}, screen);
}
