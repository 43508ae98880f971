// conductor.c: section after section: prepare, drain, measure, read back, note the sample; and at the end of
// a round, save.
#include "engine/conductor.h"

#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/journal.h"
#include "engine/opening.h"
#include "engine/preflight.h"
#include "engine/section.h"
#include "engine/verify.h"
#include "record/run_json.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

static void set_activity(struct engine *engine, enum activity activity)
{
    atomic_store(&engine->activity, (unsigned)activity);
}

static bool stopping(struct engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    bool is = engine->stopping;
    pthread_mutex_unlock(&engine->lock);
    return is;
}

static bool left_out(struct engine *engine, size_t workload)
{
    pthread_mutex_lock(&engine->lock);
    bool is = engine->left_out[workload];
    pthread_mutex_unlock(&engine->lock);
    return is;
}

static const struct workload *workload_at(const struct engine *engine, size_t index)
{
    return &engine->setup.run->plan.workloads[index];
}

static void wait_for_drain(struct engine *engine, const struct task *task, struct sample *sample)
{
    set_activity(engine, ACTIVITY_DRAINING);
    const struct run *run = engine->setup.run;
    uint64_t bytes = section_bytes(task->workload, task->batches);
    struct drained drained;
    drain_wait(&engine->drain, engine->tiers, run->tier_count,
               bytes > engine->bytes_before ? bytes : engine->bytes_before, &task->tier->crew, &drained);
    engine->bytes_before = bytes;
    sample->has_drain = drained.done;
    sample->drain_ns = drained.ns;
    sample->has_dirty = drained.has_dirty;
    sample->dirty_before_bytes = drained.before_bytes;
    sample->dirty_after_bytes = drained.after_bytes;
    sample->drain_timed_out = drained.timed_out;
    for (unsigned i = 0; i < run->tier_count; i++)
        if (drained.sync_failed[i])
            journal_event_and_free(engine,
                                   xformat("%s: syncfs between sections: %s; it is left out from here on",
                                           run->tiers[i].name, strerror(drained.sync_errno[i])));
    if (drained.timed_out && engine->drain.time_outs <= DRAIN_PATIENT)
        journal_time_out(engine, sample);
}

// Where the run is now. Asks to halt that were meant for the last section end here.
static void enter_section(struct engine *engine, size_t index)
{
    pthread_mutex_lock(&engine->lock);
    engine->section = index;
    engine->section_start_ns = clock_monotonic_ns();
    for (unsigned i = 0; i < engine->setup.run->tier_count && !engine->stopping; i++)
        crew_resume(&engine->tiers[i].crew);
    pthread_mutex_unlock(&engine->lock);
}

static void leave_section(struct engine *engine, size_t index)
{
    pthread_mutex_lock(&engine->lock);
    estimate_section(&engine->estimate, index, clock_monotonic_ns() - engine->section_start_ns);
    pthread_mutex_unlock(&engine->lock);
}

// Whether what lies on one tier is missing on the other: one disk, or both in memory.
static bool one_room(const struct run *run)
{
    unsigned in_memory = 0;
    for (unsigned i = 0; i < run->tier_count; i++)
        in_memory += mount_in_memory(&run->tiers[i].mount);
    return run->shared_why || in_memory > 1;
}

// After round 0: how often the section is done in each round to come.
static void decide_batches(struct engine *engine, const struct sample *sample)
{
    const struct workload *workload = workload_at(engine, sample->workload);
    unsigned batches = section_batches(sample->wall_ns - sample->sync_ns);
    struct tier *tier = &engine->tiers[sample->tier];
    if (batches > 1 && !tier->null && !work_of(workload->kind)->one_tree) {
        struct room room;
        room_of(tier->target, &engine->setup.run->tiers[sample->tier], &room);
        batches = section_batches_in(batches, workload, &room, one_room(engine->setup.run));
    }
    engine->batches[sample->workload][sample->tier] = batches;
}

// Whether a pause spoilt a section that would count otherwise. A stop may also interrupt a call on a disk
// that is a server; what else a disk did wrong it did wrong, pause or not.
static bool is_spoilt(const struct task *task, const struct failure *failure, bool whole)
{
    return task->paused && (failure->call == CALL_NONE ? whole : failure->number == EINTR);
}

