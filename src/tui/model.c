#include "tui/model.h"

#include <limits.h>

enum { PAGE_LINES = 10 };

// Added to the scroll position; both ends are safe against overflow.
static void scroll_by(struct model *model, int lines)
{
    if (lines > 0 && model->scroll > INT_MAX - lines)
        model->scroll = INT_MAX;
    else
        model->scroll = model->scroll + lines > 0 ? model->scroll + lines : 0;
}

void model_clamp(struct model *model, int overflow)
{
    if (model->scroll > overflow)
        model->scroll = overflow;
    if (model->scroll < 0)
        model->scroll = 0;
}

// The other scale than the one that shows. Where that is what would be chosen anyway, the choice is given
// back.
static void toggle_scale(struct model *model)
{
    bool shown = model->throughput == SCALE_AUTOMATIC ? model->automatic_logarithmic
                                                      : model->throughput == SCALE_LOGARITHMIC;
    bool wanted = !shown;
    if (wanted == model->automatic_logarithmic)
        model->throughput = SCALE_AUTOMATIC;
    else
        model->throughput = wanted ? SCALE_LOGARITHMIC : SCALE_LINEAR;
}

static enum effect quit(struct model *model, bool measuring)
{
    if (!measuring || model->stopping)
        return EFFECT_LEAVE;
    model->stopping = true;
    return EFFECT_STOP;
}

// What the scrolling actions add; the first and the last line lie past any distance.
static const int distances[ACTION_COUNT] = {
    [ACTION_UP] = -1,
    [ACTION_DOWN] = 1,
    [ACTION_PAGE_UP] = -PAGE_LINES,
    [ACTION_PAGE_DOWN] = PAGE_LINES,
    [ACTION_FIRST] = -INT_MAX,
    [ACTION_LAST] = INT_MAX,
};

enum effect model_update(struct model *model, enum action action, bool measuring)
{
    // Under the help nothing happens that can't be seen; closing it must not end a measurement.
    if (model->help) {
        if (action == ACTION_HELP || action == ACTION_CLOSE || action == ACTION_QUIT)
            model->help = false;
        return action == ACTION_REDRAW ? EFFECT_REDRAW : EFFECT_NONE;
    }
    if ((unsigned)action < ACTION_COUNT && distances[action]) {
        scroll_by(model, distances[action]);
        return EFFECT_NONE;
    }
    switch (action) {
    case ACTION_FREEZE:
        model->frozen = !model->frozen;
        return EFFECT_FREEZE;
    case ACTION_SKIP:
        return measuring && !model->stopping ? EFFECT_SKIP : EFFECT_NONE;
    case ACTION_LOG_SCALE:
        toggle_scale(model);
        return EFFECT_NONE;
    case ACTION_REDRAW:
        return EFFECT_REDRAW;
    case ACTION_HELP:
        model->help = true;
        return EFFECT_NONE;
    case ACTION_QUIT:
        return quit(model, measuring);
    default:
        return EFFECT_NONE;
    }
}
