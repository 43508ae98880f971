#include "tui/trace.h"

#include "base/clock.h"
#include "base/xalloc.h"

#include <stdlib.h>

enum {
    INTERVALS_MOST = 20000,
    BEATS_A_SECOND = 10 // the sampler's pace
};

static double amount_of(const struct interval *interval, enum unit unit)
{
    return unit == UNIT_MEGABYTES_PER_SECOND ? (double)interval->bytes / 1e6 : (double)interval->ops;
}

// Whether a beat is too short to stand alone behind the one before it.
static bool is_remainder(const struct beat *before, double seconds)
{
    return seconds < before->seconds / 2;
}

static void add_beat(struct trace *trace, const struct beat *beat)
{
    struct beat *last = trace->length ? &trace->beats[trace->length - 1] : NULL;
    trace->amount += beat->amount;
    trace->seconds += beat->seconds;
    if (last && !beat->begins && is_remainder(last, beat->seconds)) {
        last->amount += beat->amount;
        last->seconds += beat->seconds;
        return;
    }
    trace->beats[trace->length++] = *beat;
}

void trace_make(struct trace *trace, const struct duel *duel, unsigned tier, size_t workload)
{
    *trace = (struct trace){0};
    const struct duel_tier *side = &duel->tiers[tier];
    if (!side->series || !duel->schedule || !duel->run || workload >= duel->run->plan.workload_count)
        return;
    size_t first = side->length > INTERVALS_MOST ? side->length - INTERVALS_MOST : 0;
    if (side->length == first)
        return;
    enum unit unit = workload_descriptions[duel->run->plan.workloads[workload].kind].unit;
    trace->beats = xcalloc(side->length - first, sizeof *trace->beats);
    size_t present = SIZE_MAX;
    for (size_t i = first; i < side->length; i++) {
        const struct interval *interval = series_at(side->series, i);
        if (interval->section >= duel->schedule->length || interval->end_ns <= interval->start_ns)
            continue;
        const struct section *section = &duel->schedule->sections[interval->section];
        if (section->workload != workload)
            continue;
        struct beat beat = {.amount = amount_of(interval, unit),
                            .seconds = (double)(interval->end_ns - interval->start_ns) / NS_PER_S,
                            .round = section->round,
                            .begins = interval->section != present};
        present = interval->section;
        add_beat(trace, &beat);
    }
}

void trace_release(struct trace *trace)
{
    free(trace->beats);
    *trace = (struct trace){0};
}

bool trace_rate(const struct trace *trace, unsigned round, bool whole, double *rate)
{
    double amount = 0, seconds = 0;
    size_t taken = 0;
    for (size_t i = trace->length; i-- > 0 && (whole || taken < BEATS_A_SECOND); taken++) {
        if (trace->beats[i].round != round)
            break;
        amount += trace->beats[i].amount;
        seconds += trace->beats[i].seconds;
    }
    if (!(seconds > 0))
        return false;
    *rate = amount / seconds;
    return true;
}

static size_t whole_columns(size_t points, size_t points_a_column)
{
    return (points + points_a_column - 1) / points_a_column * points_a_column;
}

static size_t points_needed(const struct trace *trace, size_t grouping, size_t points_a_column)
{
    size_t points = 0;
    for (size_t i = 0; i < trace->length;) {
        size_t end = i + 1;
        while (end < trace->length && !trace->beats[end].begins)
            end++;
        points += whole_columns((end - i + grouping - 1) / grouping, points_a_column);
        i = end;
    }
    return points;
}

size_t trace_grouping(const struct trace *trace, size_t most, size_t points_a_column)
{
    static const size_t steps[] = {1, 2, 5};
    for (size_t decade = 1; decade <= INTERVALS_MOST; decade *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            if (points_needed(trace, steps[i] * decade, points_a_column) <= most)
                return steps[i] * decade;
    return INTERVALS_MOST;
}

// Brings the next round to a whole column, and gives the shortest section one.
static size_t fill_column(struct plot_point *points, size_t count, size_t points_a_column)
{
    for (; count % points_a_column; count++)
        points[count] = (struct plot_point){.value = points[count - 1].value};
    return count;
}

struct plot_point *trace_points(const struct trace *trace, size_t grouping, size_t points_a_column,
                                size_t *count)
{
    *count = 0;
    size_t needed = points_needed(trace, grouping, points_a_column);
    if (needed == 0)
        return NULL;
    struct plot_point *points = xcalloc(needed, sizeof *points);
    for (size_t i = 0; i < trace->length;) {
        struct plot_point point = {.mark = trace->beats[i].begins, .round = trace->beats[i].round};
        if (point.mark)
            *count = fill_column(points, *count, points_a_column);
        double amount = 0, seconds = 0;
        size_t end = i + grouping;
        do {
            amount += trace->beats[i].amount;
            seconds += trace->beats[i].seconds;
            i++;
        } while (i < end && i < trace->length && !trace->beats[i].begins);
        point.value = amount / seconds;
        points[(*count)++] = point;
    }
    *count = fill_column(points, *count, points_a_column);
    return points;
}
