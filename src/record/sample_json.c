// sample_json.c: one element of "samples" of a run document.
#include "record/sample_json.h"

#include "base/xalloc.h"
#include "record/run_json.h"
#include "record/series_json.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// What a section did, in integers.
static const struct {
    const char *name;
    size_t offset;
} counts[] = {
    {"start_ns", offsetof(struct sample, start_ns)}, {"batches", offsetof(struct sample, batches)},
    {"wall_ns", offsetof(struct sample, wall_ns)},   {"sync_ns", offsetof(struct sample, sync_ns)},
    {"ops", offsetof(struct sample, ops)},           {"bytes", offsetof(struct sample, bytes)},
};
enum { COUNTS = sizeof counts / sizeof *counts };

// Numbers differ between architectures, names don't. What isn't here has its number only.
static const char *error_name(int number)
{
#define NAME(number) [number] = #number
    static const char *const names[] = {
        NAME(EPERM),   NAME(ENOENT),       NAME(EINTR),     NAME(EIO),          NAME(ENXIO),
        NAME(EBADF),   NAME(EAGAIN),       NAME(ENOMEM),    NAME(EACCES),       NAME(EFAULT),
        NAME(EBUSY),   NAME(EEXIST),       NAME(EXDEV),     NAME(ENODEV),       NAME(ENOTDIR),
        NAME(EISDIR),  NAME(EINVAL),       NAME(ENFILE),    NAME(EMFILE),       NAME(ETXTBSY),
        NAME(EFBIG),   NAME(ENOSPC),       NAME(EROFS),     NAME(EMLINK),       NAME(EPIPE),
        NAME(ERANGE),  NAME(EDEADLK),      NAME(ENOLCK),    NAME(ENAMETOOLONG), NAME(ENOSYS),
        NAME(ELOOP),   NAME(ENOTEMPTY),    NAME(ENODATA),   NAME(ETIME),        NAME(ENOLINK),
        NAME(EPROTO),  NAME(EBADMSG),      NAME(EOVERFLOW), NAME(EOPNOTSUPP),   NAME(ENETDOWN),
        NAME(ENOBUFS), NAME(ENETUNREACH),  NAME(ENOTCONN),  NAME(ECONNABORTED), NAME(ECONNRESET),
        NAME(ESTALE),  NAME(ECONNREFUSED), NAME(ETIMEDOUT), NAME(EHOSTUNREACH), NAME(EHOSTDOWN),
        NAME(EDQUOT),  NAME(EREMOTEIO),    NAME(ECANCELED),
    };
#undef NAME
    return number > 0 && (size_t)number < sizeof names / sizeof *names ? names[number] : NULL;
}

static const struct field cache_fields[] = {
    FIELD(sample, resident_before, FIELD_REAL),
    FIELD(sample, resident_after, FIELD_REAL),
    FIELDS_END,
};

static uint64_t *integer_of(struct sample *sample, size_t i)
{
    return (uint64_t *)(void *)((char *)sample + counts[i].offset);
}

// ---- Writing ----

static void write_drain(const struct sample *sample, struct json_out *out)
{
    if (!sample->has_drain)
        return;
    json_key(out, "drain");
    json_open(out, '{');
    json_put_member_integer(out, "wall_ns", sample->drain_ns);
    if (sample->has_dirty) {
        json_put_member_integer(out, "dirty_before_bytes", sample->dirty_before_bytes);
        json_put_member_integer(out, "dirty_after_bytes", sample->dirty_after_bytes);
    }
    if (sample->drain_timed_out)
        json_put_member_boolean(out, "timed_out", true);
    json_close(out, '}');
}

static void write_system(const struct system_use *system, size_t end, struct json_out *out,
                         struct text *left_out)
{
    struct json_mark mark = json_mark(out);
    fields_write("system", system_use_fields, system, out);
    if (out->text->length < end || out->text->length == mark.length)
        return;
    json_take_back(out, &mark);
    text_puts(left_out, " system");
}

