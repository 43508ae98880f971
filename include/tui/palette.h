// palette.h: colours by what they mean. Views name roles; only the screen turns them into a terminal's
// colours.
//
// Tier A keeps one hue and tier B another everywhere. No meaning is in the colour alone.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum role {
    ROLE_TEXT,
    ROLE_DIM, // rules, units, what waits
    ROLE_TITLE,
    ROLE_TIER_A,
    ROLE_TIER_A_DIM,
    ROLE_TIER_B,
    ROLE_TIER_B_DIM,
    ROLE_BETTER,
    ROLE_WORSE,
    ROLE_WARNING,
    ROLE_ERROR,
    ROLE_KEY, // a key that can be pressed
    ROLE_BAR, // the filled part of a progress bar
    ROLE_COUNT
};

struct role_style {
    uint8_t ansi256;
    uint8_t ansi16; // 0 to 15
    bool bold;
    bool default_colour; // the terminal's own foreground, whatever it is
};

extern const struct role_style palette[ROLE_COUNT];
