#include "tui/pane.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "tui/widget.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME = 4,        // columns of a box: its border and a blank on each side
    WIDE = 54,        // inside a pane: room for all counts on one line
    FIGURE = 11,      // columns of "p50 8.40 ms"
    STATE = 9,        // of "measuring"
    RATE = 16,        // of "12345 commits/s"
    PATH_LEAST = 10,  // a shorter piece of a path tells nothing
    CAPTIONS_AT = 11, // lines for the two plots from which there is room for captions, for blank lines, for
    BLANKS_AT = 15,   // a line about the disk
    DISK_AT = 17,
};

// One tier's pane at work.
struct pane {
    struct canvas *canvas;
    const struct glyphs *glyphs;
    const struct duel *duel;
    const struct duel_tier *state;
    const struct run_tier *tier;
    const struct workload *workload; // NULL where there is none to show
    unsigned number;                 // 0 is A
    struct rect inside;
    bool turn;
    enum role text, hue, frame;
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

size_t pane_points(int width, const struct glyphs *glyphs)
{
    return plot_points(width - FRAME, glyphs);
}

// "A persistent ─ /workspace ─ fuse.orlop": the name and the type stay, the path takes what is left.
static void title(const struct pane *pane, struct rect rect)
{
    const struct run_tier *tier = pane->tier;
    const struct glyphs *glyphs = pane->glyphs;
    struct text name = {0};
    run_put_tier(pane->duel->run, pane->number, &name);
    char *type = widget_safe(glyphs, tier->null ? "no disk" : tier->mount.type);
    char *path = widget_safe(glyphs, tier->path ? tier->path : tier->path_given);
    int x = rect.x + 2, end = rect.x + rect.width - 2;
    int type_columns = *type ? widget_columns(glyphs, type) + 3 : 0;

    x = widget_title(pane->canvas, x, rect.y, end - x, glyphs, pane->turn ? pane->frame : pane->hue,
                     text_string(&name));
    int room = end - x - type_columns - 2, wanted = widget_columns(glyphs, path);
    if (wanted > 0 && (wanted <= room || room >= PATH_LEAST)) {
        char *shown = widget_path(glyphs, path, room);
        x = widget_title(pane->canvas, x, rect.y, end - x, glyphs, pane->text, shown);
        free(shown);
    }
    widget_title(pane->canvas, x, rect.y, end - x, glyphs, ROLE_DIM, type);
    text_free(&name);
    free(type);
    free(path);
}

// "store:agent-7f3          97.2 GiB of 100 GiB free": where the directory really lies.
static void disk_line(const struct pane *pane, int y)
{
    const struct run_tier *tier = pane->tier;
    char *source = widget_safe(pane->glyphs, tier->mount.source);
    char free_bytes[UNITS_TEXT_SIZE], total_bytes[UNITS_TEXT_SIZE];
    units_bytes(tier->free_bytes, free_bytes);
    units_bytes(tier->total_bytes, total_bytes);
    char *room = tier->has_space && tier->total_bytes ? xformat("%s of %s free", free_bytes, total_bytes)
                                                      : xstrdup("");
    int columns = pane->inside.width, taken = (int)strlen(room);
    widget_text(pane->canvas, pane->inside.x, y, columns - taken - 2, pane->glyphs, ROLE_DIM, source);
    canvas_right(pane->canvas, pane->inside.x + columns, y, taken, ROLE_DIM, room);
    free(source);
    free(room);
}

// What a workload's throughput is counted in: its unit, or where that is a time, "stats/s".
static void rate_unit(const struct workload *workload, char *out, size_t size)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (description->unit == UNIT_MILLISECONDS)
        snprintf(out, size, "%ss/s", description->operation);
    else
        snprintf(out, size, "%s", unit_name(description->unit));
}

static const char *state_word(const struct pane *pane)
{
    static const char *const words[] = {
        [TIER_WAITING] = "waiting",     [TIER_PREPARING] = "preparing", [TIER_DRAINING] = "draining",
        [TIER_MEASURING] = "measuring", [TIER_VERIFYING] = "verifying",
    };
    return pane->turn && pane->duel->stalled ? "stalled" : words[pane->state->state];
}

static enum role state_role(const struct pane *pane)
{
    return pane->turn && pane->duel->stalled ? ROLE_WARNING : pane->frame;
}

static bool is_wide(const struct pane *pane)
{
    return pane->inside.width >= WIDE;
}