static void write_verify(const struct sample *sample, struct json_out *out)
{
    if (!sample->has_verify && !sample->has_allocated)
        return;
    json_key(out, "verify");
    json_open(out, '{');
    if (sample->has_verify) {
        json_put_member_integer(out, "blocks", sample->verify_blocks);
        json_put_member_integer(out, "mismatches", sample->verify_mismatches);
    }
    if (sample->has_allocated)
        json_put_member_integer(out, "allocated_bytes", sample->allocated_bytes);
    json_close(out, '}');
}

static void write_error(const struct sample_error *error, struct json_out *out)
{
    if (!error->call)
        return;
    json_key(out, "error");
    json_open(out, '{');
    json_put_member_string(out, "call", error->call);
    if (error->number > 0) {
        json_put_member_integer(out, "errno", (uint64_t)error->number);
        json_put_member_string(out, "name", error_name(error->number));
    }
    if (error->reason)
        json_put_member_string(out, "reason", error->reason);
    json_put_member_string(out, "path", error->path);
    json_put_member_integer(out, "op", error->op);
    if (error->has_offset)
        json_put_member_integer(out, "offset", error->offset);
    json_close(out, '}');
}

static void write_left_out(const struct text *names, struct json_out *out)
{
    if (names->length == 0)
        return;
    json_key(out, "left_out");
    json_open(out, '[');
    for (const char *name = names->bytes; *name;) {
        name++; // the blank before it
        size_t length = strcspn(name, " ");
        char *one = xstrndup(name, length);
        json_put_string(out, one);
        free(one);
        name += length;
    }
    json_close(out, ']');
}

void sample_json_write(const struct sample *sample, const struct run *run, size_t most, struct json_out *out)
{
    size_t end = out->text->length + most;
    struct text left_out = {0};
    json_open(out, '{');
    json_put_member_string(out, "workload", run->plan.workloads[sample->workload].id);
    json_put_member_string(out, "tier", run->tiers[sample->tier].name);
    json_put_member_integer(out, "round", sample->round);
    json_put_member_integer(out, "block", sample->block);
    json_put_member_integer(out, "sequence", sample->sequence);
    json_put_member_boolean(out, "first", sample->first);
    json_put_member_string(out, "status", sample_status_name(sample->status));
    json_put_member_string(out, "reason", skip_reason_name(sample->reason));
    json_put_member_string(out, "detail", sample->detail);
    json_put_member_instant(out, "started", sample->started_realtime_ns);
    json_put_member_instant(out, "ended", sample->ended_realtime_ns);
    if (sample->ended_boottime_ns)
        json_put_member_integer(out, "ended_boottime_ns", sample->ended_boottime_ns);
    bool began = sample->status != SAMPLE_SKIPPED || sample->start_ns > 0;
    for (size_t i = 0; began && i < COUNTS; i++)
        json_put_member_integer(out, counts[i].name,
                                *(const uint64_t *)(const void *)((const char *)sample + counts[i].offset));
    write_drain(sample, out);
    fields_write("cache", cache_fields, sample, out);
    write_verify(sample, out);
    write_error(&sample->error, out);
    write_system(&sample->system, end, out, &left_out);
    latency_json_write(sample, end, out, &left_out);
    series_json_write(sample, end, out, &left_out);
    mib_json_write(sample, end, out, &left_out);
    write_left_out(&left_out, out);
    json_close(out, '}');
    text_free(&left_out);
}

// ---- Reading ----

