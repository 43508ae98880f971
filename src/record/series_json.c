// series_json.c: histograms and series, as flat arrays of integers.
#include "record/series_json.h"

#include "base/xalloc.h"
#include "record/run_json.h"

// ---- Latency ----

// A histogram that is empty, or whose worker was given up in the middle of a record, says nothing.
static bool is_whole(const struct sparse_histogram *histogram)
{
    return histogram->count > 0 && histogram->min_ns <= histogram->max_ns &&
           histogram->max_ns <= RUN_INTEGER_MOST && histogram->sum_ns <= RUN_INTEGER_MOST;
}

static void write_histogram(const struct sparse_histogram *histogram, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_integer(out, "digits", histogram->digits);
    json_put_member_integer(out, "count", histogram->count);
    json_put_member_integer(out, "min_ns", histogram->min_ns);
    json_put_member_integer(out, "max_ns", histogram->max_ns);
    json_put_member_integer(out, "sum_ns", histogram->sum_ns);
    json_key(out, "buckets");
    json_open(out, '[');
    for (size_t i = 0; i < histogram->length; i++) {
        json_put_integer(out, histogram->bins[i].lowest_ns);
        json_put_integer(out, histogram->bins[i].count);
    }
    json_close(out, ']');
    json_close(out, '}');
}

void latency_json_write(const struct sample *sample, struct json_out *out)
{
    bool begun = false;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        if (!is_whole(&sample->latency[phase]))
            continue;
        if (!begun) {
            json_key(out, "latency");
            json_open(out, '{');
            begun = true;
        }
        json_key(out, phase_name(phase));
        write_histogram(&sample->latency[phase], out);
    }
    if (begun)
        json_close(out, '}');
}

static bool read_bins(const struct json_value *buckets, struct sparse_histogram *histogram,
                      struct error *error)
{
    size_t length = json_length(buckets);
    if (length % 2)
        return json_fail(buckets, error, "%zu numbers are not pairs", length);
    histogram->bins = xcalloc(length / 2, sizeof *histogram->bins);
    uint64_t counted = 0;
    struct json_value item = json_first(buckets);
    while (item.node) {
        struct histogram_bin bin;
        if (!json_be_integer(&item, HISTOGRAM_MAX_NS, &bin.lowest_ns, error))
            return false;
        if (histogram_lowest(histogram->digits, histogram_bucket(histogram->digits, bin.lowest_ns)) !=
            bin.lowest_ns)
            return json_fail(&item, error, "no bucket of %u digits begins there", histogram->digits);
        if (histogram->length > 0 && bin.lowest_ns <= histogram->bins[histogram->length - 1].lowest_ns)
            return json_fail(&item, error, "buckets don't ascend");
        item = json_next(&item);
        if (!json_be_integer(&item, histogram->count, &bin.count, error))
            return false;
        if (bin.count == 0 || bin.count > histogram->count - counted)
            return json_fail(&item, error, "buckets don't add up to the count");
        counted += bin.count;
        histogram->bins[histogram->length++] = bin;
        item = json_next(&item);
    }
    return counted == histogram->count || json_fail(buckets, error, "they don't add up to the count");
}

static bool read_histogram(const struct json_value *value, struct sparse_histogram *histogram,
                           struct error *error)
{
    struct json_value buckets;
    if (!json_get_unsigned(value, "digits", JSON_REQUIRED, &histogram->digits, error) ||
        !json_get_integer(value, "count", JSON_REQUIRED, RUN_INTEGER_MOST, &histogram->count, error) ||
        !json_get_integer(value, "min_ns", JSON_REQUIRED, RUN_INTEGER_MOST, &histogram->min_ns, error) ||
        !json_get_integer(value, "max_ns", JSON_REQUIRED, RUN_INTEGER_MOST, &histogram->max_ns, error) ||
        !json_get_integer(value, "sum_ns", JSON_REQUIRED, RUN_INTEGER_MOST, &histogram->sum_ns, error) ||
        !json_get_array(value, "buckets", JSON_REQUIRED, &buckets, error))
        return false;
    if (histogram->digits != HISTOGRAM_DIGITS)
        return json_fail_member(value, "digits", error, "only %d are read", HISTOGRAM_DIGITS);
    if (histogram->count == 0) {
        *histogram = (struct sparse_histogram){0};
        return json_length(&buckets) == 0 || json_fail(&buckets, error, "they don't add up to the count");
    }
    if (histogram->min_ns > histogram->max_ns)
        return json_fail_member(value, "min_ns", error, "above max_ns");
    return read_bins(&buckets, histogram, error);
}

bool latency_json_read(const struct json_value *value, struct sample *sample, struct error *error)
{
    struct json_value latency, histogram;
    if (!json_get_object(value, "latency", JSON_OPTIONAL, &latency, error))
        return false;
    for (enum phase phase = 0; latency.node && phase < PHASE_COUNT; phase++) {
        if (!json_get_object(&latency, phase_name(phase), JSON_OPTIONAL, &histogram, error) ||
            (histogram.node && !read_histogram(&histogram, &sample->latency[phase], error)))
            return false;
    }
    return true;
}

// ---- Series ----

static bool series_fits(const struct sample *sample)
{
    for (size_t i = 0; i < sample->series_length; i++) {
        const struct interval *interval = &sample->series[i];
        if (interval->end_ns > RUN_INTEGER_MOST || interval->ops > RUN_INTEGER_MOST ||
            interval->bytes > RUN_INTEGER_MOST)
            return false;
    }
    return sample->series_length > 0;
}

