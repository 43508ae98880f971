#include "digits.h"
#include "stats/mann_whitney.h"

#include <math.h>
#include <stdlib.h>

int test_mann_whitney(int argc, char *argv[]);

struct pair {
    double before[6], after[6];
    size_t before_count, after_count;
    const char *u, *p;                         // NULL: not compared here
    const char *factor, *low, *high, *percent; // of the shift of logarithms
};

static void assert_pair(const struct pair *pair)
{
    double before[6], after[6];
    for (size_t i = 0; i < 6; i++) {
        before[i] = log(pair->before[i]);
        after[i] = log(pair->after[i]);
    }
    if (pair->p) {
        struct mann_whitney test =
            mann_whitney(pair->before, pair->before_count, pair->after, pair->after_count);
        assert_true(test.exact);
        assert_false(test.identical);
        if (pair->u)
            assert_digits(test.u, pair->u);
        assert_digits(test.p, pair->p);
    }
    struct hodges_lehmann shift = shift_between(before, pair->before_count, after, pair->after_count);
    assert_digits(exp(shift.estimate), pair->factor);
    assert_digits(exp(shift.low), pair->low);
    assert_digits(exp(shift.high), pair->high);
    assert_percent(shift.coverage, pair->percent);
}

static const double delete_before[] = {812.5, 699.3, 935.2, 774.6, 868.1};

