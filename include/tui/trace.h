// trace.h: a tier's intervals of one workload, made into the points of a graph.
//
// A tier's time runs only while it is measured: its sections are joined end to end. The closing snapshot of a
// section may be very short; its rate would be an accident, so it is taken together with the interval before
// it.
#pragma once

#include "tui/duel.h"
#include "tui/plot.h"

#include <stdbool.h>
#include <stddef.h>

// What happened in one interval: operations, or megabytes where the workload counts those.
struct beat {
    double amount;
    double seconds;
    unsigned round;
    bool begins; // the first of its section
};

struct trace {
    struct beat *beats; // owned
    size_t length;
    double amount, seconds; // of all of them
};

// {0} is a valid empty trace. Only the newest half hour or so of a very long run is looked at.
void trace_make(struct trace *trace, const struct duel *duel, unsigned tier, size_t workload);
void trace_release(struct trace *trace);

// The last second's rate of a round, or with `whole` that of the whole round; false where it has no time yet.
bool trace_rate(const struct trace *trace, unsigned round, bool whole, double *rate);

// How many beats have to share a point (1, 2, 5, 10, …) for the whole trace to fit in `most` points.
size_t trace_grouping(const struct trace *trace, size_t most, size_t points_a_column);

// The points, `grouping` beats each, every round at the beginning of a column. The caller frees.
struct plot_point *trace_points(const struct trace *trace, size_t grouping, size_t points_a_column,
                                size_t *count);
