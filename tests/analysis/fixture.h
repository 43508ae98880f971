// fixture.h: runs made by hand, for the tests of this floor.
#pragma once

#include "base/xalloc.h"
#include "record/run.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A complete run of two tiers, persistent and ephemeral, with those workloads, rounds and numbers of threads
// (0 ends them), and no samples.
static inline void fixture_begin_threads(struct run *run, const char *workloads, unsigned rounds,
                                         const uint64_t *threads)
{
    *run = (struct run){
        .status = RUN_COMPLETE,
        .started_realtime_ns = UINT64_C(1796061335000000000), // 2026-11-30T17:55:35Z
        .tier_count = 2,
    };
    run->tiers[0].name = xstrdup("persistent");
    run->tiers[1].name = xstrdup("ephemeral");
    struct plan_request request = {.profile = "agent-disk", .workloads = workloads, .rounds = rounds};
    for (; threads[request.thread_count]; request.thread_count++)
        request.threads[request.thread_count] = threads[request.thread_count];
    struct error error = {0};
    if (!plan_make(&request, &run->plan, &error)) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
}

static inline void fixture_begin(struct run *run, const char *workloads, unsigned rounds)
{
    fixture_begin_threads(run, workloads, rounds, (uint64_t[]){0});
}

// The workload of that id.
static inline size_t fixture_find(const struct run *run, const char *id)
{
    for (size_t i = 0; i < run->plan.workload_count; i++)
        if (strcmp(run->plan.workloads[i].id, id) == 0)
            return i;
    abort();
}

// Adds a sample that is ok and did what the plan says in that time, in one batch.
static inline struct sample *fixture_add(struct run *run, size_t workload, unsigned tier, unsigned round,
                                         uint64_t wall_ns)
{
    struct sample sample = {
        .workload = workload,
        .tier = tier,
        .round = round,
        .block = 1,
        .sequence = run->sample_count,
        .status = SAMPLE_OK,
        .batches = 1,
        .wall_ns = wall_ns,
        .ops = workload_ops(&run->plan.workloads[workload]),
        .bytes = workload_bytes(&run->plan.workloads[workload]),
    };
    return run_add_sample(run, &sample);
}

// Adds one sample a round, from round 1 on, that gives each value in the workload's unit.
static inline void fixture_add_values(struct run *run, size_t workload, unsigned tier, const double *values,
                                      size_t count)
{
    const struct workload *w = &run->plan.workloads[workload];
    for (size_t i = 0; i < count; i++) {
        double ns = (double)workload_ops(w) / values[i] * 1e9;
        if (workload_descriptions[w->kind].unit == UNIT_MILLISECONDS)
            ns = values[i] * 1e6;
        if (workload_descriptions[w->kind].unit == UNIT_MEGABYTES_PER_SECOND)
            ns = (double)workload_bytes(w) / 1e6 / values[i] * 1e9;
        fixture_add(run, workload, tier, (unsigned)i + 1, (uint64_t)llround(ns));
    }
}

// Adds a sample that isn't ok.
static inline struct sample *fixture_add_other(struct run *run, size_t workload, unsigned tier,
                                               unsigned round, enum sample_status status,
                                               enum skip_reason reason)
{
    struct sample *sample = fixture_add(run, workload, tier, round, 1000000);
    sample->status = status;
    sample->reason = reason;
    return sample;
}
