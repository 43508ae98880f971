// pause.c: a thread that sleeps, and the kernel's count of how often it went to.
#include "engine/pause.h"

#include "base/clock.h"
#include "engine/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FALL_ASLEEP_LOOKS = 1000 }; // a millisecond each

// What follows "NAME:" and white space at the start of a line; NULL where there is no such line.
static const char *line_named(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, length) && line[length] == ':')
            return line + length + 1 + strspn(line + length + 1, " \t");
    }
    return NULL;
}

bool status_sleeps(const char *text, uint64_t *times, bool *sleeping)
{
    const char *state = line_named(text, "State"), *switches = line_named(text, "voluntary_ctxt_switches");
    if (!state || !switches || *switches < '0' || *switches > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(switches, &end, 10);
    if (errno || (*end != '\n' && *end != '\0'))
        return false;
    *times = number;
    *sleeping = *state == 'S';
    return true;
}

static bool look(const struct pause_watch *watch, uint64_t *times, bool *sleeping)
{
    char text[8192];
    if (watch->status < 0)
        return false;
    ssize_t size = pread(watch->status, text, sizeof text - 1, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    return status_sleeps(text, times, sleeping);
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        ; // EINTR
}

static void *watch_main(void *argument)
{
    struct pause_watch *watch = argument;
    watch->status = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
    sem_post(&watch->opened);
    wait_for(&watch->morning);
    return NULL;
}

bool pause_watch_start(struct pause_watch *watch, struct error *error)
{
    *watch = (struct pause_watch){.status = -1};
    sem_init(&watch->opened, 0, 0);
    sem_init(&watch->morning, 0, 0);
    if (!thread_start(&watch->thread, THREAD_STACK, watch_main, watch, error)) {
        sem_destroy(&watch->opened);
        sem_destroy(&watch->morning);
        return false;
    }
    watch->started = true;
    wait_for(&watch->opened);
    bool sleeping = false;
    uint64_t times;
    for (unsigned i = 0; i < FALL_ASLEEP_LOOKS && look(watch, &times, &sleeping) && !sleeping; i++)
        clock_sleep_until(clock_monotonic_ns() + NS_PER_MS);
    return true;
}

void pause_watch_end(struct pause_watch *watch)
{
    if (!watch->started)
        return;
    sem_post(&watch->morning);
    pthread_join(watch->thread, NULL);
    if (watch->status >= 0)
        close(watch->status);
    sem_destroy(&watch->opened);
    sem_destroy(&watch->morning);
    watch->started = false;
}

uint64_t pause_watch_count(const struct pause_watch *watch)
{
    uint64_t times = 0;
    bool sleeping;
    return look(watch, &times, &sleeping) ? times : 0;
}
