#include "cli/progress_line.h"

#include "analysis/page.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/output.h"

#include <errno.h>
#include <string.h>
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

static void pad(struct text *out, size_t from, size_t columns)
{
    size_t taken = text_columns(text_string(out) + from);
    text_repeat(out, ' ', taken < columns ? columns - taken : 0);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

// "round 3 of 6  seq-write-64", both as wide as the widest of a round, so that what follows stands still; or
// "once more: walk-later".
static void put_place(struct text *out, const struct plan *plan, const struct section *section,
                      bool shortened)
{
    char place[ROUND_PLACE_SIZE], name[ROUND_PLACE_SIZE];
    size_t rounds = 0, ids = 0;
    for (size_t i = 0; i < plan->workload_count; i++) {
        if (plan->workloads[i].follow_up)
            continue;
        for (unsigned round = plan->warmup_rounds ? 0 : plan->rounds; round <= plan->rounds;
             round += plan->rounds) {
            round_place(plan, &plan->workloads[i], round, shortened, place);
            rounds = larger(rounds, strlen(place));
        }
        ids = larger(ids, strlen(plan->workloads[i].id));
    }
    const char *id = plan->workloads[section->workload].id;
    round_place(plan, &plan->workloads[section->workload], section->round, shortened, name);
    if (section->block > 1)
        text_printf(out, "once more: %-*s", (int)(rounds + ids) - (int)strlen("once more"), id);
    else
        text_printf(out, "%-*s  %-*s", (int)rounds, name, (int)ids, id);
}

// " on A persistent"
static void put_tier(struct text *out, const struct run *run, unsigned tier)
{
    struct text name = {0};
    run_put_tier(run, tier, &name);
    text_puts(out, " on ");
    text_put_safe(out, text_string(&name), !output_utf8());
    text_free(&name);
}

static size_t tier_columns(const struct run *run)
{
    size_t most = 0;
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        struct text text = {0};
        put_tier(&text, run, tier);
        most = larger(most, text_columns(text_string(&text)));
        text_free(&text);
    }
    return most;
}

static void describe(const struct run *run, const struct section *section, const struct engine_look *look,
                     bool with_tier, struct text *out)
{
    text_printf(out, "%3d%%  ", (int)(look->fraction * 100));
    put_place(out, &run->plan, section, with_tier);
    if (with_tier) {
        size_t from = out->length;
        put_tier(out, run, section->tier);
        pad(out, from, tier_columns(run));
    }
    if (look->has_remaining) {
        char left[UNITS_TEXT_SIZE];
        units_time_left(look->remaining_ns, left);
        text_printf(out, "  about %s left", left);
    }
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->bytes[--out->length] = '\0';
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
    text_repeat(&drawn, ' ', line->columns > taken ? line->columns - taken : 0);
    bool heard = put(&drawn);
    line->columns = taken;
    text_free(&text);
    text_free(&drawn);
    return heard;
}

bool progress_line_show(struct progress_line *line, const struct run *run, const struct engine_look *look)
{
    const struct schedule *schedule = &look->schedule;
    if (look->section >= schedule->length)
        return true;
    const struct section *section = &schedule->sections[look->section];
    const struct section *last = &schedule->sections[line->last];
    bool is_new = !line->any || section->round != last->round || section->workload != last->workload ||
                  section->block != last->block;
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
    if (!line->columns)
        return;
    struct text text = {0};
    text_puts(&text, "\r");
    text_repeat(&text, ' ', terminal_columns() - 1);
    text_puts(&text, "\r");
    put(&text);
    text_free(&text);
    line->columns = 0;
}