// What a section that was begun gave, once it is settled. Takes the sample over.
static void note_section(struct engine *engine, struct sample *sample, const struct failure *failure,
                         bool measured, bool whole)
{
    bool failed = failure->call != CALL_NONE;
    if (!failed && !whole && left_out(engine, sample->workload)) {
        journal_skipped(engine, sample, SKIP_USER, NULL);
        sample_release(sample);
        return;
    }
    if (!failed && !whole) {
        engine->cut_short = true;
        if (!measured) {
            sample_release(sample);
            return;
        }
        sample->status = SAMPLE_STOPPED;
    }
    journal_sample(engine, sample);
    if (failed)
        journal_give_up(engine, sample);
    else if (whole && sample->round == 0)
        decide_batches(engine, sample);
}

static void take_failure(const struct tier *tier, struct failure *failure)
{
    const struct failure *found = tier_failure(tier);
    if (found && failure->call == CALL_NONE)
        *failure = *found;
}

// Measures, with a look at the machine before and after.
static bool measure(struct engine *engine, size_t index, struct task *task, struct sample *sample)
{
    dev_t device = engine->devices[sample->tier];
    struct system_look before, after;
    section_wait(task, task->workload->wait_ns);
    system_watch_look(&engine->system, major(device), minor(device), &before);
    bool whole = section_measure(task,
                                 &(struct section_watch){.sampler = &engine->sampler,
                                                         .pauses = &engine->pauses,
                                                         .snapshot = &engine->snapshot,
                                                         .origin_ns = engine->origin_ns,
                                                         .tier = sample->tier,
                                                         .number = (uint32_t)index},
                                 sample);
    system_watch_look(&engine->system, major(device), minor(device), &after);
    system_use_between(&before, &after, &sample->system);
    sample->ended_realtime_ns = after.realtime_ns;
    sample->ended_boottime_ns = after.boottime_ns;
    return whole;
}

// Does one section. Everything of it but the measuring itself is untimed. True where a pause spoilt it.
static bool do_task(struct engine *engine, size_t index, struct task *task, struct sample *sample, bool last)
{
    struct tier *tier = task->tier;
    const struct work *work = work_of(task->workload->kind);
    struct failure failure = {0};
    bool measured = false, whole = false;
    tier_clear(tier);
    set_activity(engine, ACTIVITY_PREPARING);
    bool prepared = work->prepare(task);
    take_failure(tier, &failure);
    journal_earlier(engine, task);
    if (prepared)
        wait_for_drain(engine, task, sample);
    if (prepared && !crew_asked(&tier->crew)) {
        measured = true;
        whole = measure(engine, index, task, sample);
        take_failure(tier, &failure);
    }
    // After a stop the whole directory goes at once.
    if (work->settle && !stopping(engine)) {
        bool settled = work->settle(task, whole);
        if (whole && !settled)
            take_failure(tier, &failure);
    }
    section_note_failure(sample, &failure);
    if (task->has_own) {
        section_note_check(sample, &task->own);
        if (failure.call == CALL_NONE)
            failure = task->own.failure;
    }
    bool spoilt = is_spoilt(task, &failure, whole);
    if (spoilt)
        journal_paused(engine, sample, !last && !stopping(engine));
    else
        note_section(engine, sample, &failure, measured, whole);
    return spoilt;
}

// The number in the stamps of what a section writes, or, for the next one, of what is made for it: the same
// on both tiers, so that both have the same bytes, and another one in each block.
static uint64_t making_of(const struct engine *engine, const struct section *section)
{
    uint64_t round = section->round + (section->block - 1) * UINT64_C(1000); // PLAN_ROUNDS_MOST is less
    return 1 + 2 * (round * engine->setup.run->plan.workload_count + section->workload);
}

// Where the random offsets of a section begin: the same on both tiers.
static uint64_t draw_of(const struct engine *engine, const struct section *section)
{
    struct rng rng;
    rng_seed(&rng, engine->setup.run->plan.seed ^ making_of(engine, section) << 32);
    return rng_next(&rng);
}

