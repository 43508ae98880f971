#include "report/table.h"

#include "report/layout.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80, GAP = 2 };

// ---- The table ----

// Numbers end under one another, and ranges ("104 to 124") have their dash in one column. A word ("failed")
// begins where the column does.
struct parts {
    const char *value;
    const char *low, *high; // of the range; a range without two ends ("average 657") is all low
    size_t low_length;
};

// The widths of one tier's parts, and of all that stands below its heading.
struct widths {
    size_t number, low, high, range, total;
    bool below; // ranges stand on a line of their own below the numbers
};

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool is_number(const char *value)
{
    return isdigit((unsigned char)*value) != 0;
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

static struct widths widths_of(const struct page *page, unsigned tier, bool below)
{
    struct widths widths = {.below = below};
    size_t words = 0, whole = 0;
    for (size_t i = 0; i < page->row_count; i++) {
        struct parts parts = parts_of(&page->rows[i].tiers[tier]);
        if (!is_number(parts.value)) {
            words = most(words, text_columns(parts.value));
            continue;
        }
        widths.number = most(widths.number, text_columns(parts.value));
        if (!*parts.high) {
            whole = most(whole, parts.low_length);
            continue;
        }
        widths.low = most(widths.low, parts.low_length);
        widths.high = most(widths.high, text_columns(parts.high));
    }
    widths.range = most(widths.low > 0 ? widths.low + 1 + widths.high : 0, whole);
    size_t beside = widths.number + (widths.range > 0 ? GAP + widths.range : 0);
    widths.total = most(most(below ? most(widths.number, widths.range) : beside, words),
                        text_columns(page->columns[tier]));
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

// Takes `width` columns.
static void put_range(struct text *out, const struct parts *parts, const struct widths *widths, size_t width)
{
    size_t start = out->length;
    if (*parts->high) {
        put_right(out, parts->low, parts->low_length, widths->low);
        text_puts(out, "-");
        text_puts(out, parts->high);
    } else {
        text_append(out, parts->low, parts->low_length);
    }
    size_t used = text_columns(text_string(out) + start);
    text_repeat(out, ' ', used < width ? width - used : 0);
}

static void put_cell(struct text *out, const struct page_cell *cell, const struct widths *widths)
{
    struct parts parts = parts_of(cell);
    text_repeat(out, ' ', GAP);
    if (!is_number(parts.value)) {
        put_left(out, parts.value, widths->total);
        return;
    }
    put_right(out, parts.value, strlen(parts.value), widths->number);
    if (widths->below || widths->range == 0) {
        text_repeat(out, ' ', widths->total - widths->number);
        return;
    }
    text_repeat(out, ' ', GAP);
    put_range(out, &parts, widths, widths->total - widths->number - GAP);
}

// Label and unit: units stand under one another, but where that makes a line too long, each behind its label.
struct names {
    size_t label, unit; // label 0: units stand behind
    size_t total;
};

static struct names names_of(const struct page *page, size_t others, size_t columns)
{
    size_t label = 0, unit = 0, together = 0;
    for (size_t i = 0; i < page->row_count; i++) {
        const struct page_row *row = &page->rows[i];
        label = most(label, text_columns(row->label));
        unit = most(unit, text_columns(row->unit));
        together = most(together, text_columns(row->label) + 1 + text_columns(row->unit));
    }
    if (label + 1 + unit + others > columns)
        return (struct names){.total = together};
    return (struct names){.label = label, .unit = unit, .total = label + 1 + unit};
}

static void put_names(struct text *out, const struct page_row *row, const struct names *names)
{
    put_left(out, row->label, names->label);
    text_puts(out, " ");
    size_t label = most(text_columns(row->label), names->label);
    put_left(out, row->unit, names->total - label - 1);
}

// "10.1x slower (8.4 to 10.7)"
static void put_verdict(struct text *out, const struct page_row *row, bool interval)
{
    text_puts(out, row->verdict);
    if (interval && row->interval && *row->interval)
        text_printf(out, " (%s)", row->interval);
}

static size_t verdict_width(const struct page *page, bool intervals)
{
    size_t width = 0;
    for (size_t i = 0; i < page->row_count; i++) {
        struct text verdict = {0};
        put_verdict(&verdict, &page->rows[i], intervals);
        width = most(width, text_columns(text_string(&verdict)));
        text_free(&verdict);
    }
    return width;
}

static size_t mark_width(const struct page *page)
{
    size_t width = 0;
    for (size_t i = 0; i < page->row_count; i++) {
        struct text mark = {0};
        layout_put_mark(&page->rows[i], &mark);
        width = most(width, mark.length);
        text_free(&mark);
    }
    return width;
}

// All of the table's columns.
struct columns {
    struct names names;
    struct widths tiers[RUN_TIERS_MOST];
    bool intervals;
    size_t verdict, mark;
    size_t total;
};

static size_t behind(size_t width)
{
    return width > 0 ? GAP + width : 0;
}

static struct columns columns_of(const struct page *page, bool intervals, bool below, size_t most_columns)
{
    struct columns columns = {
        .intervals = intervals, .mark = mark_width(page), .verdict = verdict_width(page, intervals)};
    size_t others = behind(columns.verdict) + behind(columns.mark);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        columns.tiers[tier] = widths_of(page, tier, below);
        others += GAP + columns.tiers[tier].total;
    }
    columns.names = names_of(page, others, most_columns);
    columns.total = columns.names.total + others;
    return columns;
}

// Where a line is too long, intervals go first; else ranges go below their numbers.
static struct columns fitting_columns(const struct page *page, size_t most_columns)
{
    struct columns columns = {0};
    for (unsigned way = 0; way < 4; way++) {
        columns = columns_of(page, way % 2 == 0, way >= 2, most_columns);
        if (columns.total <= most_columns)
            break;
    }
    return columns;
}

static void put_head(struct text *out, const struct page *page, const struct columns *columns)
{
    text_repeat(out, ' ', columns->names.total);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        text_repeat(out, ' ', GAP);
        put_left(out, page->columns[tier], columns->tiers[tier].total);
    }
    text_repeat(out, ' ', GAP);
    put_left(out, columns->verdict ? "A is" : "", columns->verdict);
    end_line(out);
}

