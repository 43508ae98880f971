// io.h: every call that is measured goes through this table: blocking calls, one in flight a worker.
//
// Each function is one system call, returns what that call returns, and leaves errno. io_psync makes the
// calls; io_null makes none and answers as a perfect disk would, for tests and for measuring the tool itself.
// Its reads give the sizes alone, a small file's until its end and any other file's without one, and leave
// the buffer as it was: there is nothing in them to compare.
#pragma once

#include "spec/tree.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct io;

struct io_calls {
    const char *name;
    int (*create)(struct io *io, int dirfd,
                  const char *name); // O_CREAT|O_EXCL|O_WRONLY|O_NOFOLLOW|O_CLOEXEC, 0600
    // O_RDONLY or O_RDWR, with O_DIRECT where it is wanted, |O_NOFOLLOW|O_CLOEXEC
    int (*open_file)(struct io *io, int dirfd, const char *name, int flags);
    int (*open_directory)(struct io *io, int dirfd, const char *name); // O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC
    int (*make_directory)(struct io *io, int dirfd, const char *name); // 0700
    ssize_t (*write)(struct io *io, int fd, const void *bytes, size_t size);
    ssize_t (*write_at)(struct io *io, int fd, const void *bytes, size_t size, off_t offset); // pwrite
    ssize_t (*read)(struct io *io, int fd, void *bytes, size_t size, off_t offset);           // pread
    ssize_t (*read_directory)(struct io *io, int dirfd, void *entries, size_t size);          // getdents64
    int (*fsync)(struct io *io, int fd);
    int (*syncfs)(struct io *io, int fd);
    int (*close)(struct io *io, int fd);
    int (*stat)(struct io *io, int dirfd, const char *name, struct stat *status); // AT_SYMLINK_NOFOLLOW
    int (*fstat)(struct io *io, int fd, struct stat *status);
    int (*rename)(struct io *io, int dirfd, const char *from, const char *to); // renameat in one directory
    int (*unlink)(struct io *io, int dirfd, const char *name);
    int (*remove_directory)(struct io *io, int dirfd, const char *name);
};

extern const struct io_calls io_psync;
extern const struct io_calls io_null;

// One worker's. `tree` is the shape that the next calls are about: io_null lists the names that it gives.
struct io {
    const struct io_calls *calls;
    const struct tree *tree;
    uint64_t cursor; // io_null's: how far it has listed the directory that was opened last
};

// What read_directory fills its buffer with: the kernel's linux_dirent64, `length` bytes each.
struct io_entry {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type; // not to be relied on: some file systems never tell it
    char name[];
};
