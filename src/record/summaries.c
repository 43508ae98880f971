// summaries.c: summaries found by their place, and their end.
#include "record/summaries.h"

#include <stdlib.h>

void imported_summaries_release(struct imported_summaries *summaries)
{
    for (size_t i = 0; i < summaries->length; i++)
        free(summaries->list[i].printed_unit);
    free(summaries->list);
    *summaries = (struct imported_summaries){0};
}

const struct imported_summary *imported_summary_of(const struct imported_summaries *summaries,
                                                   size_t workload, unsigned tier)
{
    for (size_t i = 0; i < summaries->length; i++)
        if (summaries->list[i].workload == workload && summaries->list[i].tier == tier)
            return &summaries->list[i];
    return NULL;
}
