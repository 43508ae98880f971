// fixture.h: a run and the page of it, made by hand, for the formats. The page says more than the run holds.
#pragma once

#include "analysis/fixture.h"
#include "base/units.h"
#include "report/report.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

// All that HTML, XML, CSV, Markdown or a terminal would obey; and what isn't UTF-8.
#define HOSTILE                                                                                              \
    "=cmd()|</script><b onload=\"x\" onerror='y'>&amp;]]>`*_[a](javascript:b)\\\n\x1b[2J\xe2\x80\xae\xff,;"

struct fixture {
    struct run run;
    struct judgement judgement;
    struct page_row rows[3];
    struct page_finding findings[6];
    struct page_latency latencies[1];
    struct page_curve curves[1];
    struct page_fact facts[2];
    char *notes[1], *method[1], *limitations[1];
    struct page page;
    struct report report;
};

static inline void fixture_histogram(struct sparse_histogram *sparse, uint64_t first_ns, unsigned count)
{
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (unsigned i = 0; i < count; i++)
        histogram_record(&histogram, first_ns + i * first_ns / 50);
    sparse_from(sparse, &histogram);
    histogram_release(&histogram);
}

// `length` intervals of 100 ms.
static inline void fixture_series(struct sample *sample, size_t length)
{
    sample->series = xcalloc(length, sizeof *sample->series);
    sample->series_length = length;
    for (size_t i = 0; i < length; i++)
        sample->series[i] = (struct interval){
            .start_ns = i * 100000000, .end_ns = (i + 1) * 100000000, .ops = 10 + i % 7, .bytes = MIB};
}

static inline void fixture_samples(struct run *run)
{
    for (unsigned round = 0; round <= 2; round++)
        for (size_t workload = 0; workload < 3; workload++)
            for (unsigned tier = 0; tier < 2; tier++) {
                uint64_t wall_ns = (workload + 1) * (tier == 0 ? 1000000000 : 40000000) + round * 1000;
                struct sample *sample = fixture_add(run, workload, tier, round, wall_ns);
                sample->started_realtime_ns = run->started_realtime_ns + sample->sequence * 1000000000;
                fixture_histogram(&sample->latency[PHASE_OP], tier == 0 ? 5000000 : 50000, 200);
                if (tier == 0)
                    fixture_series(sample, 10);
            }
    struct sample *failed = fixture_add_other(run, 1, 0, 2, SAMPLE_FAILED, SKIP_NONE);
    failed->block = 2;
    struct sample *skipped = fixture_add_other(run, 2, 1, 2, SAMPLE_SKIPPED, SKIP_USER);
    skipped->block = 2;
}

static inline void fixture_judgement(struct fixture *fixture)
{
    struct judgement *judgement = &fixture->judgement;
    judgement->rules_version = 1;
    judgement->metrics.length = fixture->run.plan.workload_count;
    judgement->metrics.rows = xcalloc(judgement->metrics.length, sizeof *judgement->metrics.rows);
    judgement->findings = xcalloc(2, sizeof *judgement->findings);
    judgement->finding_count = 2;
    judgement->findings[0] =
        (struct finding){.rule = "wide-range", .verdict = VERDICT_CAVEAT, .on_metric = true, .metric = 1};
    judgement->findings[1] = (struct finding){.rule = "first-round-differs",
                                              .verdict = VERDICT_DISCARD,
                                              .on_metric = true,
                                              .metric = 1,
                                              .on_tier = true,
                                              .tier = 1};
    for (size_t i = 0; i < judgement->metrics.length; i++) {
        struct metric *metric = &judgement->metrics.rows[i];
        metric->workload = i;
        metric->tiers[0].trust = metric->tiers[1].trust = TRUST_REPORTED;
        if (i != 1)
            continue;
        metric->tiers[0].trust = TRUST_CAVEAT;
        metric->tiers[1].trust = TRUST_DISCARDED;
        metric->findings = xcalloc(3, sizeof *metric->findings);
        metric->findings[1] = 1;
        metric->findings[2] = 0; // twice the same rule
        metric->finding_count = 3;
    }
}

