// disk.h: the disk, and what every call to it goes through before it is done.
#pragma once

#include "base/text.h"
#include "bucket.h"
#include "faults.h"
#include "inodes.h"
#include "knobs.h"

#include <fuse_lowlevel.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct disk {
    struct inodes inodes;
    struct faults faults;
    struct bucket buffer, reads, writes;
    pthread_mutex_t turn; // held by the one call that is done, where they are done one at a time

    pthread_mutex_t lock; // for all below
    struct knobs knobs;
    uint64_t calls[KIND_COUNT];
    uint64_t bytes_read, bytes_written;
    bool used;            // by a call that may stall
    uint64_t last_use_ns; // the end of the last one
    uint64_t stalled_until_ns;

    int ready_fd; // gets a byte when the kernel has begun to talk to us; -1: nobody waits for that
};

void disk_open(struct disk *disk, const struct knobs *knobs, int root_fd);
void disk_close(struct disk *disk);
struct knobs disk_knobs(struct disk *disk);
void disk_set_knobs(struct disk *disk, const struct knobs *knobs);
void disk_make_cold(struct disk *disk);                          // the next use is a first use
void disk_show_counters(struct disk *disk, struct text *answer); // a line for each: NAME NUMBER
void disk_zero_counters(struct disk *disk);

// One call, with the knobs as they were when it came.
struct call {
    fuse_req_t request;
    struct disk *disk;
    struct inode *inode; // that it is about, or the folder that `name` is in
    enum kind kind;
    struct knobs knobs;
    bool has_turn;
    bool may_stall;
    uint64_t most; // bytes that it may move
};

// Counts the call, lets it wait as long as it must, and gives the errno that it must fail with, or 0. `name`
// is NULL where the call is about the inode itself. call_end() comes before the answer, whatever was
// returned.
int call_begin(struct call *call, fuse_req_t request, enum kind kind, fuse_ino_t ino, const char *name);
void call_end(struct call *call);

// The name that faults know an inode by. False where it can't be told.
bool call_name(const struct call *call, char *name, size_t size);

void call_count_read(struct call *call, uint64_t bytes);
void call_count_written(struct call *call, uint64_t bytes);
