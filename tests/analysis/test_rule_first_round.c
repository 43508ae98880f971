#include "analysis/expect.h"

#include <stdlib.h>

int test_rule_first_round(int argc, char *argv[]);

// The published series: the first value and the ends of the rest are its own, the inner ones are invented.
static const double published[] = {28.6, 306, 320, 340, 351};

#define RATES                                                                                                \
    "Round 1 measured 28.6 MB/s, rounds 2-5 measured 306 to 351: identical work, 12x apart, and only the "   \
    "first differs. Something used or flushed for the first time can do that (a client buffer, a "           \
    "connection, someone else's unsaved data). Nothing here tells which speed is the disk's, so neither is " \
    "reported."

// ---- first-round-differs ----

static void a_write_that_begins_apart_is_discarded(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "seq-write-64", published);
    expect_fired(ask(&run, "first-round-differs", 0, 0), VERDICT_DISCARD, RATES);
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct metric_tier *figure = &judgement.metrics.rows[0].tiers[0];
    assert_int_equal(figure->trust, TRUST_DISCARDED);
    assert_int_equal(figure->summary.n, 5);
    assert_false(figure->first_use.known);
    judgement_release(&judgement);
    run_release(&run);
}

static void other_work_is_reported_from_round_2_on(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){812, 70, 72, 69, 71}));
    expect_fired(ask(&run, "first-round-differs", 0, 0), VERDICT_CAVEAT,
                 "Round 1 measured 812 ms, rounds 2-5 measured 69.0 to 72.0: identical work, 12x apart, and "
                 "only the first differs. It is the first use, and reported from round 2 on.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct metric_tier *figure = &judgement.metrics.rows[0].tiers[0];
    assert_int_equal(figure->trust, TRUST_CAVEAT);
    assert_int_equal(figure->summary.n, 4);
    assert_true(figure->first_use.known);
    assert_true(fabs(figure->first_use.value - 812) < 1e-6);
    judgement_release(&judgement);
    run_release(&run);
}

static void rounds_that_are_alike_say_nothing(void **state)
{
    (void)state;
    static const double vectors[][5] = {
        {100, 160, 162, 165, 170}, {100, 250, 120, 260, 110}, {600, 300, 280, 310, 320}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct run run;
        begin_with(&run, "seq-write-64", vectors[i]);
        expect_quiet(ask(&run, "first-round-differs", 0, 0));
        run_release(&run);
    }
    struct run run;
    begin_with(&run, "seq-write-64", ((double[]){700, 300, 280, 310, 320}));
    assert_int_equal(ask(&run, "first-round-differs", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);
}

static void it_needs_four_rounds_and_the_first_of_them(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "seq-write-64", ((double[]){28.6, 306, 320}));
    expect_lacking(ask(&run, "first-round-differs", 0, 0), "fewer than 4 rounds");
    expect_lacking(ask(&run, "first-round-differs", 0, 1), "fewer than 4 rounds");
    run_release(&run);

    begin_with(&run, "seq-write-64", ((double[]){100, 28.6, 306, 320, 340, 351}));
    run.samples[0].status = SAMPLE_STOPPED;
    expect_lacking(ask(&run, "first-round-differs", 0, 0), "round 1 is missing");
    run_release(&run);
}

static struct sample *add_first_use(struct run *run, uint64_t wall_ns)
{
    return fixture_add(run, 0, 0, 0, wall_ns);
}

static void with_round_0_in_front_it_is_a_remark(void **state)
{
    (void)state;
    const uint64_t ms = 1000000;
    struct run run;
    begin_with(&run, "walk", ((double[]){70, 72, 69, 71, 70}));
    add_first_use(&run, 100 * ms);
    expect_quiet(ask(&run, "first-round-differs", 0, 0));
    run_release(&run);

    begin_with(&run, "walk", ((double[]){70, 72, 69, 71, 70}));
    add_first_use(&run, 812 * ms);
    expect_fired(ask(&run, "first-round-differs", 0, 0), VERDICT_INFO,
                 "Round 0 measured 812 ms, rounds 1-5 measured 69.0 to 72.0: 12x apart, and only that one "
                 "differs. It is the first use, and in no figure.");
    run_release(&run);

    // The rounds did it several times over, round 0 once: that is another way to differ.
    begin_with(&run, "walk", ((double[]){70, 72, 69, 71, 70}));
    for (size_t i = 0; i < run.sample_count; i++) {
        run.samples[i].batches = 6;
        run.samples[i].wall_ns *= 6;
    }
    add_first_use(&run, 812 * ms);
    expect_fired(ask(&run, "first-round-differs", 0, 0), VERDICT_INFO,
                 "Round 0 measured 812 ms, rounds 1-5 measured 69.0 to 72.0: 12x apart, and only that one "
                 "differs. It is the first use, and did it fewer times over than the rounds; it is in no "
                 "figure.");
    run_release(&run);

    // Of a write too: after round 0, round 1 is no first use, and its speed is one of the range.
    begin_with(&run, "seq-write-64", published);
    add_first_use(&run, 300 * ms);
    expect_fired(ask(&run, "first-round-differs", 0, 0), VERDICT_INFO,
                 "Round 1 measured 28.6 MB/s, rounds 2-5 measured 306 to 351: 12x apart, and only that one "
                 "differs. Round 0 had been before it, so it isn't the first use; it is in the range.");
    expect_fired(ask(&run, "lone-stall", 0, 0), VERDICT_CAVEAT,
                 "Round 1 took 12x the others. It is in the range; the median is unaffected.");
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    run_release(&run);
}

