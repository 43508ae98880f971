#include "engine/system.h"

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/cgroup.h"
#include "engine/drain.h"
#include "engine/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum file {
    FILE_STAT,
    FILE_MEMINFO,
    FILE_DISKSTATS,
    FILE_CPU_STAT,
    FILE_CPU_PRESSURE,
    FILE_IO_PRESSURE,
    FILE_MEMORY_PRESSURE,
    FILE_MEMORY_EVENTS,
    FILE_MEMORY_FAILURES,
    FILE_MEMORY_USAGE,
    FILES
};
_Static_assert((int)FILES <= (int)SYSTEM_FILES, "a watch has room for all files");

// The files here are shorter; of /proc/stat and /proc/meminfo what counts stands at the beginning.
enum { TEXT_SIZE = 8192, SECTOR = 512 };

// ---- Texts ----

static bool scaled(const char *text, const char *key, uint64_t scale, uint64_t *value)
{
    uint64_t number;
    return proc_number(text, key, &number) && !__builtin_mul_overflow(number, scale, value);
}

// The number in that column of a line of blank-separated ones, the first being 0.
static bool column(const char *line, unsigned wanted, uint64_t *number)
{
    line += strspn(line, " ");
    for (unsigned i = 0; i < wanted; i++) {
        line += strcspn(line, " \n");
        line += strspn(line, " ");
    }
    char *end;
    errno = 0;
    *number = strtoumax(line, &end, 10);
    return *line >= '0' && *line <= '9' && errno == 0 && (*end == ' ' || *end == '\n' || !*end);
}

// "cpu  user nice system idle iowait irq softirq steal guest guest_nice"
bool stat_steal(const char *text, uint64_t *ticks)
{
    enum { STEAL = 8 };
    return !strncmp(text, "cpu ", 4) && column(text, STEAL, ticks);
}

bool cpu_stat_throttled(const char *text, uint64_t *ns)
{
    return scaled(text, "throttled_usec", 1000, ns) || scaled(text, "throttled_time", 1, ns);
}

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in microseconds.
bool pressure_some(const char *text, uint64_t *ns)
{
    static const char key[] = " total=";
    if (strncmp(text, "some ", 5) != 0)
        return false;
    const char *total = strstr(text, key), *end = strchr(text, '\n');
    return total && (!end || total < end) && scaled(total + sizeof key - 1, "", 1000, ns);
}

bool memory_events_limits(const char *text, uint64_t *times)
{
    uint64_t high, max;
    return proc_number(text, "high ", &high) && proc_number(text, "max ", &max) &&
           !__builtin_add_overflow(high, max, times);
}

// "major minor name reads merged sectors ms writes merged sectors ms inflight busy-ms …"
bool diskstats_line(const char *line, unsigned major, unsigned minor, struct disk_counts *counts)
{
    enum { MAJOR, MINOR, SECTORS_READ = 5, SECTORS_WRITTEN = 9, BUSY_MS = 12 };
    uint64_t line_major, line_minor, read_sectors, written_sectors, busy_ms;
    return column(line, MAJOR, &line_major) && line_major == major && column(line, MINOR, &line_minor) &&
           line_minor == minor && column(line, SECTORS_READ, &read_sectors) &&
           column(line, SECTORS_WRITTEN, &written_sectors) && column(line, BUSY_MS, &busy_ms) &&
           !__builtin_mul_overflow(read_sectors, (uint64_t)SECTOR, &counts->read_bytes) &&
           !__builtin_mul_overflow(written_sectors, (uint64_t)SECTOR, &counts->written_bytes) &&
           !__builtin_mul_overflow(busy_ms, (uint64_t)NS_PER_MS, &counts->busy_ns);
}

// ---- Opening ----

