// pause.h: tells whether this process stood still for a while (SIGSTOP, Ctrl-Z, a frozen container, a machine
// that was suspended), so that no section counts time in which nobody measured.
//
// A stop leaves no trace in a process's clocks, and being late for a deadline isn't one either: a busy
// machine is late too, and a short stop isn't. But the kernel wakes every thread to stop it. So there is a
// thread that takes no signal and sleeps through the run: where the kernel has counted one more time that it
// went to sleep ("voluntary_ctxt_switches" of proc(5)), all of the process stood still in between. It need
// not run to be asked, so a stop that ended a moment ago is seen too.
#pragma once

#include "base/error.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>

struct pause_watch {
    pthread_t thread;
    bool started;
    int status;    // /proc/…/status of the thread, read by pread; -1: not there, and no pause is ever seen
    sem_t opened;  // `status` is
    sem_t morning; // the thread sleeps until then
};

// Returns when the thread is asleep.
bool pause_watch_start(struct pause_watch *watch, struct error *error);
void pause_watch_end(struct pause_watch *watch); // also {0}

// A number that is another one after a pause. By one thread at a time.
uint64_t pause_watch_count(const struct pause_watch *watch);

// What a status text tells of a thread: how often it went to sleep, and whether it sleeps now. Pure. False
// where either isn't there.
bool status_sleeps(const char *text, uint64_t *times, bool *sleeping);