static void add_follow_up(struct run *run, const double *ms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fixture_add(run, 0, 0, (unsigned)i + 1, (uint64_t)(ms[i] * 1e6))->block = 2;
}

static void a_second_block_tells_first_use_from_chance(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){812, 70, 72, 69, 71}));
    add_follow_up(&run, (double[]){640, 71, 70, 72}, 4);
    assert_int_equal(ask(&run, "first-round-differs", 0, 0).outcome, OUTCOME_FIRED);
    expect_quiet(ask(&run, "lone-stall", 0, 0));
    run_release(&run);

    begin_with(&run, "walk", ((double[]){284, 70, 72, 69, 71}));
    add_follow_up(&run, (double[]){73, 71, 70, 72}, 4);
    expect_quiet(ask(&run, "first-round-differs", 0, 0));
    expect_fired(ask(&run, "lone-stall", 0, 0), VERDICT_CAVEAT,
                 "Round 1 took 4.0x the others, and a second block of rounds did not begin like that. It is "
                 "in the range; the median is unaffected.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].summary.n, 5);
    assert_false(judgement.metrics.rows[0].tiers[0].first_use.known);
    judgement_release(&judgement);
    run_release(&run);

    // All of the block is slow: it began like that, but it didn't differ.
    begin_with(&run, "walk", ((double[]){812, 70, 72, 69, 71}));
    add_follow_up(&run, (double[]){810, 790, 800, 805}, 4);
    expect_quiet(ask(&run, "first-round-differs", 0, 0));
    run_release(&run);

    // Apart on the other side: the first rounds of both blocks have nothing in common.
    begin_with(&run, "walk", ((double[]){812, 70, 72, 69, 71}));
    add_follow_up(&run, (double[]){7, 71, 70, 72}, 4);
    expect_quiet(ask(&run, "first-round-differs", 0, 0));
    run_release(&run);

    // A block whose first round wasn't measured tells nothing.
    begin_with(&run, "walk", ((double[]){812, 70, 72, 69, 71}));
    add_follow_up(&run, (double[]){73, 71, 70, 72}, 4);
    run.samples[5].status = SAMPLE_STOPPED;
    assert_int_equal(ask(&run, "first-round-differs", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);
}

static void a_summary_may_have_the_first_apart(void **state)
{
    (void)state;
    struct run run;
    struct imported_summary *summary = begin_import(&run, "seq-write-64");
    summary->n = known_count(5);
    summary->min = known_real(28.6);
    summary->max = known_real(351);
    expect_lacking(ask(&run, "first-round-differs", 0, 0), "round 1 isn't known apart from the others");
    summary->first = known_real(28.6);
    summary->rest_min = known_real(306);
    summary->rest_max = known_real(351);
    expect_fired(ask(&run, "first-round-differs", 0, 0), VERDICT_DISCARD, RATES);
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    expect_quiet(ask(&run, "wide-range", 0, 0)); // of the rest
    summary->first = known_real(250);
    expect_quiet(ask(&run, "first-round-differs", 0, 0));
    summary->rest_min = known_real(0);
    assert_int_equal(ask(&run, "first-round-differs", 0, 0).outcome, OUTCOME_NOT_CHECKED);
    summary->n = known_count(3);
    expect_lacking(ask(&run, "first-round-differs", 0, 0), "fewer than 4 rounds");
    run_release(&run);
}

static void its_threshold_can_be_changed(void **state)
{
    (void)state;
    struct run run;
    struct error error = {0};
    begin_with(&run, "seq-write-64", ((double[]){100, 160, 162, 165, 170}));
    assert_true(thresholds_set(&run.thresholds, "first-round-differs.factor=1.5", &error));
    assert_int_equal(ask(&run, "first-round-differs", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);
}

// ---- lone-stall ----

static void a_stall_is_marked_and_kept(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){70, 72, 291, 71, 70}));
    expect_fired(ask(&run, "lone-stall", 0, 0), VERDICT_CAVEAT,
                 "Round 3 took 4.1x the others. It is in the range; the median is unaffected.");
    expect_quiet(ask(&run, "not-repeatable", 0, 0));
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].summary.n, 5);
    judgement_release(&judgement);
    run_release(&run);

    // A rate that is far lower is a stall, one that is far higher isn't.
    begin_with(&run, "create", ((double[]){115, 118, 110, 28, 121}));
    assert_int_equal(ask(&run, "lone-stall", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);
    begin_with(&run, "create", ((double[]){115, 118, 110, 460, 121}));
    expect_quiet(ask(&run, "lone-stall", 0, 0));
    run_release(&run);
    begin_with(&run, "walk", ((double[]){291, 72, 70, 71, 70}));
    expect_quiet(ask(&run, "lone-stall", 0, 0));
    run_release(&run);
}

