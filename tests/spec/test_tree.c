#include "spec/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_tree(int argc, char *argv[]);

static void is_flat_up_to_a_thousand(void **state)
{
    (void)state;
    struct tree flat = tree_of(1000, 4096), deep = tree_of(1001, 4096);
    assert_int_equal(flat.depth, 0);
    assert_int_equal(flat.fanout, 1);
    assert_int_equal(tree_directories(&flat), 0);
    assert_int_equal(tree_items_in(&flat, 0), 1000);
    assert_int_equal(deep.depth, 1);
    assert_int_equal(deep.fanout, 32);
    assert_int_equal(tree_directories(&deep), 32);
    struct tree none = tree_of(0, 0);
    assert_int_equal(tree_items_in(&none, 0), 0);
}

// Directories are filled one after the other: ranges join, none is empty, and each item is where it is said
// to be.
static void spreads_every_item_once(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1,    999,  1000, 1001, 1023,   1024,
                                     1025, 1056, 1057, 5000, 123456, 10000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tree tree = tree_of(sizes[i], 1);
        unsigned directories = tree_directories(&tree) ? tree_directories(&tree) : 1;
        uint64_t next = 0;
        for (unsigned directory = 0; directory < directories; directory++) {
            uint64_t first = tree_first_item(&tree, directory), items = tree_items_in(&tree, directory);
            assert_int_equal(first, next);
            assert_true(items > 0);
            assert_int_equal(tree_directory_of(&tree, first), directory);
            assert_int_equal(tree_directory_of(&tree, first + items - 1), directory);
            next = first + items;
        }
        assert_int_equal(next, sizes[i]);
    }
}

static void names_files_and_directories(void **state)
{
    (void)state;
    char name[TREE_NAME_SIZE], path[2 * TREE_NAME_SIZE];
    tree_file_name(117, name);
    assert_string_equal(name, "f00000117");
    tree_file_name(TREE_FILES_MOST - 1, name);
    assert_string_equal(name, "f09999999");
    tree_directory_name(3, name);
    assert_string_equal(name, "d03");
    struct tree flat = tree_of(200, 1), deep = tree_of(3200, 1);
    tree_path(&flat, 117, path);
    assert_string_equal(path, "f00000117");
    tree_path(&deep, 399, path);
    assert_string_equal(path, "d03/f00000399");
}

static void reads_back_its_own_names_only(void **state)
{
    (void)state;
    uint64_t item = 7;
    unsigned directory = 7;
    assert_true(tree_parse_file_name("f00000117", &item));
    assert_int_equal(item, 117);
    assert_true(tree_parse_directory_name("d31", &directory));
    assert_int_equal(directory, 31);
    static const char *const no_files[] = {
        "",          "f",          "f0000117",    "f000000117", "g00000117",
        "f0000011x", "f00000117 ", " f00000117",  "f-0000117",  "f10000000",
        "F00000117", "f00000117/", "../f0000001", "f+0000117",  "f99999999"};
    for (size_t i = 0; i < sizeof no_files / sizeof *no_files; i++)
        assert_false(tree_parse_file_name(no_files[i], &item));
    static const char *const no_directories[] = {"",    "d",   "d3",  "d003", "d32",
                                                 "d3x", "e03", "d-1", "..",   "d03/"};
    for (size_t i = 0; i < sizeof no_directories / sizeof *no_directories; i++)
        assert_false(tree_parse_directory_name(no_directories[i], &directory));
    assert_int_equal(item, 117);
    assert_int_equal(directory, 31);
}

int test_tree(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_flat_up_to_a_thousand),
        cmocka_unit_test(spreads_every_item_once),
        cmocka_unit_test(names_files_and_directories),
        cmocka_unit_test(reads_back_its_own_names_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
