#include "engine/removal.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "engine/marker.h"
#include "engine/mounts.h"
#include "engine/probe.h"
#include "spec/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A dead disk refuses each of a million names: enough of them is enough.
enum { LINES_MOST = 10, ERRORS_MOST = 10, PASSES_MOST = 100 };
enum { WAITS_MOST = 50, WAIT_NS = 20 * NS_PER_MS };

// One removal from its outermost directory on: the time it may wait is spent once, not once a directory.
struct removal {
    unsigned waits;
};

// What one pass over a directory came to.
struct pass {
    unsigned removed;
    unsigned foreign; // names that aren't ours
    unsigned errors;  // names that are, and stay
};

// Whether a name is the pattern, in which '#' stands for a digit.
static bool name_matches(const char *name, const char *pattern)
{
    for (; *pattern; name++, pattern++) {
        if (*pattern == '#' ? !isdigit((unsigned char)*name) : *name != *pattern)
            return false;
    }
    return !*name;
}

static bool is_tree_name(const char *name)
{
    return name_matches(name, "t###");
}

static bool is_large_name(const char *name)
{
    return name_matches(name, "s###-##") || name_matches(name, "c###-##") || name_matches(name, "l##") ||
           !strcmp(name, PROBE_NAME);
}

static bool is_file_name(const char *name)
{
    uint64_t item;
    bool renamed;
    return tree_parse_file_name(name, &item, &renamed);
}

static bool is_directory_name(const char *name)
{
    unsigned directory;
    return tree_parse_directory_name(name, &directory);
}

static bool never(const char *name)
{
    (void)name;
    return false;
}

static const struct {
    bool (*file)(const char *name);
    bool (*directory)(const char *name);
    bool (*left_alone)(const char *name);
    enum shape below;
} shapes[SHAPE_COUNT] = {
    [SHAPE_SCRATCH] = {is_large_name, is_tree_name, marker_name_is, SHAPE_TREE},
    [SHAPE_TREE] = {is_file_name, is_directory_name, never, SHAPE_LEVEL_1},
    [SHAPE_LEVEL_1] = {is_file_name, is_directory_name, never, SHAPE_LEVEL_2},
    [SHAPE_LEVEL_2] = {is_file_name, is_directory_name, never, SHAPE_LEVEL_3},
    [SHAPE_LEVEL_3] = {is_file_name, is_directory_name, never, SHAPE_LEAF},
    [SHAPE_LEAF] = {is_file_name, never, never, SHAPE_LEAF},
};
_Static_assert(SHAPE_LEAF - SHAPE_TREE == TREE_DEPTH_MOST, "each level of a tree has a shape");

static bool remove_directory(struct removal *removal, int dirfd, const char *name, enum shape shape,
                             const char *path, struct text *leftovers);

static void note(struct text *leftovers, const struct pass *pass, const char *path, const char *name,
                 const char *why)
{
    if (pass->foreign + pass->errors <= LINES_MOST)
        text_printf(leftovers, "%s/%s: %s\n", path, name, why);
}

static void remove_entry(struct removal *removal, int fd, enum shape shape, const char *path,
                         const char *name, struct pass *pass, struct text *leftovers)
{
    if (!strcmp(name, ".") || !strcmp(name, "..") || shapes[shape].left_alone(name))
        return;
    if (shapes[shape].file(name)) {
        if (unlinkat(fd, name, 0) == 0) {
            pass->removed++;
        } else if (errno != ENOENT) {
            int number = errno;
            pass->errors++;
            note(leftovers, pass, path, name, strerror(number));
        }
    } else if (shapes[shape].directory(name)) {
        char *below = xformat("%s/%s", path, name);
        if (remove_directory(removal, fd, name, shapes[shape].below, below, leftovers))
            pass->removed++;
        else
            pass->errors++;
        free(below);
    } else {
        pass->foreign++;
        note(leftovers, pass, path, name, "not made by diskduel");
    }
}

static void truncate_text(struct text *text, size_t length)
{
    if (text->length == length)
        return;
    text->length = length;
    text->bytes[length] = '\0';
}