static bool has_ranges(const struct page_row *row, unsigned tiers)
{
    for (unsigned tier = 0; tier < tiers; tier++)
        if (is_number(row->tiers[tier].value) && *row->tiers[tier].range)
            return true;
    return false;
}

static void put_ranges_below(struct text *out, const struct page_row *row, unsigned tiers,
                             const struct columns *columns)
{
    text_repeat(out, ' ', columns->names.total);
    for (unsigned tier = 0; tier < tiers; tier++) {
        struct parts parts = parts_of(&row->tiers[tier]);
        if (!is_number(parts.value))
            parts = (struct parts){.low = "", .high = ""};
        text_repeat(out, ' ', GAP);
        put_range(out, &parts, &columns->tiers[tier], columns->tiers[tier].total);
    }
    end_line(out);
}

static void put_row(struct text *out, const struct page_row *row, unsigned tiers,
                    const struct columns *columns)
{
    struct text verdict = {0};
    put_names(out, row, &columns->names);
    for (unsigned tier = 0; tier < tiers; tier++)
        put_cell(out, &row->tiers[tier], &columns->tiers[tier]);
    text_repeat(out, ' ', GAP);
    put_verdict(&verdict, row, columns->intervals);
    put_left(out, text_string(&verdict), columns->verdict);
    text_free(&verdict);
    text_repeat(out, ' ', columns->verdict > 0 ? GAP : 0);
    layout_put_mark(row, out);
    end_line(out);
    if (columns->tiers[0].below && has_ranges(row, tiers))
        put_ranges_below(out, row, tiers, columns);
}

