// The live screen: a header, two panes side by side, the table so far, and what is being done now.
#include "tui/view.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "tui/pane.h"
#include "tui/table.h"
#include "tui/widget.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PANE_LEAST = 11,   // lines: less would leave the histogram without a line
    BAR_WIDEST = 44,   // of the progress bar
    WIDE = 100,        // columns of the window from which the header has all its words
    ID_MOST = 23,      // of a workload's id in it
    TIME_NARROW = 9,   // "1:20 left"
    TIME_WIDE = 15,    // "about 1:20 left"
    NOTES_FROM = 30,   // lines of the window from which there is room for notes
    NOTE_LINES = 3,    // of the table's box
    WARNING_LINES = 2, // of what has to be seen
    APART = 20         // tiers so many times apart are drawn on a log axis
};

static const struct section *present_section(const struct duel *duel)
{
    const struct schedule *schedule = duel->schedule;
    if (!schedule || schedule->length == 0)
        return NULL;
    return &schedule->sections[duel->section < schedule->length ? duel->section : schedule->length - 1];
}

static bool is_over(const struct duel *duel)
{
    return !duel->schedule || duel->section >= duel->schedule->length;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool in_sweep(const struct workload *workload)
{
    return workload->kind == WORKLOAD_SEQ_WRITE;
}

// The most columns that a round and a workload take in the header, among the large writes or the rest: what
// follows them stands still.
static int place_columns(const struct plan *plan, bool sweep, bool wide)
{
    int most = 0;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *workload = &plan->workloads[i];
        char first[ROUND_PLACE_SIZE] = "", last[ROUND_PLACE_SIZE];
        if (workload->follow_up || in_sweep(workload) != sweep)
            continue;
        if (plan->warmup_rounds)
            round_place(plan, workload, 0, !wide, first);
        round_place(plan, workload, plan->rounds, !wide, last);
        int id = (int)strlen(workload->id);
        most =
            larger(most, larger((int)strlen(first), (int)strlen(last)) + 2 + (id < ID_MOST ? id : ID_MOST));
    }
    return most;
}

// The workload of the present section; NULL where there is none.
static const struct workload *present_workload(const struct duel *duel)
{
    const struct plan *plan = &duel->run->plan;
    const struct section *section = present_section(duel);
    return section && section->workload < plan->workload_count ? &plan->workloads[section->workload] : NULL;
}

// "round 3 of 6  delete", or "once more: walk-later"
static void place(struct canvas *canvas, int x, int columns, const struct glyphs *glyphs,
                  const struct duel *duel)
{
    const struct plan *plan = &duel->run->plan;
    const struct workload *workload = present_workload(duel);
    if (!workload || is_over(duel)) {
        canvas_text(canvas, x, 0, columns, ROLE_TEXT, workload ? "finishing" : "starting");
        return;
    }
    char round[ROUND_PLACE_SIZE] = "once more:";
    bool again = present_section(duel)->block > 1;
    if (!again)
        round_place(plan, workload, present_section(duel)->round, canvas->width < WIDE, round);
    int used = canvas_text(canvas, x, 0, columns, ROLE_TEXT, round) + (again ? 1 : 2);
    char *id = widget_middle(glyphs, workload->id, columns - used);
    widget_text(canvas, x + used, 0, columns - used, glyphs, ROLE_TITLE, id);
    free(id);
}

// "diskduel  agent-disk  round 3 of 6  delete     ███████░░░░ 61%  about 1:20 left"
static void header(struct canvas *canvas, const struct glyphs *glyphs, const struct duel *duel)
{
    const struct plan *plan = &duel->run->plan;
    bool wide = canvas->width >= WIDE;
    int x = 1, right = canvas->width - 1, time_columns = wide ? TIME_WIDE : TIME_NARROW;
    x += canvas_text(canvas, x, 0, right - x, ROLE_TITLE, "diskduel") + 2;
    if (plan->profile && wide)
        x += widget_text(canvas, x, 0, canvas->width / 4, glyphs, ROLE_TEXT, plan->profile) + 2;
    const struct workload *workload = present_workload(duel);
    int columns = place_columns(plan, workload && in_sweep(workload), wide);
    place(canvas, x, columns, glyphs, duel);
    x += columns + 2;

    double fraction = duel->fraction > 0 ? fmin(duel->fraction, 1) : 0;
    char percent[16], time[UNITS_TEXT_SIZE], left[UNITS_TEXT_SIZE + 16] = "";
    snprintf(percent, sizeof percent, "%3d%%", (int)(fraction * 100));
    if (duel->has_remaining) {
        units_time_left(duel->remaining_ns, time);
        snprintf(left, sizeof left, "%s%s left", wide ? "about " : "", time);
    }
    time_columns = larger(time_columns, (int)strlen(left));
    canvas_right(canvas, right, 0, time_columns, ROLE_TEXT, left);
    right -= time_columns + 2;
    canvas_right(canvas, right, 0, 4, ROLE_TITLE, percent);
    right -= 5;
    int bar = right - x > BAR_WIDEST ? BAR_WIDEST : right - x;
    widget_progress(canvas, right - bar, 0, bar, glyphs, fraction);
}

