#include "analysis/ask.h"
#include "base/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_rule_harness(int argc, char *argv[]);

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)
enum { CREATE, WALK, DELETE, SEQ_WRITE };

static void begin(struct run *run, unsigned rounds)
{
    fixture_begin(run, "create,walk,delete,seq-write-256", rounds);
}

static void expect(struct asked_answer answer, enum outcome outcome, enum verdict verdict,
                   const char *sentence)
{
    assert_string_equal(answer.sentence, sentence);
    assert_int_equal(answer.outcome, outcome);
    if (outcome == OUTCOME_FIRED)
        assert_int_equal(answer.verdict, verdict);
}

static void expect_quiet(struct asked_answer answer)
{
    expect(answer, OUTCOME_QUIET, VERDICT_INFO, "");
}

static void expect_lacking(struct asked_answer answer, const char *lacking)
{
    expect(answer, OUTCOME_NOT_CHECKED, VERDICT_INFO, lacking);
}

static void fill_histogram(struct sparse_histogram *latency, uint64_t count, uint64_t sum_ns)
{
    latency->digits = HISTOGRAM_DIGITS;
    latency->count = count;
    latency->sum_ns = sum_ns;
}

static struct imported_summary *import(struct run *run, size_t workload, unsigned tier)
{
    run->origin = RUN_IMPORTED;
    struct imported_summaries *summaries = &run->summaries;
    summaries->list = xrealloc_array(summaries->list, summaries->length + 1, sizeof *summaries->list);
    struct imported_summary *summary = &summaries->list[summaries->length++];
    *summary = (struct imported_summary){.workload = workload, .tier = tier};
    return summary;
}

// ---- overhead-floor ----

