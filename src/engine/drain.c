// drain.c: syncfs, and a look at the kernel's dirty pages until there are no more than before.
#include "engine/drain.h"

#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRAIN_SLACK MIB
#define DRAIN_LARGE (64 * MIB)
#define DRAIN_LIMIT (UINT64_C(1) * NS_PER_S)
#define DRAIN_LONG  (UINT64_C(10) * NS_PER_S)
#define DRAIN_SHORT (UINT64_C(100) * NS_PER_MS)
#define DRAIN_LOOK  (UINT64_C(5) * NS_PER_MS)
#define DRAIN_REST  (UINT64_C(20) * NS_PER_MS)

// The number of a line "NAME: 123 kB", in bytes.
static bool meminfo_line(const char *text, const char *name, uint64_t *bytes)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) || line[length] != ':')
            continue;
        char *end;
        errno = 0;
        const char *digits = line + length + 1 + strspn(line + length + 1, " ");
        unsigned long long kib = strtoull(digits, &end, 10);
        if (errno || end == digits || *digits == '-' || strncmp(end, " kB", 3) || kib > UINT64_MAX / 1024)
            return false;
        *bytes = (uint64_t)kib * 1024;
        return true;
    }
    return false;
}

bool meminfo_dirty(const char *text, uint64_t *bytes)
{
    uint64_t dirty, writeback;
    if (!meminfo_line(text, "Dirty", &dirty) || !meminfo_line(text, "Writeback", &writeback) ||
        dirty > UINT64_MAX - writeback)
        return false;
    *bytes = dirty + writeback;
    return true;
}

static bool read_dirty(const struct drain *drain, uint64_t *bytes)
{
    char text[8192];
    if (drain->meminfo < 0)
        return false;
    ssize_t size = pread(drain->meminfo, text, sizeof text - 1, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    return meminfo_dirty(text, bytes);
}

void drain_open(struct drain *drain, const char *meminfo)
{
    *drain = (struct drain){.meminfo = open(meminfo, O_RDONLY | O_CLOEXEC)};
    if (!read_dirty(drain, &drain->start_bytes)) {
        drain_close(drain);
        drain->meminfo = -1;
    }
}

void drain_close(struct drain *drain)
{
    if (drain->meminfo >= 0)
        close(drain->meminfo);
    drain->meminfo = -1;
}

static void sync_tier(struct drain *drain, struct tier *tier, unsigned number, struct drained *drained)
{
    if (tier->null || drain->given_up[number])
        return;
    tier_call_begin(tier, CALL_SYNCFS);
    if (tier->io.calls->syncfs(&tier->io, tier->scratch.dirfd) != 0) {
        drained->sync_failed[number] = true;
        drained->sync_errno[number] = errno;
        drain->given_up[number] = true;
    }
    tier_call_end(tier);
}

static uint64_t limit_of(const struct drain *drain, uint64_t bytes)
{
    if (drain->time_outs >= DRAIN_PATIENT)
        return DRAIN_SHORT;
    return bytes >= DRAIN_LARGE ? DRAIN_LONG : DRAIN_LIMIT;
}

void drain_wait(struct drain *drain, struct tier *tiers, unsigned count, uint64_t bytes,
                const struct crew *asked, struct drained *drained)
{
    *drained = (struct drained){0};
    for (unsigned i = 0; i < count; i++)
        drained->done |= !tiers[i].null;
    if (!drained->done)
        return;

    uint64_t start_ns = clock_monotonic_ns();
    drained->has_dirty = read_dirty(drain, &drained->before_bytes);
    drained->after_bytes = drained->before_bytes;
    for (unsigned i = 0; i < count && !crew_asked(asked); i++)
        sync_tier(drain, &tiers[i], i, drained);

    uint64_t give_up_ns = clock_monotonic_ns() + limit_of(drain, bytes);
    while (drained->has_dirty && !crew_asked(asked)) {
        drained->has_dirty = read_dirty(drain, &drained->after_bytes);
        if (drained->after_bytes <= drain->start_bytes + DRAIN_SLACK)
            break;
        uint64_t now_ns = clock_monotonic_ns();
        if (now_ns >= give_up_ns) {
            drained->timed_out = true;
            drain->time_outs++;
            break;
        }
        clock_sleep_until(now_ns + DRAIN_LOOK);
    }
    uint64_t end_ns = clock_monotonic_ns();
    drained->ns = end_ns - start_ns;
    if (!crew_asked(asked))
        clock_sleep_until(end_ns + DRAIN_REST);
}
