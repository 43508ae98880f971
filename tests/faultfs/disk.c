#include "disk.h"
#include "base/clock.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static void bucket_open(struct bucket *bucket)
{
    *bucket = (struct bucket){0};
    pthread_mutex_init(&bucket->lock, NULL);
}

void disk_open(struct disk *disk, const struct knobs *knobs, int root_fd)
{
    *disk = (struct disk){.knobs = *knobs, .ready_fd = -1};
    inodes_open(&disk->inodes, root_fd);
    faults_open(&disk->faults);
    bucket_open(&disk->buffer);
    bucket_open(&disk->reads);
    bucket_open(&disk->writes);
    pthread_mutex_init(&disk->turn, NULL);
    pthread_mutex_init(&disk->lock, NULL);
}

void disk_close(struct disk *disk)
{
    inodes_close(&disk->inodes);
}

struct knobs disk_knobs(struct disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    struct knobs knobs = disk->knobs;
    pthread_mutex_unlock(&disk->lock);
    return knobs;
}

void disk_set_knobs(struct disk *disk, const struct knobs *knobs)
{
    pthread_mutex_lock(&disk->lock);
    disk->knobs = *knobs;
    pthread_mutex_unlock(&disk->lock);
}

void disk_make_cold(struct disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    disk->used = false;
    pthread_mutex_unlock(&disk->lock);
}

void disk_show_counters(struct disk *disk, struct text *answer)
{
    uint64_t buffered = bucket_level(&disk->buffer, disk_knobs(disk).drain);
    int hung = faults_hung(&disk->faults);
    pthread_mutex_lock(&disk->lock);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        text_printf(answer, "%s %" PRIu64 "\n", kind_name((enum kind)kind), disk->calls[kind]);
    text_printf(answer, "bytes_read %" PRIu64 "\nbytes_written %" PRIu64 "\n", disk->bytes_read,
                disk->bytes_written);
    pthread_mutex_unlock(&disk->lock);
    text_printf(answer, "buffered %" PRIu64 "\nhung %d\n", buffered, hung);
}

void disk_zero_counters(struct disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    memset(disk->calls, 0, sizeof disk->calls);
    disk->bytes_read = 0;
    disk->bytes_written = 0;
    pthread_mutex_unlock(&disk->lock);
}

static bool may_stall(const struct knobs *knobs, enum kind kind, const char *name)
{
    if (!kinds_have(knobs->stall_kinds, kind))
        return false;
    return knobs->stall_names[0] == '\0' || (name && fnmatch(knobs->stall_names, name, 0) == 0);
}

// A first use takes longer, and whoever comes meanwhile waits with it.
static void wait_for_first_use(struct call *call)
{
    struct disk *disk = call->disk;
    uint64_t now = clock_monotonic_ns();
    pthread_mutex_lock(&disk->lock);
    uint64_t idle = call->knobs.stall_idle_ns;
    bool rested = idle > 0 && now > disk->last_use_ns && now - disk->last_use_ns >= idle;
    if (!disk->used || rested)
        disk->stalled_until_ns = now + call->knobs.stall_ns;
    disk->used = true;
    uint64_t until = disk->stalled_until_ns;
    disk->last_use_ns = until > now ? until : now;
    pthread_mutex_unlock(&disk->lock);
    if (until > now)
        clock_sleep_until(until);
}

bool call_name(const struct call *call, char *name, size_t size)
{
    char path[PATH_MAX];
    ssize_t length = readlink(call->inode->path, path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    const char *slash = strrchr(path, '/');
    const char *last = slash ? slash + 1 : path;
    if (strlen(last) >= size)
        return false;
    strcpy(name, last);
    return true;
}

int call_begin(struct call *call, fuse_req_t request, enum kind kind, fuse_ino_t ino, const char *name)
{
    struct disk *disk = fuse_req_userdata(request);
    *call = (struct call){.request = request, .disk = disk, .kind = kind};
    call->inode = inodes_of(&disk->inodes, ino);
    pthread_mutex_lock(&disk->lock);
    disk->calls[kind]++;
    call->knobs = disk->knobs;
    pthread_mutex_unlock(&disk->lock);

    char own[NAME_MAX + 1];
    bool wants_name = faults_want_names(&disk->faults) || call->knobs.stall_names[0] != '\0';
    if (!name && wants_name && call_name(call, own, sizeof own))
        name = own;
    call->may_stall = may_stall(&call->knobs, kind, name);
    struct ordeal ordeal = faults_meet(&disk->faults, kind, name);
    call->most = ordeal.most;
    call->has_turn = call->knobs.serial;
    if (call->has_turn)
        pthread_mutex_lock(&disk->turn);
    if (call->may_stall)
        wait_for_first_use(call);
    if (call->knobs.latency_ns[kind] > 0)
        clock_sleep_until(clock_monotonic_ns() + call->knobs.latency_ns[kind]);
    if (ordeal.hang_ns > 0)
        faults_hang(&disk->faults, ordeal.hang_ns);
    return ordeal.error;
}

void call_end(struct call *call)
{
    struct disk *disk = call->disk;
    if (call->has_turn)
        pthread_mutex_unlock(&disk->turn);
    if (!call->may_stall)
        return;
    pthread_mutex_lock(&disk->lock);
    disk->last_use_ns = clock_monotonic_ns();
    pthread_mutex_unlock(&disk->lock);
}

void call_count_read(struct call *call, uint64_t bytes)
{
    pthread_mutex_lock(&call->disk->lock);
    call->disk->bytes_read += bytes;
    pthread_mutex_unlock(&call->disk->lock);
}

void call_count_written(struct call *call, uint64_t bytes)
{
    pthread_mutex_lock(&call->disk->lock);
    call->disk->bytes_written += bytes;
    pthread_mutex_unlock(&call->disk->lock);
}
