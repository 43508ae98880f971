#include "tui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void no_key_twice_on_a_screen(void **state)
{
    (void)state;
    for (size_t i = 0; i < key_binding_count; i++)
        for (size_t j = i + 1; j < key_binding_count; j++)
            if (key_bindings[i].screens & key_bindings[j].screens) {
                assert_int_not_equal(key_bindings[i].code, key_bindings[j].code);
                assert_string_not_equal(key_bindings[i].key, key_bindings[j].key);
            }
}

static void every_action_has_a_key_and_help(void **state)
{
    (void)state;
    for (int action = ACTION_NONE + 1; action < ACTION_COUNT; action++) {
        bool helped = false;
        for (size_t i = 0; i < key_binding_count; i++)
            helped |= (int)key_bindings[i].action == action && key_bindings[i].help;
        assert_true(helped);
    }
}

// A binding without help of its own is another key for the one above it.
static void further_keys_follow_the_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < key_binding_count; i++) {
        if (key_bindings[i].help)
            continue;
        assert_true(i > 0);
        assert_int_equal(key_bindings[i].action, key_bindings[i - 1].action);
        assert_int_equal(key_bindings[i].screens, key_bindings[i - 1].screens);
        assert_null(key_bindings[i].label);
    }
}

static void keys_mean_something_on_their_screen_only(void **state)
{
    (void)state;
    assert_int_equal(keymap_action(SCREEN_LIVE, ' '), ACTION_FREEZE);
    assert_int_equal(keymap_action(SCREEN_RESULTS, ' '), ACTION_NONE);
    assert_int_equal(keymap_action(SCREEN_RESULTS, 'j'), ACTION_DOWN);
    assert_int_equal(keymap_action(SCREEN_LIVE, 'j'), ACTION_NONE);
    assert_int_equal(keymap_action(SCREEN_RESULTS, KEY_CODE_END), ACTION_LAST);
    assert_int_equal(keymap_action(SCREEN_LIVE, 'L' & 0x1f), ACTION_REDRAW);
    assert_int_equal(keymap_action(SCREEN_LIVE, 'q'), ACTION_QUIT);
    assert_int_equal(keymap_action(SCREEN_RESULTS, 'q'), ACTION_QUIT);
    assert_int_equal(keymap_action(SCREEN_ANY, 'h'), ACTION_NONE);
    assert_int_equal(keymap_action(SCREEN_ANY, 0), ACTION_NONE);
    assert_int_equal(keymap_action(SCREEN_ANY, 0xffffffffu), ACTION_NONE);
}

int test_keymap(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_key_twice_on_a_screen),
        cmocka_unit_test(every_action_has_a_key_and_help),
        cmocka_unit_test(further_keys_follow_the_first),
        cmocka_unit_test(keys_mean_something_on_their_screen_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
