#include "engine/block.h"

#include "base/xalloc.h"
#include "engine/proc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char *folder_of(const char *root, dev_t block)
{
    return xformat("%s/sys/dev/block/%u:%u", root, major(block), minor(block));
}

// btrfs numbers its file systems itself and names the block device as source.
dev_t block_of_mount(const char *root, const struct mount *mount)
{
    if (!mount->type)
        return 0;
    if (mount->major)
        return makedev(mount->major, mount->minor);
    if (strncmp(mount->source, "/dev/", 5) != 0)
        return 0;
    struct stat status;
    char *path = xformat("%s%s", root, mount->source);
    bool is_block = stat(path, &status) == 0 && S_ISBLK(status.st_mode);
    free(path);
    return is_block ? status.st_rdev : 0;
}

char *block_line(const char *root, dev_t block, const char *file)
{
    char *folder = folder_of(root, block), *line = proc_line(folder, file);
    free(folder);
    return line;
}

bool block_number(const char *root, dev_t block, const char *file, uint64_t *number)
{
    char *folder = folder_of(root, block);
    bool found = proc_file_number(folder, file, "", number);
    free(folder);
    return found;
}

// A disk's own folder has no "partition", and a partition's lies in its disk's.
dev_t block_whole(const char *root, dev_t block)
{
    dev_t whole = block;
    uint64_t partition, disk_minor;
    char *numbers =
        block_number(root, block, "partition", &partition) ? block_line(root, block, "../dev") : NULL;
    char *colon = numbers;
    unsigned long disk_major = numbers ? strtoul(numbers, &colon, 10) : 0;
    if (numbers && *colon == ':' && disk_major <= UINT_MAX && proc_number(colon + 1, "", &disk_minor) &&
        disk_minor <= UINT_MAX)
        whole = makedev((unsigned)disk_major, (unsigned)disk_minor);
    free(numbers);
    return whole;
}

// Its entry in /sys is a link to a folder of that name.
char *block_name(const char *root, dev_t block)
{
    char target[PATH_MAX], *folder = folder_of(root, block);
    ssize_t length = readlink(folder, target, sizeof target - 1);
    free(folder);
    if (length <= 0)
        return NULL;
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    return xstrdup(slash ? slash + 1 : target);
}
