// fixture.h: a run as the views see it, made up: always the same, with no disk, clock or engine behind it.
#pragma once

#include "base/units.h"
#include "base/xalloc.h"
#include "spec/plan.h"
#include "tui/duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct run run;
    struct schedule schedule;
    struct series *series[RUN_TIERS_MOST];
    struct page page;
    struct duel duel;
    uint64_t now_ns;
    uint64_t seed;   // of the wobble in its numbers
    size_t workload; // whose sections become the panes' pictures
};

struct fixture_request {
    const char *profile;
    const char *workloads;
    uint64_t threads[PLAN_THREAD_COUNTS_MOST]; // 0 ends them; none: 1
    const char *names[RUN_TIERS_MOST], *paths[RUN_TIERS_MOST], *types[RUN_TIERS_MOST];
    double slowness; // of A against B; 0: 10
};

static inline double fixture_wobble(struct fixture *fixture)
{
    fixture->seed = fixture->seed * 6364136223846793005u + 1442695040888963407u;
    return 0.8 + 0.4 * (double)(fixture->seed >> 40) / (double)(1 << 24);
}

static inline void fixture_tier(struct run_tier *tier, const char *name, const char *path, const char *type)
{
    tier->name = xstrdup(name);
    tier->path_given = xstrdup(path);
    tier->path = xstrdup(path);
    tier->mount.type = xstrdup(type);
    tier->mount.source = xstrdup(strcmp(type, "overlay") == 0 ? "overlay" : "store:agent-7f3");
    tier->has_space = true;
    tier->total_bytes = 100 * GIB;
    tier->free_bytes = 97 * GIB + 200 * MIB;
}

static inline void fixture_page(struct fixture *fixture)
{
    struct page *page = &fixture->page;
    page->title = xstrdup("agent-disk, 6 rounds, 2026-11-30 14:02 UTC");
    page->tier_count = fixture->run.tier_count;
    page->rows = xcalloc(fixture->run.plan.workload_count, sizeof *page->rows);
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        struct text column = {0};
        run_put_tier(&fixture->run, tier, &column);
        page->columns[tier] = xstrdup(text_string(&column));
        text_free(&column);
    }
    for (size_t i = 0; i < fixture->run.plan.workload_count; i++) {
        const struct workload *workload = &fixture->run.plan.workloads[i];
        if (workload->follow_up)
            continue;
        struct page_row *row = &page->rows[page->row_count++];
        row->workload = i;
        row->label = xstrdup(workload->id);
        row->unit = unit_name(workload_descriptions[workload->kind].unit);
        row->verdict = xstrdup("");
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            row->tiers[tier].value = xstrdup("");
            row->tiers[tier].range = xstrdup("");
        }
    }
}

static inline void fixture_open(struct fixture *fixture, const struct fixture_request *request)
{
    *fixture = (struct fixture){.seed = 1};
    struct plan_request plan = {.profile = request->profile ? request->profile : "agent-disk",
                                .workloads = request->workloads,
                                .has_seed = true,
                                .seed = 1};
    while (plan.thread_count < PLAN_THREAD_COUNTS_MOST && request->threads[plan.thread_count]) {
        plan.threads[plan.thread_count] = request->threads[plan.thread_count];
        plan.thread_count++;
    }
    struct error error;
    if (!plan_make(&plan, &fixture->run.plan, &error)) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    static const char *const names[] = {"persistent", "ephemeral"}, *const paths[] = {"/workspace", "/tmp"},
                             *const types[] = {"fuse.orlop", "overlay"};
    fixture->run.tier_count = RUN_TIERS_MOST;
    schedule_make(&fixture->schedule, &fixture->run.plan, RUN_TIERS_MOST);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        fixture_tier(&fixture->run.tiers[tier], request->names[tier] ? request->names[tier] : names[tier],
                     request->paths[tier] ? request->paths[tier] : paths[tier],
                     request->types[tier] ? request->types[tier] : types[tier]);
        fixture->series[tier] = series_new();
        fixture->duel.tiers[tier].series = fixture->series[tier];
        histogram_init(&fixture->duel.tiers[tier].latency, HISTOGRAM_DIGITS);
    }
    fixture_page(fixture);
    fixture->duel.run = &fixture->run;
    fixture->duel.schedule = &fixture->schedule;
    fixture->duel.page = &fixture->page;
}

