// metrics.c: names of trust and of percentiles, and the end of metrics; analysis/ makes them.
#include "record/metrics.h"

#include <stdlib.h>

static const char *const trust_names[] = {
    [TRUST_NONE] = NULL,
    [TRUST_REPORTED] = "reported",
    [TRUST_CAVEAT] = "caveat",
    [TRUST_DISCARDED] = "discarded",
};

const unsigned percentile_permilles[PERCENTILE_COUNT] = {500, 900, 950, 990, 999};

static const char *const percentile_names[PERCENTILE_COUNT] = {"p50", "p90", "p95", "p99", "p99.9"};

const char *trust_name(enum trust trust)
{
    return trust_names[trust];
}

const char *percentile_name(size_t index)
{
    return percentile_names[index];
}

void metrics_release(struct metrics *metrics)
{
    for (size_t i = 0; i < metrics->length; i++) {
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
            free(metrics->rows[i].tiers[tier].each);
        free(metrics->rows[i].findings);
    }
    free(metrics->rows);
    *metrics = (struct metrics){0};
}
