#include "report/html.h"

#include "report/layout.h"
#include "report/svg.h"
#include "report/timeline.h"

#include <stdlib.h>
#include <string.h>

// ---- The style ----

// Contrast of text and of both hues is at least 4.5 to 1 on their ground, in both schemes (WCAG 2.1, AA).
static const char *const style[] = {
    ":root{color-scheme:light dark}\n",
    ":root{--ground:#fff;--raised:#f5f7f9;--ink:#1b1f24;--dim:#57606a;--rule:#d4d9df;",
    "--a:#005fa3;--b:#b04500;--bad:#b3261e;--warn:#855300;--good:#1a6b3c}\n",
    "@media (prefers-color-scheme:dark){:root{--ground:#14171a;--raised:#1d2226;--ink:#e6e8ea;--dim:#a3adb7;",
    "--rule:#3a424a;--a:#5cb3ff;--b:#ff9d57;--bad:#ff8a80;--warn:#e3b341;--good:#6fcf97}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,",
    "\"Segoe UI\",sans-serif;overflow-wrap:break-word}\n",
    "main{max-width:66rem;margin:0 auto;padding:1.5rem 1rem 3rem}\n",
    "h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}\n",
    "h2{font-size:1.15rem;margin:2.25rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--rule)}\n",
    "h3{font-size:1rem;margin:0 0 .25rem}\n",
    "p,ul,dl{max-width:48rem}\n",
    ".headline{font-size:1.2rem;line-height:1.4;margin:.5rem 0 1rem}\n",
    ".thresholds{border-left:4px solid var(--warn);padding-left:.75rem}\n",
    "ul{padding-left:1.2rem}li{margin:.3rem 0}\n",
    "dl{display:grid;grid-template-columns:fit-content(16rem) 1fr;gap:.25rem 1rem;margin:0}\n",
    "dt{font-weight:600}dd{margin:0}\n",
    "small,.dim,caption{color:var(--dim);font-size:.85rem}\n",
    ".a{color:var(--a)}.b{color:var(--b)}\n",
    ".bad{color:var(--bad)}.warn{color:var(--warn)}.good{color:var(--good)}\n",
    "a{color:inherit}\n",
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n",
    "caption{text-align:left;padding-bottom:.4rem}\n",
    "th,td{padding:.45rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}\n",
    "thead th{font-size:.85rem;border-bottom:2px solid var(--rule)}\n",
    "th{min-width:4rem;max-width:16rem;overflow-wrap:anywhere}tbody th{min-width:8rem}\n",
    "dt,dd,li,p,h1{overflow-wrap:anywhere}\n",
    "td small{display:block;white-space:nowrap}\n",
    ".value{font-weight:600;white-space:nowrap}\n",
    ".number{text-align:right}\n",
    ".scroll{overflow-x:auto}\n",
    ".bar{display:block;width:11rem;max-width:100%;height:auto}\n",
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.5rem}\n",
    ".row{grid-column:1/-1;margin:.75rem 0 -.75rem}\n",
    "figure{margin:0;min-width:0}figcaption{color:var(--dim);font-size:.85rem}\n",
    ".plot{display:block;width:100%;height:auto;background:var(--raised);border-radius:.4rem}\n",
    "svg text{font:12px system-ui,sans-serif;fill:var(--dim)}\n",
    "svg .a text{fill:var(--a);font-weight:600}svg .b text{fill:var(--b);font-weight:600}\n",
    "svg path{fill:none;stroke:var(--dim);stroke-width:1}\n",
    "svg .grid{stroke:var(--rule)}svg .axis,svg .tick{stroke:var(--dim)}\n",
    "svg .whisker{stroke:var(--ink);stroke-width:1.5}\n",
    "svg .a .line,svg .a .shape{stroke:var(--a);stroke-width:1.5}\n",
    "svg .b .line,svg .b .shape{stroke:var(--b);stroke-width:1.5}\n",
    "svg .b .shape{stroke-dasharray:4 2}\n",
    "svg .band{stroke:none;opacity:.3}svg .a .band{fill:var(--a)}svg .b .band{fill:var(--b)}\n",
    "svg .a .shape{fill:var(--a);fill-opacity:.25}svg .b .shape{fill:var(--b);fill-opacity:.12}\n",
    "svg .a rect{fill:var(--a)}svg .b rect{fill:var(--b)}\n",
    "@media screen and (max-width:44rem){\n",
    ".numbers,.numbers tbody,.numbers tr,.numbers th,.numbers td{display:block}\n",
    ".numbers thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\n",
    ".numbers tr{border-bottom:1px solid var(--rule);padding:.5rem 0}\n",
    ".numbers th,.numbers td{border:0;padding:.15rem 0}\n",
    ".numbers td{display:grid;grid-template-columns:7.5rem 1fr;text-align:left}\n",
    ".numbers caption{display:block}.numbers td small{display:inline-block;margin-right:.4rem}\n",
    ".numbers td.none{display:none}\n",
    ".numbers td::before{content:attr(data-label);color:var(--dim);font-size:.85rem}\n",
    ".numbers .bar{width:12rem}\n",
    "dl{display:block}dd{margin:0 0 .5rem}}\n",
    "@media print{:root{--ground:#fff;--raised:#fff;--ink:#000;--dim:#444;--rule:#bbb;--a:#005fa3;",
    "--b:#b04500;--bad:#b3261e;--warn:#855300;--good:#1a6b3c}main{max-width:none;padding:0}\n",
    "body{font-size:10pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}\n",
    "figure,tr,li{break-inside:avoid}h2,h3,.row,caption{break-after:avoid}.scroll{overflow:visible}}\n",
};

