// units.h: numbers as people write and read them.
//
// MB is 10^6 bytes and MiB is 2^20, everywhere. A number alone is bytes. A bare K, M, G or T is refused,
// since half of the tools mean one thing by it and half the other.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

enum { UNITS_TEXT_SIZE = 32 };

// Reads the whole of `text` as a size in bytes: "4096", "4KiB", "64MiB", "1GiB", "2TiB", "10kB", "10KB",
// "64MB", "1GB". `name` is what the message calls it ("--file-size"). A bare suffix is refused with both
// readings, a fraction, sign, space or overflow with what is accepted.
bool units_parse_size(const char *name, const char *text, uint64_t *bytes, struct error *error);

// Reads the whole of `text` as a decimal number from `least` to `most`; the message names the range.
bool units_parse_count(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *count,
                       struct error *error);

// Reads the whole of `text` as a time of hours, minutes and seconds in this order: "90s", "5m", "1h30m". A
// number alone is refused.
bool units_parse_duration(const char *name, const char *text, uint64_t *ns, struct error *error);

// Three significant digits, and all digits of the whole part: 115, 1162, 69.1, 4.60, 0.861. Never an
// exponent: from 0.001 down it says 0.
void units_three_digits(double value, char out[UNITS_TEXT_SIZE]);

// The number that units_three_digits shows, so that what is derived from it agrees with what a reader
// derives.
double units_as_shown(double value);

// "512 B", "4 KiB", "64 MiB", "1.5 GiB": exact where whole, else one decimal.
void units_bytes(uint64_t bytes, char out[UNITS_TEXT_SIZE]);

// Three digits and a unit: "33.0 us", "8.40 ms", "1.20 s". `micro` is how to write a microsecond: "us" or
// "µs".
void units_duration(uint64_t ns, const char *micro, char out[UNITS_TEXT_SIZE]);

// "0:08", "1:20", "1:02:03", rounded to whole seconds.
void units_time_left(uint64_t ns, char out[UNITS_TEXT_SIZE]);
