#include "engine/cgroup.h"

#include "base/xalloc.h"
#include "engine/proc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_MOST (UINT64_C(1) << 53) // beyond it, a limit is none

// Where version 2 is mounted, as a rule: alone, or beside version 1.
static const char *const unified[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};

// A line of /proc/self/cgroup: "4:memory:/a/b", "0::/a/b".
struct line {
    const char *controllers;
    size_t controllers_length;
    const char *path;
    size_t path_length;
};

static bool split(const char *text, struct line *line)
{
    size_t length = strcspn(text, "\n");
    const char *first = memchr(text, ':', length);
    const char *second = first ? memchr(first + 1, ':', length - (size_t)(first + 1 - text)) : NULL;
    if (!second || second[1] != '/')
        return false;
    *line = (struct line){.controllers = first + 1,
                          .controllers_length = (size_t)(second - first - 1),
                          .path = second + 1,
                          .path_length = length - (size_t)(second + 1 - text)};
    return true;
}

static bool holds(const struct line *line, const char *controller)
{
    size_t length = strlen(controller);
    if (length == 0)
        return line->controllers_length == 0;
    const char *end = line->controllers + line->controllers_length;
    for (const char *word = line->controllers; word < end; word++) {
        const char *comma = memchr(word, ',', (size_t)(end - word));
        const char *word_end = comma ? comma : end;
        if ((size_t)(word_end - word) == length && !memcmp(word, controller, length))
            return true;
        word = word_end;
    }
    return false;
}

static bool find(const char *text, const char *controller, struct line *line)
{
    for (; text; text = strchr(text, '\n')) {
        text += *text == '\n';
        if (split(text, line) && holds(line, controller))
            return true;
    }
    return false;
}

char *cgroup_path(const char *text, const char *controller)
{
    struct line line;
    return find(text, controller, &line) ? xstrndup(line.path, line.path_length) : NULL;
}

// Visits the group at `path` below the mount, then those above it.
static void climb(const char *mount, const char *path, void (*visit)(void *argument, const char *folder),
                  void *argument)
{
    // A group outside of the namespace ("/../a") can't be seen from inside, and must not lead elsewhere.
    bool outside = strstr(path, "/..") != NULL;
    char *folder = xformat("%s%s", mount, outside ? "" : path);
    size_t top = strlen(mount);
    while (strlen(folder) > top && folder[strlen(folder) - 1] == '/')
        folder[strlen(folder) - 1] = '\0';
    for (;;) {
        visit(argument, folder);
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= top)
            break;
        *slash = '\0';
    }
    free(folder);
}

static void climb_version_1(const char *root, const char *controller, const struct line *line,
                            void (*visit)(void *argument, const char *folder), void *argument)
{
    char *mount = xformat("%s/sys/fs/cgroup/%s", root, controller);
    if (access(mount, F_OK) != 0) { // "cpu,cpuacct" has a link by each of its names, as a rule
        free(mount);
        mount = xformat("%s/sys/fs/cgroup/%.*s", root, (int)line->controllers_length, line->controllers);
    }
    char *path = xstrndup(line->path, line->path_length);
    climb(mount, path, visit, argument);
    free(path);
    free(mount);
}

void cgroup_walk(const char *root, const char *controller, void (*visit)(void *argument, const char *folder),
                 void *argument)
{
    char *file = xformat("%s/proc/self/cgroup", root);
    struct text text = {0};
    struct line line;
    if (!proc_read(file, &text))
        text.length = 0;
    char *path = text.length ? cgroup_path(text.bytes, "") : NULL;
    for (size_t i = 0; path && i < sizeof unified / sizeof *unified; i++) {
        char *mount = xformat("%s%s", root, unified[i]);
        climb(mount, path, visit, argument);
        free(mount);
    }
    if (*controller && text.length && find(text.bytes, controller, &line))
        climb_version_1(root, controller, &line, visit, argument);
    free(path);
    text_free(&text);
    free(file);
}

bool cgroup_limit(const char *folder, const char *name, uint64_t *limit)
{
    return proc_file_number(folder, name, "", limit) && *limit <= LIMIT_MOST;
}

bool cgroup_memory_limit(const char *folder, uint64_t *bytes)
{
    return cgroup_limit(folder, "memory.max", bytes) || cgroup_limit(folder, "memory.limit_in_bytes", bytes);
}

// Version 2 has both on one line, "150000 100000" or "max 100000"; version 1 has -1 for no quota.
bool cgroup_quota(const char *folder, double *cpus)
{
    uint64_t quota, period;
    char *line = proc_line(folder, "cpu.max");
    const char *blank = line ? strchr(line, ' ') : NULL;
    bool limited = blank ? proc_number(line, "", &quota) && proc_number(blank + 1, "", &period)
                         : proc_file_number(folder, "cpu.cfs_quota_us", "", &quota) &&
                               proc_file_number(folder, "cpu.cfs_period_us", "", &period);
    free(line);
    if (!limited || quota == 0 || period == 0)
        return false;
    *cpus = (double)quota / (double)period;
    return true;
}
