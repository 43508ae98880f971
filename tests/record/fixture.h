// fixture.h: a run that has one of everything that a document can hold, hostile names included.
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "record/judgement.h"
#include "record/run.h"
#include "record/run_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Quotes, backslashes, markup, a new line, an escape sequence, a right-to-left override, and more than ASCII.
#define HOSTILE "a\"b\\c/</script>\n\x1b[2J\xe2\x80\xae\xe6\x97\xa5\xf0\x9f\x92\xbe\x7f"

// Every fact of a table, each with a value of its own.
static inline void fixture_facts(const struct field *fields, void *facts)
{
    uint64_t number = 1;
    for (const struct field *field = fields; field->name; field++, number++) {
        void *fact = (char *)facts + field->offset;
        switch (field->kind) {
        case FIELD_TEXT:
            *(char **)fact = xformat("%s " HOSTILE, field->name);
            break;
        case FIELD_COUNT:
            *(struct count *)fact = known_count(number % 3 ? number : RUN_INTEGER_MOST);
            break;
        case FIELD_SIGNED:
            *(struct signed_count *)fact = (struct signed_count){.known = true, .value = -(int64_t)number};
            break;
        case FIELD_FLAG:
            *(struct flag *)fact = known_flag(number % 2);
            break;
        case FIELD_REAL:
            *(struct real *)fact = (struct real){.known = true, .value = 0.1 * (double)number};
            break;
        }
    }
}

static inline void fixture_tiers(struct run *run)
{
    run->tier_count = 2;
    run->tiers[0] = (struct run_tier){
        .name = xstrdup("p\xc3\xa4rsistent \"x\" </script>"),
        .path_given = xstrdup("../" HOSTILE),
        .path = xstrdup("/mnt/" HOSTILE),
        .mount = {.type = xstrdup("fuse.sshfs"),
                  .source = xstrdup("user@host:" HOSTILE),
                  .target = xstrdup("/mnt"),
                  .options = xstrdup("rw,nosuid"),
                  .super_options = xstrdup("rw,user_id=0"),
                  .major = 0,
                  .minor = 52,
                  .id = 412,
                  .f_type = 0x65735546,
                  .has_f_type = true},
        .has_space = true,
        .total_bytes = RUN_INTEGER_MOST,
        .free_bytes = 0,
        .files_free = 77,
    };
    run->tiers[1] = (struct run_tier){
        .name = xstrdup("null"), .path_given = xstrdup("null:"), .path = xstrdup("null:"), .null = true};
    fixture_facts(device_mount_fields, &run->tiers[0].device);
    fixture_facts(device_fields, &run->tiers[0].device);
    fixture_facts(capability_fields, &run->tiers[0].supports);
    free(run->tiers[0].supports.syncfs);
    run->tiers[0].supports.syncfs = xstrdup("local-only"); // one of a few words
    fixture_facts(probes_fields, &run->tiers[0].probes);
    run->tiers[0].holds_output = known_flag(true);
    run->tiers[1].holds_output = known_flag(false);
    run->tiers[0].after.free_bytes = known_count(0);
    run->shared_why = xstrdup("both are on " HOSTILE);
}

static inline void fixture_host(struct run *run)
{
    struct count large = known_count(RUN_INTEGER_MOST), none = known_count(0);
    run->host =
        (struct host){.hostname = xstrdup(HOSTILE),
                      .boot_id = xstrdup("b"),
                      .machine_id_sha256 = xstrdup("0123"),
                      .container = xstrdup("docker"),
                      .cgroup = xstrdup("/" HOSTILE),
                      .kernel = xstrdup("6.18"),
                      .kernel_version = xstrdup("#1 SMP"),
                      .arch = xstrdup("x86_64"),
                      .libc = xstrdup("glibc 2.36"),
                      .hypervisor = xstrdup("kvm"),
                      .uid = none,
                      .capabilities = xstrdup("00ff"),
                      .seccomp = known_count(2),
                      .nice = {.known = true, .value = -20},
                      .ioprio = xstrdup("idle"),
                      .cpu = {xstrdup("a CPU"),
                              known_count(8),
                              known_count(2),
                              {true, 1.5},
                              xstrdup("powersave"),
                              {true, 0.5}},
                      .memory = {large, known_count(1), known_count(2), known_count(3), known_count(4), none},
                      .limits = {known_count(5), xstrdup("8:0 wbps=1"), known_count(1024), large,
                                 known_count(7), known_count(8), none},
                      .vm = {known_count(20), known_count(10), none, known_count(9), known_count(3000)},
                      .clock = {xstrdup("tsc"), known_count(1), known_count(21)}};
    run->calibration = (struct calibration){
        .clock_read_ns = known_count(21),
        .clock_step_ns = large,
        .stamp_ns = none,
        .check_stamp_ns = none,
        .idle_ns = known_count(NS_PER_S),
        .idle_io_pressure_ns = none,
        .screen_factor = {true, 1.07},
    };
    run->calibration.self[2] = (struct self_ratio){{true, 0.9}, {true, 1.1 / 3}};
    run->calibration.self[2].high.value += 1;
    run->calibration.overhead[1] = (struct loop_overhead){.wall_ns = known_count(12345), .ops = 200};
}

