// plot.h: pictures of numbers: a throughput graph, a latency histogram, a bar on a log axis. Both tiers are
// drawn on one scale, which the caller finds first.
#pragma once

#include "stats/histogram.h"
#include "tui/canvas.h"
#include "tui/glyphs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A scale from `low` to `high`; a logarithmic one never holds 0: what is at or below `low` is drawn on the
// bottom.
struct scale {
    double low, high;
    bool logarithmic;
};

// A linear scale from 0 to a round number (1, 2 or 5 times a power of ten) at or above `most`.
struct scale scale_linear(double most);
// Whole decades that hold `least` to `most`.
struct scale scale_decades(double least, double most);
double scale_position(const struct scale *scale, double value); // 0 to 1, clamped

// "1.2k", "300", "2.5M": at most 5 columns.
void scale_label(double value, char out[16]);

// One value a column pair; `mark` draws a round's beginning before it. The newest stand at the right end.
struct plot_point {
    double value;
    bool mark;
};

void plot_throughput(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                     const struct scale *scale, const struct plot_point *points, size_t count);

// How many points plot_throughput can show in that width.
size_t plot_points(int width, const struct glyphs *glyphs);

// Latency along a log axis (labels on its last line), height by count; a single occurrence is always visible.
void plot_latency(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                  const struct scale *axis, const struct histogram *histogram);

// A bar for a ratio of 1 or more on a log axis that ends at `most`.
void plot_ratio(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                double ratio, double most);
