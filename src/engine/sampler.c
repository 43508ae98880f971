// sampler.c: a snapshot less the one before is an interval.
#include "engine/sampler.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "engine/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLER_PERIOD_NS ((uint64_t)SAMPLER_PERIOD_MS * NS_PER_MS)

static unsigned octave_of(uint64_t ns)
{
    return ns < 2 ? 0 : 63U - (unsigned)__builtin_clzll(ns);
}

static void count_octaves(struct interval *interval, const struct histogram *now,
                          const struct histogram *before)
{
    size_t buckets = histogram_buckets(now->digits);
    for (size_t i = 0; i < buckets; i++)
        if (now->counts[i] != before->counts[i])
            interval->octaves[octave_of(histogram_lowest(now->digits, i))] +=
                (uint32_t)(now->counts[i] - before->counts[i]);
}

// Looks at the lanes and appends what happened since the last look. With the lock held.
static void look(struct sampler *sampler)
{
    struct sampler_view *view = sampler->present;
    uint64_t started_ns = atomic_load_explicit(view->section.started_ns, memory_order_relaxed);
    uint64_t now_ns = (sampler->held ? sampler->held_ns : clock_monotonic_ns()) - sampler->gap_ns;
    if (started_ns == 0)
        return;
    uint64_t from_ns = sampler->looked_ns ? sampler->looked_ns : started_ns;
    if (now_ns <= from_ns)
        return;
    struct snapshot *now = &sampler->snapshot, *before = &view->snapshot;
    snapshot_take_ops(now, view->section.lanes, view->section.lane_count);
    struct interval interval = {.start_ns = from_ns - sampler->origin_ns,
                                .end_ns = now_ns - sampler->origin_ns,
                                .ops = now->ops - before->ops,
                                .bytes = now->bytes - before->bytes,
                                .section = view->section.number};
    count_octaves(&interval, &now->histograms[PHASE_OP], &before->histograms[PHASE_OP]);
    if (!series_append(view->series, &interval))
        sampler->full = true;
    sampler->looked_ns = now_ns;
    struct snapshot spare = view->snapshot;
    view->snapshot = sampler->snapshot;
    sampler->snapshot = spare;
}

static void wait_until(struct sampler *sampler, uint64_t deadline_ns)
{
    struct timespec at = {.tv_sec = (time_t)(deadline_ns / NS_PER_S),
                          .tv_nsec = (long)(deadline_ns % NS_PER_S)};
    pthread_cond_timedwait(&sampler->wake, &sampler->lock, &at);
}

static void *sampler_main(void *argument)
{
    struct sampler *sampler = argument;
    pthread_mutex_lock(&sampler->lock);
    while (!sampler->ending) {
        if (!sampler->present || sampler->held) {
            pthread_cond_wait(&sampler->wake, &sampler->lock);
            continue;
        }
        uint64_t now_ns = clock_monotonic_ns();
        if (now_ns < sampler->deadline_ns) {
            wait_until(sampler, sampler->deadline_ns);
            continue;
        }
        look(sampler);
        // Deadlines don't drift; those that were missed are not made up for.
        uint64_t late_ns = now_ns - sampler->deadline_ns;
        sampler->deadline_ns += (late_ns / SAMPLER_PERIOD_NS + 1) * SAMPLER_PERIOD_NS;
    }
    pthread_mutex_unlock(&sampler->lock);
    return NULL;
}

static void free_all(struct sampler *sampler)
{
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++) {
        series_free(sampler->views[i].series);
        snapshot_release(&sampler->views[i].snapshot);
    }
    snapshot_release(&sampler->snapshot);
    pthread_cond_destroy(&sampler->wake);
    pthread_mutex_destroy(&sampler->lock);
}

bool sampler_start(struct sampler *sampler, uint64_t origin_ns, struct error *error)
{
    *sampler = (struct sampler){.origin_ns = origin_ns};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&sampler->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&sampler->lock, NULL);
    snapshot_init(&sampler->snapshot, 1u << PHASE_OP);
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++) {
        snapshot_init(&sampler->views[i].snapshot, 1u << PHASE_OP);
        sampler->views[i].series = series_new();
    }
    sampler->started = thread_start(&sampler->thread, THREAD_STACK, sampler_main, sampler, error);
    if (!sampler->started)
        free_all(sampler);
    return sampler->started;
}

