// How often the statistics are right on noise whose truth is known. Seeds are fixed.
#include "digits.h"
#include "simulate.h"
#include "stats/confidence.h"
#include "stats/holm.h"
#include "stats/mann_whitney.h"
#include "stats/signed_rank.h"

#include <math.h>
#include <stdbool.h>

int test_simulation(int argc, char *argv[]);

// Fails where the rate that was seen excludes the one that is expected.
static void assert_rate(const char *what, size_t hits, size_t trials, double expected)
{
    double low = binomial_lower_bound(hits, trials), high = binomial_upper_bound(hits, trials);
    if (low > expected || high < expected)
        fail_msg("%s: %zu of %zu, %.4f to %.4f, not %.4f", what, hits, trials, low, high, expected);
}

static void bounds_of_a_rate(void **state)
{
    (void)state;
    // 1 of 1: p of 0.05. 0 of n: nothing below. n of n: the nth root of 0.05. 5 of 10: Clopper and Pearson.
    assert_digits(binomial_lower_bound(1, 1), "0.0500");
    assert_true(binomial_lower_bound(0, 100) == 0);
    assert_true(binomial_upper_bound(100, 100) == 1);
    assert_digits(binomial_lower_bound(59, 59), "0.9505");
    assert_digits(binomial_upper_bound(0, 59), "0.0495");
    assert_digits(binomial_lower_bound(5, 10), "0.2224");
    assert_digits(binomial_upper_bound(5, 10), "0.7776");
}

static void noise_is_what_it_claims(void **state)
{
    (void)state;
    enum { TRIALS = 20000 };
    struct rng rng;
    rng_seed(&rng, 1);
    size_t above[3] = {0};
    double costs[5];
    for (size_t i = 0; i < TRIALS; i += 5) {
        simulate_rounds(&rng, 100, 0.2, costs, 5);
        for (size_t j = 0; j < 5; j++) {
            above[0] += costs[j] > 100;
            above[1] += costs[j] > 100 * exp(0.2);
            above[2] += costs[j] < 100 * exp(-0.2 * 1.959964);
        }
    }
    assert_rate("above the median", above[0], TRIALS, 0.5);
    assert_rate("above one deviation", above[1], TRIALS, 0.158655);
    assert_rate("in the lower tail", above[2], TRIALS, 0.025);
}

// The interval of the ratio of tiers holds the true one as often as it says.
static void ratio_intervals_cover(void **state)
{
    (void)state;
    enum { TRIALS = 10000 };
    static const struct {
        size_t n;
        double coverage;
    } cases[] = {{5, 0.9375}, {6, 0.96875}, {8, 0.9609375}, {10, 0.951171875}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rng rng;
        rng_seed(&rng, 100 + cases[c].n);
        size_t n = cases[c].n, covered = 0;
        for (size_t trial = 0; trial < TRIALS; trial++) {
            double persistent[10], local[10], differences[10];
            simulate_rounds(&rng, 800, 0.15, persistent, n);
            simulate_rounds(&rng, 7, 0.05, local, n);
            for (size_t i = 0; i < n; i++)
                differences[i] = log(persistent[i] / local[i]);
            struct signed_rank result = signed_rank(differences, n);
            double truth = log(800 / 7.0);
            covered += result.low <= truth && truth <= result.high;
            assert_true(fabs(result.coverage - cases[c].coverage) < 1e-12);
        }
        assert_rate("ratio interval", covered, TRIALS, cases[c].coverage);
    }
}

// Differences that are skewed, as stalls make them: the middle of the averages isn't quite the median then,
// and the interval of the one covers the other a little less often than it says. The range, up to 6 rounds,
// is not concerned; the others are of 900 000 trials with other seeds.
static void skewed_differences_cost_little(void **state)
{
    (void)state;
    enum { TRIALS = 40000 };
    static const struct {
        size_t n;
        double coverage;
    } cases[] = {{5, 0.9375}, {6, 0.96875}, {8, 0.9544}, {10, 0.9363}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rng rng;
        rng_seed(&rng, 500 + cases[c].n);
        size_t covered = 0;
        for (size_t trial = 0; trial < TRIALS; trial++) {
            double differences[10];
            for (size_t i = 0; i < cases[c].n; i++)
                differences[i] = -log(simulate_uniform(&rng)); // exponential
            struct signed_rank result = signed_rank(differences, cases[c].n);
            covered += result.low <= log(2) && log(2) <= result.high;
        }
        assert_rate("skewed", covered, TRIALS, cases[c].coverage);
    }
}

