#include "engine/disks.h"

#include "base/xalloc.h"
#include "engine/mounts.h"
#include "engine/proc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// Where a tier's bytes lie: its own file system, and what that one lies on in turn.
struct layer {
    dev_t device;      // as stat has it
    dev_t block;       // the block device under it; 0 where there is none
    dev_t whole_block; // the disk that this is a partition of; else the same
    struct mount mount;
    bool below_loop; // reached through a loop device's file
};

enum { LAYERS = 6 };

struct layers {
    struct layer layer[LAYERS];
    unsigned length;
    bool upper_unknown; // an overlay whose upper layer can't be looked at
};

static char *block_path(dev_t block, const char *below)
{
    return xformat("/sys/dev/block/%u:%u/%s", major(block), minor(block), below);
}

// Of /dev/vda1: /dev/vda. A disk's own folder in /sys has no "partition", and a partition's lies in its
// disk's.
static dev_t whole_of(dev_t block)
{
    struct text text = {0};
    unsigned disk_major, disk_minor;
    char *partition = block_path(block, "partition"), *parent = block_path(block, "../dev");
    char *colon;
    dev_t whole = block;
    if (access(partition, F_OK) == 0 && proc_read(parent, &text) && text.length) {
        disk_major = (unsigned)strtoul(text.bytes, &colon, 10);
        disk_minor = *colon == ':' ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
        if (*colon == ':')
            whole = makedev(disk_major, disk_minor);
    }
    text_free(&text);
    free(partition);
    free(parent);
    return whole;
}

static dev_t block_of(const struct mount *mount)
{
    struct stat status;
    if (!mount->type)
        return 0;
    if (mount->major)
        return makedev(mount->major, mount->minor);
    // btrfs numbers its file systems itself and names the block device as source.
    if (!strncmp(mount->source, "/dev/", 5) && stat(mount->source, &status) == 0 && S_ISBLK(status.st_mode))
        return status.st_rdev;
    return 0;
}

static char *overlay_upper(const struct mount *mount)
{
    static const char key[] = "upperdir=";
    for (const char *option = mount->super_options; option; option = strchr(option, ',')) {
        option += *option == ',';
        if (!strncmp(option, key, sizeof key - 1)) {
            option += sizeof key - 1;
            return xstrndup(option, strcspn(option, ","));
        }
    }
    return NULL;
}

// The file behind a loop device; NULL for any other. One that was deleted can't be opened any more.
static char *loop_file(dev_t whole_block)
{
    struct text text = {0};
    char *path = block_path(whole_block, "loop/backing_file"), *file = NULL;
    if (whole_block && proc_read(path, &text) && text.length)
        file = xstrndup(text.bytes, strcspn(text.bytes, "\n"));
    text_free(&text);
    free(path);
    return file;
}

static bool add_layer(struct layers *layers, int fd, bool below_loop)
{
    struct layer *layer = &layers->layer[layers->length];
    struct stat status;
    if (fstat(fd, &status) < 0)
        return false;
    layer->device = status.st_dev;
    layer->below_loop = below_loop;
    mount_of(fd, &layer->mount);
    layer->block = block_of(&layer->mount);
    layer->whole_block = layer->block ? whole_of(layer->block) : 0;
    layers->length++;
    return true;
}

// Goes down from a directory: through overlays to their upper layers, through loop devices to their files.
static void layers_of(int dirfd, struct layers *layers)
{
    *layers = (struct layers){0};
    bool found = add_layer(layers, dirfd, false);
    while (found && layers->length < LAYERS) {
        const struct layer *top = &layers->layer[layers->length - 1];
        bool overlay = top->mount.type && !strcmp(top->mount.type, "overlay");
        char *below = overlay ? overlay_upper(&top->mount) : loop_file(top->whole_block);
        int fd = below ? open(below, O_PATH | O_CLOEXEC) : -1;
        found = fd >= 0 && add_layer(layers, fd, top->below_loop || !overlay);
        layers->upper_unknown |= overlay && below && !found;
        if (fd >= 0)
            close(fd);
        free(below);
    }
}

static void layers_release(struct layers *layers)
{
    for (unsigned i = 0; i < layers->length; i++)
        mount_release(&layers->layer[i].mount);
}

