#include "report/svg.h"

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "report/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Units of a plot's own; a screen makes them larger or smaller.
enum {
    WIDTH = 480,
    LEFT = 50, // of the labels
    RIGHT = 8,
    PANEL = 78, // the height of one tier
    PANEL_GAP = 36,
    TOP = 18,
    TICKS_MOST = 60, // rounds that have a tick; of more, every so many
    NAMED_MOST = 12, // rounds that have a number
    NAME_MOST = 36,  // columns of a tier's name; of a longer one its letter stands alone
    HISTOGRAM = 96,
    BAR_WIDTH = 180,
    BAR_HEIGHT = 26,
    BAR_MARGIN = 18
};

void html_put(struct text *out, const char *safe)
{
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    for (const char *c = safe; *c; c++) {
        size_t code = (unsigned char)*c;
        if (code < sizeof entities / sizeof *entities && entities[code])
            text_puts(out, entities[code]);
        else
            text_append(out, c, 1);
    }
}

static void begin_svg(struct text *out, int height, const char *what, const struct page_row *row,
                      const char *description)
{
    text_printf(out, "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 %d %d\"><title>%s of ", WIDTH, height,
                what);
    html_put(out, row->label);
    text_puts(out, "</title><desc>");
    html_put(out, description);
    text_puts(out, "</desc>");
}

static void put_label(struct text *out, double x, double y, const char *anchor, const char *words)
{
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_put(out, words);
    text_puts(out, "</text>");
}

static void put_line(struct text *out, const char *class, double x1, double y1, double x2, double y2)
{
    text_printf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", class, x1, y1, x2, y2);
}

// ---- Rates ----

// "25k", "1.5M", "0.2": at most as many digits as an axis needs.
static void rate_words(double rate, char out[UNITS_TEXT_SIZE])
{
    static const struct {
        double from;
        const char *suffix;
    } scales[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (rate >= scales[i].from) {
            snprintf(out, UNITS_TEXT_SIZE, "%.4g%s", rate / scales[i].from, scales[i].suffix);
            return;
        }
    snprintf(out, UNITS_TEXT_SIZE, "%.3g", rate);
}

struct rate_axis {
    bool logarithmic;
    double least, most; // of the axis; powers of ten where it is logarithmic
};

static double nice_above(double value)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(value)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (value <= steps[i] * power * (1 + 1e-12))
            return steps[i] * power;
    return 10 * power;
}

static struct rate_axis rate_axis_of(const struct timeline timelines[RUN_TIERS_MOST], unsigned tiers)
{
    enum { DECADES_MOST = 6 };
    double most = 0, least = INFINITY, slowest = INFINITY;
    for (unsigned tier = 0; tier < tiers; tier++) {
        if (!(timelines[tier].most > 0))
            continue;
        most = fmax(most, timelines[tier].most);
        slowest = fmin(slowest, timelines[tier].typical);
        least = fmin(least, timelines[tier].least);
    }
    bool apart = false;
    for (unsigned tier = 0; tier < tiers; tier++)
        apart = apart || timelines[tier].typical >= 20 * slowest;
    if (!apart)
        return (struct rate_axis){.most = most > 0 ? nice_above(most) : 1};
    double top = pow(10, ceil(log10(most)));
    double bottom = pow(10, floor(log10(least)));
    return (struct rate_axis){
        .logarithmic = true, .least = fmax(bottom, top / pow(10, DECADES_MOST)), .most = top};
}

// From 0 at the bottom of a panel to 1 at its top.
static double rate_height(const struct rate_axis *axis, double rate)
{
    if (!axis->logarithmic)
        return fmin(rate / axis->most, 1);
    if (rate <= axis->least)
        return 0;
    return fmin(log(rate / axis->least) / log(axis->most / axis->least), 1);
}

static void put_rate_ticks(struct text *out, const struct rate_axis *axis, double top)
{
    char words[UNITS_TEXT_SIZE];
    double rate = axis->logarithmic ? axis->least : 0;
    while (rate <= axis->most * (1 + 1e-9)) {
        double y = top + PANEL * (1 - rate_height(axis, rate));
        rate_words(rate, words);
        put_line(out, "grid", LEFT, y, WIDTH - RIGHT, y);
        put_label(out, LEFT - 5, y + 4, "end", words);
        rate = axis->logarithmic ? rate * 10 : rate + axis->most / 2;
    }
}

