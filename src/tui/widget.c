#include "tui/widget.h"

#include "base/xalloc.h"
#include "tui/keymap.h"

#include <stdlib.h>
#include <string.h>

struct rect widget_box(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role)
{
    int right = rect.x + rect.width - 1, bottom = rect.y + rect.height - 1;
    canvas_fill(canvas, (struct rect){rect.x, rect.y, rect.width, 1}, role, glyphs->horizontal);
    canvas_fill(canvas, (struct rect){rect.x, bottom, rect.width, 1}, role, glyphs->horizontal);
    canvas_fill(canvas, (struct rect){rect.x, rect.y, 1, rect.height}, role, glyphs->vertical);
    canvas_fill(canvas, (struct rect){right, rect.y, 1, rect.height}, role, glyphs->vertical);
    canvas_text(canvas, rect.x, rect.y, 1, role, glyphs->top_left);
    canvas_text(canvas, right, rect.y, 1, role, glyphs->top_right);
    canvas_text(canvas, rect.x, bottom, 1, role, glyphs->bottom_left);
    canvas_text(canvas, right, bottom, 1, role, glyphs->bottom_right);
    return (struct rect){rect.x + 2, rect.y + 1, rect.width - 4, rect.height - 2};
}

int widget_title(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs,
                 enum role role, const char *text)
{
    if (columns < 3 || !*text)
        return x;
    canvas_text(canvas, x, y, 1, role, " ");
    int used = widget_text(canvas, x + 1, y, columns - 2, glyphs, role, text);
    canvas_text(canvas, x + 1 + used, y, 1, role, " ");
    return x + used + 3;
}

// Bytes of the character that text begins with; 1 of what is none.
static size_t utf8_length(const char *text, size_t length)
{
    uint32_t codepoint;
    size_t bytes = utf8_decode(text, length, &codepoint);
    return bytes ? bytes : 1;
}

// The longest beginning of text that takes at most so many columns; whole characters with their marks.
static size_t head(const char *text, int columns)
{
    size_t length = strlen(text), at = 0;
    int used = 0;
    while (at < length) {
        uint32_t codepoint = 0;
        size_t bytes = utf8_decode(text + at, length - at, &codepoint);
        int wide = bytes ? codepoint_columns(codepoint) : 1;
        used += wide < 0 ? 1 : wide;
        if (used > columns)
            break;
        at += bytes ? bytes : 1;
    }
    return at;
}

static void cut(struct text *text, const struct glyphs *glyphs, int columns)
{
    if (columns < 0)
        columns = 0;
    if (text_columns(text_string(text)) <= (size_t)columns)
        return;
    int room = columns - (int)text_columns(glyphs->ellipsis);
    size_t kept = head(text->bytes, room > 0 ? room : 0);
    struct text shorter = {0};
    text_append(&shorter, text->bytes, kept);
    if (room >= 0)
        text_puts(&shorter, glyphs->ellipsis);
    text_free(text);
    *text = shorter;
}

int widget_text(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs, enum role role,
                const char *text)
{
    struct text shown = {0};
    glyphs_text(glyphs, text, &shown);
    cut(&shown, glyphs, columns);
    int used = canvas_text(canvas, x, y, columns, role, text_string(&shown));
    text_free(&shown);
    return used;
}

int widget_right(struct canvas *canvas, int right, int y, int columns, const struct glyphs *glyphs,
                 enum role role, const char *text)
{
    int wanted = widget_columns(glyphs, text);
    int width = wanted < columns ? wanted : columns;
    return widget_text(canvas, right - width, y, width, glyphs, role, text);
}

int widget_columns(const struct glyphs *glyphs, const char *text)
{
    struct text shown = {0};
    glyphs_text(glyphs, text, &shown);
    int columns = (int)text_columns(text_string(&shown));
    text_free(&shown);
    return columns;
}

char *widget_safe(const struct glyphs *glyphs, const char *foreign)
{
    struct text safe = {0};
    text_put_safe(&safe, foreign ? foreign : "", glyphs->ascii);
    char *copy = xstrdup(text_string(&safe));
    text_free(&safe);
    return copy;
}

