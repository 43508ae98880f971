#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_rng(int argc, char *argv[]);

// The first outputs of splitmix64 with this seed.
static void is_seeded_by_splitmix64(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1234567);
    assert_true(rng.state[0] == UINT64_C(6457827717110365317));
    assert_true(rng.state[1] == UINT64_C(3203168211198807973));
    assert_true(rng.state[2] == UINT64_C(9817491932198370423));
    assert_true(rng.state[3] == UINT64_C(4593380528125082431));
}

// The published sequence from the state 1, 2, 3, 4.
static void is_xoshiro256_star_star(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_true(rng_next(&rng) == expected[i]);
}

static void fills_exactly_what_it_is_given(void **state)
{
    (void)state;
    for (size_t size = 0; size < 40; size++) {
        unsigned char a[48], b[48];
        memset(a, 0xaa, sizeof a);
        memset(b, 0xaa, sizeof b);
        struct rng one, two;
        rng_seed(&one, 7);
        rng_seed(&two, 7);
        rng_fill(&one, a, size);
        rng_fill(&two, b, size);
        assert_memory_equal(a, b, sizeof a);
        for (size_t i = size; i < sizeof a; i++)
            assert_int_equal(a[i], 0xaa);
        assert_true(rng_next(&one) == rng_next(&two));
    }
    struct rng rng;
    rng_seed(&rng, 7);
    unsigned char first[16], second[16];
    rng_fill(&rng, first, sizeof first);
    rng_fill(&rng, second, sizeof second);
    assert_memory_not_equal(first, second, sizeof first);
}

static void names_nobody_guesses(void **state)
{
    (void)state;
    char a[17], b[17];
    memset(a, '!', sizeof a);
    random_hex(a, 16);
    random_hex(b, 16);
    assert_int_equal(strlen(a), 16);
    assert_int_equal(strspn(a, "0123456789abcdef"), 16);
    assert_string_not_equal(a, b);
    random_hex(a, 0);
    assert_string_equal(a, "");
}

int test_rng(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_seeded_by_splitmix64),
        cmocka_unit_test(is_xoshiro256_star_star),
        cmocka_unit_test(fills_exactly_what_it_is_given),
        cmocka_unit_test(names_nobody_guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
