#include "tui/table.h"

#include "base/xalloc.h"
#include "tui/plot.h"
#include "tui/widget.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,       // between columns, and around a tier's
    BAR_LEAST = 8, // columns
    BAR_MOST = 40,
    NAME_MOST = 1000,
    NAME_CUT = 14,   // a tier's name is cut to its numbers' width, but at first not below this
    NAME_LEAST = 8,  // in less, its letter stands alone
    LABEL_LEAST = 12 // what is left of a label tells it from others
};

static bool is_number(const char *value)
{
    return isdigit((unsigned char)value[0]) != 0;
}

static bool is_failure(const char *value)
{
    return strcmp(value, "failed") == 0;
}

static const char *not_null(const char *text)
{
    return text ? text : "";
}

// "104 to 124" as the screen writes it. The caller frees.
static char *range_text(const char *words, const struct glyphs *glyphs)
{
    const char *range = not_null(words), *between = strstr(range, " to ");
    if (!between)
        return xstrdup(range);
    return xformat("%.*s%s%s", (int)(between - range), range, glyphs->dash, between + strlen(" to "));
}

// "10.1x slower" with this terminal's sign, and "(8.4-10.7)" behind it. The caller frees.
static char *verdict_text(const struct page_row *row, const struct glyphs *glyphs,
                          const struct table_layout *layout)
{
    const char *verdict = not_null(row->verdict), *sign = "";
    if (layout->brief && row->comparison == COMPARISON_UNCLEAR)
        return xstrdup("not clear");
    size_t number = strspn(verdict, "0123456789.");
    size_t skip = number > 0 && verdict[number] == 'x';
    if (skip)
        sign = glyphs->times;
    char *interval = layout->intervals ? range_text(row->interval, glyphs) : xstrdup("");
    char *text = xformat("%.*s%s%s%s%s%s", (int)number, verdict, sign, verdict + number + skip,
                         *interval ? " (" : "", interval, *interval ? ")" : "");
    free(interval);
    return text;
}

// What the rules say: a sign, and the numbers of their sentences. The caller frees.
static char *mark_text(const struct page_row *row, const struct glyphs *glyphs)
{
    const char *const signs[SIGN_COUNT] = {[SIGN_NONE] = "",
                                           [SIGN_PENDING] = glyphs->ellipsis,
                                           [SIGN_GOOD] = glyphs->good_mark,
                                           [SIGN_CAVEAT] = glyphs->warning_mark,
                                           [SIGN_DISCARDED] = glyphs->failure_mark};
    enum page_sign sign = page_row_sign(row);
    return xformat("%s%s", signs[sign], sign == SIGN_PENDING ? "" : not_null(row->marks));
}

static void widen(int *columns, int wanted)
{
    if (*columns < wanted)
        *columns = wanted;
}

// Between a value and its range, which is dimmer: less is enough where room is short.
static int range_gap(const struct table_layout *layout)
{
    return layout->brief ? 1 : GAP;
}

static void measure_tier(struct table_layout *layout, const struct page *page, unsigned tier,
                         const struct glyphs *glyphs, int name_most)
{
    int words = 0, name = widget_columns(glyphs, not_null(page->columns[tier]));
    for (size_t i = 0; i < page->row_count; i++) {
        const struct page_cell *cell = &page->rows[i].tiers[tier];
        const char *text = not_null(cell->value);
        if (!is_number(text)) {
            int mark = is_failure(text) ? (int)text_columns(glyphs->failure_mark) + 1 : 0;
            widen(&words, mark + widget_columns(glyphs, text));
            continue;
        }
        char *range = range_text(cell->range, glyphs);
        widen(&layout->number[tier], widget_columns(glyphs, text));
        widen(&layout->range[tier], widget_columns(glyphs, range));
        free(range);
    }
    layout->tier[tier] = layout->number[tier];
    if (layout->ranges == RANGES_BESIDE && layout->range[tier])
        layout->tier[tier] += range_gap(layout) + layout->range[tier];
    if (layout->ranges == RANGES_BELOW)
        widen(&layout->tier[tier], layout->range[tier]);
    widen(&layout->tier[tier], words);
    widen(&layout->tier[tier], name < name_most ? name : name_most);
}

