#include "analysis/page.h"

#include "analysis/notes.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void round_name(unsigned round, unsigned rounds, char out[ROUND_NAME_SIZE])
{
    if (round == 0)
        snprintf(out, ROUND_NAME_SIZE, "round 0 (first use)");
    else if (rounds == 0)
        snprintf(out, ROUND_NAME_SIZE, "round %u", round);
    else
        snprintf(out, ROUND_NAME_SIZE, "round %u of %u", round, rounds);
}

static bool in_sweep(const struct workload *workload)
{
    return workload->kind == WORKLOAD_SEQ_WRITE;
}

// Whether large writes do their rounds after those of something else.
static bool rounds_begin_again(const struct plan *plan)
{
    bool sweep = false, rest = false;
    for (size_t i = 0; i < plan->workload_count; i++) {
        sweep = sweep || in_sweep(&plan->workloads[i]);
        rest = rest || !in_sweep(&plan->workloads[i]);
    }
    return sweep && rest;
}

void round_place(const struct plan *plan, const struct workload *workload, unsigned round, bool shortened,
                 char out[ROUND_PLACE_SIZE])
{
    char name[ROUND_NAME_SIZE];
    round_name(round, plan->rounds, name);
    if (!in_sweep(workload) || !rounds_begin_again(plan))
        snprintf(out, ROUND_PLACE_SIZE, "%s", name);
    else if (shortened)
        snprintf(out, ROUND_PLACE_SIZE, "large writes %s", name + strlen("round "));
    else
        snprintf(out, ROUND_PLACE_SIZE, "large writes, %s", name);
}

static char *take(struct text *text)
{
    char *string = xstrdup(text_string(text));
    text_free(text);
    return string;
}

static char *safe(const char *foreign)
{
    struct text text = {0};
    text_put_safe(&text, foreign, false);
    return take(&text);
}

// ---- The table ----

static char *title_of(const struct run *run)
{
    struct text title = {0};
    text_put_safe(&title, run->plan.profile, false);
    text_printf(&title, ", %u round%s, ", run->plan.rounds, run->plan.rounds == 1 ? "" : "s");
    char instant[RFC3339_SIZE]; // "2026-11-30T17:55:35Z"
    clock_rfc3339(run->started_realtime_ns, instant);
    text_printf(&title, "%.10s %.5s UTC", instant, instant + 11);
    return take(&title);
}

static char *column_of(const struct run *run, unsigned tier)
{
    struct text column = {0};
    run_put_tier(run, tier, &column);
    return take(&column);
}

static char *value_of(const struct metric_tier *tier)
{
    static const char *const words[] = {
        [METRIC_EMPTY] = "", [METRIC_FAILED] = "failed", [METRIC_SKIPPED] = "skipped"};
    if (tier->state == METRIC_SKIPPED && tier->cause && tier->cause->reason == SKIP_UNSUPPORTED)
        return xstrdup("unsupported");
    if (tier->state != METRIC_MEASURED)
        return xstrdup(words[tier->state]);
    char median[UNITS_TEXT_SIZE];
    units_three_digits(tier->summary.median, median);
    return xstrdup(median);
}

static char *range_of(const struct metric_tier *tier)
{
    if (tier->state != METRIC_MEASURED || tier->summary.n < 2)
        return xstrdup("");
    char min[UNITS_TEXT_SIZE], max[UNITS_TEXT_SIZE];
    units_three_digits(tier->summary.min, min);
    units_three_digits(tier->summary.max, max);
    return xformat("%s to %s", min, max);
}

// "6.78": three digits also of 1162, which is 1160. The caller gives where it goes.
static void factor_digits(double factor, char out[UNITS_TEXT_SIZE])
{
    char rounded[UNITS_TEXT_SIZE];
    snprintf(rounded, sizeof rounded, "%.2e", factor);
    units_three_digits(strtod(rounded, NULL), out);
}

