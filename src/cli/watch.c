#include "cli/watch.h"

#include "analysis/judge.h"
#include "base/clock.h"
#include "base/units.h"

#include <string.h>

// A call that takes this long is named as waiting.
#define STALL_NS (UINT64_C(2) * NS_PER_S)

// Judging a long run takes a processor that the measuring may want: of the time at most one part in so many.
enum { PAGE_RESTS = 20 };

// What an activity is called, and where it belongs to a section, what the section's tier is doing.
static const struct {
    const char *words;
    bool of_section;
    enum tier_state state;
} activities[] = {
    [ACTIVITY_STARTING] = {"looking at the disks and at this program's own cost", false, TIER_WAITING},
    [ACTIVITY_PREPARING] = {"preparing, untimed", true, TIER_PREPARING},
    [ACTIVITY_DRAINING] = {"draining: what was written before has to reach the disks", true, TIER_DRAINING},
    [ACTIVITY_WAITING] = {"leaving the tree alone until a client's memory of it is gone", true,
                          TIER_PREPARING},
    [ACTIVITY_MEASURING] = {"measuring", true, TIER_MEASURING},
    [ACTIVITY_VERIFYING] = {"verifying: reading back what was written", true, TIER_VERIFYING},
    [ACTIVITY_REMOVING] = {"removing what was made", false, TIER_WAITING},
    [ACTIVITY_SAVING] = {"saving the run", false, TIER_WAITING},
    [ACTIVITY_DONE] = {"done", false, TIER_WAITING},
};

static const struct section *present_section(const struct watch *watch)
{
    const struct schedule *schedule = watch->duel.schedule;
    bool any = watch->look.section < schedule->length && activities[watch->look.activity].of_section;
    return any ? &schedule->sections[watch->look.section] : NULL;
}

// What is done to one file or block; the other calls are on a directory, a whole file or the file system.
static const bool has_item[CALL_COUNT] = {
    [CALL_OPENAT] = true,  [CALL_WRITE] = true,    [CALL_READ] = true,   [CALL_CLOSE] = true,
    [CALL_FSTATAT] = true, [CALL_UNLINKAT] = true, [CALL_VERIFY] = true, [CALL_RENAMEAT] = true,
};

// "unlinkat f00000131, 4.00 ms"; of a stall the age comes first, so that it isn't cut
static void describe_call(const struct engine_look *look, const struct workload *workload, bool stalled,
                          const char *micro, struct text *out)
{
    char item[TREE_PATH_SIZE], age[UNITS_TEXT_SIZE];
    engine_item_name(workload, look->item, item);
    units_duration(look->waiting_ns, micro, age);
    if (stalled)
        text_printf(out, "waiting %s for ", age);
    text_puts(out, call_name(look->call));
    if (has_item[look->call])
        text_printf(out, " %s", item);
    if (!stalled)
        text_printf(out, ", %s", age);
}

static void describe(struct watch *watch)
{
    const struct engine_look *look = &watch->look;
    const struct section *section = present_section(watch);
    struct text *out = &watch->doing;
    text_free(out);
    watch->duel.stalled = look->has_call && look->waiting_ns >= STALL_NS;
    if (!section) {
        text_puts(out, activities[look->activity].words);
    } else {
        const struct workload *workload = &watch->session->run.plan.workloads[section->workload];
        bool idle = look->activity == ACTIVITY_WAITING && section->idle_ns > 0;
        text_printf(out, "%s on %c: ", workload->id, 'A' + (int)section->tier);
        if (idle)
            text_puts(out, "leaving the disks alone before it is measured once more");
        else if (look->has_call && (look->activity == ACTIVITY_MEASURING || watch->duel.stalled))
            describe_call(look, workload, watch->duel.stalled, watch->glyphs->micro, out);
        else
            text_puts(out, activities[look->activity].words);
    }
    watch->duel.doing = text_string(out);
}

// The last sample of that workload on that tier that did something, as the tier's picture.
static void picture_from_samples(struct duel_tier *tier, const struct run *run, unsigned index,
                                 size_t workload)
{
    for (size_t i = run->sample_count; i-- > 0;) {
        const struct sample *sample = &run->samples[i];
        if (sample->tier != index || sample->workload != workload || sample->ops == 0)
            continue;
        tier->has_section = true;
        tier->section = (struct section){
            .workload = workload, .tier = index, .round = sample->round, .block = sample->block};
        tier->ops = sample->ops;
        tier->ops_planned = workload_ops(&run->plan.workloads[workload]) * sample->batches;
        sparse_add_to(&sample->latency[PHASE_OP], &tier->latency);
        return;
    }
}