// Where the tiers' columns begin.
static int first_tier(const struct table_layout *layout)
{
    return layout->label + 1 + layout->unit + GAP;
}

static int total(const struct table_layout *layout, unsigned tiers)
{
    int columns = first_tier(layout) - GAP;
    for (unsigned tier = 0; tier < tiers; tier++)
        columns += GAP + layout->tier[tier];
    columns += layout->verdict ? GAP + layout->verdict : 0;
    return columns + (layout->mark ? GAP + layout->mark : 0);
}

// What is given up, step by step, until a table fits.
static const struct attempt {
    bool intervals, brief, drop_ranges;
    int name_most;
} attempts[] = {
    {true, false, false, NAME_MOST}, {false, false, false, NAME_MOST}, {false, true, false, NAME_MOST},
    {false, true, false, NAME_CUT},  {false, true, true, NAME_CUT},    {false, true, true, 1},
};

static struct table_layout measure(const struct page *page, const struct glyphs *glyphs,
                                   const struct attempt *attempt, enum table_ranges dropped)
{
    struct table_layout layout = {.brief = attempt->brief, .intervals = attempt->intervals};
    layout.ranges = attempt->drop_ranges ? dropped : RANGES_BESIDE;
    for (size_t i = 0; i < page->row_count; i++) {
        const struct page_row *row = &page->rows[i];
        char *verdict = verdict_text(row, glyphs, &layout), *mark = mark_text(row, glyphs);
        widen(&layout.label, widget_columns(glyphs, not_null(row->label)));
        widen(&layout.unit, widget_columns(glyphs, not_null(row->unit)));
        widen(&layout.verdict, widget_columns(glyphs, verdict));
        widen(&layout.mark, widget_columns(glyphs, mark));
        free(verdict);
        free(mark);
        if (isfinite(row->ratio) && row->ratio > layout.most)
            layout.most = row->ratio;
    }
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        measure_tier(&layout, page, tier, glyphs, attempt->name_most);
    return layout;
}

struct table_layout table_lay(const struct page *page, const struct glyphs *glyphs, int width, bool below)
{
    struct table_layout layout = {0};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        layout = measure(page, glyphs, &attempts[i], below ? RANGES_BELOW : RANGES_NONE);
        if (total(&layout, page->tier_count) <= width)
            break;
    }
    layout.width = width;
    int over = total(&layout, page->tier_count) - width;
    if (over > 0 && layout.label > LABEL_LEAST)
        layout.label = layout.label - over > LABEL_LEAST ? layout.label - over : LABEL_LEAST;
    int room = width - total(&layout, page->tier_count) - GAP;
    layout.fits = room + GAP >= 0;
    if (layout.most >= 1 && room >= BAR_LEAST)
        layout.bar = room < BAR_MOST ? room : BAR_MOST;
    layout.most = fmax(layout.most, 10);
    return layout;
}

// How much of a column that begins at `x` the table's width leaves.
static int within(const struct table_layout *layout, int left, int x, int columns)
{
    int room = left + layout->width - x;
    return columns < room ? columns : room;
}

int table_row_height(const struct table_layout *layout, const struct page *page, size_t row)
{
    if (layout->ranges != RANGES_BELOW)
        return 1;
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        if (*not_null(page->rows[row].tiers[tier].range))
            return 2;
    return 1;
}

static enum role tier_role(unsigned tier)
{
    return tier == 0 ? ROLE_TIER_A : ROLE_TIER_B;
}

void table_head(struct canvas *canvas, int left, int y, const struct table_layout *layout,
                const struct glyphs *glyphs, const struct page *page)
{
    int x = left + first_tier(layout);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        const char *name = not_null(page->columns[tier]);
        int columns = within(layout, left, x, layout->tier[tier]);
        if (columns < NAME_LEAST && columns < widget_columns(glyphs, name))
            canvas_printf(canvas, x, y, columns, tier_role(tier), "%c", 'A' + (int)tier);
        else
            widget_text(canvas, x, y, columns, glyphs, tier_role(tier), name);
        x += layout->tier[tier] + GAP;
    }
    if (!layout->verdict)
        return;
    canvas_text(canvas, x, y, within(layout, left, x, layout->verdict), ROLE_DIM, "A is");
    x += layout->verdict + GAP;
    if (layout->bar)
        plot_ratio_axis(canvas, (struct rect){x, y, layout->bar, 1}, glyphs, layout->most);
}

