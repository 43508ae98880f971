#include "tui/canvas.h"

#include "base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cell blank = {.text = " ", .role = ROLE_TEXT};

void canvas_init(struct canvas *canvas, int width, int height)
{
    canvas->width = width > 0 ? width : 0;
    canvas->height = height > 0 ? height : 0;
    size_t count = (size_t)canvas->width * (size_t)canvas->height;
    canvas->cells = count ? xcalloc(count, sizeof *canvas->cells) : NULL;
    for (size_t i = 0; i < count; i++)
        canvas->cells[i] = blank;
}

void canvas_release(struct canvas *canvas)
{
    free(canvas->cells);
    *canvas = (struct canvas){0};
}

static struct cell *cell_at(const struct canvas *canvas, int x, int y)
{
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
        return NULL;
    return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

const struct cell *canvas_at(const struct canvas *canvas, int x, int y)
{
    return cell_at(canvas, x, y);
}

// Whatever of a wide character would be left standing beside a cell that is written becomes blank.
static void part_wide(struct canvas *canvas, int x, int y)
{
    struct cell *cell = cell_at(canvas, x, y);
    struct cell *before = cell_at(canvas, x - 1, y);
    struct cell *after = cell_at(canvas, x + 1, y);
    if (cell->text[0] == '\0' && before)
        memcpy(before->text, " ", 2);
    if (after && after->text[0] == '\0')
        memcpy(after->text, " ", 2);
}

static void put_cell(struct canvas *canvas, int x, int y, enum role role, const char *bytes, size_t length)
{
    struct cell *cell = cell_at(canvas, x, y);
    if (!cell)
        return;
    part_wide(canvas, x, y);
    memcpy(cell->text, bytes, length);
    cell->text[length] = '\0';
    cell->role = (uint8_t)role;
}

// A mark stands on the character before it; where that has no room left, it is dropped.
static void add_mark(struct canvas *canvas, int x, int y, const char *bytes, size_t length)
{
    struct cell *cell = cell_at(canvas, x, y);
    if (cell && cell->text[0] == '\0')
        cell = cell_at(canvas, x - 1, y);
    if (!cell)
        return;
    size_t used = strlen(cell->text);
    if (used == 0 || used + length >= CELL_BYTES)
        return;
    memcpy(cell->text + used, bytes, length);
    cell->text[used + length] = '\0';
}

// A wide character that would stand half outside isn't drawn at all.
static void put_wide(struct canvas *canvas, int x, int y, enum role role, const char *bytes, size_t length)
{
    if (!cell_at(canvas, x, y) || !cell_at(canvas, x + 1, y))
        return;
    put_cell(canvas, x, y, role, bytes, length);
    put_cell(canvas, x + 1, y, role, "", 0);
}

int canvas_text(struct canvas *canvas, int x, int y, int columns, enum role role, const char *text)
{
    // Past the right edge nothing shows, so a width larger than the canvas needs no loop to its end.
    if (columns <= 0 || y < 0 || y >= canvas->height || x >= canvas->width)
        return 0;
    size_t left = strlen(text);
    int used = 0;
    while (left > 0) {
        uint32_t codepoint = 0;
        size_t length = utf8_decode(text, left, &codepoint);
        int wide = length ? codepoint_columns(codepoint) : -1;
        const char *bytes = text;
        size_t shown = length;
        if (wide < 0) {
            bytes = "?";
            shown = 1;
            wide = 1;
        }
        if (wide > columns - used)
            break;
        if (wide == 0 && used > 0)
            add_mark(canvas, x + used - 1, y, bytes, shown);
        else if (wide == 1)
            put_cell(canvas, x + used, y, role, bytes, shown);
        else if (wide == 2)
            put_wide(canvas, x + used, y, role, bytes, shown);
        used += wide;
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    return used;
}

int canvas_printf(struct canvas *canvas, int x, int y, int columns, enum role role, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return length < 0 ? 0 : canvas_text(canvas, x, y, columns, role, line);
}

int canvas_right(struct canvas *canvas, int right, int y, int columns, enum role role, const char *text)
{
    if (right <= 0)
        return 0;
    size_t wanted = text_columns(text);
    int width = columns > 0 && wanted > (size_t)columns ? columns : (int)wanted;
    return canvas_text(canvas, right - width, y, columns < width ? columns : width, role, text);
}

// The part of a rectangle that lies on the canvas.
static struct rect clip(const struct canvas *canvas, struct rect rect)
{
    long long left = rect.x > 0 ? rect.x : 0;
    long long top = rect.y > 0 ? rect.y : 0;
    long long right = (long long)rect.x + rect.width;
    long long bottom = (long long)rect.y + rect.height;
    if (right > canvas->width)
        right = canvas->width;
    if (bottom > canvas->height)
        bottom = canvas->height;
    if (rect.width <= 0 || rect.height <= 0 || left >= right || top >= bottom)
        return (struct rect){0};
    return (struct rect){(int)left, (int)top, (int)(right - left), (int)(bottom - top)};
}

void canvas_fill(struct canvas *canvas, struct rect rect, enum role role, const char *glyph)
{
    struct rect seen = clip(canvas, rect);
    for (int y = seen.y; y < seen.y + seen.height; y++)
        for (int x = seen.x; x < seen.x + seen.width; x++)
            canvas_text(canvas, x, y, 1, role, glyph);
}

void canvas_dump(const struct canvas *canvas, struct text *out)
{
    for (int y = 0; y < canvas->height; y++) {
        int end = canvas->width;
        while (end > 0 && strcmp(canvas_at(canvas, end - 1, y)->text, " ") == 0)
            end--;
        for (int x = 0; x < end; x++)
            text_puts(out, canvas_at(canvas, x, y)->text);
        text_puts(out, "\n");
    }
}
