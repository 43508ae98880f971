#include "report/markdown.h"

#include "report/layout.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- Escaping ----

// Whether the character at `at` would be more than itself where it stands: marks of Markdown and HTML, a
// colon that begins a link or an emoji, the dot of a bare "www.".
static bool is_mark(const char *words, const char *at)
{
    if (strchr("\\`*_{}[]<>&|~$#", *at))
        return true;
    if (*at == ':')
        return at[1] != '\0' && !isspace((unsigned char)at[1]) && !isdigit((unsigned char)at[1]);
    return *at == '.' && at - words >= 3 && strncasecmp(at - 3, "www", 3) == 0;
}

// The length of what makes a list, a heading or a rule of a line that begins with it: "-", "+", "=", "12.".
static size_t opening(const char *words)
{
    if (*words && strchr("-+=", *words))
        return 1;
    size_t digits = strspn(words, "0123456789");
    bool ends = digits > 0 && (words[digits] == '.' || words[digits] == ')');
    return ends && (words[digits + 1] == ' ' || words[digits + 1] == '\0') ? digits + 1 : 0;
}

static void put_escaped(struct text *out, const char *words)
{
    size_t first = opening(words);
    for (const char *c = words; *c; c++) {
        if (is_mark(words, c) || (first > 0 && c == words + first - 1))
            text_puts(out, "\\");
        text_append(out, c, 1);
    }
}

// ---- Parts ----

static void put_head(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    text_puts(out, "# ");
    put_escaped(out, page->title);
    text_puts(out, "\n");
    if (page->headline && *page->headline) {
        text_puts(out, "\n**");
        put_escaped(out, page->headline);
        text_puts(out, "**\n");
    }
    char *thresholds = layout_thresholds(page);
    if (*thresholds) {
        text_puts(out, "\n");
        put_escaped(out, thresholds);
        text_puts(out, "\n");
    }
    free(thresholds);
}

static void put_heading(struct text *out, const char *words)
{
    text_printf(out, "\n## %s\n", words);
}

static void put_paragraph(struct text *out, const char *words)
{
    text_puts(out, "\n");
    put_escaped(out, words);
    text_puts(out, "\n");
}

static void put_list(struct text *out, const struct layout_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_puts(out, i == 0 ? "\n" : "");
        text_puts(out, items[i].repeats ? "  - " : "- ");
        if (*items[i].label) {
            text_puts(out, "**");
            put_escaped(out, items[i].label);
            text_puts(out, "**: ");
        }
        put_escaped(out, items[i].words);
        text_puts(out, "\n");
    }
}

// ---- Tables ----

static void put_cell(struct text *out, const char *words)
{
    text_puts(out, " ");
    put_escaped(out, words ? words : "");
    text_puts(out, words && *words ? " |" : "|");
}

// The line below a table's head: one letter a column, l or r.
static void put_rule(struct text *out, const char *alignments)
{
    text_puts(out, "\n|");
    for (const char *column = alignments; *column; column++)
        text_puts(out, *column == 'r' ? "---:|" : "---|");
    text_puts(out, "\n");
}

static void put_facts(const struct page *page, struct text *out)
{
    text_puts(out, "\n| | |");
    put_rule(out, "ll");
    for (size_t i = 0; i < page->fact_count; i++) {
        text_puts(out, "|");
        put_cell(out, page->facts[i].label);
        put_cell(out, page->facts[i].value);
        text_puts(out, "\n");
    }
}

static void put_row(const struct page_row *row, unsigned tiers, struct text *out)
{
    struct text mark = {0};
    layout_put_mark(row, &mark);
    text_puts(out, "|");
    put_cell(out, row->label);
    put_cell(out, row->unit);
    for (unsigned tier = 0; tier < tiers; tier++) {
        put_cell(out, row->tiers[tier].value);
        put_cell(out, row->tiers[tier].range);
    }
    if (tiers > 1) {
        put_cell(out, row->verdict);
        put_cell(out, row->interval);
        put_cell(out, row->medians);
    }
    put_cell(out, text_string(&mark));
    text_puts(out, "\n");
    text_free(&mark);
}