static void a_stall_needs_four_rounds(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "walk", ((double[]){70, 72, 291}));
    expect_lacking(ask(&run, "lone-stall", 0, 0), "fewer than 4 rounds");
    expect_lacking(ask(&run, "lone-stall", 0, 1), need_words(NEED_ROUNDS));
    run_release(&run);
}

// ---- ramp-in-round ----

// Gives a sample its stamps: each of `slow` MiB takes that many times as long as one of the rest.
static void stamp(struct sample *sample, size_t mib, size_t slow, double times)
{
    sample->mib_ns = xcalloc(mib, sizeof *sample->mib_ns);
    sample->mib_length = mib;
    double at = 0;
    for (size_t i = 0; i < mib; i++) {
        at += i < slow ? 1e6 * times : 1e6;
        sample->mib_ns[i] = (uint64_t)llround(at);
    }
}

static void a_slow_start_is_told(void **state)
{
    (void)state;
    struct run run;
    begin_with(&run, "seq-write-64", ((double[]){300, 310, 305}));
    expect_lacking(ask(&run, "ramp-in-round", 0, 0), need_words(NEED_MIB_TIMES));
    stamp(&run.samples[0], 64, 7, 1.9);
    stamp(&run.samples[1], 64, 7, 1);
    stamp(&run.samples[2], 64, 0, 1);
    expect_quiet(ask(&run, "ramp-in-round", 0, 0));
    free(run.samples[1].mib_ns);
    stamp(&run.samples[1], 64, 7, 50.0 / 7);
    expect_fired(ask(&run, "ramp-in-round", 0, 0), VERDICT_INFO,
                 "The first 7 MiB took as long as the next 50 in round 2. So slow a start is in 1 of 3 "
                 "rounds.");
    // A stall in the middle is no slow start.
    free(run.samples[1].mib_ns);
    stamp(&run.samples[1], 64, 0, 1);
    for (size_t i = 30; i < 64; i++)
        run.samples[1].mib_ns[i] += 400000000;
    expect_quiet(ask(&run, "ramp-in-round", 0, 0));
    run_release(&run);

    begin_with(&run, "seq-write-64", ((double[]){300}));
    stamp(&run.samples[0], 19, 2, 50);
    expect_lacking(ask(&run, "ramp-in-round", 0, 0), "fewer than 20 MiB are written at a time");
    run_release(&run);
}

int test_rule_first_round(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_that_begins_apart_is_discarded),
        cmocka_unit_test(other_work_is_reported_from_round_2_on),
        cmocka_unit_test(rounds_that_are_alike_say_nothing),
        cmocka_unit_test(it_needs_four_rounds_and_the_first_of_them),
        cmocka_unit_test(with_round_0_in_front_it_is_a_remark),
        cmocka_unit_test(a_second_block_tells_first_use_from_chance),
        cmocka_unit_test(a_summary_may_have_the_first_apart),
        cmocka_unit_test(its_threshold_can_be_changed),
        cmocka_unit_test(a_stall_is_marked_and_kept),
        cmocka_unit_test(a_stall_needs_four_rounds),
        cmocka_unit_test(a_slow_start_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
