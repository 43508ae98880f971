// The rules of a write sweep, on the figures of a disk with a buffer of 300 MiB and 100 MiB/s behind it
// (design: measuring, E2 and E3).
#include "analysis/ask.h"
#include "analysis/sweep.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_rule_sweep(int argc, char *argv[]);

#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

enum { SIZES = 4, ROUNDS = 6 };

static const char sizes[] = "seq-write-64,seq-write-256,seq-write-512,seq-write-1024";

// Average rates in MiB/s of the sizes above. Those of the design, with a digit more where its marginal rates
// ask for one.
static const double honoured[SIZES] = {91.04, 95.96, 96.355, 96.049};
static const double no_op[SIZES] = {540.3, 775, 226.6, 125.64};

static uint64_t ns_at(const struct run *run, size_t workload, double mib_a_second)
{
    return (uint64_t)llround((double)run->plan.workloads[workload].bytes / (double)MIB / mib_a_second * 1e9);
}

// Every second round is a little faster, every other a little slower, around the middle.
static uint64_t jitter(uint64_t ns, unsigned round)
{
    static const int permille[ROUNDS] = {-20, 15, -1, 1, -10, 20};
    return ns + (uint64_t)((int64_t)ns / 1000 * permille[round - 1]);
}

static void add_sweep(struct run *run, unsigned tier, const double rates[], size_t count)
{
    static const char *const ids[SIZES] = {"seq-write-64", "seq-write-256", "seq-write-512",
                                           "seq-write-1024"};
    for (size_t i = 0; i < count; i++) {
        size_t workload = fixture_find(run, ids[i]);
        for (unsigned round = 1; round <= ROUNDS; round++)
            fixture_add(run, workload, tier, round, jitter(ns_at(run, workload, rates[i]), round));
    }
}

static void begin(struct run *run, const double rates[SIZES])
{
    fixture_begin(run, sizes, ROUNDS);
    add_sweep(run, 0, rates, SIZES);
}

static void add_phase(struct sample *sample, enum phase phase, uint64_t ns)
{
    sample->latency[phase] =
        (struct sparse_histogram){.digits = 2, .count = 1, .sum_ns = ns, .min_ns = ns, .max_ns = ns};
}

// Gives each sample its phases: fsync takes that share of its time, or `least_ns`.
static void add_phases(struct run *run, double share, uint64_t least_ns)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        struct sample *sample = &run->samples[i];
        uint64_t ns = (uint64_t)(share * (double)sample->wall_ns);
        add_phase(sample, PHASE_OPEN, 100000);
        add_phase(sample, PHASE_FSYNC, ns > least_ns ? ns : least_ns);
        add_phase(sample, PHASE_DIRSYNC, 10000);
        add_phase(sample, PHASE_CLOSE, 10000);
    }
}

// ---- The sizes themselves ----

static void derives_the_rates_of_the_design(void **state)
{
    (void)state;
    static const struct {
        const double *rates;
        double marginal[SIZES];
        double digit; // half of the last one that is printed
        double over;
    } vectors[] = {{honoured, {0, 97.7, 96.8, 95.7}, 0.05, 1.003}, {no_op, {0, 906, 133, 86.9}, 0.5, 1.446}};
    for (size_t v = 0; v < 2; v++) {
        struct run run;
        struct facts facts;
        struct sweep sweep;
        begin(&run, vectors[v].rates);
        facts_derive(&run, &facts);
        sweep_derive(&facts, fixture_find(&run, "seq-write-64"), 0, &sweep);
        assert_int_equal(sweep.count, SIZES);
        assert_false(sweep.sizes[0].marginal.known);
        for (size_t i = 1; i < SIZES; i++) {
            assert_true(sweep.sizes[i].marginal.known);
            assert_near(sweep.sizes[i].marginal.value / (double)MIB, vectors[v].marginal[i],
                        vectors[v].digit);
        }
        assert_near(sweep.sizes[3].rate / sweep.sizes[3].marginal.value, vectors[v].over, 0.0006);
        facts_release(&facts);
        run_release(&run);
    }
}

