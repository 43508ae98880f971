// Runs that no disk ever gave: missing, absurd and contradictory samples. They are judged without a crash, no
// figure that is none stands in a sentence or a document, and what can't be derived is named.
#include "analysis/full.h"
#include "analysis/page.h"

#include <string.h>

int test_hostile_runs(int argc, char *argv[]);

#define MS UINT64_C(1000000)

static const char everything[] =
    "create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,"
    "commit,seq-write";

static void assert_page_is_plain(const struct page *page)
{
    for (size_t i = 0; i < page->row_count; i++) {
        const struct page_row *row = &page->rows[i];
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            assert_plain(row->label, row->tiers[tier].value);
            assert_plain(row->label, row->tiers[tier].range);
        }
        assert_plain(row->label, row->verdict);
        assert_plain(row->label, row->interval);
        assert_plain(row->label, row->medians);
        assert_true(isfinite(row->ratio) && isfinite(row->low) && isfinite(row->high));
    }
    for (size_t i = 0; i < page->note_count; i++)
        assert_plain("a note", page->notes[i]);
    for (size_t i = 0; i < page->limitation_count; i++)
        assert_plain("a limitation", page->limitations[i]);
    for (size_t i = 0; i < page->method_count; i++)
        assert_plain("the method", page->method[i]);
    assert_plain("not checked", page->not_checked);
}

static void judge_and_check(const struct run *run)
{
    struct judgement judgement;
    struct page page;
    judge_run(run, &judgement);
    assert_says_plainly(run, &judgement);
    page_make(&page, run, &judgement);
    assert_page_is_plain(&page);
    page_release(&page);
    judgement_release(&judgement);
}

// A run of all workloads, each sample of which is put through `change`.
static void judge_changed(unsigned rounds, void (*change)(struct rng *rng, struct sample *sample))
{
    struct rng rng;
    struct run run;
    rng_seed(&rng, 11);
    begin_full(&run, everything, rounds, 0.1, "fuse.orlop");
    for (size_t i = 0; i < run.sample_count; i++)
        change(&rng, &run.samples[i]);
    judge_and_check(&run);
    run_release(&run);
}

static uint64_t absurd(struct rng *rng)
{
    static const uint64_t values[] = {
        0, 1, 2, 1000000, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1ULL << 40, (1ULL << 53)};
    return values[rng_next(rng) % (sizeof values / sizeof *values)];
}

static double absurd_real(struct rng *rng)
{
    static const double values[] = {0, -1, 1, 1e-300, 1e300, INFINITY, NAN, 0.5, 1e18};
    return values[rng_next(rng) % (sizeof values / sizeof *values)];
}

// ---- Numbers ----

static void zero_walls(struct rng *rng, struct sample *sample)
{
    (void)rng;
    sample->wall_ns = 0;
}

static void some_zero_walls(struct rng *rng, struct sample *sample)
{
    if (rng_next(rng) % 3 == 0)
        sample->wall_ns = 0;
}

static void one_ns(struct rng *rng, struct sample *sample)
{
    (void)rng;
    sample->wall_ns = 1;
}

static void the_longest(struct rng *rng, struct sample *sample)
{
    (void)rng;
    sample->wall_ns = sample->sync_ns = sample->ops = sample->bytes = sample->batches = UINT64_MAX;
}

static void extremes(struct rng *rng, struct sample *sample)
{
    sample->wall_ns = rng_next(rng) % 2 == 0 ? 1 : UINT64_MAX;
}

static void nothing_done(struct rng *rng, struct sample *sample)
{
    (void)rng;
    sample->ops = sample->bytes = 0;
}

static void no_batches(struct rng *rng, struct sample *sample)
{
    sample->batches = rng_next(rng) % 2 == 0 ? 0 : UINT64_MAX;
}

