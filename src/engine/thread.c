// thread.c: threads that take no signals.
#include "engine/thread.h"

#include <signal.h>
#include <string.h>

bool thread_start(pthread_t *thread, size_t stack, void *(*start)(void *), void *argument,
                  struct error *error)
{
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0)
        return fail(error, "start a thread: %s", strerror(result));
    sigset_t all, before;
    sigfillset(&all);
    result = pthread_attr_setstacksize(&attributes, stack);
    if (result == 0)
        result = pthread_sigmask(SIG_SETMASK, &all, &before); // the new thread inherits it
    if (result == 0) {
        result = pthread_create(thread, &attributes, start, argument);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    if (result != 0)
        return fail(error, "start a thread: %s; fewer --threads may help", strerror(result));
    return true;
}
