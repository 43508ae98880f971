#include "report/text.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 80, NOTE_INDENT = 2, GAP = 2 };

// Numbers end under one another, and ranges ("104 to 124") have their dash in one column. A word ("failed")
// stands where the number would.
struct parts {
    const char *value;
    const char *low, *high; // of the range
    size_t low_length;
};

// The widths of one tier's parts, and of all that stands below its heading.
struct widths {
    size_t number, low, high, total;
};

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static struct parts parts_of(const struct page_cell *cell)
{
    static const char between[] = " to ";
    struct parts parts = {.value = cell->value, .low = cell->range, .high = ""};
    const char *middle = strstr(cell->range, between);
    parts.low_length = middle ? (size_t)(middle - cell->range) : strlen(cell->range);
    if (middle)
        parts.high = middle + strlen(between);
    return parts;
}

static struct widths widths_of(const struct page *page, unsigned tier)
{
    struct widths widths = {0};
    for (size_t i = 0; i < page->row_count; i++) {
        struct parts parts = parts_of(&page->rows[i].tiers[tier]);
        widths.number = most(widths.number, text_columns(parts.value));
        widths.low = most(widths.low, parts.low_length);
        widths.high = most(widths.high, text_columns(parts.high));
    }
    size_t range = widths.low > 0 ? GAP + widths.low + 1 + widths.high : 0;
    widths.total = most(widths.number + range, text_columns(page->columns[tier]));
    return widths;
}

static void put_left(struct text *out, const char *string, size_t width)
{
    size_t columns = text_columns(string);
    text_puts(out, string);
    text_repeat(out, ' ', columns < width ? width - columns : 0);
}

static void put_right(struct text *out, const char *bytes, size_t length, size_t width)
{
    text_repeat(out, ' ', length < width ? width - length : 0);
    text_append(out, bytes, length);
}

static void end_line(struct text *out)
{
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->length--;
    text_puts(out, "\n");
}

static void put_cell(struct text *out, const struct page_cell *cell, const struct widths *widths)
{
    struct parts parts = parts_of(cell);
    size_t used = widths->number;
    text_repeat(out, ' ', GAP);
    put_right(out, parts.value, strlen(parts.value), widths->number);
    if (parts.low_length > 0) {
        text_repeat(out, ' ', GAP);
        put_right(out, parts.low, parts.low_length, widths->low);
        text_puts(out, "-");
        put_left(out, parts.high, widths->high);
        used += GAP + widths->low + 1 + widths->high;
    }
    text_repeat(out, ' ', widths->total - used);
}

static void put_table(struct text *out, const struct page *page)
{
    size_t labels = 0, units = 0;
    bool verdicts = false;
    for (size_t i = 0; i < page->row_count; i++) {
        labels = most(labels, text_columns(page->rows[i].label));
        units = most(units, text_columns(page->rows[i].unit));
        verdicts = verdicts || *page->rows[i].verdict;
    }
    struct widths widths[RUN_TIERS_MOST];
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        widths[tier] = widths_of(page, tier);

    text_repeat(out, ' ', labels + 1 + units);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        text_repeat(out, ' ', GAP);
        put_left(out, page->columns[tier], widths[tier].total);
    }
    text_repeat(out, ' ', GAP);
    text_puts(out, verdicts ? "A is" : "");
    end_line(out);

    for (size_t i = 0; i < page->row_count; i++) {
        const struct page_row *row = &page->rows[i];
        put_left(out, row->label, labels);
        text_puts(out, " ");
        put_left(out, row->unit, units);
        for (unsigned tier = 0; tier < page->tier_count; tier++)
            put_cell(out, &row->tiers[tier], &widths[tier]);
        text_repeat(out, ' ', GAP);
        text_puts(out, row->verdict);
        end_line(out);
    }
}

// Wraps at blanks; a longer word (a path) has a line of its own and isn't cut.
static void put_note(struct text *out, const char *note)
{
    size_t column = 0;
    while (*note) {
        struct text word = {0};
        size_t length = strcspn(note, " ");
        text_append(&word, note, length);
        size_t columns = text_columns(text_string(&word));
        if (column > NOTE_INDENT && column + 1 + columns > COLUMNS) {
            end_line(out);
            text_repeat(out, ' ', NOTE_INDENT);
            column = NOTE_INDENT;
        } else if (column > 0) {
            text_repeat(out, ' ', 1);
            column++;
        }
        text_puts(out, text_string(&word));
        column += columns;
        text_free(&word);
        note += length;
        note += *note == ' ';
    }
    end_line(out);
}

void report_text(const struct page *page, struct text *out)
{
    text_puts(out, page->title);
    end_line(out);
    end_line(out);
    put_table(out, page);
    for (size_t i = 0; i < page->note_count; i++) {
        if (i == 0)
            end_line(out);
        put_note(out, page->notes[i]);
    }
}
