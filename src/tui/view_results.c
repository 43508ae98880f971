// The results: the headline, the table, what more threads give, what the rules say of the figures, and where
// all is kept. Scrolls where it is too long.
#include "tui/view.h"

#include "base/xalloc.h"
#include "tui/curves.h"
#include "tui/table.h"
#include "tui/widget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_LINES = 2, FRAME_COLUMNS = 4 };

// The parts below return how many lines they take, which they also do where the canvas is NULL.

static int headline(struct canvas *canvas, struct rect rest, const struct glyphs *glyphs,
                    const struct page *page)
{
    if (!page->headline || !*page->headline)
        return 0;
    return widget_wrap(canvas, rest, glyphs, ROLE_TITLE, page->headline) + 1;
}

// The marks of the table and the other sentences that take something away, most severe first.
static int findings(struct canvas *canvas, struct rect rest, const struct glyphs *glyphs,
                    const struct page *page)
{
    int top = rest.y, y = top;
    for (size_t i = 0; i < page->finding_count; i++) {
        const struct page_finding *finding = &page->findings[i];
        if (finding->mark == 0 || finding->repeats)
            continue;
        bool discarded = finding->verdict == VERDICT_DISCARD;
        char *words = page_finding_words(finding);
        char *sentence = xformat("%s%u %s%s%s", discarded ? glyphs->failure_mark : glyphs->warning_mark,
                                 finding->mark, finding->about, *finding->about ? ": " : "", words);
        free(words);
        rest.y = y;
        y += widget_wrap(canvas, rest, glyphs, discarded ? ROLE_ERROR : ROLE_WARNING, sentence);
        free(sentence);
    }
    if (page->not_checked && *page->not_checked) {
        char *sentence = xformat("Not checked: %s.", page->not_checked);
        rest.y = y;
        y += widget_wrap(canvas, rest, glyphs, ROLE_DIM, sentence);
        free(sentence);
    }
    return y - top + (y > top);
}

// Those from one to below another, and a blank line.
static int notes(struct canvas *canvas, struct rect rest, const struct glyphs *glyphs,
                 const struct page *page, size_t from, size_t to)
{
    int top = rest.y;
    for (size_t i = from; i < to; i++)
        rest.y += widget_wrap(canvas, rest, glyphs, ROLE_TEXT, page->notes[i]);
    return rest.y - top + (to > from);
}

// Draws everything from the first line on, however long the canvas; with a NULL canvas it only counts the
// lines.
static int content(struct canvas *canvas, int width, const struct glyphs *glyphs, const struct duel *duel)
{
    struct rect rest = {0, 0, width, canvas ? canvas->height : 0};
    const struct page *page = duel->page;
    int y = 1;
    if (page) {
        rest.y = y;
        y += headline(canvas, rest, glyphs, page);
        struct table_layout layout = table_lay(page, glyphs, width, true);
        if (canvas)
            table_head(canvas, 0, y, &layout, glyphs, page);
        y++;
        for (size_t i = 0; i < page->row_count; i++) {
            if (canvas)
                table_row(canvas, 0, y, &layout, glyphs, page, i, false);
            y += table_row_height(&layout, page, i);
        }
        y++;
        rest.y = y;
        y += curves_draw(canvas, rest, glyphs, page);
        rest.y = y;
        y += notes(canvas, rest, glyphs, page, 0, page->gap_count);
        rest.y = y;
        y += findings(canvas, rest, glyphs, page);
        rest.y = y;
        y += notes(canvas, rest, glyphs, page, page->gap_count, page->note_count);
    }
    if (duel->warning) {
        char *warning = xformat("%s %s", glyphs->warning_mark, duel->warning);
        rest.y = y;
        y += widget_wrap(canvas, rest, glyphs, ROLE_WARNING, warning);
        free(warning);
    }
    if (duel->saved_as) {
        char *saved = xformat("Saved as %s", duel->saved_as);
        rest.y = y;
        y += widget_wrap(canvas, rest, glyphs, ROLE_DIM, saved);
        free(saved);
    }
    return y;
}

int view_results_overflow(const struct canvas *canvas, const struct duel *duel)
{
    int width = canvas->width - FRAME_COLUMNS;
    int unicode = content(NULL, width, &glyphs_unicode, duel),
        ascii = content(NULL, width, &glyphs_ascii, duel);
    int lines = unicode > ascii ? unicode : ascii;
    int over = lines - (canvas->height - FRAME_LINES);
    return over > 0 ? over : 0;
}

static void copy_lines(struct canvas *to, struct rect rect, const struct canvas *from, int first)
{
    for (int y = 0; y < rect.height && first + y < from->height; y++)
        for (int x = 0; x < rect.width && x < from->width; x++) {
            const struct cell *cell = canvas_at(from, x, first + y);
            canvas_text(to, rect.x + x, rect.y + y, 2, cell->role, cell->text);
        }
}

void view_results(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
                  const struct duel *duel)
{
    struct rect box = {0, 0, canvas->width, canvas->height};
    struct rect in = widget_box(canvas, box, glyphs, ROLE_DIM);
    const char *title = duel->page && duel->page->title ? duel->page->title : "results";
    widget_title(canvas, 2, 0, box.width - 4, glyphs, ROLE_TITLE, title);
    if (in.width < 1 || in.height < 1)
        return;

    struct canvas whole = {0};
    canvas_init(&whole, in.width, content(NULL, in.width, glyphs, duel));
    content(&whole, in.width, glyphs, duel);
    int over = whole.height - in.height > 0 ? whole.height - in.height : 0;
    int first = model->scroll < over ? model->scroll : over;
    copy_lines(canvas, in, &whole, first > 0 ? first : 0);
    widget_keys(canvas, 2, box.height - 1, box.width - 4, SCREEN_RESULTS,
                over > 0 ? ACTION_NONE : ACTION_DOWN);
    if (over > 0) {
        char text[64];
        snprintf(text, sizeof text, " %d more below ", over - first);
        canvas_right(canvas, box.width - 2, box.height - 1, box.width / 2, ROLE_DIM,
                     first < over ? text : " the end ");
    }
    canvas_release(&whole);
}
