#include "report/text.h"

#include "report/layout.h"
#include "report/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, WIDE = 100, INDENT = 2, NOT_CHECKED_MOST = 2 * COLUMNS };

static void end_line(struct text *out)
{
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->length--;
    text_puts(out, "\n");
}

// Wraps at blanks; a longer word (a path) has a line of its own and isn't cut. The lines after the first
// begin further in than that.
static void put_indented(struct text *out, const char *words, size_t indent)
{
    size_t column = 0, further = indent + INDENT;
    text_repeat(out, ' ', indent);
    column += indent;
    while (*words) {
        struct text word = {0};
        size_t length = strcspn(words, " ");
        text_append(&word, words, length);
        size_t columns = text_columns(text_string(&word));
        if (column > further && column + 1 + columns > COLUMNS) {
            end_line(out);
            text_repeat(out, ' ', further);
            column = further;
        } else if (column > indent) {
            text_repeat(out, ' ', 1);
            column++;
        }
        text_puts(out, text_string(&word));
        column += columns;
        text_free(&word);
        words += length;
        words += *words == ' ';
    }
    end_line(out);
}

static void put_wrapped(struct text *out, const char *words)
{
    put_indented(out, words, 0);
}

static void put_labelled(struct text *out, const char *label, const char *words, size_t indent)
{
    struct text line = {0};
    text_puts(&line, label);
    text_puts(&line, *label ? ": " : "");
    text_puts(&line, words);
    put_indented(out, text_string(&line), indent);
    text_free(&line);
}

// ---- What all formats for people have ----

static void put_head(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    text_puts(out, page->title);
    end_line(out);
    if (page->headline && *page->headline) {
        end_line(out);
        put_wrapped(out, page->headline);
    }
    char *thresholds = layout_thresholds(page);
    if (*thresholds) {
        end_line(out);
        put_wrapped(out, thresholds);
    }
    free(thresholds);
}

static void put_heading(struct text *out, const char *words)
{
    text_printf(out, "\n%s\n", words);
    text_repeat(out, '-', strlen(words));
    text_puts(out, "\n");
}

static void put_list(struct text *out, const struct layout_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_labelled(out, items[i].label, items[i].words, items[i].repeats ? INDENT : 0);
}

static void put_facts(const struct page *page, struct text *out)
{
    for (size_t i = 0; i < page->fact_count; i++)
        put_labelled(out, page->facts[i].label, page->facts[i].value, 0);
}

// "By the medians as they are shown: create 10.1x, walk 15.0x."
static void put_medians(const struct page *page, struct text *out)
{
    struct text line = {0};
    for (size_t i = 0; i < page->row_count; i++)
        if (page->rows[i].medians && *page->rows[i].medians)
            text_printf(&line, "%s%s %s",
                        line.length > 0 ? ", " : "Ratios of the medians as they are shown: ",
                        page->rows[i].label, page->rows[i].medians);
    if (line.length > 0) {
        text_puts(&line, ".");
        put_wrapped(out, text_string(&line));
    }
    text_free(&line);
}

static void put_numbers(const struct report *report, struct text *out)
{
    report_table(report->page, WIDE, out);
    end_line(out);
    put_medians(report->page, out);
}

static void put_latency(const struct page_latency *latency, struct text *out)
{
    text_printf(out, "%s, of one %s\n", latency->label, latency->operation);
    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        if (!*latency->values[i] && !*latency->pooled[i])
            continue;
        text_printf(out, "  %-5s  %8s  %s", percentile_name(i), latency->values[i], latency->ranges[i]);
        if (*latency->pooled[i])
            text_printf(out, "  all rounds together %s", latency->pooled[i]);
        end_line(out);
    }
}

static void put_operations(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    if (page->latency_count == 0)
        return;
    put_heading(out, "Single operations");
    put_wrapped(out, layout_percentiles_withheld);
    for (size_t i = 0; i < page->latency_count; i++)
        put_latency(&page->latencies[i], out);
}

static const struct layout layout = {
    .head = put_head,
    .heading = put_heading,
    .paragraph = put_wrapped,
    .list = put_list,
    .facts = put_facts,
    .numbers = put_numbers,
    .operations = put_operations,
};

void report_text_page(const struct report *report, struct text *out)
{
    layout_page(report, &layout, out);
}

// ---- The table and what must be read with it ----

// "!3 create on A persistent: Rounds span 2.4x. Read the range, not the median. Likewise delete on B
// ephemeral."
static void put_first(const struct page_finding *finding, struct text *out)
{
    char *label = layout_label(finding), *words = page_finding_words(finding);
    put_labelled(out, label, words, 0);
    free(label);
    free(words);
}

// What marks rows, and of each mark the first sentence.
static void put_marks(const struct page *page, const char *heading, bool thrown_away, struct text *out)
{
    bool any = false;
    for (size_t i = 0; i < page->finding_count; i++) {
        const struct page_finding *finding = &page->findings[i];
        if (finding->mark == 0 || finding->repeats || (finding->verdict == VERDICT_DISCARD) != thrown_away)
            continue;
        if (!any)
            text_printf(out, "\n%s\n", heading);
        any = true;
        put_first(finding, out);
    }
}

static void put_not_checked(const struct page *page, struct text *out)
{
    const char *words = page->not_checked;
    if (!words || !*words)
        return;
    struct text line = {0};
    size_t reasons = 1;
    for (const char *c = words; *c; c++)
        reasons += *c == ';';
    text_puts(&line, "Not checked: ");
    if (strlen(words) <= NOT_CHECKED_MOST)
        text_printf(&line, "%s.", words);
    else
        text_printf(&line, "some rules lacked their data, for %zu reasons (show --format text names them).",
                    reasons);
    end_line(out);
    put_wrapped(out, text_string(&line));
    text_free(&line);
}

void report_text(const struct page *page, struct text *out)
{
    put_head(&(struct report){.page = page}, out);
    end_line(out);
    report_table(page, COLUMNS, out);
    put_marks(page, "Measured and thrown away", true, out);
    put_marks(page, "What the marks mean", false, out);
    put_not_checked(page, out);
    for (size_t i = 0; i < page->note_count; i++) {
        if (i == 0)
            end_line(out);
        put_wrapped(out, page->notes[i]);
    }
}
