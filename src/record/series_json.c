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

// Ends early, in the middle, where it is too long: then it is taken back.
static void write_histogram(const struct sparse_histogram *histogram, size_t end, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_integer(out, "digits", histogram->digits);
    json_put_member_integer(out, "count", histogram->count);
    json_put_member_integer(out, "min_ns", histogram->min_ns);
    json_put_member_integer(out, "max_ns", histogram->max_ns);
    json_put_member_integer(out, "sum_ns", histogram->sum_ns);
    json_key(out, "buckets");
    json_open(out, '[');
    for (size_t i = 0; i < histogram->length && out->text->length < end; i++) {
        json_put_integer(out, histogram->bins[i].lowest_ns);
        json_put_integer(out, histogram->bins[i].count);
    }
    json_close(out, ']');
    json_close(out, '}');
}

void latency_json_write(const struct sample *sample, size_t end, struct json_out *out, struct text *left_out)
{
    bool begun = false;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        if (!is_whole(&sample->latency[phase]))
            continue;
        struct json_mark mark = json_mark(out);
        if (!begun) {
            json_key(out, "latency");
            json_open(out, '{');
        }
        json_key(out, phase_name(phase));
        write_histogram(&sample->latency[phase], end, out);
        if (out->text->length < end) {
            begun = true;
            continue;
        }
        json_take_back(out, &mark);
        text_printf(left_out, " latency.%s", phase_name(phase));
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

// What happened in several intervals one after the other.
static struct interval join(const struct interval *intervals, size_t count)
{
    struct interval joined = intervals[0];
    for (size_t i = 1; i < count; i++) {
        joined.end_ns = intervals[i].end_ns;
        joined.ops += intervals[i].ops;
        joined.bytes += intervals[i].bytes;
        for (unsigned octave = 0; octave < SERIES_OCTAVES; octave++)
            if (__builtin_add_overflow(joined.octaves[octave], intervals[i].octaves[octave],
                                       &joined.octaves[octave]))
                joined.octaves[octave] = UINT32_MAX;
    }
    return joined;
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

static void put_end(const struct interval *interval, struct json_out *out)
{
    json_put_integer(out, interval->end_ns);
}

static void put_ops(const struct interval *interval, struct json_out *out)
{
    json_put_integer(out, interval->ops);
}

static void put_bytes(const struct interval *interval, struct json_out *out)
{
    json_put_integer(out, interval->bytes);
}

// The four arrays of a series, each with what it holds of an interval.
static const struct {
    const char *name;
    void (*put)(const struct interval *interval, struct json_out *out);
} columns[] = {{"ends_ns", put_end}, {"ops", put_ops}, {"bytes", put_bytes}, {"octaves", write_octaves}};

enum { COLUMNS = sizeof columns / sizeof *columns };

// Likewise.
static void write_series(const struct sample *sample, size_t together, size_t end, struct json_out *out)
{
    json_key(out, "series");
    json_open(out, '{');
    for (size_t column = 0; column < COLUMNS; column++) {
        json_key(out, columns[column].name);
        json_open(out, '[');
        for (size_t i = 0; i < sample->series_length && out->text->length < end; i += together) {
            size_t left = sample->series_length - i;
            struct interval joined = join(sample->series + i, left < together ? left : together);
            columns[column].put(&joined, out);
        }
        json_close(out, ']');
    }
    json_close(out, '}');
}

void series_json_write(const struct sample *sample, size_t end, struct json_out *out, struct text *left_out)
{
    if (!series_fits(sample))
        return;
    struct json_mark mark = json_mark(out);
    for (size_t together = 1;; together *= 2) {
        write_series(sample, together, end, out);
        if (out->text->length < end)
            return;
        json_take_back(out, &mark);
        if (together >= sample->series_length)
            break;
    }
    text_puts(left_out, " series");
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
static bool read_interval(const struct json_value items[COLUMNS], uint64_t start_ns,
                          struct interval *interval, struct error *error)
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
    struct json_value series, arrays[COLUMNS], items[COLUMNS];
    if (!json_get_object(value, "series", JSON_OPTIONAL, &series, error))
        return false;
    if (!series.node)
        return true;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (!json_get_array(&series, columns[i].name, JSON_REQUIRED, &arrays[i], error))
            return false;
        items[i] = json_first(&arrays[i]);
    }
    size_t length = json_length(&arrays[0]);
    for (size_t i = 1; i < COLUMNS; i++)
        if (json_length(&arrays[i]) != length)
            return json_fail(&arrays[i], error, "not as long as ends_ns");
    sample->series = xcalloc(length, sizeof *sample->series);
    for (; sample->series_length < length; sample->series_length++) {
        struct interval *interval = &sample->series[sample->series_length];
        uint64_t start_ns = sample->series_length > 0 ? interval[-1].end_ns : 0;
        if (!read_interval(items, start_ns, interval, error))
            return false;
        for (size_t i = 0; i < COLUMNS; i++)
            items[i] = json_next(&items[i]);
    }
    return true;
}

// ---- A time for each MiB ----

void mib_json_write(const struct sample *sample, size_t end, struct json_out *out, struct text *left_out)
{
    if (sample->mib_length == 0 || sample->mib_ns[sample->mib_length - 1] > RUN_INTEGER_MOST)
        return;
    struct json_mark mark = json_mark(out);
    json_key(out, "mib_ns");
    json_open(out, '[');
    for (size_t i = 0; i < sample->mib_length && out->text->length < end; i++)
        json_put_integer(out, sample->mib_ns[i]);
    json_close(out, ']');
    if (out->text->length < end)
        return;
    json_take_back(out, &mark);
    text_puts(left_out, " mib_ns");
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
