#include "engine/scratch.h"

#include "base/rng.h"
#include "base/xalloc.h"
#include "engine/marker.h"
#include "engine/mounts.h"
#include "engine/removal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = ".diskduel-";

enum { DIGITS = 16, ATTEMPTS = 8, FRESH_SECONDS = 600 };

enum lock { LOCK_HELD, LOCK_BUSY, LOCK_UNSUPPORTED };

static enum lock lock_directory(int fd)
{
    int result;
    do
        result = flock(fd, LOCK_EX | LOCK_NB);
    while (result < 0 && errno == EINTR);
    if (result == 0)
        return LOCK_HELD;
    // NFS wants a descriptor that can be written to (EBADF), and others know no locks at all.
    return errno == EWOULDBLOCK ? LOCK_BUSY : LOCK_UNSUPPORTED;
}

static bool is_remote(int fd)
{
    struct mount mount = {0};
    mount_of(fd, &mount);
    bool remote = mount_is_remote(&mount);
    mount_release(&mount);
    return remote;
}

// Whether the name still leads to the directory that was opened. FUSE servers may number a directory anew at
// each look: there, that one of this random name is there must do.
static bool is_still(int parent, const char *name, int fd)
{
    struct stat by_name, by_fd;
    if (fstatat(parent, name, &by_name, AT_SYMLINK_NOFOLLOW) < 0 || fstat(fd, &by_fd) < 0 ||
        !S_ISDIR(by_name.st_mode) || by_name.st_dev != by_fd.st_dev)
        return false;
    return by_name.st_ino == by_fd.st_ino || is_remote(fd);
}

