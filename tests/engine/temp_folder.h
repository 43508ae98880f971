// temp_folder.h: folders for tests to play in.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct temp_folder {
    char path[64];
    int fd;
};

static inline void temp_folder_make(struct temp_folder *folder)
{
    snprintf(folder->path, sizeof folder->path, "/tmp/diskduel-test-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(folder->fd >= 0);
}

static inline int temp_folder_remove_one(const char *path, const struct stat *status, int type,
                                         struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

// Without FTW_MOUNT: on some overlays a file's device isn't that of its directory, and it would be left. What
// tests mount is out of sight here (see temp_in_own_mounts).
static inline void temp_folder_remove(struct temp_folder *folder)
{
    close(folder->fd);
    assert_int_equal(nftw(folder->path, temp_folder_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

// Paths are relative to `dirfd`.
static inline void temp_file(int dirfd, const char *path, const char *content)
{
    int fd = openat(dirfd, path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, strlen(content)), (ssize_t)strlen(content));
    assert_int_equal(close(fd), 0);
}

static inline void temp_directory(int dirfd, const char *path)
{
    assert_int_equal(mkdirat(dirfd, path, 0700), 0);
}

// Makes the directories above a path that aren't there yet.
static inline void temp_parents(int dirfd, const char *path)
{
    char part[256];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t length = (size_t)(slash - path);
        assert_true(length < sizeof part);
        memcpy(part, path, length);
        part[length] = '\0';
        if (mkdirat(dirfd, part, 0700) != 0)
            assert_int_equal(errno, EEXIST);
    }
}

static inline void temp_deep_file(int dirfd, const char *path, const char *content)
{
    temp_parents(dirfd, path);
    temp_file(dirfd, path, content);
}

static inline void temp_deep_link(int dirfd, const char *path, const char *target)
{
    temp_parents(dirfd, path);
    assert_int_equal(symlinkat(target, dirfd, path), 0);
}

static inline bool temp_exists(int dirfd, const char *path)
{
    struct stat status;
    return fstatat(dirfd, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static inline bool temp_holds(int dirfd, const char *path, const char *content)
{
    char bytes[4096];
    int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes - 1);
    if (fd >= 0)
        close(fd);
    if (got < 0)
        return false;
    bytes[got] = '\0';
    return !strcmp(bytes, content);
}

// Runs a check in a child that may mount what it likes in the folder, unseen by others; skips the test where
// that isn't allowed. The check returns 0 where all is well and 99 where it could not mount.
static inline void temp_in_own_mounts(struct temp_folder *folder, int (*check)(void))
{
    pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
            _exit(99);
        close(folder->fd); // it leads into the mounts of before
        folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        _exit(folder->fd < 0 ? 98 : check());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 99)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}