// ---- Small parts ----

static void put_element(struct text *out, const char *tag, const char *words)
{
    text_printf(out, "<%s>", tag);
    html_put(out, words);
    text_printf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

static const char *hue(unsigned tier)
{
    return tier == 0 ? "a" : "b";
}

static const char *mark_class(const struct page_row *row)
{
    static const char *const classes[SIGN_COUNT] = {[SIGN_NONE] = "dim",
                                                    [SIGN_PENDING] = "dim",
                                                    [SIGN_GOOD] = "good",
                                                    [SIGN_CAVEAT] = "warn",
                                                    [SIGN_DISCARDED] = "bad"};
    return classes[page_row_sign(row)];
}

// "!1,3": each number leads to its sentence.
static void put_mark(struct text *out, const struct page_row *row)
{
    struct text mark = {0};
    layout_put_mark(row, &mark);
    const char *words = text_string(&mark);
    text_printf(out, "<span class=\"%s\">", mark_class(row));
    while (*words) {
        size_t digits = strspn(words, "0123456789");
        if (digits > 0)
            text_printf(out, "<a href=\"#mark-%.*s\">%.*s</a>", (int)digits, words, (int)digits, words);
        else
            text_append(out, words, digits = 1);
        words += digits;
    }
    text_puts(out, "</span>");
    text_free(&mark);
}

static void put_small(struct text *out, const char *before, const char *words, const char *after)
{
    if (!words || !*words)
        return;
    text_printf(out, "<small>%s", before);
    html_put(out, words);
    text_printf(out, "%s</small>", after);
}

// ---- Head, lists, facts ----

static void put_head(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    put_element(out, "h1", page->title);
    if (page->headline && *page->headline)
        put_element(out, "p class=\"headline\"", page->headline);
    char *thresholds = layout_thresholds(page);
    if (*thresholds)
        put_element(out, "p class=\"thresholds\"", thresholds);
    free(thresholds);
}

static void put_heading(struct text *out, const char *words)
{
    put_element(out, "h2", words);
}

static void put_paragraph(struct text *out, const char *words)
{
    put_element(out, "p", words);
}

static void put_item(struct text *out, const struct layout_item *item)
{
    if (item->mark > 0)
        text_printf(out, "<li id=\"mark-%u\">", item->mark);
    else
        text_puts(out, "<li>");
    if (*item->label) {
        text_puts(out, "<strong>");
        html_put(out, item->label);
        text_puts(out, "</strong>: ");
    }
    html_put(out, item->words);
}

// What repeats an item stands below it.
static void put_list(struct text *out, const struct layout_item *items, size_t count)
{
    text_puts(out, "<ul>\n");
    for (size_t i = 0; i < count; i++) {
        bool next = i + 1 < count && items[i + 1].repeats;
        put_item(out, &items[i]);
        if (next && !items[i].repeats)
            text_puts(out, "\n<ul>\n");
        else
            text_puts(out, items[i].repeats && !next ? "</li>\n</ul></li>\n" : "</li>\n");
    }
    text_puts(out, "</ul>\n");
}

static void put_facts(const struct page *page, struct text *out)
{
    text_puts(out, "<dl>\n");
    for (size_t i = 0; i < page->fact_count; i++) {
        put_element(out, "dt", page->facts[i].label);
        put_element(out, "dd", page->facts[i].value);
    }
    text_puts(out, "</dl>\n");
}

// ---- The numbers ----

static void put_column(struct text *out, const char *class, const char *words)
{
    text_printf(out, "<th role=\"columnheader\" scope=\"col\" class=\"%s\">", class);
    html_put(out, words);
    text_puts(out, "</th>");
}

static void put_numbers_head(const struct page *page, const struct svg_ratio_axis *axis, struct text *out)
{
    text_puts(out,
              "<table class=\"numbers\" role=\"table\"><caption>The middle of the rounds, and below it "
              "their range; of a ratio, its interval</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">");
    put_column(out, "", "Workload");
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        put_column(out, hue(tier), page->columns[tier]);
    if (page->tier_count > 1) {
        put_column(out, "", "A is");
        text_printf(out, "<th role=\"columnheader\" scope=\"col\"><span class=\"dim\">%s</span>",
                    axis->least < 0 ? "Left: B slower. Right: A slower" : "How much slower A is");
        svg_ratio_head(axis, out);
        text_puts(out, "</th>");
    }
    put_column(out, "", "Trust");
    text_puts(out, "</tr></thead>\n<tbody role=\"rowgroup\">\n");
}

static void begin_cell(struct text *out, const char *label, const char *words)
{
    text_printf(out, "<td role=\"cell\"%s data-label=\"", *words ? "" : " class=\"none\"");
    html_put(out, label);
    text_puts(out, "\"><div>");
}

static void end_cell(struct text *out)
{
    text_puts(out, "</div></td>");
}

static void put_tier_cell(struct text *out, const char *label, const struct page_cell *cell, const char *unit)
{
    begin_cell(out, label, cell->value);
    text_puts(out, "<span class=\"value\">");
    html_put(out, cell->value);
    text_puts(out, "</span>");
    bool number = *cell->value >= '0' && *cell->value <= '9';
    if (number) {
        text_puts(out, " ");
        html_put(out, unit);
    }
    put_small(out, "", cell->range, "");
    end_cell(out);
}

static void put_row(const struct page *page, const struct page_row *row, const struct svg_ratio_axis *axis,
                    struct text *out)
{
    text_puts(out, "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">");
    html_put(out, row->label);
    text_puts(out, "</th>");
    for (unsigned tier = 0; tier < page->tier_count; tier++)
        put_tier_cell(out, page->columns[tier], &row->tiers[tier], row->unit);
    if (page->tier_count > 1) {
        begin_cell(out, "A is", row->verdict);
        text_puts(out, "<span class=\"value\">");
        html_put(out, row->verdict);
        text_puts(out, "</span>");
        put_small(out, "", row->interval, "");
        put_small(out, "", row->medians, " by the medians");
        end_cell(out);
        begin_cell(out, "in powers of 10", row->ratio > 0 ? "bar" : "");
        svg_ratio(row, axis, out);
        end_cell(out);
    }
    begin_cell(out, "Trust", "mark");
    put_mark(out, row);
    end_cell(out);
    text_puts(out, "</tr>\n");
}

static void begin_scroll(struct text *out, const char *label)
{
    text_printf(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n", label);
}

static void put_curve(const struct page_curve *curve, const struct page *page, struct text *out)
{
    text_puts(out, "<table><caption>");
    html_put(out, curve->label);
    text_printf(out, ", %s, by number of threads</caption>\n<thead><tr><th scope=\"col\">Threads</th>",
                curve->unit);
    for (size_t k = 0; k < curve->count; k++)
        text_printf(out, "<th scope=\"col\" class=\"number\">%u</th>", curve->threads[k]);
    text_printf(out, "<th scope=\"col\">%u against %u</th></tr></thead>\n<tbody>\n",
                curve->threads[curve->count - 1], curve->threads[0]);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        text_printf(out, "<tr><th scope=\"row\" class=\"%s\">", hue(tier));
        html_put(out, page->columns[tier]);
        text_puts(out, "</th>");
        for (size_t k = 0; k < curve->count; k++)
            put_element(out, "td class=\"number\"", curve->tiers[tier].values[k]);
        put_element(out, "td", curve->tiers[tier].scaling);
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</tbody></table>\n");
}

static void put_numbers(const struct report *report, struct text *out)
{
    const struct page *page = report->page;
    struct svg_ratio_axis axis = svg_ratio_axis_of(page);
    put_numbers_head(page, &axis, out);
    for (size_t i = 0; i < page->row_count; i++)
        put_row(page, &page->rows[i], &axis, out);
    text_puts(out, "</tbody></table>\n");
    if (page->curve_count == 0)
        return;
    put_element(out, "h3", "What more threads give");
    begin_scroll(out, "What more threads give");
    for (size_t i = 0; i < page->curve_count; i++)
        put_curve(&page->curves[i], page, out);
    text_puts(out, "</div>\n");
}

// ---- Single operations and plots ----

static void put_percentile(const struct page_latency *latency, size_t index, struct text *out)
{
    text_puts(out, "<td><span class=\"value\">");
    html_put(out, latency->values[index]);
    text_puts(out, "</span>");
    put_small(out, "", latency->ranges[index], "");
    put_small(out, "all rounds together ", latency->pooled[index], "");
    text_puts(out, "</td>");
}

static bool is_used(const struct page *page, size_t percentile)
{
    for (size_t i = 0; i < page->latency_count; i++)
        if (*page->latencies[i].values[percentile] || *page->latencies[i].pooled[percentile])
            return true;
    return false;
}

static void put_percentiles(const struct page *page, struct text *out)
{
    begin_scroll(out, "Percentiles of single operations");
    text_puts(out, "<table><caption>");
    html_put(out, layout_percentiles_withheld);
    text_puts(out, "</caption>\n<thead><tr><th scope=\"col\">Workload</th><th scope=\"col\">One</th>");
    for (size_t k = 0; k < PERCENTILE_COUNT; k++)
        if (is_used(page, k))
            put_element(out, "th scope=\"col\"", percentile_name(k));
    text_puts(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->latency_count; i++) {
        text_puts(out, "<tr>");
        put_element(out, "th scope=\"row\"", page->latencies[i].label);
        put_element(out, "td", page->latencies[i].operation);
        for (size_t k = 0; k < PERCENTILE_COUNT; k++)
            if (is_used(page, k))
                put_percentile(&page->latencies[i], k, out);
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</tbody></table></div>\n");
}

static void put_figure(struct text *out, struct text *plot, const char *caption)
{
    if (plot->length > 0)
        text_printf(out, "<figure>%s<figcaption>%s</figcaption></figure>\n", text_string(plot), caption);
    text_free(plot);
}

static void put_plots_of(const struct report *report, const struct page_row *row, struct text *out)
{
    struct text throughput = {0}, latency = {0};
    bool any = svg_throughput(report->run, report->page, row, &throughput);
    any = svg_latency(report->run, report->page, row, &latency) || any;
    if (!any)
        return;
    text_puts(out, "<h3 class=\"row\">");
    html_put(out, row->label);
    text_puts(out, " ");
    put_mark(out, row);
    text_puts(out, "</h3>\n");
    struct text caption = {0};
    text_printf(&caption, "%s", timeline_unit(report->run, row->workload));
    put_figure(out, &throughput, text_string(&caption));
    text_free(&caption);
    text_printf(&caption, "Share of operations by how long one %s took",
                workload_descriptions[report->run->plan.workloads[row->workload].kind].operation);
    put_figure(out, &latency, text_string(&caption));
    text_free(&caption);
}

static void put_plots(const struct report *report, struct text *out)
{
    struct text plots = {0};
    for (size_t i = 0; i < report->page->row_count; i++)
        put_plots_of(report, &report->page->rows[i], &plots);
    if (plots.length > 0) {
        put_heading(out, "Round by round, and operation by operation");
        put_paragraph(out,
                      "Rounds are joined end to end; the time of a disk runs only while it is measured, and "
                      "both disks share the scale of rates. Where there are more intervals than columns, the "
                      "line is the highest rate of each and the band reaches down to the lowest. A is drawn "
                      "solid and B dashed where both share a plot.");
        text_printf(out, "<div class=\"plots\">\n%s</div>\n", text_string(&plots));
    }
    text_free(&plots);
}

static void put_operations(const struct report *report, struct text *out)
{
    if (report->page->latency_count > 0) {
        put_heading(out, "Single operations");
        put_percentiles(report->page, out);
    }
    put_plots(report, out);
}

// ---- All of it ----

static void begin_document(const struct page *page, struct text *out)
{
    text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                   "<link rel=\"icon\" href=\"data:,\"/>\n");
    put_element(out, "title", page->title);
    text_puts(out, "<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        text_puts(out, style[i]);
    text_puts(out, "</style>\n</head>\n<body>\n<main>\n");
}

void report_html(const struct report *report, struct text *out)
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
    begin_document(report->page, out);
    layout_page(report, &layout, out);
    text_puts(out, "</main>\n</body>\n</html>\n");
}
