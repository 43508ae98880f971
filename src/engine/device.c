// device.c (engine): what /sys and /proc say of what lies below a mount.
#include "engine/device.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/block.h"
#include "engine/mounts.h"
#include "engine/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// The server of a FUSE mount is looked for among so many open files at most.
enum { PROCESSES_MOST = 10000, FILES_MOST = 1000 };

// ---- The backing device, which has the read-ahead ----

static void take_bdi(const char *folder, struct device *device)
{
    uint64_t kib, ratio;
    if (proc_file_number(folder, "read_ahead_kb", "", &kib) && kib < UINT64_MAX / KIB)
        device->read_ahead_bytes = known_count(kib * KIB);
    if (proc_file_number(folder, "max_ratio", "", &ratio))
        device->bdi_max_ratio = known_count(ratio);
}

// The one of btrfs is named by a number of its own, and found by a device of the file system.
static char *btrfs_bdi(const char *root, const char *name)
{
    char *folder = xformat("%s/sys/fs/btrfs", root), *found = NULL;
    DIR *directory = name ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (directory && !found && (entry = readdir(directory))) {
        char *member = xformat("%s/%s/devices/%s", folder, entry->d_name, name);
        if (access(member, F_OK) == 0)
            found = xformat("%s/%s/bdi", folder, entry->d_name);
        free(member);
    }
    if (directory)
        closedir(directory);
    free(folder);
    return found;
}

static void look_at_bdi(const char *root, const struct mount *mount, struct device *device)
{
    char *folder;
    if (!strcmp(mount->type, "btrfs"))
        folder = btrfs_bdi(root, device->block_name);
    else
        folder = xformat("%s/sys/class/bdi/%u:%u%s", root, mount->major, mount->minor,
                         strcmp(mount->type, "fuseblk") ? "" : "-fuseblk");
    if (folder)
        take_bdi(folder, device);
    free(folder);
}

// ---- The block device ----

// "[mq-deadline] none": the one in brackets; "none" stands alone.
static char *chosen(char *line)
{
    char *open = line ? strchr(line, '[') : NULL;
    char *close = open ? strchr(open, ']') : NULL;
    if (!close)
        return line;
    char *word = xstrndup(open + 1, (size_t)(close - open - 1));
    free(line);
    return word;
}

static void look_at_block(const char *root, const struct mount *mount, struct device *device)
{
    dev_t block = block_of_mount(root, mount);
    if (!block)
        return;
    dev_t whole = block_whole(root, block);
    uint64_t number;
    device->block_name = block_name(root, block);
    device->block_model = block_line(root, whole, "device/model");
    device->scheduler = chosen(block_line(root, whole, "queue/scheduler"));
    device->backing_file = block_line(root, whole, "loop/backing_file");
    if (block_number(root, whole, "queue/rotational", &number))
        device->rotational = known_flag(number != 0);
    if (block_number(root, whole, "queue/logical_block_size", &number))
        device->logical_block_bytes = known_count(number);
    if (block_number(root, whole, "queue/read_ahead_kb", &number) && number < UINT64_MAX / KIB)
        device->queue_read_ahead_bytes = known_count(number * KIB);
}

// ---- The server of a FUSE mount ----

// Whether a file of a process is the end of a FUSE connection that can be this mount's. Newer kernels name
// the connection, by the minor number of its mount.
static bool serves(const char *process, const char *file, unsigned minor)
{
    char target[64], *link = xformat("%s/fd/%s", process, file), *info = xformat("fdinfo/%s", file);
    ssize_t length = readlink(link, target, sizeof target);
    bool is_end = length == (ssize_t)strlen("/dev/fuse") && !memcmp(target, "/dev/fuse", (size_t)length);
    uint64_t connection;
    bool another =
        is_end && proc_file_number(process, info, "fuse_connection:", &connection) && connection != minor;
    free(link);
    free(info);
    return is_end && !another;
}

static bool process_serves(const char *process, unsigned minor)
{
    char *folder = xformat("%s/fd", process);
    DIR *files = opendir(folder);
    const struct dirent *entry;
    bool found = false;
    for (unsigned i = 0; files && !found && i < FILES_MOST && (entry = readdir(files)); i++)
        found = isdigit((unsigned char)entry->d_name[0]) && serves(process, entry->d_name, minor);
    if (files)
        closedir(files);
    free(folder);
    return found;
}

// The name of the only process that can be the server; NULL where none or several can.
static char *fuse_server(const char *root, unsigned minor)
{
    char *folder = xformat("%s/proc", root), *name = NULL;
    DIR *processes = opendir(folder);
    const struct dirent *entry;
    unsigned candidates = 0;
    for (unsigned i = 0; processes && i < PROCESSES_MOST && (entry = readdir(processes)); i++) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        char *process = xformat("%s/%s", folder, entry->d_name);
        if (process_serves(process, minor) && ++candidates == 1)
            name = proc_line(process, "comm");
        free(process);
    }
    if (processes)
        closedir(processes);
    free(folder);
    if (candidates == 1)
        return name;
    free(name);
    return NULL;
}

static void look_at_fuse(const char *root, const struct mount *mount, struct device *device)
{
    static const char prefix[] = "fuse.";
    uint64_t bytes;
    bool subtype = !strncmp(mount->type, prefix, sizeof prefix - 1);
    if (!subtype && strcmp(mount->type, "fuse") != 0 && strcmp(mount->type, "fuseblk") != 0)
        return;
    if (subtype && mount->type[sizeof prefix - 1])
        device->fuse_subtype = xstrdup(mount->type + sizeof prefix - 1);
    char *most = mount_super_option(mount, "max_read");
    if (most && proc_number(most, "", &bytes))
        device->fuse_max_read_bytes = known_count(bytes);
    free(most);
    device->fuse_server = fuse_server(root, mount->minor);
}

// ---- All of it ----

// A layer reads ahead as the file system below it does, so that one's facts are the overlay's.
static void look_at_upper(const char *root, const char *path, struct device *device)
{
    struct mount below = {0};
    if (!mount_of_path(root, path, &below))
        return;
    dev_t block = block_of_mount(root, &below);
    device->upper_device =
        block ? xformat("%u:%u", major(block), minor(block)) : xformat("%u:%u", below.major, below.minor);
    look_at_block(root, &below, device);
    look_at_bdi(root, &below, device);
    mount_release(&below);
}

void device_of(const char *root, const struct mount *mount, struct device *device)
{
    if (!mount->type)
        return;
    device->upper_path = mount_overlay_upper(mount);
    if (device->upper_path) {
        look_at_upper(root, device->upper_path, device);
        return;
    }
    look_at_block(root, mount, device);
    look_at_bdi(root, mount, device);
    look_at_fuse(root, mount, device);
}
