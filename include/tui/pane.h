// pane.h: one tier of the live screen in a box: what it does, its throughput, its latencies, its counts.
#pragma once

#include "tui/canvas.h"
#include "tui/duel.h"
#include "tui/glyphs.h"
#include "tui/trace.h"

#include <stdbool.h>
#include <stddef.h>

// What both panes share, so that the eye can compare them.
struct pane_scales {
    struct scale throughput;
    struct scale latency;
    size_t grouping; // beats a point of the graph
};

// How many points the graph of a pane of that width can hold.
size_t pane_points(int width, const struct glyphs *glyphs);

// Whether what the tier measured last, or measures now, is that workload.
bool pane_has_workload(const struct duel_tier *tier, size_t workload);

void pane_draw(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, const struct duel *duel,
               unsigned tier, size_t workload, const struct trace *trace, const struct pane_scales *scales);
