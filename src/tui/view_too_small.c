#include "tui/view.h"

#include <stdio.h>

void view_too_small(struct canvas *canvas, const struct glyphs *glyphs)
{
    (void)glyphs; // the notice is ASCII on every terminal
    char notice[64];
    int length = snprintf(notice, sizeof notice, "needs %dx%d, has %dx%d", VIEW_WIDTH_LEAST,
                          VIEW_HEIGHT_LEAST, canvas->width, canvas->height);
    int x = (canvas->width - length) / 2;
    canvas_text(canvas, x > 0 ? x : 0, (canvas->height - 1) / 2, canvas->width, ROLE_TEXT, notice);
}