static bool same_disk(const struct layer *a, const struct layer *b)
{
    if (a->device == b->device || (a->block && a->block == b->block))
        return true;
    if (!a->mount.type || !b->mount.type)
        return false;
    if (a->mount.major == b->mount.major && a->mount.minor == b->mount.minor)
        return true;
    // "/dev/fuse" is the source of each FUSE mount whose server doesn't name one.
    return !strncmp(a->mount.source, "/dev/", 5) && strcmp(a->mount.source, "/dev/fuse") != 0 &&
           !strcmp(a->mount.source, b->mount.source);
}

static void describe(const struct layer *layer, struct text *text)
{
    const struct mount *mount = &layer->mount;
    if (!mount->type)
        text_printf(text, "the file system %u:%u", major(layer->device), minor(layer->device));
    else if (mount->source[0] == '/')
        text_printf(text, "%s (%s)", mount->source, mount->type);
    else
        text_printf(text, "the %s at %s", mount->type, mount->target);
}

// The strongest of what the layers of two tiers have in common.
static enum disks compare_layers(const struct layers *a, const struct layers *b, const char *names,
                                 struct text *why)
{
    const struct layer *below = NULL, *partition = NULL;
    for (unsigned i = 0; i < a->length; i++) {
        for (unsigned k = 0; k < b->length; k++) {
            const struct layer *x = &a->layer[i], *y = &b->layer[k];
            if (!same_disk(x, y)) {
                if (x->whole_block && x->whole_block == y->whole_block)
                    partition = x;
                continue;
            }
            if (!x->below_loop && !y->below_loop) {
                text_printf(why, "%s lie on one disk: ", names);
                describe(x, why);
                return DISKS_SAME;
            }
            below = below ? below : x;
        }
    }
    if (below) {
        text_printf(why, "%s share a disk further down: ", names);
        describe(below, why);
        text_puts(why, " holds the file of a loop device");
    } else if (partition) {
        text_printf(why, "%s lie on partitions of one disk (%u:%u)", names, major(partition->whole_block),
                    minor(partition->whole_block));
    }
    return below || partition ? DISKS_SHARED_BELOW : DISKS_APART;
}

bool disks_same(int dirfd_a, int dirfd_b)
{
    struct layers a, b;
    struct text why = {0};
    layers_of(dirfd_a, &a);
    layers_of(dirfd_b, &b);
    enum disks found = compare_layers(&a, &b, "", &why);
    layers_release(&a);
    layers_release(&b);
    text_free(&why);
    return found == DISKS_SAME;
}

// A bind mount of a directory has another path and another mount, and the same device and inode. FUSE servers
// may give two directories one inode number: within one mount, other paths are other directories there.
static bool same_directory(const struct run *run, const struct target targets[])
{
    const struct run_tier *a = &run->tiers[0], *b = &run->tiers[1];
    if (!strcmp(a->path, b->path))
        return true;
    struct stat status_a, status_b;
    if (fstat(targets[0].dirfd, &status_a) < 0 || fstat(targets[1].dirfd, &status_b) < 0 ||
        status_a.st_dev != status_b.st_dev || status_a.st_ino != status_b.st_ino)
        return false;
    return !mount_is_remote(&a->mount) || a->mount.id != b->mount.id;
}

enum disks disks_compare(const struct run *run, const struct target targets[], struct text *why)
{
    if (same_directory(run, targets)) {
        text_printf(why, "%s and %s are the same directory", run->tiers[0].path_given,
                    run->tiers[1].path_given);
        return DISKS_SAME_DIRECTORY;
    }
    struct layers a, b;
    layers_of(targets[0].dirfd, &a);
    layers_of(targets[1].dirfd, &b);
    char *names = xformat("%s and %s", run->tiers[0].name, run->tiers[1].name);
    enum disks found = compare_layers(&a, &b, names, why);
    if (found == DISKS_APART && mount_in_memory(&run->tiers[0].mount) &&
        mount_in_memory(&run->tiers[1].mount)) {
        text_printf(why, "%s are both this machine's memory", names);
        found = DISKS_SHARED_BELOW;
    } else if (found == DISKS_APART && (a.upper_unknown || b.upper_unknown)) {
        text_printf(
            why,
            "%s is an overlay whose upper layer can't be seen from here: whether both lie on one disk "
            "is not known",
            a.upper_unknown ? run->tiers[0].name : run->tiers[1].name);
    }
    free(names);
    layers_release(&a);
    layers_release(&b);
    return found;
}
