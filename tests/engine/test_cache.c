// test_cache.c: what is said of the page cache is so: on memory, on a disk, and where nobody can tell.
#include "rig.h"

#include "engine/cache.h"

#include <sys/mman.h>
#include <sys/statfs.h>

enum { TMPFS_NUMBER = 0x01021994 };

static int file_without_name(const char *folder)
{
    char path[RIG_PATH_SIZE];
    snprintf(path, sizeof path, "%s/diskduel-cache-XXXXXX", folder);
    int fd = mkostemp(path, O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(unlink(path), 0);
    return fd;
}

// A file of so many bytes that aren't synced.
static int file_of(const char *folder, uint64_t bytes)
{
    int fd = file_without_name(folder);
    static unsigned char block[65536];
    memset(block, 0x5a, sizeof block);
    for (uint64_t done = 0; done < bytes;) {
        size_t size = bytes - done < sizeof block ? (size_t)(bytes - done) : sizeof block;
        ssize_t written = write(fd, block, size);
        assert_true(written > 0);
        done += (uint64_t)written;
    }
    return fd;
}

static bool in_memory(int fd)
{
    struct statfs status;
    assert_int_equal(fstatfs(fd, &status), 0);
    return status.f_type == TMPFS_NUMBER;
}

static uint64_t pages_of(uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page;
}

static uint64_t resident_of(int fd, uint64_t bytes)
{
    uint64_t pages = 0, resident = 0;
    assert_true(cache_residency(fd, bytes, &pages, &resident));
    assert_int_equal(pages, pages_of(bytes));
    assert_true(resident <= pages);
    return resident;
}

// Of less than a page, of some, of more than are looked at in one go.
static const uint64_t sizes[] = {1, 4096, 4097, 3 * MIB, 16 * MIB, 33 * MIB + 1};

static void test_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int fd = file_of("/dev/shm", sizes[i]);
        assert_true(in_memory(fd));
        assert_int_equal(resident_of(fd, sizes[i]), pages_of(sizes[i]));
        assert_true(cache_evict(fd, sizes[i]));
        assert_int_equal(resident_of(fd, sizes[i]), pages_of(sizes[i]));
        close(fd);
    }
}

// What was just written is there and goes, although nobody synced it; what is read comes back, and no more.
static void check_folder(const char *folder)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int fd = file_of(folder, sizes[i]);
        assert_int_equal(resident_of(fd, sizes[i]), pages_of(sizes[i]));
        assert_true(cache_evict(fd, sizes[i]));
        uint64_t left = resident_of(fd, sizes[i]);
        if (in_memory(fd)) {
            assert_int_equal(left, pages_of(sizes[i]));
            close(fd);
            continue;
        }
        assert_true(left * 100 <= pages_of(sizes[i]));
        // The very last page, which lies in the last window that is looked at.
        assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
        unsigned char byte;
        assert_int_equal(pread(fd, &byte, 1, (off_t)(sizes[i] - 1)), 1);
        assert_int_equal(byte, 0x5a);
        uint64_t back = resident_of(fd, sizes[i]);
        assert_true(back > left);
        assert_true(pages_of(sizes[i]) < 256 || back < pages_of(sizes[i]) / 4);
        close(fd);
    }
}

static void test_disk(void **state)
{
    (void)state;
    check_folder("/tmp");
    check_folder("/var/tmp");
}

static void test_reading_only(void **state)
{
    (void)state;
    char folder[RIG_PATH_SIZE], path[2 * RIG_PATH_SIZE];
    rig_directory(folder, "/var/tmp");
    snprintf(path, sizeof path, "%s/file", folder);
    int written = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(written >= 0);
    assert_int_equal(ftruncate(written, 100000), 0);
    assert_int_equal(pwrite(written, "x", 1, 99999), 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(cache_evict(fd, 100000));
    assert_int_equal(resident_of(fd, 100000), in_memory(fd) ? 1 : 0); // a hole takes no page
    close(fd);

    // What can be written only can't be mapped, so that nobody can tell; nothing is added then.
    uint64_t pages = 7, resident = 3;
    assert_false(cache_residency(written, 100000, &pages, &resident));
    assert_int_equal(errno, EACCES);
    assert_int_equal(pages, 7);
    assert_int_equal(resident, 3);
    close(written);
    unlink(path);
    rmdir(folder);
}

static void test_added(void **state)
{
    (void)state;
    int fd = file_of("/dev/shm", 10000);
    uint64_t pages = 7, resident = 3;
    assert_true(cache_residency(fd, 10000, &pages, &resident));
    assert_int_equal(pages, 7 + pages_of(10000));
    assert_int_equal(resident, 3 + pages_of(10000));
    assert_true(cache_residency(fd, 0, &pages, &resident));
    assert_int_equal(pages, 7 + pages_of(10000));
    assert_true(cache_evict(fd, 0));
    close(fd);

    // Of a file that is shorter than was thought what isn't there isn't resident.
    fd = file_of("/dev/shm", 4096);
    assert_int_equal(resident_of(fd, 40 * MIB), pages_of(4096));
    close(fd);
}

// A file as large as any that is measured takes no memory in proportion: what is there is looked at window by
// window, and no mapping stays.
static void test_large(void **state)
{
    (void)state;
    int fd = file_without_name("/dev/shm");
    uint64_t bytes = UINT64_C(8) << 30;
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(pwrite(fd, "x", 1, (off_t)(bytes - 1)), 1);
    assert_int_equal(pwrite(fd, "x", 1, (off_t)(bytes / 2)), 1);
    assert_int_equal(resident_of(fd, bytes), 2);
    close(fd);
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    char line[512];
    while (fgets(line, sizeof line, maps))
        assert_null(strstr(line, "diskduel-cache"));
    fclose(maps);
}

static void test_unmappable(void **state)
{
    (void)state;
    uint64_t pages = 0, resident = 0;
    int pipes[2];
    assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
    assert_false(cache_residency(pipes[0], 4096, &pages, &resident));
    assert_int_equal(errno, ENODEV);
    assert_false(cache_evict(pipes[0], 4096));
    assert_int_equal(errno, ESPIPE);
    close(pipes[0]);
    close(pipes[1]);

    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_false(cache_residency(fd, 4096, &pages, &resident));
    assert_true(errno != 0);
    close(fd);

    assert_false(cache_residency(-1, 4096, &pages, &resident));
    assert_int_equal(errno, EBADF);
    assert_false(cache_evict(-1, 4096));
    assert_int_equal(errno, EBADF);
    assert_int_equal(pages, 0);
    assert_int_equal(resident, 0);
}

int test_cache(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory), cmocka_unit_test(test_disk),  cmocka_unit_test(test_reading_only),
        cmocka_unit_test(test_added),  cmocka_unit_test(test_large), cmocka_unit_test(test_unmappable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
