// run_json.c: the run document as a whole.
#include "record/run_json.h"

#include "base/xalloc.h"
#include "record/judgement_json.h"
#include "record/plan_json.h"
#include "record/read_json.h"
#include "record/sample_json.h"
#include "record/split_json.h"
#include "record/summaries_json.h"
#include "record/tier_json.h"
#include "record/write_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "diskduel-run";

static const struct field own_fields[] = {
    FIELD(run, screen, FIELD_FLAG),
    FIELDS_END,
};

// ---- Writing ----

static void write_tool(const struct run *run, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_string(out, "name", "diskduel");
    json_put_member_string(out, "version", run->tool_version);
    json_put_member_string(out, "commit", run->tool_commit);
    json_put_member_string(out, "compiler", run->tool_compiler);
    json_put_member_string(out, "flags", run->tool_flags);
    json_close(out, '}');
}

static void write_strings(char *const *strings, size_t count, struct json_out *out)
{
    json_open(out, '[');
    for (size_t i = 0; i < count; i++)
        json_put_string(out, strings[i]);
    json_close(out, ']');
}

static void write_events(const struct run *run, struct json_out *out)
{
    json_open(out, '[');
    for (size_t i = 0; i < run->event_count; i++) {
        json_new_line(out);
        json_open(out, '{');
        json_put_member_integer(out, "at_ns", run->events[i].at_ns);
        json_put_member_string(out, "text", run->events[i].text);
        json_close(out, '}');
    }
    if (run->event_count > 0)
        json_new_line(out);
    json_close(out, ']');
}

static void write_tiers(const struct run *run, struct json_out *out)
{
    json_open(out, '[');
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        json_new_line(out);
        tier_json_write(&run->tiers[tier], out);
    }
    json_new_line(out);
    json_close(out, ']');
}

// What each sample may take, so that the document of a run that ends as planned is one that can be read. The
// rest of it, without samples, takes less than an eighth: what the rules say of each metric, the values of
// its rounds and the words of a command line are the most.
static size_t share_of_sample(const struct run *run)
{
    size_t samples = ((size_t)run->plan.rounds + 1) * run->plan.workload_count * run->tier_count;
    if (samples < run->sample_count)
        samples = run->sample_count;
    return RUN_DOCUMENT_MOST / 8 * 7 / samples;
}

static void write_samples(const struct run *run, struct json_out *out)
{
    size_t share = run->sample_count > 0 ? share_of_sample(run) : 0;
    json_open(out, '[');
    for (size_t i = 0; i < run->sample_count; i++) {
        json_new_line(out);
        sample_json_write(&run->samples[i], run, share, out);
    }
    if (run->sample_count > 0)
        json_new_line(out);
    json_close(out, ']');
}

// The next top-level member's key, on a line of its own.
static void begin_member(struct json_out *out, const char *key)
{
    json_new_line(out);
    json_key(out, key);
}

static void write_heading(const struct run *run, struct json_out *out)
{
    begin_member(out, "format"); // first: it tells a run's document from other files (store.c)
    json_put_string(out, format_name);
    begin_member(out, "version");
    json_put_integer(out, RUN_VERSION);
    json_new_line(out);
    json_put_member_string(out, "id", run->id);
    json_new_line(out);
    json_put_member_string(out, "session", run->session[0] ? run->session : NULL);
    json_new_line(out);
    json_put_member_string(out, "status", run_status_name(run->status));
    json_new_line(out);
    json_put_member_instant(out, "started", run->started_realtime_ns);
    json_new_line(out);
    json_put_member_instant(out, "ended", run->ended_realtime_ns);
    begin_member(out, "title");
    json_put_string(out, run->title ? run->title : "");
    begin_member(out, "notes");
    write_strings(run->notes, run->note_count, out);
    begin_member(out, "origin");
    json_put_string(out, run_origin_name(run->origin));
    json_new_line(out);
    fields_write_members(own_fields, run, out);
}

