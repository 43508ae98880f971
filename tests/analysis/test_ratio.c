#include "analysis/ratio.h"

#include "analysis/fixture.h"
#include "analysis/judge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

int test_ratio(int argc, char *argv[]);

enum { CREATE, WALK, DELETE, SEQ_WRITE };

static void begin(struct run *run, unsigned rounds)
{
    fixture_begin(run, "create,walk,delete,seq-write-64", rounds);
}

static struct ratio ratio_of(const struct run *run, size_t workload)
{
    struct judgement judgement;
    judge_run(run, &judgement);
    struct ratio ratio = judgement.metrics.rows[workload].ratio;
    judgement_release(&judgement);
    return ratio;
}

static void assert_words(const struct ratio *ratio, const char *words, const char *interval)
{
    char *said = ratio_words(ratio), *range = ratio_interval_words(ratio);
    assert_string_equal(said, words);
    assert_string_equal(range, interval);
    free(said);
    free(range);
}

// Design: measuring, 2.4: the published benchmark's medians and ranges, with invented rounds.
static void the_published_rounds_in_pairs(void **state)
{
    (void)state;
    static const struct {
        size_t workload;
        double a[5], b[5];
        double factor, low, high;
        const char *words, *interval;
    } rows[] = {
        {CREATE,
         {118.3, 104.2, 124.0, 115.2, 110.9},
         {1161.8, 870.4, 1217.5, 1104.7, 1190.2},
         9.7044,
         8.3532,
         10.7322,
         "9.7x slower",
         "8.4 to 10.7"},
        {WALK,
         {69.1, 84.5, 61.0, 66.2, 73.8},
         {4.6, 5.1, 4.0, 4.4, 4.9},
         15.1474,
         15.0217,
         16.5686,
         "15.1x slower",
         "15.0 to 16.6"},
        {DELETE,
         {812.5, 699.3, 935.2, 774.6, 868.1},
         {6.9, 6.5, 7.2, 6.8, 7.0},
         118.2119,
         107.5846,
         129.8889,
         "118x slower",
         "108 to 130"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run run;
        begin(&run, 5);
        fixture_add_values(&run, rows[i].workload, 0, rows[i].a, 5);
        fixture_add_values(&run, rows[i].workload, 1, rows[i].b, 5);
        struct ratio ratio = ratio_of(&run, rows[i].workload);
        assert_int_equal(ratio.comparison, COMPARISON_SLOWER);
        assert_true(fabs(ratio.factor - rows[i].factor) < 1e-4);
        assert_true(fabs(ratio.low - rows[i].low) < 1e-4);
        assert_true(fabs(ratio.high - rows[i].high) < 1e-4);
        assert_true(fabs(ratio.confidence - 0.9375) < 1e-9);
        assert_words(&ratio, rows[i].words, rows[i].interval);
        run_release(&run);

        // The other way round it is the same, faster.
        begin(&run, 5);
        fixture_add_values(&run, rows[i].workload, 0, rows[i].b, 5);
        fixture_add_values(&run, rows[i].workload, 1, rows[i].a, 5);
        ratio = ratio_of(&run, rows[i].workload);
        assert_int_equal(ratio.comparison, COMPARISON_FASTER);
        assert_true(fabs(ratio.factor - rows[i].factor) < 1e-4);
        assert_true(fabs(ratio.low - rows[i].low) < 1e-4 && fabs(ratio.high - rows[i].high) < 1e-4);
        run_release(&run);
    }
}

// Both disks swing together by more than they differ: in pairs that difference is seen.
static void a_swing_that_both_share_cancels(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add_values(&run, WALK, 0, (double[]){110, 132, 154, 176, 198, 220}, 6);
    fixture_add_values(&run, WALK, 1, (double[]){100, 120, 140, 160, 180, 200}, 6);
    struct ratio ratio = ratio_of(&run, WALK);
    assert_int_equal(ratio.comparison, COMPARISON_SLOWER);
    assert_true(fabs(ratio.factor - 1.1) < 1e-6);
    assert_true(fabs(ratio.confidence - 0.96875) < 1e-9);
    run_release(&run);
}

static void an_interval_that_holds_one_is_no_difference(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add_values(&run, WALK, 0, (double[]){10, 11, 12, 10, 11, 12}, 6);
    fixture_add_values(&run, WALK, 1, (double[]){11, 10, 11, 12, 12, 10}, 6);
    struct ratio ratio = ratio_of(&run, WALK);
    assert_int_equal(ratio.comparison, COMPARISON_UNCLEAR);
    assert_true(ratio.low <= 1 && ratio.high >= 1);
    assert_true(ratio.of_medians == 0);
    assert_words(&ratio, "no clear difference", "");
    run_release(&run);
}

// Rounds that only one disk has are in no pair.
static void pairs_are_of_the_same_round(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 7);
    const double a[] = {100, 200, 100, 200, 100, 200, 100}, b[] = {10, 20, 10, 20, 10, 20, 10};
    for (unsigned round = 1; round <= 7; round++) {
        if (round != 3)
            fixture_add(&run, WALK, 0, round, (uint64_t)(a[round - 1] * 1e6));
        if (round != 6)
            fixture_add(&run, WALK, 1, round, (uint64_t)(b[round - 1] * 1e6));
    }
    struct ratio ratio = ratio_of(&run, WALK);
    assert_true(fabs(ratio.factor - 10) < 1e-9);
    assert_true(fabs(ratio.confidence - 0.9375) < 1e-9); // five of the seven
    run_release(&run);
}

