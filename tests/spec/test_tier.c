#include "spec/tier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_tier(int argc, char *argv[]);

static void assert_tier(const char *argument, const char *name, const char *path, bool null)
{
    struct tier_name tier;
    struct error error;
    assert_true(tier_name_parse(argument, &tier, &error));
    if (name)
        assert_string_equal(tier.name, name);
    else
        assert_null(tier.name);
    assert_string_equal(tier.path, path);
    assert_int_equal(tier.null, null);
    tier_name_release(&tier);
}

static void splits_at_the_first_equals_sign(void **state)
{
    (void)state;
    assert_tier("/tmp", NULL, "/tmp", false);
    assert_tier("fast=/tmp", "fast", "/tmp", false);
    assert_tier("a=b=c", "a", "b=c", false);
    assert_tier("./a=b", NULL, "./a=b", false);
    assert_tier("/mnt/x=y", NULL, "/mnt/x=y", false);
    assert_tier("x=relative", "x", "relative", false);
    assert_tier("null:", NULL, "null:", true);
    assert_tier("tool=null:", "tool", "null:", true);
    assert_tier("./null:", NULL, "./null:", false);
    assert_tier("null:x", NULL, "null:x", false);
    assert_tier("C:\\=/mnt", "C:\\", "/mnt", false);
    assert_tier("two words=/a b", "two words", "/a b", false);
    assert_tier("\xe6\x97\xa5=/m", "\xe6\x97\xa5", "/m", false);
    assert_tier("</script>", NULL, "</script>", false);
    assert_tier("/bytes/\xff\x1b", NULL, "/bytes/\xff\x1b", false); // paths can be anything
    assert_tier("12345678901234567890123456789012=/", "12345678901234567890123456789012", "/", false);
}

static void assert_refused(const char *argument, const char *why)
{
    struct tier_name tier = {0};
    struct error error = {{0}};
    assert_false(tier_name_parse(argument, &tier, &error));
    assert_non_null(strstr(error.text, why));
    assert_null(tier.name);
    assert_null(tier.path);
    tier_name_release(&tier);
}

static void refuses_what_is_no_name_or_no_path(void **state)
{
    (void)state;
    assert_refused("", "empty path");
    assert_refused("a=", "no directory stands after");
    assert_refused("=", "no name stands before");
    assert_refused("=/tmp", "no name stands before");
    assert_refused("123456789012345678901234567890123=/tmp", "longer than 32 bytes");
    assert_refused("a\nb=/tmp", "control characters");
    assert_refused("a\x1b[31m=/tmp", "control characters");
    assert_refused("a\x7f=/tmp", "control characters");
    assert_refused("a\xff=/tmp", "UTF-8");
    assert_refused("a\xe2\x80\xae=/tmp", "control characters"); // right-to-left override
}

int test_tier(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_at_the_first_equals_sign),
        cmocka_unit_test(refuses_what_is_no_name_or_no_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
