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
        unsigned directories = tree_leaves(&tree);
        uint64_t next = 0;
        for (unsigned directory = 0; directory < directories; directory++) {
            uint64_t first = tree_first_item(&tree, directory), items = tree_items_in(&tree, directory);
            assert_int_equal(first, next);
            assert_true(items > 0);
            assert_int_equal(tree_leaf_of(&tree, first), directory);
            assert_int_equal(tree_leaf_of(&tree, first + items - 1), directory);
            next = first + items;
        }
        assert_int_equal(next, sizes[i]);
    }
}

// Leaves of any shape: their ranges join, and are those that the numbers of the items lead to.
static void assert_leaves_join(const struct tree *tree)
{
    uint64_t next = 0;
    for (unsigned leaf = 0; leaf < tree_leaves(tree); leaf++) {
        uint64_t first = tree_first_item(tree, leaf), items = tree_items_in(tree, leaf);
        assert_int_equal(first, next);
        if (items > 0) {
            assert_int_equal(tree_leaf_of(tree, first), leaf);
            assert_int_equal(tree_leaf_of(tree, first + items - 1), leaf);
        }
        next += items;
    }
    assert_int_equal(next, tree->files);
}

// Reads a path as a stranger would: directories, level by level, and a file of this number.
static void assert_path_leads_there(const struct tree *tree, uint64_t item, bool renamed)
{
    char path[TREE_PATH_SIZE];
    tree_path(tree, item, renamed, path);
    unsigned at = 0;
    char *name = path;
    for (unsigned level = 1; level <= tree->depth; level++) {
        char *slash = strchr(name, '/'), below[TREE_PATH_SIZE];
        unsigned number;
        assert_non_null(slash);
        *slash = '\0';
        assert_true(tree_parse_directory_name(name, &number));
        assert_true(number < tree->fanout);
        at = at * tree->fanout + number;
        tree_directory_path(tree, level, at, below);
        assert_string_equal(below, path); // up to here
        assert_true(tree_first_below(tree, level, at) <= item);
        *slash = '/';
        name = slash + 1;
    }
    assert_int_equal(at, tree_leaf_of(tree, item));
    uint64_t read;
    bool was_renamed;
    assert_true(tree_parse_file_name(name, &read, &was_renamed));
    assert_int_equal(read, item);
    assert_int_equal(was_renamed, renamed);
}

static void paths_of_any_depth_read_back(void **state)
{
    (void)state;
    static const struct {
        unsigned depth, fanout;
    } shapes[] = {{0, 1},  {1, 1}, {1, 7}, {1, 100}, {1, 101}, {1, 256},
                  {2, 11}, {3, 6}, {4, 1}, {4, 5},   {4, 15}};
    static const uint64_t files[] = {1, 2, 255, 1716, 65537};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof files / sizeof *files; j++) {
            struct tree tree = {.files = files[j], .depth = shapes[i].depth, .fanout = shapes[i].fanout};
            assert_leaves_join(&tree);
            for (uint64_t item = 0; item < tree.files; item += 1 + tree.files / 300)
                assert_path_leads_there(&tree, item, item % 2 == 1);
            assert_path_leads_there(&tree, tree.files - 1, true);
        }
}

static void names_files_and_directories(void **state)
{
    (void)state;
    char name[TREE_NAME_SIZE], path[TREE_PATH_SIZE];
    tree_file_name(117, false, name);
    assert_string_equal(name, "f00000117");
    tree_file_name(TREE_FILES_MOST - 1, true, name);
    assert_string_equal(name, "r09999999");
    struct tree flat = tree_of(200, 1), deep = tree_of(3200, 1);
    tree_directory_name(&deep, 3, name);
    assert_string_equal(name, "d03");
    tree_path(&flat, 117, false, path);
    assert_string_equal(path, "f00000117");
    tree_path(&deep, 399, true, path);
    assert_string_equal(path, "d03/r00000399");
    struct tree many = {.files = 512, .depth = 1, .fanout = 256};
    tree_path(&many, 511, false, path);
    assert_string_equal(path, "d255/f00000511");
    struct tree nested = {.files = 54, .depth = 3, .fanout = 3};
    tree_path(&nested, 53, false, path);
    assert_string_equal(path, "d02/d02/d02/f00000053");
    tree_path(&nested, 7, false, path);
    assert_string_equal(path, "d00/d01/d00/f00000007");
    tree_directory_path(&nested, 2, 5, path);
    assert_string_equal(path, "d01/d02");
    tree_directory_path(&nested, 1, 2, path);
    assert_string_equal(path, "d02");
    assert_int_equal(tree_first_below(&nested, 1, 2), 36);
    assert_int_equal(tree_first_below(&nested, 2, 5), 30);
    struct tree deepest = {.files = 10000000, .depth = 4, .fanout = 16};
    tree_path(&deepest, 9999999, true, path);
    assert_string_equal(path, "d15/d15/d04/d15/r09999999");
}

