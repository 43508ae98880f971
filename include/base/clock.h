// clock.h: the clocks. Durations come from CLOCK_MONOTONIC only; CLOCK_REALTIME only names instants, and
// CLOCK_BOOTTIME tells how long the machine was suspended.
#pragma once

#include <stdint.h>

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };
enum { RFC3339_SIZE = 21 }; // "2026-11-30T17:55:35Z" and its NUL

uint64_t clock_monotonic_ns(void);
uint64_t clock_realtime_ns(void); // since the epoch, UTC
uint64_t clock_boottime_ns(void); // like CLOCK_MONOTONIC, and goes on while the machine is suspended

// Sleeps until CLOCK_MONOTONIC shows `deadline_ns`, also across interrupting signals.
void clock_sleep_until(uint64_t deadline_ns);

// Writes the instant in UTC, whole seconds, as RFC 3339 has it.
void clock_rfc3339(uint64_t realtime_ns, char out[RFC3339_SIZE]);
