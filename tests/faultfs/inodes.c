#include "inodes.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void set_path(struct inode *inode, int fd)
{
    inode->fd = fd;
    snprintf(inode->path, sizeof inode->path, "/proc/self/fd/%d", fd);
}

void inodes_open(struct inodes *inodes, int root_fd)
{
    *inodes = (struct inodes){0};
    pthread_mutex_init(&inodes->lock, NULL);
    set_path(&inodes->root, root_fd);
}

void inodes_close(struct inodes *inodes)
{
    for (int i = 0; i < INODE_BUCKETS; i++) {
        for (struct inode *inode = inodes->buckets[i], *next; inode; inode = next) {
            next = inode->next;
            close(inode->fd);
            free(inode);
        }
    }
    close(inodes->root.fd);
}

struct inode *inodes_of(struct inodes *inodes, fuse_ino_t ino)
{
    // That the kernel gives back the number that it was given is FUSE's contract.
    return ino == FUSE_ROOT_ID ? &inodes->root : (struct inode *)(uintptr_t)ino;
}

fuse_ino_t inodes_number(struct inodes *inodes, struct inode *inode)
{
    return inode == &inodes->root ? FUSE_ROOT_ID : (fuse_ino_t)(uintptr_t)inode;
}

static struct inode **bucket_of(struct inodes *inodes, ino_t number)
{
    return &inodes->buckets[number % INODE_BUCKETS];
}

static struct inode *find(struct inodes *inodes, const struct stat *status)
{
    struct inode *inode = *bucket_of(inodes, status->st_ino);
    while (inode && (inode->number != status->st_ino || inode->device != status->st_dev))
        inode = inode->next;
    return inode;
}

struct inode *inodes_find(struct inodes *inodes, const struct stat *status)
{
    pthread_mutex_lock(&inodes->lock);
    struct inode *inode = find(inodes, status);
    pthread_mutex_unlock(&inodes->lock);
    return inode;
}

int inodes_lookup(struct inodes *inodes, const struct inode *parent, const char *name, struct stat *status,
                  struct inode **found)
{
    int fd = openat(parent->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno;
    if (fstatat(fd, "", status, AT_EMPTY_PATH) != 0) {
        int error = errno;
        close(fd);
        return error;
    }
    pthread_mutex_lock(&inodes->lock);
    struct inode *inode = find(inodes, status);
    if (inode) {
        close(fd);
    } else {
        struct inode **bucket = bucket_of(inodes, status->st_ino);
        inode = xcalloc(1, sizeof *inode);
        inode->number = status->st_ino;
        inode->device = status->st_dev;
        set_path(inode, fd);
        inode->next = *bucket;
        *bucket = inode;
    }
    inode->lookups++;
    pthread_mutex_unlock(&inodes->lock);
    *found = inode;
    return 0;
}

void inodes_forget(struct inodes *inodes, struct inode *inode, uint64_t lookups)
{
    if (inode == &inodes->root)
        return;
    pthread_mutex_lock(&inodes->lock);
    inode->lookups -= lookups;
    if (inode->lookups == 0) {
        struct inode **at = bucket_of(inodes, inode->number);
        while (*at != inode)
            at = &(*at)->next;
        *at = inode->next;
        close(inode->fd);
        free(inode);
    }
    pthread_mutex_unlock(&inodes->lock);
}