static void write_thresholds(const struct run *run, struct json_out *out)
{
    begin_member(out, "thresholds");
    thresholds_json_write(&run->thresholds, out);
    begin_member(out, "thresholds_changed"); // so that a reader needn't know the standard
    json_open(out, '[');
    for (size_t i = 0; i < THRESHOLD_COUNT; i++)
        if (threshold_differs(&run->thresholds, (enum threshold)i))
            json_put_string(out, threshold_entries[i].name);
    json_close(out, ']');
}

void run_json_write(const struct run *run, const struct judgement *judgement, struct text *text)
{
    struct json_out out = {.text = text};
    json_open(&out, '{');
    write_heading(run, &out);
    begin_member(&out, "argv");
    write_strings(run->argv, run->argc, &out);
    begin_member(&out, "tool");
    write_tool(run, &out);
    begin_member(&out, "host");
    host_json_write(&run->host, &out);
    begin_member(&out, "tiers");
    write_tiers(run, &out);
    if (run->shared_why) {
        begin_member(&out, "shared");
        json_open(&out, '{');
        json_put_member_string(&out, "why", run->shared_why);
        json_close(&out, '}');
    }
    begin_member(&out, "plan");
    plan_json_write(&run->plan, &out);
    begin_member(&out, "calibration");
    calibration_json_write(&run->calibration, &run->plan, &out);
    begin_member(&out, "events");
    write_events(run, &out);
    if (run->origin == RUN_IMPORTED) {
        begin_member(&out, "summaries");
        summaries_json_write(run, &out);
    }
    write_thresholds(run, &out);
    judgement_json_write(judgement, run, &out);
    begin_member(&out, "samples");
    write_samples(run, &out);
    json_new_line(&out);
    json_close(&out, '}');
    text_puts(text, "\n");
}

// ---- Reading ----

static bool read_format(const struct json_value *top, struct error *error)
{
    const char *format = NULL;
    uint64_t version = 0;
    if (!json_has(top, "format") || !json_get_string(top, "format", JSON_REQUIRED, &format, NULL) ||
        strcmp(format, format_name) != 0)
        return fail(error, "not a run of diskduel: its \"format\" is not \"%s\"", format_name);
    if (!json_get_integer(top, "version", JSON_REQUIRED, RUN_INTEGER_MOST, &version, error))
        return false;
    if (version > RUN_VERSION)
        return fail(error, "written by a newer diskduel (version %llu): read it with that one",
                    (unsigned long long)version);
    return version > 0 || json_fail_member(top, "version", error, "0 is none");
}

// A string into a member of fixed size.
static bool read_fixed(const struct json_value *top, const char *name, enum json_need need, size_t size,
                       char *out, struct error *error)
{
    const char *string = NULL;
    if (!json_get_string(top, name, need, &string, error))
        return false;
    if (string && (string[0] == '\0' || strlen(string) >= size))
        return json_fail_member(top, name, error, "not 1 to %zu bytes long", size - 1);
    if (string)
        snprintf(out, size, "%s", string);
    return true;
}

static bool read_heading(const struct json_value *top, struct run *run, struct error *error)
{
    const char *status = NULL, *origin = run_origin_name(RUN_MEASURED);
    if (!read_fixed(top, "id", JSON_REQUIRED, sizeof run->id, run->id, error) ||
        !read_fixed(top, "session", JSON_OPTIONAL, sizeof run->session, run->session, error) ||
        !json_get_string(top, "status", JSON_REQUIRED, &status, error) ||
        !json_get_string(top, "origin", JSON_OPTIONAL, &origin, error) ||
        !json_get_instant(top, "started", JSON_REQUIRED, &run->started_realtime_ns, error) ||
        !json_get_instant(top, "ended", JSON_OPTIONAL, &run->ended_realtime_ns, error))
        return false;
    while (strcmp(status, run_status_name(run->status)) != 0)
        if (++run->status > RUN_FAILED)
            return json_fail_member(top, "status", error,
                                    "\"%s\" is none of running, complete, stopped, failed", status);
    run->origin = strcmp(origin, run_origin_name(RUN_IMPORTED)) == 0 ? RUN_IMPORTED : RUN_MEASURED;
    if (strcmp(origin, run_origin_name(run->origin)) != 0)
        return json_fail_member(top, "origin", error, "\"%s\" is neither measured nor imported", origin);
    return true;
}