// ---- What more threads give ----

// The widths of a block of curves, all alike.
struct curve_widths {
    size_t label, unit, number;
    bool below; // the tiers stand below their label, since beside it a line would be too long
};

static const char threads[] = "threads"; // heads the block

// Where the letters of the tiers stand.
static size_t curve_indent(const struct curve_widths *widths)
{
    return widths->below ? strlen(threads) - 1 : widths->label + 1 + widths->unit + GAP;
}

static struct curve_widths curve_widths_of(const struct page *page)
{
    struct curve_widths widths = {.number = strlen("64")};
    size_t counts = 0, scaling = 0;
    for (size_t i = 0; i < page->curve_count; i++) {
        const struct page_curve *curve = &page->curves[i];
        widths.label = most(widths.label, text_columns(curve->label));
        widths.unit = most(widths.unit, text_columns(curve->unit));
        counts = most(counts, curve->count);
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            scaling = most(scaling, text_columns(curve->tiers[tier].scaling));
            for (size_t k = 0; k < curve->count; k++)
                widths.number = most(widths.number, text_columns(curve->tiers[tier].values[k]));
        }
    }
    size_t numbers = counts * (GAP + widths.number);
    widths.below = curve_indent(&widths) + 1 + numbers + GAP + scaling > COLUMNS;
    return widths;
}

static void put_number(struct text *out, const char *number, const struct curve_widths *widths)
{
    text_repeat(out, ' ', GAP);
    put_right(out, number, strlen(number), widths->number);
}

// "threads     1     2     4     8  8 against 1"
static void put_curve_head(struct text *out, const struct page_curve *curve,
                           const struct curve_widths *widths)
{
    char number[16];
    put_left(out, threads, curve_indent(widths) + 1);
    for (size_t k = 0; k < curve->count; k++) {
        snprintf(number, sizeof number, "%u", curve->threads[k]);
        put_number(out, number, widths);
    }
    text_printf(out, "%*s%u against %u\n", GAP, "", curve->threads[curve->count - 1], curve->threads[0]);
}

static void put_curve(struct text *out, const struct page_curve *curve, unsigned tiers,
                      const struct curve_widths *widths)
{
    if (widths->below) {
        text_printf(out, "%s %s\n", curve->label, curve->unit);
    } else {
        put_left(out, curve->label, widths->label + 1);
        put_left(out, curve->unit, widths->unit + GAP);
    }
    for (unsigned tier = 0; tier < tiers; tier++) {
        const struct page_curve_tier *cells = &curve->tiers[tier];
        text_repeat(out, ' ', tier > 0 || widths->below ? curve_indent(widths) : 0);
        text_printf(out, "%c", 'A' + (int)tier);
        for (size_t k = 0; k < curve->count; k++)
            put_number(out, *cells->values[k] ? cells->values[k] : "-", widths);
        text_printf(out, "%*s%s", GAP, "", cells->scaling);
        end_line(out);
    }
}

static bool same_threads(const struct page_curve *a, const struct page_curve *b)
{
    return a->count == b->count && memcmp(a->threads, b->threads, a->count * sizeof *a->threads) == 0;
}

static void put_curves(struct text *out, const struct page *page)
{
    struct curve_widths widths = curve_widths_of(page);
    for (size_t i = 0; i < page->curve_count; i++) {
        if (i == 0)
            end_line(out);
        if (i == 0 || !same_threads(&page->curves[i - 1], &page->curves[i]))
            put_curve_head(out, &page->curves[i], &widths);
        put_curve(out, &page->curves[i], page->tier_count, &widths);
    }
}

void report_table(const struct page *page, size_t columns, struct text *out)
{
    struct columns table = fitting_columns(page, columns);
    put_head(out, page, &table);
    for (size_t i = 0; i < page->row_count; i++)
        put_row(out, &page->rows[i], page->tier_count, &table);
    put_curves(out, page);
}