static inline void fixture_histogram(struct sparse_histogram *sparse, unsigned first, unsigned values)
{
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (unsigned i = 0; i < values; i++)
        histogram_record(&histogram, first + (uint64_t)i * i * i * 1000);
    sparse_from(sparse, &histogram);
    histogram_release(&histogram);
}

static inline void fixture_series(struct sample *sample, size_t length)
{
    sample->series = xcalloc(length, sizeof *sample->series);
    sample->series_length = length;
    for (size_t i = 0; i < length; i++) {
        struct interval *interval = &sample->series[i];
        interval->start_ns = i > 0 ? interval[-1].end_ns : 0;
        interval->end_ns = interval->start_ns + 100000000 + i;
        interval->ops = 3 * i;
        interval->bytes = i * 4096;
        if (i > 0)
            interval->octaves[i] = 7;
        interval->octaves[SERIES_OCTAVES - 1] = i == 1 ? UINT32_MAX : 0;
    }
    sample->mib_ns = xcalloc(3, sizeof *sample->mib_ns);
    sample->mib_length = 3;
    sample->mib_ns[0] = 5;
    sample->mib_ns[1] = 5;
    sample->mib_ns[2] = RUN_INTEGER_MOST;
}

static inline struct sample fixture_sample(size_t workload, unsigned tier, unsigned round)
{
    struct sample sample = {
        .workload = workload,
        .tier = tier,
        .round = round,
        .block = 1,
        .sequence = round * 10 + workload * 2 + tier,
        .started_realtime_ns = (UINT64_C(1796061335) + round) * NS_PER_S,
        .start_ns = 1 + round * UINT64_C(1000000007),
        .first = tier == 0,
        .batches = 1 + tier * 255,
        .wall_ns = 1736111111 + round,
        .sync_ns = 1111111,
        .ops = 200,
        .bytes = 819200,
    };
    fixture_histogram(&sample.latency[PHASE_OP], 100 + round, 20);
    return sample;
}

static inline void fixture_samples(struct run *run)
{
    for (unsigned round = 0; round <= 2; round++) {
        struct sample a = fixture_sample(0, 0, round), b = fixture_sample(0, 1, round);
        run_add_sample(run, &a);
        run_add_sample(run, &b);
    }
    struct sample *full = &run->samples[1];
    fixture_histogram(&full->latency[PHASE_OPEN], 0, 1);
    fixture_histogram(&full->latency[PHASE_CLOSE], 3, 40);
    full->has_drain = full->has_dirty = full->drain_timed_out = true;
    full->drain_ns = 20000000;
    full->dirty_before_bytes = 12345678;
    full->dirty_after_bytes = 0;
    full->ended_realtime_ns = full->started_realtime_ns + NS_PER_S;
    full->ended_boottime_ns = 123456789;
    full->resident_before = (struct real){.known = true, .value = 0.1};
    full->resident_after = (struct real){.known = true, .value = 0.9};
    fixture_facts(system_use_fields, &full->system);
    full->has_verify = full->has_allocated = true;
    full->verify_blocks = 200;
    full->verify_mismatches = 1;
    full->allocated_bytes = 819200;

    struct sample write = fixture_sample(2, 0, 1);
    fixture_series(&write, 4);
    write.has_drain = true;
    write.has_verify = true;
    run_add_sample(run, &write);

    struct sample failed = fixture_sample(1, 0, 1);
    failed.status = SAMPLE_FAILED;
    failed.batches = failed.ops = failed.sync_ns = 0;
    failed.error = (struct sample_error){.call = xstrdup("unlinkat"),
                                         .number = 5,
                                         .path = xstrdup("d03/" HOSTILE),
                                         .op = 117,
                                         .has_offset = true,
                                         .offset = 4096};
    run_add_sample(run, &failed);

    struct sample differs = fixture_sample(1, 1, 1);
    differs.status = SAMPLE_FAILED;
    sparse_release(&differs.latency[PHASE_OP]);
    differs.error = (struct sample_error){
        .call = xstrdup("verify"), .reason = xstrdup("it differs"), .path = xstrdup("f00000001")};
    run_add_sample(run, &differs);

    struct sample stopped = fixture_sample(1, 0, 2);
    stopped.status = SAMPLE_STOPPED;
    stopped.has_allocated = true;
    run_add_sample(run, &stopped);

    struct sample skipped = {
        .workload = 1, .tier = 1, .round = 2, .block = 1, .status = SAMPLE_SKIPPED, .reason = SKIP_USER};
    run_add_sample(run, &skipped);
    struct sample unable = skipped;
    unable.workload = 2;
    unable.reason = SKIP_UNSUPPORTED;
    unable.detail = xstrdup("it can't " HOSTILE);
    run_add_sample(run, &unable);
    struct sample later = fixture_sample(2, 0, 1);
    later.block = 2;
    run_add_sample(run, &later);
    later = fixture_sample(2, 0, 9); // follow-ups count their rounds by themselves
    later.block = 2;
    run_add_sample(run, &later);
    later = fixture_sample(2, 0, 9);
    later.block = 3;
    run_add_sample(run, &later);
}

