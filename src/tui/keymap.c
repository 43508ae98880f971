#include "tui/keymap.h"

enum { CONTROL_L = 'L' & 0x1f, ESCAPE = 0x1b };

// h stays free: beside j, k and l of a later two-dimensional movement it means left.
const struct key_binding key_bindings[] = {
    {' ', "space", ACTION_FREEZE, SCREEN_LIVE, "freeze", "hold the picture; measuring goes on"},
    {'n', "n", ACTION_SKIP, SCREEN_LIVE, "skip", "leave this workload out, on both disks, from now on"},
    {'l', "l", ACTION_LOG_SCALE, SCREEN_LIVE, "log scale", "throughput axis linear or logarithmic"},
    {KEY_CODE_UP, "Up", ACTION_UP, SCREEN_RESULTS, NULL, "scroll up a line"},
    {'k', "k", ACTION_UP, SCREEN_RESULTS, NULL, NULL},
    {KEY_CODE_DOWN, "Down", ACTION_DOWN, SCREEN_RESULTS, "scroll", "scroll down a line"},
    {'j', "j", ACTION_DOWN, SCREEN_RESULTS, NULL, NULL},
    {KEY_CODE_PAGE_UP, "PgUp", ACTION_PAGE_UP, SCREEN_RESULTS, NULL, "scroll up a page"},
    {KEY_CODE_PAGE_DOWN, "PgDn", ACTION_PAGE_DOWN, SCREEN_RESULTS, NULL, "scroll down a page"},
    {KEY_CODE_HOME, "Home", ACTION_FIRST, SCREEN_RESULTS, NULL, "to the first line"},
    {'g', "g", ACTION_FIRST, SCREEN_RESULTS, NULL, NULL},
    {KEY_CODE_END, "End", ACTION_LAST, SCREEN_RESULTS, NULL, "to the last line"},
    {'G', "G", ACTION_LAST, SCREEN_RESULTS, NULL, NULL},
    {CONTROL_L, "Ctrl-L", ACTION_REDRAW, SCREEN_ANY, NULL, "draw the whole screen again"},
    {'?', "?", ACTION_HELP, SCREEN_ANY, "help", "open or close this list"},
    {ESCAPE, "Esc", ACTION_CLOSE, SCREEN_ANY, NULL, "close what lies on top"},
    {'q', "q", ACTION_QUIT, SCREEN_LIVE, "quit", "stop, save what was measured and show it; again: leave"},
    {'q', "q", ACTION_QUIT, SCREEN_RESULTS, "quit", "leave"},
};

const size_t key_binding_count = sizeof key_bindings / sizeof *key_bindings;

enum action keymap_action(unsigned screens, unsigned code)
{
    for (size_t i = 0; i < key_binding_count; i++)
        if (key_bindings[i].code == code && (key_bindings[i].screens & screens))
            return key_bindings[i].action;
    return ACTION_NONE;
}
