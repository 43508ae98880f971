// journal.c: what happened, written into the run.
#include "engine/journal.h"

#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/section.h"
#include "record/run_json.h"

#include <stdlib.h>
#include <string.h>

static const struct workload *workload_at(const struct engine *engine, size_t index)
{
    return &engine->setup.run->plan.workloads[index];
}

void journal_event(struct engine *engine, const char *text)
{
    uint64_t at_ns = clock_monotonic_ns() - engine->origin_ns;
    pthread_mutex_lock(&engine->run_lock);
    run_add_event(engine->setup.run, at_ns, "%s", text);
    pthread_mutex_unlock(&engine->run_lock);
}

void journal_event_and_free(struct engine *engine, char *text)
{
    journal_event(engine, text);
    free(text);
}

static const char *tier_name(const struct engine *engine, unsigned tier)
{
    return engine->setup.run->tiers[tier].name;
}

// "create on persistent, round 3"; the caller frees it
static char *place_of(const struct engine *engine, const struct sample *sample)
{
    return xformat("%s on %s, %sround %u", workload_at(engine, sample->workload)->id,
                   tier_name(engine, sample->tier), sample->block > 1 ? "once more, " : "", sample->round);
}

// Remembers a failed section: an event, and its workload isn't tried again on that tier.
void journal_give_up(struct engine *engine, const struct sample *sample)
{
    const struct sample_error *error = &sample->error;
    char *place = place_of(engine, sample);
    journal_event_and_free(
        engine, xformat("%s: %s %s: %s", place, error->call, error->path, sample_error_reason(error)));
    free(place);
    engine->failed[sample->workload][sample->tier] = true;
    pthread_mutex_lock(&engine->lock);
    estimate_leave_out(&engine->estimate, sample->workload, sample->tier);
    pthread_mutex_unlock(&engine->lock);
}

// Puts what was read back into the sample of the section that wrote it.
void journal_earlier(struct engine *engine, const struct task *task)
{
    if (!task->has_earlier)
        return;
    struct sample *sample = &engine->setup.run->samples[task->earlier_sample];
    bool good = sample->status != SAMPLE_FAILED;
    pthread_mutex_lock(&engine->run_lock);
    section_note_check(sample, &task->earlier);
    pthread_mutex_unlock(&engine->run_lock);
    if (good && sample->status == SAMPLE_FAILED)
        journal_give_up(engine, sample);
}

void journal_save(struct engine *engine)
{
    atomic_store(&engine->activity, (unsigned)ACTIVITY_SAVING);
    const struct run *run = engine->setup.run; // nobody else writes it: no lock is needed to read it
    struct judgement judgement = {0};
    struct text document = {0};
    struct error error;
    engine->setup.judge(run, &judgement);
    run_json_write(run, &judgement, &document);
    bool saved = store_save(engine->setup.store, &document, &error);
    judgement_release(&judgement);
    text_free(&document);
    if (!saved && strcmp(error.text, engine->save_error.text) != 0)
        journal_event(engine, error.text); // once, not each round
    pthread_mutex_lock(&engine->lock);
    engine->save_error = saved ? (struct error){0} : error;
    pthread_mutex_unlock(&engine->lock);
}

void journal_sample(struct engine *engine, const struct sample *sample)
{
    pthread_mutex_lock(&engine->run_lock);
    run_add_sample(engine->setup.run, sample);
    pthread_mutex_unlock(&engine->run_lock);
    pthread_mutex_lock(&engine->lock);
    engine->samples++;
    pthread_mutex_unlock(&engine->lock);
}

// A section that isn't measured: said once for each workload and tier.
void journal_skipped(struct engine *engine, const struct sample *about, enum skip_reason reason,
                     const char *detail)
{
    bool *noted = &engine->skip_noted[about->workload][about->tier];
    if (*noted)
        return;
    *noted = true;
    journal_sample(engine, &(struct sample){.workload = about->workload,
                                            .tier = about->tier,
                                            .round = about->round,
                                            .block = about->block,
                                            .sequence = about->sequence,
                                            .started_realtime_ns = clock_realtime_ns(),
                                            .status = SAMPLE_SKIPPED,
                                            .reason = reason,
                                            .detail = detail ? xstrdup(detail) : NULL,
                                            .first = about->first});
}

void journal_time_out(struct engine *engine, const struct sample *sample)
{
    char left[UNITS_TEXT_SIZE];
    units_bytes(sample->dirty_after_bytes - engine->drain.start_bytes, left);
    bool last = engine->drain.time_outs == DRAIN_PATIENT;
    char *place = place_of(engine, sample);
    journal_event_and_free(
        engine,
        xformat("%s: began with %s more than at the run's start still to be written to this machine's "
                "disks%s",
                place, left, last ? "; from here on that is waited for no longer than 100 ms" : ""));
    free(place);
}

// A measurement during which nobody measured for a while says nothing about the disk. It is kept, but gives
// no value, and the section is done once more.
void journal_paused(struct engine *engine, struct sample *sample, bool again)
{
    sample->status = SAMPLE_STOPPED;
    char *place = place_of(engine, sample);
    journal_event_and_free(engine, xformat("%s: diskduel or the whole machine stood still meanwhile: %s",
                                           place, again ? "measured once more" : "no value from this round"));
    free(place);
    journal_sample(engine, sample);
}

// Names what stayed on a tier, line by line, by a path that the user can go to.
void journal_leftovers(struct engine *engine, unsigned tier, const struct text *leftovers)
{
    const char *path = engine->setup.run->tiers[tier].path;
    const char *line = text_string(leftovers);
    while (*line) {
        int length = (int)strcspn(line, "\n");
        text_printf(&engine->leftovers, "%s/%.*s\n", path, length, line);
        journal_event_and_free(engine, xformat("left behind: %s/%.*s", path, length, line));
        line += length + (line[length] == '\n');
    }
}