static void every_number_absurd(struct rng *rng, struct sample *sample)
{
    sample->wall_ns = absurd(rng);
    sample->sync_ns = absurd(rng);
    sample->ops = absurd(rng);
    sample->bytes = absurd(rng);
    sample->batches = absurd(rng);
    sample->dirty_before_bytes = absurd(rng);
    sample->dirty_after_bytes = absurd(rng);
    sample->drain_ns = absurd(rng);
    sample->allocated_bytes = absurd(rng);
    sample->verify_blocks = absurd(rng);
    sample->verify_mismatches = rng_next(rng) % 8 == 0 ? absurd(rng) : 0;
    sample->resident_before = (struct real){rng_next(rng) % 2, absurd_real(rng)};
    sample->resident_after = (struct real){rng_next(rng) % 2, absurd_real(rng)};
    sample->system.throttled_ns.value = absurd(rng);
    sample->system.throttled_periods.value = absurd(rng);
    sample->system.steal_ns.value = absurd(rng);
    sample->system.memory_pressure_ns.value = absurd(rng);
    sample->system.memory_events.value = absurd(rng);
    sample->system.realtime_drift_ns.value = (int64_t)absurd(rng);
    sample->system.suspended_ns.value = absurd(rng);
    sample->first = rng_next(rng) % 2;
}

static void absurd_numbers_are_judged(void **state)
{
    (void)state;
    static void (*const changes[])(struct rng *, struct sample *) = {
        zero_walls, some_zero_walls, one_ns,     the_longest,
        extremes,   nothing_done,    no_batches, every_number_absurd};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (unsigned rounds = 1; rounds <= 6; rounds += 5)
            judge_changed(rounds, changes[i]);
}

// ---- Order and number ----

static void rounds_twice(struct rng *rng, struct sample *sample)
{
    (void)rng;
    sample->round = sample->round / 2 + 1;
}

static void rounds_at_random(struct rng *rng, struct sample *sample)
{
    static const unsigned rounds[] = {0, 1, 2, 5, 1000, UINT32_MAX};
    sample->round = rounds[rng_next(rng) % 6];
}

static void blocks_at_random(struct rng *rng, struct sample *sample)
{
    sample->block = (unsigned)(rng_next(rng) % 4);
}

static void any_status(struct rng *rng, struct sample *sample)
{
    sample->status = (enum sample_status)(rng_next(rng) % 4);
    sample->reason = (enum skip_reason)(rng_next(rng) % 5);
}

static void odd_orders_are_judged(void **state)
{
    (void)state;
    static void (*const changes[])(struct rng *, struct sample *) = {rounds_twice, rounds_at_random,
                                                                     blocks_at_random, any_status};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        judge_changed(8, changes[i]);
}

// A round that came twice is two rounds of the figure, and pairs with no more than there are.
static void a_round_twice_is_paired_once(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    for (unsigned round = 6; round >= 1; round--) {
        fixture_add(&run, 0, 0, round, 40 * MS);
        fixture_add(&run, 0, 0, round, 41 * MS);
        fixture_add(&run, 0, 1, round, 20 * MS);
    }
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].summary.n, 12);
    assert_int_equal(judgement.metrics.rows[0].ratio.comparison, COMPARISON_SLOWER);
    assert_true(judgement.metrics.rows[0].ratio.confidence == 1 - 2.0 / 64); // of six pairs
    judgement_release(&judgement);
    run_release(&run);
}

// ---- Histograms and times ----

static void contradict_counts(struct rng *rng, struct sample *sample)
{
    for (unsigned phase = 0; phase < PHASE_COUNT; phase++) {
        struct sparse_histogram *latency = &sample->latency[phase];
        latency->count = latency->count > 0 ? absurd(rng) : 0;
        latency->sum_ns = absurd(rng);
        latency->min_ns = absurd(rng);
        latency->max_ns = absurd(rng);
        for (size_t i = 0; i < latency->length; i++)
            if (rng_next(rng) % 16 == 0)
                latency->bins[i].count = absurd(rng);
    }
}

static void digits_at_random(struct rng *rng, struct sample *sample)
{
    for (unsigned phase = 0; phase < PHASE_COUNT; phase++)
        if (sample->latency[phase].digits > 0)
            sample->latency[phase].digits = 1 + (unsigned)(rng_next(rng) % 3);
}

static void times_backwards(struct rng *rng, struct sample *sample)
{
    for (size_t i = 0; i < sample->mib_length; i++)
        sample->mib_ns[i] = rng_next(rng) % 5 == 0 ? absurd(rng) : 1000000 * (sample->mib_length - i);
}