static inline void fixture_run(struct run *run)
{
    *run = (struct run){0};
    run_begin(run);
    run->started_realtime_ns -= run->started_realtime_ns % NS_PER_S;
    run->ended_realtime_ns = run->started_realtime_ns + 3661 * UINT64_C(1000000000);
    run->status = RUN_STOPPED;
    run->argc = 3;
    run->argv = xcalloc(3, sizeof *run->argv);
    run->argv[0] = xstrdup("diskduel");
    run->argv[1] = xstrdup("");
    run->argv[2] = xstrdup(HOSTILE);
    run->title = xstrdup("a title " HOSTILE);
    run->note_count = 2;
    run->notes = xcalloc(2, sizeof *run->notes);
    run->notes[0] = xstrdup("");
    run->notes[1] = xstrdup(HOSTILE);
    run->screen = known_flag(true);
    fixture_tiers(run);
    fixture_host(run);
    struct error error;
    struct plan_request request = {.profile = "npm-install",
                                   .workloads = "create,walk,seq-read-cold,rand-read,seq-write-3",
                                   .rounds = 2,
                                   .files = 1001,
                                   .threads = {64},
                                   .thread_count = 1,
                                   .max_time_ns = NS_PER_S,
                                   .has_seed = true,
                                   .seed = PLAN_SEED_MOST,
                                   .verify_full = true,
                                   .same_disk = true};
    assert_true(plan_make(&request, &run->plan, &error));
    assert_true(thresholds_set(&run->thresholds, "wide-range.factor=1.3", &error));
    assert_true(thresholds_set(&run->thresholds, "backlog-at-start.share=0", &error));
    fixture_samples(run);
    run_add_event(run, 0, "%s", HOSTILE);
    run_add_event(run, RUN_INTEGER_MOST, "the %s", "end");
}

static inline void fixture_percentiles(struct metric_tier *tier)
{
    tier->percentiles[0] = (struct percentile){
        .in_rounds = true, .rounds = {3, 1000.5, 100, 1e9 / 3}, .pooled = true, .pooled_ns = 1001};
    tier->percentiles[1] = (struct percentile){.in_rounds = true, .rounds = {3, 2000, 200, 3000}};
    tier->percentiles[4] = (struct percentile){.pooled = true, .pooled_ns = 5e9};
}

static inline void fixture_values(struct metric_tier *tier, enum trust trust)
{
    static const double values[] = {115.2, 0.1, 1e-9 / 3};
    tier->state = METRIC_MEASURED;
    tier->trust = trust;
    tier->summary = summarize(values, 3);
    tier->each = xcalloc(3, sizeof *tier->each);
    memcpy(tier->each, values, sizeof values);
}

static inline void fixture_metrics(const struct run *run, struct metrics *metrics)
{
    metrics->length = 4;
    metrics->rows = xcalloc(metrics->length, sizeof *metrics->rows);
    for (size_t i = 0; i < metrics->length; i++) {
        struct metric *metric = &metrics->rows[i];
        metric->workload = i % 3;
        const struct workload *workload = &run->plan.workloads[metric->workload];
        memcpy(metric->id, workload->id, sizeof metric->id);
        metric->unit = workload_descriptions[workload->kind].unit;
        metric->higher_is_better = workload_descriptions[workload->kind].higher_is_better;
        metric->ratio.comparison = (enum comparison)i;
        metric->trust = i == 0 ? TRUST_NONE : (enum trust)i;
        fixture_values(&metric->tiers[0], TRUST_REPORTED);
        if (i == 0)
            metric->tiers[1].state = METRIC_FAILED;
        else
            fixture_values(&metric->tiers[1], (enum trust)i);
    }
    metrics->rows[2].ratio.of_medians = 10.1 / 3;
    metrics->rows[3].ratio = (struct ratio){.comparison = COMPARISON_FASTER,
                                            .of_medians = 10.1 / 3,
                                            .factor = 9.7 / 3,
                                            .low = 8.4,
                                            .high = 10.7,
                                            .confidence = 0.9375,
                                            .past_buffer = true};
    metrics->rows[1].tiers[0].first_use = (struct real){.known = true, .value = 28.6};
    metrics->rows[2].tiers[1].past_buffer = (struct real){.known = true, .value = 86.9 / 3};
    fixture_percentiles(&metrics->rows[1].tiers[1]);
}