void sampler_stop(struct sampler *sampler)
{
    if (!sampler->started)
        return;
    pthread_mutex_lock(&sampler->lock);
    sampler->ending = true;
    pthread_cond_signal(&sampler->wake);
    pthread_mutex_unlock(&sampler->lock);
    pthread_join(sampler->thread, NULL);
    free_all(sampler);
    sampler->started = false;
}

void sampler_begin(struct sampler *sampler, const struct sampler_section *section)
{
    pthread_mutex_lock(&sampler->lock);
    struct sampler_view *view = &sampler->views[section->tier];
    view->has_section = true;
    view->section = *section;
    view->first = series_length(view->series);
    view->snapshot.ops = 0;
    view->snapshot.bytes = 0;
    histogram_clear(&view->snapshot.histograms[PHASE_OP]);
    sampler->present = view;
    sampler->looked_ns = 0;
    sampler->held = false;
    sampler->gap_ns = 0;
    sampler->deadline_ns = clock_monotonic_ns() + SAMPLER_PERIOD_NS;
    pthread_cond_signal(&sampler->wake);
    pthread_mutex_unlock(&sampler->lock);
}

void sampler_hold(struct sampler *sampler)
{
    pthread_mutex_lock(&sampler->lock);
    if (!sampler->held) {
        sampler->held_ns = clock_monotonic_ns();
        sampler->held = true;
        look(sampler);
    }
    pthread_mutex_unlock(&sampler->lock);
}

void sampler_resume(struct sampler *sampler)
{
    pthread_mutex_lock(&sampler->lock);
    if (sampler->held) {
        uint64_t now_ns = clock_monotonic_ns(),
                 started_ns =
                     atomic_load_explicit(sampler->present->section.started_ns, memory_order_relaxed);
        sampler->held = false;
        if (started_ns > 0) // before its first batch a section has no time
            sampler->gap_ns += now_ns - sampler->held_ns;
        sampler->deadline_ns = now_ns + SAMPLER_PERIOD_NS;
        pthread_cond_signal(&sampler->wake);
    }
    pthread_mutex_unlock(&sampler->lock);
}

void sampler_end(struct sampler *sampler, struct interval **intervals, size_t *length)
{
    pthread_mutex_lock(&sampler->lock);
    struct sampler_view *view = sampler->present;
    look(sampler);
    sampler->present = NULL;
    uint64_t started_ns = atomic_load_explicit(view->section.started_ns, memory_order_relaxed);
    pthread_mutex_unlock(&sampler->lock);

    *length = series_length(view->series) - view->first;
    *intervals = *length ? xcalloc(*length, sizeof **intervals) : NULL;
    for (size_t i = 0; i < *length; i++) {
        struct interval *interval = &(*intervals)[i];
        *interval = *series_at(view->series, view->first + i);
        interval->start_ns -= started_ns - sampler->origin_ns;
        interval->end_ns -= started_ns - sampler->origin_ns;
    }
}

bool sampler_is_full(struct sampler *sampler)
{
    pthread_mutex_lock(&sampler->lock);
    bool full = sampler->full;
    pthread_mutex_unlock(&sampler->lock);
    return full;
}

const struct series *sampler_series(const struct sampler *sampler, unsigned tier)
{
    return sampler->views[tier].series;
}

bool sampler_latency(struct sampler *sampler, unsigned tier, struct sampler_section *section, uint64_t *ops,
                     struct histogram *latency)
{
    pthread_mutex_lock(&sampler->lock);
    const struct sampler_view *view = &sampler->views[tier];
    bool has_section = view->has_section;
    *section = view->section;
    *ops = view->snapshot.ops;
    histogram_copy(latency, &view->snapshot.histograms[PHASE_OP]);
    pthread_mutex_unlock(&sampler->lock);
    return has_section;
}