// "delete   247 files/s   measuring": in a narrow pane, the last word is in the lower border.
static void what_line(const struct pane *pane, const struct trace *trace, int y)
{
    struct rect in = pane->inside;
    int right = in.x + in.width;
    if (is_wide(pane))
        canvas_right(pane->canvas, right, y, STATE, state_role(pane), state_word(pane));
    if (!pane->workload)
        return;
    double rate = 0;
    char number[UNITS_TEXT_SIZE], unit[48], text[96] = "";
    rate_unit(pane->workload, unit, sizeof unit);
    if (pane->state->has_section &&
        trace_rate(trace, pane->state->section.round, !pane->state->live, &rate)) {
        units_three_digits(rate, number);
        snprintf(text, sizeof text, "%s %s", number, unit);
    }
    // The number stays whole and where it is; the name gives way.
    int name = widget_columns(pane->glyphs, pane->workload->id), taken = (int)strlen(text);
    int end = is_wide(pane) ? larger(in.x + in.width / 2 + 1, in.x + name + 1 + RATE) : right;
    int most = is_wide(pane) ? right - STATE - 2 : right;
    end = end < most ? end : most;
    int room = end - in.x - taken - 1;
    char *shown = widget_middle(pane->glyphs, pane->workload->id, room);
    widget_text(pane->canvas, in.x, y, room, pane->glyphs, pane->state->live ? ROLE_TITLE : ROLE_DIM, shown);
    canvas_right(pane->canvas, end, y, taken, pane->text, text);
    free(shown);
}

static void caption(const struct pane *pane, int y, const char *text, const char *aside)
{
    canvas_text(pane->canvas, pane->inside.x, y, pane->inside.width, ROLE_DIM, text);
    canvas_right(pane->canvas, pane->inside.x + pane->inside.width, y, pane->inside.width, ROLE_DIM, aside);
}

// "p90 9.90 ms", or a dash where too few operations stand behind it.
static void figure(const struct pane *pane, int x, int y, const char *name, bool known, uint64_t ns)
{
    char duration[UNITS_TEXT_SIZE];
    int used = canvas_printf(pane->canvas, x, y, FIGURE, ROLE_DIM, "%s ", name);
    if (known)
        units_duration(ns, pane->glyphs->micro, duration);
    canvas_text(pane->canvas, x + used, y, FIGURE - used, known ? pane->text : ROLE_DIM,
                known ? duration : pane->glyphs->dash);
}

static void percentile(const struct pane *pane, int x, int y, unsigned permille)
{
    const struct histogram *latency = &pane->state->latency;
    bool known = pane->state->has_section && latency->counts && histogram_carries(latency->count, permille);
    char name[16];
    snprintf(name, sizeof name, "p%u", permille / 10);
    figure(pane, x, y, name, known, known ? histogram_percentile(latency, permille) : 0);
}

// "n 132 of 200", or less of it where the room is less: whole numbers only.
static void count(const struct pane *pane, int room, char out[64])
{
    bool any = pane->state->has_section;
    uint64_t done = any ? pane->state->ops : 0, planned = any ? pane->state->ops_planned : 0;
    int columns = snprintf(out, 64, "n %" PRIu64 " of %" PRIu64, done, planned);
    if (planned == 0 || columns > room)
        columns = snprintf(out, 64, "n %" PRIu64, done);
    if (columns > room)
        out[0] = '\0';
}

// On one line where it is wide enough, else in two columns of two.
static void counts(const struct pane *pane, int y)
{
    const struct histogram *latency = &pane->state->latency;
    struct rect in = pane->inside;
    bool any = pane->state->has_section && latency->counts && latency->count > 0;
    char done[64];
    percentile(pane, in.x, y, 500);
    if (!is_wide(pane)) {
        int second = in.x + in.width / 2;
        count(pane, in.x + in.width - second, done);
        percentile(pane, second, y, 900);
        figure(pane, in.x, y + 1, "max", any, latency->max_ns);
        canvas_text(pane->canvas, second, y + 1, in.x + in.width - second, pane->text, done);
        return;
    }
    // Not before all of them and the longest count stand apart does the p99 get its place.
    bool ninety_nine = in.width >= 5 * (FIGURE + 4);
    int step = FIGURE + 3 + (ninety_nine ? 3 : 0), x = in.x + step;
    percentile(pane, x, y, 900);
    x += step;
    if (ninety_nine) {
        percentile(pane, x, y, 990);
        x += step;
    }
    figure(pane, x, y, "max", any, latency->max_ns);
    int room = in.x + in.width - x - FIGURE - 2;
    count(pane, room, done);
    canvas_right(pane->canvas, in.x + in.width, y, room, pane->text, done);
}

