// bucket.h: a leaky bucket: bytes are poured in at any speed while it has room, and leak out at a known rate.
// With a size it is a write buffer that drains; without one it is a cap on bandwidth. No thread drains it:
// what has leaked follows from the time that passed.
#pragma once

#include <pthread.h>
#include <stdint.h>

struct bucket {
    pthread_mutex_t lock;
    uint64_t poured; // bytes so far
    double leaked;
    uint64_t at_ns; // when `leaked` was reckoned
};

// Waits until there is room, and returns how many bytes were poured in by then, these included. A rate of 0
// bytes a second is no limit at all.
uint64_t bucket_pour(struct bucket *bucket, uint64_t bytes, uint64_t size, uint64_t rate);

// Waits until what was poured in up to `position` has leaked.
void bucket_wait(struct bucket *bucket, uint64_t position, uint64_t rate);

// Waits until all has leaked that is in it now.
void bucket_wait_all(struct bucket *bucket, uint64_t rate);

// What is still in it of some `bytes`, the last of which was poured in up to `position`, is gone at once.
void bucket_drop(struct bucket *bucket, uint64_t position, uint64_t bytes, uint64_t rate);

uint64_t bucket_level(struct bucket *bucket, uint64_t rate); // bytes that are in it
