// engine.c: starts and ends a run, and lets others watch it.
#include "engine/engine.h"

#include "base/rng.h"
#include "engine/aligned.h"
#include "engine/conductor.h"
#include "engine/thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CONDUCTOR_STACK = 1 << 20 };

static unsigned all_phases(const struct engine *engine)
{
    unsigned phases = 0;
    for (size_t i = 0; i < engine->setup.run->plan.workload_count; i++)
        phases |= workload_descriptions[engine->setup.run->plan.workloads[i].kind].phases;
    return phases;
}

static bool open_tiers(struct engine *engine, struct error *error)
{
    struct run *run = engine->setup.run;
    uint64_t nonce;
    random_bytes(&nonce, sizeof nonce);
    for (unsigned i = 0; i < run->tier_count; i++) {
        struct tier_setup setup = {.target = &engine->setup.targets[i],
                                   .null = run->tiers[i].null,
                                   .plan = &run->plan,
                                   .nonce = nonce};
        if (!tier_open(&engine->tiers[i], &setup, error))
            return fail_context(error, "%s", run->tiers[i].path);
    }
    return true;
}

static void init(struct engine *engine, const struct engine_setup *setup)
{
    engine->setup = *setup;
    engine->origin_ns = clock_monotonic_ns();
    schedule_make(&engine->schedule, &setup->run->plan, setup->run->tier_count);
    estimate_begin(&engine->estimate, &setup->run->plan, &engine->schedule);
    engine->section_start_ns = engine->origin_ns;
    engine->samples = setup->run->sample_count;
    snapshot_init(&engine->snapshot, all_phases(engine));
    pthread_mutex_init(&engine->lock, NULL);
    pthread_mutex_init(&engine->run_lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->ended, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void release(struct engine *engine)
{
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++)
        tier_close(&engine->tiers[i]);
    sampler_stop(&engine->sampler);
    pause_watch_end(&engine->pauses);
    pthread_cond_destroy(&engine->ended);
    pthread_mutex_destroy(&engine->run_lock);
    pthread_mutex_destroy(&engine->lock);
    snapshot_release(&engine->snapshot);
    schedule_release(&engine->schedule);
    text_free(&engine->leftovers);
    free(engine);
}

bool engine_start(struct engine **started, const struct engine_setup *setup, struct error *error)
{
    struct engine *engine = aligned_zeroed(64, sizeof *engine);
    init(engine, setup);
    setup->run->status = RUN_RUNNING;
    if (open_tiers(engine, error) && sampler_start(&engine->sampler, engine->origin_ns, error) &&
        pause_watch_start(&engine->pauses, error) &&
        thread_start(&engine->thread, CONDUCTOR_STACK, conductor_main, engine, error)) {
        *started = engine;
        return true;
    }
    release(engine);
    return false;
}

static void halt_crews(struct engine *engine, void (*halt)(struct crew *))
{
    for (unsigned i = 0; i < engine->setup.run->tier_count; i++)
        halt(&engine->tiers[i].crew);
}

void engine_stop(struct engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    engine->stopping = true;
    halt_crews(engine, crew_dismiss);
    pthread_mutex_unlock(&engine->lock);
}

void engine_skip(struct engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    if (engine->section < engine->schedule.length) {
        size_t workload = engine->schedule.sections[engine->section].workload;
        engine->left_out[workload] = true;
        for (unsigned i = 0; i < engine->setup.run->tier_count; i++)
            estimate_leave_out(&engine->estimate, workload, i);
        halt_crews(engine, crew_halt);
    }
    pthread_mutex_unlock(&engine->lock);
}

bool engine_wait(struct engine *engine, uint64_t timeout_ns)
{
    uint64_t now_ns = clock_monotonic_ns();
    uint64_t deadline_ns =
        timeout_ns < (uint64_t)INT64_MAX - now_ns ? now_ns + timeout_ns : (uint64_t)INT64_MAX;
    struct timespec at = {.tv_sec = (time_t)(deadline_ns / NS_PER_S),
                          .tv_nsec = (long)(deadline_ns % NS_PER_S)};
    pthread_mutex_lock(&engine->lock);
    while (!engine->done && clock_monotonic_ns() < deadline_ns)
        pthread_cond_timedwait(&engine->ended, &engine->lock, &at);
    bool done = engine->done;
    pthread_mutex_unlock(&engine->lock);
    return done;
}

bool engine_failed(struct engine *engine, struct error *error)
{
    *error = engine->start_error; // the conductor's own until it is done
    return error->text[0] != '\0';
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    pthread_join(engine->thread, NULL);
    release(engine);
}

// Of the calls in flight, the one that waits longest.
static void look_at_call(const struct progress *progress, uint64_t now_ns, struct engine_look *look)
{
    enum call call = (enum call)atomic_load_explicit(&progress->call, memory_order_relaxed);
    uint64_t start_ns = atomic_load_explicit(&progress->start_ns, memory_order_relaxed);
    if (call == CALL_NONE)
        return;
    uint64_t waiting_ns = now_ns > start_ns ? now_ns - start_ns : 0;
    if (look->has_call && waiting_ns <= look->waiting_ns)
        return;
    look->has_call = true;
    look->call = call;
    look->item = atomic_load_explicit(&progress->item, memory_order_relaxed);
    look->waiting_ns = waiting_ns;
}

// --max-time takes rounds away only when they are near.
static uint64_t within_time(const struct engine *engine, uint64_t now_ns, uint64_t remaining_ns)
{
    uint64_t most_ns = engine->setup.run->plan.max_time_ns, elapsed_ns = now_ns - engine->origin_ns;
    if (most_ns == 0)
        return remaining_ns;
    uint64_t left_ns = most_ns > elapsed_ns ? most_ns - elapsed_ns : 0;
    return remaining_ns < left_ns ? remaining_ns : left_ns;
}

void engine_look(struct engine *engine, struct engine_look *look)
{
    uint64_t now_ns = clock_monotonic_ns();
    *look = (struct engine_look){.activity = (enum activity)atomic_load(&engine->activity)};
    for (unsigned i = 0; i < engine->setup.run->tier_count; i++) {
        const struct tier *tier = &engine->tiers[i];
        look_at_call(&tier->progress, now_ns, look);
        for (unsigned j = 0; j < tier->crew.size; j++)
            look_at_call(&tier->crew.progress[j], now_ns, look);
    }
    pthread_mutex_lock(&engine->lock);
    look->schedule = engine->schedule;
    look->section = engine->section;
    look->samples = engine->samples;
    look->save_failed = engine->save_error.text[0] != '\0';
    uint64_t elapsed_ns = now_ns > engine->section_start_ns ? now_ns - engine->section_start_ns : 0;
    struct estimated estimated = estimate_now(&engine->estimate, engine->section, elapsed_ns);
    look->fraction = estimated.fraction;
    look->has_remaining = estimated.has_remaining;
    look->remaining_ns = within_time(engine, now_ns, estimated.remaining_ns);
    pthread_mutex_unlock(&engine->lock);
}

void engine_save_error(struct engine *engine, struct error *error)
{
    pthread_mutex_lock(&engine->lock);
    *error = engine->save_error;
    pthread_mutex_unlock(&engine->lock);
}

const struct series *engine_series(const struct engine *engine, unsigned tier)
{
    return sampler_series(&engine->sampler, tier);
}

void engine_latency(struct engine *engine, unsigned tier, struct engine_latency *state,
                    struct histogram *latency)
{
    struct sampler_section section;
    *state = (struct engine_latency){0};
    state->has_section = sampler_latency(&engine->sampler, tier, &section, &state->ops, latency);
    state->section = section.number;
    state->ops_planned = section.ops_planned;
}

const struct run *engine_lock_run(struct engine *engine)
{
    pthread_mutex_lock(&engine->run_lock);
    return engine->setup.run;
}

void engine_unlock_run(struct engine *engine)
{
    pthread_mutex_unlock(&engine->run_lock);
}

void engine_item_name(const struct workload *workload, uint64_t item, char out[TREE_PATH_SIZE])
{
    if (workload_on_tree(workload))
        tree_path(&workload->tree, item, false, out);
    else
        snprintf(out, TREE_PATH_SIZE, "block %" PRIu64, item);
}

const char *engine_leftovers(const struct engine *engine)
{
    return text_string(&engine->leftovers);
}