static bool read_status(const struct json_value *value, struct sample *sample, struct error *error)
{
    const char *status = NULL, *reason = NULL;
    if (!json_get_string(value, "status", JSON_REQUIRED, &status, error) ||
        !json_get_string(value, "reason", JSON_OPTIONAL, &reason, error))
        return false;
    while (strcmp(status, sample_status_name(sample->status)) != 0)
        if (++sample->status > SAMPLE_SKIPPED)
            return json_fail_member(value, "status", error, "\"%s\" is none of ok, failed, stopped, skipped",
                                    status);
    if (!reason)
        return true;
    sample->reason = SKIP_UNSUPPORTED;
    while (strcmp(reason, skip_reason_name(sample->reason)) != 0)
        if (++sample->reason > SKIP_ROOM)
            return json_fail_member(value, "reason", error, "\"%s\" is none of unsupported, user, time, room",
                                    reason);
    return true;
}

// Which workload, tier and round it is of.
static bool read_place(const struct json_value *value, const struct run *run, struct sample *sample,
                       struct error *error)
{
    const char *workload = NULL, *tier = NULL;
    if (!json_get_string(value, "workload", JSON_REQUIRED, &workload, error) ||
        !json_get_string(value, "tier", JSON_REQUIRED, &tier, error) ||
        !json_get_unsigned(value, "round", JSON_REQUIRED, &sample->round, error) ||
        !json_get_unsigned(value, "block", JSON_OPTIONAL, &sample->block, error) ||
        !json_get_integer(value, "sequence", JSON_REQUIRED, RUN_INTEGER_MOST, &sample->sequence, error) ||
        !json_get_boolean(value, "first", JSON_OPTIONAL, &sample->first, error))
        return false;
    while (sample->workload < run->plan.workload_count &&
           strcmp(run->plan.workloads[sample->workload].id, workload) != 0)
        sample->workload++;
    if (sample->workload == run->plan.workload_count)
        return json_fail_member(value, "workload", error, "the plan has no \"%s\"", workload);
    while (sample->tier < run->tier_count && strcmp(run->tiers[sample->tier].name, tier) != 0)
        sample->tier++;
    if (sample->tier == run->tier_count)
        return json_fail_member(value, "tier", error, "no tier is called \"%s\"", tier);
    if (sample->block == 0)
        return json_fail_member(value, "block", error, "0; the first is 1");
    if (sample->block == 1 && sample->round > run->plan.rounds)
        return json_fail_member(value, "round", error, "%u, but the plan has %u", sample->round,
                                run->plan.rounds);
    if (sample->round > PLAN_ROUNDS_MOST)
        return json_fail_member(value, "round", error, "%u is above %d, the most that can be", sample->round,
                                PLAN_ROUNDS_MOST);
    return true;
}

static bool read_counts(const struct json_value *value, struct sample *sample, struct error *error)
{
    enum json_need need = sample->status == SAMPLE_OK ? JSON_REQUIRED : JSON_OPTIONAL;
    for (size_t i = 0; i < COUNTS; i++)
        if (!json_get_integer(value, counts[i].name, need, RUN_INTEGER_MOST, integer_of(sample, i), error))
            return false;
    if (sample->status != SAMPLE_OK)
        return true;
    if (sample->batches == 0)
        return json_fail_member(value, "batches", error, "0, although it is ok");
    if (sample->sync_ns > sample->wall_ns)
        return json_fail_member(value, "sync_ns", error, "more than wall_ns, of which it is a part");
    return true;
}

static bool read_drain(const struct json_value *value, struct sample *sample, struct error *error)
{
    struct json_value drain;
    if (!json_get_object(value, "drain", JSON_OPTIONAL, &drain, error))
        return false;
    sample->has_drain = drain.node != NULL;
    if (!sample->has_drain)
        return true;
    sample->has_dirty = json_has(&drain, "dirty_before_bytes");
    enum json_need need = sample->has_dirty ? JSON_REQUIRED : JSON_OPTIONAL;
    return json_get_integer(&drain, "wall_ns", JSON_REQUIRED, RUN_INTEGER_MOST, &sample->drain_ns, error) &&
           json_get_integer(&drain, "dirty_before_bytes", need, RUN_INTEGER_MOST, &sample->dirty_before_bytes,
                            error) &&
           json_get_integer(&drain, "dirty_after_bytes", need, RUN_INTEGER_MOST, &sample->dirty_after_bytes,
                            error) &&
           json_get_boolean(&drain, "timed_out", JSON_OPTIONAL, &sample->drain_timed_out, error);
}

