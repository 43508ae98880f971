#include "tui/palette.h"

// Blue and orange stay apart for every common kind of colour-blindness. All hues are of middle lightness, so
// that they read on a dark background and on a light one; what is dim is greyer, not darker.
const struct role_style palette[ROLE_COUNT] = {
    [ROLE_TEXT] = {.name = "text", .rgb = 0x808080, .ansi256 = 244, .ansi16 = 7, .default_colour = true},
    [ROLE_DIM] = {.name = "dim", .rgb = 0x808080, .ansi256 = 244, .ansi16 = 8},
    [ROLE_TITLE] =
        {.name = "title", .rgb = 0x808080, .ansi256 = 244, .ansi16 = 7, .bold = true, .default_colour = true},
    [ROLE_TIER_A] = {.name = "tier_a", .rgb = 0x0087d7, .ansi256 = 32, .ansi16 = 12, .bold = true},
    [ROLE_TIER_A_DIM] = {.name = "tier_a_dim", .rgb = 0x6c87a6, .ansi256 = 67, .ansi16 = 4},
    [ROLE_TIER_B] = {.name = "tier_b", .rgb = 0xd75f00, .ansi256 = 166, .ansi16 = 3, .bold = true},
    [ROLE_TIER_B_DIM] = {.name = "tier_b_dim", .rgb = 0xa6805c, .ansi256 = 137, .ansi16 = 3},
    [ROLE_BETTER] = {.name = "better", .rgb = 0x008787, .ansi256 = 30, .ansi16 = 6},
    [ROLE_WORSE] = {.name = "worse", .rgb = 0xd7005f, .ansi256 = 161, .ansi16 = 5},
    [ROLE_WARNING] = {.name = "warning", .rgb = 0xaf8700, .ansi256 = 136, .ansi16 = 3, .bold = true},
    [ROLE_ERROR] = {.name = "error", .rgb = 0xd70000, .ansi256 = 160, .ansi16 = 1, .bold = true},
    [ROLE_KEY] =
        {.name = "key", .rgb = 0x808080, .ansi256 = 244, .ansi16 = 7, .bold = true, .default_colour = true},
    [ROLE_BAR] = {.name = "bar", .rgb = 0x808080, .ansi256 = 244, .ansi16 = 7, .default_colour = true},
};