// What the test and the interval of two runs do where nothing changed. p can't take every value, so at few
// rounds alarms are rarer than 5 %: at 5 rounds U of 0, 1 or 2 out of 252 splits, 8.
static void two_equal_runs(void **state)
{
    (void)state;
    static const struct {
        size_t n, trials;
        double alarms, coverage;
    } cases[] = {
        {5, 10000, 8 / 252.0, 0.968254},
        {6, 10000, 38 / 924.0, 0.958874},
        {8, 2000, 642 / 12870.0, 0.950117},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct rng rng;
        rng_seed(&rng, 200 + cases[c].n);
        size_t n = cases[c].n, trials = cases[c].trials, alarms = 0, covered = 0;
        for (size_t trial = 0; trial < trials; trial++) {
            double before[8], after[8];
            simulate_rounds(&rng, 100, 0.1, before, n);
            simulate_rounds(&rng, 100, 0.1, after, n);
            alarms += confidence_significant(mann_whitney(before, n, after, n).p);
            struct hodges_lehmann shift = shift_between(before, n, after, n); // any shift has the same chance
            covered += shift.low <= 0 && 0 <= shift.high;
        }
        assert_rate("false alarms", alarms, trials, cases[c].alarms);
        assert_true(binomial_lower_bound(alarms, trials) <= 0.05);
        assert_rate("interval", covered, trials, cases[c].coverage);
    }
}

// Six metrics at once, none of which changed.
static void holm_holds_for_all_rows(void **state)
{
    (void)state;
    enum { TRIALS = 3000, ROWS = 6, N = 6 };
    struct rng rng;
    rng_seed(&rng, 300);
    size_t plain = 0, adjusted_alarms = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        double p[ROWS], adjusted[ROWS];
        bool any = false, any_adjusted = false;
        for (size_t row = 0; row < ROWS; row++) {
            double before[N], after[N];
            simulate_rounds(&rng, 100, 0.1, before, N);
            simulate_rounds(&rng, 100, 0.1, after, N);
            p[row] = mann_whitney(before, N, after, N).p;
        }
        holm_adjust(p, ROWS, adjusted);
        for (size_t row = 0; row < ROWS; row++) {
            any = any || confidence_significant(p[row]);
            any_adjusted = any_adjusted || confidence_significant(adjusted[row]);
        }
        plain += any;
        adjusted_alarms += any_adjusted;
    }
    assert_true(binomial_lower_bound(adjusted_alarms, TRIALS) <= 0.05);
    assert_true(binomial_lower_bound(plain, TRIALS) > 0.05); // that is what it is for
}

// Both tiers drift together from one run to the next: the disk alone seems to change, its cost over the
// local one's doesn't, and a real change of 20 % is still seen.
static void the_local_tier_is_the_control(void **state)
{
    (void)state;
    enum { TRIALS = 5000, N = 6 };
    struct rng rng;
    rng_seed(&rng, 400);
    size_t plain = 0, relative = 0, seen = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        double disk[2][N], local[2][N], ratio[2][N];
        for (size_t run = 0; run < 2; run++) {
            double drift = exp(0.15 * simulate_normal(&rng));
            simulate_rounds(&rng, 800 * drift, 0.05, disk[run], N);
            simulate_rounds(&rng, 7 * drift, 0.05, local[run], N);
            for (size_t i = 0; i < N; i++)
                ratio[run][i] = disk[run][i] / local[run][i];
        }
        plain += confidence_significant(mann_whitney(disk[0], N, disk[1], N).p);
        relative += confidence_significant(mann_whitney(ratio[0], N, ratio[1], N).p);
        for (size_t i = 0; i < N; i++)
            ratio[1][i] *= 1.2;
        seen += confidence_significant(mann_whitney(ratio[0], N, ratio[1], N).p);
    }
    assert_rate("alarms on the ratio", relative, TRIALS, 38 / 924.0);
    assert_true(binomial_lower_bound(plain, TRIALS) > 0.7);
    assert_rate("a change of 20 %", seen, TRIALS, 0.9626); // of 60 000 trials in another program
}

int test_simulation(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_of_a_rate),
        cmocka_unit_test(noise_is_what_it_claims),
        cmocka_unit_test(ratio_intervals_cover),
        cmocka_unit_test(skewed_differences_cost_little),
        cmocka_unit_test(two_equal_runs),
        cmocka_unit_test(holm_holds_for_all_rows),
        cmocka_unit_test(the_local_tier_is_the_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