char *widget_path(const struct glyphs *glyphs, const char *safe, int columns)
{
    int over = widget_columns(glyphs, safe) - columns;
    if (over <= 0)
        return xstrdup(safe);
    int ellipsis = (int)text_columns(glyphs->ellipsis);
    size_t gone = head(safe, over + ellipsis), length = strlen(safe);
    // Enough has to go, also where a wide character lies across the cut.
    while (gone < length && (int)text_columns(safe + gone) + ellipsis > columns)
        gone += head(safe + gone, 2);
    // From a slash on, where that doesn't cost more than half.
    const char *slash = strchr(safe + gone, '/');
    const char *rest = slash && (int)text_columns(slash) * 2 >= columns ? slash : safe + gone;
    return xformat("%s%s", glyphs->ellipsis, rest);
}

char *widget_middle(const struct glyphs *glyphs, const char *safe, int columns)
{
    if (widget_columns(glyphs, safe) <= columns)
        return xstrdup(safe);
    int room = columns - (int)text_columns(glyphs->ellipsis);
    size_t kept = head(safe, room > 0 ? room / 2 : 0), begins = kept, length = strlen(safe);
    char *beginning = xstrndup(safe, kept);
    room -= (int)text_columns(beginning);
    while (begins < length && (int)text_columns(safe + begins) > room)
        begins += utf8_length(safe + begins, length - begins);
    char *shown = xformat("%s%s%s", beginning, glyphs->ellipsis, safe + begins);
    free(beginning);
    return shown;
}

// How much of the text stands on the next line, and where the line after it begins.
static size_t line_length(const char *text, int columns, size_t *next)
{
    size_t fits = head(text, columns);
    if (fits == 0)
        fits = head(text, 2); // a wide character in a line of one column: it goes, or we never end
    if (fits == 0 || text[fits] == '\0') {
        *next = strlen(text);
        return *next;
    }
    size_t end = fits;
    while (end > 0 && text[end] != ' ')
        end--;
    if (end == 0) {
        *next = fits;
        return fits;
    }
    *next = end + strspn(text + end, " ");
    while (end > 0 && text[end - 1] == ' ')
        end--;
    return end;
}

int widget_wrap(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                const char *text)
{
    if (rect.width < 1)
        return 0;
    struct text shown = {0};
    glyphs_text(glyphs, text, &shown);
    const char *left = text_string(&shown);
    int lines = 0;
    for (; *left; lines++) {
        size_t next = 0, length = line_length(left, rect.width, &next);
        if (canvas && lines < rect.height) {
            char *line = xstrndup(left, length);
            canvas_text(canvas, rect.x, rect.y + lines, rect.width, role, line);
            free(line);
        }
        left += next;
    }
    text_free(&shown);
    return lines;
}

void widget_progress(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs,
                     double fraction)
{
    if (!(fraction > 0))
        fraction = 0;
    int full = fraction >= 1 ? columns : (int)(fraction * columns);
    canvas_fill(canvas, (struct rect){x, y, columns, 1}, ROLE_DIM, glyphs->bar_empty);
    canvas_fill(canvas, (struct rect){x, y, full, 1}, ROLE_BAR, glyphs->bar_full);
}

int widget_keys(struct canvas *canvas, int x, int y, int columns, unsigned screen, enum action without)
{
    int end = x + columns;
    for (size_t i = 0; i < key_binding_count; i++) {
        const struct key_binding *binding = &key_bindings[i];
        if (!binding->label || !(binding->screens & screen) || binding->action == without)
            continue;
        int key = (int)strlen(binding->key), label = (int)strlen(binding->label);
        if (x + key + label + 3 > end)
            continue;
        canvas_text(canvas, x, y, 1, ROLE_DIM, " ");
        canvas_text(canvas, x + 1, y, key, ROLE_KEY, binding->key);
        canvas_printf(canvas, x + 1 + key, y, label + 2, ROLE_DIM, " %s ", binding->label);
        x += key + label + 4;
    }
    return x;
}
