#include "analysis/page.h"

#include "analysis/method.h"
#include "analysis/notes.h"
#include "analysis/ratio.h"
#include "analysis/remarks.h"
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

static char *number(double value)
{
    char digits[UNITS_TEXT_SIZE];
    if (!isfinite(value))
        return xstrdup("");
    units_three_digits(value, digits);
    return xstrdup(digits);
}

static char *value_of(const struct metric_tier *tier, bool decided)
{
    static const char *const words[] = {
        [METRIC_EMPTY] = "", [METRIC_FAILED] = "failed", [METRIC_SKIPPED] = "skipped"};
    if (tier->state == METRIC_SKIPPED && tier->cause && tier->cause->reason == SKIP_UNSUPPORTED)
        return xstrdup("unsupported");
    if (tier->state != METRIC_MEASURED)
        return xstrdup(words[tier->state]);
    if (decided && tier->trust == TRUST_DISCARDED)
        return xstrdup("discarded");
    return number(metric_figure(tier));
}

// Beside a rate past the write buffer stands the average that still contains it.
static char *range_of(const struct metric_tier *tier, bool decided)
{
    if (tier->state != METRIC_MEASURED || (decided && tier->trust == TRUST_DISCARDED))
        return xstrdup("");
    if (tier->past_buffer.known) {
        char *average = number(tier->summary.median);
        char *range = xformat("average %s", average);
        free(average);
        return range;
    }
    if (tier->summary.n < 2 || !isfinite(tier->summary.min) || !isfinite(tier->summary.max))
        return xstrdup("");
    char *min = number(tier->summary.min), *max = number(tier->summary.max);
    char *range = xformat("%s to %s", min, max);
    free(min);
    free(max);
    return range;
}

// "6.78": three digits also of 1162, which is 1160. The caller gives where it goes.
static void factor_digits(double factor, char out[UNITS_TEXT_SIZE])
{
    char rounded[UNITS_TEXT_SIZE];
    snprintf(rounded, sizeof rounded, "%.2e", factor);
    units_three_digits(strtod(rounded, NULL), out);
}

static char *medians_of(const struct ratio *ratio)
{
    char digits[UNITS_TEXT_SIZE];
    if (ratio->comparison == COMPARISON_NONE || !(ratio->of_medians_shown > 0))
        return xstrdup("");
    factor_digits(ratio->of_medians_shown, digits);
    return xformat("%sx", digits);
}

// For a bar: only where one disk is said to be slower.
static void fill_bar(struct page_row *row, const struct ratio *ratio)
{
    if (ratio->comparison != COMPARISON_SLOWER && ratio->comparison != COMPARISON_FASTER)
        return;
    row->ratio = ratio->factor > 0 ? ratio->factor : ratio->of_medians_shown;
    row->low = ratio->low;
    row->high = ratio->high;
}

static void fill_row(struct page_row *row, const struct run *run, const struct metric *metric)
{
    row->workload = metric->workload;
    row->label = safe(metric->id);
    row->unit = unit_name(metric->unit);
    row->pending = metric->pending;
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        row->tiers[tier].value = value_of(&metric->tiers[tier], !row->pending);
        row->tiers[tier].range = range_of(&metric->tiers[tier], !row->pending);
    }
    row->verdict = ratio_words(&metric->ratio);
    row->interval = ratio_interval_words(&metric->ratio);
    row->medians = medians_of(&metric->ratio);
    row->comparison = metric->ratio.comparison;
    row->trust = metric->trust;
    fill_bar(row, &metric->ratio);
}

enum page_sign page_row_sign(const struct page_row *row)
{
    static const enum page_sign signs[] = {[TRUST_NONE] = SIGN_NONE,
                                           [TRUST_REPORTED] = SIGN_GOOD,
                                           [TRUST_CAVEAT] = SIGN_CAVEAT,
                                           [TRUST_DISCARDED] = SIGN_DISCARDED};
    if (row->pending)
        return row->trust == TRUST_NONE ? SIGN_NONE : SIGN_PENDING;
    bool noted = row->trust == TRUST_REPORTED && row->marks && *row->marks;
    return noted ? SIGN_CAVEAT : signs[row->trust];
}

char *page_finding_words(const struct page_finding *finding)
{
    if (!finding->likewise || !*finding->likewise)
        return xstrdup(finding->message);
    return xformat("%s Likewise %s.", finding->message, finding->likewise);
}

