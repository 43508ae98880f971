#include "tui/palette.h"

// Blue and orange stay apart for every common kind of colour-blindness. All hues are of middle lightness, so
// that they read on a dark background and on a light one; what is dim is greyer, not darker.
const struct role_style palette[ROLE_COUNT] = {
    [ROLE_TEXT] = {.default_colour = true},
    [ROLE_DIM] = {.ansi256 = 244, .ansi16 = 8},
    [ROLE_TITLE] = {.bold = true, .default_colour = true},
    [ROLE_TIER_A] = {.ansi256 = 32, .ansi16 = 12, .bold = true},
    [ROLE_TIER_A_DIM] = {.ansi256 = 67, .ansi16 = 4},
    [ROLE_TIER_B] = {.ansi256 = 166, .ansi16 = 3, .bold = true},
    [ROLE_TIER_B_DIM] = {.ansi256 = 137, .ansi16 = 3},
    [ROLE_BETTER] = {.ansi256 = 30, .ansi16 = 6},
    [ROLE_WORSE] = {.ansi256 = 161, .ansi16 = 5},
    [ROLE_WARNING] = {.ansi256 = 136, .ansi16 = 3, .bold = true},
    [ROLE_ERROR] = {.ansi256 = 160, .ansi16 = 1, .bold = true},
    [ROLE_KEY] = {.bold = true, .default_colour = true},
    [ROLE_BAR] = {.default_colour = true},
};