static inline void fixture_close(struct fixture *fixture)
{
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        series_free(fixture->series[tier]);
        histogram_release(&fixture->duel.tiers[tier].latency);
    }
    schedule_release(&fixture->schedule);
    run_release(&fixture->run);
    page_release(&fixture->page);
}

// Operations a second of a workload on B; A is slower by what the request says.
static inline double fixture_rate(const struct workload *workload, unsigned tier, double slowness)
{
    static const double rates[WORKLOAD_KINDS] = {
        [WORKLOAD_CREATE] = 1162,    [WORKLOAD_WALK] = 43000,      [WORKLOAD_WALK_LATER] = 21000,
        [WORKLOAD_READ_TREE] = 9000, [WORKLOAD_RENAME] = 24000,    [WORKLOAD_DELETE] = 28900,
        [WORKLOAD_SEQ_READ] = 1200,  [WORKLOAD_RAND_READ] = 31000, [WORKLOAD_RAND_WRITE] = 18000,
        [WORKLOAD_COMMIT] = 2400,    [WORKLOAD_SEQ_WRITE] = 906,
    };
    return rates[workload->kind] / (tier == 0 ? slowness : 1);
}

// Lets a section happen, or its first part: intervals of 100 ms, the last one short.
static inline void fixture_section(struct fixture *fixture, size_t index, double part, double slowness)
{
    const struct section *section = &fixture->schedule.sections[index];
    const struct workload *workload = &fixture->run.plan.workloads[section->workload];
    struct duel_tier *tier = &fixture->duel.tiers[section->tier];
    double rate = fixture_rate(workload, section->tier, slowness);
    uint64_t planned = workload_ops(workload), wanted = (uint64_t)((double)planned * part), done = 0;
    bool pictured = section->workload == fixture->workload;
    if (pictured)
        histogram_clear(&tier->latency);
    while (done < wanted) {
        double now = rate * fixture_wobble(fixture);
        uint64_t ops = (uint64_t)fmax(1, now / 10);
        if (ops > wanted - done)
            ops = wanted - done;
        uint64_t ns = (uint64_t)(1e9 * (double)ops / now);
        uint64_t bytes = ops * workload->block_bytes;
        struct interval interval = {.start_ns = fixture->now_ns,
                                    .end_ns = fixture->now_ns + ns,
                                    .ops = ops,
                                    .bytes = bytes,
                                    .section = (uint32_t)index};
        series_append(fixture->series[section->tier], &interval);
        fixture->now_ns += ns;
        for (uint64_t i = 0; i < ops; i++) {
            double wobble = fixture_wobble(fixture) * fixture_wobble(fixture);
            bool slow = (done + i) % 67 == 66;
            if (pictured)
                histogram_record(&tier->latency, (uint64_t)(1e9 / rate * wobble * (slow ? 4 : 1)));
        }
        done += ops;
    }
    tier->length = series_length(tier->series);
    if (!pictured)
        return;
    tier->has_section = true;
    tier->section = *section;
    tier->ops = done;
    tier->ops_planned = planned;
}

// Everything before that section has happened, and of itself a part.
static inline void fixture_advance(struct fixture *fixture, size_t section, double part, double slowness)
{
    fixture->workload = fixture->duel.workload = fixture->schedule.sections[section].workload;
    for (size_t i = 0; i < section; i++)
        fixture_section(fixture, i, 1, slowness);
    fixture_section(fixture, section, part, slowness);
    fixture->duel.section = section;
    struct duel_tier *tier = &fixture->duel.tiers[fixture->schedule.sections[section].tier];
    tier->state = TIER_MEASURING;
    tier->live = true;
    fixture->duel.fraction = ((double)section + part) / (double)fixture->schedule.length;
    fixture->duel.has_remaining = true;
    fixture->duel.remaining_ns = UINT64_C(80000000000);
}

// The section of that round of a workload on a tier.
static inline size_t fixture_find(const struct fixture *fixture, const char *id, unsigned round,
                                  unsigned tier)
{
    for (size_t i = 0; i < fixture->schedule.length; i++) {
        const struct section *section = &fixture->schedule.sections[i];
        if (strcmp(fixture->run.plan.workloads[section->workload].id, id) == 0 && section->round == round &&
            section->tier == tier)
            return i;
    }
    abort();
}

static inline void fixture_set(char **text, const char *to)
{
    free(*text);
    *text = xstrdup(to);
}