// Whether a section isn't to be measured; then that is noted.
static bool is_omitted(struct engine *engine, size_t index, const struct sample *sample)
{
    enum skip_reason reason = SKIP_USER;
    const char *detail = NULL;
    pthread_mutex_lock(&engine->lock); // the estimate is looked at by watchers too
    omission_by_time(&engine->omission, &engine->estimate, index, clock_monotonic_ns() - engine->origin_ns);
    bool omitted = omission_of(&engine->omission, &engine->estimate, index, &reason, &detail);
    bool by_user = !omitted && engine->left_out[sample->workload];
    pthread_mutex_unlock(&engine->lock);
    if (by_user)
        reason = SKIP_USER;
    if (by_user || (omitted && reason != SKIP_NONE))
        journal_skipped(engine, sample, reason, detail);
    return omitted || by_user;
}

// Whether what only the rules ask for, which nobody looked for room for at the start, has none; then that is
// noted.
static bool lacks_room(struct engine *engine, const struct sample *sample)
{
    const struct run *run = engine->setup.run;
    const struct workload *workload = workload_at(engine, sample->workload);
    const struct run_tier *tier = &run->tiers[sample->tier];
    if (!workload->follow_up || preflight_fits(tier, engine->tiers[sample->tier].target, workload))
        return false;
    journal_skipped(engine, sample, SKIP_ROOM, NULL);
    return true;
}

// One attempt at a section. True where it is worth another one.
static bool attempt_section(struct engine *engine, size_t index, bool last)
{
    const struct section *section = &engine->schedule.sections[index];
    const struct plan *plan = &engine->setup.run->plan;
    struct sample sample = {.workload = section->workload,
                            .tier = section->tier,
                            .round = section->round,
                            .block = section->block,
                            .sequence = engine->setup.run->sample_count,
                            .first = section->first};
    // What only the rules ask for has no round 0 and does one batch: it is a large file, or a walk of which
    // one is enough to tell whether a client asks its server once more.
    unsigned batches = section->round == 0 ? 0 : engine->batches[section->workload][section->tier];
    struct task task = {.tier = &engine->tiers[section->tier],
                        .workload = &plan->workloads[section->workload],
                        .batches = batches ? batches : 1,
                        .verify_full = plan->verify_full,
                        .sample = engine->setup.run->sample_count,
                        .making = making_of(engine, section),
                        .layout = making_of(engine, section) + 1,
                        .draw = draw_of(engine, section),
                        .activity = &engine->activity};
    enter_section(engine, index);
    if (engine->failed[section->workload][section->tier])
        return false;
    if (is_omitted(engine, index, &sample) || lacks_room(engine, &sample))
        return false;
    section_wait(&task, section->idle_ns);
    if (do_task(engine, index, &task, &sample, last))
        return true;
    leave_section(engine, index);
    return false;
}

static void do_section(struct engine *engine, size_t index)
{
    bool spoilt = attempt_section(engine, index, false);
    if (spoilt && !stopping(engine))
        attempt_section(engine, index, true);
    else if (spoilt)
        engine->cut_short = true;
    if (!engine->full_noted && sampler_is_full(&engine->sampler)) {
        engine->full_noted = true;
        journal_event(engine, "no more intervals are kept: the run is too long for them");
    }
}

// What no delete removed is read back and removed here; then the run is saved.
static void end_round(struct engine *engine)
{
    for (unsigned i = 0; i < engine->setup.run->tier_count; i++) {
        struct task task = {.tier = &engine->tiers[i], .activity = &engine->activity};
        tier_clear(task.tier);
        verify_and_remove_trees(&task); // what can't be removed now is tried again at the end
        files_remove(task.tier);
        journal_earlier(engine, &task);
    }
    journal_save(engine);
}

static void remove_all(struct engine *engine)
{
    set_activity(engine, ACTIVITY_REMOVING);
    for (unsigned i = 0; i < engine->setup.run->tier_count; i++) {
        struct text leftovers = {0};
        tier_remove(&engine->tiers[i], &leftovers);
        journal_leftovers(engine, i, &leftovers);
        text_free(&leftovers);
    }
}