// A step a column: from column to column horizontal, then up or down.
static void put_steps(struct text *out, const struct timeline *timeline, const double *rates,
                      const struct rate_axis *axis, double top, bool backwards)
{
    double width = (double)(WIDTH - LEFT - RIGHT) / TIMELINE_COLUMNS, last = -1;
    for (size_t i = 0; i < timeline->columns; i++) {
        size_t column = backwards ? timeline->columns - 1 - i : i;
        double y = round(10 * (top + PANEL * (1 - rate_height(axis, rates[column])))) / 10;
        double x = LEFT + width * (double)(column + backwards);
        if (i == 0)
            text_printf(out, "%c%.1f %.1f", backwards ? 'L' : 'M', x, y);
        else if (y != last)
            text_printf(out, "H%.1fV%.1f", x, y);
        last = y;
    }
    text_printf(out, "H%.1f", backwards ? (double)LEFT : LEFT + width * (double)timeline->columns);
}

static void put_round_ticks(struct text *out, const struct timeline *timeline, double bottom)
{
    size_t step = timeline->section_count / TICKS_MOST + 1;
    for (size_t i = 0; i < timeline->section_count; i += step) {
        double x = LEFT + (WIDTH - LEFT - RIGHT) * timeline->sections[i].begins;
        put_line(out, "tick", x, bottom, x, bottom + 4);
        if (timeline->section_count > NAMED_MOST)
            continue;
        char number[16];
        snprintf(number, sizeof number, "%u", timeline->sections[i].round);
        put_label(out, x + 3, bottom + 12, "start", number);
    }
}

static void put_panel(struct text *out, const struct page *page, unsigned tier,
                      const struct timeline *timeline, const struct rate_axis *axis, double top)
{
    char time[UNITS_TEXT_SIZE];
    const char *class = tier == 0 ? "a" : "b";
    struct text name = {0};
    units_duration(timeline->total_ns, "us", time);
    bool fits = text_columns(page->columns[tier]) <= NAME_MOST;
    text_printf(&name, "%s, %s in %zu round%s",
                fits        ? page->columns[tier]
                : tier == 0 ? "A"
                            : "B",
                time, timeline->section_count, timeline->section_count == 1 ? "" : "s");
    text_printf(out, "<g class=\"%s\">", class);
    put_label(out, LEFT, top - 5, "start", text_string(&name));
    text_puts(out, "</g>");
    put_rate_ticks(out, axis, top);
    text_printf(out, "<g class=\"%s\"><path class=\"band\" d=\"", class);
    put_steps(out, timeline, timeline->highest, axis, top, false);
    put_steps(out, timeline, timeline->lowest, axis, top, true);
    text_puts(out, "Z\"/><path class=\"line\" d=\"");
    put_steps(out, timeline, timeline->highest, axis, top, false);
    text_puts(out, "\"/></g>");
    put_round_ticks(out, timeline, top + PANEL);
    text_free(&name);
}

bool svg_throughput(const struct run *run, const struct page *page, const struct page_row *row,
                    struct text *out)
{
    struct timeline timelines[RUN_TIERS_MOST] = {0};
    unsigned shown = 0;
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        shown += timeline_make(&timelines[tier], run, row->workload, tier);
    if (shown > 0) {
        struct rate_axis axis = rate_axis_of(timelines, page->tier_count);
        struct text description = {0};
        text_printf(&description, "%s over the time of each disk, on one %s scale; a tick is a round.",
                    timeline_unit(run, row->workload), axis.logarithmic ? "logarithmic" : "linear");
        double top = TOP;
        begin_svg(out, TOP + (int)shown * (PANEL + PANEL_GAP) - PANEL_GAP + 18, "Throughput", row,
                  text_string(&description));
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            if (timelines[tier].columns == 0)
                continue;
            put_panel(out, page, tier, &timelines[tier], &axis, top);
            top += PANEL + PANEL_GAP;
        }
        text_puts(out, "</svg>");
        text_free(&description);
    }
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        timeline_release(&timelines[tier]);
    return shown > 0;
}

