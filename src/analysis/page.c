#include "analysis/page.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void round_name(unsigned round, unsigned rounds, char out[ROUND_NAME_SIZE])
{
    if (round == 0)
        snprintf(out, ROUND_NAME_SIZE, "round 0 (first use)");
    else if (rounds == 0)
        snprintf(out, ROUND_NAME_SIZE, "round %u", round);
    else
        snprintf(out, ROUND_NAME_SIZE, "round %u of %u", round, rounds);
}

static char *take(struct text *text)
{
    char *string = xstrdup(text_string(text));
    text_free(text);
    return string;
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
    char rounded[UNITS_TEXT_SIZE], digits[UNITS_TEXT_SIZE];
    snprintf(rounded, sizeof rounded, "%.2e", ratio); // three digits of 1162, too
    units_three_digits(strtod(rounded, NULL), digits);
    return xformat("%sx %s", digits, word);
}

static void fill_row(struct page_row *row, const struct run *run, const struct metric *metric)
{
    struct text label = {0};
    text_put_safe(&label, metric->id, false);
    row->label = take(&label);
    row->unit = unit_name(metric->unit);
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        row->tiers[tier].value = value_of(&metric->tiers[tier]);
        row->tiers[tier].range = range_of(&metric->tiers[tier]);
    }
    row->verdict = verdict_of(metric);
    row->comparison = metric->comparison;
    row->ratio = metric->ratio_shown;
}

// ---- The notes ----

static void add_note(struct page *page, struct text *note)
{
    page->notes = xrealloc_array(page->notes, page->note_count + 1, sizeof *page->notes);
    page->notes[page->note_count++] = take(note);
}

static void put_id(struct text *note, const struct run *run, size_t workload)
{
    text_put_safe(note, run->plan.workloads[workload].id, false);
}

static void put_round(struct text *note, unsigned round, unsigned rounds)
{
    char name[ROUND_NAME_SIZE];
    round_name(round, rounds, name);
    text_puts(note, name);
}

static const struct sample *last_measured(const struct run *run)
{
    for (size_t i = run->sample_count; i > 0; i--)
        if (run->samples[i - 1].status != SAMPLE_SKIPPED)
            return &run->samples[i - 1];
    return NULL;
}

static void note_status(struct page *page, const struct run *run)
{
    static const struct {
        const char *reached, *nothing;
    } words[] = {
        [RUN_RUNNING] = {"This run isn't over; it got as far as ",
                         "This run isn't over, and nothing is measured yet."},
        [RUN_STOPPED] = {"Stopped in ", "Stopped before anything was measured."},
        [RUN_FAILED] = {"This run failed; it got as far as ",
                        "This run failed before anything was measured."},
    };
    if (run->status == RUN_COMPLETE)
        return;
    struct text note = {0};
    const struct sample *last = last_measured(run);
    if (!last) {
        text_puts(&note, words[run->status].nothing);
    } else {
        text_puts(&note, words[run->status].reached);
        put_round(&note, last->round, run->plan.rounds);
        text_puts(&note, ", at ");
        put_id(&note, run, last->workload);
        text_puts(&note, ".");
    }
    add_note(page, &note);
}

// "delete failed on A persistent in round 2: unlinkat d03/f00000117, operation 117: Input/output error. No…"
static void note_failure(struct page *page, const struct run *run, const struct sample *cause)
{
    const struct sample_error *error = &cause->error;
    struct text note = {0};
    put_id(&note, run, cause->workload);
    text_printf(&note, " failed on %s in ", page->columns[cause->tier]);
    put_round(&note, cause->round, 0);
    if (error->call) {
        text_puts(&note, ": ");
        text_put_safe(&note, error->call, false);
        if (error->path && *error->path) {
            text_puts(&note, " ");
            text_put_safe(&note, error->path, false);
        }
        text_printf(&note, ", operation %" PRIu64, error->op);
        if (error->has_offset)
            text_printf(&note, ", byte %" PRIu64, error->offset);
        text_puts(&note, ": ");
        text_put_safe(&note, sample_error_reason(error), false);
    }
    text_puts(&note, ". No figure of it is given.");
    add_note(page, &note);
}

static void note_failures(struct page *page, const struct run *run, const struct metrics *metrics)
{
    for (size_t i = 0; i < metrics->length; i++)
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            if (metrics->rows[i].tiers[tier].state == METRIC_FAILED)
                note_failure(page, run, metrics->rows[i].tiers[tier].cause);
}

static void note_shared(struct page *page, const struct run *run)
{
    if (run->tier_count < 2 || !run->shared_why)
        return;
    struct text note = {0};
    run_put_shared(run, &note);
    text_puts(&note, ".");
    add_note(page, &note);
}

static void note_skipped(struct page *page, const struct run *run, const struct metric *metric)
{
    static const char *const reasons[] = {
        [SKIP_NONE] = "no reason is stored",  [SKIP_UNSUPPORTED] = "the disk can't do it",
        [SKIP_USER] = "the user left it out", [SKIP_TIME] = "no time was left",
        [SKIP_ROOM] = "no room was left",
    };
    const struct sample *causes[RUN_TIERS_MOST] = {0};
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        if (metric->tiers[tier].state != METRIC_FAILED)
            causes[tier] = metric->tiers[tier].cause;
    const struct sample *a = causes[0], *b = causes[RUN_TIERS_MOST - 1];
    bool alike = a && b && a->reason == b->reason && a->round == b->round;

    for (unsigned tier = 0; tier < (alike ? 1 : run->tier_count); tier++) {
        const struct sample *cause = causes[tier];
        if (!cause)
            continue;
        struct text note = {0};
        put_id(&note, run, metric->workload);
        text_printf(&note, " was skipped on %s", alike ? "both disks" : page->columns[tier]);
        if (cause->round > 0) {
            text_puts(&note, " from ");
            put_round(&note, cause->round, 0);
            text_puts(&note, " on");
        }
        text_printf(&note, ": %s.", reasons[cause->reason]);
        add_note(page, &note);
    }
}

