#include "cli/watch.h"

#include "analysis/metric.h"
#include "base/clock.h"
#include "base/units.h"

#include <string.h>

// A call that takes this long is named as waiting.
#define STALL_NS (UINT64_C(2) * NS_PER_S)

static const char *const activity_words[] = {
    [ACTIVITY_STARTING] = "starting",
    [ACTIVITY_DRAINING] = "waiting for what others wrote to reach the disk",
    [ACTIVITY_PREPARING] = "making ready",
    [ACTIVITY_MEASURING] = "measuring",
    [ACTIVITY_VERIFYING] = "reading back",
    [ACTIVITY_REMOVING] = "removing what was made",
    [ACTIVITY_SAVING] = "saving",
    [ACTIVITY_DONE] = "done",
};

static void describe_call(const struct engine_look *look, const struct workload *workload, bool stalled,
                          const char *micro, struct text *out)
{
    char item[2 * TREE_NAME_SIZE], age[UNITS_TEXT_SIZE];
    engine_item_name(workload, look->item, item);
    units_duration(look->waiting_ns, micro, age);
    text_printf(out, "%s %s%s %s", call_name(look->call), item, stalled ? " has been waiting" : ",", age);
}

static void describe(struct watch *watch)
{
    const struct engine_look *look = &watch->look;
    const struct schedule *schedule = watch->duel.schedule;
    struct text *out = &watch->doing;
    text_free(out);
    watch->duel.stalled = look->has_call && look->waiting_ns >= STALL_NS;
    if (look->section >= schedule->length || look->activity == ACTIVITY_REMOVING ||
        look->activity == ACTIVITY_DONE) {
        text_puts(out, activity_words[look->activity]);
    } else {
        const struct section *section = &schedule->sections[look->section];
        const struct workload *workload = &watch->session->run.plan.workloads[section->workload];
        text_printf(out, "%s on %c: ", workload->id, 'A' + (int)section->tier);
        if (look->has_call && (look->activity == ACTIVITY_MEASURING || watch->duel.stalled))
            describe_call(look, workload, watch->duel.stalled, watch->glyphs->micro, out);
        else
            text_puts(out, activity_words[look->activity]);
    }
    watch->duel.doing = text_string(out);
}

static void refresh_tier(struct watch *watch, unsigned index)
{
    const struct schedule *schedule = watch->duel.schedule;
    struct duel_tier *tier = &watch->duel.tiers[index];
    tier->length = series_length(tier->series);
    struct engine_latency latency;
    engine_latency(watch->engine, index, &latency, &tier->latency);
    tier->has_section = latency.has_section && latency.section < schedule->length;
    if (tier->has_section)
        tier->section = schedule->sections[latency.section];
    tier->ops = latency.ops;
    tier->ops_planned = latency.ops_planned;
    tier->measuring = watch->look.activity != ACTIVITY_DONE && watch->look.section < schedule->length &&
                      schedule->sections[watch->look.section].tier == index;
}

static bool page_is_old(const struct watch *watch)
{
    const struct engine_look *look = &watch->look;
    bool ended = (look->activity == ACTIVITY_DONE) != (watch->page_activity == ACTIVITY_DONE);
    return !watch->duel.page || watch->page_samples != look->samples || ended ||
           watch->page_save_failed != look->save_failed;
}

static const char *last_event(const struct run *run)
{
    return run->event_count ? run->events[run->event_count - 1].text : "the document could not be saved";
}

// What must be seen: that nothing was saved goes before what was known at the start.
static void refresh_warning(struct watch *watch, const struct run *run)
{
    text_free(&watch->warning);
    if (watch->look.save_failed)
        text_put_safe(&watch->warning, last_event(run), false);
    else if (watch->session->warning)
        text_put_safe(&watch->warning, watch->session->warning, false);
    watch->duel.warning = watch->warning.length ? text_string(&watch->warning) : NULL;
}

static void refresh_page(struct watch *watch)
{
    if (watch->duel.page)
        page_release(&watch->page);
    const struct run *run = engine_lock_run(watch->engine);
    struct metrics metrics;
    metrics_derive(run, &metrics);
    page_make(&watch->page, run, &metrics);
    metrics_release(&metrics);
    refresh_warning(watch, run);
    engine_unlock_run(watch->engine);
    watch->duel.page = &watch->page;
    watch->page_samples = watch->look.samples;
    watch->page_activity = watch->look.activity;
    watch->page_save_failed = watch->look.save_failed;
}

void watch_open(struct watch *watch, struct engine *engine, const struct session *session,
                const struct glyphs *glyphs)
{
    *watch = (struct watch){.engine = engine, .session = session, .glyphs = glyphs};
    watch->duel.run = &session->run;
    watch->duel.schedule = engine_schedule(engine);
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++) {
        watch->duel.tiers[i].series = engine_series(engine, i);
        histogram_init(&watch->duel.tiers[i].latency, HISTOGRAM_DIGITS);
    }
    text_put_safe(&watch->saved_as, session->store.path, false);
    watch_refresh(watch, false);
}

void watch_refresh(struct watch *watch, bool frozen)
{
    struct duel *duel = &watch->duel;
    engine_look(watch->engine, &watch->look);
    bool done = watch->look.activity == ACTIVITY_DONE;
    duel->section = watch->look.section;
    duel->fraction = watch->look.fraction;
    duel->has_remaining = watch->look.has_remaining;
    duel->remaining_ns = watch->look.remaining_ns;
    describe(watch);
    if (frozen && !done)
        return;
    for (unsigned i = 0; i < watch->session->run.tier_count; i++)
        refresh_tier(watch, i);
    if (page_is_old(watch))
        refresh_page(watch);
    duel->saved_as = done && !watch->look.save_failed ? text_string(&watch->saved_as) : NULL;
}

void watch_close(struct watch *watch)
{
    if (watch->duel.page)
        page_release(&watch->page);
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++)
        histogram_release(&watch->duel.tiers[i].latency);
    text_free(&watch->doing);
    text_free(&watch->saved_as);
    text_free(&watch->warning);
    *watch = (struct watch){0};
}
