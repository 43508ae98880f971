// probe.c: one file of 1 MiB, and one question after the other.
#include "engine/probe.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/rng.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/aligned.h"
#include "engine/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { PROBE_BYTES = 1 << 20, PROBE_BLOCK = 4096, PROBE_SEED = 1 };

// Longer than the second for which a FUSE or network client keeps attributes, as a rule.
#define PROBE_WAIT_NS (UINT64_C(1500) * NS_PER_MS)

struct probe {
    int dirfd;
    int fd;
    const struct mount *mount;
    unsigned char *bytes; // of the file, aligned
    bool written;
    struct capability *capability;
    struct probes *probes;
};

// ---- Pure ----

static bool is_fuse(const char *type)
{
    static const char prefix[] = "fuse.";
    return !strcmp(type, "fuse") || !strcmp(type, "fuseblk") || !strncmp(type, prefix, sizeof prefix - 1);
}

static bool at_least(const char *release, unsigned major, unsigned minor)
{
    char *end;
    unsigned long has_major = strtoul(release, &end, 10);
    unsigned long has_minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return has_major > major || (has_major == major && has_minor >= minor);
}

// Linux sends FUSE_SYNCFS to virtiofs, and from 6.18 on to the servers of block devices (fs/fuse/inode.c,
// fuse_sync_fs).
const char *probe_syncfs_reach(const char *type, const char *release)
{
    bool asked = !strcmp(type, "fuseblk") && at_least(release, 6, 18);
    return is_fuse(type) && !asked ? "local-only" : "whole";
}

// Whether a call failed because it isn't supported; a full or broken disk says nothing about that.
static bool means_unsupported(int number)
{
    return number == EINVAL || number == EOPNOTSUPP || number == ENOSYS;
}

// ---- The questions ----

static void ask_syncfs(struct probe *probe)
{
    struct utsname names;
    if (probe->mount->type && uname(&names) == 0)
        probe->capability->syncfs = xstrdup(probe_syncfs_reach(probe->mount->type, names.release));
}

static void write_and_sync(struct probe *probe)
{
    uint64_t start_ns = clock_monotonic_ns();
    probe->written = descriptor_write(probe->fd, (const char *)probe->bytes, PROBE_BYTES);
    uint64_t written_ns = clock_monotonic_ns();
    if (!probe->written || fsync(probe->fd) != 0)
        return;
    uint64_t synced_ns = clock_monotonic_ns();
    struct probes *probes = probe->probes;
    probes->fsync_bytes = known_count(PROBE_BYTES);
    probes->write_ns = known_count(written_ns - start_ns);
    probes->fsync_ns = known_count(synced_ns - written_ns);
    if (fsync(probe->fd) == 0)
        probes->fsync_again_ns = known_count(clock_monotonic_ns() - synced_ns);
}

static void ask_type(struct probe *probe)
{
    int fd = openat(probe->dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
    if (!directory && fd >= 0)
        close(fd);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (!strcmp(entry->d_name, PROBE_NAME))
            probe->capability->d_type = known_flag(entry->d_type == DT_REG);
    if (directory)
        closedir(directory);
}

// In whole percent; -1 where it can't be told.
static int resident_percent(int fd)
{
    uint64_t pages = 0, resident = 0;
    if (!cache_residency(fd, PROBE_BYTES, &pages, &resident) || pages == 0)
        return -1;
    return (int)((resident * 100 + pages - 1) / pages);
}

static void ask_cache(struct probe *probe)
{
    struct capability *capability = probe->capability;
    if (!probe->written)
        return;
    capability->residency = known_flag(resident_percent(probe->fd) >= 0);
    if (!capability->residency.value)
        return;
    int number = cache_evict(probe->fd, PROBE_BYTES) ? 0 : errno;
    int percent = resident_percent(probe->fd);
    if (percent < 0)
        return;
    capability->evict = known_flag(percent <= 1);
    if (capability->evict.value)
        return;
    if (number)
        capability->evict_why = xformat("posix_fadvise: %s", strerror(number));
    else if (mount_in_memory(probe->mount))
        capability->evict_why = xformat("%s keeps files in memory", probe->mount->type);
    else
        capability->evict_why = xformat("%d %% stayed in memory", percent);
}

// What direct calls must be aligned to, as the kernel tells (6.1 and on); 0 where it doesn't.
static void direct_alignment(int fd, uint64_t *memory, uint64_t *offset)
{
    *memory = *offset = 0;
#ifdef STATX_DIOALIGN
    struct statx status;
    if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) == 0 && (status.stx_mask & STATX_DIOALIGN)) {
        *memory = status.stx_dio_mem_align;
        *offset = status.stx_dio_offset_align;
    }
#else
    (void)fd;
#endif
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void deny_direct(struct probe *probe, char *why)
{
    probe->capability->o_direct = known_flag(false);
    probe->capability->o_direct_why = why;
}

