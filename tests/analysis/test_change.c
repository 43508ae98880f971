#include "analysis/change.h"
#include "stats/digits.h"
#include "stats/holm.h"
#include "stats/simulate.h"

#include <math.h>

int test_change(int argc, char *argv[]);

enum { ROUNDS_MOST = 6 };

static const struct runs {
    const char *name;
    size_t n;
    double before[ROUNDS_MOST], after[ROUNDS_MOST];
    const char *u, *p, *factor, *low, *high, *percent;
} cases[] = {
    {"V1",
     5,
     {812.5, 699.3, 935.2, 774.6, 868.1},
     {1012.0, 955.4, 1104.9, 990.2, 1061.3},
     "25",
     "0.0079365079",
     "1.245538",
     "1.082121",
     "1.447161",
     "96.83"},
    {"V2",
     5,
     {812.5, 699.3, 935.2, 774.6, 868.1},
     {845.0, 720.1, 901.7, 799.9, 880.4},
     "14",
     "0.8412698413",
     "1.029744",
     "0.855325",
     "1.208351",
     "96.83"},
    {"V3",
     5,
     {100, 102, 104, 106, 108},
     {107, 110, 112, 115, 118},
     "24",
     "0.0158730159",
     "1.078431",
     "1.018519",
     "1.150000",
     "96.83"},
    {"V4",
     3,
     {100, 101, 102},
     {130, 131, 132},
     "9",
     "0.1000000000",
     "1.297030",
     "1.274510",
     "1.320000",
     "90"},
    {"V5",
     4,
     {100, 101, 102, 103},
     {110, 112, 113, 115},
     "16",
     "0.0285714286",
     "1.108377",
     "1.067961",
     "1.150000",
     "97.14"},
    {"V6",
     6,
     {100, 101, 102, 103, 104, 105},
     {103.5, 104.5, 105.5, 106.5, 107.5, 108.5},
     "33",
     "0.0151515152",
     "1.034147",
     "1.004854",
     "1.063725",
     "95.89"},
    {"V7",
     6,
     {100, 100.5, 101, 101.5, 102, 102.5},
     {100.2, 100.7, 101.2, 101.7, 102.2, 102.7},
     "21",
     "0.6991341991",
     "1.001975",
     "0.987317",
     "1.016832",
     "95.89"},
    {"V8 P",
     6,
     {800, 820, 790, 810, 830, 805},
     {965, 990, 945, 970, 1005, 960},
     "36",
     "0.0021645022",
     "1.199379",
     "1.168675",
     "1.237500",
     "95.89"},
    {"V8 E",
     6,
     {7.0, 7.1, 6.9, 7.2, 6.8, 7.05},
     {8.4, 8.6, 8.3, 8.7, 8.2, 8.5},
     "36",
     "0.0021645022",
     "1.205778",
     "1.169014",
     "1.242857",
     "95.89"},
};

static const struct runs *case_of(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    fail_msg("no case %s", name);
    return NULL;
}

static struct change change_of(const char *name)
{
    const struct runs *runs = case_of(name);
    return change_between(runs->before, runs->n, runs->after, runs->n);
}

// A's costs over B's of V8, round by round.
static struct change relative_of_v8(void)
{
    const struct runs *a = case_of("V8 P"), *b = case_of("V8 E");
    double before[ROUNDS_MOST], after[ROUNDS_MOST];
    for (size_t i = 0; i < ROUNDS_MOST; i++) {
        before[i] = a->before[i] / b->before[i];
        after[i] = a->after[i] / b->after[i];
    }
    return change_between(before, ROUNDS_MOST, after, ROUNDS_MOST);
}

// Holm's p of a change among `family` metrics, of which it has the least.
static double adjusted_in(const struct change *change, size_t family)
{
    double p[100], adjusted[100];
    assert_in_range(family, 1, 100);
    for (size_t i = 0; i < family; i++)
        p[i] = i == 0 ? change->test.p : 1;
    holm_adjust(p, family, adjusted);
    return adjusted[0];
}

