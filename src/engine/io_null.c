// io_null.c: a perfect disk that does nothing. It keeps no files: what a directory holds, and how long a
// small file is, follows from the tree alone; which directory or file a descriptor means, from its number.
#include "engine/io.h"

#include <stdbool.h>
#include <string.h>

// Numbers that no real descriptor of a process has. A file of the tree is NULL_FILES + its number; a
// directory is NULL_DIRECTORIES + its number, with its level (0: the tree's own) above that.
enum { NULL_FILES = 1 << 30, NULL_LARGE = NULL_FILES | 1 << 24, NULL_DIRECTORIES = NULL_FILES | 1 << 25 };
enum { LEVEL_SHIFT = 20 };
_Static_assert(TREE_FILES_MOST < 1 << 24, "a file's number fits a descriptor");
_Static_assert(TREE_DIRECTORIES_MOST < 1 << LEVEL_SHIFT && TREE_DEPTH_MOST < 16, "so does a directory's");

static unsigned level_of(int dirfd)
{
    return (unsigned)(dirfd - NULL_DIRECTORIES) >> LEVEL_SHIFT;
}

static unsigned number_of(int dirfd)
{
    return (unsigned)(dirfd - NULL_DIRECTORIES) & ((1u << LEVEL_SHIFT) - 1);
}

static int null_create(struct io *io, int dirfd, const char *name)
{
    (void)io;
    (void)dirfd;
    (void)name;
    return NULL_LARGE;
}

static int null_open_file(struct io *io, int dirfd, const char *name, int flags)
{
    (void)io;
    (void)dirfd;
    (void)flags;
    const char *slash = strrchr(name, '/');
    uint64_t item;
    bool renamed;
    return tree_parse_file_name(slash ? slash + 1 : name, &item, &renamed) ? NULL_FILES + (int)item
                                                                           : NULL_LARGE;
}

// A directory "d##" lies in the one that was opened before it; any other is a tree's own.
static int null_open_directory(struct io *io, int dirfd, const char *name)
{
    io->cursor = 0;
    unsigned directory;
    if (dirfd < NULL_DIRECTORIES || !io->tree || !tree_parse_directory_name(name, &directory))
        return NULL_DIRECTORIES;
    return NULL_DIRECTORIES + (int)((level_of(dirfd) + 1) << LEVEL_SHIFT) +
           (int)(number_of(dirfd) * io->tree->fanout + directory);
}

static int null_name(struct io *io, int dirfd, const char *name)
{
    (void)io;
    (void)dirfd;
    (void)name;
    return 0;
}

static int null_rename(struct io *io, int dirfd, const char *from, const char *to)
{
    (void)io;
    (void)dirfd;
    (void)from;
    (void)to;
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

static ssize_t null_write_at(struct io *io, int fd, const void *bytes, size_t size, off_t offset)
{
    (void)offset;
    return null_write(io, fd, bytes, size);
}

// A file of the tree ends where it should; any other one has no end. The buffer is left alone: filling it
// would be counted among what the tool costs.
static ssize_t null_read(struct io *io, int fd, void *bytes, size_t size, off_t offset)
{
    (void)bytes;
    if (fd < NULL_LARGE && io->tree) {
        uint64_t length = tree_file_bytes(io->tree, (uint64_t)(fd - NULL_FILES)), at = (uint64_t)offset;
        uint64_t left = at < length ? length - at : 0;
        if (size > left)
            size = (size_t)left;
    }
    return (ssize_t)size;
}

// The names that a directory holds are numbered from `first`.
struct listing {
    bool directories;
    uint64_t first;
    uint64_t count;
};

static struct listing listing_of(const struct tree *tree, int dirfd)
{
    if (level_of(dirfd) < tree->depth)
        return (struct listing){.directories = true, .count = tree->fanout};
    unsigned leaf = number_of(dirfd);
    return (struct listing){.first = tree_first_item(tree, leaf), .count = tree_items_in(tree, leaf)};
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
            tree_directory_name(io->tree, (unsigned)io->cursor, name);
        else
            tree_file_name(listing.first + io->cursor, false, name);
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
    .create = null_create,
    .open_file = null_open_file,
    .open_directory = null_open_directory,
    .make_directory = null_name,
    .write = null_write,
    .write_at = null_write_at,
    .read = null_read,
    .read_directory = null_read_directory,
    .fsync = null_descriptor,
    .syncfs = null_descriptor,
    .close = null_descriptor,
    .stat = null_stat,
    .fstat = null_fstat,
    .rename = null_rename,
    .unlink = null_name,
    .remove_directory = null_name,
};