static inline void fixture_rows(struct fixture *fixture)
{
    fixture->rows[0] = (struct page_row){.workload = 0,
                                         .label = "create",
                                         .unit = "files/s",
                                         .tiers = {{"115", "104 to 124"}, {"1162", "870 to 1218"}},
                                         .verdict = "9.7x slower",
                                         .interval = "8.4 to 10.7",
                                         .medians = "10.1x",
                                         .comparison = COMPARISON_SLOWER,
                                         .ratio = 9.7,
                                         .low = 8.4,
                                         .high = 10.7,
                                         .trust = TRUST_REPORTED,
                                         .marks = ""};
    fixture->rows[1] = (struct page_row){.workload = 1,
                                         .label = "delete",
                                         .unit = "ms",
                                         .tiers = {{"812", "699 to 935"}, {"discarded", ""}},
                                         .verdict = "",
                                         .interval = "",
                                         .medians = "",
                                         .trust = TRUST_DISCARDED,
                                         .marks = "1,2"};
    fixture->rows[2] = (struct page_row){.workload = 2,
                                         .label = "seq-write-1",
                                         .unit = "MB/s",
                                         .tiers = {{"320", "300 to 351"}, {"160", "150 to 180"}},
                                         .verdict = "2.00x faster",
                                         .interval = "",
                                         .medians = "2.00x",
                                         .comparison = COMPARISON_FASTER,
                                         .ratio = 2,
                                         .trust = TRUST_CAVEAT,
                                         .marks = "2"};
}

static inline void fixture_findings(struct fixture *fixture)
{
    const struct page_finding findings[] = {
        {"first-round-differs", VERDICT_DISCARD, 1, "delete on B ephemeral",
         "Round 1 took 12 ms, round 2 3 ms.", false, ""},
        {"wide-range", VERDICT_CAVEAT, 2, "delete on A persistent", "Rounds span 1.8x.", false,
         "seq-write-1 on A persistent"},
        {"wide-range", VERDICT_CAVEAT, 2, "seq-write-1 on A persistent", "Rounds span 1.6x.", true, ""},
        {"op-percentile-gate", VERDICT_REFUSE, 0, "create", "p99 needs 1000 operations.", false, "delete"},
        {"ramp-in-round", VERDICT_INFO, 0, "", "It began slowly.", false, ""},
        {"age-unknown", VERDICT_INFO, 0, "", "This stands among the limitations.", false, ""},
    };
    memcpy(fixture->findings, findings, sizeof findings);
}

static inline void fixture_page(struct fixture *fixture)
{
    fixture_rows(fixture);
    fixture_findings(fixture);
    fixture->latencies[0] =
        (struct page_latency){.label = "create, A persistent",
                              .operation = "file",
                              .values = {"8.40 ms", "9.90 ms", "", "", ""},
                              .ranges = {"8.31 to 8.62 ms", "9.80 to 10.4 ms", "", "", ""},
                              .pooled = {"8.41 ms", "", "", "", ""}};
    fixture->curves[0] = (struct page_curve){
        .label = "create",
        .unit = "files/s",
        .count = 2,
        .threads = {1, 4},
        .tiers = {{{"115", "430"}, {115, 430}, "3.74x as fast"}, {{"1162", ""}, {1162, 0}, ""}}};
    fixture->facts[0] = (struct page_fact){"A persistent", "/workspace, fuse.orlop"};
    fixture->facts[1] = (struct page_fact){"Measured", "2026-11-30 17:55 UTC"};
    fixture->notes[0] = "Each figure is the median of 2 rounds.";
    fixture->method[0] = "The disks took turns.";
    fixture->limitations[0] = "One machine, one sitting.";
    fixture->page = (struct page){
        .title = "agent-disk, 2 rounds, 2026-11-30 17:55 UTC",
        .headline = "Creating small files is 9.7x slower on A persistent.",
        .thresholds = "wide-range.factor 1.3 (standard 1.5)",
        .columns = {"A persistent", "B ephemeral"},
        .tier_count = 2,
        .rows = fixture->rows,
        .row_count = 3,
        .curves = fixture->curves,
        .curve_count = 1,
        .notes = fixture->notes,
        .note_count = 1,
        .findings = fixture->findings,
        .finding_count = 6,
        .not_checked = "cpu-stolen (no round took a second)",
        .latencies = fixture->latencies,
        .latency_count = 1,
        .facts = fixture->facts,
        .fact_count = 2,
        .method = fixture->method,
        .method_count = 1,
        .limitations = fixture->limitations,
        .limitation_count = 1,
    };
}