static void assert_words(const struct change *change, enum change_word word, double limit,
                         const char *expected)
{
    struct text text = {0};
    change_put(change, word, limit, &text);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static void figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct change change = change_of(cases[i].name);
        assert_true(change.comparable);
        assert_int_equal(change.before, cases[i].n);
        assert_int_equal(change.after, cases[i].n);
        assert_digits(change.test.u, cases[i].u);
        assert_digits(change.test.p, cases[i].p);
        assert_digits(change.factor.estimate, cases[i].factor);
        assert_digits(change.factor.low, cases[i].low);
        assert_digits(change.factor.high, cases[i].high);
        assert_percent(change.factor.coverage, cases[i].percent);
    }
    struct change relative = relative_of_v8();
    assert_digits(relative.test.p, "0.8181818182");
    assert_digits(relative.factor.estimate, "0.996487");
    assert_digits(relative.factor.low, "0.965377");
    assert_digits(relative.factor.high, "1.023256");
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t family;
        const char *adjusted_p;
        enum change_word word;
        const char *sentence;
    } expected[] = {
        {"V1", 1, "0.0079", CHANGE_SLOWER, "slower: at least 8 %, perhaps 45 %"},
        {"V1", 6, "0.0476", CHANGE_SLOWER, "slower: at least 8 %, perhaps 45 %"},
        {"V1", 7, "0.0556", CHANGE_NO_DETECTABLE_CHANGE,
         "no detectable change (a change between +8 % and +45 % could hide here)"},
        {"V2", 1, "0.8413", CHANGE_NO_DETECTABLE_CHANGE,
         "no detectable change (a change between -14 % and +21 % could hide here)"},
        {"V3", 1, "0.0159", CHANGE_SLOWER_SIZE_UNCLEAR, "slower, size unclear: between 2 % and 15 %"},
        {"V4", 1, "0.1000", CHANGE_CANNOT_TELL,
         "cannot tell: n too small (with 3 rounds a side even complete separation happens by luck 10 % of "
         "the "
         "time)"},
        {"V5", 1, "0.0286", CHANGE_SLOWER, "slower: at least 6 %, perhaps 15 %"},
        {"V5", 2, "0.0571", CHANGE_NO_DETECTABLE_CHANGE,
         "no detectable change (a change between +7 % and +15 % could hide here)"},
        {"V6", 1, "0.0152", CHANGE_SLOWER_SIZE_UNCLEAR, "slower, size unclear: between 0 % and 6 %"},
        {"V7", 1, "0.6991", CHANGE_NO_CHANGE_LARGER, "no change larger than 5 %"},
        {"V8 P", 1, "0.0022", CHANGE_SLOWER, "slower: at least 16 %, perhaps 24 %"},
        {"V8 E", 1, "0.0022", CHANGE_SLOWER, "slower: at least 16 %, perhaps 24 %"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct change change = change_of(expected[i].name);
        double adjusted = adjusted_in(&change, expected[i].family);
        assert_digits(adjusted, expected[i].adjusted_p);
        enum change_word word = change_word_of(&change, adjusted, 0.05);
        if (word != expected[i].word)
            fail_msg("%s of %zu: word %d", expected[i].name, expected[i].family, (int)word);
        assert_words(&change, word, 0.05, expected[i].sentence);
    }
}

// The same runs the other way round: what was slower is faster, by as much.
static void faster_mirrors_slower(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum change_word word;
        const char *sentence;
    } expected[] = {
        {"V1", CHANGE_FASTER, "faster: at least 8 %, perhaps 45 %"},
        {"V2", CHANGE_NO_DETECTABLE_CHANGE,
         "no detectable change (a change between -17 % and +17 % could hide here)"},
        {"V3", CHANGE_FASTER_SIZE_UNCLEAR, "faster, size unclear: between 2 % and 15 %"},
        {"V5", CHANGE_FASTER, "faster: at least 6 %, perhaps 15 %"},
        {"V7", CHANGE_NO_CHANGE_LARGER, "no change larger than 5 %"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct runs *runs = case_of(expected[i].name);
        struct change change = change_between(runs->after, runs->n, runs->before, runs->n);
        enum change_word word = change_word_of(&change, change.test.p, 0.05);
        assert_int_equal(word, expected[i].word);
        assert_words(&change, word, 0.05, expected[i].sentence);
    }
}