static void put_curve(const struct page_curve *curve, const struct page *page, struct text *out)
{
    text_puts(out, "\n|");
    put_cell(out, curve->label);
    for (size_t k = 0; k < curve->count; k++)
        text_printf(out, " %u thread%s |", curve->threads[k], curve->threads[k] == 1 ? "" : "s");
    text_printf(out, " %u against %u |\n|---|", curve->threads[curve->count - 1], curve->threads[0]);
    for (size_t k = 0; k < curve->count; k++)
        text_puts(out, "---:|");
    text_puts(out, "---|\n");
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        text_puts(out, "| ");
        put_escaped(out, page->columns[tier]);
        text_printf(out, ", %s |", curve->unit);
        for (size_t k = 0; k < curve->count; k++)
            put_cell(out, curve->tiers[tier].values[k]);
        put_cell(out, curve->tiers[tier].scaling);
        text_puts(out, "\n");
    }
}

static void put_numbers(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    text_puts(out, "\n| | |");
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        put_cell(out, page->columns[tier]);
        text_puts(out, " range |");
    }
    text_puts(out, page->tier_count > 1 ? " A is | interval | of the medians | trust |" : " trust |");
    put_rule(out, page->tier_count > 1 ? "llrlrlllll" : "llrll");
    for (size_t i = 0; i < page->row_count; i++)
        put_row(&page->rows[i], page->tier_count, out);
    for (size_t i = 0; i < page->curve_count; i++)
        put_curve(&page->curves[i], page, out);
}

// ---- Single operations ----

static bool is_used(const struct page *page, size_t percentile)
{
    for (size_t i = 0; i < page->latency_count; i++)
        if (*page->latencies[i].values[percentile] || *page->latencies[i].pooled[percentile])
            return true;
    return false;
}

// "8.40 ms (8.31 to 8.62 ms); all rounds together 8.45 ms"
static void put_percentile(const struct page_latency *latency, size_t percentile, struct text *out)
{
    struct text cell = {0};
    text_puts(&cell, latency->values[percentile]);
    if (*latency->ranges[percentile])
        text_printf(&cell, " (%s)", latency->ranges[percentile]);
    if (*latency->pooled[percentile])
        text_printf(&cell, "%sall rounds together %s", cell.length > 0 ? "; " : "",
                    latency->pooled[percentile]);
    put_cell(out, text_string(&cell));
    text_free(&cell);
}

static void put_operations(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    if (page->latency_count == 0)
        return;
    put_heading(out, "Single operations");
    put_paragraph(out, layout_percentiles_withheld);
    text_puts(out, "\n| | operation |");
    struct text alignments = {0};
    text_puts(&alignments, "ll");
    for (size_t k = 0; k < PERCENTILE_COUNT; k++) {
        if (!is_used(page, k))
            continue;
        text_printf(out, " %s |", percentile_name(k));
        text_puts(&alignments, "l");
    }
    put_rule(out, text_string(&alignments));
    text_free(&alignments);
    for (size_t i = 0; i < page->latency_count; i++) {
        text_puts(out, "|");
        put_cell(out, page->latencies[i].label);
        put_cell(out, page->latencies[i].operation);
        for (size_t k = 0; k < PERCENTILE_COUNT; k++)
            if (is_used(page, k))
                put_percentile(&page->latencies[i], k, out);
        text_puts(out, "\n");
    }
}

void report_markdown(const struct report *report, struct text *out)
{
    static const struct layout layout = {
        .head = put_head,
        .heading = put_heading,
        .paragraph = put_paragraph,
        .list = put_list,
        .facts = put_facts,
        .numbers = put_numbers,
        .operations = put_operations,
    };
    layout_page(report, &layout, out);
}
