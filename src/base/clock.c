#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) {
        perror("diskduel: clock_gettime");
        abort();
    }
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return now_ns(CLOCK_MONOTONIC);
}

uint64_t clock_realtime_ns(void)
{
    return now_ns(CLOCK_REALTIME);
}

uint64_t clock_boottime_ns(void)
{
    return now_ns(CLOCK_BOOTTIME);
}

void clock_sleep_until(uint64_t deadline_ns)
{
    struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / NS_PER_S),
                                .tv_nsec = (long)(deadline_ns % NS_PER_S)};
    int result;
    do
        result = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL);
    while (result == EINTR);
    if (result != 0) {
        fprintf(stderr, "diskduel: clock_nanosleep: %s\n", strerror(result));
        abort();
    }
}

void clock_rfc3339(uint64_t realtime_ns, char out[RFC3339_SIZE])
{
    time_t seconds = (time_t)(realtime_ns / NS_PER_S);
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || strftime(out, RFC3339_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        out[0] = '\0';
}
