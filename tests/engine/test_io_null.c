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
            bool renamed;
            if (tree_parse_file_name(entry->name, &item, &renamed)) {
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

// Lists all that lies below a directory of that level, depth first; sums up the files.
static void list_below(struct io *io, int fd, unsigned level, uint64_t *files, uint64_t *sum)
{
    uint64_t here, here_sum, directories;
    list(io, fd, 200, &here, &here_sum, &directories);
    *files += here;
    if (level == io->tree->depth) {
        assert_int_equal(directories, 0);
        *sum += here_sum;
        return;
    }
    assert_int_equal(here, 0);
    assert_int_equal(directories, io->tree->fanout);
    assert_int_equal(here_sum, io->tree->fanout * (io->tree->fanout - 1) / 2);
    for (unsigned i = 0; i < io->tree->fanout; i++) {
        char name[TREE_NAME_SIZE];
        tree_directory_name(io->tree, i, name);
        list_below(io, io_null.open_directory(io, fd, name), level + 1, files, sum);
    }
}

static void test_deep(void **state)
{
    (void)state;
    static const struct tree trees[] = {
        {.files = 1001, .depth = 1, .fanout = 32},  {.files = 300, .depth = 1, .fanout = 256},
        {.files = 1001, .depth = 2, .fanout = 7},   {.files = 5000, .depth = 4, .fanout = 6},
        {.files = 10, .depth = 3, .fanout = 3},     {.files = 77, .depth = 4, .fanout = 1},
        {.files = 70000, .depth = 4, .fanout = 16},
    };
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct io io = {.calls = &io_null, .tree = &trees[i]};
        uint64_t files = 0, sum = 0;
        list_below(&io, io_null.open_directory(&io, -1, "t000"), 0, &files, &sum);
        assert_int_equal(files, trees[i].files);
        assert_int_equal(sum, files * (files - 1) / 2);
    }
}

static void test_reads(void **state)
{
    (void)state;
    struct tree tree = {.files = 1000, .fanout = 1, .size_count = 2, .sizes = {{500, 10}, {500, 100000}}};
    struct io io = {.calls = &io_null, .tree = &tree};
    static const char *const names[] = {"f00000003", "d00/d01/r00000003", "r00000998"};
    static const uint64_t items[] = {3, 3, 998};
    unsigned char bytes[4096];
    for (size_t i = 0; i < 3; i++) {
        int fd = io_null.open_file(&io, -1, names[i], O_RDONLY);
        assert_true(fd >= 1 << 30);
        uint64_t size = 0;
        ssize_t got;
        memset(bytes, 'x', sizeof bytes);
        while ((got = io_null.read(&io, fd, bytes, sizeof bytes, (off_t)size)) > 0) {
            for (ssize_t k = 0; k < got; k++)
                assert_int_equal(bytes[k], 'x');
            size += (uint64_t)got;
        }
        assert_int_equal(got, 0);
        assert_int_equal(size, tree_file_bytes(&tree, items[i]));
    }
    // A large file has no end.
    int fd = io_null.open_file(&io, -1, "l00", O_RDWR);
    assert_int_equal(io_null.read(&io, fd, bytes, sizeof bytes, (off_t)1 << 40), sizeof bytes);
    assert_int_equal(io_null.write_at(&io, fd, bytes, 7, 3), 7);
    io.tree = NULL; // as the conductor's has none
    assert_true(io_null.open_directory(&io, -1, "t000/d00") >= 1 << 30);
    assert_int_equal(io_null.read(&io, fd, bytes, 5, 0), 5);
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
    assert_int_equal(io_null.rename(&io, -1, "x", "y"), 0);
    assert_int_equal(io_null.unlink(&io, -1, "y"), 0);
}

int test_io_null(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