// ---- Latencies ----

static double latency_x(const struct spread *spread, double bin)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * bin / (double)spread->bins;
}

// "10 us"
static void decade_words(int decade, char out[UNITS_TEXT_SIZE])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = decade / 3 < 3 ? decade / 3 : 3;
    snprintf(out, UNITS_TEXT_SIZE, "%.0f %s", pow(10, decade - 3 * unit), units[unit]);
}

static void put_latency_ticks(struct text *out, const struct spread *axis)
{
    char words[UNITS_TEXT_SIZE];
    for (int decade = axis->least; decade <= axis->most; decade++) {
        double x = latency_x(axis, (double)(decade - axis->least) * SPREAD_BINS);
        decade_words(decade, words);
        put_line(out, "grid", x, TOP, x, TOP + HISTOGRAM);
        put_label(out, x, TOP + HISTOGRAM + 14,
                  decade == axis->least  ? "start"
                  : decade == axis->most ? "end"
                                         : "middle",
                  words);
    }
}

static void put_spread(struct text *out, const struct spread *spread, double greatest, const char *class)
{
    enum { VISIBLE = 2 };
    double last = -1;
    text_printf(out, "<g class=\"%s\"><path class=\"shape\" d=\"M%d %dH%d", class, LEFT, TOP + HISTOGRAM,
                LEFT);
    for (size_t bin = 0; bin < spread->bins; bin++) {
        double height = spread->shares[bin] / greatest * HISTOGRAM;
        if (spread->shares[bin] > 0 && height < VISIBLE)
            height = VISIBLE;
        double y = round(10 * (TOP + HISTOGRAM - height)) / 10;
        if (y != last)
            text_printf(out, "H%.1fV%.1f", latency_x(spread, (double)bin), y);
        last = y;
    }
    text_printf(out, "H%dV%d\"/></g>", WIDTH - RIGHT, TOP + HISTOGRAM);
}

// Its letter over the peak.
static double put_letter(struct text *out, const struct spread *spread, double greatest, unsigned tier,
                         double taken)
{
    size_t peak = 0;
    for (size_t bin = 0; bin < spread->bins; bin++)
        if (spread->shares[bin] > spread->shares[peak])
            peak = bin;
    double x = latency_x(spread, (double)peak + 0.5);
    double y = TOP + HISTOGRAM * (1 - spread->shares[peak] / greatest) - 4;
    if (fabs(x - taken) < 12)
        x = taken + (x < taken ? -12 : 12);
    text_printf(out, "<g class=\"%s\">", tier == 0 ? "a" : "b");
    put_label(out, x, y, "middle", tier == 0 ? "A" : "B");
    text_puts(out, "</g>");
    return x;
}

// "A persistent: 1200, from 20.1 us to 4.10 ms. "
static void describe_spread(struct text *out, const struct page *page, unsigned tier,
                            const struct spread *spread)
{
    char least[UNITS_TEXT_SIZE], most[UNITS_TEXT_SIZE];
    units_duration(spread->min_ns, "us", least);
    units_duration(spread->max_ns, "us", most);
    text_printf(out, "%s: %" PRIu64 " operations, from %s to %s. ", page->columns[tier], spread->count, least,
                most);
}

bool svg_latency(const struct run *run, const struct page *page, const struct page_row *row, struct text *out)
{
    struct spread spreads[RUN_TIERS_MOST] = {0};
    if (!spreads_make(spreads, run, row->workload))
        return false;
    struct text description = {0};
    double greatest = 0, taken = -WIDTH;
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        for (size_t bin = 0; bin < spreads[tier].bins && spreads[tier].count > 0; bin++)
            greatest = fmax(greatest, spreads[tier].shares[bin]);
        if (spreads[tier].count > 0)
            describe_spread(&description, page, tier, &spreads[tier]);
    }
    begin_svg(out, TOP + HISTOGRAM + 20, "Latencies", row, text_string(&description));
    put_latency_ticks(out, &spreads[0]);
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        if (spreads[tier].count > 0)
            put_spread(out, &spreads[tier], greatest, tier == 0 ? "a" : "b");
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        if (spreads[tier].count > 0)
            taken = put_letter(out, &spreads[tier], greatest, tier, taken);
    put_line(out, "axis", LEFT, TOP + HISTOGRAM, WIDTH - RIGHT, TOP + HISTOGRAM);
    text_puts(out, "</svg>");
    text_free(&description);
    return true;
}