static void the_loop_is_set_against_a_batch(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 3);
    for (unsigned round = 1; round <= 3; round++)
        fixture_add(&run, WALK, 1, round, 10 * 4600000)->batches = 10;
    expect_lacking(ask(&run, "overhead-floor", WALK, 1), need_words(NEED_CALIBRATION));
    expect_lacking(ask(&run, "overhead-floor", CREATE, 1), need_words(NEED_ROUNDS));

    struct loop_overhead *overhead = &run.calibration.overhead[WALK];
    *overhead = (struct loop_overhead){.wall_ns = known_count(1900000), .ops = 200};
    expect(ask(&run, "overhead-floor", WALK, 1), OUTCOME_FIRED, VERDICT_DISCARD,
           "The loop itself costs 1.90 ms of this 4.60 ms.");
    overhead->wall_ns.value = 1150000; // a quarter
    expect(ask(&run, "overhead-floor", WALK, 1), OUTCOME_FIRED, VERDICT_DISCARD,
           "The loop itself costs 1.15 ms of this 4.60 ms.");
    overhead->wall_ns.value = 1149000;
    expect(ask(&run, "overhead-floor", WALK, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The loop itself costs 1.15 ms of this 4.60 ms.");
    overhead->wall_ns.value = 230000; // a twentieth
    expect(ask(&run, "overhead-floor", WALK, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The loop itself costs 230 us of this 4.60 ms.");
    overhead->wall_ns.value = 229000;
    expect_quiet(ask(&run, "overhead-floor", WALK, 1));

    overhead->wall_ns.value = 1900000;
    run.tiers[1].null = true;
    expect(ask(&run, "overhead-floor", WALK, 1), OUTCOME_FIRED, VERDICT_INFO,
           "There is no disk here: 4.60 ms is what the loop itself costs.");
    overhead->ops = 0; // of a damaged document
    expect_lacking(ask(&run, "overhead-floor", WALK, 1), need_words(NEED_CALIBRATION));
    run_release(&run);
}

static void a_large_file_is_calibrated_by_its_beginning(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    fixture_add(&run, SEQ_WRITE, 0, 1, 2 * S);
    run.calibration.overhead[SEQ_WRITE] = (struct loop_overhead){.wall_ns = known_count(50 * MS), .ops = 64};
    expect(ask(&run, "overhead-floor", SEQ_WRITE, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The loop itself costs 200 ms of this 2.00 s.");
    run_release(&run);
}

// ---- too-short ----

static void a_round_lasts_long_enough_to_be_timed(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 3);
    run.calibration.clock_step_ns = known_count(1);
    expect_lacking(ask(&run, "too-short", WALK, 1), need_words(NEED_ROUNDS));
    // All batches of a round count together.
    struct sample *samples[3];
    for (unsigned round = 1; round <= 3; round++)
        fixture_add(&run, WALK, 1, round, 800000 + round)->batches = 4;
    for (unsigned i = 0; i < 3; i++)
        samples[i] = &run.samples[i];
    expect(ask(&run, "too-short", WALK, 1), OUTCOME_FIRED, VERDICT_DISCARD,
           "A round lasted 800 us. Raise the file count.");
    for (unsigned i = 0; i < 3; i++)
        samples[i]->wall_ns = 6900000;
    samples[0]->wall_ns = 500000; // the median counts
    expect(ask(&run, "too-short", WALK, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A round lasted 6.90 ms. Raise the file count.");
    for (unsigned i = 0; i < 3; i++)
        samples[i]->wall_ns = 10 * MS;
    expect_quiet(ask(&run, "too-short", WALK, 1));
    run.calibration.clock_step_ns = known_count(10000); // a thousand steps
    expect_quiet(ask(&run, "too-short", WALK, 1));
    run.calibration.clock_step_ns = known_count(3 * MS);
    expect(ask(&run, "too-short", WALK, 1), OUTCOME_FIRED, VERDICT_DISCARD,
           "A round lasted 10.0 ms, which is 3 steps of the clock.");
    run.calibration.clock_step_ns = (struct count){0};
    expect_lacking(ask(&run, "too-short", WALK, 1), need_words(NEED_CLOCK_STEP));

    fixture_add(&run, SEQ_WRITE, 1, 1, 9 * MS);
    expect(ask(&run, "too-short", SEQ_WRITE, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A round lasted 9.00 ms: too short to time well.");
    run_release(&run);
}

static void an_imported_round_is_as_long_as_its_figure_says(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 5);
    struct imported_summary *walk = import(&run, WALK, 1);
    expect_lacking(ask(&run, "too-short", WALK, 1), need_words(NEED_ROUNDS));
    walk->median = (struct real){true, 4.6};
    expect(ask(&run, "too-short", WALK, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A round lasted 4.60 ms. Raise the file count.");
    import(&run, CREATE, 1)->median = (struct real){true, 1000000};
    expect(ask(&run, "too-short", CREATE, 1), OUTCOME_FIRED, VERDICT_DISCARD,
           "A round lasted 200 us. Raise the file count.");
    struct imported_summary *write = import(&run, SEQ_WRITE, 1);
    write->median = (struct real){true, 53687.0912}; // 268 MB in 5 ms
    expect(ask(&run, "too-short", SEQ_WRITE, 1), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A round lasted 5.00 ms: too short to time well.");
    write->wall_ns = known_count(15740 * MS); // what the source says goes before
    expect_lacking(ask(&run, "too-short", SEQ_WRITE, 1), need_words(NEED_CLOCK_STEP));
    run_release(&run);
}

// ---- short-run ----

static void the_longest_write_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 2);
    fixture_add(&run, CREATE, 0, 1, 50 * S); // a create isn't a write of data
    expect_quiet(ask(&run, "short-run", 0, 0));
    fixture_add(&run, SEQ_WRITE, 0, 1, 5200 * MS);
    fixture_add(&run, SEQ_WRITE, 1, 1, 900 * MS);
    expect(ask(&run, "short-run", 0, 0), OUTCOME_FIRED, VERDICT_INFO,
           "The longest write lasted 5.20 s. IO500 asks for 300 s; quotas that refill may not have shown.");
    fixture_add(&run, SEQ_WRITE, 1, 2, 60 * S);
    expect_quiet(ask(&run, "short-run", 0, 0));
    run_release(&run);
}

static void an_imported_write_is_as_long_as_its_figure_says(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    import(&run, SEQ_WRITE, 0);
    expect_quiet(ask(&run, "short-run", 0, 0)); // how long it took nobody knows
    run.summaries.list[0].wall_ns = known_count(15740 * MS);
    expect(ask(&run, "short-run", 0, 0), OUTCOME_FIRED, VERDICT_INFO,
           "The longest write lasted 15.7 s. IO500 asks for 300 s; quotas that refill may not have shown.");
    run_release(&run);
}

// ---- clock-stepped ----

static void a_clock_that_was_set_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 3);
    for (unsigned round = 1; round <= 3; round++)
        fixture_add(&run, WALK, 0, round, 100 * MS);
    expect_lacking(ask(&run, "clock-stepped", WALK, 0), need_words(NEED_CLOCK_DRIFT));
    for (unsigned i = 0; i < 3; i++)
        run.samples[i].system.realtime_drift_ns = (struct signed_count){true, 50 * (int64_t)MS};
    expect_quiet(ask(&run, "clock-stepped", WALK, 0));
    run.samples[1].system.realtime_drift_ns.value = -1300 * (int64_t)MS;
    expect(ask(&run, "clock-stepped", WALK, 0), OUTCOME_FIRED, VERDICT_INFO,
           "The machine's clock was adjusted by 1.30 s during round 2. Times here are of a clock that "
           "isn't.");
    // A machine that slept wasn't adjusted.
    run.samples[1].system.realtime_drift_ns.value = 30 * (int64_t)S;
    run.samples[1].system.suspended_ns = known_count(30 * S);
    expect_quiet(ask(&run, "clock-stepped", WALK, 0));
    run_release(&run);
}

// ---- time-unaccounted ----

static void time_in_no_operation_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 3);
    for (unsigned round = 1; round <= 3; round++)
        fixture_add(&run, WALK, 0, round, 100 * MS);
    expect_lacking(ask(&run, "time-unaccounted", WALK, 0), need_words(NEED_OPERATIONS));
    for (unsigned i = 0; i < 3; i++) {
        fill_histogram(&run.samples[i].latency[PHASE_OP], 200, 81 * MS);
        fill_histogram(&run.samples[i].latency[PHASE_OPEN], 1, 2 * MS);
        fill_histogram(&run.samples[i].latency[PHASE_READDIR], 2, 7 * MS);
        fill_histogram(&run.samples[i].latency[PHASE_CLOSE], 1, 1 * MS);
    }
    expect(ask(&run, "time-unaccounted", WALK, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "9 % of a round was not in any operation (preempted, or the loop itself).");
    run.samples[0].latency[PHASE_OP].sum_ns = 10 * MS; // the median counts
    run.samples[1].latency[PHASE_OP].sum_ns = run.samples[2].latency[PHASE_OP].sum_ns = 85 * MS;
    expect_quiet(ask(&run, "time-unaccounted", WALK, 0));
    run.samples[1].latency[PHASE_OP].sum_ns = 10 * MS;
    run.tiers[0].null = true;
    expect_quiet(ask(&run, "time-unaccounted", WALK, 0));
    run_release(&run);
}

static void parts_of_an_operation_count_once_and_its_sync_not_at_all(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    run.calibration.stamp_ns = known_count(0);
    struct sample *sample = fixture_add(&run, CREATE, 0, 1, 100 * MS);
    sample->sync_ns = 50 * MS;
    fill_histogram(&sample->latency[PHASE_OP], 200, 40 * MS);
    fill_histogram(&sample->latency[PHASE_OPEN], 200, 20 * MS); // in the operation already
    fill_histogram(&sample->latency[PHASE_WRITE], 200, 20 * MS);
    expect(ask(&run, "time-unaccounted", CREATE, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "20 % of a round was not in any operation (preempted, or the loop itself).");
    sample->sync_ns = 100 * MS;
    expect_quiet(ask(&run, "time-unaccounted", CREATE, 0));
    run_release(&run);
}

static void what_stamps_cost_is_known(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    struct sample *sample = fixture_add(&run, SEQ_WRITE, 0, 1, 1000 * MS); // 256 MiB
    fill_histogram(&sample->latency[PHASE_OP], 256, 700 * MS);
    fill_histogram(&sample->latency[PHASE_FSYNC], 1, 150 * MS);
    fill_histogram(&sample->latency[PHASE_CLOSE], 1, 20 * MS);
    expect_lacking(ask(&run, "time-unaccounted", SEQ_WRITE, 0),
                   "what stamping the data costs wasn't measured");
    run.calibration.stamp_ns = known_count(400000); // 102 ms in all
    expect_quiet(ask(&run, "time-unaccounted", SEQ_WRITE, 0));
    run.calibration.stamp_ns = known_count(40000); // 10 ms
    expect(ask(&run, "time-unaccounted", SEQ_WRITE, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "12 % of a round was not in any operation (preempted, or the loop itself).");
    run_release(&run);
}

static void each_thread_has_the_time_of_the_round(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "walk", 1, (uint64_t[]){4, 0});
    struct sample *sample = fixture_add(&run, 0, 0, 1, 100 * MS);
    fill_histogram(&sample->latency[PHASE_OP], 200, 390 * MS);
    expect_quiet(ask(&run, "time-unaccounted", 0, 0));
    sample->latency[PHASE_OP].sum_ns = 100 * MS; // one thread did all
    expect(ask(&run, "time-unaccounted", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "75 % of the threads' time was not in any operation (preempted, the loop itself, or a thread that "
           "was done before the others).");
    run_release(&run);
}

// ---- output-on-tier, screen-perturbs ----

static void a_result_file_on_a_tier_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    expect_lacking(ask(&run, "output-on-tier", 0, 0),
                   "whether the result file lies on this disk isn't known");
    run.tiers[0].holds_output = known_flag(false);
    run.tiers[1].holds_output = known_flag(true);
    expect_quiet(ask(&run, "output-on-tier", 0, 0));
    expect(ask(&run, "output-on-tier", 0, 1), OUTCOME_FIRED, VERDICT_INFO,
           "The result file is on the disk being measured (B ephemeral). It is written between sections, and "
           "what is unsaved is drained before the next begins.");
    run_release(&run);
}

static void a_screen_is_quiet_only_where_none_was(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    expect_lacking(ask(&run, "screen-perturbs", 0, 0), "whether a screen was drawn isn't known");
    run.screen = known_flag(true);
    expect_lacking(ask(&run, "screen-perturbs", 0, 0),
                   "a screen was drawn, and the same wasn't measured without one");
    run.calibration.screen_factor = (struct real){true, 1.05};
    expect_quiet(ask(&run, "screen-perturbs", 0, 0));
    run.calibration.screen_factor.value = 1.07;
    expect(ask(&run, "screen-perturbs", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT, "Drawing the screen cost 7 %.");
    run.screen = known_flag(false);
    expect_quiet(ask(&run, "screen-perturbs", 0, 0));
    run_release(&run);
}

// ---- unit-unclear ----

static struct asked_answer ask_unit(struct run *run, double seconds, double printed, const char *unit)
{
    struct imported_summary *summary = &run->summaries.list[0];
    summary->wall_ns = known_count((uint64_t)llround(seconds * 1e9));
    summary->printed = (struct real){true, printed};
    free(summary->printed_unit);
    summary->printed_unit = xstrdup(unit);
    return ask(run, "unit-unclear", SEQ_WRITE, 0);
}

static void a_rate_says_which_unit_it_is_in(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    expect_quiet(ask(&run, "unit-unclear", SEQ_WRITE, 0)); // our own
    import(&run, SEQ_WRITE, 0);
    expect_lacking(ask(&run, "unit-unclear", SEQ_WRITE, 0),
                   "the source doesn't give both the time and the rate it makes of it");
    expect_quiet(ask(&run, "unit-unclear", WALK, 0)); // milliseconds are no bytes

    expect(ask_unit(&run, 15.74, 16.3, "MB/s"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "256 MiB in 15.74 s is 16.3 MiB/s or 17.1 MB/s. The source prints 16.3 'MB/s': it means MiB/s.");
    expect(ask_unit(&run, 15.3, 16.7, "MB/s"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "256 MiB in 15.3 s is 16.7 MiB/s or 17.5 MB/s. The source prints 16.7 'MB/s': it means MiB/s.");
    expect_quiet(ask_unit(&run, 15.74, 16.3, "MiB/s"));
    expect_quiet(ask_unit(&run, 15.74, 17.1, "MB/s"));
    expect(ask_unit(&run, 15.74, 17.1, "MiB/s"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "256 MiB in 15.74 s is 16.3 MiB/s or 17.1 MB/s. The source prints 17.1 'MiB/s': it means MB/s.");
    expect(ask_unit(&run, 15.74, 16.3, "M\x1b[31m/s"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "256 MiB in 15.74 s is 16.3 MiB/s or 17.1 MB/s. The source prints 16.3 'M\\x1b[31m/s': it means "
           "MiB/s.");
    expect(ask_unit(&run, 15.74, 14.2, "MB/s"), OUTCOME_FIRED, VERDICT_DISCARD,
           "256 MiB in 15.74 s is 16.3 MiB/s or 17.1 MB/s. The source prints 14.2 'MB/s', which is neither.");
    // What rounding took from the time counts too: 5.2 s may be 5.24 s.
    expect(ask_unit(&run, 5.2, 48.9, "MB/s"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "256 MiB in 5.2 s is 49.2 MiB/s or 51.6 MB/s. The source prints 48.9 'MB/s': it means MiB/s.");
    expect_lacking(ask_unit(&run, 15, 17.5, "MB/s"),
                   "the source's figures are too coarse to tell MB from MiB");
    expect_lacking(ask_unit(&run, 15.74, 130, "kB/s"), "the source's unit is neither MB/s nor MiB/s");
    expect_lacking(ask_unit(&run, 0, 16.3, "MB/s"),
                   "the source doesn't give both the time and the rate it makes of it");
    run_release(&run);
}

int test_rule_harness(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_is_set_against_a_batch),
        cmocka_unit_test(a_large_file_is_calibrated_by_its_beginning),
        cmocka_unit_test(a_round_lasts_long_enough_to_be_timed),
        cmocka_unit_test(an_imported_round_is_as_long_as_its_figure_says),
        cmocka_unit_test(the_longest_write_is_named),
        cmocka_unit_test(an_imported_write_is_as_long_as_its_figure_says),
        cmocka_unit_test(a_clock_that_was_set_is_named),
        cmocka_unit_test(time_in_no_operation_is_named),
        cmocka_unit_test(parts_of_an_operation_count_once_and_its_sync_not_at_all),
        cmocka_unit_test(what_stamps_cost_is_known),
        cmocka_unit_test(each_thread_has_the_time_of_the_round),
        cmocka_unit_test(a_result_file_on_a_tier_is_named),
        cmocka_unit_test(a_screen_is_quiet_only_where_none_was),
        cmocka_unit_test(a_rate_says_which_unit_it_is_in),
    };
    return cmocka_run_group_tests_name("rule_harness", tests, NULL, NULL);
}