// Whether somebody has removed the directory altogether. That it has no links left isn't enough: there are
// FUSE servers that count none for directories that are there.
static bool is_gone(const struct scratch *scratch)
{
    struct stat status;
    if (fstatat(scratch->parent, scratch->name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
        return false;
    if (fstat(scratch->dirfd, &status) < 0)
        return errno == ENOENT || errno == ESTALE;
    return status.st_nlink == 0;
}

static int open_directory(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Opens what was just made, also where the umask has taken our own rights to it.
static int open_made(int parent, const char *name)
{
    int fd = open_directory(parent, name);
    if (fd >= 0 || errno != EACCES)
        return fd;
    int handle = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (handle < 0)
        return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    fd = chmod(path, 0700) == 0 ? open_directory(parent, name) : -1;
    int number = errno;
    close(handle);
    errno = number;
    return fd;
}

// What lies in a directory, as far as it matters here.
struct contents {
    unsigned markers;
    unsigned others;
    char marker[MARKER_NAME_SIZE]; // a name, where there is one
};

static bool look_inside(int fd, struct contents *contents)
{
    *contents = (struct contents){0};
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = again >= 0 ? fdopendir(again) : NULL;
    if (!directory) {
        if (again >= 0)
            close(again);
        return false;
    }
    const struct dirent *entry;
    errno = 0;
    while ((entry = readdir(directory))) {
        if (marker_name_is(entry->d_name)) {
            contents->markers++;
            snprintf(contents->marker, sizeof contents->marker, "%.*s", MARKER_NAME_SIZE - 1, entry->d_name);
        } else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            contents->others++;
        }
        errno = 0;
    }
    int number = errno;
    closedir(directory);
    errno = number;
    return number == 0;
}

// Opens, locks, checks and marks a directory that was made a moment ago. `again`: a `diskduel clean` found it
// before it was locked, and takes it away.
static bool take(struct scratch *scratch, const char *run_id, bool *again, struct error *error)
{
    scratch->dirfd = open_made(scratch->parent, scratch->name);
    *again = scratch->dirfd < 0 && errno == ENOENT;
    if (scratch->dirfd < 0)
        return fail(error, "open the directory %s just made: %s", scratch->name, strerror(errno));
    *again = lock_directory(scratch->dirfd) == LOCK_BUSY ||
             !is_still(scratch->parent, scratch->name, scratch->dirfd);
    if (*again)
        return fail(error, "the directory %s just made was taken away", scratch->name);

    // Its parent's defaults may have given rights to others. A file system without modes may refuse.
    (void)fchmod(scratch->dirfd, 0700);
    struct contents contents;
    struct stat status;
    if (!look_inside(scratch->dirfd, &contents) || fstat(scratch->dirfd, &status) < 0)
        return fail(error, "read the directory %s just made: %s", scratch->name, strerror(errno));
    if (contents.markers || contents.others)
        return fail(error, "the directory %s just made isn't empty: somebody put something there",
                    scratch->name);
    struct marker marker;
    uid_t owner;
    marker_of_self(&marker, run_id);
    if (!marker_write(&marker, scratch->dirfd, &owner, error))
        return false;
    // Not our own id: network disks map owners, but alike for all that we make.
    if (owner != status.st_uid)
        return fail(error, "the directory %s just made belongs to somebody else", scratch->name);
    return true;
}

bool scratch_create(struct scratch *scratch, int parent, const char *run_id, struct error *error)
{
    bool again = true;
    for (int i = 0; i < ATTEMPTS && again; i++) {
        *scratch = (struct scratch){.parent = parent, .dirfd = -1};
        memcpy(scratch->name, prefix, sizeof prefix);
        random_hex(scratch->name + sizeof prefix - 1, DIGITS);
        if (mkdirat(parent, scratch->name, 0700) < 0) {
            again = errno == EEXIST;
            fail(error, "make the directory %s: %s", scratch->name, strerror(errno));
            continue;
        }
        if (take(scratch, run_id, &again, error))
            return true;
        // Not more than can be ours, and nothing of anybody's: a marker, and a directory if it is empty then.
        if (scratch->dirfd >= 0 && !again) {
            char marker[MARKER_NAME_SIZE];
            snprintf(marker, sizeof marker, "%s%s", prefix, run_id);
            (void)unlinkat(scratch->dirfd, marker, 0);
        }
        (void)unlinkat(parent, scratch->name, AT_REMOVEDIR);
        scratch_abandon(scratch);
    }
    return false;
}

static bool remove_marker(int dirfd, const char *path, struct text *leftovers)
{
    struct contents contents;
    if (!look_inside(dirfd, &contents)) {
        text_printf(leftovers, "%s: %s\n", path, strerror(errno));
        return false;
    }
    if (!contents.markers)
        return true;
    if (unlinkat(dirfd, contents.marker, 0) < 0 && errno != ENOENT) {
        text_printf(leftovers, "%s/%s: %s\n", path, contents.marker, strerror(errno));
        return false;
    }
    return true;
}

bool scratch_remove(struct scratch *scratch, struct text *leftovers)
{
    if (is_gone(scratch)) {
        scratch_abandon(scratch);
        return true;
    }
    bool removed = removal_empty(scratch->dirfd, SHAPE_SCRATCH, scratch->name, leftovers) &&
                   remove_marker(scratch->dirfd, scratch->name, leftovers);
    if (removed && !is_still(scratch->parent, scratch->name, scratch->dirfd)) {
        text_printf(leftovers, "%s: somebody moved it away, and it is empty\n", scratch->name);
        removed = false;
    }
    removed =
        removed && removal_directory(scratch->parent, scratch->name, SHAPE_SCRATCH, scratch->name, leftovers);
    scratch_abandon(scratch);
    return removed;
}

void scratch_abandon(struct scratch *scratch)
{
    if (scratch->dirfd >= 0)
        close(scratch->dirfd);
    scratch->dirfd = -1;
}

bool scratch_remove_directory(int dirfd, const char *name, struct text *leftovers)
{
    return removal_directory(dirfd, name, SHAPE_TREE, name, leftovers);
}

bool scratch_parent_is_open(int parent)
{
    struct stat status;
    return fstat(parent, &status) == 0 && (status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX);
}

static bool is_scratch_name(const char *name)
{
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    const char *digits = name + sizeof prefix - 1;
    return strspn(digits, "0123456789abcdef") == DIGITS && !digits[DIGITS];
}

// Whether it was changed lately, by the disk's clock, which may not be ours: the future is lately too.
static bool is_fresh(const struct stat *status)
{
    return status->st_mtim.tv_sec > time(NULL) - FRESH_SECONDS;
}

// Why a directory that looks like ours must stay; NULL where it may go.
static const char *reason_to_stay(int parent, int fd, struct marker *marker)
{
    static const char *const lately =
        "changed in the last ten minutes, and a lock on it could not be seen from here: it may be in use";
    uint64_t of_parent, own;
    if (mount_id_of(parent, &of_parent) && mount_id_of(fd, &own) && own != of_parent)
        return "something is mounted there";
    bool remote = is_remote(fd);

    struct stat status;
    if (fstat(fd, &status) < 0)
        return strerror(errno);
    if (status.st_uid != geteuid() && geteuid() != 0 && !remote)
        return "belongs to another user";
    enum lock lock = lock_directory(fd);
    if (lock == LOCK_BUSY)
        return "in use";

    struct contents contents;
    if (!look_inside(fd, &contents))
        return strerror(errno);
    if (contents.markers > 1)
        return "holds more than one marker";
    if (!contents.markers && contents.others)
        return "holds files, and no marker of diskduel";
    enum marker_state state = contents.markers ? marker_read(fd, contents.marker, marker) : MARKER_UNFINISHED;
    if (state == MARKER_FOREIGN)
        return "its marker is not one of diskduel's";
    if (state == MARKER_UNFINISHED && contents.others)
        return "holds files, and its marker is unfinished";
    if (state == MARKER_UNFINISHED)
        return lock == LOCK_UNSUPPORTED && is_fresh(&status) ? lately : NULL;
    if (marker_same_boot(marker))
        return lock == LOCK_UNSUPPORTED && marker_process_lives(marker) ? "in use" : NULL;
    bool elsewhere = !marker_same_host(marker) && (remote || lock == LOCK_UNSUPPORTED);
    return elsewhere && is_fresh(&status) ? lately : NULL;
}

// False where it was to go and stays.
static bool clean_one(int parent, const char *name, struct text *removed, struct text *kept)
{
    struct scratch scratch = {.parent = parent, .dirfd = open_directory(parent, name)};
    snprintf(scratch.name, sizeof scratch.name, "%s", name);
    if (scratch.dirfd < 0) {
        bool link = errno == ELOOP || errno == ENOTDIR;
        if (errno != ENOENT)
            text_printf(kept, "%s: %s\n", name, link ? "not a directory" : strerror(errno));
        return true;
    }
    struct marker marker = {0};
    const char *reason = reason_to_stay(parent, scratch.dirfd, &marker);
    if (!reason && !is_still(parent, name, scratch.dirfd)) { // its own program was faster
        scratch_abandon(&scratch);
        return true;
    }
    if (reason) {
        text_printf(kept, "%s: %s\n", name, reason);
        scratch_abandon(&scratch);
        return true;
    }
    if (!scratch_remove(&scratch, kept))
        return false;
    text_puts(removed, name);
    if (marker.run[0])
        text_printf(removed, " (run %s)", marker.run);
    text_puts(removed, "\n");
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool scratch_clean(int parent, struct text *removed, struct text *kept, bool *failed, struct error *error)
{
    if (failed)
        *failed = false;
    int again = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = again >= 0 ? fdopendir(again) : NULL;
    if (!directory) {
        fail(error, "read the directory: %s", strerror(errno));
        if (again >= 0)
            close(again);
        return false;
    }
    // All names first: what is removed while a directory is read may hide its neighbours.
    char **names = NULL;
    size_t count = 0;
    const struct dirent *entry;
    errno = 0;
    while ((entry = readdir(directory))) {
        if (is_scratch_name(entry->d_name)) {
            names = xrealloc_array(names, count + 1, sizeof *names);
            names[count++] = xstrdup(entry->d_name);
        }
        errno = 0;
    }
    bool whole = errno == 0 || fail(error, "read the directory: %s", strerror(errno));
    closedir(directory);
    if (count)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (!clean_one(parent, names[i], removed, kept) && failed)
            *failed = true;
        free(names[i]);
    }
    free(names);
    return whole;
}
