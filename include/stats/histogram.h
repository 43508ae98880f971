// histogram.h: latencies counted in log-linear buckets.
//
// The layout is HdrHistogram's (Gil Tene; github.com/HdrHistogram): with `digits` decimal digits, the first
// 2^k buckets (2^k the least power of two that is at least 2 * 10^digits) are 1 ns wide, and each octave
// above has half as many, so a bucket is at most 1/2^(k-1) of its value wide: 0.78 % with two digits. Values
// from 0 to HISTOGRAM_MAX_NS (2^40 - 1 ns, 1099 s) have a bucket; a longer one is counted in the last, and
// max_ns stays exact.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_MAX_NS ((UINT64_C(1) << 40) - 1)
enum { HISTOGRAM_DIGITS = 2 }; // what diskduel uses; 1 to 4 work

// log2 of the number of buckets in the first, linear part: 5, 8, 11, 15 for 1 to 4 digits.
static inline unsigned histogram_linear_bits(unsigned digits)
{
    static const unsigned char bits[] = {0, 5, 8, 11, 15};
    return bits[digits];
}

// The bucket that counts a value.
static inline size_t histogram_bucket(unsigned digits, uint64_t ns)
{
    if (ns > HISTOGRAM_MAX_NS)
        ns = HISTOGRAM_MAX_NS;
    unsigned bits = histogram_linear_bits(digits);
    if (ns >> bits == 0)
        return (size_t)ns;
    unsigned shift = 64U - (unsigned)__builtin_clzll(ns) - bits;
    return ((size_t)shift << (bits - 1)) + (size_t)(ns >> shift);
}

size_t histogram_buckets(unsigned digits);                  // how many there are
uint64_t histogram_lowest(unsigned digits, size_t bucket);  // the least value in a bucket
uint64_t histogram_highest(unsigned digits, size_t bucket); // the greatest

// A dense histogram. min_ns is UINT64_MAX and max_ns 0 while count is 0.
struct histogram {
    unsigned digits;
    uint64_t count;
    uint64_t sum_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    uint64_t *counts; // histogram_buckets(digits) of them
};

void histogram_init(struct histogram *histogram, unsigned digits); // allocates; histogram_release frees
void histogram_release(struct histogram *histogram);
void histogram_clear(struct histogram *histogram);
void histogram_record(struct histogram *histogram, uint64_t ns);
void histogram_copy(struct histogram *to, const struct histogram *from); // same digits, both initialised

// The value at a percentile by nearest rank, x_(ceil(n * p)), as its bucket's greatest value clamped to the
// exact min and max. `permille` is 500 for the median. 0 where the histogram is empty.
uint64_t histogram_percentile(const struct histogram *histogram, unsigned permille);

// Whether a count carries that percentile: n * (1 - p) >= 10 and n * p >= 10, in integers
// (AWS CloudWatch's low-sample rule, 10/(1 - percentile)).
enum { HISTOGRAM_BEYOND = 10 };
bool histogram_carries(uint64_t count, unsigned permille);

// The same with another number of values than 10 that must lie beyond it.
bool histogram_carries_beyond(uint64_t count, unsigned permille, uint64_t beyond);

// The same for a number of independent values that was computed (intraclass.h). It is never refused for what
// rounding took: 99.99999999 carries what 100 does.
bool histogram_carries_effective(double n_effective, unsigned permille, uint64_t beyond);

// The same counts without the empty buckets: what a sample keeps and the document stores.
struct histogram_bin {
    uint64_t lowest_ns;
    uint64_t count;
};

struct sparse_histogram {
    unsigned digits; // 0: nothing was recorded and nothing is stored
    uint64_t count;
    uint64_t sum_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    size_t length;
    struct histogram_bin *bins; // ascending
};

void sparse_from(struct sparse_histogram *sparse,
                 const struct histogram *histogram); // allocates bins; count 0 gives {0}
void sparse_release(struct sparse_histogram *sparse);

// As histogram_percentile() of the histogram that it was made from.
uint64_t sparse_percentile(const struct sparse_histogram *sparse, unsigned permille);

// Adds the sparse counts to a dense histogram of the same digits.
void sparse_add_to(const struct sparse_histogram *sparse, struct histogram *histogram);
