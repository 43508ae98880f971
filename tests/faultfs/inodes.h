// inodes.h: the files that the kernel knows of, each with an O_PATH descriptor of the file behind it, for as
// long as the kernel remembers it.
#pragma once

#include <fuse_lowlevel.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>

enum { INODE_BUCKETS = 4096, INODE_PATH_SIZE = 32 };

struct inode {
    int fd;
    dev_t device;
    ino_t number;
    uint64_t lookups;           // that the kernel hasn't taken back
    _Atomic uint64_t last_byte; // of the file, in the write buffer: its position there
    _Atomic uint64_t written;   // bytes that went into the write buffer
    char path[INODE_PATH_SIZE]; // below /proc, for calls that don't take an O_PATH descriptor
    struct inode *next;
};

struct inodes {
    pthread_mutex_t lock;
    struct inode root;
    struct inode *buckets[INODE_BUCKETS];
};

void inodes_open(struct inodes *inodes, int root_fd); // takes the descriptor
void inodes_close(struct inodes *inodes);

struct inode *inodes_of(struct inodes *inodes, fuse_ino_t ino);
fuse_ino_t inodes_number(struct inodes *inodes, struct inode *inode);

// Finds a name and counts a lookup of it. 0 or an errno.
int inodes_lookup(struct inodes *inodes, const struct inode *parent, const char *name, struct stat *status,
                  struct inode **found);

// The inode of a file that the kernel knows of, or NULL. Where it is asked about in a call, it stays.
struct inode *inodes_find(struct inodes *inodes, const struct stat *status);

void inodes_forget(struct inodes *inodes, struct inode *inode, uint64_t lookups);
