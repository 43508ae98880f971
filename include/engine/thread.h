// thread.h: how the engine starts a thread.
#pragma once

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { THREAD_STACK = 256 << 10 }; // bytes, of a worker: it calls nothing deep

// Starts a thread that takes no signal: one place of the program takes them all, and a measured call must not
// be interrupted.
bool thread_start(pthread_t *thread, size_t stack, void *(*start)(void *), void *argument,
                  struct error *error);
