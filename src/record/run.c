// run.c: a run from its first moment to its release.
#include "record/run.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "build_info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = {
    [RUN_RUNNING] = "running",
    [RUN_COMPLETE] = "complete",
    [RUN_STOPPED] = "stopped",
    [RUN_FAILED] = "failed",
};

static const char *const origin_names[] = {
    [RUN_MEASURED] = "measured",
    [RUN_IMPORTED] = "imported",
};

const char *run_status_name(enum run_status status)
{
    return status_names[status];
}

const char *run_origin_name(enum run_origin origin)
{
    return origin_names[origin];
}

// ---- The beginning ----

// "20261130T175535Z-3f2a9c": the second, and which of its 2^24 parts: ids sort by time, also within a second.
static void make_id(uint64_t realtime_ns, char id[RUN_ID_SIZE])
{
    char instant[RFC3339_SIZE];
    clock_rfc3339(realtime_ns, instant);
    size_t length = 0;
    for (const char *c = instant; *c; c++)
        if (*c != '-' && *c != ':')
            id[length++] = *c;
    uint64_t part = ((realtime_ns % NS_PER_S) << 24) / NS_PER_S;
    snprintf(id + length, RUN_ID_SIZE - length, "-%06" PRIx64, part);
}

void run_begin(struct run *run)
{
    enum { SESSION_DIGITS = 16 };
    run->status = RUN_RUNNING;
    run->started_realtime_ns = clock_realtime_ns();
    make_id(run->started_realtime_ns, run->id);
    random_hex(run->session, SESSION_DIGITS);
    run->tool_version = xstrdup(BUILD_VERSION);
    run->tool_commit = xstrdup(BUILD_COMMIT);
    run->tool_compiler = xstrdup(BUILD_COMPILER);
    run->tool_flags = xstrdup(BUILD_FLAGS);
}

// ---- What happens in it ----

struct sample *run_add_sample(struct run *run, const struct sample *sample)
{
    if (run->sample_count == run->sample_capacity) {
        run->sample_capacity = run->sample_capacity ? 2 * run->sample_capacity : 64;
        run->samples = xrealloc_array(run->samples, run->sample_capacity, sizeof *run->samples);
    }
    run->samples[run->sample_count] = *sample;
    return &run->samples[run->sample_count++];
}

void run_add_event(struct run *run, uint64_t at_ns, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        abort(); // out of memory
    va_end(arguments);
    run->events = xrealloc_array(run->events, run->event_count + 1, sizeof *run->events);
    run->events[run->event_count++] = (struct run_event){at_ns, text};
}

bool run_ratios_wanted(const struct run *run)
{
    return run->tier_count == 2 && (!run->shared_why || run->plan.same_disk);
}

void run_put_tier(const struct run *run, unsigned tier, struct text *text)
{
    const char letter[] = {(char)('A' + tier), '\0'};
    text_puts(text, letter);
    if (strcmp(run->tiers[tier].name, letter) == 0)
        return;
    text_puts(text, " ");
    text_put_safe(text, run->tiers[tier].name, false);
}

void run_put_shared(const struct run *run, struct text *text)
{
    if (run->tier_count < 2 || !run->shared_why)
        return;
    text_put_safe(text, run->shared_why, false);
    if (text->length > 0 && text->bytes[text->length - 1] == '.')
        text->bytes[--text->length] = '\0';
    text_puts(text, run_ratios_wanted(run) ? ": the ratios compare one disk with itself"
                                           : ": no ratio is shown; --same-disk shows it");
}

// ---- The end ----

void run_tier_release(struct run_tier *tier)
{
    free(tier->name);
    free(tier->path_given);
    free(tier->path);
    mount_release(&tier->mount);
    fields_release(device_mount_fields, &tier->device);
    fields_release(device_fields, &tier->device);
    fields_release(capability_fields, &tier->supports);
}

void run_release(struct run *run)
{
    for (size_t i = 0; i < run->argc; i++)
        free(run->argv[i]);
    for (size_t i = 0; i < run->note_count; i++)
        free(run->notes[i]);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
        run_tier_release(&run->tiers[tier]);
    for (size_t i = 0; i < run->sample_count; i++)
        sample_release(&run->samples[i]);
    for (size_t i = 0; i < run->event_count; i++)
        free(run->events[i].text);
    char *owned[] = {run->title,         run->tool_version, run->tool_commit,
                     run->tool_compiler, run->tool_flags,   run->shared_why};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    host_release(&run->host);
    imported_summaries_release(&run->summaries);
    free(run->argv);
    free(run->notes);
    free(run->samples);
    free(run->events);
    plan_release(&run->plan);
    *run = (struct run){0};
}
