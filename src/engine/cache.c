// cache.c: pages counted, and dropped.
#include "engine/cache.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// Looked at window by window, so that a large file takes no memory in proportion.
enum { WINDOW_PAGES = 4096 };

// A file that FUSE reads past the page cache can be mapped privately only, if at all.
static void *map(int fd, size_t length, uint64_t offset)
{
    void *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)offset);
    return mapped == MAP_FAILED ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, (off_t)offset) : mapped;
}

static bool look_at_window(int fd, uint64_t offset, size_t length, size_t page, uint64_t *resident)
{
    unsigned char pages[WINDOW_PAGES];
    void *mapped = map(fd, length, offset);
    if (mapped == MAP_FAILED)
        return false;
    bool told = mincore(mapped, length, pages) == 0;
    int number = errno;
    munmap(mapped, length);
    errno = number;
    size_t count = (length + page - 1) / page;
    for (size_t i = 0; told && i < count; i++)
        *resident += pages[i] & 1;
    return told;
}

bool cache_residency(int fd, uint64_t bytes, uint64_t *pages, uint64_t *resident)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), window = WINDOW_PAGES * page;
    uint64_t found = 0;
    for (uint64_t offset = 0; offset < bytes; offset += window) {
        size_t length = bytes - offset < window ? (size_t)(bytes - offset) : window;
        if (!look_at_window(fd, offset, length, page, &found))
            return false;
    }
    *pages += (bytes + page - 1) / page;
    *resident += found;
    return true;
}

// What can't be synced (a read-only file system, a file that isn't one on a disk) has nothing dirty.
static bool sync_file(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

bool cache_evict(int fd, uint64_t bytes)
{
    for (unsigned try = 0; try < CACHE_TRIES; try++) {
        if (try > 0)
            clock_sleep_until(clock_monotonic_ns() + CACHE_REST_MS * (uint64_t)NS_PER_MS);
        if (!sync_file(fd))
            return false;
        int number = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        if (number != 0) {
            errno = number;
            return false;
        }
        uint64_t pages = 0, resident = 0;
        // Where nothing went at all, as in memory, nothing will.
        if (!cache_residency(fd, bytes, &pages, &resident) || resident * 100 <= pages || resident == pages)
            break;
    }
    return true;
}
