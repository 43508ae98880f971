#include "base/xalloc.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

int test_xalloc(int argc, char *argv[]);

static void nothing_is_something(void **state)
{
    (void)state;
    void *a = xmalloc(0), *b = xcalloc(0, 8), *c = xrealloc_array(NULL, 0, 8);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    free(a);
    free(b);
    free(c);
}

static void copies_and_formats(void **state)
{
    (void)state;
    char *whole = xstrdup("disk"), *part = xstrndup("disk", 2), *made = xformat("%s-%d", whole, 7);
    assert_string_equal(whole, "disk");
    assert_string_equal(part, "di");
    assert_string_equal(made, "disk-7");
    free(whole);
    free(part);
    free(made);
}

static void grows_and_keeps(void **state)
{
    (void)state;
    uint64_t *numbers = xcalloc(2, sizeof *numbers);
    assert_int_equal(numbers[1], 0);
    numbers[1] = 42;
    numbers = xrealloc_array(numbers, 1000, sizeof *numbers);
    assert_int_equal(numbers[1], 42);
    free(numbers);
}

static void overflow_zeroed(void)
{
    volatile size_t half = SIZE_MAX / 2;
    free(xcalloc(half, 3));
}

static void overflow_grown(void)
{
    volatile size_t half = SIZE_MAX / 2;
    free(xrealloc_array(NULL, half, 3));
}

static void assert_dies(void (*act)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO);
        act();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void a_product_that_overflows_ends_the_program(void **state)
{
    (void)state;
    assert_dies(overflow_zeroed);
    assert_dies(overflow_grown);
}

int test_xalloc(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_something),
        cmocka_unit_test(copies_and_formats),
        cmocka_unit_test(grows_and_keeps),
        cmocka_unit_test(a_product_that_overflows_ends_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