// Whether two rates are too far apart for one linear axis.
static bool far_apart(const struct trace *traces, unsigned tiers)
{
    double least = INFINITY, most = 0;
    for (unsigned tier = 0; tier < tiers; tier++) {
        double rate = traces[tier].seconds > 0 ? traces[tier].amount / traces[tier].seconds : 0;
        if (!(rate > 0))
            return false;
        least = fmin(least, rate);
        most = fmax(most, rate);
    }
    return tiers > 1 && most >= least * APART;
}

static void make_traces(struct trace *traces, const struct duel *duel)
{
    for (unsigned tier = 0; tier < duel->run->tier_count; tier++)
        trace_make(&traces[tier], duel, tier, duel->workload);
}

static void release_traces(struct trace *traces, const struct duel *duel)
{
    for (unsigned tier = 0; tier < duel->run->tier_count; tier++)
        trace_release(&traces[tier]);
}

bool view_logarithmic(const struct duel *duel)
{
    if (!duel->run)
        return false;
    struct trace traces[RUN_TIERS_MOST] = {0};
    make_traces(traces, duel);
    bool logarithmic = far_apart(traces, duel->run->tier_count);
    release_traces(traces, duel);
    return logarithmic;
}

static struct scale throughput_scale(const struct trace *traces, unsigned tiers, size_t grouping,
                                     const struct glyphs *glyphs, enum scale_choice choice)
{
    double least = INFINITY, most = 0;
    for (unsigned tier = 0; tier < tiers; tier++) {
        size_t count = 0;
        struct plot_point *points =
            trace_points(&traces[tier], grouping, plot_points_a_column(glyphs), &count);
        for (size_t i = 0; i < count; i++) {
            if (!(points[i].value > 0))
                continue;
            least = fmin(least, points[i].value);
            most = fmax(most, points[i].value);
        }
        free(points);
    }
    bool logarithmic = choice == SCALE_AUTOMATIC ? far_apart(traces, tiers) : choice == SCALE_LOGARITHMIC;
    return logarithmic ? scale_decades(least, most) : scale_linear(most);
}

// Three decades at least, so that the axis stands still while the first operations come in.
static struct scale latency_scale(const struct duel *duel)
{
    double least = INFINITY, most = 0;
    for (unsigned tier = 0; tier < duel->run->tier_count; tier++) {
        const struct duel_tier *state = &duel->tiers[tier];
        if (!state->has_section || state->latency.count == 0)
            continue;
        least = fmin(least, fmax((double)state->latency.min_ns, 1));
        most = fmax(most, (double)state->latency.max_ns);
    }
    if (!(most > 0))
        return scale_decades(1e3, 1e9);
    struct scale scale = scale_decades(least, most);
    for (bool up = true; scale.high < scale.low * 999; up = !up) {
        if (up || scale.low <= 1)
            scale.high *= 10;
        else
            scale.low /= 10;
    }
    return scale;
}

static void panes(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                  const struct model *model, const struct duel *duel)
{
    unsigned tiers = duel->run->tier_count;
    if (tiers == 0)
        return;
    struct trace traces[RUN_TIERS_MOST] = {0};
    make_traces(traces, duel);
    int width = rect.width / (int)tiers;
    struct pane_scales scales = {.grouping = 1};
    for (unsigned tier = 0; tier < tiers; tier++) {
        size_t grouping =
            trace_grouping(&traces[tier], pane_points(width, glyphs), plot_points_a_column(glyphs));
        scales.grouping = grouping > scales.grouping ? grouping : scales.grouping;
    }
    scales.throughput = throughput_scale(traces, tiers, scales.grouping, glyphs, model->throughput);
    scales.latency = latency_scale(duel);
    for (unsigned tier = 0; tier < tiers; tier++)
        pane_draw(canvas, (struct rect){rect.x + (int)tier * width, rect.y, width, rect.height}, glyphs, duel,
                  tier, &traces[tier], &scales);
    release_traces(traces, duel);
}

// The row of the present workload, or the one before it where it has none yet.
static size_t present_row(const struct duel *duel)
{
    const struct page *page = duel->page;
    size_t row = 0;
    for (size_t i = 0; i < page->row_count; i++)
        if (page->rows[i].workload <= duel->workload)
            row = i;
    return row;
}

// The first of the rows that fit: around the present one.
static size_t first_row(const struct duel *duel, size_t shown)
{
    size_t rows = duel->page->row_count, before = shown / 2, present = present_row(duel);
    if (shown >= rows || present < before)
        return 0;
    return present - before < rows - shown ? present - before : rows - shown;
}

static void notes(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                  const struct page *page)
{
    for (size_t i = 0; i < page->note_count && rect.height > 0; i++) {
        int lines = widget_wrap(canvas, rect, glyphs, ROLE_DIM, page->notes[i]);
        rect.y += lines;
        rect.height -= lines;
    }
}