static int open_in(const char *folder, const char *name)
{
    char *path = xformat("%s/%s", folder, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    return fd;
}

// The group to watch: the one whose limit is least, else the lowest one that has the file. Beside version 1,
// groups of version 2 have files that tell nothing of a controller that isn't theirs.
struct choice {
    const char *name;
    const char *key; // of a number in it
    bool (*limit)(const char *folder, double *limit);
    char *folder;
    bool limited;
    double least;
};

static void consider(void *argument, const char *folder)
{
    struct choice *choice = argument;
    double limit = 0;
    bool limited = choice->limit(folder, &limit);
    bool better = limited ? !choice->limited || limit < choice->least : !choice->folder;
    if (!better)
        return;
    uint64_t number;
    if (!proc_file_number(folder, choice->name, choice->key, &number))
        return;
    free(choice->folder);
    choice->folder = xstrdup(folder);
    choice->limited = limited;
    choice->least = limit;
}

static bool memory_limit(const char *folder, double *limit)
{
    uint64_t bytes;
    if (!cgroup_memory_limit(folder, &bytes))
        return false;
    *limit = (double)bytes;
    return true;
}

static const struct group_file {
    enum file file;
    const char *controller;
    const char *name;
    const char *key;
    bool (*limit)(const char *folder, double *limit);
} group_files[] = {
    {FILE_CPU_STAT, "cpu", "cpu.stat", "nr_throttled ", cgroup_quota},
    {FILE_MEMORY_EVENTS, "memory", "memory.events", "max ", memory_limit},
    {FILE_MEMORY_FAILURES, "memory", "memory.failcnt", "", memory_limit},
    {FILE_MEMORY_USAGE, "memory", "memory.current", "", memory_limit},
    {FILE_MEMORY_USAGE, "memory", "memory.usage_in_bytes", "", memory_limit},
};

static int open_group_file(const char *root, const struct group_file *file)
{
    struct choice choice = {.name = file->name, .key = file->key, .limit = file->limit};
    cgroup_walk(root, file->controller, consider, &choice);
    int fd = choice.folder ? open_in(choice.folder, file->name) : -1;
    free(choice.folder);
    return fd;
}

// Pressure is told of each group of version 2, and else of the machine.
static const struct {
    enum file file;
    const char *of_group;
    const char *of_machine;
} pressure_files[] = {
    {FILE_CPU_PRESSURE, "cpu.pressure", "proc/pressure/cpu"},
    {FILE_IO_PRESSURE, "io.pressure", "proc/pressure/io"},
    {FILE_MEMORY_PRESSURE, "memory.pressure", "proc/pressure/memory"},
};

static void open_pressure(void *argument, const char *folder)
{
    struct system_watch *watch = argument;
    for (size_t i = 0; i < sizeof pressure_files / sizeof *pressure_files; i++) {
        int *fd = &watch->files[pressure_files[i].file];
        if (*fd < 0)
            *fd = open_in(folder, pressure_files[i].of_group);
    }
}

void system_watch_open(struct system_watch *watch, const char *root)
{
    for (size_t i = 0; i < SYSTEM_FILES; i++)
        watch->files[i] = -1;
    watch->files[FILE_STAT] = open_in(root, "proc/stat");
    watch->files[FILE_MEMINFO] = open_in(root, "proc/meminfo");
    watch->files[FILE_DISKSTATS] = open_in(root, "proc/diskstats");
    for (size_t i = 0; i < sizeof group_files / sizeof *group_files; i++)
        if (watch->files[group_files[i].file] < 0)
            watch->files[group_files[i].file] = open_group_file(root, &group_files[i]);
    cgroup_walk(root, "", open_pressure, watch);
    for (size_t i = 0; i < sizeof pressure_files / sizeof *pressure_files; i++)
        if (watch->files[pressure_files[i].file] < 0)
            watch->files[pressure_files[i].file] = open_in(root, pressure_files[i].of_machine);
}

void system_watch_close(struct system_watch *watch)
{
    for (size_t i = 0; i < SYSTEM_FILES; i++) {
        if (watch->files[i] >= 0)
            close(watch->files[i]);
        watch->files[i] = -1;
    }
}

// ---- Looking ----

static bool read_text(const struct system_watch *watch, enum file file, char text[TEXT_SIZE])
{
    ssize_t size = watch->files[file] < 0 ? -1 : pread(watch->files[file], text, TEXT_SIZE - 1, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    return true;
}

static struct count known_if(bool known, uint64_t value)
{
    return known ? known_count(value) : (struct count){0};
}

static bool number(const char *text, uint64_t *value)
{
    return proc_number(text, "", value);
}

static bool throttled_periods(const char *text, uint64_t *periods)
{
    return proc_number(text, "nr_throttled ", periods);
}

static bool available(const char *text, uint64_t *bytes)
{
    return scaled(text, "MemAvailable:", KIB, bytes);
}

static bool steal_ns(const char *text, uint64_t *ns)
{
    uint64_t ticks;
    long a_second = sysconf(_SC_CLK_TCK);
    return a_second > 0 && stat_steal(text, &ticks) &&
           !__builtin_mul_overflow(ticks, (uint64_t)NS_PER_S / (uint64_t)a_second, ns);
}

static const struct {
    enum file file;
    bool (*parse)(const char *text, uint64_t *value);
    size_t offset;
} facts[] = {
    {FILE_STAT, steal_ns, offsetof(struct system_use, steal_ns)},
    {FILE_CPU_STAT, cpu_stat_throttled, offsetof(struct system_use, throttled_ns)},
    {FILE_CPU_STAT, throttled_periods, offsetof(struct system_use, throttled_periods)},
    {FILE_CPU_PRESSURE, pressure_some, offsetof(struct system_use, cpu_pressure_ns)},
    {FILE_IO_PRESSURE, pressure_some, offsetof(struct system_use, io_pressure_ns)},
    {FILE_MEMORY_PRESSURE, pressure_some, offsetof(struct system_use, memory_pressure_ns)},
    {FILE_MEMORY_FAILURES, number, offsetof(struct system_use, memory_events)},
    {FILE_MEMORY_EVENTS, memory_events_limits, offsetof(struct system_use, memory_events)},
    {FILE_MEMORY_USAGE, number, offsetof(struct system_use, memory_bytes)},
    {FILE_MEMINFO, meminfo_dirty, offsetof(struct system_use, dirty_bytes)},
    {FILE_MEMINFO, available, offsetof(struct system_use, available_bytes)},
};

static void look_at_process(struct system_use *counted)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return;
    uint64_t seconds = (uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec;
    uint64_t microseconds = (uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec;
    counted->cpu_ns = known_count(seconds * NS_PER_S + microseconds * 1000);
    counted->involuntary_switches = known_count((uint64_t)usage.ru_nivcsw);
}

// A machine can have more disks than fit one read: it is read piece by piece, each from a line's start.
static void look_at_disk(const struct system_watch *watch, unsigned major, unsigned minor,
                         struct system_use *counted)
{
    char text[TEXT_SIZE];
    int fd = watch->files[FILE_DISKSTATS];
    struct disk_counts counts;
    off_t offset = 0;
    ssize_t size;
    while (fd >= 0 && major + minor > 0 && (size = pread(fd, text, sizeof text - 1, offset)) > 0) {
        text[size] = '\0';
        char *line = text, *end;
        for (; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            if (diskstats_line(line, major, minor, &counts)) {
                counted->disk_read_bytes = known_count(counts.read_bytes);
                counted->disk_written_bytes = known_count(counts.written_bytes);
                counted->disk_busy_ns = known_count(counts.busy_ns);
                return;
            }
        }
        if (line == text)
            return; // not even one line
        offset += line - text;
    }
}

void system_watch_look(const struct system_watch *watch, unsigned major, unsigned minor,
                       struct system_look *look)
{
    *look = (struct system_look){.monotonic_ns = clock_monotonic_ns(),
                                 .realtime_ns = clock_realtime_ns(),
                                 .boottime_ns = clock_boottime_ns()};
    char text[TEXT_SIZE];
    enum file held = FILES;
    bool readable = false;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (facts[i].file != held)
            readable = read_text(watch, facts[i].file, text);
        held = facts[i].file;
        uint64_t value = 0;
        struct count *count = (struct count *)((char *)&look->counted + facts[i].offset);
        if (readable && facts[i].parse(text, &value))
            *count = known_count(value);
    }
    look_at_process(&look->counted);
    look_at_disk(watch, major, minor, &look->counted);
}

// ---- Two looks ----

static const size_t counted_up[] = {
    offsetof(struct system_use, cpu_ns),
    offsetof(struct system_use, involuntary_switches),
    offsetof(struct system_use, throttled_ns),
    offsetof(struct system_use, throttled_periods),
    offsetof(struct system_use, steal_ns),
    offsetof(struct system_use, cpu_pressure_ns),
    offsetof(struct system_use, io_pressure_ns),
    offsetof(struct system_use, memory_pressure_ns),
    offsetof(struct system_use, memory_events),
    offsetof(struct system_use, disk_read_bytes),
    offsetof(struct system_use, disk_written_bytes),
    offsetof(struct system_use, disk_busy_ns),
};

void system_use_between(const struct system_look *before, const struct system_look *after,
                        struct system_use *use)
{
    *use = after->counted; // the levels are the second's
    for (size_t i = 0; i < sizeof counted_up / sizeof *counted_up; i++) {
        const struct count *first = (const struct count *)((const char *)&before->counted + counted_up[i]);
        const struct count *second = (const struct count *)((const char *)&after->counted + counted_up[i]);
        struct count *difference = (struct count *)((char *)use + counted_up[i]);
        *difference = known_if(first->known && second->known && second->value >= first->value,
                               second->value - first->value);
    }
    int64_t step_ns = (int64_t)(after->monotonic_ns - before->monotonic_ns);
    int64_t realtime_ns = (int64_t)(after->realtime_ns - before->realtime_ns);
    int64_t boottime_ns = (int64_t)(after->boottime_ns - before->boottime_ns);
    use->realtime_drift_ns = (struct signed_count){.known = true, .value = realtime_ns - step_ns};
    // The clocks are read one after the other: less than nothing is nothing.
    use->suspended_ns = known_count(boottime_ns > step_ns ? (uint64_t)(boottime_ns - step_ns) : 0);
}