// The ratio in words, by the rule that the header tells.
static char *verdict_of(const struct metric *metric)
{
    if (metric->comparison == COMPARISON_NONE)
        return xstrdup("");
    if (metric->comparison == COMPARISON_UNCLEAR)
        return xstrdup("no clear difference");
    const char *word = metric->comparison == COMPARISON_SLOWER ? "slower" : "faster";
    double ratio = metric->ratio_shown;
    if (ratio < 2) {
        double percent = round((ratio - 1) * 100);
        return percent < 1 ? xformat("under 1 %% %s", word) : xformat("%.0f %% %s", percent, word);
    }
    if (ratio >= 1e6)
        return xformat("over 1000000x %s", word);
    char digits[UNITS_TEXT_SIZE];
    factor_digits(ratio, digits);
    return xformat("%sx %s", digits, word);
}

static void fill_row(struct page_row *row, const struct run *run, const struct metric *metric)
{
    row->workload = metric->workload;
    row->label = safe(metric->id);
    row->unit = unit_name(metric->unit);
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        row->tiers[tier].value = value_of(&metric->tiers[tier]);
        row->tiers[tier].range = range_of(&metric->tiers[tier]);
    }
    row->verdict = verdict_of(metric);
    row->comparison = metric->comparison;
    row->ratio = metric->ratio_shown;
}

static void make_rows(struct page *page, const struct run *run, const struct metrics *metrics)
{
    page->rows = xcalloc(metrics->length, sizeof *page->rows);
    for (size_t i = 0; i < metrics->length; i++)
        if (!metrics->rows[i].absent)
            fill_row(&page->rows[page->row_count++], run, &metrics->rows[i]);
}

// ---- The curves ----

static void fill_curve_tier(struct page_curve_tier *tier, const struct curve_tier *curve, size_t count)
{
    char digits[UNITS_TEXT_SIZE];
    for (size_t i = 0; i < count; i++) {
        digits[0] = '\0';
        if (curve->known[i])
            units_three_digits(curve->medians[i], digits);
        tier->values[i] = xstrdup(digits);
        tier->medians[i] = curve->medians[i];
    }
    factor_digits(curve->scaling, digits);
    tier->scaling = curve->scaling > 0 ? xformat("%sx as fast", digits) : xstrdup("");
}

static void make_curves(struct page *page, const struct run *run, const struct metrics *metrics)
{
    struct curves curves;
    curves_derive(run, metrics, &curves);
    page->curves = xcalloc(curves.length, sizeof *page->curves);
    page->curve_count = curves.length;
    for (size_t i = 0; i < curves.length; i++) {
        const struct curve *curve = &curves.list[i];
        struct page_curve *cells = &page->curves[i];
        cells->label = safe(curve->id);
        cells->unit = unit_name(curve->unit);
        cells->count = curve->count;
        for (size_t k = 0; k < curve->count; k++)
            cells->threads[k] = curve->threads[k];
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            fill_curve_tier(&cells->tiers[tier], &curve->tiers[tier], curve->count);
    }
    curves_release(&curves);
}

// ---- All of it ----

void page_make(struct page *page, const struct run *run, const struct metrics *metrics)
{
    *page = (struct page){.title = title_of(run), .tier_count = run->tier_count};
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        page->columns[tier] = column_of(run, tier);
    make_rows(page, run, metrics);
    make_curves(page, run, metrics);
    notes_make(page, run, metrics);
}

static void release_row(struct page_row *row)
{
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        free(row->tiers[tier].value);
        free(row->tiers[tier].range);
    }
    free(row->label);
    free(row->verdict);
}

static void release_curve(struct page_curve *curve)
{
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        for (size_t i = 0; i < PLAN_THREAD_COUNTS_MOST; i++)
            free(curve->tiers[tier].values[i]);
        free(curve->tiers[tier].scaling);
    }
    free(curve->label);
}

void page_release(struct page *page)
{
    free(page->title);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
        free(page->columns[tier]);
    for (size_t i = 0; i < page->row_count; i++)
        release_row(&page->rows[i]);
    for (size_t i = 0; i < page->curve_count; i++)
        release_curve(&page->curves[i]);
    for (size_t i = 0; i < page->note_count; i++)
        free(page->notes[i]);
    free(page->rows);
    free(page->curves);
    free(page->notes);
    *page = (struct page){0};
}