static void below_five_pairs_the_medians_speak(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 4);
    fixture_add_values(&run, WALK, 0, (double[]){20, 22, 21, 20}, 4);
    fixture_add_values(&run, WALK, 1, (double[]){10, 11, 10, 10}, 4);
    struct ratio ratio = ratio_of(&run, WALK);
    assert_int_equal(ratio.comparison, COMPARISON_SLOWER);
    assert_true(ratio.factor == 0 && ratio.confidence == 0);
    assert_true(fabs(ratio.of_medians - 2.05) < 1e-9);
    assert_words(&ratio, "2.05x slower", "");
    run_release(&run);
}

static void digits_follow_the_interval(void **state)
{
    (void)state;
    static const struct {
        struct ratio ratio;
        const char *words, *interval;
    } cases[] = {
        {{.comparison = COMPARISON_SLOWER, .factor = 117.754, .low = 97.1, .high = 143.9, .confidence = .94},
         "118x slower",
         "97 to 144"},
        {{.comparison = COMPARISON_SLOWER, .factor = 4.8442, .low = 4.6, .high = 5.02, .confidence = .97},
         "4.84x slower",
         "4.60 to 5.02"},
        {{.comparison = COMPARISON_SLOWER, .factor = 4.8442, .low = 3.1, .high = 7.9, .confidence = .97},
         "4.8x slower",
         "3.1 to 7.9"},
        {{.comparison = COMPARISON_SLOWER, .factor = 1234.5, .low = 600, .high = 2900, .confidence = .97},
         "1200x slower",
         "600 to 2900"},
        {{.comparison = COMPARISON_FASTER, .factor = 1.12, .low = 1.08, .high = 1.15, .confidence = .97},
         "12.0 % faster",
         "8.0 to 15.0 %"},
        {{.comparison = COMPARISON_SLOWER, .factor = 1.9, .low = 1.2, .high = 2.6, .confidence = .97},
         "90 % slower",
         "20 to 160 %"},
        {{.comparison = COMPARISON_SLOWER, .factor = 2.1, .low = 1.8, .high = 2.5, .confidence = .97},
         "2.10x slower",
         "1.80 to 2.50"},
        // All that the ranges of an imported run allow is no interval of a statistic.
        {{.comparison = COMPARISON_SLOWER, .of_medians_shown = 117.8, .low = 97.12, .high = 143.88},
         "118x slower",
         "between 97 and 144"},
        {{.comparison = COMPARISON_SLOWER, .of_medians_shown = 4.844}, "4.84x slower", ""},
        {{.comparison = COMPARISON_NONE}, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_words(&cases[i].ratio, cases[i].words, cases[i].interval);
}

// What is compared past the write buffer is what came past it, on both disks and round by round.
static void past_the_buffer_the_rest_is_compared(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-write", 6);
    size_t sizes[] = {fixture_find(&run, "seq-write-64"), fixture_find(&run, "seq-write-256"),
                      fixture_find(&run, "seq-write-1024")};
    const double seconds[2][3] = {{0.1, 0.4, 8.4}, {0.064, 0.256, 1.024}};
    for (size_t i = 0; i < 3; i++)
        for (unsigned tier = 0; tier < 2; tier++)
            for (unsigned round = 1; round <= 6; round++)
                fixture_add(&run, sizes[i], tier, round,
                            (uint64_t)(seconds[tier][i] * 1e9 * (1 + 0.001 * round)));
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct metric *largest = &judgement.metrics.rows[sizes[2]];
    assert_true(largest->tiers[0].past_buffer.known); // 128 MB/s on average, 101 past 256 MiB: 1.27x
    assert_false(largest->tiers[1].past_buffer.known);
    assert_true(fabs(largest->tiers[0].past_buffer.value - 100.4) < 0.5);
    assert_int_equal(largest->ratio.comparison, COMPARISON_SLOWER);
    {
        assert_true(largest->ratio.past_buffer);
        assert_true(fabs(largest->ratio.factor - 8 / 0.768) < 0.01);
    }
    judgement_release(&judgement);
    run_release(&run);
}

int test_ratio(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_rounds_in_pairs),
        cmocka_unit_test(a_swing_that_both_share_cancels),
        cmocka_unit_test(an_interval_that_holds_one_is_no_difference),
        cmocka_unit_test(pairs_are_of_the_same_round),
        cmocka_unit_test(below_five_pairs_the_medians_speak),
        cmocka_unit_test(digits_follow_the_interval),
        cmocka_unit_test(past_the_buffer_the_rest_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
