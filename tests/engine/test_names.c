// test_names.c: the fast names are the names that everybody else knows.
#include "rig.h"

#include "engine/names.h"

static void test_items(void **state)
{
    (void)state;
    static const uint64_t files[] = {1, 999, 1000, 1001, 2000, TREE_FILES_MOST};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct tree tree = tree_of(files[i], 1);
        for (uint64_t item = 0; item < files[i]; item += files[i] / 500 + 1) {
            char fast[2 * TREE_NAME_SIZE], known[2 * TREE_NAME_SIZE];
            name_item(&tree, item, fast);
            tree_path(&tree, item, known);
            assert_string_equal(fast, known);
        }
    }
    for (unsigned i = 0; i < TREE_FANOUT; i++) {
        char fast[NAME_SIZE], known[TREE_NAME_SIZE];
        name_directory(i, fast);
        tree_directory_name(i, known);
        assert_string_equal(fast, known);
    }
}

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
}

int test_names(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_items), cmocka_unit_test(test_own_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
