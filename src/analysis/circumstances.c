#include "analysis/circumstances.h"

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A fact while it grows: parts separated by commas.
static void put_part(struct text *value, const char *part)
{
    if (!part || !*part)
        return;
    text_puts(value, value->length > 0 ? ", " : "");
    text_put_safe(value, part, false);
}

static void put_bytes(struct text *value, const char *before, struct count bytes, const char *after)
{
    if (!bytes.known)
        return;
    char shown[UNITS_TEXT_SIZE];
    units_bytes(bytes.value, shown);
    text_printf(value, "%s%s%s%s", value->length > 0 ? ", " : "", before, shown, after);
}

// Empties the value. What has none is left out.
static void add_fact(struct page *page, const char *label, struct text *value)
{
    if (value->length > 0) {
        page->facts = xrealloc_array(page->facts, page->fact_count + 1, sizeof *page->facts);
        page->facts[page->fact_count++] =
            (struct page_fact){.label = xstrdup(label), .value = xstrdup(text_string(value))};
    }
    text_free(value);
}

static void add_title(struct page *page, const struct run *run)
{
    struct text value = {0};
    put_part(&value, run->title);
    add_fact(page, "Title", &value);
}

// "2026-11-30 17:55 to 18:02 UTC"
static void add_time(struct page *page, const struct run *run)
{
    struct text value = {0};
    char from[RFC3339_SIZE], to[RFC3339_SIZE];
    clock_rfc3339(run->started_realtime_ns, from);
    clock_rfc3339(run->ended_realtime_ns, to);
    text_printf(&value, "%.10s %.5s", from, from + 11);
    if (run->ended_realtime_ns > run->started_realtime_ns && strncmp(from, to, 16) != 0) {
        bool same_day = strncmp(from, to, 10) == 0;
        text_printf(&value, " to %.*s%s%.5s", same_day ? 0 : 10, to, same_day ? "" : " ", to + 11);
    }
    text_puts(&value, " UTC");
    if (run->origin == RUN_IMPORTED)
        text_puts(&value, ", by somebody else; imported");
    else if (run->status != RUN_COMPLETE)
        text_printf(&value, ", %s", run_status_name(run->status));
    add_fact(page, "Measured", &value);
}

static void add_plan(struct page *page, const struct run *run)
{
    const struct plan *plan = &run->plan;
    struct text value = {0};
    put_part(&value, plan->profile);
    text_printf(&value, ", %u round%s", plan->rounds, plan->rounds == 1 ? "" : "s");
    if (run->origin == RUN_MEASURED)
        text_printf(&value, ", seed %" PRIu64, plan->seed);
    add_fact(page, "Plan", &value);
}

static void add_disk(struct page *page, const struct run *run, unsigned index)
{
    const struct run_tier *tier = &run->tiers[index];
    struct text value = {0};
    if (tier->null) {
        text_puts(&value, "no disk at all: every call succeeds and does nothing");
        add_fact(page, page->columns[index], &value);
        return;
    }
    put_part(&value, tier->path);
    put_part(&value, tier->mount.type);
    put_part(&value, tier->mount.source);
    put_part(&value, tier->device.block_model);
    if (tier->has_space && tier->total_bytes > 0) {
        char free_bytes[UNITS_TEXT_SIZE], total[UNITS_TEXT_SIZE];
        units_bytes(tier->free_bytes, free_bytes);
        units_bytes(tier->total_bytes, total);
        text_printf(&value, "%s%s of %s free", value.length > 0 ? ", " : "", free_bytes, total);
    }
    if (tier->mount.options) {
        text_puts(&value, value.length > 0 ? "; mounted " : "mounted ");
        text_put_safe(&value, tier->mount.options, false);
    }
    add_fact(page, page->columns[index], &value);
}

static void add_machine(struct page *page, const struct run *run)
{
    const struct host *host = &run->host;
    struct text value = {0};
    put_part(&value, host->hostname);
    if (host->kernel) {
        text_puts(&value, value.length > 0 ? ", Linux " : "Linux ");
        text_put_safe(&value, host->kernel, false);
    }
    put_part(&value, host->arch);
    put_part(&value, host->cpu.model);
    if (host->cpu.online.known)
        text_printf(&value, "%s%" PRIu64 " CPU%s", value.length > 0 ? ", " : "", host->cpu.online.value,
                    host->cpu.online.value == 1 ? "" : "s");
    if (host->cpu.quota.known)
        text_printf(&value, "%slimited to %g of them", value.length > 0 ? ", " : "", host->cpu.quota.value);
    put_bytes(&value, "", host->memory.total_bytes, " of memory");
    put_bytes(&value, "limited to ", host->memory.limit_bytes, "");
    if (host->container) {
        text_puts(&value, value.length > 0 ? ", in a container: " : "in a container: ");
        text_put_safe(&value, host->container, false);
    }
    add_fact(page, "Machine", &value);
}

void circumstances_make(struct page *page, const struct run *run)
{
    add_title(page, run);
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        add_disk(page, run, tier);
    add_time(page, run);
    add_plan(page, run);
    add_machine(page, run);
    for (size_t i = 0; i < run->note_count; i++) {
        struct text value = {0};
        put_part(&value, run->notes[i]);
        add_fact(page, "Note", &value);
    }
}
