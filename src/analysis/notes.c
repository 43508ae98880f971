#include "analysis/notes.h"

#include "base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_note(struct page *page, struct text *note)
{
    page->notes = xrealloc_array(page->notes, page->note_count + 1, sizeof *page->notes);
    page->notes[page->note_count++] = xstrdup(text_string(note));
    text_free(note);
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

// ---- What was left out ----

// A workload that was left out, on which tiers, and the first sample that says so.
struct gap {
    size_t workload;
    bool on[RUN_TIERS_MOST];
    const struct sample *cause;
    bool said;
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

// What a disk can't do, it never can: there the round says nothing.
static bool same_cause(const struct sample *a, const struct sample *b)
{
    if (a->reason != b->reason)
        return false;
    return a->reason == SKIP_UNSUPPORTED ? same_text(a->detail, b->detail) : a->round == b->round;
}

static size_t gaps_of(const struct run *run, const struct metric *metric, struct gap gaps[RUN_TIERS_MOST])
{
    size_t count = 0;
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        const struct sample *cause = metric->tiers[tier].cause;
        if (!cause || metric->tiers[tier].state == METRIC_FAILED)
            continue;
        if (count == 0 || !same_cause(gaps[count - 1].cause, cause))
            gaps[count++] = (struct gap){.workload = metric->workload, .cause = cause};
        gaps[count - 1].on[tier] = true;
    }
    return count;
}

static bool same_gap(const struct gap *a, const struct gap *b)
{
    return a->on[0] == b->on[0] && a->on[1] == b->on[1] && same_cause(a->cause, b->cause);
}

// "create, walk and delete": all that the same is to be said of as of the first, which are then said. Returns
// how many they are.
static size_t put_alike(struct text *note, const struct page *page, const struct run *run, struct gap *gaps,
                        size_t count)
{
    size_t alike = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        if (!same_gap(&gaps[0], &gaps[i]))
            continue;
        alike++;
        last = i;
        gaps[i].said = true;
    }
    if (alike > 1 && alike == page->row_count) {
        text_puts(note, "Everything");
        return 1;
    }
    for (size_t i = 0; i <= last; i++) {
        if (!same_gap(&gaps[0], &gaps[i]))
            continue;
        text_puts(note, i == 0 ? "" : i == last ? " and " : ", ");
        put_id(note, run, gaps[i].workload);
    }
    return alike;
}

// "seq-read-direct-1m is not measured on B ephemeral: it can't do that (tmpfs takes the flag and ignores
// it)."
static void put_unsupported(struct text *note, const char *disk, bool both, const char *detail)
{
    text_printf(note, " not measured on %s: %s can't do that", both ? "either disk" : disk,
                both ? "they" : "it");
    if (detail && *detail) {
        text_puts(note, " (");
        text_put_safe(note, detail, false);
        text_puts(note, ")");
    }
    text_puts(note, ".");
}

// "create and walk were skipped on both disks from round 4 on: --max-time left no time."
static void put_skipped(struct text *note, const char *disk, bool both, const struct sample *cause)
{
    static const char *const reasons[] = {
        [SKIP_NONE] = "no reason is stored",
        [SKIP_USER] = "the user left it out",
        [SKIP_TIME] = "--max-time left no time",
        [SKIP_ROOM] = "no room was left",
    };
    text_printf(note, " skipped on %s", both ? "both disks" : disk);
    if (cause->round > 0) {
        text_puts(note, " from ");
        put_round(note, cause->round, 0);
        text_puts(note, " on");
    }
    text_printf(note, ": %s.", reasons[cause->reason]);
}

static void note_gap(struct page *page, const struct run *run, struct gap *gaps, size_t count)
{
    const struct sample *cause = gaps[0].cause;
    bool both = gaps[0].on[0] && gaps[0].on[1];
    const char *disk = page->columns[gaps[0].on[0] ? 0 : 1];
    struct text note = {0};
    bool one = put_alike(&note, page, run, gaps, count) == 1;
    if (cause->reason == SKIP_UNSUPPORTED) {
        text_puts(&note, one ? " is" : " are");
        put_unsupported(&note, disk, both, cause->detail);
    } else {
        text_puts(&note, one ? " was" : " were");
        put_skipped(&note, disk, both, cause);
    }
    add_note(page, &note);
}

