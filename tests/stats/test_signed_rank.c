#include "digits.h"
#include "stats/ranks.h"
#include "stats/signed_rank.h"

#include <math.h>
#include <stdlib.h>

int test_signed_rank(int argc, char *argv[]);

static void tests_and_estimates(void **state)
{
    (void)state;
    static const struct {
        double differences[8];
        size_t n;
        const char *w, *p, *estimate, *low, *high, *percent;
    } cases[] = {
        {{.1, .2, .3, .4, .5}, 5, "15", "0.0625", "0.3", "0.1", "0.5", "93.75"},
        {{.1, .2, .3, .4, -.05}, 5, "14", "0.125", "0.2", "-0.05", "0.4", "93.75"},
        {{.1, .2, .3, .4, .5, .6}, 6, "21", "0.03125", "0.35", "0.1", "0.6", "96.875"},
        {{-.1, .2, .3, .4, .5, .6}, 6, "20", "0.0625", "0.35", "-0.1", "0.6", "96.875"},
        {{.3, -.1, .25, .4, .15, .5, .2, .35}, 8, "35", "0.015625", "0.275", "0.075", "0.400", "96.09"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct signed_rank result = signed_rank(cases[i].differences, cases[i].n);
        assert_int_equal(result.n, cases[i].n);
        assert_digits(result.w, cases[i].w);
        assert_digits(result.p, cases[i].p);
        assert_digits(result.estimate, cases[i].estimate);
        assert_digits(result.low, cases[i].low);
        assert_digits(result.high, cases[i].high);
        assert_percent(result.coverage, cases[i].percent);
    }
}

// Costs of two tiers by round; the middle and the ends are published figures, the rest is made up.
static void ratios_of_tiers(void **state)
{
    (void)state;
    static const struct {
        double persistent[5], local[5];
        int rate; // files a second: the cost is its inverse
        const char *ratio, *low, *high;
    } cases[] = {
        {{118.3, 104.2, 124.0, 115.2, 110.9},
         {1161.8, 870.4, 1217.5, 1104.7, 1190.2},
         1,
         "9.7044",
         "8.3532",
         "10.7322"},
        {{69.1, 84.5, 61.0, 66.2, 73.8}, {4.6, 5.1, 4.0, 4.4, 4.9}, 0, "15.1474", "15.0217", "16.5686"},
        {{812.5, 699.3, 935.2, 774.6, 868.1},
         {6.9, 6.5, 7.2, 6.8, 7.0},
         0,
         "118.2119",
         "107.5846",
         "129.8889"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double differences[5];
        for (size_t round = 0; round < 5; round++) {
            double difference = log(cases[i].persistent[round] / cases[i].local[round]);
            differences[round] = cases[i].rate ? -difference : difference;
        }
        struct signed_rank result = signed_rank(differences, 5);
        assert_digits(exp(result.estimate), cases[i].ratio);
        assert_digits(exp(result.low), cases[i].low);
        assert_digits(exp(result.high), cases[i].high);
        assert_percent(result.coverage, "93.75");
    }
}

// The interval's ends are the kth averages from either end. The greater n were computed in whole numbers.
static void takes_the_kth_average(void **state)
{
    (void)state;
    static const struct {
        size_t n, k;
        const char *percent;
    } cases[] = {{2, 1, "50"},
                 {3, 1, "75"},
                 {4, 1, "87.5"},
                 {5, 1, "93.75"},
                 {6, 1, "96.875"},
                 {7, 3, "95.31"},
                 {8, 4, "96.09"},
                 {9, 6, "96.09"},
                 {10, 9, "95.12"},
                 {11, 11, "95.80"},
                 {12, 14, "95.75"},
                 {20, 53, "95.15590668"},
                 {50, 435, "95.05535932"},
                 {100, 1956, "95.00762404"},
                 {500, 56291, "95.00310226"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].n, count = n * (n + 1) / 2, filled = 0;
        double *differences = calloc(n, sizeof *differences), *averages = calloc(count, sizeof *averages);
        assert_non_null(differences);
        assert_non_null(averages);
        for (size_t j = 0; j < n; j++)
            differences[j] = sqrt((double)(j + 2)) - sqrt((double)n / 2);
        for (size_t j = 0; j < n; j++)
            for (size_t l = j; l < n; l++)
                averages[filled++] = differences[j] / 2 + differences[l] / 2;
        values_sort(averages, count);
        struct signed_rank result = signed_rank(differences, n);
        assert_percent(result.coverage, cases[i].percent);
        assert_true(result.low == averages[cases[i].k - 1]);
        assert_true(result.high == averages[count - cases[i].k]);
        free(averages);
        free(differences);
    }
}

// Every choice of signs, counted one by one.
static void p_is_the_share_of_signs(void **state)
{
    (void)state;
    const double sizes[] = {1, 2, 2, 3, 3, 3, 4, 5, 5}; // with ties
    const size_t twice[] = {2, 5, 5, 10, 10, 10, 14, 17, 17};
    enum { N = 9, ALL = 1 << N, TOTAL = 90 };
    size_t sums[ALL];
    for (unsigned signs = 0; signs < ALL; signs++) {
        sums[signs] = 0;
        for (unsigned i = 0; i < N; i++)
            sums[signs] += signs >> i & 1 ? twice[i] : 0;
    }
    for (unsigned signs = 0; signs < ALL; signs += 7) {
        double differences[N];
        for (unsigned i = 0; i < N; i++)
            differences[i] = signs >> i & 1 ? sizes[i] : -sizes[i];
        unsigned as_far = 0;
        for (unsigned other = 0; other < ALL; other++)
            as_far += labs(2 * (long)sums[other] - TOTAL) >= labs(2 * (long)sums[signs] - TOTAL);
        struct signed_rank result = signed_rank(differences, N);
        assert_true(result.w == (double)sums[signs] / 2);
        assert_true(fabs(result.p - as_far / (double)ALL) < 1e-12);
    }
}

static void zeros_are_left_out_of_the_test(void **state)
{
    (void)state;
    struct signed_rank with = signed_rank((const double[]){0, .1, .2, 0, .3, .4, .5}, 7);
    assert_int_equal(with.n, 7);
    assert_digits(with.w, "15");
    assert_digits(with.p, "0.0625");
    assert_percent(with.coverage, "95.31"); // of all seven
    assert_true(with.low == 0);

    struct signed_rank zeros = signed_rank((const double[]){0, 0, 0}, 3);
    assert_true(zeros.w == 0 && zeros.p == 1 && zeros.estimate == 0 && zeros.low == 0 && zeros.high == 0);
}

static void little_data_says_little(void **state)
{
    (void)state;
    struct signed_rank none = signed_rank(NULL, 0);
    assert_true(none.n == 0 && none.coverage == 0);
    struct signed_rank one = signed_rank((const double[]){.7}, 1);
    assert_true(one.n == 1 && one.estimate == .7 && one.coverage == 0 && one.p == 1);
    const double unusable[] = {INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < 3; i++) {
        double differences[] = {.1, .2, unusable[i], .4};
        assert_int_equal(signed_rank(differences, 4).n, 0);
    }
}

int test_signed_rank(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_and_estimates),
        cmocka_unit_test(ratios_of_tiers),
        cmocka_unit_test(takes_the_kth_average),
        cmocka_unit_test(p_is_the_share_of_signs),
        cmocka_unit_test(zeros_are_left_out_of_the_test),
        cmocka_unit_test(little_data_says_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
