#include "digits.h"
#include "stats/ranks.h"

int test_ranks(int argc, char *argv[]);

static void ties_share_their_ranks(void **state)
{
    (void)state;
    const double values[] = {3, 1, 3, -2, 3, 8};
    const size_t expected[] = {8, 4, 8, 2, 8, 12};
    size_t twice[6];
    ranks_twice(values, 6, twice);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(twice[i], expected[i]);
    ranks_twice(NULL, 0, NULL);
}

static void zeros_of_either_sign_tie(void **state)
{
    (void)state;
    size_t twice[2];
    ranks_twice((const double[]){0.0, -0.0}, 2, twice);
    assert_int_equal(twice[0], 3);
    assert_int_equal(twice[1], 3);
}

static void sorts_and_finds_the_middle(void **state)
{
    (void)state;
    double values[] = {4, -1, 3, 2};
    values_sort(values, 4);
    assert_true(values[0] == -1 && values[1] == 2 && values[2] == 3 && values[3] == 4);
    assert_true(sorted_median(values, 4) == 2.5);
    assert_true(sorted_median(values, 3) == 2);
    values_sort(NULL, 0);
}

int test_ranks(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_share_their_ranks),
        cmocka_unit_test(zeros_of_either_sign_tie),
        cmocka_unit_test(sorts_and_finds_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