static void noise_gives_no_rate(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    struct sweep sweep;
    // 1024 MiB take no longer than 512; and 512 take longer than 256 in half the rounds alone.
    fixture_begin(&run, sizes, ROUNDS);
    size_t at[SIZES] = {fixture_find(&run, "seq-write-64"), fixture_find(&run, "seq-write-256"),
                        fixture_find(&run, "seq-write-512"), fixture_find(&run, "seq-write-1024")};
    for (unsigned round = 1; round <= ROUNDS; round++) {
        fixture_add(&run, at[0], 0, round, 100000000);
        fixture_add(&run, at[1], 0, round, round % 2 ? 900000000 : 200000000);
        fixture_add(&run, at[2], 0, round, 600000000);
        fixture_add(&run, at[3], 0, round, 590000000);
    }
    facts_derive(&run, &facts);
    sweep_derive(&facts, at[0], 0, &sweep);
    assert_true(sweep.sizes[1].marginal.known);
    assert_false(sweep.sizes[2].marginal.known);
    assert_false(sweep.sizes[3].marginal.known);
    assert_int_equal(sweep_judge(&sweep, &run.thresholds), SWEEP_UNKNOWN);
    double cost;
    assert_false(sweep_marginal_costs(&facts, at[3], 0, 1, &cost));
    assert_false(sweep_marginal_costs(&facts, at[2], 0, 1, &cost));
    assert_true(sweep_marginal_costs(&facts, at[2], 0, 2, &cost));
    facts_release(&facts);
    static const char *const rules_of_largest[] = {"buffer-not-outrun", "size-sweep-select"};
    for (size_t i = 0; i < 2; i++) {
        struct asked_answer answer = ask(&run, rules_of_largest[i], at[3], 0);
        assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
        assert_string_equal(answer.sentence, "the times of the last sizes don't tell the rates between them");
    }
    run_release(&run);
}

// An import has no rounds that could agree: its middles must rise.
static void a_larger_size_that_is_quicker_gives_no_rate(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    struct sweep sweep;
    fixture_begin(&run, "seq-write-64,seq-write-256,seq-write-512", 3);
    static const double medians[] = {50, 100, 210}; // 1.3 s, 2.7 s, 2.6 s
    run.summaries.list = xcalloc(3, sizeof *run.summaries.list);
    for (size_t i = 0; i < 3; i++)
        run.summaries.list[run.summaries.length++] =
            (struct imported_summary){.workload = i, .median = {true, medians[i]}};
    facts_derive(&run, &facts);
    sweep_derive(&facts, 0, 0, &sweep);
    assert_int_equal(sweep.count, 3);
    assert_true(sweep.sizes[1].marginal.known);
    assert_false(sweep.sizes[2].marginal.known);
    facts_release(&facts);
    run_release(&run);
}

static void costs_past_the_buffer_come_by_round(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    double cost;
    begin(&run, no_op);
    size_t largest = fixture_find(&run, "seq-write-1024"), smallest = fixture_find(&run, "seq-write-64");
    facts_derive(&run, &facts);
    uint64_t larger_ns = jitter(ns_at(&run, largest, no_op[3]), 2);
    uint64_t smaller_ns = jitter(ns_at(&run, fixture_find(&run, "seq-write-512"), no_op[2]), 2);
    assert_true(sweep_marginal_costs(&facts, largest, 0, 2, &cost));
    assert_near(cost, (double)(larger_ns - smaller_ns) / 1e9, 1e-9);
    assert_false(sweep_marginal_costs(&facts, largest, 0, 7, &cost));
    assert_false(sweep_marginal_costs(&facts, largest, 1, 2, &cost));
    assert_false(sweep_marginal_costs(&facts, smallest, 0, 2, &cost));
    facts_release(&facts);
    run_release(&run);
}

