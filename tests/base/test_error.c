#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail // ours, not the one that cmocka means

int test_error(int argc, char *argv[]);

static void says_what_failed(void **state)
{
    (void)state;
    struct error error = {0};
    assert_false(fail(&error, "open %s: %s", "/a", "No such file or directory"));
    assert_string_equal(error.text, "open /a: No such file or directory");
    assert_false(fail_context(&error, "tier %s", "A"));
    assert_string_equal(error.text, "tier A: open /a: No such file or directory");
}

static void nobody_listens(void **state)
{
    (void)state;
    assert_false(fail(NULL, "lost"));
    assert_false(fail_context(NULL, "lost"));
}

static void arguments_may_be_the_line_itself(void **state)
{
    (void)state;
    struct error error = {.text = "inner"};
    fail(&error, "outer (%s)", error.text);
    assert_string_equal(error.text, "outer (inner)");
    fail_context(&error, "%s", error.text);
    assert_string_equal(error.text, "outer (inner): outer (inner)");
}

static void a_long_line_is_cut(void **state)
{
    (void)state;
    struct error error = {0};
    char path[2 * ERROR_TEXT_SIZE];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    fail(&error, "%s", path);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
}

static void a_long_context_keeps_the_reason(void **state)
{
    (void)state;
    struct error error = {.text = "No space left on device"};
    char path[2 * ERROR_TEXT_SIZE];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    fail_context(&error, "%s", path);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
    assert_non_null(strstr(error.text, "x: No space left on device"));
}

int test_error(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_failed),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(arguments_may_be_the_line_itself),
        cmocka_unit_test(a_long_line_is_cut),
        cmocka_unit_test(a_long_context_keeps_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
