// io_psync.c: the calls themselves.
#include "engine/io.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int psync_create(struct io *io, int dirfd, const char *name)
{
    (void)io;
    return openat(dirfd, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static int psync_open_file(struct io *io, int dirfd, const char *name, int flags)
{
    (void)io;
    return openat(dirfd, name, flags | O_NOFOLLOW | O_CLOEXEC);
}

static int psync_open_directory(struct io *io, int dirfd, const char *name)
{
    (void)io;
    return openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int psync_make_directory(struct io *io, int dirfd, const char *name)
{
    (void)io;
    return mkdirat(dirfd, name, 0700);
}

static ssize_t psync_write(struct io *io, int fd, const void *bytes, size_t size)
{
    (void)io;
    return write(fd, bytes, size);
}

static ssize_t psync_write_at(struct io *io, int fd, const void *bytes, size_t size, off_t offset)
{
    (void)io;
    return pwrite(fd, bytes, size, offset);
}

static ssize_t psync_read(struct io *io, int fd, void *bytes, size_t size, off_t offset)
{
    (void)io;
    return pread(fd, bytes, size, offset);
}

static ssize_t psync_read_directory(struct io *io, int dirfd, void *entries, size_t size)
{
    (void)io;
    return getdents64(dirfd, entries, size);
}

static int psync_fsync(struct io *io, int fd)
{
    (void)io;
    return fsync(fd);
}

static int psync_syncfs(struct io *io, int fd)
{
    (void)io;
    return syncfs(fd);
}

static int psync_close(struct io *io, int fd)
{
    (void)io;
    return close(fd);
}

static int psync_stat(struct io *io, int dirfd, const char *name, struct stat *status)
{
    (void)io;
    return fstatat(dirfd, name, status, AT_SYMLINK_NOFOLLOW);
}

static int psync_fstat(struct io *io, int fd, struct stat *status)
{
    (void)io;
    return fstat(fd, status);
}

static int psync_rename(struct io *io, int dirfd, const char *from, const char *to)
{
    (void)io;
    return renameat(dirfd, from, dirfd, to);
}

static int psync_unlink(struct io *io, int dirfd, const char *name)
{
    (void)io;
    return unlinkat(dirfd, name, 0);
}

static int psync_remove_directory(struct io *io, int dirfd, const char *name)
{
    (void)io;
    return unlinkat(dirfd, name, AT_REMOVEDIR);
}

const struct io_calls io_psync = {
    .name = "psync",
    .create = psync_create,
    .open_file = psync_open_file,
    .open_directory = psync_open_directory,
    .make_directory = psync_make_directory,
    .write = psync_write,
    .write_at = psync_write_at,
    .read = psync_read,
    .read_directory = psync_read_directory,
    .fsync = psync_fsync,
    .syncfs = psync_syncfs,
    .close = psync_close,
    .stat = psync_stat,
    .fstat = psync_fstat,
    .rename = psync_rename,
    .unlink = psync_unlink,
    .remove_directory = psync_remove_directory,
};
