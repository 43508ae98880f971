#include "engine/memory.h"

#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/proc.h"

#include <stdlib.h>
#include <string.h>

// The two kinds of control groups, by the files that they keep.
struct cgroup_kind {
    const char *controller; // its word in /proc/self/cgroup; v2 has none
    const char *mounts[3];  // where it is mounted, as a rule
    const char *limit;
    const char *usage;
    const char *droppable; // in memory.stat: counted as used, and given back when memory is short
};

static const struct cgroup_kind kinds[] = {
    {
        .controller = "",
        .mounts = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"},
        .limit = "memory.max",
        .usage = "memory.current",
        .droppable = "inactive_file",
    },
    {
        .controller = "memory",
        .mounts = {"/sys/fs/cgroup/memory"},
        .limit = "memory.limit_in_bytes",
        .usage = "memory.usage_in_bytes",
        .droppable = "total_inactive_file",
    },
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void keep_least(bool *known, uint64_t *bytes, uint64_t candidate)
{
    if (!*known || candidate < *bytes)
        *bytes = candidate;
    *known = true;
}

static bool read_number(const char *folder, const char *name, const char *key, uint64_t *number)
{
    char *path = xformat("%s/%s", folder, name);
    struct text text = {0};
    bool found = proc_read(path, &text) && proc_number(text_string(&text), key, number);
    text_free(&text);
    free(path);
    return found;
}

// What one group has left. A limit of "max", or one that no machine has, is none.
static bool group_left(const struct cgroup_kind *kind, const char *folder, uint64_t *left)
{
    uint64_t limit, usage, droppable;
    if (!read_number(folder, kind->limit, "", &limit) || limit > UINT64_C(1) << 53)
        return false;
    if (!read_number(folder, kind->usage, "", &usage))
        return false;
    if (read_number(folder, "memory.stat", kind->droppable, &droppable))
        usage -= droppable < usage ? droppable : usage;
    *left = limit > usage ? limit - usage : 0;
    return true;
}

// Whether a line of /proc/self/cgroup ("4:memory:/a/b", "0::/a/b") is about this kind; the group's path.
static const char *group_path(const struct cgroup_kind *kind, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return NULL;
    *path++ = '\0';
    controllers++;
    if (!*kind->controller)
        return *controllers ? NULL : path;
    char *rest = NULL;
    for (char *word = strtok_r(controllers, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (!strcmp(word, kind->controller))
            return path;
    }
    return NULL;
}

// The group and all above it: each can be the one that is nearly full. In a container the path may name
// groups that can't be seen from inside; the topmost that can is the container's own.
static void groups_left(const struct cgroup_kind *kind, const char *root, const char *group, bool *known,
                        uint64_t *bytes)
{
    for (const char *const *mount = kind->mounts; *mount; mount++) {
        char *folder = xformat("%s%s%s", root, *mount, group);
        size_t top = strlen(root) + strlen(*mount);
        for (;;) {
            uint64_t left;
            if (group_left(kind, folder, &left))
                keep_least(known, bytes, left);
            char *slash = strrchr(folder, '/');
            if (!slash || strlen(folder) <= top)
                break;
            *slash = '\0';
        }
        free(folder);
    }
}

bool memory_left(const char *root, uint64_t *bytes)
{
    bool known = false;
    uint64_t kib;
    char *proc = xformat("%s/proc", root);
    if (read_number(proc, "meminfo", "MemAvailable:", &kib) && kib < UINT64_MAX / KIB)
        keep_least(&known, bytes, kib * KIB);
    free(proc);

    char *path = xformat("%s/proc/self/cgroup", root);
    for (size_t i = 0; i < KINDS; i++) {
        struct text text = {0};
        char *rest = NULL;
        if (proc_read(path, &text) && text.length) {
            for (char *line = strtok_r(text.bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                const char *group = group_path(&kinds[i], line);
                if (group)
                    groups_left(&kinds[i], root, group, &known, bytes);
            }
        }
        text_free(&text);
    }
    free(path);
    return known;
}
