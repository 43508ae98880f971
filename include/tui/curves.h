// curves.h: what more threads give, on a canvas: figures as the table has them, and pictures of them.
#pragma once

#include "analysis/page.h"
#include "tui/canvas.h"
#include "tui/glyphs.h"

// Draws from the first line of `rect` on, however many lines it has, and returns how many it takes; with a
// NULL canvas it only counts. 0 where the page has no curves.
int curves_draw(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                const struct page *page);