static void throughput(const struct pane *pane, int y, int height, const struct trace *trace,
                       const struct pane_scales *scales)
{
    size_t number = 0;
    struct plot_point *points =
        trace_points(trace, scales->grouping, plot_points_a_column(pane->glyphs), &number);
    struct rect rect = {pane->inside.x, y, pane->inside.width, height};
    plot_throughput(pane->canvas, rect, pane->glyphs, pane->hue, &scales->throughput, points, number);
    free(points);
}

static void latency(const struct pane *pane, int y, int height, const struct pane_scales *scales)
{
    struct rect rect = {pane->inside.x, y, pane->inside.width, height};
    plot_latency(pane->canvas, rect, pane->glyphs, pane->hue, &scales->latency,
                 pane->state->has_section ? &pane->state->latency : NULL);
}

// From top to bottom. What is left after the lines that are always there goes to the two plots, then to
// captions, blank lines and the line about the disk.
static void fill(const struct pane *pane, const struct trace *trace, const struct pane_scales *scales)
{
    int counts_height = is_wide(pane) ? 1 : 2;
    int room = pane->inside.height - 1 - counts_height;
    bool captions = room >= CAPTIONS_AT, blanks = room >= BLANKS_AT;
    bool disk = room >= DISK_AT && pane->tier->mount.source;
    int plots = room - (captions ? 2 : 0) - (blanks ? 3 : 0) - (disk ? 1 : 0);
    int graph = (plots * 3 + 2) / 5;
    int y = pane->inside.y;

    what_line(pane, trace, y++);
    if (disk)
        disk_line(pane, y++);
    y += blanks ? 1 : 0;
    char unit[48] = "", text[96];
    if (pane->workload)
        rate_unit(pane->workload, unit, sizeof unit);
    snprintf(text, sizeof text, "throughput%s%s", *unit ? ", " : "", unit);
    if (captions)
        caption(pane, y++, text, scales->throughput.logarithmic ? "log scale" : "");
    throughput(pane, y, graph, trace, scales);
    if (pane->workload && !pane->state->has_section)
        widget_text(pane->canvas, pane->inside.x + pane->inside.width / 2 - 5, y + (graph - 1) / 2, 20,
                    pane->glyphs, ROLE_DIM, "nothing yet");
    y += graph + (blanks ? 1 : 0);
    if (pane->workload)
        snprintf(text, sizeof text, "latency per %s", workload_descriptions[pane->workload->kind].operation);
    if (captions)
        caption(pane, y++, pane->workload ? text : "latency", "");
    latency(pane, y, plots - graph, scales);
    y += plots - graph + (blanks ? 1 : 0);
    counts(pane, y);
}

// In the lower border: which round the picture is of, and in a narrow pane what the tier does.
static void footer(const struct pane *pane, struct rect rect)
{
    int y = rect.y + rect.height - 1, right = rect.x + rect.width - 1;
    if (!is_wide(pane)) {
        right -= (int)strlen(state_word(pane)) + 3;
        widget_title(pane->canvas, right, y, STATE + 2, pane->glyphs, state_role(pane), state_word(pane));
    }
    if (!pane->state->has_section)
        return;
    char text[ROUND_NAME_SIZE] = "once more";
    if (pane->state->section.block <= 1)
        round_name(pane->state->section.round, pane->duel->run->plan.rounds, text);
    widget_title(pane->canvas, rect.x + 2, y, right - rect.x - 3, pane->glyphs, pane->text, text);
}

void pane_draw(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, const struct duel *duel,
               unsigned number, const struct trace *trace, const struct pane_scales *scales)
{
    static const enum role hues[][2] = {{ROLE_TIER_A_DIM, ROLE_TIER_A}, {ROLE_TIER_B_DIM, ROLE_TIER_B}};
    const struct duel_tier *state = &duel->tiers[number];
    const struct plan *plan = &duel->run->plan;
    bool turn = state->state != TIER_WAITING;
    struct pane pane = {
        .canvas = canvas,
        .glyphs = glyphs,
        .duel = duel,
        .state = state,
        .tier = &duel->run->tiers[number],
        .workload = duel->workload < plan->workload_count ? &plan->workloads[duel->workload] : NULL,
        .turn = turn,
        .number = number,
        .text = state->live ? ROLE_TEXT : ROLE_DIM,
        .hue = hues[number][state->live],
        .frame = turn ? hues[number][1] : ROLE_DIM,
    };
    pane.inside = widget_box(canvas, rect, glyphs, pane.frame);
    title(&pane, rect);
    fill(&pane, trace, scales);
    footer(&pane, rect);
}
