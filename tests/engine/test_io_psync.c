// test_io_psync.c: what is made is new and ours; no link is followed.
#include "rig.h"

#include "engine/io.h"

static void test_no_link_and_nothing_old(void **state)
{
    (void)state;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/tmp");
    int dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct io io = {.calls = &io_psync};

    int fd = io_psync.create(&io, dirfd, "file");
    assert_true(fd >= 0);
    assert_int_equal(io_psync.write(&io, fd, "abc", 3), 3);
    assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    struct stat status;
    assert_int_equal(io_psync.fstat(&io, fd, &status), 0);
    assert_int_equal(status.st_mode & 07177, 0);
    assert_int_equal(status.st_size, 3);
    assert_int_equal(io_psync.close(&io, fd), 0);

    errno = 0;
    assert_int_equal(io_psync.create(&io, dirfd, "file"), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(symlinkat("file", dirfd, "link"), 0);
    assert_int_equal(io_psync.create(&io, dirfd, "link"), -1);
    assert_int_equal(io_psync.open_file(&io, dirfd, "link", O_RDWR), -1);
    assert_int_equal(errno, ELOOP);
    assert_int_equal(io_psync.make_directory(&io, dirfd, "directory"), 0);
    assert_int_equal(symlinkat("directory", dirfd, "link2"), 0);
    assert_int_equal(io_psync.open_directory(&io, dirfd, "link2"), -1);
    assert_int_equal(io_psync.stat(&io, dirfd, "link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(io_psync.stat(&io, dirfd, "directory", &status), 0);
    assert_int_equal(status.st_mode & 0077, 0);

    assert_int_equal(io_psync.rename(&io, dirfd, "file", "other"), 0);
    assert_int_equal(io_psync.open_file(&io, dirfd, "file", O_RDONLY), -1);
    assert_int_equal(errno, ENOENT);
    fd = io_psync.open_file(&io, dirfd, "other", O_RDONLY);
    assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_DIRECT), O_RDONLY);
    char bytes[4] = "";
    assert_int_equal(io_psync.read(&io, fd, bytes, 2, 1), 2);
    assert_string_equal(bytes, "bc");
    assert_int_equal(io_psync.write_at(&io, fd, "x", 1, 0), -1);
    assert_int_equal(errno, EBADF);
    io_psync.close(&io, fd);
    fd = io_psync.open_file(&io, dirfd, "other", O_RDWR);
    assert_int_equal(io_psync.write_at(&io, fd, "xy", 2, 1), 2);
    assert_int_equal(io_psync.read(&io, fd, bytes, 3, 0), 3);
    assert_string_equal(bytes, "axy");
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 0); // neither of them moves where write goes on
    io_psync.close(&io, fd);
    fd = io_psync.open_file(&io, dirfd, "other", O_RDWR | O_DIRECT);
    if (fd >= 0) { // not all disks have it
        assert_int_equal(fcntl(fd, F_GETFL) & O_DIRECT, O_DIRECT);
        io_psync.close(&io, fd);
    }
    assert_int_equal(io_psync.unlink(&io, dirfd, "other"), 0);
    assert_int_equal(io_psync.unlink(&io, dirfd, "link"), 0);
    assert_int_equal(io_psync.unlink(&io, dirfd, "link2"), 0);
    assert_int_equal(io_psync.remove_directory(&io, dirfd, "directory"), 0);
    assert_int_equal(rig_entries(path), 0);
    close(dirfd);
    rmdir(path);
}

int test_io_psync(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_link_and_nothing_old)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
