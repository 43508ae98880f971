#include "cli/progress_line.h"

#include "base/text.h"
#include "base/units.h"
#include "cli/output.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_ELSE = 80 };

void progress_line_open(struct progress_line *line)
{
    *line = (struct progress_line){.terminal = isatty(STDERR_FILENO) == 1};
}

static size_t terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return COLUMNS_ELSE;
    return size.ws_col;
}

static bool put(const struct text *text)
{
    return write(STDERR_FILENO, text_string(text), text->length) >= 0 || errno != EPIPE;
}

static void describe(const struct run *run, const struct section *section, const struct engine_look *look,
                     bool with_tier, struct text *out)
{
    text_printf(out, "%3d%%  ", (int)(look->fraction * 100));
    if (section->round == 0)
        text_puts(out, "round 0 (first use)");
    else
        text_printf(out, "round %u of %u", section->round, run->plan.rounds);
    text_printf(out, "  %s", run->plan.workloads[section->workload].id);
    if (with_tier) {
        text_printf(out, " on %c ", 'A' + (int)section->tier);
        text_put_safe(out, run->tiers[section->tier].name, !output_utf8());
    }
    if (look->has_remaining) {
        char left[UNITS_TEXT_SIZE];
        units_time_left(look->remaining_ns, left);
        text_printf(out, "  %s left", left);
    }
}

// Cuts at a column, never inside a character.
static void cut(struct text *text, size_t columns)
{
    while (text->length > 0 && text_columns(text_string(text)) > columns) {
        do
            text->length--;
        while (text->length > 0 && ((unsigned char)text->bytes[text->length] & 0xc0) == 0x80);
        text->bytes[text->length] = '\0';
    }
}

static bool show_in_place(struct progress_line *line, const struct text *described)
{
    size_t columns = terminal_columns() - 1; // the last column would wrap
    struct text text = {0};
    text_append(&text, described->bytes, described->length);
    cut(&text, columns);
    size_t taken = text_columns(text_string(&text));
    struct text drawn = {0};
    text_printf(&drawn, "\r%s", text_string(&text));
    text_repeat(&drawn, ' ', columns - taken);
    bool heard = put(&drawn);
    line->shown = true;
    text_free(&text);
    text_free(&drawn);
    return heard;
}

bool progress_line_show(struct progress_line *line, const struct run *run, const struct schedule *schedule,
                        const struct engine_look *look)
{
    if (look->section >= schedule->length)
        return true;
    const struct section *section = &schedule->sections[look->section];
    const struct section *last = &schedule->sections[line->last];
    bool is_new = !line->any || section->round != last->round || section->workload != last->workload;
    if (!line->terminal && !is_new)
        return true;
    line->any = true;
    line->last = look->section;
    struct text text = {0};
    describe(run, section, look, line->terminal, &text);
    bool heard;
    if (line->terminal) {
        heard = show_in_place(line, &text);
    } else {
        text_puts(&text, "\n");
        heard = put(&text);
    }
    text_free(&text);
    return heard;
}

void progress_line_clear(struct progress_line *line)
{
    if (!line->shown)
        return;
    struct text text = {0};
    text_puts(&text, "\r");
    text_repeat(&text, ' ', terminal_columns() - 1);
    text_puts(&text, "\r");
    put(&text);
    text_free(&text);
    line->shown = false;
}