static void no_times(struct rng *rng, struct sample *sample)
{
    for (size_t i = 0; i < sample->mib_length; i++)
        sample->mib_ns[i] = 0;
    if (sample->mib_length > 0 && rng_next(rng) % 3 == 0)
        sample->mib_length = 1;
}

static void contradictory_latencies_are_judged(void **state)
{
    (void)state;
    static void (*const changes[])(struct rng *, struct sample *) = {contradict_counts, digits_at_random,
                                                                     times_backwards, no_times};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        judge_changed(6, changes[i]);
}

// ---- What surrounds the samples ----

static void an_absurd_machine_is_judged(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 3);
    for (unsigned trial = 0; trial < 12; trial++) {
        struct run run;
        begin_full(&run, everything, 5, 0.1, trial % 2 == 0 ? "tmpfs" : "\x1b[2J{disk}");
        run.host.cpu.online = known_count(absurd(&rng));
        run.host.memory.available_bytes = known_count(absurd(&rng));
        run.host.memory.limit_bytes = known_count(absurd(&rng));
        struct calibration *calibration = &run.calibration;
        calibration->clock_step_ns = known_count(absurd(&rng));
        calibration->stamp_ns = known_count(absurd(&rng));
        calibration->check_stamp_ns = known_count(absurd(&rng));
        calibration->idle_ns = known_count(absurd(&rng));
        calibration->idle_io_pressure_ns = known_count(absurd(&rng));
        for (size_t i = 0; i < run.plan.workload_count; i++) {
            calibration->overhead[i] = (struct loop_overhead){known_count(absurd(&rng)), absurd(&rng)};
            calibration->self[i] = (struct self_ratio){{true, absurd_real(&rng)}, {true, absurd_real(&rng)}};
        }
        for (unsigned tier = 0; tier < 2; tier++) {
            run.tiers[tier].total_bytes = absurd(&rng);
            run.tiers[tier].free_bytes = absurd(&rng);
            run.tiers[tier].files_free = absurd(&rng);
            run.tiers[tier].device.read_ahead_bytes = known_count(absurd(&rng));
        }
        struct judgement judgement;
        judge_run(&run, &judgement);
        if (trial % 2 == 0) {
            assert_says_plainly(&run, &judgement);
        } else { // the name of the type has a brace of its own, and nothing is filled in there
            for (size_t i = 0; i < judgement.finding_count; i++)
                assert_null(strchr(judgement.findings[i].message, '\x1b'));
        }
        judgement_release(&judgement);
        run_release(&run);
    }
}

static struct real some_real(struct rng *rng)
{
    return (struct real){rng_next(rng) % 4 != 0, absurd_real(rng)};
}

static void absurd_imports_are_judged(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned trial = 0; trial < 60; trial++) {
        struct run run;
        fixture_begin(&run, everything, 5);
        run.origin = RUN_IMPORTED;
        run.tiers[0].mount.type = xstrdup("fuse.orlop");
        run.summaries.list = xcalloc(2 * run.plan.workload_count, sizeof *run.summaries.list);
        for (size_t i = 0; i < 2 * run.plan.workload_count; i++)
            run.summaries.list[run.summaries.length++] = (struct imported_summary){
                .workload = i / 2,
                .tier = i % 2,
                .n = {rng_next(&rng) % 4 != 0, rng_next(&rng) % 2 == 0 ? absurd(&rng) : 5},
                .median = some_real(&rng),
                .min = some_real(&rng),
                .max = some_real(&rng),
                .first = some_real(&rng),
                .rest_min = some_real(&rng),
                .rest_max = some_real(&rng),
                .wall_ns = {rng_next(&rng) % 2, absurd(&rng)},
                .printed = some_real(&rng),
                .printed_unit = rng_next(&rng) % 2 == 0 ? xstrdup("MB/s") : NULL,
            };
        judge_and_check(&run);
        run_release(&run);
    }
}

// ---- Sizes ----

static void a_run_without_samples_is_judged(void **state)
{
    (void)state;
    for (unsigned tiers = 0; tiers <= 2; tiers++) {
        struct run run;
        fixture_begin(&run, everything, 6);
        run.tier_count = tiers;
        judge_and_check(&run);
        run_release(&run);
    }
}