static bool read_strings(const struct json_value *top, const char *name, char ***strings, size_t *count,
                         struct error *error)
{
    struct json_value array;
    if (!json_get_array(top, name, JSON_OPTIONAL, &array, error))
        return false;
    if (!array.node)
        return true;
    *strings = xcalloc(json_length(&array), sizeof **strings);
    for (struct json_value item = json_first(&array); item.node; item = json_next(&item)) {
        const char *string;
        if (!json_be_string(&item, &string, error))
            return false;
        (*strings)[(*count)++] = xstrdup(string);
    }
    return true;
}

// What was said of the run, and how it is to be judged.
static bool read_circumstances(const struct json_value *top, struct run *run, struct error *error)
{
    struct json_value thresholds;
    const char *title = NULL;
    if (!json_get_string(top, "title", JSON_OPTIONAL, &title, error) ||
        !fields_read(top, own_fields, run, error) ||
        !json_get_object(top, "thresholds", JSON_OPTIONAL, &thresholds, error))
        return false;
    if (title && title[0])
        run->title = xstrdup(title);
    return read_strings(top, "argv", &run->argv, &run->argc, error) &&
           read_strings(top, "notes", &run->notes, &run->note_count, error) &&
           (!thresholds.node || thresholds_json_read(&thresholds, &run->thresholds, error));
}

static bool read_machine(const struct json_value *top, struct run *run, struct error *error)
{
    struct json_value tool, host;
    if (!json_get_object(top, "tool", JSON_OPTIONAL, &tool, error) ||
        !json_get_object(top, "host", JSON_OPTIONAL, &host, error))
        return false;
    return (!tool.node || (json_get_copy(&tool, "version", JSON_OPTIONAL, &run->tool_version, error) &&
                           json_get_copy(&tool, "commit", JSON_OPTIONAL, &run->tool_commit, error) &&
                           json_get_copy(&tool, "compiler", JSON_OPTIONAL, &run->tool_compiler, error) &&
                           json_get_copy(&tool, "flags", JSON_OPTIONAL, &run->tool_flags, error))) &&
           (!host.node || host_json_read(&host, &run->host, error));
}

static bool read_tiers(const struct json_value *top, struct run *run, struct error *error)
{
    struct json_value tiers, shared;
    if (!json_get_array(top, "tiers", JSON_REQUIRED, &tiers, error) ||
        !json_get_object(top, "shared", JSON_OPTIONAL, &shared, error))
        return false;
    size_t count = json_length(&tiers);
    if (count == 0 || count > RUN_TIERS_MOST)
        return json_fail(&tiers, error, "%zu of them; a run has 1 or %d", count, RUN_TIERS_MOST);
    for (struct json_value item = json_first(&tiers); item.node; item = json_next(&item))
        if (!tier_json_read(&item, &run->tiers[run->tier_count++], error))
            return false;
    if (run->tier_count == 2 && !strcmp(run->tiers[0].name, run->tiers[1].name))
        return json_fail(&tiers, error, "both are called \"%s\"", run->tiers[0].name);
    return !shared.node || json_get_copy(&shared, "why", JSON_REQUIRED, &run->shared_why, error);
}

static bool read_events(const struct json_value *top, struct run *run, struct error *error)
{
    struct json_value events;
    if (!json_get_array(top, "events", JSON_OPTIONAL, &events, error))
        return false;
    if (!events.node)
        return true;
    run->events = xcalloc(json_length(&events), sizeof *run->events);
    for (struct json_value item = json_first(&events); item.node; item = json_next(&item)) {
        struct run_event *event = &run->events[run->event_count++];
        if (!json_be_object(&item, error) ||
            !json_get_integer(&item, "at_ns", JSON_OPTIONAL, RUN_INTEGER_MOST, &event->at_ns, error) ||
            !json_get_copy(&item, "text", JSON_REQUIRED, &event->text, error))
            return false;
    }
    return true;
}

