#include "digits.h"
#include "stats/histogram.h"
#include "stats/intraclass.h"

#include <math.h>

int test_intraclass(int argc, char *argv[]);

static struct intraclass_group group_of(const double *values, size_t count, double shift)
{
    struct intraclass_group group = {.count = count};
    for (size_t i = 0; i < count; i++) {
        group.sum += values[i] - shift;
        group.sum_of_squares += (values[i] - shift) * (values[i] - shift);
    }
    return group;
}

static const double rounds[3][4] = {{1.0, 1.2, .9, 1.1}, {1.4, 1.6, 1.5, 1.3}, {.8, 1.0, .9, .9}};

static void of_three_rounds(void **state)
{
    (void)state;
    const double shifts[] = {0, 1.1, -3};
    for (size_t s = 0; s < 3; s++) {
        struct intraclass_group groups[3];
        for (size_t i = 0; i < 3; i++)
            groups[i] = group_of(rounds[i], 4, shifts[s]);
        struct intraclass result = intraclass(groups, 3);
        assert_true(result.known);
        assert_digits(result.between, "0.323333");
        assert_digits(result.within, "0.013333");
        assert_digits(result.icc, "0.853211");
        assert_digits(12 / result.n_effective, "3.559633");
        assert_digits(result.n_effective, "3.3711");
    }
}

// Five rounds of 200 with the mean squares that make that ICC.
static struct intraclass of_five(double icc)
{
    const double means[] = {-2, -1, 0, 1, 2}; // sum of squares 10
    double within = icc < 1 ? 1 : 0;
    double between = icc < 1 ? (1 + 199 * icc) / (1 - icc) : 1;
    double scale = sqrt(between * 4 / (200 * 10));
    struct intraclass_group groups[5];
    for (size_t i = 0; i < 5; i++) {
        double mean = means[i] * scale;
        groups[i] = (struct intraclass_group){
            .count = 200, .sum = 200 * mean, .sum_of_squares = 200 * mean * mean + 199 * within};
    }
    return intraclass(groups, 5);
}

static void shrinks_with_likeness(void **state)
{
    (void)state;
    static const struct {
        double icc;
        const char *n_effective;
    } cases[] = {{0, "1000"}, {.01, "334.4"}, {.05, "91.3"}, {.2, "24.5"}, {.5, "10.0"}, {1, "5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct intraclass result = of_five(cases[i].icc);
        assert_true(result.known);
        assert_true(fabs(result.icc - cases[i].icc) < 1e-12);
        assert_digits(result.n_effective, cases[i].n_effective);
    }
}

static void pooled_p90_survives_up_to_an_icc_of_045(void **state)
{
    (void)state;
    assert_true(histogram_carries_effective(of_five(.045).n_effective, 900, HISTOGRAM_BEYOND));
    assert_false(histogram_carries_effective(of_five(.046).n_effective, 900, HISTOGRAM_BEYOND));
}

// The same values, 10^9 above: the squares are 10^18, where a double tells no more than 128 apart.
static void a_shift_keeps_what_squares_lose(void **state)
{
    (void)state;
    const double far = 1e9;
    struct intraclass_group groups[3];
    for (size_t i = 0; i < 3; i++) {
        double values[4];
        for (size_t j = 0; j < 4; j++)
            values[j] = rounds[i][j] + far;
        groups[i] = group_of(values, 4, far);
    }
    assert_digits(intraclass(groups, 3).icc, "0.853211");
}

// By hand: 1 3, 2 2 5, 6. N 6, k 3, means 2, 3, 6, of all 19/6; between (2*49/36 + 3*1/36 + 289/36) / 2 =
// 390/72, within (2 + 6) / 3; m0 = (6 - 14/6) / 2 = 11/6.
static void rounds_of_different_sizes(void **state)
{
    (void)state;
    const double a[] = {1, 3}, b[] = {2, 2, 5}, c[] = {6};
    const struct intraclass_group groups[] = {group_of(a, 2, 0), {0}, group_of(b, 3, 0), group_of(c, 1, 0)};
    struct intraclass result = intraclass(groups, 4);
    double between = 390.0 / 72, within = 8.0 / 3, icc = (between - within) / (between + within * 5 / 6);
    assert_true(result.known);
    assert_true(fabs(result.between - between) < 1e-12);
    assert_true(fabs(result.within - within) < 1e-12);
    assert_true(fabs(result.icc - icc) < 1e-12);
    assert_true(fabs(result.n_effective - 6 / (1 + icc)) < 1e-12);
}

static void unlike_rounds_are_worth_all(void **state)
{
    (void)state;
    const double a[] = {1, 5}, b[] = {2, 4};
    const struct intraclass_group groups[] = {group_of(a, 2, 3), group_of(b, 2, 3)};
    struct intraclass result = intraclass(groups, 2);
    assert_true(result.known);
    assert_digits(result.icc, "-1"); // nothing between, (8 + 2) / 2 within
    assert_digits(result.within, "5");
    assert_true(result.n_effective == 4);
}

static void unknown_where_rounds_cannot_tell(void **state)
{
    (void)state;
    const double a[] = {1, 2}, same[] = {3, 3};
    const struct intraclass_group one[] = {group_of(a, 2, 0), {0}};
    const struct intraclass_group singles[] = {group_of(a, 1, 0), group_of(a + 1, 1, 0)};
    const struct intraclass_group equal[] = {group_of(same, 2, 0), group_of(same, 2, 0)};
    assert_false(intraclass(NULL, 0).known);
    assert_false(intraclass(one, 2).known);
    assert_false(intraclass(singles, 2).known);
    assert_false(intraclass(equal, 2).known);
    assert_true(intraclass(equal, 2).n_effective == 0);
    const struct intraclass_group broken[] = {{2, NAN, 1}, {2, 1, 1}},
                                  endless[] = {{2, 1, INFINITY}, {2, 1, 1}};
    assert_false(intraclass(broken, 2).known);
    assert_false(intraclass(endless, 2).known);
}

int test_intraclass(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_three_rounds),
        cmocka_unit_test(shrinks_with_likeness),
        cmocka_unit_test(pooled_p90_survives_up_to_an_icc_of_045),
        cmocka_unit_test(a_shift_keeps_what_squares_lose),
        cmocka_unit_test(rounds_of_different_sizes),
        cmocka_unit_test(unlike_rounds_are_worth_all),
        cmocka_unit_test(unknown_where_rounds_cannot_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