static void the_limit_decides(void **state)
{
    (void)state;
    struct change v1 = change_of("V1"), v7 = change_of("V7");
    assert_int_equal(change_word_of(&v1, v1.test.p, 0.08), CHANGE_SLOWER);
    assert_int_equal(change_word_of(&v1, v1.test.p, 0.09), CHANGE_SLOWER_SIZE_UNCLEAR);
    assert_int_equal(change_word_of(&v7, v7.test.p, 0.017), CHANGE_NO_CHANGE_LARGER);
    assert_int_equal(change_word_of(&v7, v7.test.p, 0.016), CHANGE_NO_DETECTABLE_CHANGE);
    assert_words(&v7, CHANGE_NO_CHANGE_LARGER, 0.0725, "no change larger than 7.25 %");
}

static void large_changes_are_factors(void **state)
{
    (void)state;
    const double before[] = {100, 110, 120, 130, 140}, after[] = {205, 301, 450, 512, 611};
    struct change slower = change_between(before, 5, after, 5);
    assert_digits(slower.factor.low, "1.7083");
    assert_digits(slower.factor.high, "5.1200");
    assert_words(&slower, CHANGE_SLOWER, 0.05, "slower: at least 1.70x, perhaps 5.12x");
    struct change faster = change_between(after, 5, before, 5);
    assert_words(&faster, CHANGE_FASTER, 0.05, "faster: at least 1.70x, perhaps 5.12x");
    assert_words(&faster, CHANGE_NO_DETECTABLE_CHANGE, 0.05,
                 "no detectable change (a change between 0.195x and 0.585x could hide here)");
    struct change huge = {.comparable = true, .factor = {.low = 1237.9, .high = 4 * 1237.9}};
    assert_words(&huge, CHANGE_SLOWER, 0.05, "slower: at least 1230x, perhaps 4952x");
}

static void cutting_spares_what_is_exact(void **state)
{
    (void)state;
    struct change change = {.comparable = true, .factor = {.low = 1.15, .high = 1.29}};
    assert_words(&change, CHANGE_SLOWER, 0.05,
                 "slower: at least 15 %, perhaps 29 %"); // 1.15 - 1 is 0.1499...
    change.factor.low = 1.1599;
    assert_words(&change, CHANGE_SLOWER, 0.05, "slower: at least 15 %, perhaps 29 %");
    change.factor.low = 0.998;
    assert_words(&change, CHANGE_SLOWER_SIZE_UNCLEAR, 0.05, "slower, size unclear: between 0 % and 29 %");
    assert_words(&change, CHANGE_NO_DETECTABLE_CHANGE, 0.05,
                 "no detectable change (a change between +0 % and +29 % could hide here)");
    change.factor.low = 0.98;
    assert_words(&change, CHANGE_SLOWER_SIZE_UNCLEAR, 0.05, "slower, size unclear: between -2 % and 29 %");
}

static void the_machine_changed(void **state)
{
    (void)state;
    struct change a = change_of("V8 P"), b = change_of("V8 E"), relative = relative_of_v8();
    enum change_word word = change_word_of(&relative, relative.test.p, 0.05);
    assert_int_equal(word, CHANGE_NO_CHANGE_LARGER);
    word = change_word_beside_control(word, &relative, &a, &b);
    assert_int_equal(word, CHANGE_MACHINE_CHANGED);
    assert_words(&relative, word, 0.05, "the machine changed, not the disk");

    // It takes both, and the same way.
    struct change still = change_of("V7"), none = {0}, back = {0};
    back = change_between(case_of("V8 E")->after, 6, case_of("V8 E")->before, 6);
    assert_int_equal(change_word_beside_control(CHANGE_NO_DETECTABLE_CHANGE, &relative, &a, &b),
                     CHANGE_MACHINE_CHANGED);
    assert_int_equal(change_word_beside_control(CHANGE_NO_CHANGE_LARGER, &relative, &a, &still),
                     CHANGE_NO_CHANGE_LARGER);
    assert_int_equal(change_word_beside_control(CHANGE_NO_CHANGE_LARGER, &relative, &still, &b),
                     CHANGE_NO_CHANGE_LARGER);
    assert_int_equal(change_word_beside_control(CHANGE_NO_CHANGE_LARGER, &relative, &a, &back),
                     CHANGE_NO_CHANGE_LARGER);
    assert_int_equal(change_word_beside_control(CHANGE_NO_CHANGE_LARGER, &relative, &a, &none),
                     CHANGE_NO_CHANGE_LARGER);
    assert_int_equal(change_word_beside_control(CHANGE_CANNOT_TELL, &relative, &a, &b), CHANGE_CANNOT_TELL);
    assert_int_equal(change_word_beside_control(CHANGE_NOT_COMPARED, &relative, &a, &b), CHANGE_NOT_COMPARED);
}

