// keymap.h: one table of keys. Dispatch, the footer, the help overlay, the manual page and the README come
// from it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum action {
    ACTION_NONE,
    ACTION_FREEZE,    // hold the picture; measuring goes on
    ACTION_SKIP,      // leave this workload out
    ACTION_LOG_SCALE, // throughput axis linear or logarithmic
    ACTION_UP,
    ACTION_DOWN,
    ACTION_PAGE_UP,
    ACTION_PAGE_DOWN,
    ACTION_FIRST,
    ACTION_LAST,
    ACTION_REDRAW,
    ACTION_HELP,
    ACTION_CLOSE, // Esc: close what lies on top
    ACTION_QUIT,
    ACTION_COUNT
};

// Where a key means something (bits).
enum { SCREEN_LIVE = 1, SCREEN_RESULTS = 2, SCREEN_ANY = 3 };

// Keys are Unicode code points; those without one have a number past them.
enum {
    KEY_CODE_UP = 0x110000,
    KEY_CODE_DOWN,
    KEY_CODE_PAGE_UP,
    KEY_CODE_PAGE_DOWN,
    KEY_CODE_HOME,
    KEY_CODE_END
};

struct key_binding {
    unsigned code;
    const char *key; // as shown: "space", "n", "PgUp"
    enum action action;
    unsigned screens;
    const char *label; // short, for the footer; NULL: not in the footer
    const char *help;  // one line, for the help overlay and the manual; NULL: another key for the line above
};

extern const struct key_binding key_bindings[];
extern const size_t key_binding_count;

enum action keymap_action(unsigned screens, unsigned code);