static void two_runs(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {{812.5, 699.3, 935.2, 774.6, 868.1},
         {1012.0, 955.4, 1104.9, 990.2, 1061.3},
         5,
         5,
         "25",
         "0.0079365079",
         "1.245538",
         "1.082121",
         "1.447161",
         "96.83"},
        {{812.5, 699.3, 935.2, 774.6, 868.1},
         {845.0, 720.1, 901.7, 799.9, 880.4},
         5,
         5,
         "14",
         "0.8412698413",
         "1.029744",
         "0.855325",
         "1.208351",
         "96.83"},
        {{100, 102, 104, 106, 108},
         {107, 110, 112, 115, 118},
         5,
         5,
         "24",
         "0.0158730159",
         "1.078431",
         "1.018519",
         "1.150000",
         "96.83"},
        {{100, 101, 102},
         {130, 131, 132},
         3,
         3,
         "9",
         "0.1000000000",
         "1.297030",
         "1.274510",
         "1.320000",
         "90"},
        {{100, 101, 102, 103},
         {110, 112, 113, 115},
         4,
         4,
         "16",
         "0.0285714286",
         "1.108377",
         "1.067961",
         "1.150000",
         "97.14"},
        {{100, 101, 102, 103, 104, 105},
         {103.5, 104.5, 105.5, 106.5, 107.5, 108.5},
         6,
         6,
         "33",
         "0.0151515152",
         "1.034147",
         "1.004854",
         "1.063725",
         "95.89"},
        {{100, 100.5, 101, 101.5, 102, 102.5},
         {100.2, 100.7, 101.2, 101.7, 102.2, 102.7},
         6,
         6,
         "21",
         "0.6991341991",
         "1.001975",
         "0.987317",
         "1.016832",
         "95.89"},
        {{800, 820, 790, 810, 830, 805},
         {965, 990, 945, 970, 1005, 960},
         6,
         6,
         "36",
         "0.0021645022",
         "1.199379",
         "1.168675",
         "1.237500",
         "95.89"},
        {{7.0, 7.1, 6.9, 7.2, 6.8, 7.05},
         {8.4, 8.6, 8.3, 8.7, 8.2, 8.5},
         6,
         6,
         "36",
         "0.0021645022",
         "1.205778",
         "1.169014",
         "1.242857",
         "95.89"},
        {{800 / 7.0, 820 / 7.1, 790 / 6.9, 810 / 7.2, 830 / 6.8, 805 / 7.05},
         {965 / 8.4, 990 / 8.6, 945 / 8.3, 970 / 8.7, 1005 / 8.2, 960 / 8.5},
         6,
         6,
         NULL,
         "0.8181818182",
         "0.996487",
         "0.965377",
         "1.023256",
         "95.89"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_pair(&pairs[i]);
}

// The tiers of signed_rank's cases, as if their rounds weren't paired. Before is local; of a rate, the cost
// falls as it rises, so the sides change places.
static void two_tiers_unpaired(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {{118.3, 104.2, 124.0, 115.2, 110.9},
         {1161.8, 870.4, 1217.5, 1104.7, 1190.2},
         5,
         5,
         NULL,
         NULL,
         "9.9612",
         "7.5556",
         "11.1497",
         "96.825"},
        {{4.6, 5.1, 4.0, 4.4, 4.9},
         {69.1, 84.5, 61.0, 66.2, 73.8},
         5,
         5,
         NULL,
         NULL,
         "15.0612",
         "12.9804",
         "18.4500",
         "96.825"},
        {{6.9, 6.5, 7.2, 6.8, 7.0},
         {812.5, 699.3, 935.2, 774.6, 868.1},
         5,
         5,
         NULL,
         NULL,
         "119.1692",
         "101.3478",
         "135.5362",
         "96.825"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_pair(&pairs[i]);
}

// Values with the u that is asked for: `after` lies above as many of `before`.
static struct mann_whitney test_with_u(size_t n, size_t u)
{
    double before[10], after[10];
    for (size_t i = 0; i < n; i++) {
        before[i] = (double)i + 1;
        size_t below = u < n ? u : n;
        u -= below;
        after[i] = (double)below + 0.5 + (double)i / 100;
    }
    return mann_whitney(before, n, after, n);
}

static void p_by_u(void **state)
{
    (void)state;
    static const struct {
        size_t n, first;
        const char *p[14];
    } tables[] = {
        {4, 0, {".0285714286", ".0571428571", ".1142857143", ".2000000000"}},
        {5,
         0,
         {".0079365079", ".0158730159", ".0317460317", ".0555555556", ".0952380952", ".1507936508",
          ".2222222222", ".3095238095", ".4206349206", ".5476190476", ".6904761905", ".8412698413"}},
        {6,
         0,
         {".0021645022", ".0043290043", ".0086580087", ".0151515152", ".0259740260", ".0411255411",
          ".0649350649"}},
        {8, 13, {".0498834499", ".0649572650"}},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t j = 0; j < 14 && tables[i].p[j]; j++) {
            size_t n = tables[i].n, u = tables[i].first + j;
            char expected[16];
            snprintf(expected, sizeof expected, "0%s", tables[i].p[j]);
            struct mann_whitney low = test_with_u(n, u), high = test_with_u(n, n * n - u);
            assert_true(low.u == (double)u && high.u == (double)(n * n - u));
            assert_true(low.exact && high.exact);
            assert_digits(low.p, expected);
            assert_digits(high.p, expected);
        }
    assert_true(test_with_u(5, 12).p == 1);
}

static void least_p(void **state)
{
    (void)state;
    static const struct {
        size_t n1, n2;
        const char *p;
    } cases[] = {{3, 3, "0.1000"},   {4, 4, "0.02857"},   {5, 5, "0.007937"},  {6, 6, "0.002165"},
                 {7, 7, "0.000583"}, {8, 8, "0.000155"},  {9, 9, "0.0000411"}, {10, 10, "0.0000108"},
                 {3, 4, "0.057143"}, {3, 5, "0.035714"},  {3, 6, "0.023810"},  {4, 5, "0.015873"},
                 {4, 6, "0.009524"}, {5, 6, "0.004329"},  {5, 10, "0.000666"}, {1, 1, "1"},
                 {0, 5, "1"},        {500, 500, "0.0000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n1 = cases[i].n1, n2 = cases[i].n2;
        assert_digits(mann_whitney_least_p(n1, n2), cases[i].p);
        assert_digits(mann_whitney_least_p(n2, n1), cases[i].p);
        if (n1 == 0 || n1 + n2 > 20)
            continue;
        double before[10], after[10];
        for (size_t j = 0; j < 10; j++) {
            before[j] = (double)j;
            after[j] = (double)j + 100;
        }
        assert_digits(mann_whitney(before, n1, after, n2).p, cases[i].p);
        assert_digits(mann_whitney(before, n2, after, n1).p, cases[i].p);
    }
}

static void ties_are_counted_not_corrected(void **state)
{
    (void)state;
    struct mann_whitney test = mann_whitney((const double[]){1.0, 1.1, 1.2, 1.3, 1.4}, 5,
                                            (const double[]){1.2, 1.3, 1.4, 1.5, 1.6}, 5);
    assert_digits(test.u, "20.5");
    assert_digits(test.p, "0.1269841270");
    test = mann_whitney((const double[]){2, 1, 3, 5}, 4, (const double[]){0, 4, 6, 7}, 4);
    assert_digits(test.p, "0.4857142857");
    test = mann_whitney((const double[]){5, 5, 5, 5, 5}, 5, (const double[]){5, 5, 5, 5, 6}, 5);
    assert_true(test.p == 1 && !test.identical);
    // A lopsided distribution: doubling its lower tail would give 0.
    test = mann_whitney((const double[]){2, 1, 3, 5}, 4, (const double[]){1, 1, 1, 1, 1}, 5);
    assert_digits(test.p, "0.047619");
}

static void equal_values_are_identical(void **state)
{
    (void)state;
    double same[600];
    for (size_t i = 0; i < 600; i++)
        same[i] = 5;
    struct mann_whitney test = mann_whitney(same, 5, same, 5);
    assert_true(test.identical && test.p == 1 && test.u == 12.5);
    test = mann_whitney(same, 600, same, 600);
    assert_true(test.identical && test.p == 1 && !test.exact);
}

static void nothing_to_compare(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3}, broken[] = {1, NAN, 3}, endless[] = {1, INFINITY, 3};
    assert_true(mann_whitney(values, 3, NULL, 0).p == 1);
    assert_true(mann_whitney(NULL, 0, values, 3).p == 1);
    assert_true(mann_whitney(values, 3, broken, 3).p == 1);
    assert_true(mann_whitney(values, 3, endless, 3).u == 6);
    assert_true(shift_between(values, 3, NULL, 0).coverage == 0);
    assert_true(shift_between(endless, 3, values, 3).coverage == 0);
    assert_true(shift_between(broken, 3, values, 3).coverage == 0);
}

// Past a million splits: 12 against 12 are 2.7 million. Computed by hand from the formula: U is 108, its
// mean 72, its deviation sqrt(300) without ties, so z = 35.5 / sqrt(300).
static void many_splits_are_approximated(void **state)
{
    (void)state;
    double before[12], after[12];
    for (size_t i = 0; i < 12; i++) {
        before[i] = (double)i;
        after[i] = (double)i + (i < 6 ? 3.5 : 6.5);
    }
    struct mann_whitney test = mann_whitney(before, 12, after, 12);
    assert_false(test.exact);
    double z = (fabs(test.u - 72) - 0.5) / sqrt(300);
    assert_true(fabs(test.p - erfc(z / sqrt(2))) < 1e-12);
    assert_true(test.p > 0 && test.p < 0.05);

    // Each value twice: 12 ties of 2 take 12 * (8 - 2) / (24 * 23) off 25.
    for (size_t i = 0; i < 12; i++) {
        before[i] = (double)(i / 2);
        after[i] = (double)(i / 2) + 20;
    }
    test = mann_whitney(before, 12, after, 12);
    z = (72 - 0.5) / sqrt(12 * (25 - 72.0 / (24 * 23)));
    assert_true(fabs(test.p - erfc(z / sqrt(2))) < 1e-12);
    // No difference at all is no evidence, though the correction would overshoot.
    assert_true(mann_whitney(before, 12, before, 12).p == 1);
    // The last that is counted, 11 against 11, and what the approximation would say, agree.
    for (size_t i = 0; i < 11; i++) {
        before[i] = (double)i;
        after[i] = (double)i + 3.5;
    }
    test = mann_whitney(before, 11, after, 11);
    assert_true(test.exact);
    z = (fabs(test.u - 60.5) - 0.5) / sqrt(121 * 23 / 12.0);
    assert_true(fabs(test.p - erfc(z / sqrt(2))) < 0.003);
}

// The differences are 0, 1, 2, ... so that each end tells its own rank. The sizes past 10 against 10 were
// computed in whole numbers.
static void takes_the_kth_difference(void **state)
{
    (void)state;
    static const struct {
        size_t n1, n2, k;
        const char *percent;
    } cases[] = {{3, 3, 1, "90"},
                 {4, 4, 1, "97.14"},
                 {5, 5, 3, "96.83"},
                 {6, 6, 6, "95.89"},
                 {7, 7, 9, "96.21"},
                 {8, 8, 14, "95.01"},
                 {9, 9, 18, "96.00"},
                 {10, 10, 24, "95.67"},
                 {3, 5, 1, "96.42857143"},
                 {4, 6, 3, "96.19047619"},
                 {5, 10, 9, "96.00399600"},
                 {12, 12, 38, "95.50980047"},
                 {20, 30, 201, "95.18705367"},
                 {50, 50, 966, "95.04522764"},
                 {100, 100, 4198, "95.02465596"},
                 {7, 200, 397, "95.00615140"},
                 {200, 250, 22314, "95.00424563"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            size_t n1 = swapped ? cases[i].n2 : cases[i].n1, n2 = swapped ? cases[i].n1 : cases[i].n2;
            double before[250], after[250];
            for (size_t j = 0; j < n1; j++)
                before[j] = -(double)(j * n2);
            for (size_t j = 0; j < n2; j++)
                after[j] = (double)j;
            struct hodges_lehmann shift = shift_between(before, n1, after, n2);
            assert_true(shift.low == (double)(cases[i].k - 1));
            assert_true(shift.high == (double)(n1 * n2 - cases[i].k));
            assert_true(shift.estimate == (double)(n1 * n2 - 1) / 2);
            assert_percent(shift.coverage, cases[i].percent);
        }
}

static void keeps_the_order_of_rounds(void **state)
{
    (void)state;
    double before[5];
    memcpy(before, delete_before, sizeof before);
    mann_whitney(before, 5, before, 5);
    shift_between(before, 5, before, 5);
    assert_memory_equal(before, delete_before, sizeof before);
}

int test_mann_whitney(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs),
        cmocka_unit_test(two_tiers_unpaired),
        cmocka_unit_test(p_by_u),
        cmocka_unit_test(least_p),
        cmocka_unit_test(ties_are_counted_not_corrected),
        cmocka_unit_test(equal_values_are_identical),
        cmocka_unit_test(nothing_to_compare),
        cmocka_unit_test(many_splits_are_approximated),
        cmocka_unit_test(takes_the_kth_difference),
        cmocka_unit_test(keeps_the_order_of_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