static struct pass pass_over(struct removal *removal, int fd, enum shape shape, const char *path,
                             struct text *leftovers)
{
    struct pass pass = {0};
    // A description of its own, which starts at the first entry.
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = again >= 0 ? fdopendir(again) : NULL;
    if (!directory) {
        pass.errors = 1;
        text_printf(leftovers, "%s: %s\n", path, strerror(errno));
        if (again >= 0)
            close(again);
        return pass;
    }
    const struct dirent *entry;
    errno = 0;
    while (pass.errors < ERRORS_MOST && (entry = readdir(directory))) {
        remove_entry(removal, fd, shape, path, entry->d_name, &pass, leftovers);
        errno = 0;
    }
    if (errno) {
        pass.errors++;
        text_printf(leftovers, "%s: read the directory: %s\n", path, strerror(errno));
    }
    closedir(directory);
    if (pass.errors >= ERRORS_MOST)
        text_printf(leftovers, "%s: gave up after %u names that could not be removed\n", path, pass.errors);
    else if (pass.foreign + pass.errors > LINES_MOST)
        text_printf(leftovers, "%s: and %u more\n", path, pass.foreign + pass.errors - LINES_MOST);
    return pass;
}

// Directories may skip entries while others are being removed: it is empty only when a whole pass says so.
static struct pass pass_until_still(struct removal *removal, int fd, enum shape shape, const char *path,
                                    struct text *leftovers)
{
    size_t before = leftovers->length;
    struct pass pass = {0};
    for (unsigned i = 0; i < PASSES_MOST; i++) {
        truncate_text(leftovers, before);
        pass = pass_over(removal, fd, shape, path, leftovers);
        if (!pass.removed)
            break;
    }
    return pass;
}

static bool wait_a_moment(struct removal *removal)
{
    if (removal->waits >= WAITS_MOST)
        return false;
    removal->waits++;
    clock_sleep_until(clock_monotonic_ns() + WAIT_NS);
    return true;
}

static bool empty(struct removal *removal, int fd, enum shape shape, const char *path, struct text *leftovers)
{
    size_t before = leftovers->length;
    for (;;) {
        truncate_text(leftovers, before);
        struct pass pass = pass_until_still(removal, fd, shape, path, leftovers);
        if (!pass.removed && !pass.foreign && !pass.errors)
            return true;
        if (pass.removed)
            text_printf(leftovers, "%s: somebody keeps making files there\n", path);
        if (pass.removed || pass.errors || !wait_a_moment(removal))
            return false;
    }
}

static bool same_mount(int a, int b)
{
    uint64_t id_a, id_b;
    if (mount_id_of(a, &id_a) && mount_id_of(b, &id_b))
        return id_a == id_b;
    struct stat status_a, status_b;
    return fstat(a, &status_a) == 0 && fstat(b, &status_b) == 0 && status_a.st_dev == status_b.st_dev;
}

static bool remove_directory(struct removal *removal, int dirfd, const char *name, enum shape shape,
                             const char *path, struct text *leftovers)
{
    int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return true;
    if (fd < 0) {
        text_printf(leftovers, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool removed = same_mount(fd, dirfd);
    if (!removed)
        text_printf(leftovers, "%s: something is mounted there\n", path);
    removed = removed && empty(removal, fd, shape, path, leftovers);
    close(fd); // nothing was written
    while (removed && unlinkat(dirfd, name, AT_REMOVEDIR) < 0 && errno != ENOENT) {
        // Some servers hide a name from the list and count it here.
        int number = errno;
        bool again = (number == ENOTEMPTY || number == EEXIST) && wait_a_moment(removal);
        if (!again) {
            text_printf(leftovers, "%s: %s\n", path, strerror(number));
            removed = false;
        }
    }
    return removed;
}

bool removal_empty(int fd, enum shape shape, const char *path, struct text *leftovers)
{
    return empty(&(struct removal){0}, fd, shape, path, leftovers);
}

bool removal_directory(int dirfd, const char *name, enum shape shape, const char *path,
                       struct text *leftovers)
{
    return remove_directory(&(struct removal){0}, dirfd, name, shape, path, leftovers);
}
