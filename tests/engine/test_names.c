// test_names.c: what the engine calls its trees and large files.
#include "rig.h"

#include "engine/names.h"

static void test_own_names(void **state)
{
    (void)state;
    char name[NAME_SIZE];
    name_tree(0, name);
    assert_string_equal(name, "t000");
    name_tree(255, name);
    assert_string_equal(name, "t255");
    name_sequential(7, 63, name);
    assert_string_equal(name, "s007-63");
    name_large(0, name);
    assert_string_equal(name, "l00");
    name_large(63, name);
    assert_string_equal(name, "l63");
    name_log(255, 4, name);
    assert_string_equal(name, "c255-04");
}

int test_names(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