static void make_rows(struct page *page, const struct run *run, const struct metrics *metrics)
{
    page->rows = xcalloc(metrics->length, sizeof *page->rows);
    for (size_t i = 0; i < metrics->length; i++)
        if (!metrics->rows[i].absent)
            fill_row(&page->rows[page->row_count++], run, &metrics->rows[i]);
}

// ---- Latencies ----

static char *duration(double ns)
{
    char words[UNITS_TEXT_SIZE];
    units_duration((uint64_t)ns, "us", words);
    return xstrdup(words);
}

static void fill_latency(struct page_latency *latency, const struct percentile percentiles[PERCENTILE_COUNT])
{
    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        const struct percentile *percentile = &percentiles[i];
        latency->values[i] = percentile->in_rounds ? duration(percentile->rounds.median) : xstrdup("");
        latency->pooled[i] = percentile->pooled ? duration(percentile->pooled_ns) : xstrdup("");
        if (!percentile->in_rounds || percentile->rounds.n < 2) {
            latency->ranges[i] = xstrdup("");
            continue;
        }
        char *min = duration(percentile->rounds.min), *max = duration(percentile->rounds.max);
        latency->ranges[i] = xformat("%s to %s", min, max);
        free(min);
        free(max);
    }
}

static void make_latencies(struct page *page, const struct run *run, const struct metrics *metrics)
{
    page->latencies = xcalloc(page->row_count * RUN_TIERS_MOST, sizeof *page->latencies);
    for (size_t i = 0; i < page->row_count; i++)
        for (unsigned tier = 0; tier < run->tier_count; tier++) {
            size_t workload = page->rows[i].workload;
            const struct metric_tier *measured = &metrics->rows[workload].tiers[tier];
            if (measured->state != METRIC_MEASURED || measured->trust == TRUST_DISCARDED ||
                !measured->percentiles[0].in_rounds)
                continue;
            struct page_latency *latency = &page->latencies[page->latency_count++];
            latency->label = xformat("%s, %s", page->rows[i].label, page->columns[tier]);
            latency->operation = xstrdup(workload_descriptions[run->plan.workloads[workload].kind].operation);
            fill_latency(latency, measured->percentiles);
        }
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

static char *thresholds_of(const struct run *run)
{
    struct text text = {0};
    thresholds_put_changed(&run->thresholds, &text);
    return take(&text);
}

void page_make(struct page *page, const struct run *run, const struct judgement *judgement)
{
    const struct metrics *metrics = &judgement->metrics;
    *page = (struct page){.title = title_of(run),
                          .headline = xstrdup(judgement->headline ? judgement->headline : ""),
                          .thresholds = thresholds_of(run),
                          .tier_count = run->tier_count};
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        page->columns[tier] = column_of(run, tier);
    make_rows(page, run, metrics);
    make_curves(page, run, metrics);
    make_latencies(page, run, metrics);
    remarks_make(page, judgement);
    notes_make(page, run, metrics);
    method_make(page, run, judgement);
}

static void release_row(struct page_row *row)
{
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        free(row->tiers[tier].value);
        free(row->tiers[tier].range);
    }
    free(row->label);
    free(row->verdict);
    free(row->interval);
    free(row->medians);
    free(row->marks);
}

static void release_finding(struct page_finding *finding)
{
    free(finding->about);
    free(finding->message);
    free(finding->likewise);
}

static void release_latency(struct page_latency *latency)
{
    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        free(latency->values[i]);
        free(latency->ranges[i]);
        free(latency->pooled[i]);
    }
    free(latency->label);
    free(latency->operation);
}

static void release_sentences(char **sentences, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(sentences[i]);
    free(sentences);
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
    for (size_t i = 0; i < page->finding_count; i++)
        release_finding(&page->findings[i]);
    for (size_t i = 0; i < page->latency_count; i++)
        release_latency(&page->latencies[i]);
    for (size_t i = 0; i < page->fact_count; i++) {
        free(page->facts[i].label);
        free(page->facts[i].value);
    }
    release_sentences(page->notes, page->note_count);
    release_sentences(page->method, page->method_count);
    release_sentences(page->limitations, page->limitation_count);
    free(page->headline);
    free(page->not_checked);
    free(page->thresholds);
    free(page->rows);
    free(page->curves);
    free(page->findings);
    free(page->latencies);
    free(page->facts);
    *page = (struct page){0};
}