// "create 6, walk 6 on A persistent and 5 on B ephemeral"
static void put_rounds_by_row(struct text *note, const struct page *page, const struct metrics *metrics)
{
    const char *separator = "";
    for (size_t i = 0; i < metrics->length; i++) {
        size_t a = metrics->rows[i].tiers[0].summary.n, b = metrics->rows[i].tiers[1].summary.n;
        if (a == 0 && b == 0)
            continue;
        text_printf(note, "%s%s ", separator, page->rows[i].label);
        separator = ", ";
        if (a == b || page->tier_count < 2)
            text_printf(note, "%zu", a);
        else
            text_printf(note, "%zu on %s and %zu on %s", a, page->columns[0], b, page->columns[1]);
    }
}

// How many rounds each figure stands on: one number where all have the same.
static void note_rounds(struct page *page, const struct metrics *metrics)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < metrics->length; i++)
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            size_t n = metrics->rows[i].tiers[tier].summary.n;
            if (n == 0)
                continue;
            least = n < least ? n : least;
            most = n > most ? n : most;
        }
    if (most == 0)
        return;
    struct text note = {0};
    if (least == most && most > 1) {
        text_printf(&note, "Each figure is the median of %zu rounds, and beside it their range.", most);
    } else if (least < most) {
        text_puts(&note, "Each figure is the median of its rounds, and beside it their range. Rounds: ");
        put_rounds_by_row(&note, page, metrics);
        text_puts(&note, ".");
    }
    if (note.length > 0)
        add_note(page, &note);
    if (least == 1) {
        text_puts(&note, "1 round: one observation, no spread is known.");
        add_note(page, &note);
    }
}

// The most batches that a metric's samples had in a round, and whether all had as many.
static uint64_t batches_of(const struct run *run, size_t workload, unsigned tier, bool *alike)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->workload != workload || sample->tier != tier || sample->round == 0 ||
            sample->block != 1 || sample->status != SAMPLE_OK)
            continue;
        least = sample->batches < least ? sample->batches : least;
        most = sample->batches > most ? sample->batches : most;
    }
    *alike = least == most;
    return most;
}

// "B ephemeral did walk 12x, delete up to 8x a round: once is too short to time."
static void note_batches(struct page *page, const struct run *run, const struct metrics *metrics)
{
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        struct text note = {0};
        for (size_t i = 0; i < metrics->length; i++) {
            bool alike;
            uint64_t batches = batches_of(run, i, tier, &alike);
            if (metrics->rows[i].tiers[tier].state != METRIC_MEASURED || batches < 2)
                continue;
            if (note.length == 0)
                text_printf(&note, "%s did ", page->columns[tier]);
            else
                text_puts(&note, ", ");
            text_printf(&note, "%s %s%" PRIu64 "x", page->rows[i].label, alike ? "" : "up to ", batches);
        }
        if (note.length == 0)
            continue;
        text_puts(&note, " a round: once is too short to time.");
        add_note(page, &note);
    }
}

static void note_null(struct page *page, const struct run *run)
{
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        if (!run->tiers[tier].null)
            continue;
        struct text note = {0};
        text_printf(&note, "%s is no disk: its figures are what this program itself costs.",
                    page->columns[tier]);
        add_note(page, &note);
    }
}

static void note_first_use(struct page *page, const struct run *run)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        if (run->samples[i].round != 0)
            continue;
        struct text note = {0};
        text_puts(&note, "Round 0 (first use) is stored and in no figure.");
        add_note(page, &note);
        return;
    }
}

// ---- All of it ----

void page_make(struct page *page, const struct run *run, const struct metrics *metrics)
{
    *page =
        (struct page){.title = title_of(run), .tier_count = run->tier_count, .row_count = metrics->length};
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        page->columns[tier] = column_of(run, tier);
    page->rows = xcalloc(page->row_count, sizeof *page->rows);
    for (size_t i = 0; i < page->row_count; i++)
        fill_row(&page->rows[i], run, &metrics->rows[i]);

    note_status(page, run);
    note_failures(page, run, metrics);
    note_shared(page, run);
    for (size_t i = 0; i < metrics->length; i++)
        note_skipped(page, run, &metrics->rows[i]);
    note_rounds(page, metrics);
    note_batches(page, run, metrics);
    note_null(page, run);
    note_first_use(page, run);
}

void page_release(struct page *page)
{
    free(page->title);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
        free(page->columns[tier]);
    for (size_t i = 0; i < page->row_count; i++) {
        struct page_row *row = &page->rows[i];
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
            free(row->tiers[tier].value);
            free(row->tiers[tier].range);
        }
        free(row->label);
        free(row->verdict);
    }
    free(page->rows);
    for (size_t i = 0; i < page->note_count; i++)
        free(page->notes[i]);
    free(page->notes);
    *page = (struct page){0};
}