static void one_tier_is_judged(void **state)
{
    (void)state;
    struct run run;
    begin_full(&run, everything, 6, 0.1, "ext4");
    run.tier_count = 1;
    size_t kept = 0;
    for (size_t i = 0; i < run.sample_count; i++)
        if (run.samples[i].tier == 0)
            run.samples[kept++] = run.samples[i];
        else
            sample_release(&run.samples[i]);
    run.sample_count = kept;
    judge_and_check(&run);
    run_release(&run);
}

// Of one tier nothing, or other rounds than of the other.
static void lopsided_runs_are_judged(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++) {
        struct run run;
        fixture_begin(&run, everything, 8);
        for (size_t i = 0; i < run.plan.workload_count; i++)
            for (unsigned round = 1; round <= 8; round++)
                for (unsigned tier = 0; tier < 2; tier++)
                    if (kind == 0 ? tier == 0 : kind == 1 ? round % 2 == tier : round <= 1 + 6 * tier)
                        fixture_add(&run, i, tier, round, (20 + round) * MS);
        judge_and_check(&run);
        run_release(&run);
    }
}

static void judge_many(const char *workloads, unsigned rounds, const uint64_t *threads, size_t least)
{
    struct run run;
    struct rng rng;
    struct judgement judgement;
    rng_seed(&rng, 1);
    fixture_begin_threads(&run, workloads, rounds, threads);
    assert_in_range(run.plan.workload_count, least, PLAN_WORKLOADS_MOST);
    for (unsigned round = 0; round <= rounds; round++)
        for (size_t i = 0; i < run.plan.workload_count; i++)
            for (unsigned tier = 0; tier < 2 && !run.plan.workloads[i].follow_up; tier++)
                fixture_add(&run, i, tier, round, (uint64_t)(2e7 * exp(0.1 * simulate_normal(&rng))));
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].summary.n, rounds);
    assert_says_plainly(&run, &judgement);
    judgement_release(&judgement);
    run_release(&run);
}

static void the_most_workloads_are_judged(void **state)
{
    (void)state;
    judge_many(everything, 5, (uint64_t[]){1, 2, 4, 8, 16, 64, 0}, 100);
}

static void the_most_rounds_are_judged(void **state)
{
    (void)state;
    judge_many("create,walk,seq-write", PLAN_ROUNDS_MOST, (uint64_t[]){1, 0}, 5);
}

// ---- What can't be derived ----

static void what_cannot_be_derived_is_named(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    begin_full(&run, "create,seq-write", 6, 0.05, "ext4");
    size_t write = fixture_find(&run, "seq-write-64");
    for (size_t i = 0; i < run.sample_count; i++) {
        run.samples[i].mib_length = 0;
        sparse_release(&run.samples[i].latency[PHASE_FSYNC]);
        sparse_release(&run.samples[i].latency[PHASE_OP]);
        run.samples[i].system.steal_ns.known = false;
    }
    judge_run(&run, &judgement);
    static const char *const lacking[] = {
        "knee",      "fsync-does-not-wait", "op-percentile-gate", "tail-in-one-round", "time-unaccounted",
        "cpu-stolen"};
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        const struct finding *finding = asked(&judgement, lacking[i], write, 0);
        if (!finding || finding->verdict != VERDICT_NOT_CHECKED)
            fail_msg("%s doesn't say that it lacks its data", lacking[i]);
    }
    judgement_release(&judgement);
    run_release(&run);
}

int test_hostile_runs(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absurd_numbers_are_judged),
        cmocka_unit_test(odd_orders_are_judged),
        cmocka_unit_test(a_round_twice_is_paired_once),
        cmocka_unit_test(contradictory_latencies_are_judged),
        cmocka_unit_test(an_absurd_machine_is_judged),
        cmocka_unit_test(absurd_imports_are_judged),
        cmocka_unit_test(a_run_without_samples_is_judged),
        cmocka_unit_test(one_tier_is_judged),
        cmocka_unit_test(lopsided_runs_are_judged),
        cmocka_unit_test(the_most_workloads_are_judged),
        cmocka_unit_test(the_most_rounds_are_judged),
        cmocka_unit_test(what_cannot_be_derived_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
