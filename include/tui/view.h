// view.h: the screens, each a pure function of plain data onto a canvas.
#pragma once

#include "tui/canvas.h"
#include "tui/duel.h"
#include "tui/glyphs.h"
#include "tui/model.h"

enum { VIEW_WIDTH_LEAST = 80, VIEW_HEIGHT_LEAST = 24 };

// Draws what the model asks for: the live or the results screen, with the help overlay over it where it is
// open, or the notice that the window is too small. Never fails, at any size down to 0x0.
void view_draw(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
               const struct duel *duel);

// The parts. Each fills the canvas.
void view_live(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
               const struct duel *duel);
void view_results(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
                  const struct duel *duel);
void view_help(struct canvas *canvas, const struct glyphs *glyphs, unsigned screen); // over what is there
void view_too_small(struct canvas *canvas, const struct glyphs *glyphs);

// Whether the throughput axis of the live screen is logarithmic where nobody chose: the tiers are 20x apart.
bool view_logarithmic(const struct duel *duel);

// Lines that the results screen could scroll past its window, for the loop to clamp model->scroll
// (model_clamp): never fewer than there are, with any glyphs.
int view_results_overflow(const struct canvas *canvas, const struct duel *duel);
