// io_null.c: a perfect disk that does nothing. It keeps no files: what a directory holds follows from the
// tree alone, and which directory a descriptor means from its number.
#include "engine/io.h"

#include <stdbool.h>
#include <string.h>

// Numbers that no real descriptor of a process has.
enum { NULL_FILE = 1 << 30, NULL_ROOT, NULL_DIRECTORY }; // NULL_DIRECTORY + n is "d" and n

static int null_open(struct io *io, int dirfd, const char *name)
{
    (void)io;
    (void)dirfd;
    (void)name;
    return NULL_FILE;
}

static int null_open_directory(struct io *io, int dirfd, const char *name)
{
    (void)dirfd;
    io->cursor = 0;
    unsigned directory;
    return tree_parse_directory_name(name, &directory) ? NULL_DIRECTORY + (int)directory : NULL_ROOT;
}

static int null_name(struct io *io, int dirfd, const char *name)
{
    (void)io;
    (void)dirfd;
    (void)name;
    return 0;
}

static int null_descriptor(struct io *io, int fd)
{
    (void)io;
    (void)fd;
    return 0;
}

static ssize_t null_write(struct io *io, int fd, const void *bytes, size_t size)
{
    (void)io;
    (void)fd;
    (void)bytes;
    return (ssize_t)size;
}

static ssize_t null_read(struct io *io, int fd, void *bytes, size_t size, off_t offset)
{
    (void)io;
    (void)fd;
    (void)offset;
    memset(bytes, 0, size);
    return (ssize_t)size;
}

// The names that a directory holds are numbered from `first`; those of a deep tree's root are directories.
struct listing {
    bool directories;
    uint64_t first;
    uint64_t count;
};

static struct listing listing_of(const struct tree *tree, int dirfd)
{
    if (dirfd == NULL_ROOT && tree_directories(tree) > 0)
        return (struct listing){.directories = true, .count = tree_directories(tree)};
    unsigned directory = dirfd == NULL_ROOT ? 0 : (unsigned)(dirfd - NULL_DIRECTORY);
    return (struct listing){.first = tree_first_item(tree, directory),
                            .count = tree_items_in(tree, directory)};
}

static ssize_t null_read_directory(struct io *io, int dirfd, void *entries, size_t size)
{
    enum { ENTRY = 48 };
    _Static_assert(offsetof(struct io_entry, name) + TREE_NAME_SIZE <= ENTRY, "a tree's names fit an entry");
    struct listing listing = listing_of(io->tree, dirfd);
    unsigned char *at = entries;
    while (io->cursor < listing.count && size - (size_t)(at - (unsigned char *)entries) >= ENTRY) {
        char name[TREE_NAME_SIZE];
        if (listing.directories)
            tree_directory_name((unsigned)io->cursor, name);
        else
            tree_file_name(listing.first + io->cursor, name);
        struct io_entry *entry = (struct io_entry *)at;
        *entry = (struct io_entry){.inode = io->cursor + 1, .next = (int64_t)io->cursor + 1, .length = ENTRY};
        memcpy(entry->name, name, sizeof name);
        at += ENTRY;
        io->cursor++;
    }
    return at - (unsigned char *)entries;
}

static int null_fstat(struct io *io, int fd, struct stat *status)
{
    (void)fd;
    *status = (struct stat){.st_mode = S_IFREG | 0600, .st_nlink = 1};
    if (io->tree)
        status->st_size = (off_t)io->tree->file_bytes;
    return 0;
}

static int null_stat(struct io *io, int dirfd, const char *name, struct stat *status)
{
    (void)name;
    return null_fstat(io, dirfd, status);
}

const struct io_calls io_null = {
    .name = "null",
    .create = null_open,
    .open_read = null_open,
    .open_directory = null_open_directory,
    .make_directory = null_name,
    .write = null_write,
    .read = null_read,
    .read_directory = null_read_directory,
    .fsync = null_descriptor,
    .syncfs = null_descriptor,
    .close = null_descriptor,
    .stat = null_stat,
    .fstat = null_fstat,
    .unlink = null_name,
    .remove_directory = null_name,
};
