// full.h: runs in which everything is known that a rule may ask for, and what holds for all that is said of
// any run.
#pragma once

#include "analysis/ask.h"
#include "base/rng.h"
#include "record/run_json.h"
#include "stats/simulate.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Latencies of so many operations, about `ns` each.
static inline void fill_latency(struct sparse_histogram *latency, struct rng *rng, uint64_t count, double ns)
{
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (uint64_t i = 0; i < count; i++)
        histogram_record(&histogram, (uint64_t)(ns * exp(0.3 * simulate_normal(rng))));
    sparse_release(latency);
    sparse_from(latency, &histogram);
    histogram_release(&histogram);
}

// All that a section may tell beside its time.
static inline void fill_sample(struct run *run, struct sample *sample, struct rng *rng)
{
    const struct workload *workload = &run->plan.workloads[sample->workload];
    double ns = 0.95 * (double)sample->wall_ns / (double)(sample->ops > 0 ? sample->ops : 1);
    sample->first = (sample->round + sample->tier) % 2 == 0;
    fill_latency(&sample->latency[PHASE_OP], rng, sample->ops > 2000 ? 2000 : sample->ops, ns);
    if (workload->kind == WORKLOAD_SEQ_WRITE) {
        fill_latency(&sample->latency[PHASE_OPEN], rng, 1, 1e5);
        fill_latency(&sample->latency[PHASE_FSYNC], rng, 1, 0.02 * (double)sample->wall_ns);
        fill_latency(&sample->latency[PHASE_DIRSYNC], rng, 1, 1e5);
        fill_latency(&sample->latency[PHASE_CLOSE], rng, 1, 0.2 * (double)sample->wall_ns);
        sample->mib_length = (size_t)(sample->bytes >> 20);
        sample->mib_ns = xcalloc(sample->mib_length, sizeof *sample->mib_ns);
        for (size_t i = 0; i < sample->mib_length; i++)
            sample->mib_ns[i] = (uint64_t)(0.9 * (double)sample->wall_ns * sqrt((double)(i + 1)) /
                                           sqrt((double)sample->mib_length));
    }
    sample->has_drain = sample->has_dirty = true;
    sample->dirty_after_bytes = UINT64_C(100) << 20;
    sample->resident_before = (struct real){.known = true, .value = 0.4};
    sample->resident_after = (struct real){.known = true, .value = 0.9};
    sample->system = (struct system_use){
        .throttled_ns = known_count(sample->wall_ns / 20),
        .throttled_periods = known_count(3),
        .steal_ns = known_count(sample->wall_ns / 4),
        .memory_pressure_ns = known_count(sample->wall_ns / 20),
        .memory_events = known_count(2),
        .realtime_drift_ns = {.known = true, .value = -1300000000},
        .suspended_ns = known_count(0),
    };
    sample->has_verify = true;
    sample->verify_blocks = 100;
    sample->has_allocated = true;
    sample->allocated_bytes = sample->bytes / 2;
}

static inline void fill_tier(struct run_tier *tier, const char *type)
{
    tier->mount.type = xstrdup(type);
    tier->mount.options = xstrdup(strcmp(type, "ext4") == 0 ? "rw,sync" : "rw,strictatime");
    tier->mount.source = xstrdup("/dev/vda");
    tier->has_space = true;
    tier->total_bytes = UINT64_C(100) << 30;
    tier->free_bytes = UINT64_C(5) << 30;
    tier->files_free = 100;
    tier->holds_output = known_flag(true);
    tier->device.read_ahead_bytes = known_count(131072);
}

// Rounds of all workloads but follow-ups on both tiers, whose costs have that deviation of their logarithms.
static inline void begin_full(struct run *run, const char *workloads, unsigned rounds, double sigma,
                              const char *type)
{
    struct rng rng;
    rng_seed(&rng, 7);
    fixture_begin(run, workloads, rounds);
    run->host.cpu.online = known_count(2);
    run->host.memory.available_bytes = known_count(UINT64_C(64) << 30);
    run->calibration.clock_step_ns = known_count(1);
    run->calibration.stamp_ns = run->calibration.check_stamp_ns = known_count(1000);
    run->calibration.idle_ns = known_count(1000000000);
    run->calibration.idle_io_pressure_ns = known_count(200000000);
    run->screen = known_flag(false);
    fill_tier(&run->tiers[0], type);
    fill_tier(&run->tiers[1], "ext4");
    for (size_t i = 0; i < run->plan.workload_count; i++) {
        const struct workload *workload = &run->plan.workloads[i];
        run->calibration.overhead[i] =
            (struct loop_overhead){.wall_ns = known_count(1000000), .ops = workload_ops(workload)};
        run->calibration.self[i] = (struct self_ratio){{true, 1.05}, {true, 1.4}};
        for (unsigned round = 0; round <= rounds && !workload->follow_up && !workload->instead; round++)
            for (unsigned tier = 0; tier < 2; tier++) {
                double ns = (tier == 0 ? 4e7 : 6e7) * exp(sigma * simulate_normal(&rng));
                if (workload->kind == WORKLOAD_SEQ_WRITE)
                    ns *= (double)workload->bytes / (64 << 20);
                fill_sample(run, fixture_add(run, i, tier, round, (uint64_t)ns), &rng);
            }
    }
}

// ---- What holds for everything that is said ----

// A word of its own: "nan", "-inf", but not the beginning of "information".
static inline bool has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)); at++) {
        char before = at == text ? ' ' : at[-1], after = at[strlen(word)];
        if (!isalpha((unsigned char)before) && !isalpha((unsigned char)after))
            return true;
    }
    return false;
}

static inline void assert_plain(const char *rule, const char *text)
{
    static const char *const never[] = {"nan", "inf", "NAN", "INF", "(null)"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (has_word(text, never[i]))
            fail_msg("%s says: %s", rule, text);
    for (const char *at = text; *at; at++)
        if (*at == '{' || *at == '}' || (unsigned char)*at < ' ' || (unsigned char)*at > '~')
            fail_msg("%s says: %s", rule, text);
}

// Sentences have no brace left and no figure that is none, and so has the document, which can be read again.
static inline void assert_says_plainly(const struct run *run, const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        assert_non_null(rule_by_id(finding->rule));
        assert_plain(finding->rule, finding->message);
        size_t length = strlen(finding->message);
        assert_true(length > 0);
        if (finding->verdict != VERDICT_NOT_CHECKED && finding->message[length - 1] != '.')
            fail_msg("%s ends without a full stop: %s", finding->rule, finding->message);
        if (finding->verdict == VERDICT_REFUSE && !finding->statistic)
            fail_msg("%s refuses nothing", finding->rule);
        for (size_t k = 0; k < finding->evidence_count && finding->verdict != VERDICT_NOT_CHECKED; k++)
            if (!isfinite(finding->evidence[k].value))
                fail_msg("%s stands on %s, which is no number", finding->rule, finding->evidence[k].name);
    }
    if (judgement->headline)
        assert_plain("the headline", judgement->headline);
    struct text document = {0};
    run_json_write(run, judgement, &document);
    assert_false(has_word(text_string(&document), "nan") || has_word(text_string(&document), "inf"));
    text_free(&document);
}
