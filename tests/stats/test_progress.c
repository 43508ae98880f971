#include "stats/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_progress(int argc, char *argv[]);

static void every_call_has_a_name(void **state)
{
    (void)state;
    for (enum call call = 0; call < CALL_COUNT; call++) {
        assert_non_null(call_name(call));
        assert_true(strlen(call_name(call)) > 0);
    }
    assert_string_equal(call_name(CALL_UNLINKAT), "unlinkat");
    assert_string_equal(call_name(CALL_DIRSYNC), "fsync"); // the call is the same, of a directory
}

static void tells_what_was_set(void **state)
{
    (void)state;
    struct progress progress = {0};
    assert_int_equal(atomic_load(&progress.call), CALL_NONE);
    progress_set(&progress, CALL_UNLINKAT, UINT64_C(1) << 40, 123);
    assert_int_equal(atomic_load(&progress.call), CALL_UNLINKAT);
    assert_true(atomic_load(&progress.item) == UINT64_C(1) << 40);
    assert_true(atomic_load(&progress.start_ns) == 123);
}

int test_progress(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_has_a_name),
        cmocka_unit_test(tells_what_was_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
