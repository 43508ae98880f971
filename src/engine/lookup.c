#include "engine/lookup.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "engine/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

// Shared by whoever waits and the thread; whoever leaves last frees it.
struct lookup {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
    bool given_up;
    void (*look)(void *answer);
    void (*discard)(void *answer);
    void *answer;
};

static struct lookup *lookup_new(void)
{
    struct lookup *lookup = xcalloc(1, sizeof *lookup);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&lookup->lock, NULL);
    pthread_cond_init(&lookup->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return lookup;
}

static void lookup_free(struct lookup *lookup)
{
    pthread_cond_destroy(&lookup->changed);
    pthread_mutex_destroy(&lookup->lock);
    free(lookup);
}

static void *lookup_main(void *argument)
{
    struct lookup *lookup = argument;
    lookup->look(lookup->answer);
    pthread_mutex_lock(&lookup->lock);
    lookup->done = true;
    bool given_up = lookup->given_up;
    pthread_cond_signal(&lookup->changed);
    pthread_mutex_unlock(&lookup->lock);
    if (given_up) {
        lookup->discard(lookup->answer);
        lookup_free(lookup);
    }
    return NULL;
}

static struct timespec deadline_after(uint64_t timeout_ns)
{
    uint64_t now_ns = clock_monotonic_ns(), deadline_ns;
    if (__builtin_add_overflow(now_ns, timeout_ns, &deadline_ns) || deadline_ns > INT64_MAX)
        deadline_ns = INT64_MAX;
    return (struct timespec){.tv_sec = (time_t)(deadline_ns / NS_PER_S),
                             .tv_nsec = (long)(deadline_ns % NS_PER_S)};
}

bool lookup_run(void (*look)(void *answer), void (*discard)(void *answer), void *answer, uint64_t timeout_ns)
{
    struct lookup *lookup = lookup_new();
    lookup->look = look;
    lookup->discard = discard;
    lookup->answer = answer;
    struct timespec deadline = deadline_after(timeout_ns);
    pthread_t thread;
    if (!thread_start(&thread, THREAD_STACK, lookup_main, lookup, NULL)) {
        lookup_free(lookup);
        discard(answer);
        return false;
    }
    pthread_mutex_lock(&lookup->lock);
    int result = 0;
    while (!lookup->done && result == 0)
        result = pthread_cond_timedwait(&lookup->changed, &lookup->lock, &deadline);
    bool done = lookup->done;
    lookup->given_up = !done;
    pthread_mutex_unlock(&lookup->lock);
    if (!done) {
        pthread_detach(thread); // it may never end
        return false;
    }
    pthread_join(thread, NULL);
    lookup_free(lookup);
    return true;
}
