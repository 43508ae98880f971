// test_io_null.c: the perfect disk gives the names that its tree says, through any buffer.
#include "rig.h"

#include "engine/io.h"

// Lists a directory through a buffer of that size; counts files and directories and sums their numbers.
static void list(struct io *io, int fd, size_t size, uint64_t *files, uint64_t *sum, uint64_t *directories)
{
    _Alignas(8) unsigned char buffer[4096];
    ssize_t got;
    *files = *sum = *directories = 0;
    while ((got = io->calls->read_directory(io, fd, buffer, size)) > 0) {
        assert_true((size_t)got <= size);
        for (ssize_t at = 0; at < got;) {
            const struct io_entry *entry = (const struct io_entry *)(buffer + at);
            assert_true(entry->length > 0 && entry->length % 8 == 0);
            at += entry->length;
            uint64_t item;
            unsigned directory;
            if (tree_parse_file_name(entry->name, &item)) {
                (*files)++;
                *sum += item;
            } else {
                assert_true(tree_parse_directory_name(entry->name, &directory));
                (*directories)++;
                *sum += directory;
            }
        }
    }
    assert_int_equal(got, 0);
}

static void test_flat(void **state)
{
    (void)state;
    static const size_t sizes[] = {64, 100, 4096};
    for (size_t i = 0; i < 3; i++) {
        struct tree tree = tree_of(1000, 5);
        struct io io = {.calls = &io_null, .tree = &tree};
        uint64_t files, sum, directories;
        int fd = io_null.open_directory(&io, -1, "t007");
        list(&io, fd, sizes[i], &files, &sum, &directories);
        assert_int_equal(files, 1000);
        assert_int_equal(sum, 1000 * 999 / 2);
        assert_int_equal(directories, 0);
        assert_int_equal(io_null.close(&io, fd), 0);
    }
}

static void test_deep(void **state)
{
    (void)state;
    struct tree tree = tree_of(1001, 5);
    struct io io = {.calls = &io_null, .tree = &tree};
    uint64_t files, sum, directories, all = 0, all_sum = 0;
    int root = io_null.open_directory(&io, -1, "t000");
    list(&io, root, 4096, &files, &sum, &directories);
    assert_int_equal(files, 0);
    assert_int_equal(directories, 32);
    assert_int_equal(sum, 32 * 31 / 2);
    for (unsigned i = 0; i < 32; i++) {
        char name[TREE_NAME_SIZE];
        tree_directory_name(i, name);
        int fd = io_null.open_directory(&io, root, name);
        list(&io, fd, 200, &files, &sum, &directories);
        assert_int_equal(directories, 0);
        assert_int_equal(files, tree_items_in(&tree, i));
        all += files;
        all_sum += sum;
    }
    assert_int_equal(all, 1001);
    assert_int_equal(all_sum, 1001 * 1000 / 2);
}

static void test_calls(void **state)
{
    (void)state;
    struct tree tree = tree_of(10, 4096);
    struct io io = {.calls = &io_null, .tree = &tree};
    struct stat status;
    int fd = io_null.create(&io, -1, "x");
    assert_true(fd >= 1 << 30); // closing it by mistake would close nothing
    assert_int_equal(io_null.write(&io, fd, "abc", 3), 3);
    assert_int_equal(io_null.fsync(&io, fd), 0);
    assert_int_equal(io_null.stat(&io, -1, "x", &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(status.st_size, 4096);
    assert_int_equal(io_null.unlink(&io, -1, "x"), 0);
}

int test_io_null(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