// The local tier alone got slower, so that the disk looks faster beside it.
static void the_control_changed(void **state)
{
    (void)state;
    const struct runs *b = case_of("V8 E");
    const double costs[] = {800, 820, 790, 810, 830, 805};
    double before[ROUNDS_MOST], after[ROUNDS_MOST];
    for (size_t i = 0; i < ROUNDS_MOST; i++) {
        before[i] = costs[i] / b->before[i];
        after[i] = costs[i] / b->after[i];
    }
    struct change a_alone = change_between(costs, 6, costs, 6), b_alone = change_of("V8 E");
    struct change relative = change_between(before, 6, after, 6);
    enum change_word word = change_word_of(&relative, relative.test.p, 0.05);
    assert_int_equal(word, CHANGE_FASTER);
    word = change_word_beside_control(word, &relative, &a_alone, &b_alone);
    assert_int_equal(word, CHANGE_CONTROL_CHANGED);
    assert_words(&relative, word, 0.05, "the control changed, not the disk");

    // Where the disk moved too, the word is the disk's.
    struct change a_faster = change_between(case_of("V8 P")->after, 6, case_of("V8 P")->before, 6);
    assert_int_equal(change_word_beside_control(CHANGE_FASTER, &relative, &a_faster, &b_alone),
                     CHANGE_FASTER);
    // A control that moved the way the ratio did can't have moved it.
    struct change b_faster = change_between(b->after, 6, b->before, 6);
    assert_int_equal(change_word_beside_control(CHANGE_FASTER, &relative, &a_alone, &b_faster),
                     CHANGE_FASTER);
}

static void too_few_rounds(void **state)
{
    (void)state;
    const double before[] = {100, 101, 102, 103, 104}, after[] = {200, 201, 202, 203, 204};
    static const struct {
        size_t before, after;
        enum change_word word;
        const char *sentence; // NULL: can tell
    } expected[] = {
        {1, 1, CHANGE_CANNOT_TELL,
         "cannot tell: n too small (with 1 round a side even complete separation happens by luck 100 % of "
         "the "
         "time)"},
        {2, 5, CHANGE_CANNOT_TELL,
         "cannot tell: n too small (with 2 and 5 rounds even complete separation happens by luck 10 % of the "
         "time)"},
        {3, 4, CHANGE_CANNOT_TELL,
         "cannot tell: n too small (with 3 and 4 rounds even complete separation happens by luck 6 % of the "
         "time)"},
        {3, 5, CHANGE_SLOWER, NULL},
        {4, 4, CHANGE_SLOWER, NULL},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct change change = change_between(before, expected[i].before, after, expected[i].after);
        enum change_word word = change_word_of(&change, change.test.p, 0.05);
        assert_int_equal(word, expected[i].word);
        if (expected[i].sentence)
            assert_words(&change, word, 0.05, expected[i].sentence);
    }
    // Not even that they are identical.
    struct change same = change_between(before, 1, before, 1);
    assert_int_equal(change_word_of(&same, 1, 0.05), CHANGE_CANNOT_TELL);
}

