#include "tui/view.h"

static const struct {
    unsigned screen;
    void (*draw)(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
                 const struct duel *duel);
} views[] = {
    {SCREEN_LIVE, view_live},
    {SCREEN_RESULTS, view_results},
};

void view_draw(struct canvas *canvas, const struct glyphs *glyphs, const struct model *model,
               const struct duel *duel)
{
    canvas_fill(canvas, (struct rect){0, 0, canvas->width, canvas->height}, ROLE_TEXT, " ");
    if (canvas->width < VIEW_WIDTH_LEAST || canvas->height < VIEW_HEIGHT_LEAST) {
        view_too_small(canvas, glyphs);
        return;
    }
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (views[i].screen == model->screen)
            views[i].draw(canvas, glyphs, model, duel);
    if (model->help)
        view_help(canvas, glyphs, model->screen);
}
