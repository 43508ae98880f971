#include "engine/target.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/device.h"
#include "engine/lookup.h"
#include "engine/mounts.h"
#include "record/run_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// What some errors mean where a directory is looked for.
static const struct {
    int number;
    const char *hint;
} hints[] = {
    {ENOENT, "there is no such directory"},
    {ENOTDIR, "not a directory"},
    {ELOOP, "a link that leads back to itself"},
    {ENOTCONN, "the FUSE server is gone; unmount it or start it again"},
    {ESTALE, "the server no longer knows it; mount it again"},
};

// Of a path that is longer, the beginning: the reason stands behind it, and must still fit.
#define PATH_FORMAT "%.800s"

static bool refuse(const char *path, const char *what, int number, struct error *error)
{
    struct stat status;
    if (number == ENOENT && lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
        return fail(error, PATH_FORMAT ": a link to something that isn't there", path);
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (hints[i].number == number)
            return fail(error, PATH_FORMAT ": %s", path, hints[i].hint);
    }
    // A FUSE mount is its owner's alone unless allow_other was given.
    bool even_root = number == EACCES && geteuid() == 0;
    return fail(error, PATH_FORMAT ": %s: %s%s", path, what, strerror(number),
                even_root ? " (even to root: another user's FUSE mount without allow_other?)" : "");
}

// 0, which is unknown, where the file system counts no blocks or more bytes than a disk has.
static uint64_t bytes_of(uint64_t blocks, uint64_t block_bytes)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(blocks, block_bytes, &bytes) || bytes > RUN_INTEGER_MOST)
        return 0;
    return bytes;
}

static void record_space(int dirfd, struct run_tier *tier)
{
    struct statvfs status;
    if (fstatvfs(dirfd, &status) < 0)
        return;
    tier->total_bytes = bytes_of(status.f_blocks, status.f_frsize);
    tier->free_bytes = tier->total_bytes ? bytes_of(status.f_bavail, status.f_frsize) : 0;
    tier->files_free = status.f_favail > RUN_INTEGER_MOST ? 0 : status.f_favail;
    tier->has_space = tier->total_bytes || tier->files_free;
}

bool target_open(const struct tier_name *name, struct target *target, struct run_tier *tier,
                 struct error *error)
{
    *target = (struct target){.dirfd = -1, .calls = &io_null};
    if (name->null) {
        tier->null = true;
        tier->path_given = xstrdup(name->path);
        tier->path = xstrdup(name->path);
        return true;
    }

    char *path = realpath(name->path, NULL);
    if (!path)
        return refuse(name->path, "can't be found", errno, error);
    // The path is resolved: a link that stands there now was put there in between.
    int dirfd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool usable = dirfd >= 0;
    if (!usable)
        refuse(name->path, "can't be opened", errno, error);
    if (usable && faccessat(dirfd, ".", X_OK, AT_EACCESS) < 0)
        usable = refuse(name->path, "can't be entered", errno, error);
    if (usable && faccessat(dirfd, ".", W_OK, AT_EACCESS) < 0)
        usable = refuse(name->path, "can't be written", errno, error);
    if (!usable) {
        if (dirfd >= 0)
            close(dirfd);
        free(path);
        return false;
    }

    *target = (struct target){.dirfd = dirfd, .calls = &io_psync};
    tier->path_given = xstrdup(name->path);
    tier->path = path;
    mount_of(dirfd, &tier->mount);
    record_space(dirfd, tier);
    return true;
}

// A question to a disk that may hang, and what it is about.
struct opening {
    struct tier_name name;
    struct target target;
    struct run_tier tier;
    struct error error;
    bool opened;
};

static void look(void *answer)
{
    struct opening *opening = answer;
    opening->opened = target_open(&opening->name, &opening->target, &opening->tier, &opening->error);
    if (opening->opened && !opening->tier.null)
        device_of("", &opening->tier.mount, &opening->tier.device);
}

static void discard(void *answer)
{
    struct opening *opening = answer;
    if (opening->opened)
        target_close(&opening->target);
    run_tier_release(&opening->tier);
    tier_name_release(&opening->name);
    free(opening);
}

bool target_open_within(const struct tier_name *name, uint64_t timeout_ns, struct target *target,
                        struct run_tier *tier, struct error *error)
{
    struct opening *opening = xcalloc(1, sizeof *opening);
    opening->name = (struct tier_name){.path = xstrdup(name->path), .null = name->null};
    *target = (struct target){.dirfd = -1};
    if (!lookup_run(look, discard, opening, timeout_ns)) {
        char waited[UNITS_TEXT_SIZE];
        units_duration(timeout_ns, "us", waited);
        return fail(error, PATH_FORMAT ": no answer for %s: its server hangs or is gone", name->path, waited);
    }
    bool opened = opening->opened;
    *error = opening->error;
    if (opened) {
        *target = opening->target;
        *tier = opening->tier;
        opening->opened = false; // both are the caller's now
        opening->tier = (struct run_tier){0};
    }
    discard(opening);
    return opened;
}

void target_space_after(const struct target *target, struct space_after *after)
{
    struct run_tier tier = {0};
    record_space(target->dirfd, &tier);
    if (!tier.has_space)
        return;
    if (tier.total_bytes)
        after->free_bytes = known_count(tier.free_bytes);
    if (tier.files_free)
        after->files_free = known_count(tier.files_free);
}

void target_close(struct target *target)
{
    if (target->dirfd >= 0)
        close(target->dirfd);
    target->dirfd = -1;
}

bool target_names(struct run *run, const struct tier_name names[], bool *swapped, struct error *error)
{
    static const char *const plain[] = {"A", "B"};
    static const char *const telling[] = {"persistent", "ephemeral"};
    struct run_tier *a = &run->tiers[0], *b = &run->tiers[1];
    bool two_disks = run->tier_count == 2 && !a->null && !b->null;
    bool a_remote = two_disks && mount_is_remote(&a->mount);
    bool b_remote = two_disks && mount_is_remote(&b->mount);
    const char *const *defaults = a_remote && !b_remote ? telling : plain;

    *swapped = b_remote && !a_remote;
    for (unsigned i = 0; i < run->tier_count; i++) {
        free(run->tiers[i].name);
        run->tiers[i].name = xstrdup(names[i].name ? names[i].name : defaults[i]);
    }
    if (run->tier_count == 2 && !strcmp(a->name, b->name))
        return fail(error, "both tiers are called \"%s\": give one another name (NAME=DIR)", a->name);
    return true;
}