static void nothing_to_compare(void **state)
{
    (void)state;
    const double costs[] = {100, 101, 102, 103}, same[] = {7, 7, 7, 7};
    const double hostile[] = {0, -1, NAN, INFINITY};
    struct change change = change_between(same, 4, same, 4);
    assert_int_equal(change_word_of(&change, change.test.p, 0.05), CHANGE_IDENTICAL);
    assert_words(&change, CHANGE_IDENTICAL, 0.05, "identical");

    change = change_between(costs, 4, NULL, 0);
    assert_int_equal(change_word_of(&change, 0, 0.05), CHANGE_NOT_COMPARED);
    assert_words(&change, CHANGE_NOT_COMPARED, 0.05, "not compared");
    for (size_t i = 0; i < 4; i++) {
        double broken[] = {100, 101, hostile[i], 103};
        struct change one = change_between(broken, 4, costs, 4), other = change_between(costs, 4, broken, 4);
        assert_false(one.comparable);
        assert_false(other.comparable);
        assert_int_equal(change_word_of(&one, 0, 0.05), CHANGE_NOT_COMPARED);
    }
    change = (struct change){0};
    assert_int_equal(change_word_of(&change, 0, 0.05), CHANGE_NOT_COMPARED);
}

static void families(void **state)
{
    (void)state;
    static const size_t needed[][2] = {{0, 0},  {1, 4},  {2, 5},  {6, 5},  {7, 6},
                                       {23, 6}, {24, 7}, {85, 7}, {86, 8}, {321, 8}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        assert_int_equal(change_rounds_needed(needed[i][0]), needed[i][1]);

    struct text text = {0};
    assert_true(change_put_family(5, 5, 6, &text));
    assert_true(change_put_family(8, 8, 321, &text));
    assert_string_equal(text_string(&text), "");
    assert_false(change_put_family(5, 5, 7, &text));
    assert_string_equal(text_string(&text),
                        "cannot tell: 7 metrics need 6 rounds a side, and there are 5 and 5");
    text_free(&text);
    assert_false(change_put_family(3, 4, 1, &text));
    assert_string_equal(text_string(&text),
                        "cannot tell: 1 metric needs 4 rounds a side, and there are 3 and 4");
    text_free(&text);
}

// The same disk twice, on a machine that drifts between the runs; six metrics, of which none may be called
// slower or faster in more than 5 % of the comparisons.
static void the_same_disk_twice(void **state)
{
    (void)state;
    enum { TRIALS = 2000, METRICS = 6, N = 6 };
    struct rng rng;
    rng_seed(&rng, 1);
    size_t alarms = 0;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct change changes[METRICS];
        double p[METRICS], drift = exp(0.15 * simulate_normal(&rng));
        for (size_t metric = 0; metric < METRICS; metric++) {
            double ratio[2][N], disk[N], local[N];
            for (size_t run = 0; run < 2; run++) {
                simulate_rounds(&rng, run ? 800 * drift : 800, 0.05, disk, N);
                simulate_rounds(&rng, run ? 7 * drift : 7, 0.05, local, N);
                for (size_t i = 0; i < N; i++)
                    ratio[run][i] = disk[i] / local[i];
            }
            changes[metric] = change_between(ratio[0], N, ratio[1], N);
            p[metric] = changes[metric].test.p;
        }
        holm_adjust(p, METRICS, p);
        bool any = false;
        for (size_t metric = 0; metric < METRICS; metric++) {
            enum change_word word = change_word_of(&changes[metric], p[metric], 0.05);
            any = any || (word != CHANGE_NO_CHANGE_LARGER && word != CHANGE_NO_DETECTABLE_CHANGE);
        }
        alarms += any;
    }
    assert_true(binomial_lower_bound(alarms, TRIALS) <= 0.05);
}

int test_change(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),
        cmocka_unit_test(words),
        cmocka_unit_test(faster_mirrors_slower),
        cmocka_unit_test(the_limit_decides),
        cmocka_unit_test(large_changes_are_factors),
        cmocka_unit_test(cutting_spares_what_is_exact),
        cmocka_unit_test(the_machine_changed),
        cmocka_unit_test(the_control_changed),
        cmocka_unit_test(too_few_rounds),
        cmocka_unit_test(nothing_to_compare),
        cmocka_unit_test(families),
        cmocka_unit_test(the_same_disk_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