// ---- Ratios ----

// Of A's cost over B's, as a power of ten.
static double power_of(const struct page_row *row, double ratio)
{
    double power = log10(fmin(fmax(ratio, 1e-6), 1e6));
    return row->comparison == COMPARISON_FASTER ? -power : power;
}

static bool has_bar(const struct page_row *row)
{
    return row->ratio > 0 && isfinite(row->ratio);
}

static bool has_interval(const struct page_row *row)
{
    return row->low > 0 && row->high > 0 && isfinite(row->high);
}

struct svg_ratio_axis svg_ratio_axis_of(const struct page *page)
{
    struct svg_ratio_axis axis = {0, 1};
    for (size_t i = 0; i < page->row_count; i++) {
        const struct page_row *row = &page->rows[i];
        const double ends[] = {row->ratio, row->low, row->high};
        for (size_t k = 0; has_bar(row) && k < (has_interval(row) ? 3 : 1); k++) {
            double power = power_of(row, ends[k]);
            axis.least = power < axis.least ? (int)floor(power) : axis.least;
            axis.most = power > axis.most ? (int)ceil(power) : axis.most;
        }
    }
    return axis;
}

static double ratio_x(const struct svg_ratio_axis *axis, double power)
{
    double share = (power - axis->least) / (axis->most - axis->least);
    return BAR_MARGIN + (BAR_WIDTH - 2 * BAR_MARGIN) * share;
}

void svg_ratio_head(const struct svg_ratio_axis *axis, struct text *out)
{
    text_printf(out, "<svg class=\"bar\" viewBox=\"0 0 %d 14\" aria-hidden=\"true\">", BAR_WIDTH);
    int step = axis->most - axis->least > 4 ? 2 : 1;
    for (int power = axis->least; power <= axis->most; power++) {
        char words[UNITS_TEXT_SIZE];
        rate_words(pow(10, abs(power)), words);
        strcat(words, "x");
        if (power % step == 0)
            put_label(out, ratio_x(axis, power), 11, "middle", words);
    }
    text_puts(out, "</svg>");
}

void svg_ratio(const struct page_row *row, const struct svg_ratio_axis *axis, struct text *out)
{
    text_printf(out, "<svg class=\"bar\" role=\"img\" viewBox=\"0 0 %d %d\"><title>", BAR_WIDTH, BAR_HEIGHT);
    html_put(out, row->label);
    text_puts(out, ": ");
    html_put(out, *row->verdict ? row->verdict : "no ratio");
    text_puts(out, "</title>");
    for (int power = axis->least; power <= axis->most; power++)
        put_line(out, power == 0 ? "axis" : "grid", ratio_x(axis, power), 0, ratio_x(axis, power),
                 BAR_HEIGHT);
    if (has_bar(row)) {
        double from = ratio_x(axis, 0), to = ratio_x(axis, power_of(row, row->ratio));
        text_printf(out, "<g class=\"%s\"><rect x=\"%.1f\" y=\"7\" width=\"%.1f\" height=\"12\"/></g>",
                    to < from ? "b" : "a", fmin(from, to), fmax(fabs(to - from), 1));
    }
    if (has_bar(row) && has_interval(row)) {
        double low = ratio_x(axis, power_of(row, row->low)), high = ratio_x(axis, power_of(row, row->high));
        text_printf(out, "<path class=\"whisker\" d=\"M%.1f 13H%.1fM%.1f 9V17M%.1f 9V17\"/>", low, high, low,
                    high);
    }
    text_puts(out, "</svg>");
}
