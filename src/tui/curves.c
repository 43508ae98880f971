#include "tui/curves.h"

#include "base/xalloc.h"
#include "tui/plot.h"
#include "tui/widget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,            // between columns
    PICTURE_LEAST = 34, // columns of a picture
    PICTURE_MOST = 60,
    PICTURE_LINES = 10, // with its title and the blank line below it
    APART = 20          // values so many times apart are drawn on a log axis
};

static const char threads[] = "threads"; // heads the figures

static const enum role hues[RUN_TIERS_MOST] = {ROLE_TIER_A, ROLE_TIER_B};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static const char *not_null(const char *text)
{
    return text ? text : "";
}

// ---- The figures ----

// Where everything stands, found over all curves.
struct layout {
    int label, unit, number, scaling;
    bool below; // the tiers stand below their label, since beside it a line would be too long
};

static int letter_column(const struct layout *layout)
{
    return layout->below ? (int)strlen(threads) - 1 : layout->label + 1 + layout->unit + GAP;
}

// "6.78x as fast" with this terminal's sign. The caller frees.
static char *scaling_text(const struct page_curve_tier *tier, const struct glyphs *glyphs)
{
    const char *scaling = not_null(tier->scaling);
    size_t number = strspn(scaling, "0123456789.");
    if (scaling[number] != 'x')
        return xstrdup(scaling);
    return xformat("%.*s%s%s", (int)number, scaling, glyphs->times, scaling + number + 1);
}

static struct layout lay(const struct page *page, const struct glyphs *glyphs, int width)
{
    struct layout layout = {.number = 2};
    int counts = 0;
    for (size_t i = 0; i < page->curve_count; i++) {
        const struct page_curve *curve = &page->curves[i];
        layout.label = larger(layout.label, widget_columns(glyphs, not_null(curve->label)));
        layout.unit = larger(layout.unit, widget_columns(glyphs, not_null(curve->unit)));
        counts = larger(counts, (int)curve->count);
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            char *scaling = scaling_text(&curve->tiers[tier], glyphs);
            layout.scaling = larger(layout.scaling, widget_columns(glyphs, scaling));
            free(scaling);
            for (size_t k = 0; k < curve->count; k++)
                layout.number =
                    larger(layout.number, widget_columns(glyphs, not_null(curve->tiers[tier].values[k])));
        }
    }
    int figures = 1 + counts * (GAP + layout.number) + GAP + layout.scaling;
    layout.below = letter_column(&layout) + figures > width;
    return layout;
}

static int number_column(const struct layout *layout, const struct rect *rect, size_t index)
{
    return rect->x + letter_column(layout) + 1 + ((int)index + 1) * (GAP + layout->number);
}

static void draw_head(struct canvas *canvas, const struct rect *rect, int y, const struct layout *layout,
                      const struct page_curve *curve)
{
    int end = rect->x + rect->width, right = rect->x;
    canvas_text(canvas, rect->x, y, rect->width, ROLE_DIM, threads);
    for (size_t k = 0; k < curve->count; k++) {
        char number[16];
        snprintf(number, sizeof number, "%u", curve->threads[k]);
        right = number_column(layout, rect, k);
        if (right <= end)
            canvas_right(canvas, right, y, layout->number, ROLE_DIM, number);
    }
    canvas_printf(canvas, right + GAP, y, end - right - GAP, ROLE_DIM, "%u against %u",
                  curve->threads[curve->count - 1], curve->threads[0]);
}

// Numbers stand whole or not at all.
static void draw_tier(struct canvas *canvas, const struct rect *rect, int y, const struct glyphs *glyphs,
                      const struct layout *layout, const struct page_curve *curve, unsigned tier)
{
    const struct page_curve_tier *cells = &curve->tiers[tier];
    int end = rect->x + rect->width, right = rect->x + letter_column(layout) + 1;
    canvas_printf(canvas, right - 1, y, end - right + 1, hues[tier], "%c", 'A' + (int)tier);
    for (size_t k = 0; k < curve->count; k++) {
        bool known = *not_null(cells->values[k]);
        right = number_column(layout, rect, k);
        if (right <= end)
            widget_right(canvas, right, y, layout->number, glyphs, known ? ROLE_TEXT : ROLE_DIM,
                         known ? cells->values[k] : glyphs->dash);
    }
    char *scaling = scaling_text(cells, glyphs);
    widget_text(canvas, right + GAP, y, end - right - GAP, glyphs, ROLE_DIM, scaling);
    free(scaling);
}

