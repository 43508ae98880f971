#include "report/timeline.h"

#include "base/clock.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_shown(const struct sample *sample, size_t workload, unsigned tier)
{
    return sample->workload == workload && sample->tier == tier && sample->round > 0 && sample->block == 1 &&
           sample->status == SAMPLE_OK && sample->wall_ns > 0;
}

static int compare_rounds(const void *left, const void *right)
{
    const struct sample *a = *(const struct sample *const *)left, *b = *(const struct sample *const *)right;
    return (a->round > b->round) - (a->round < b->round);
}

// Samples of a row on a tier by rounds; the caller frees the list.
static const struct sample **samples_of(const struct run *run, size_t workload, unsigned tier, size_t *count)
{
    const struct sample **samples = xcalloc(run->sample_count + 1, sizeof(struct sample *));
    *count = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        if (is_shown(&run->samples[i], workload, tier))
            samples[(*count)++] = &run->samples[i];
    if (*count > 1)
        qsort(samples, *count, sizeof(struct sample *), compare_rounds);
    return samples;
}

// ---- Over time ----

static bool counts_bytes(const struct run *run, size_t workload)
{
    enum workload_kind kind = run->plan.workloads[workload].kind;
    return workload_descriptions[kind].unit == UNIT_MEGABYTES_PER_SECOND;
}

// What of a sample is drawn: its intervals, or where none are stored the whole of it as one.
static uint64_t length_of(const struct sample *sample)
{
    return sample->series_length > 0 ? sample->series[sample->series_length - 1].end_ns : sample->wall_ns;
}

struct pencil {
    struct timeline *timeline;
    bool bytes;
    uint64_t at_ns; // where the section begins
};

static void draw(const struct pencil *pencil, uint64_t from_ns, uint64_t to_ns, uint64_t ops, uint64_t bytes)
{
    struct timeline *timeline = pencil->timeline;
    if (to_ns <= from_ns)
        return;
    double work = pencil->bytes ? (double)bytes / 1e6 : (double)ops;
    double rate = work / ((double)(to_ns - from_ns) / NS_PER_S);
    double scale = TIMELINE_COLUMNS / (double)timeline->total_ns;
    double from = (double)(pencil->at_ns + from_ns) * scale, to = (double)(pencil->at_ns + to_ns) * scale;
    size_t first = (size_t)fmin(from, TIMELINE_COLUMNS - 1), last = (size_t)fmin(to, TIMELINE_COLUMNS - 1);
    for (size_t column = first; column <= last; column++) {
        timeline->highest[column] = fmax(timeline->highest[column], rate);
        timeline->lowest[column] = fmin(timeline->lowest[column], rate);
    }
    timeline->most = fmax(timeline->most, rate);
    if (rate > 0)
        timeline->least = fmin(timeline->least, rate);
}

static void draw_sample(struct pencil *pencil, const struct sample *sample)
{
    for (size_t i = 0; i < sample->series_length; i++) {
        const struct interval *interval = &sample->series[i];
        draw(pencil, interval->start_ns, interval->end_ns, interval->ops, interval->bytes);
    }
    if (sample->series_length == 0)
        draw(pencil, 0, sample->wall_ns, sample->ops, sample->bytes);
    pencil->at_ns += length_of(sample);
}

static void begin_timeline(struct timeline *timeline)
{
    timeline->columns = TIMELINE_COLUMNS;
    timeline->highest = xcalloc(TIMELINE_COLUMNS, sizeof *timeline->highest);
    timeline->lowest = xcalloc(TIMELINE_COLUMNS, sizeof *timeline->lowest);
    for (size_t column = 0; column < TIMELINE_COLUMNS; column++)
        timeline->lowest[column] = INFINITY;
    timeline->least = INFINITY;
}

// A column that no interval reached, by rounding, is as the one before.
static void close_gaps(struct timeline *timeline)
{
    for (size_t column = 0; column < TIMELINE_COLUMNS; column++)
        if (isinf(timeline->lowest[column])) {
            timeline->lowest[column] = column > 0 ? timeline->lowest[column - 1] : 0;
            timeline->highest[column] = column > 0 ? timeline->highest[column - 1] : 0;
        }
}