static bool read_cache(const struct json_value *value, struct sample *sample, struct error *error)
{
    if (!fields_read_object(value, "cache", cache_fields, sample, error))
        return false;
    struct json_value cache;
    if (sample->resident_before.value <= 1 && sample->resident_after.value <= 1)
        return true;
    return json_get_object(value, "cache", JSON_REQUIRED, &cache, error) &&
           json_fail_member(&cache, sample->resident_before.value > 1 ? "resident_before" : "resident_after",
                            error, "a share above 1");
}

static bool read_verify(const struct json_value *value, struct sample *sample, struct error *error)
{
    struct json_value verify;
    if (!json_get_object(value, "verify", JSON_OPTIONAL, &verify, error))
        return false;
    if (!verify.node)
        return true;
    sample->has_verify = json_has(&verify, "blocks");
    sample->has_allocated = json_has(&verify, "allocated_bytes");
    enum json_need need = sample->has_verify ? JSON_REQUIRED : JSON_OPTIONAL;
    return json_get_integer(&verify, "blocks", need, RUN_INTEGER_MOST, &sample->verify_blocks, error) &&
           json_get_integer(&verify, "mismatches", need, RUN_INTEGER_MOST, &sample->verify_mismatches,
                            error) &&
           json_get_integer(&verify, "allocated_bytes", JSON_OPTIONAL, RUN_INTEGER_MOST,
                            &sample->allocated_bytes, error);
}

static bool read_error(const struct json_value *value, struct sample_error *sample_error, struct error *error)
{
    struct json_value object;
    if (!json_get_object(value, "error", JSON_OPTIONAL, &object, error))
        return false;
    if (!object.node)
        return true;
    uint64_t number = 0;
    sample_error->has_offset = json_has(&object, "offset");
    if (!json_get_copy(&object, "call", JSON_REQUIRED, &sample_error->call, error) ||
        !json_get_integer(&object, "errno", JSON_OPTIONAL, INT_MAX, &number, error) ||
        !json_get_copy(&object, "path", JSON_OPTIONAL, &sample_error->path, error) ||
        !json_get_copy(&object, "reason", JSON_OPTIONAL, &sample_error->reason, error) ||
        !json_get_integer(&object, "op", JSON_OPTIONAL, RUN_INTEGER_MOST, &sample_error->op, error) ||
        !json_get_integer(&object, "offset", JSON_OPTIONAL, RUN_INTEGER_MOST, &sample_error->offset, error))
        return false;
    sample_error->number = (int)number;
    return true;
}

bool sample_json_read(const struct json_value *value, const struct run *run, struct sample *sample,
                      struct error *error)
{
    *sample = (struct sample){.block = 1};
    return json_be_object(value, error) && read_place(value, run, sample, error) &&
           read_status(value, sample, error) && read_counts(value, sample, error) &&
           json_get_copy(value, "detail", JSON_OPTIONAL, &sample->detail, error) &&
           json_get_instant(value, "started", JSON_OPTIONAL, &sample->started_realtime_ns, error) &&
           json_get_instant(value, "ended", JSON_OPTIONAL, &sample->ended_realtime_ns, error) &&
           json_get_integer(value, "ended_boottime_ns", JSON_OPTIONAL, RUN_INTEGER_MOST,
                            &sample->ended_boottime_ns, error) &&
           read_cache(value, sample, error) &&
           fields_read_object(value, "system", system_use_fields, &sample->system, error) &&
           read_drain(value, sample, error) && read_verify(value, sample, error) &&
           read_error(value, &sample->error, error) && latency_json_read(value, sample, error) &&
           series_json_read(value, sample, error) && mib_json_read(value, sample, error);
}