static bool same_threads(const struct page_curve *a, const struct page_curve *b)
{
    return a->count == b->count && memcmp(a->threads, b->threads, a->count * sizeof *a->threads) == 0;
}

static int draw_figures(struct canvas *canvas, const struct rect *rect, const struct glyphs *glyphs,
                        const struct page *page)
{
    struct layout layout = lay(page, glyphs, rect->width);
    int y = rect->y;
    for (size_t i = 0; i < page->curve_count; i++) {
        const struct page_curve *curve = &page->curves[i];
        if (i == 0 || !same_threads(&page->curves[i - 1], curve)) {
            if (canvas)
                draw_head(canvas, rect, y, &layout, curve);
            y++;
        }
        if (canvas) {
            int used = widget_text(canvas, rect->x, y, layout.below ? rect->width : layout.label, glyphs,
                                   ROLE_TEXT, not_null(curve->label));
            int unit = layout.below ? used + 1 : layout.label + 1;
            widget_text(canvas, rect->x + unit, y, rect->width - unit, glyphs, ROLE_DIM,
                        not_null(curve->unit));
        }
        y += layout.below;
        for (unsigned tier = 0; tier < page->tier_count; tier++, y++)
            if (canvas)
                draw_tier(canvas, rect, y, glyphs, &layout, curve, tier);
    }
    return y - rect->y;
}

// ---- The pictures ----

static struct scale scale_of(const struct page_curve *curve, unsigned tiers)
{
    double least = INFINITY, most = 0;
    for (unsigned tier = 0; tier < tiers; tier++)
        for (size_t k = 0; k < curve->count; k++) {
            double value = curve->tiers[tier].medians[k];
            if (!(value > 0))
                continue;
            least = fmin(least, value);
            most = fmax(most, value);
        }
    return most >= least * APART ? scale_decades(least, most) : scale_linear(most);
}

static void draw_picture(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                         const struct page_curve *curve, unsigned tiers)
{
    static const char *const marks[RUN_TIERS_MOST] = {"A", "B"};
    struct plot_line lines[RUN_TIERS_MOST];
    for (unsigned tier = 0; tier < tiers; tier++)
        lines[tier] = (struct plot_line){curve->tiers[tier].medians, marks[tier], hues[tier]};
    struct scale scale = scale_of(curve, tiers);
    char *title = xformat("%s, %s%s", not_null(curve->label), not_null(curve->unit),
                          scale.logarithmic ? " (log scale)" : "");
    widget_text(canvas, rect.x, rect.y, rect.width, glyphs, ROLE_DIM, title);
    free(title);
    struct rect plot = {rect.x, rect.y + 1, rect.width, rect.height - 2};
    plot_steps(canvas, plot, glyphs, &scale, curve->threads, curve->count, lines, tiers);
}

// Side by side, as many as there is room for.
static int draw_pictures(struct canvas *canvas, const struct rect *rect, const struct glyphs *glyphs,
                         const struct page *page)
{
    int across = (rect->width + GAP) / (PICTURE_LEAST + GAP);
    if (across < 1)
        return 0;
    int room = (rect->width + GAP) / across - GAP, width = room < PICTURE_MOST ? room : PICTURE_MOST;
    for (size_t i = 0; canvas && i < page->curve_count; i++) {
        int row = (int)i / across, column = (int)i % across;
        struct rect picture = {rect->x + column * (width + GAP), rect->y + row * PICTURE_LINES, width,
                               PICTURE_LINES};
        draw_picture(canvas, picture, glyphs, &page->curves[i], page->tier_count);
    }
    return ((int)page->curve_count + across - 1) / across * PICTURE_LINES;
}

int curves_draw(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, const struct page *page)
{
    if (page->curve_count == 0)
        return 0;
    int figures = draw_figures(canvas, &rect, glyphs, page) + 1;
    rect.y += figures;
    return figures + draw_pictures(canvas, &rect, glyphs, page);
}
