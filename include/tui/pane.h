// pane.h: one tier of the live screen in a box: what it does, its throughput, its latencies, its counts.
//
// The box has the tier's colour while it is the tier's turn, and what is in it while that is being measured.
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

void pane_draw(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, const struct duel *duel,
               unsigned tier, const struct trace *trace, const struct pane_scales *scales);
