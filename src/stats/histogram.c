#include "stats/histogram.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

size_t histogram_buckets(unsigned digits)
{
    return histogram_bucket(digits, HISTOGRAM_MAX_NS) + 1;
}

// How many low bits of a value its bucket doesn't tell.
static unsigned bucket_shift(unsigned digits, size_t bucket)
{
    unsigned bits = histogram_linear_bits(digits);
    return bucket >> bits == 0 ? 0 : (unsigned)(bucket >> (bits - 1)) - 1;
}

uint64_t histogram_lowest(unsigned digits, size_t bucket)
{
    unsigned shift = bucket_shift(digits, bucket);
    uint64_t mantissa = bucket - ((uint64_t)shift << (histogram_linear_bits(digits) - 1));
    return mantissa << shift;
}

uint64_t histogram_highest(unsigned digits, size_t bucket)
{
    return histogram_lowest(digits, bucket) + (UINT64_C(1) << bucket_shift(digits, bucket)) - 1;
}

void histogram_init(struct histogram *histogram, unsigned digits)
{
    *histogram = (struct histogram){.digits = digits, .min_ns = UINT64_MAX};
    histogram->counts = xcalloc(histogram_buckets(digits), sizeof *histogram->counts);
}

void histogram_release(struct histogram *histogram)
{
    free(histogram->counts);
    *histogram = (struct histogram){0};
}

void histogram_clear(struct histogram *histogram)
{
    histogram->count = 0;
    histogram->sum_ns = 0;
    histogram->min_ns = UINT64_MAX;
    histogram->max_ns = 0;
    memset(histogram->counts, 0, histogram_buckets(histogram->digits) * sizeof *histogram->counts);
}

void histogram_record(struct histogram *histogram, uint64_t ns)
{
    histogram->counts[histogram_bucket(histogram->digits, ns)]++;
    histogram->count++;
    histogram->sum_ns += ns;
    if (ns < histogram->min_ns)
        histogram->min_ns = ns;
    if (ns > histogram->max_ns)
        histogram->max_ns = ns;
}

void histogram_copy(struct histogram *to, const struct histogram *from)
{
    uint64_t *counts = to->counts;
    memcpy(counts, from->counts, histogram_buckets(from->digits) * sizeof *counts);
    *to = *from;
    to->counts = counts;
}

// ceil(count * permille / 1000), in parts since the product may pass 64 bits.
static uint64_t nearest_rank(uint64_t count, unsigned permille)
{
    return count / 1000 * permille + (count % 1000 * permille + 999) / 1000;
}

// What a bucket stands for. The last one also holds what is longer than it says.
static uint64_t value_of_bucket(unsigned digits, size_t bucket, uint64_t min_ns, uint64_t max_ns)
{
    uint64_t value = histogram_highest(digits, bucket);
    if (bucket == histogram_buckets(digits) - 1 || value > max_ns)
        return max_ns;
    return value < min_ns ? min_ns : value;
}

uint64_t histogram_percentile(const struct histogram *histogram, unsigned permille)
{
    if (histogram->count == 0)
        return 0;
    uint64_t rank = nearest_rank(histogram->count, permille);
    if (rank == 0)
        return histogram->min_ns;

    size_t buckets = histogram_buckets(histogram->digits);
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        seen += histogram->counts[bucket];
        if (seen >= rank)
            return value_of_bucket(histogram->digits, bucket, histogram->min_ns, histogram->max_ns);
    }
    return histogram->max_ns;
}

bool histogram_carries(uint64_t count, unsigned permille)
{
    return histogram_carries_beyond(count, permille, HISTOGRAM_BEYOND);
}

bool histogram_carries_beyond(uint64_t count, unsigned permille, uint64_t beyond)
{
    if (permille == 0 || permille >= 1000)
        return false;
    // count * share >= beyond * 1000, without the product of the count.
    const uint64_t needed = 1000 * beyond;
    uint64_t above = 1000 - permille;
    return count >= (needed + above - 1) / above && count >= (needed + permille - 1) / permille;
}

bool histogram_carries_effective(double n_effective, unsigned permille, uint64_t beyond)
{
    if (permille == 0 || permille >= 1000)
        return false;
    const double needed = 1000 * (double)beyond * (1 - 1e-9);
    unsigned lesser = permille < 500 ? permille : 1000 - permille;
    return n_effective * lesser >= needed;
}

void sparse_from(struct sparse_histogram *sparse, const struct histogram *histogram)
{
    *sparse = (struct sparse_histogram){0};
    if (histogram->count == 0)
        return;
    size_t buckets = histogram_buckets(histogram->digits), length = 0;
    for (size_t bucket = 0; bucket < buckets; bucket++)
        length += histogram->counts[bucket] != 0;
    *sparse = (struct sparse_histogram){
        .digits = histogram->digits,
        .count = histogram->count,
        .sum_ns = histogram->sum_ns,
        .min_ns = histogram->min_ns,
        .max_ns = histogram->max_ns,
        .bins = xcalloc(length, sizeof *sparse->bins),
    };
    for (size_t bucket = 0; bucket < buckets; bucket++)
        if (histogram->counts[bucket] != 0)
            sparse->bins[sparse->length++] = (struct histogram_bin){
                .lowest_ns = histogram_lowest(histogram->digits, bucket), .count = histogram->counts[bucket]};
}

void sparse_release(struct sparse_histogram *sparse)
{
    free(sparse->bins);
    *sparse = (struct sparse_histogram){0};
}

uint64_t sparse_percentile(const struct sparse_histogram *sparse, unsigned permille)
{
    uint64_t rank = nearest_rank(sparse->count, permille), seen = 0;
    if (rank == 0)
        return sparse->count > 0 ? sparse->min_ns : 0;
    for (size_t i = 0; i < sparse->length; i++) {
        seen += sparse->bins[i].count;
        if (seen >= rank)
            return value_of_bucket(sparse->digits,
                                   histogram_bucket(sparse->digits, sparse->bins[i].lowest_ns),
                                   sparse->min_ns, sparse->max_ns);
    }
    return sparse->max_ns;
}

void sparse_add_to(const struct sparse_histogram *sparse, struct histogram *histogram)
{
    if (sparse->count == 0)
        return;
    for (size_t i = 0; i < sparse->length; i++)
        histogram->counts[histogram_bucket(histogram->digits, sparse->bins[i].lowest_ns)] +=
            sparse->bins[i].count;
    histogram->count += sparse->count;
    histogram->sum_ns += sparse->sum_ns;
    if (sparse->min_ns < histogram->min_ns)
        histogram->min_ns = sparse->min_ns;
    if (sparse->max_ns > histogram->max_ns)
        histogram->max_ns = sparse->max_ns;
}