// A row of the table: "115" with its range for A and B, and what A is.
static inline void fixture_row(struct fixture *fixture, size_t row, const char *a, const char *a_range,
                               const char *b, const char *b_range, const char *verdict, double ratio)
{
    if (row >= fixture->page.row_count)
        abort();
    struct page_row *target = &fixture->page.rows[row];
    fixture_set(&target->tiers[0].value, a);
    fixture_set(&target->tiers[0].range, a_range);
    fixture_set(&target->tiers[1].value, b);
    fixture_set(&target->tiers[1].range, b_range);
    fixture_set(&target->verdict, verdict);
    target->ratio = ratio;
    target->comparison = strstr(verdict, "slower")   ? COMPARISON_SLOWER
                         : strstr(verdict, "faster") ? COMPARISON_FASTER
                         : *verdict                  ? COMPARISON_UNCLEAR
                                                     : COMPARISON_NONE;
    target->trust = TRUST_REPORTED;
}

// What the rules say of a row, and the interval of its ratio.
static inline void fixture_trust(struct fixture *fixture, size_t row, enum trust trust, const char *marks,
                                 const char *interval)
{
    struct page_row *target = &fixture->page.rows[row];
    target->trust = trust;
    fixture_set(&target->marks, marks);
    fixture_set(&target->interval, interval);
}

// A sentence of the rules; those with a number have a mark.
static inline void fixture_finding(struct fixture *fixture, enum verdict verdict, unsigned mark,
                                   const char *about, const char *message)
{
    struct page *page = &fixture->page;
    page->findings = xrealloc_array(page->findings, page->finding_count + 1, sizeof *page->findings);
    page->findings[page->finding_count++] = (struct page_finding){
        .rule = "", .verdict = verdict, .mark = mark, .about = xstrdup(about), .message = xstrdup(message)};
}

static inline void fixture_note(struct fixture *fixture, const char *note)
{
    struct page *page = &fixture->page;
    page->notes = xrealloc_array(page->notes, page->note_count + 1, sizeof *page->notes);
    page->notes[page->note_count++] = xstrdup(note);
}

// Fills a row with made-up figures: A is as many times slower, and so many values have a range.
static inline void fixture_figures(struct fixture *fixture, size_t row, double b, double slowness)
{
    const struct workload *workload = &fixture->run.plan.workloads[fixture->page.rows[row].workload];
    bool higher = workload_descriptions[workload->kind].higher_is_better;
    double values[] = {higher ? b / slowness : b * slowness, b};
    char text[2][UNITS_TEXT_SIZE], low[UNITS_TEXT_SIZE], high[UNITS_TEXT_SIZE], *ranges[2];
    for (unsigned tier = 0; tier < 2; tier++) {
        units_three_digits(values[tier], text[tier]);
        units_three_digits(values[tier] * 0.93, low);
        units_three_digits(values[tier] * 1.08, high);
        ranges[tier] = xformat("%s to %s", low, high);
    }
    char digits[UNITS_TEXT_SIZE];
    units_three_digits(slowness, digits);
    char *verdict = xformat("%sx slower", digits);
    fixture_row(fixture, row, text[0], ranges[0], text[1], ranges[1], verdict, slowness);
    free(verdict);
    free(ranges[0]);
    free(ranges[1]);
}

// The curve of a workload: figures of A and B by number of threads; those below 0 are unknown.
static inline void fixture_curve(struct fixture *fixture, const char *label, const char *unit,
                                 const uint64_t *threads, const double *a, const double *b,
                                 const char *a_scaling, const char *b_scaling)
{
    struct page *page = &fixture->page;
    page->curves = xrealloc_array(page->curves, page->curve_count + 1, sizeof *page->curves);
    struct page_curve *curve = &page->curves[page->curve_count++];
    *curve = (struct page_curve){.label = xstrdup(label), .unit = unit};
    const double *values[] = {a, b};
    for (; threads[curve->count]; curve->count++) {
        size_t k = curve->count;
        curve->threads[k] = (unsigned)threads[k];
        for (unsigned tier = 0; tier < 2; tier++) {
            char text[UNITS_TEXT_SIZE] = "";
            if (values[tier][k] > 0)
                units_three_digits(values[tier][k], text);
            curve->tiers[tier].values[k] = xstrdup(text);
            curve->tiers[tier].medians[k] = values[tier][k] > 0 ? values[tier][k] : 0;
        }
    }
    curve->tiers[0].scaling = xstrdup(a_scaling);
    curve->tiers[1].scaling = xstrdup(b_scaling);
}
