// model.h: what the person at the keys has chosen: which screen, frozen or not, what is open, how far
// scrolled.
//
// update() changes the model and returns what is to be done about it; it has no other effect, so every key
// can be tried without a terminal.
#pragma once

#include "tui/keymap.h"

#include <stdbool.h>
#include <stddef.h>

enum scale_choice { SCALE_AUTOMATIC, SCALE_LINEAR, SCALE_LOGARITHMIC };

struct model {
    unsigned screen; // SCREEN_LIVE or SCREEN_RESULTS
    bool frozen;
    bool help;
    enum scale_choice throughput;
    bool automatic_logarithmic; // what SCALE_AUTOMATIC comes to now: the loop copies it from
                                // view_logarithmic(), so that the key always shows the other scale
    int scroll;                 // first line shown of what scrolls; views clamp it when they draw
    bool stopping;              // q was pressed while measuring
};

enum effect { EFFECT_NONE, EFFECT_REDRAW, EFFECT_FREEZE, EFFECT_SKIP, EFFECT_STOP, EFFECT_LEAVE };

// EFFECT_FREEZE: the caller keeps (or lets go) the lengths of the series. EFFECT_STOP: ask the engine to
// stop; the screen stays until it has. EFFECT_LEAVE: close the console.
enum effect model_update(struct model *model, enum action action, bool measuring);

// After a key or a resize: holds the scroll position within what view_results_overflow() said.
void model_clamp(struct model *model, int overflow);