static bool is_known(const struct watch *watch, const struct engine_latency *latest)
{
    return latest->has_section && latest->section < watch->duel.schedule->length;
}

// Until a first operation is known of a section, its tier keeps the picture of an earlier round: nothing
// blinks in the first tenth of a second.
static void refresh_tier(struct watch *watch, unsigned index, const struct engine_latency *latest)
{
    struct duel *duel = &watch->duel;
    struct duel_tier *tier = &duel->tiers[index];
    const struct section *present = present_section(watch);
    bool turn = present && present->tier == index;
    tier->state = turn ? activities[watch->look.activity].state : TIER_WAITING;
    tier->has_section = is_known(watch, latest) && latest->ops > 0 &&
                        duel->schedule->sections[latest->section].workload == duel->workload;
    tier->live = tier->has_section && tier->state == TIER_MEASURING && latest->section == watch->look.section;
    if (tier->has_section) {
        tier->section = duel->schedule->sections[latest->section];
        tier->ops = latest->ops;
        tier->ops_planned = latest->ops_planned;
        return;
    }
    histogram_clear(&tier->latency);
    const struct run *run = engine_lock_run(watch->engine);
    picture_from_samples(tier, run, index, duel->workload);
    engine_unlock_run(watch->engine);
}

static void refresh_tiers(struct watch *watch)
{
    struct duel *duel = &watch->duel;
    struct engine_latency latest[RUN_TIERS_MOST];
    for (unsigned i = 0; i < watch->session->run.tier_count; i++) {
        duel->tiers[i].length = series_length(duel->tiers[i].series);
        engine_latency(watch->engine, i, &latest[i], &duel->tiers[i].latency);
        if (is_known(watch, &latest[i]) && latest[i].section >= watch->shown)
            watch->shown = latest[i].section;
    }
    duel->workload = duel->schedule->sections[watch->shown].workload;
    for (unsigned i = 0; i < watch->session->run.tier_count; i++)
        refresh_tier(watch, i, &latest[i]);
}

static bool page_is_old(const struct watch *watch)
{
    const struct engine_look *look = &watch->look;
    bool ended = (look->activity == ACTIVITY_DONE) != (watch->page_activity == ACTIVITY_DONE);
    bool changed = watch->page_samples != look->samples || watch->page_save_failed != look->save_failed;
    return !watch->duel.page || ended || (changed && clock_monotonic_ns() >= watch->page_rests_until_ns);
}

// What must be seen: that nothing was saved goes before what was known at the start.
static void refresh_warning(struct watch *watch)
{
    struct error error;
    text_free(&watch->warning);
    engine_save_error(watch->engine, &error);
    if (error.text[0])
        text_put_safe(&watch->warning, error.text, false);
    else if (watch->session->warning)
        text_put_safe(&watch->warning, watch->session->warning, false);
    watch->duel.warning = watch->warning.length ? text_string(&watch->warning) : NULL;
}

static void refresh_page(struct watch *watch)
{
    uint64_t begin_ns = clock_monotonic_ns();
    if (watch->duel.page)
        page_release(&watch->page);
    const struct run *run = engine_lock_run(watch->engine);
    struct judgement judgement;
    judge_run(run, &judgement);
    page_make(&watch->page, run, &judgement);
    judgement_release(&judgement);
    engine_unlock_run(watch->engine);
    refresh_warning(watch);
    watch->duel.page = &watch->page;
    watch->page_samples = watch->look.samples;
    watch->page_activity = watch->look.activity;
    watch->page_save_failed = watch->look.save_failed;
    uint64_t end_ns = clock_monotonic_ns();
    watch->page_rests_until_ns = end_ns + (PAGE_RESTS - 1) * (end_ns - begin_ns);
}

void watch_open(struct watch *watch, struct engine *engine, const struct session *session,
                const struct glyphs *glyphs)
{
    *watch = (struct watch){.engine = engine, .session = session, .glyphs = glyphs};
    watch->duel.run = &session->run;
    watch->duel.schedule = &watch->look.schedule;
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
    refresh_tiers(watch);
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
