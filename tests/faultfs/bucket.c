#include "bucket.h"
#include "base/clock.h"

#include <math.h>

static void reckon(struct bucket *bucket, uint64_t rate)
{
    uint64_t now = clock_monotonic_ns();
    double most = (double)bucket->poured - bucket->leaked;
    double leaked = (double)(now - bucket->at_ns) * (double)rate / NS_PER_S;
    bucket->leaked += rate > 0 ? fmin(leaked, most) : most;
    bucket->at_ns = now;
}

// When `position` will have leaked. The bucket was reckoned just now.
static uint64_t deadline_of(const struct bucket *bucket, uint64_t position, uint64_t rate)
{
    double missing = (double)position - bucket->leaked;
    if (missing <= 0 || rate == 0)
        return 0;
    return bucket->at_ns + (uint64_t)(missing / (double)rate * NS_PER_S);
}

static void sleep_until(uint64_t deadline)
{
    if (deadline > 0)
        clock_sleep_until(deadline);
}

uint64_t bucket_pour(struct bucket *bucket, uint64_t bytes, uint64_t size, uint64_t rate)
{
    pthread_mutex_lock(&bucket->lock);
    reckon(bucket, rate);
    bucket->poured += bytes;
    uint64_t position = bucket->poured;
    uint64_t deadline = deadline_of(bucket, position > size ? position - size : 0, rate);
    pthread_mutex_unlock(&bucket->lock);
    sleep_until(deadline);
    return position;
}

void bucket_wait(struct bucket *bucket, uint64_t position, uint64_t rate)
{
    pthread_mutex_lock(&bucket->lock);
    reckon(bucket, rate);
    uint64_t deadline = deadline_of(bucket, position, rate);
    pthread_mutex_unlock(&bucket->lock);
    sleep_until(deadline);
}

void bucket_wait_all(struct bucket *bucket, uint64_t rate)
{
    pthread_mutex_lock(&bucket->lock);
    uint64_t position = bucket->poured;
    pthread_mutex_unlock(&bucket->lock);
    bucket_wait(bucket, position, rate);
}

// As if they were the next to leak: where others were poured in before them, those are taken for leaked
// sooner.
void bucket_drop(struct bucket *bucket, uint64_t position, uint64_t bytes, uint64_t rate)
{
    pthread_mutex_lock(&bucket->lock);
    reckon(bucket, rate);
    bucket->leaked += fmax(0, fmin((double)bytes, (double)position - bucket->leaked));
    pthread_mutex_unlock(&bucket->lock);
}

uint64_t bucket_level(struct bucket *bucket, uint64_t rate)
{
    pthread_mutex_lock(&bucket->lock);
    reckon(bucket, rate);
    double level = (double)bucket->poured - bucket->leaked;
    pthread_mutex_unlock(&bucket->lock);
    return (uint64_t)llround(level);
}
