#include "engine/disks.h"

#include "base/xalloc.h"
#include "engine/block.h"
#include "engine/mounts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

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

static bool add_layer(struct layers *layers, const struct mount *mount, dev_t device, bool below_loop)
{
    struct layer *layer = &layers->layer[layers->length++];
    layer->device = device;
    layer->below_loop = below_loop;
    layer->mount = *mount;
    layer->block = block_of_mount("", mount);
    layer->whole_block = layer->block ? block_whole("", layer->block) : 0;
    return true;
}

static bool add_directory(struct layers *layers, int dirfd)
{
    struct stat status;
    if (fstat(dirfd, &status) < 0)
        return false;
    struct mount mount = {0};
    mount_of(dirfd, &mount);
    return add_layer(layers, &mount, status.st_dev, false);
}

static bool add_path(struct layers *layers, const char *path, bool below_loop)
{
    struct mount mount = {0};
    return mount_of_path("", path, &mount) &&
           add_layer(layers, &mount, makedev(mount.major, mount.minor), below_loop);
}

// Goes down from a directory: through overlays to their upper layers, through loop devices to their files.
static void layers_of(int dirfd, struct layers *layers)
{
    *layers = (struct layers){0};
    bool found = add_directory(layers, dirfd);
    while (found && layers->length < LAYERS) {
        const struct layer *top = &layers->layer[layers->length - 1];
        char *upper = mount_overlay_upper(&top->mount);
        char *file =
            upper || !top->whole_block ? NULL : block_line("", top->whole_block, "loop/backing_file");
        const char *below = upper ? upper : file;
        found = below && add_path(layers, below, top->below_loop || file);
        layers->upper_unknown |= upper && !found;
        free(upper);
        free(file);
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
