// plot.h: pictures of numbers: a throughput graph, lines over steps, a latency histogram, a bar on a log
// axis. Both tiers are drawn on one scale, which the caller finds first.
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

// A linear scale from 0 to a round number (1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten) at or above
// `most`; to 1 where there is nothing to show.
struct scale scale_linear(double most);
// Whole decades, at least one, that hold `least` to `most`.
struct scale scale_decades(double least, double most);
double scale_position(const struct scale *scale, double value); // 0 to 1, clamped; 0 for what is no number

// "1.5k", "300", "2.5M": at most 5 columns.
void scale_label(double value, char out[16]);

// One value of a graph. With a mark, a round of that number begins at it.
struct plot_point {
    double value;
    bool mark;
    unsigned round;
};

// Points side by side in one column of a graph.
size_t plot_points_a_column(const struct glyphs *glyphs);

// How many points plot_throughput can show in that width.
size_t plot_points(int width, const struct glyphs *glyphs);

// A filled graph from the left, with the value axis on the left and the time axis with its marks on the last
// line. Where the points are too many, the newest are shown. Without points: the axes alone.
void plot_throughput(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                     const struct scale *scale, const struct plot_point *points, size_t count);

// One line of a plot over steps.
struct plot_line {
    const double *values; // by step; what isn't greater than 0 is unknown
    const char *mark;     // one column: stands where a value is known
    enum role role;
};

// Values over a few steps, at equal distances, each with its number below; points join two known neighbours.
// Where marks would fall together, the later one stands beside the first.
void plot_steps(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                const struct scale *scale, const unsigned *steps, size_t count, const struct plot_line *lines,
                size_t line_count);

// Latency along a log axis in nanoseconds (labels on its last line, from 5 lines up a rule above them),
// height by count; a single occurrence is always visible.
void plot_latency(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                  const struct scale *axis, const struct histogram *histogram);

// A bar for a ratio of 1 or more on a log axis that ends at `most`.
void plot_ratio(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                double ratio, double most);

// The labels of that axis: 1×, 10×, 100× … as far as they fit.
void plot_ratio_axis(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, double most);