static inline void fixture_make(struct fixture *fixture)
{
    *fixture = (struct fixture){0};
    fixture_begin(&fixture->run, "create,delete,seq-write-1", 2);
    snprintf(fixture->run.id, sizeof fixture->run.id, "20261130T175535Z-3f2a9c");
    fixture->run.tool_version = xstrdup("0.1.0");
    fixture->run.tool_commit = xstrdup("0123456789ab");
    fixture->run.host.hostname = xstrdup("agent-7f3");
    fixture->run.tiers[0].path = xstrdup("/workspace");
    fixture->run.tiers[1].path = xstrdup("/tmp");
    fixture_samples(&fixture->run);
    fixture_judgement(fixture);
    fixture_page(fixture);
    fixture->report =
        (struct report){.run = &fixture->run, .judgement = &fixture->judgement, .page = &fixture->page};
}

// What a page says of HOSTILE. The caller frees.
static inline char *fixture_safe(void)
{
    struct text text = {0};
    text_put_safe(&text, HOSTILE, false);
    return text.bytes;
}

// Every string of a page that may hold something foreign.
static inline void fixture_make_hostile(struct fixture *fixture, char *safe)
{
    free(fixture->run.host.hostname);
    fixture->run.host.hostname = xstrdup(HOSTILE);
    for (unsigned tier = 0; tier < 2; tier++) {
        free(fixture->run.tiers[tier].name);
        fixture->run.tiers[tier].name = xformat("%s%u", HOSTILE, tier);
        fixture->page.columns[tier] = safe;
        fixture->rows[0].tiers[tier].value = safe;
    }
    free(fixture->run.tool_commit);
    fixture->run.tool_commit = xstrdup(HOSTILE);
    fixture->page.title = fixture->page.headline = fixture->page.thresholds = safe;
    fixture->page.not_checked = safe;
    fixture->rows[0].label = fixture->rows[0].verdict = safe;
    fixture->notes[0] = fixture->method[0] = fixture->limitations[0] = safe;
    for (size_t i = 0; i < 6; i++)
        fixture->findings[i].about = fixture->findings[i].message = safe;
    fixture->findings[1].likewise = fixture->findings[3].likewise = safe;
    fixture->latencies[0].label = fixture->latencies[0].operation = safe;
    fixture->curves[0].label = safe;
    for (size_t i = 0; i < 2; i++)
        fixture->facts[i] = (struct page_fact){safe, safe};
}

static inline void fixture_release(struct fixture *fixture)
{
    judgement_release(&fixture->judgement);
    run_release(&fixture->run);
}

// ---- Against what is kept ----

static inline char *fixture_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct text text = {0};
    char bytes[4096];
    for (size_t length; file && (length = fread(bytes, 1, sizeof bytes, file)) > 0;)
        text_append(&text, bytes, length);
    if (file)
        fclose(file);
    char *whole = xstrdup(text_string(&text));
    text_free(&text);
    return whole;
}

// Whether the text is what tests/report/golden/NAME holds. DISKDUEL_BLESS=1 keeps it instead.
static inline bool fixture_matches(const struct text *text, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/golden/%s", TEST_SOURCE_DIR, name);
    const char *bless = getenv("DISKDUEL_BLESS");
    if (bless && *bless) {
        FILE *file = fopen(path, "wb");
        bool written = file && fputs(text_string(text), file) >= 0;
        return file && fclose(file) == 0 && written;
    }
    char *kept = fixture_read(path);
    bool matches = strcmp(kept, text_string(text)) == 0;
    if (!matches)
        fprintf(stderr, "%s differs; written was:\n%s", path, text_string(text));
    free(kept);
    return matches;
}