static inline void fixture_findings(struct judgement *judgement)
{
    static const struct finding findings[] = {
        {.rule = "same-storage", .verdict = VERDICT_REFUSE, .statistic = "ratio"},
        {.rule = "age-unknown", .verdict = VERDICT_NOT_CHECKED},
        {.rule = "nearly-full", .verdict = VERDICT_CAVEAT, .on_tier = true, .tier = 1},
        {.rule = "knee", .verdict = VERDICT_NOT_CHECKED, .on_metric = true, .metric = 2, .on_tier = true},
        {.rule = "wide-range", .verdict = VERDICT_DISCARD, .on_metric = true, .metric = 3, .on_tier = true},
        {.rule = "median-coverage", .verdict = VERDICT_INFO, .on_metric = true, .metric = 1},
    };
    judgement->finding_count = sizeof findings / sizeof *findings;
    judgement->findings = xcalloc(judgement->finding_count, sizeof *judgement->findings);
    for (size_t i = 0; i < judgement->finding_count; i++) {
        judgement->findings[i] = findings[i];
        judgement->findings[i].message = xformat("finding %zu: " HOSTILE, i);
    }
    struct finding *full = &judgement->findings[4];
    full->evidence[0] = (struct evidence){"factor", QUANTITY_FACTOR, 10.1 / 3, NULL};
    full->evidence[1] = (struct evidence){"file", QUANTITY_TEXT, 0, xstrdup(HOSTILE)};
    full->evidence[2] = (struct evidence){"share", QUANTITY_SHARE, -0.0, NULL};
    full->evidence_count = 3;
    struct metric *metric = &judgement->metrics.rows[3];
    metric->finding_count = 4;
    metric->findings = xcalloc(4, sizeof *metric->findings);
    memcpy(metric->findings, (const size_t[]){0, 1, 2, 4}, 4 * sizeof *metric->findings);
}

static inline void fixture_judgement(const struct run *run, struct judgement *judgement)
{
    *judgement = (struct judgement){.rules_version = 7, .headline = xstrdup("It costs more. " HOSTILE)};
    fixture_metrics(run, &judgement->metrics);
    fixture_findings(judgement);
}

// What somebody else published: a summary in place of samples, and work that ends in sync(2).
static inline void fixture_imported(struct run *run)
{
    *run = (struct run){0};
    run_begin(run);
    run->started_realtime_ns -= run->started_realtime_ns % NS_PER_S;
    run->status = RUN_COMPLETE;
    run->origin = RUN_IMPORTED;
    fixture_tiers(run);
    struct error error;
    struct plan_request request = {.workloads = "create,walk,seq-read-cold,seq-write-64", .rounds = 5};
    assert_true(plan_make(&request, &run->plan, &error));
    run->plan.workloads[3].sync = SYNC_MACHINE;
    static const struct imported_summary list[] = {
        {.workload = 0,
         .tier = 0,
         .n = {true, 5},
         .median = {true, 115.2},
         .min = {true, 104.2},
         .max = {true, 124.5}},
        {.workload = 0, .tier = 1},
        {.workload = 3,
         .tier = 0,
         .first = {true, 28.6},
         .rest_min = {true, 306.5},
         .rest_max = {true, 351.5}},
        {.workload = 2, .tier = 0, .n = {true, 1}, .wall_ns = {true, 15740000000}, .printed = {true, 16.3}},
    };
    run->summaries.length = sizeof list / sizeof *list;
    run->summaries.list = xcalloc(run->summaries.length, sizeof *run->summaries.list);
    memcpy(run->summaries.list, list, sizeof list);
    run->summaries.list[3].printed_unit = xstrdup("MB/s " HOSTILE);
}

static inline void fixture_write(void (*make)(struct run *run), struct text *document)
{
    struct run run;
    struct judgement judgement;
    make(&run);
    fixture_judgement(&run, &judgement);
    *document = (struct text){0};
    run_json_write(&run, &judgement, document);
    judgement_release(&judgement);
    run_release(&run);
}

// The whole document; the caller frees it.
static inline void fixture_document(struct text *document)
{
    fixture_write(fixture_run, document);
}

// Reads from memory of exactly that size, so that a step past the end is seen.
static inline bool fixture_read(const char *bytes, size_t length, struct run *run, struct judgement *stored,
                                struct error *error)
{
    char *exact = xmalloc(length);
    if (length > 0)
        memcpy(exact, bytes, length);
    bool read = run_json_read(exact, length, run, stored, error);
    free(exact);
    return read;
}
