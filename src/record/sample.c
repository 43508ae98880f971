// sample.c: names of a sample's states, and its end.
#include "record/sample.h"

#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = {
    [SAMPLE_OK] = "ok",
    [SAMPLE_FAILED] = "failed",
    [SAMPLE_STOPPED] = "stopped",
    [SAMPLE_SKIPPED] = "skipped",
};

static const char *const reason_names[] = {
    [SKIP_NONE] = NULL,   [SKIP_UNSUPPORTED] = "unsupported", [SKIP_USER] = "user", [SKIP_TIME] = "time",
    [SKIP_ROOM] = "room",
};

const char *sample_status_name(enum sample_status status)
{
    return status_names[status];
}

const char *skip_reason_name(enum skip_reason reason)
{
    return reason_names[reason];
}

const char *sample_error_reason(const struct sample_error *error)
{
    if (error->reason)
        return error->reason;
    return error->number ? strerror(error->number) : "no reason is known";
}

void sample_release(struct sample *sample)
{
    for (unsigned phase = 0; phase < PHASE_COUNT; phase++)
        sparse_release(&sample->latency[phase]);
    free(sample->series);
    free(sample->mib_ns);
    free(sample->detail);
    free(sample->error.call);
    free(sample->error.path);
    free(sample->error.reason);
    *sample = (struct sample){0};
}
