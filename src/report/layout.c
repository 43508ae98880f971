#include "report/layout.h"

#include "analysis/limitations.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

const char *const layout_percentiles_withheld = "Each percentile is the middle of the rounds' own values, "
                                                "and beside it their range. One that a round has "
                                                "too few operations for is withheld.";

void layout_put_mark(const struct page_row *row, struct text *out)
{
    static const char *const signs[SIGN_COUNT] = {[SIGN_NONE] = "",
                                                  [SIGN_PENDING] = "...",
                                                  [SIGN_GOOD] = "ok",
                                                  [SIGN_CAVEAT] = "!",
                                                  [SIGN_DISCARDED] = "x"};
    enum page_sign sign = page_row_sign(row);
    bool has_marks = row->marks && sign != SIGN_PENDING;
    text_printf(out, "%s%s", signs[sign], has_marks ? row->marks : "");
}

char *layout_thresholds(const struct page *page)
{
    if (!page->thresholds || !*page->thresholds)
        return xstrdup("");
    return xformat("Judged by other thresholds than the standard: %s.", page->thresholds);
}

void layout_put_tool(const struct report *report, struct text *out)
{
    const struct run *run = report->run;
    const char *const parts[][2] = {{"diskduel ", run->tool_version},
                                    {"commit ", run->tool_commit},
                                    {"", run->tool_compiler},
                                    {"", run->tool_flags}};
    const char *separator = run->origin == RUN_IMPORTED ? "Imported by " : "Measured by ";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i][1] || !*parts[i][1])
            continue;
        text_printf(out, "%s%s", separator, parts[i][0]);
        text_put_safe(out, parts[i][1], false);
        separator = ", ";
    }
    text_printf(out, "%s by rules version %u.", separator[0] == ',' ? "; judged" : "Judged",
                report->judgement->rules_version);
}

// ---- Findings ----

// Sentences that take a figure away, or mark it, are all told; of others the first of its kind, and which
// rows the same is said of.
static bool is_collapsed(enum verdict verdict)
{
    return verdict == VERDICT_REFUSE || verdict == VERDICT_INFO;
}

char *layout_label(const struct page_finding *finding)
{
    const char *about = finding->about ? finding->about : "";
    if (finding->mark == 0 || finding->repeats)
        return xstrdup(about);
    return xformat("%s%u%s%s", finding->verdict == VERDICT_DISCARD ? "x" : "!", finding->mark,
                   *about ? " " : "", about);
}

static bool is_listed(const struct page_finding *finding, enum verdict verdict)
{
    if (finding->verdict != verdict || (verdict == VERDICT_INFO && limitations_have(finding->rule)))
        return false;
    return !finding->repeats || !is_collapsed(verdict);
}

static bool any_listed(const struct page *page, enum verdict verdict)
{
    for (size_t i = 0; i < page->finding_count; i++)
        if (is_listed(&page->findings[i], verdict))
            return true;
    return false;
}

static void put_findings(const struct page *page, const char *heading, enum verdict verdict,
                         const struct layout *layout, struct text *out)
{
    if (!any_listed(page, verdict))
        return;
    layout->heading(out, heading);
    struct layout_item *items = xcalloc(page->finding_count, sizeof *items);
    char **labels = xcalloc(page->finding_count, sizeof *labels);
    char **words = xcalloc(page->finding_count, sizeof *words);
    size_t count = 0;
    for (size_t i = 0; i < page->finding_count; i++) {
        const struct page_finding *finding = &page->findings[i];
        if (!is_listed(finding, verdict))
            continue;
        labels[count] = layout_label(finding);
        words[count] = is_collapsed(verdict) ? page_finding_words(finding) : xstrdup(finding->message);
        items[count] = (struct layout_item){.label = labels[count],
                                            .words = words[count],
                                            .mark = finding->repeats ? 0 : finding->mark,
                                            .repeats = finding->repeats};
        count++;
    }
    layout->list(out, items, count);
    for (size_t i = 0; i < count; i++) {
        free(labels[i]);
        free(words[i]);
    }
    free(labels);
    free(words);
    free(items);
}

static void put_all_findings(const struct page *page, const struct layout *layout, struct text *out)
{
    put_findings(page, "What the marks mean", VERDICT_CAVEAT, layout, out);
    put_findings(page, "Withheld", VERDICT_REFUSE, layout, out);
    put_findings(page, "Also seen", VERDICT_INFO, layout, out);
    put_findings(page, "Measured and thrown away", VERDICT_DISCARD, layout, out);
    if (!page->not_checked || !*page->not_checked)
        return;
    layout->heading(out, "Not checked");
    struct text words = {0};
    text_printf(&words, "These rules lacked their data, so that their silence says nothing: %s.",
                page->not_checked);
    layout->paragraph(out, text_string(&words));
    text_free(&words);
}

// ---- The rest ----

static void put_sentences(const char *heading, char *const *sentences, size_t count,
                          const struct layout *layout, struct text *out)
{
    if (count == 0)
        return;
    struct layout_item *items = xcalloc(count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct layout_item){.label = "", .words = sentences[i]};
    if (heading)
        layout->heading(out, heading);
    layout->list(out, items, count);
    free(items);
}

static void put_raw_data(const struct report *report, const struct layout *layout, struct text *out)
{
    struct text words = {0};
    const char *id = report->run->id;
    bool imported = report->run->origin == RUN_IMPORTED;
    text_printf(&words, "The document of this run holds %s",
                imported ? "all that the source gives, of discarded rows too"
                         : "every sample, those of discarded rows and of the first use too");
    if (*id) {
        text_puts(&words, ": ");
        text_put_safe(&words, id, false);
        text_puts(&words, ".json");
    }
    text_puts(&words, ". To derive all figures from it again: diskduel show ");
    text_put_safe(&words, *id ? id : "RUN", false);
    text_printf(&words, ". With --format %s.",
                imported ? "json it gives the document"
                         : "csv it gives a row a sample, with --format json the document");
    layout->heading(out, "Raw data");
    layout->paragraph(out, text_string(&words));
    text_free(&words);
    layout_put_tool(report, &words);
    layout->paragraph(out, text_string(&words));
    text_free(&words);
}

void layout_page(const struct report *report, const struct layout *layout, struct text *out)
{
    const struct page *page = report->page;
    layout->head(report, out);
    if (page->fact_count > 0) {
        layout->heading(out, "What was measured");
        layout->facts(page, out);
    }
    layout->heading(out, "The numbers");
    layout->numbers(report, out);
    put_sentences(NULL, page->notes, page->note_count, layout, out);
    layout->operations(report, out);
    put_all_findings(page, layout, out);
    put_sentences("Method", page->method, page->method_count, layout, out);
    put_sentences("Limitations", page->limitations, page->limitation_count, layout, out);
    put_raw_data(report, layout, out);
}