static void reads_back_its_own_names_only(void **state)
{
    (void)state;
    uint64_t item = 7;
    unsigned directory = 7;
    bool renamed = true;
    assert_true(tree_parse_file_name("f00000117", &item, &renamed));
    assert_int_equal(item, 117);
    assert_false(renamed);
    assert_true(tree_parse_file_name("r00000117", &item, &renamed));
    assert_true(renamed);
    assert_true(tree_parse_directory_name("d255", &directory));
    assert_int_equal(directory, 255);
    assert_true(tree_parse_directory_name("d31", &directory));
    assert_int_equal(directory, 31);
    static const char *const no_files[] = {
        "",          "f",          "f0000117",    "f000000117", "g00000117",
        "f0000011x", "f00000117 ", " f00000117",  "f-0000117",  "f10000000",
        "F00000117", "f00000117/", "../f0000001", "f+0000117",  "f99999999"};
    for (size_t i = 0; i < sizeof no_files / sizeof *no_files; i++)
        assert_false(tree_parse_file_name(no_files[i], &item, &renamed));
    static const char *const no_directories[] = {"",    "d",   "d3",  "d0003", "d256",
                                                 "d3x", "e03", "d-1", "..",    "d03/"};
    for (size_t i = 0; i < sizeof no_directories / sizeof *no_directories; i++)
        assert_false(tree_parse_directory_name(no_directories[i], &directory));
    assert_int_equal(item, 117);
    assert_int_equal(directory, 31);
}

static void counts_directories_level_by_level(void **state)
{
    (void)state;
    struct tree tree = {.files = 1716, .depth = 3, .fanout = 6};
    assert_int_equal(tree_directories_at(&tree, 1), 6);
    assert_int_equal(tree_directories_at(&tree, 3), 216);
    assert_int_equal(tree_directories(&tree), 258);
    assert_int_equal(tree_leaves(&tree), 216);
    // Fewer files than leaves: the last leaves are empty, and nothing is counted twice.
    struct tree sparse = {.files = 5, .depth = 2, .fanout = 4};
    uint64_t items = 0;
    for (unsigned leaf = 0; leaf < tree_leaves(&sparse); leaf++)
        items += tree_items_in(&sparse, leaf);
    assert_int_equal(items, 5);
    assert_int_equal(tree_items_in(&sparse, 15), 0);
}

// In each thousand files that follow each other every size has exactly its share.
static void spreads_sizes_by_their_shares(void **state)
{
    (void)state;
    struct tree tree = {
        .files = 5000, .fanout = 1, .size_count = 3, .sizes = {{125, 0}, {590, 1400}, {285, 9000}}};
    for (uint64_t begin = 0; begin < 4000; begin += 999) {
        unsigned seen[3] = {0};
        for (uint64_t item = begin; item < begin + 1000; item++)
            for (unsigned i = 0; i < 3; i++)
                seen[i] += tree_file_bytes(&tree, item) == tree.sizes[i].bytes;
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(seen[i], tree.sizes[i].share);
    }
    assert_int_equal(tree_bytes(&tree), 5 * (590 * 1400 + 285 * 9000));
    assert_int_equal(tree_bytes_on_disk(&tree), 5 * (125 + 590 + 285 * 3) * 4096);
    assert_int_equal(tree_largest_file(&tree), 9000);
    // A number of files that isn't whole thousands: the sum is that of the files.
    tree.files = 1234;
    uint64_t sum = 0;
    for (uint64_t item = 0; item < tree.files; item++)
        sum += tree_file_bytes(&tree, item);
    assert_int_equal(tree_bytes(&tree), sum);
    struct tree plain = tree_of(7, 5000);
    assert_int_equal(tree_bytes(&plain), 35000);
    assert_int_equal(tree_bytes_on_disk(&plain), 7 * 8192);
    assert_int_equal(tree_file_bytes(&plain, 3), 5000);
}

static void tells_shapes_apart(void **state)
{
    (void)state;
    struct tree a = {.files = 10, .fanout = 1, .size_count = 1, .sizes = {{1000, 7}}}, b = a;
    assert_true(tree_same(&a, &b));
    b.sizes[0].bytes = 8;
    assert_false(tree_same(&a, &b));
    b = a;
    b.depth = 1;
    assert_false(tree_same(&a, &b));
}

int test_tree(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_flat_up_to_a_thousand),      cmocka_unit_test(spreads_every_item_once),
        cmocka_unit_test(paths_of_any_depth_read_back),  cmocka_unit_test(names_files_and_directories),
        cmocka_unit_test(reads_back_its_own_names_only), cmocka_unit_test(counts_directories_level_by_level),
        cmocka_unit_test(spreads_sizes_by_their_shares), cmocka_unit_test(tells_shapes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