static void note_gaps(struct page *page, const struct run *run, const struct metrics *metrics)
{
    struct gap *gaps = xcalloc(metrics->length, RUN_TIERS_MOST * sizeof *gaps);
    size_t count = 0;
    for (size_t i = 0; i < metrics->length; i++)
        count += gaps_of(run, &metrics->rows[i], &gaps[count]);
    for (size_t i = 0; i < count; i++)
        if (!gaps[i].said)
            note_gap(page, run, &gaps[i], count - i);
    free(gaps);
}

// What the rules asked for at the end and didn't get: their sentences stand without it.
static void note_follow_up(struct page *page, const struct run *run, const struct sample *sample)
{
    static const char *const reasons[] = {[SKIP_USER] = "the user left it out",
                                          [SKIP_TIME] = "--max-time left no time",
                                          [SKIP_ROOM] = "no room was left",
                                          [SKIP_NONE] = "it was broken off",
                                          [SKIP_UNSUPPORTED] = "the disk can't do that"};
    struct text note = {0};
    text_puts(&note, "The rules asked for another look at ");
    put_id(&note, run, sample->workload);
    text_printf(&note, " on %s, and didn't get it: ", page->columns[sample->tier]);
    if (sample->status == SAMPLE_FAILED && sample->error.call) {
        text_put_safe(&note, sample->error.call, false);
        text_puts(&note, " ");
        text_put_safe(&note, sample->error.path ? sample->error.path : "", false);
        text_puts(&note, ": ");
        text_put_safe(&note, sample_error_reason(&sample->error), false);
    } else {
        text_puts(&note, sample->status == SAMPLE_FAILED ? "it failed" : reasons[sample->reason]);
    }
    text_puts(&note, ".");
    add_note(page, &note);
}

static void note_follow_ups(struct page *page, const struct run *run)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].block > 1 && run->samples[i].status != SAMPLE_OK)
            note_follow_up(page, run, &run->samples[i]);
}

// ---- What the figures stand on ----

// "create 6, walk 6 on A persistent and 5 on B ephemeral"
static void put_rounds_by_row(struct text *note, const struct page *page, const struct run *run,
                              const struct metrics *metrics)
{
    const char *separator = "";
    for (size_t i = 0; i < metrics->length; i++) {
        size_t a = metrics->rows[i].tiers[0].summary.n, b = metrics->rows[i].tiers[1].summary.n;
        if (a == 0 && b == 0)
            continue;
        text_puts(note, separator);
        put_id(note, run, metrics->rows[i].workload);
        text_puts(note, " ");
        separator = ", ";
        if (a == b || page->tier_count < 2)
            text_printf(note, "%zu", a);
        else
            text_printf(note, "%zu on %s and %zu on %s", a, page->columns[0], b, page->columns[1]);
    }
}

// How many rounds each figure stands on: one number where all have the same.
static void note_rounds(struct page *page, const struct run *run, const struct metrics *metrics)
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
        text_printf(&note, "Each figure is the %s of %zu rounds, and beside it their range.",
                    most == 2 ? "middle" : "median", most);
    } else if (least < most) {
        text_puts(&note, "Each figure is the median of its rounds, and beside it their range. Rounds: ");
        put_rounds_by_row(&note, page, run, metrics);
        text_puts(&note, ".");
    }
    if (note.length > 0)
        add_note(page, &note);
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
            put_id(&note, run, metrics->rows[i].workload);
            text_printf(&note, " %s%" PRIu64 "x", alike ? "" : "up to ", batches);
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

void notes_make(struct page *page, const struct run *run, const struct metrics *metrics)
{
    note_status(page, run);
    note_gaps(page, run, metrics);
    note_follow_ups(page, run);
    page->gap_count = page->note_count;
    note_rounds(page, run, metrics);
    note_batches(page, run, metrics);
    note_null(page, run);
    note_first_use(page, run);
}