// Where a sample belongs, and which one of the document it is.
struct place {
    size_t workload;
    unsigned tier, round, block;
    size_t index;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    const size_t keys[][2] = {{a->workload, b->workload},
                              {a->tier, b->tier},
                              {a->round, b->round},
                              {a->block, b->block},
                              {a->index, b->index}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

// Two samples of one place contradict each other.
static bool check_places(const struct run *run, struct error *error)
{
    struct place *places = xcalloc(run->sample_count, sizeof *places);
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        places[i] = (struct place){sample->workload, sample->tier, sample->round, sample->block, i};
    }
    if (run->sample_count > 0)
        qsort(places, run->sample_count, sizeof *places, compare_places);
    size_t twice = SIZE_MAX; // the first of the document that comes a second time
    for (size_t i = 1; i < run->sample_count; i++) {
        const struct place *place = &places[i], *before = &places[i - 1];
        if (place->workload == before->workload && place->tier == before->tier &&
            place->round == before->round && place->block == before->block && place->index < twice)
            twice = place->index;
    }
    free(places);
    if (twice == SIZE_MAX)
        return true;
    return fail(error, "samples[%zu]: a second one of this workload, tier, round and block", twice);
}

static bool read_samples(struct json_span text, struct run *run, struct error *error)
{
    if (!text.bytes && run->origin == RUN_IMPORTED)
        return true;
    if (!text.bytes)
        return fail(error, "samples: missing");
    if (text.bytes[0] != '[')
        return fail(error, "samples: not an array");
    struct json_elements elements = {.rest = text};
    struct cJSON *element;
    bool read = true;
    while (read && json_next_element(&elements, &element, error)) {
        struct json_value value = {
            .node = element, .name = "samples", .indexed = true, .index = run->sample_count};
        struct sample sample;
        read = sample_json_read(&value, run, &sample, error);
        if (read)
            run_add_sample(run, &sample);
        else
            sample_release(&sample);
        json_free(element);
    }
    if (elements.failed)
        fail_context(error, "samples[%zu]", run->sample_count);
    return read && !elements.failed && check_places(run, error);
}

static bool read_summaries(const struct json_value *top, struct run *run, struct error *error)
{
    struct json_value summaries;
    if (!json_get_array(top, "summaries", JSON_OPTIONAL, &summaries, error))
        return false;
    if (!summaries.node)
        return true;
    if (run->origin != RUN_IMPORTED)
        return json_fail(&summaries, error, "only a run with \"origin\": \"imported\" has them");
    return summaries_json_read(&summaries, run, error);
}

static bool read_plan(const struct json_value *top, struct run *run, struct error *error)
{
    struct json_value plan, calibration;
    return json_get_object(top, "plan", JSON_REQUIRED, &plan, error) &&
           plan_json_read(&plan, run->origin == RUN_IMPORTED, &run->plan, error) &&
           json_get_object(top, "calibration", JSON_OPTIONAL, &calibration, error) &&
           (!calibration.node || calibration_json_read(&calibration, &run->plan, &run->calibration, error));
}

static bool read_members(const struct json_value *top, struct json_span samples, struct run *run,
                         struct judgement *stored, struct error *error)
{
    return read_format(top, error) && read_heading(top, run, error) && read_circumstances(top, run, error) &&
           read_machine(top, run, error) && read_tiers(top, run, error) && read_plan(top, run, error) &&
           read_events(top, run, error) && read_samples(samples, run, error) &&
           read_summaries(top, run, error) && judgement_json_read(top, run, stored, error);
}

bool run_json_read(const char *bytes, size_t length, struct run *run, struct judgement *stored,
                   struct error *error)
{
    *run = (struct run){0};
    if (stored)
        *stored = (struct judgement){0};
    if (length > RUN_DOCUMENT_MOST)
        return fail(error, "longer than %zu MiB, the most that is read", RUN_DOCUMENT_MOST >> 20);
    struct json_value top = {0};
    struct cJSON *members;
    struct json_span samples;
    if (!json_split((struct json_span){bytes, length}, "samples", &members, &samples, error))
        return false;
    struct judgement judgement = {0};
    top.node = members;
    bool read = read_members(&top, samples, run, &judgement, error);
    json_free(members);
    if (read && stored) {
        *stored = judgement;
        return true;
    }
    judgement_release(&judgement);
    if (!read)
        run_release(run);
    return read;
}
