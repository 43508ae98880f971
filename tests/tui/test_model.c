#include "tui/model.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// What each action asks for on the live screen: while measuring, once it was told to stop, and when over.
static void effects(void **state)
{
    (void)state;
    static const struct {
        enum action action;
        enum effect measuring, stopping, over;
    } wanted[] = {
        {ACTION_NONE, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_FREEZE, EFFECT_FREEZE, EFFECT_FREEZE, EFFECT_FREEZE},
        {ACTION_SKIP, EFFECT_SKIP, EFFECT_NONE, EFFECT_NONE},
        {ACTION_LOG_SCALE, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_UP, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_DOWN, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_PAGE_UP, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_PAGE_DOWN, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_FIRST, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_LAST, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_REDRAW, EFFECT_REDRAW, EFFECT_REDRAW, EFFECT_REDRAW},
        {ACTION_HELP, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_CLOSE, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {ACTION_QUIT, EFFECT_STOP, EFFECT_LEAVE, EFFECT_LEAVE},
        {ACTION_COUNT, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
        {(enum action)1000, EFFECT_NONE, EFFECT_NONE, EFFECT_NONE},
    };
    assert_int_equal(sizeof wanted / sizeof *wanted, ACTION_COUNT + 2);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct model measuring = {.screen = SCREEN_LIVE};
        struct model stopping = {.screen = SCREEN_LIVE, .stopping = true};
        struct model over = {.screen = SCREEN_RESULTS};
        assert_int_equal(model_update(&measuring, wanted[i].action, true), wanted[i].measuring);
        assert_int_equal(model_update(&stopping, wanted[i].action, true), wanted[i].stopping);
        assert_int_equal(model_update(&over, wanted[i].action, false), wanted[i].over);
        assert_int_equal(measuring.stopping, wanted[i].measuring == EFFECT_STOP);
    }
}

static void freezing_toggles(void **state)
{
    (void)state;
    struct model model = {.screen = SCREEN_LIVE};
    model_update(&model, ACTION_FREEZE, true);
    assert_true(model.frozen);
    model_update(&model, ACTION_FREEZE, true);
    assert_false(model.frozen);
}

// The key always shows the other scale than the one that is there.
static void scale_toggles(void **state)
{
    (void)state;
    struct model model = {.screen = SCREEN_LIVE};
    model_update(&model, ACTION_LOG_SCALE, true);
    assert_int_equal(model.throughput, SCALE_LOGARITHMIC);
    model_update(&model, ACTION_LOG_SCALE, true);
    assert_int_equal(model.throughput, SCALE_AUTOMATIC);
    model.automatic_logarithmic = true;
    model_update(&model, ACTION_LOG_SCALE, true);
    assert_int_equal(model.throughput, SCALE_LINEAR);
    model_update(&model, ACTION_LOG_SCALE, true);
    assert_int_equal(model.throughput, SCALE_AUTOMATIC);
    // The tiers came close together while the scale was held.
    model.throughput = SCALE_LOGARITHMIC;
    model.automatic_logarithmic = false;
    model_update(&model, ACTION_LOG_SCALE, true);
    assert_int_equal(model.throughput, SCALE_AUTOMATIC);
}

static void help_closes_and_hides_the_rest(void **state)
{
    (void)state;
    static const enum action closing[] = {ACTION_HELP, ACTION_CLOSE, ACTION_QUIT};
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
        struct model model = {.screen = SCREEN_LIVE, .help = true};
        assert_int_equal(model_update(&model, closing[i], true), EFFECT_NONE);
        assert_false(model.help);
        assert_false(model.stopping);
    }
    struct model model = {.screen = SCREEN_LIVE};
    model_update(&model, ACTION_HELP, true);
    assert_true(model.help);
    static const enum action hidden[] = {ACTION_FREEZE, ACTION_SKIP, ACTION_LOG_SCALE, ACTION_DOWN,
                                         ACTION_LAST};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        assert_int_equal(model_update(&model, hidden[i], true), EFFECT_NONE);
    struct model untouched = {.screen = SCREEN_LIVE, .help = true};
    assert_memory_equal(&model, &untouched, sizeof model);
    assert_int_equal(model_update(&model, ACTION_REDRAW, true), EFFECT_REDRAW);
    assert_true(model.help);
}

static void scrolling_stays_in_range(void **state)
{
    (void)state;
    struct model model = {.screen = SCREEN_RESULTS};
    model_update(&model, ACTION_UP, false);
    assert_int_equal(model.scroll, 0);
    model_update(&model, ACTION_DOWN, false);
    assert_int_equal(model.scroll, 1);
    model_update(&model, ACTION_PAGE_DOWN, false);
    assert_true(model.scroll > 5);
    model_update(&model, ACTION_LAST, false);
    model_update(&model, ACTION_DOWN, false);
    model_update(&model, ACTION_LAST, false);
    model_update(&model, ACTION_PAGE_DOWN, false);
    assert_int_equal(model.scroll, INT_MAX);
    model_clamp(&model, 7);
    assert_int_equal(model.scroll, 7);
    model_update(&model, ACTION_UP, false);
    assert_int_equal(model.scroll, 6);
    model_update(&model, ACTION_PAGE_UP, false);
    assert_int_equal(model.scroll, 0);
    model.scroll = 5;
    model_update(&model, ACTION_FIRST, false);
    assert_int_equal(model.scroll, 0);
    model_update(&model, ACTION_DOWN, false);
    model_clamp(&model, -3);
    assert_int_equal(model.scroll, 0);
}

int test_model(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects),
        cmocka_unit_test(freezing_toggles),
        cmocka_unit_test(scale_toggles),
        cmocka_unit_test(help_closes_and_hides_the_rest),
        cmocka_unit_test(scrolling_stays_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