static void write_octaves(const struct interval *interval, struct json_out *out)
{
    json_open(out, '[');
    for (unsigned octave = 0; octave < SERIES_OCTAVES; octave++) {
        if (interval->octaves[octave] == 0)
            continue;
        json_put_integer(out, octave);
        json_put_integer(out, interval->octaves[octave]);
    }
    json_close(out, ']');
}

void series_json_write(const struct sample *sample, struct json_out *out)
{
    if (!series_fits(sample))
        return;
    const struct interval *end = sample->series + sample->series_length;
    json_key(out, "series");
    json_open(out, '{');
    json_key(out, "ends_ns");
    json_open(out, '[');
    for (const struct interval *interval = sample->series; interval < end; interval++)
        json_put_integer(out, interval->end_ns);
    json_close(out, ']');
    json_key(out, "ops");
    json_open(out, '[');
    for (const struct interval *interval = sample->series; interval < end; interval++)
        json_put_integer(out, interval->ops);
    json_close(out, ']');
    json_key(out, "bytes");
    json_open(out, '[');
    for (const struct interval *interval = sample->series; interval < end; interval++)
        json_put_integer(out, interval->bytes);
    json_close(out, ']');
    json_key(out, "octaves");
    json_open(out, '[');
    for (const struct interval *interval = sample->series; interval < end; interval++)
        write_octaves(interval, out);
    json_close(out, ']');
    json_close(out, '}');
}

static bool read_octaves(const struct json_value *octaves, struct interval *interval, struct error *error)
{
    if (!json_be_array(octaves, error))
        return false;
    uint64_t next_octave = 0;
    for (struct json_value item = json_first(octaves); item.node; item = json_next(&item)) {
        uint64_t octave, count;
        if (!json_be_integer(&item, SERIES_OCTAVES - 1, &octave, error))
            return false;
        if (octave < next_octave)
            return json_fail(&item, error, "octaves don't ascend");
        next_octave = octave + 1;
        item = json_next(&item);
        if (!item.node)
            return json_fail(octaves, error, "not pairs of octave and count");
        if (!json_be_integer(&item, UINT32_MAX, &count, error))
            return false;
        interval->octaves[octave] = (uint32_t)count;
    }
    return true;
}

// An interval from one element of each of the four arrays.
static bool read_interval(const struct json_value items[4], uint64_t start_ns, struct interval *interval,
                          struct error *error)
{
    interval->start_ns = start_ns;
    if (!json_be_integer(&items[0], RUN_INTEGER_MOST, &interval->end_ns, error))
        return false;
    if (interval->end_ns < start_ns)
        return json_fail(&items[0], error, "it ends before the interval before it");
    return json_be_integer(&items[1], RUN_INTEGER_MOST, &interval->ops, error) &&
           json_be_integer(&items[2], RUN_INTEGER_MOST, &interval->bytes, error) &&
           read_octaves(&items[3], interval, error);
}

bool series_json_read(const struct json_value *value, struct sample *sample, struct error *error)
{
    static const char *const names[4] = {"ends_ns", "ops", "bytes", "octaves"};
    struct json_value series, arrays[4], items[4];
    if (!json_get_object(value, "series", JSON_OPTIONAL, &series, error))
        return false;
    if (!series.node)
        return true;
    for (size_t i = 0; i < 4; i++) {
        if (!json_get_array(&series, names[i], JSON_REQUIRED, &arrays[i], error))
            return false;
        items[i] = json_first(&arrays[i]);
    }
    size_t length = json_length(&arrays[0]);
    for (size_t i = 1; i < 4; i++)
        if (json_length(&arrays[i]) != length)
            return json_fail(&arrays[i], error, "not as long as ends_ns");
    sample->series = xcalloc(length, sizeof *sample->series);
    for (; sample->series_length < length; sample->series_length++) {
        struct interval *interval = &sample->series[sample->series_length];
        uint64_t start_ns = sample->series_length > 0 ? interval[-1].end_ns : 0;
        if (!read_interval(items, start_ns, interval, error))
            return false;
        for (size_t i = 0; i < 4; i++)
            items[i] = json_next(&items[i]);
    }
    return true;
}

// ---- A time for each MiB ----

void mib_json_write(const struct sample *sample, struct json_out *out)
{
    if (sample->mib_length == 0 || sample->mib_ns[sample->mib_length - 1] > RUN_INTEGER_MOST)
        return;
    json_key(out, "mib_ns");
    json_open(out, '[');
    for (size_t i = 0; i < sample->mib_length; i++)
        json_put_integer(out, sample->mib_ns[i]);
    json_close(out, ']');
}

bool mib_json_read(const struct json_value *value, struct sample *sample, struct error *error)
{
    struct json_value array;
    if (!json_get_array(value, "mib_ns", JSON_OPTIONAL, &array, error))
        return false;
    if (!array.node)
        return true;
    sample->mib_ns = xcalloc(json_length(&array), sizeof *sample->mib_ns);
    uint64_t before_ns = 0;
    for (struct json_value item = json_first(&array); item.node; item = json_next(&item)) {
        uint64_t *mib_ns = &sample->mib_ns[sample->mib_length++];
        if (!json_be_integer(&item, RUN_INTEGER_MOST, mib_ns, error))
            return false;
        if (*mib_ns < before_ns)
            return json_fail(&item, error, "before the MiB before it");
        before_ns = *mib_ns;
    }
    return true;
}
