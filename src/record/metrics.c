// metrics.c: the end of metrics; analysis/ makes them.
#include "record/metrics.h"

#include <stdlib.h>

void metrics_release(struct metrics *metrics)
{
    for (size_t i = 0; i < metrics->length; i++)
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
            free(metrics->rows[i].tiers[tier].each);
    free(metrics->rows);
    *metrics = (struct metrics){0};
}