bool timeline_make(struct timeline *timeline, const struct run *run, size_t workload, unsigned tier)
{
    size_t count;
    *timeline = (struct timeline){0};
    const struct sample **samples = samples_of(run, workload, tier, &count);
    for (size_t i = 0; i < count; i++)
        timeline->total_ns += length_of(samples[i]);
    if (timeline->total_ns == 0) {
        free(samples);
        return false;
    }
    begin_timeline(timeline);
    timeline->sections = xcalloc(count, sizeof *timeline->sections);
    struct pencil pencil = {.timeline = timeline, .bytes = counts_bytes(run, workload)};
    double work = 0, wall_ns = 0;
    for (size_t i = 0; i < count; i++) {
        timeline->sections[timeline->section_count++] =
            (struct timeline_section){samples[i]->round, (double)pencil.at_ns / (double)timeline->total_ns};
        draw_sample(&pencil, samples[i]);
        work += pencil.bytes ? (double)samples[i]->bytes / 1e6 : (double)samples[i]->ops;
        wall_ns += (double)samples[i]->wall_ns;
    }
    close_gaps(timeline);
    timeline->typical = work / (wall_ns / NS_PER_S);
    free(samples);
    return true;
}

void timeline_release(struct timeline *timeline)
{
    free(timeline->highest);
    free(timeline->lowest);
    free(timeline->sections);
    *timeline = (struct timeline){0};
}

const char *timeline_unit(const struct run *run, size_t workload)
{
    static const char *const units[WORKLOAD_KINDS] = {
        [WORKLOAD_CREATE] = "Files a second",      [WORKLOAD_WALK] = "Stats a second",
        [WORKLOAD_WALK_LATER] = "Stats a second",  [WORKLOAD_READ_TREE] = "Files a second",
        [WORKLOAD_RENAME] = "Files a second",      [WORKLOAD_DELETE] = "Files a second",
        [WORKLOAD_SEQ_READ] = "MB a second",       [WORKLOAD_RAND_READ] = "Blocks a second",
        [WORKLOAD_RAND_WRITE] = "Blocks a second", [WORKLOAD_COMMIT] = "Commits a second",
        [WORKLOAD_SEQ_WRITE] = "MB a second",
    };
    return units[run->plan.workloads[workload].kind];
}

// ---- Latencies ----

// Both ends of the axis from all that is stored.
static bool find_ends(const struct run *run, size_t workload, uint64_t *min_ns, uint64_t *max_ns)
{
    *min_ns = UINT64_MAX;
    *max_ns = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        for (unsigned tier = 0; tier < run->tier_count; tier++) {
            const struct sparse_histogram *latency = &run->samples[i].latency[PHASE_OP];
            if (!is_shown(&run->samples[i], workload, tier) || latency->count == 0)
                continue;
            *min_ns = latency->min_ns < *min_ns ? latency->min_ns : *min_ns;
            *max_ns = latency->max_ns > *max_ns ? latency->max_ns : *max_ns;
        }
    return *max_ns >= *min_ns;
}

static size_t bin_of(const struct spread *spread, double ns)
{
    double bin = (log10(fmax(ns, 1)) - spread->least) * SPREAD_BINS;
    return (size_t)fmin(fmax(bin, 0), (double)(spread->bins - 1));
}

static void add_latencies(struct spread *spread, const struct sparse_histogram *latency)
{
    if (latency->count == 0)
        return;
    spread->min_ns =
        spread->count == 0 || latency->min_ns < spread->min_ns ? latency->min_ns : spread->min_ns;
    spread->max_ns = latency->max_ns > spread->max_ns ? latency->max_ns : spread->max_ns;
    spread->count += latency->count;
    for (size_t i = 0; i < latency->length; i++) {
        size_t bucket = histogram_bucket(latency->digits, latency->bins[i].lowest_ns);
        double middle =
            ((double)latency->bins[i].lowest_ns + (double)histogram_highest(latency->digits, bucket)) / 2;
        spread->shares[bin_of(spread, middle)] += (double)latency->bins[i].count;
    }
}

bool spreads_make(struct spread spreads[RUN_TIERS_MOST], const struct run *run, size_t workload)
{
    uint64_t min_ns, max_ns;
    if (!find_ends(run, workload, &min_ns, &max_ns))
        return false;
    int least = (int)floor(log10(fmax((double)min_ns, 1))), most = (int)ceil(log10(fmax((double)max_ns, 1)));
    if (most <= least)
        most = least + 1;
    if (most - least > SPREAD_DECADES)
        least = most - SPREAD_DECADES;
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        spreads[tier] =
            (struct spread){.least = least, .most = most, .bins = (size_t)(most - least) * SPREAD_BINS};
    for (size_t i = 0; i < run->sample_count; i++)
        if (is_shown(&run->samples[i], workload, run->samples[i].tier))
            add_latencies(&spreads[run->samples[i].tier], &run->samples[i].latency[PHASE_OP]);
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        for (size_t bin = 0; bin < spreads[tier].bins && spreads[tier].count > 0; bin++)
            spreads[tier].shares[bin] /= (double)spreads[tier].count;
    return true;
}