// ---- buffer-not-outrun ----

static void a_buffer_in_the_largest_size_is_told(void **state)
{
    (void)state;
    struct run run;
    begin(&run, no_op);
    size_t largest = fixture_find(&run, "seq-write-1024");
    struct asked_answer answer = ask(&run, "buffer-not-outrun", largest, 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_int_equal(answer.verdict, VERDICT_CAVEAT);
    assert_string_equal(
        answer.sentence,
        "1 GiB averages 132 MB/s but ran at 91.1 MB/s past the first 512 MiB: the average still "
        "contains the buffer. Rate past the buffer: 91.1 MB/s.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "buffer-not-outrun", largest, 0);
    assert_non_null(finding);
    assert_near(evidence_of(finding, "over"), 1.446, 0.0006);
    struct real past = judgement.metrics.rows[largest].tiers[0].past_buffer;
    assert_true(past.known);
    assert_near(past.value, 86.9 * 1.048576, 0.05);
    assert_false(judgement.metrics.rows[fixture_find(&run, "seq-write-512")].tiers[0].past_buffer.known);
    judgement_release(&judgement);
    assert_int_equal(ask(&run, "buffer-not-outrun", fixture_find(&run, "seq-write-512"), 0).outcome,
                     OUTCOME_QUIET);
    run_release(&run);
}

static void an_honoured_fsync_outruns_it(void **state)
{
    (void)state;
    struct run run;
    begin(&run, honoured);
    size_t largest = fixture_find(&run, "seq-write-1024");
    assert_int_equal(ask(&run, "buffer-not-outrun", largest, 0).outcome, OUTCOME_QUIET);
    // Nothing is measured on the other disk.
    struct asked_answer answer = ask(&run, "buffer-not-outrun", largest, 1);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    run_release(&run);
}

static void a_large_buffer_leaves_no_rate(void **state)
{
    (void)state;
    static const double rates[SIZES] = {540, 775, 600, 200}; // 1024 past 512: 120 MiB/s, 1.66x less
    struct run run;
    begin(&run, rates);
    size_t largest = fixture_find(&run, "seq-write-1024");
    struct asked_answer answer = ask(&run, "buffer-not-outrun", largest, 0);
    assert_int_equal(answer.verdict, VERDICT_DISCARD);
    assert_string_equal(
        answer.sentence,
        "1 GiB averages 210 MB/s but ran at 126 MB/s past the first 512 MiB: most of it is the "
        "buffer, so it isn't reported. A larger size is needed.");
    // A follow-up tells how it went on: 2048 MiB, 1024 of them at 100 MiB/s.
    size_t later = fixture_find(&run, "seq-write-2048");
    for (unsigned round = 1; round <= 3; round++)
        fixture_add(&run, later, 0, round, ns_at(&run, largest, 200) + UINT64_C(10240000000))->block = 2;
    answer = ask(&run, "buffer-not-outrun", largest, 0);
    assert_int_equal(answer.verdict, VERDICT_DISCARD);
    assert_non_null(strstr(answer.sentence, "Looked at again with 2 GiB, it went on at 105 MB/s."));
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_false(judgement.metrics.rows[largest].tiers[0].past_buffer.known);
    assert_int_equal(judgement.metrics.rows[largest].tiers[0].trust, TRUST_DISCARDED);
    judgement_release(&judgement);
    run_release(&run);
}

static void rates_that_are_not_level_are_told(void **state)
{
    (void)state;
    // Past 256 MiB 80 MiB/s, past 512 MiB 110: the average is none too high, but nothing is level.
    const double seconds[SIZES] = {0.7, 3.1, 6.3, 6.3 + 512 / 110.0};
    double rates[SIZES];
    for (size_t i = 0; i < SIZES; i++)
        rates[i] = (double[]){64, 256, 512, 1024}[i] / seconds[i];
    struct run run;
    begin(&run, rates);
    struct asked_answer answer = ask(&run, "buffer-not-outrun", fixture_find(&run, "seq-write-1024"), 0);
    assert_int_equal(answer.verdict, VERDICT_CAVEAT);
    assert_string_equal(answer.sentence,
                        "1 GiB ran at 115 MB/s past the first 512 MiB, which is not yet level: between the "
                        "sizes before it was 83.9 MB/s. Rate past the buffer: 115 MB/s.");
    run_release(&run);
}

// 512 MiB took no longer than 256: what went on there can't be told, so nobody knows whether it is level.
static void without_the_rate_before_nobody_knows(void **state)
{
    (void)state;
    const double seconds[SIZES] = {0.7, 5.2, 5.1, 10.2};
    double rates[SIZES];
    for (size_t i = 0; i < SIZES; i++)
        rates[i] = (double[]){64, 256, 512, 1024}[i] / seconds[i];
    struct run run;
    begin(&run, rates);
    struct asked_answer answer = ask(&run, "buffer-not-outrun", fixture_find(&run, "seq-write-1024"), 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    run_release(&run);
}

static void two_sizes_are_too_few(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-write-64,seq-write-1024,commit", 3);
    size_t large = fixture_find(&run, "seq-write-1024");
    fixture_add(&run, fixture_find(&run, "seq-write-64"), 0, 1, 209000000);
    fixture_add(&run, large, 0, 1, UINT64_C(5453000000));
    fixture_add(&run, fixture_find(&run, "commit"), 0, 1, 100000000);
    struct asked_answer answer = ask(&run, "buffer-not-outrun", large, 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.sentence, "three sizes are needed to tell the rate past the buffer");
    static const char *const names[] = {"buffer-not-outrun", "size-sweep-select", "knee",
                                        "fsync-does-not-wait"};
    for (size_t i = 0; i < 4; i++) // a commit is of no sweep
        assert_int_equal(ask(&run, names[i], fixture_find(&run, "commit"), 0).outcome, OUTCOME_QUIET);
    run_release(&run);
}

// ---- size-sweep-select ----

static void small_sizes_are_measured_against_the_rate_past_the_buffer(void **state)
{
    (void)state;
    struct run run;
    begin(&run, no_op);
    static const char *const small[] = {"seq-write-64", "seq-write-256", "seq-write-512"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ask(&run, "size-sweep-select", fixture_find(&run, small[i]), 0).verdict,
                         VERDICT_DISCARD);
    struct asked_answer answer = ask(&run, "size-sweep-select", fixture_find(&run, "seq-write-512"), 0);
    assert_string_equal(
        answer.sentence,
        "512 MiB ran at 233 to 242 MB/s, 1 GiB at 91.1 MB/s past the first 512 MiB: the small "
        "write may fit a buffer, so it isn't quoted.");
    assert_int_equal(ask(&run, "size-sweep-select", fixture_find(&run, "seq-write-1024"), 0).outcome,
                     OUTCOME_QUIET);
    run_release(&run);
}

static void a_size_that_outruns_it_is_quoted(void **state)
{
    (void)state;
    struct run run;
    begin(&run, honoured);
    struct asked_answer answer = ask(&run, "size-sweep-select", fixture_find(&run, "seq-write-1024"), 0);
    assert_int_equal(answer.verdict, VERDICT_INFO);
    assert_string_equal(answer.sentence,
                        "1 GiB averages 101 MB/s, and ran at 100 MB/s past the first 512 MiB: "
                        "its rate is the one that may be quoted.");
    assert_int_equal(ask(&run, "size-sweep-select", fixture_find(&run, "seq-write-64"), 0).outcome,
                     OUTCOME_QUIET);
    answer = ask(&run, "size-sweep-select", fixture_find(&run, "seq-write-64"), 1);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    run_release(&run);
}

// The figures that are published: 64 MiB between 306 and 351, without a middle, and 1024 MiB at 196.9.
static void judges_what_an_import_says(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-write-64,seq-write-1024", 5);
    size_t small = fixture_find(&run, "seq-write-64"), large = fixture_find(&run, "seq-write-1024");
    struct imported_summary summaries[] = {
        {.workload = small, .rest_min = {true, 306}, .rest_max = {true, 351}, .min = {true, 28.6}},
        {.workload = large, .median = {true, 196.9}}};
    run.origin = RUN_IMPORTED;
    run.summaries.list = xrealloc_array(NULL, 2, sizeof *run.summaries.list);
    memcpy(run.summaries.list, summaries, sizeof summaries);
    run.summaries.length = 2;
    struct asked_answer answer = ask(&run, "size-sweep-select", small, 0);
    assert_int_equal(answer.verdict, VERDICT_DISCARD);
    assert_string_equal(answer.sentence,
                        "64 MiB ran at 306 to 351 MB/s, 1 GiB at 197 MB/s: the small write may fit "
                        "a buffer, so it isn't quoted.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "size-sweep-select", small, 0);
    assert_non_null(finding);
    assert_near(evidence_of(finding, "factor"), 1.554, 0.001);
    judgement_release(&judgement);
    answer = ask(&run, "size-sweep-select", large, 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.sentence,
                        "a size between the two is missing: from two alone the rate past the "
                        "buffer isn't known");
    run_release(&run);
}

// ---- fsync-does-not-wait ----

static void an_fsync_that_does_not_wait_is_told(void **state)
{
    (void)state;
    struct run run;
    begin(&run, no_op);
    add_phases(&run, 0, 400000);
    struct asked_answer answer = ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-256"), 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_int_equal(answer.verdict, VERDICT_DISCARD);
    assert_string_equal(answer.sentence,
                        "fsync returned in 400 us; at the disk's own rate (91.1 MB/s) the data needed 2.62 s "
                        "more. 813 MB/s is the speed of handing data over to the client, not of saving it.");
    assert_int_equal(ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-1024"), 0).outcome,
                     OUTCOME_FIRED);
    run_release(&run);
}

// What is left to wait for counts from the last write: fsync and what follows it aren't part of writing.
static void writing_ends_with_the_last_write(void **state)
{
    (void)state;
    struct run run;
    begin(&run, no_op);
    add_phases(&run, 0, 60000000);
    for (size_t i = 0; i < run.sample_count; i++) {
        add_phase(&run.samples[i], PHASE_DIRSYNC, 50000000);
        add_phase(&run.samples[i], PHASE_CLOSE, 40000000);
    }
    struct asked_answer answer = ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-256"), 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    // 256 MiB at 86.9 MiB/s are 2.945 s; writing took 0.330 s less the 0.150 s.
    assert_non_null(strstr(answer.sentence, "the data needed 2.77 s more"));
    run_release(&run);
}

static void an_fsync_that_waits_is_not(void **state)
{
    (void)state;
    struct run run;
    begin(&run, honoured);
    add_phases(&run, 0.87, 0); // 2.3 s of 2.7
    assert_int_equal(ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-256"), 0).outcome,
                     OUTCOME_QUIET);
    run_release(&run);
    // A server that sends while it is written to leaves nothing to wait for.
    begin(&run, honoured);
    add_phases(&run, 0, 400000);
    assert_int_equal(ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-256"), 0).outcome,
                     OUTCOME_QUIET);
    run_release(&run);
}

static void without_phases_or_sizes_fsync_is_not_checked(void **state)
{
    (void)state;
    struct run run;
    begin(&run, no_op);
    struct asked_answer answer = ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-256"), 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.sentence, "the times of write, fsync and close aren't known apart");
    run_release(&run);

    fixture_begin(&run, "seq-write-64,seq-write-256", ROUNDS);
    add_sweep(&run, 0, honoured, 1);
    add_phases(&run, 0, 400000);
    answer = ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-64"), 0);
    assert_string_equal(answer.sentence, "one size alone doesn't tell the disk's own rate");
    run_release(&run);

    fixture_begin(&run, "seq-write-64,seq-write-256", ROUNDS);
    add_sweep(&run, 0, honoured, 2);
    add_phases(&run, 0, 400000);
    answer = ask(&run, "fsync-does-not-wait", fixture_find(&run, "seq-write-256"), 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.sentence, "two sizes alone don't tell the disk's own rate");
    run_release(&run);
}

// ---- knee ----

static void add_mib_times(struct sample *sample, size_t fast, double before, double after)
{
    sample->mib_length = sample->bytes / MIB;
    sample->mib_ns = xrealloc_array(NULL, sample->mib_length, sizeof *sample->mib_ns);
    double seconds = 0;
    for (size_t i = 0; i < sample->mib_length; i++) {
        seconds += 1 / (i < fast ? before : after);
        sample->mib_ns[i] = (uint64_t)llround(seconds * 1e9);
    }
}

static void a_knee_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-write-1024", 3);
    size_t workload = fixture_find(&run, "seq-write-1024");
    for (unsigned round = 1; round <= 3; round++) {
        struct sample *sample = fixture_add(&run, workload, 0, round, UINT64_C(8150000000));
        add_mib_times(sample, round == 3 ? 2000 : 456, 377, 80); // in round 3 there is none
        add_mib_times(fixture_add(&run, workload, 1, round, UINT64_C(8150000000)), round == 3 ? 456 : 2000,
                      377, 80);
    }
    struct asked_answer answer = ask(&run, "knee", workload, 0);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_int_equal(answer.verdict, VERDICT_INFO);
    assert_string_equal(answer.sentence,
                        "Speed fell from 395 MB/s to 83.9 MB/s after about 456 MiB, in 2 of 3 rounds.");
    assert_int_equal(ask(&run, "knee", workload, 1).outcome, OUTCOME_QUIET);
    run_release(&run);
}

static void without_times_by_mib_no_knee_is_looked_for(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-write-16,seq-write-1024", 3);
    size_t small = fixture_find(&run, "seq-write-16"), large = fixture_find(&run, "seq-write-1024");
    fixture_add(&run, large, 0, 1, UINT64_C(8150000000));
    add_mib_times(fixture_add(&run, small, 0, 1, 100000000), 8, 900, 100);
    struct asked_answer answer = ask(&run, "knee", large, 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.sentence, "no times by MiB written, which are kept of one thread alone");
    answer = ask(&run, "knee", small, 0);
    assert_int_equal(answer.outcome, OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.sentence, "fewer than 20 MiB don't show a change of speed");
    run_release(&run);
}

int test_rule_sweep(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derives_the_rates_of_the_design),
        cmocka_unit_test(noise_gives_no_rate),
        cmocka_unit_test(a_larger_size_that_is_quicker_gives_no_rate),
        cmocka_unit_test(costs_past_the_buffer_come_by_round),
        cmocka_unit_test(a_buffer_in_the_largest_size_is_told),
        cmocka_unit_test(an_honoured_fsync_outruns_it),
        cmocka_unit_test(a_large_buffer_leaves_no_rate),
        cmocka_unit_test(rates_that_are_not_level_are_told),
        cmocka_unit_test(without_the_rate_before_nobody_knows),
        cmocka_unit_test(two_sizes_are_too_few),
        cmocka_unit_test(small_sizes_are_measured_against_the_rate_past_the_buffer),
        cmocka_unit_test(a_size_that_outruns_it_is_quoted),
        cmocka_unit_test(judges_what_an_import_says),
        cmocka_unit_test(an_fsync_that_does_not_wait_is_told),
        cmocka_unit_test(writing_ends_with_the_last_write),
        cmocka_unit_test(an_fsync_that_waits_is_not),
        cmocka_unit_test(without_phases_or_sizes_fsync_is_not_checked),
        cmocka_unit_test(a_knee_is_told),
        cmocka_unit_test(without_times_by_mib_no_knee_is_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