static void draw_word(struct canvas *canvas, int x, int y, int columns, const struct glyphs *glyphs,
                      const char *word)
{
    bool failed = is_failure(word);
    enum role role = failed ? ROLE_ERROR : ROLE_DIM;
    int used = 0;
    if (failed)
        used = canvas_printf(canvas, x, y, columns, role, "%s ", glyphs->failure_mark);
    widget_text(canvas, x + used, y, columns - used, glyphs, role, word);
}

static void draw_cell(struct canvas *canvas, int x, int y, const struct table_layout *layout, unsigned tier,
                      const struct glyphs *glyphs, const struct page_cell *cell)
{
    const char *text = not_null(cell->value);
    if (!is_number(text)) {
        draw_word(canvas, x, y, layout->tier[tier], glyphs, text);
        return;
    }
    int number = layout->number[tier];
    widget_right(canvas, x + number, y, number, glyphs, ROLE_TEXT, text);
    char *range = range_text(cell->range, glyphs);
    if (layout->ranges == RANGES_BESIDE)
        widget_text(canvas, x + number + range_gap(layout), y, layout->range[tier], glyphs, ROLE_DIM, range);
    if (layout->ranges == RANGES_BELOW)
        widget_text(canvas, x, y + 1, layout->tier[tier], glyphs, ROLE_DIM, range);
    free(range);
}

// At the table's right end.
static void draw_mark(struct canvas *canvas, int left, int y, const struct table_layout *layout,
                      const struct glyphs *glyphs, const struct page_row *row)
{
    static const enum role roles[SIGN_COUNT] = {[SIGN_NONE] = ROLE_DIM,
                                                [SIGN_PENDING] = ROLE_DIM,
                                                [SIGN_GOOD] = ROLE_BETTER,
                                                [SIGN_CAVEAT] = ROLE_WARNING,
                                                [SIGN_DISCARDED] = ROLE_ERROR};
    char *mark = mark_text(row, glyphs);
    int x = left + layout->width - layout->mark;
    if (layout->mark && layout->fits)
        widget_text(canvas, x, y, layout->mark, glyphs, roles[page_row_sign(row)], mark);
    free(mark);
}

void table_row(struct canvas *canvas, int left, int y, const struct table_layout *layout,
               const struct glyphs *glyphs, const struct page *page, size_t index, bool present)
{
    static const enum role roles[] = {
        [COMPARISON_NONE] = ROLE_DIM,
        [COMPARISON_UNCLEAR] = ROLE_DIM,
        [COMPARISON_SLOWER] = ROLE_WORSE,
        [COMPARISON_FASTER] = ROLE_BETTER,
    };
    const struct page_row *row = &page->rows[index];
    int label_columns = within(layout, left, left, layout->label);
    char *label = widget_middle(glyphs, not_null(row->label), label_columns);
    widget_text(canvas, left, y, label_columns, glyphs, present ? ROLE_TITLE : ROLE_TEXT, label);
    free(label);
    int unit_x = left + layout->label + 1;
    widget_text(canvas, unit_x, y, within(layout, left, unit_x, layout->unit), glyphs, ROLE_DIM,
                not_null(row->unit));
    int x = left + first_tier(layout);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        if (within(layout, left, x, layout->tier[tier]) == layout->tier[tier])
            draw_cell(canvas, x, y, layout, tier, glyphs, &row->tiers[tier]);
        x += layout->tier[tier] + GAP;
    }
    char *verdict = verdict_text(row, glyphs, layout);
    widget_text(canvas, x, y, within(layout, left, x, layout->verdict), glyphs, roles[row->comparison],
                verdict);
    free(verdict);
    draw_mark(canvas, left, y, layout, glyphs, row);
    x += layout->verdict ? layout->verdict + GAP : 0;
    if (layout->bar && row->ratio >= 1)
        plot_ratio(canvas, (struct rect){x, y, layout->bar, 1}, glyphs, roles[row->comparison], row->ratio,
                   layout->most);
}