// Whether a disk failed in every workload of the rounds, so that the run says nothing of it.
static bool any_tier_failed(const struct engine *engine)
{
    const struct run *run = engine->setup.run;
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        bool all = run->plan.workload_count > 0;
        for (size_t i = 0; i < run->plan.workload_count; i++)
            all = all && (engine->failed[i][tier] || run->plan.workloads[i].follow_up);
        if (all)
            return true;
    }
    return false;
}

static enum run_status status_of(const struct engine *engine)
{
    if (any_tier_failed(engine))
        return RUN_FAILED;
    return engine->cut_short ? RUN_STOPPED : RUN_COMPLETE;
}

// What is free when all that was made is gone.
static void look_at_space(struct engine *engine)
{
    struct run *run = engine->setup.run;
    for (unsigned i = 0; i < run->tier_count; i++) {
        struct space_after after = {0};
        if (!run->tiers[i].null)
            target_space_after(&engine->setup.targets[i], &after);
        pthread_mutex_lock(&engine->run_lock);
        run->tiers[i].after = after;
        pthread_mutex_unlock(&engine->run_lock);
    }
}

static void finish(struct engine *engine)
{
    struct run *run = engine->setup.run;
    remove_all(engine);
    if (!engine->start_error.text[0]) {
        look_at_space(engine);
        pthread_mutex_lock(&engine->run_lock);
        run->status = engine->outcome;
        run->ended_realtime_ns = clock_realtime_ns();
        pthread_mutex_unlock(&engine->run_lock);
        journal_save(engine);
    }

    set_activity(engine, ACTIVITY_DONE);
    pthread_mutex_lock(&engine->lock);
    engine->section = engine->schedule.length;
    engine->done = true;
    pthread_cond_broadcast(&engine->ended);
    pthread_mutex_unlock(&engine->lock);
}

// What is known not to be measured counts for nothing.
static void begin_estimate(struct engine *engine)
{
    const struct run *run = engine->setup.run;
    pthread_mutex_lock(&engine->lock);
    for (size_t i = 0; i < run->plan.workload_count; i++)
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            if (engine->omission.unneeded[i] || engine->omission.unsupported[i][tier])
                estimate_leave_out(&engine->estimate, i, tier);
    pthread_mutex_unlock(&engine->lock);
}

static void go_through_schedule(struct engine *engine, size_t from)
{
    size_t before = engine->setup.run->sample_count; // the round
    for (size_t i = from; i < engine->schedule.length; i++) {
        if (stopping(engine)) {
            engine->cut_short = true;
            break;
        }
        do_section(engine, i);
        if (!engine->schedule.sections[i].ends_round || stopping(engine))
            continue;
        if (engine->setup.run->sample_count > before) // nothing is made or saved in one that is left out
            end_round(engine);
        before = engine->setup.run->sample_count;
    }
}

// What the rules want to see once more.
static void follow_up(struct engine *engine)
{
    const struct run *run = engine->setup.run;
    if (!engine->setup.ask || run->plan.no_follow_up || engine->outcome != RUN_COMPLETE || stopping(engine))
        return;
    struct follow_up list[FOLLOW_UPS_MOST];
    size_t count = engine->setup.ask(run, list), from = engine->schedule.length;
    memset(engine->skip_noted, 0, sizeof engine->skip_noted); // of the rounds
    for (size_t i = 0; i < count; i++) {
        pthread_mutex_lock(&engine->lock);
        bool added = schedule_follow_up(&engine->schedule, &list[i]);
        pthread_mutex_unlock(&engine->lock);
        if (added)
            journal_event_and_free(engine, xformat("once more: %s on %s, asked by %s",
                                                   workload_at(engine, list[i].workload)->id,
                                                   run->tiers[list[i].tier].name, list[i].why));
    }
    go_through_schedule(engine, from);
}

void *conductor_main(void *argument)
{
    struct engine *engine = argument;
    drain_open(&engine->drain, "/proc/meminfo");
    system_watch_open(&engine->system, "");
    if (opening_do(engine, &engine->start_error)) {
        omission_by_disks(&engine->omission, engine->setup.run);
        begin_estimate(engine);
        go_through_schedule(engine, 0);
        engine->outcome = status_of(engine);
        follow_up(engine);
    }
    finish(engine);
    system_watch_close(&engine->system);
    drain_close(&engine->drain);
    return NULL;
}