static void refuse_direct(struct probe *probe, const char *call, int number)
{
    if (means_unsupported(number))
        deny_direct(probe, xformat("%s: %s", call, strerror(number)));
}

// Whether what was read by O_DIRECT lies in the page cache afterwards, of a file that had nothing there: then
// the flag was taken and ignored, as some file systems do.
static bool went_through_cache(const struct probe *probe, int before_percent, uint64_t size)
{
    uint64_t pages = 0, resident = 0;
    return before_percent == 0 && cache_residency(probe->fd, size, &pages, &resident) && resident > 0;
}

static void accept_direct(struct probe *probe, uint64_t memory, uint64_t offset)
{
    struct capability *capability = probe->capability;
    capability->o_direct = known_flag(true);
    capability->direct_memory_alignment_bytes = known_count(memory ? memory : PROBE_BLOCK);
    capability->direct_alignment_bytes = known_count(offset ? offset : PROBE_BLOCK);
}

// Some of it, or nothing of it without a reason, isn't all of it.
static bool moved(ssize_t bytes, size_t size)
{
    if (bytes >= 0)
        errno = 0;
    return bytes == (ssize_t)size;
}

static void try_direct(struct probe *probe, int fd)
{
    uint64_t memory, offset;
    direct_alignment(fd, &memory, &offset);
    uint64_t size = greatest(PROBE_BLOCK, greatest(memory, offset));
    if (size > PROBE_BYTES)
        return;
    unsigned char *buffer = aligned_zeroed(size, size);
    int before_percent = resident_percent(probe->fd);
    if (!moved(pread(fd, buffer, size, 0), size))
        refuse_direct(probe, "read", errno);
    else if (mount_in_memory(probe->mount))
        deny_direct(probe, xformat("%s takes the flag and ignores it", probe->mount->type));
    else if (went_through_cache(probe, before_percent, size))
        deny_direct(probe, xstrdup("the flag is taken, and the page cache used all the same"));
    else if (!moved(pwrite(fd, buffer, size, 0), size))
        refuse_direct(probe, "write", errno);
    else
        accept_direct(probe, memory, offset);
    free(buffer);
}

// A misaligned call that goes well proves nothing (ext4 takes some), so none is made.
static void ask_direct(struct probe *probe)
{
    if (!probe->written)
        return;
    int fd = openat(probe->dirfd, PROBE_NAME, O_RDWR | O_DIRECT | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        refuse_direct(probe, "open", errno);
        return;
    }
    try_direct(probe, fd);
    close(fd);
}

static struct flag supported(int result)
{
    if (result == 0)
        return known_flag(true);
    return means_unsupported(errno) ? known_flag(false) : (struct flag){0};
}

// What the client of a remote disk remembers of a file, and for how long.
static void ask_attributes(struct probe *probe)
{
    struct stat status;
    if (!mount_is_remote(probe->mount) ||
        fstatat(probe->dirfd, PROBE_NAME, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    uint64_t start_ns = clock_monotonic_ns();
    if (fstatat(probe->dirfd, PROBE_NAME, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    uint64_t again_ns = clock_monotonic_ns();
    clock_sleep_until(again_ns + PROBE_WAIT_NS);
    uint64_t later_ns = clock_monotonic_ns();
    if (fstatat(probe->dirfd, PROBE_NAME, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    probe->probes->stat_again_ns = known_count(again_ns - start_ns);
    probe->probes->stat_later_ns = known_count(clock_monotonic_ns() - later_ns);
    probe->probes->stat_wait_ns = known_count(later_ns - again_ns);
}

static void ask_about_file(struct probe *probe)
{
    probe->bytes = aligned_zeroed(PROBE_BLOCK, PROBE_BYTES);
    struct rng rng;
    rng_seed(&rng, PROBE_SEED);
    rng_fill(&rng, probe->bytes, PROBE_BYTES);
    write_and_sync(probe);
    ask_type(probe);
    ask_cache(probe);
    ask_direct(probe);
    probe->capability->fallocate = supported(fallocate(probe->fd, 0, 0, PROBE_BYTES + PROBE_BLOCK));
    probe->capability->xattr = supported(fsetxattr(probe->fd, "user.diskduel", "1", 1, 0));
    ask_attributes(probe);
    free(probe->bytes);
}

void probe_disk(int dirfd, const struct mount *mount, struct capability *capability, struct probes *probes)
{
    struct probe probe = {.dirfd = dirfd, .mount = mount, .capability = capability, .probes = probes};
    ask_syncfs(&probe);
    probe.fd = openat(dirfd, PROBE_NAME, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (probe.fd < 0)
        return;
    ask_about_file(&probe);
    close(probe.fd); // what it would tell of is thrown away
    unlinkat(dirfd, PROBE_NAME, 0);
}