// Whether a row has words in place of a number: then the notes say why.
static bool needs_notes(const struct page *page)
{
    for (size_t i = 0; i < page->row_count; i++)
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            const char *value = page->rows[i].tiers[tier].value;
            if (value && isalpha((unsigned char)*value))
                return true;
        }
    return false;
}

static int note_lines(const struct canvas *canvas, const struct glyphs *glyphs, const struct page *page)
{
    if (!page || canvas->height < NOTES_FROM || !needs_notes(page))
        return 0;
    int lines = 0;
    for (size_t i = 0; i < page->note_count; i++)
        lines +=
            widget_wrap(NULL, (struct rect){0, 0, canvas->width - 4, 1}, glyphs, ROLE_DIM, page->notes[i]);
    return lines < NOTE_LINES ? lines : NOTE_LINES;
}

// The keys stand in its lower border.
static void so_far(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                   const struct duel *duel)
{
    struct rect in = widget_box(canvas, rect, glyphs, ROLE_DIM);
    widget_title(canvas, rect.x + 2, rect.y, rect.width - 4, glyphs, ROLE_TITLE, "so far");
    widget_keys(canvas, rect.x + 2, rect.y + rect.height - 1, rect.width - 4, SCREEN_LIVE, ACTION_NONE);
    const struct page *page = duel->page;
    if (!page || in.height < 1)
        return;
    struct table_layout layout = table_lay(page, glyphs, in.width, false);
    table_head(canvas, in.x, in.y, &layout, glyphs, page);
    int below = note_lines(canvas, glyphs, page);
    size_t shown = (size_t)(in.height - 1 - below > 0 ? in.height - 1 - below : 0);
    size_t first = first_row(duel, shown);
    if (shown > page->row_count)
        shown = page->row_count;
    for (size_t i = 0; i < shown; i++)
        table_row(canvas, in.x, in.y + 1 + (int)i, &layout, glyphs, page, first + i,
                  !is_over(duel) && page->rows[first + i].workload == duel->workload);
    notes(canvas, (struct rect){in.x, in.y + 1 + (int)shown, in.width, below}, glyphs, page);
    if (shown >= page->row_count)
        return;
    char text[64];
    snprintf(text, sizeof text, " rows %zu to %zu of %zu ", first + 1, first + shown, page->row_count);
    canvas_right(canvas, rect.x + rect.width - 2, rect.y, rect.width / 2, ROLE_DIM, text);
}

// What the person at the keys did comes first, then what the disk does.
static void status(struct canvas *canvas, int y, const struct glyphs *glyphs, const struct model *model,
                   const struct duel *duel)
{
    int x = 1, end = canvas->width - 1;
    if (model->frozen)
        x += widget_text(canvas, x, y, end - x, glyphs, ROLE_WARNING, "FROZEN (space goes on)") + 2;
    if (model->stopping)
        x += widget_text(canvas, x, y, end - x, glyphs, ROLE_WARNING, "stopping, q leaves now") + 2;
    if (duel->stalled)
        x += canvas_printf(canvas, x, y, end - x, ROLE_WARNING, "%s", glyphs->warning_mark) + 1;
    if (duel->doing)
        widget_text(canvas, x, y, end - x, glyphs, duel->stalled ? ROLE_WARNING : ROLE_DIM, duel->doing);
}

// What must be seen, above the line `bottom`, in two lines at most. Returns how many it took.
static int warning(struct canvas *canvas, int bottom, const struct glyphs *glyphs, const struct duel *duel)
{
    if (!duel->warning)
        return 0;
    struct rect rect = {3, bottom, canvas->width - 4, WARNING_LINES};
    int lines = widget_wrap(NULL, rect, glyphs, ROLE_WARNING, duel->warning);
    rect.height = lines < WARNING_LINES ? lines : WARNING_LINES;
    rect.y -= rect.height;
    canvas_text(canvas, 1, rect.y, 1, ROLE_WARNING, glyphs->warning_mark);
    widget_wrap(canvas, rect, glyphs, ROLE_WARNING, duel->warning);
    return rect.height;
}

void view_live(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
               const struct duel *duel)
{
    if (!duel->run)
        return;
    int width = canvas->width, bottom = canvas->height - 1;
    header(canvas, glyphs, duel);
    status(canvas, bottom, glyphs, model, duel);
    bottom -= warning(canvas, bottom, glyphs, duel);
    int body = bottom - 1;
    int rows = duel->page ? (int)duel->page->row_count : 0;
    int table = rows + 3 + note_lines(canvas, glyphs, duel->page), most = body - larger(PANE_LEAST, body / 2);
    if (table > most)
        table = most;
    panes(canvas, (struct rect){0, 1, width, body - table}, glyphs, model, duel);
    so_far(canvas, (struct rect){0, 1 + body - table, width, table}, glyphs, duel);
}
