// null_workloads.c: what diskduel itself costs: each workload on a tier that does no I/O, per operation.
// Prints, asserts nothing. Only an optimised build tells the truth (CMAKE_BUILD_TYPE RelWithDebInfo,
// DISKDUEL_TESTS ON).
#include "base/xalloc.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void judge_nothing(const struct run *run, struct judgement *judgement)
{
    (void)run;
    (void)judgement;
}

static int give_up(const struct error *error)
{
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

static void print_samples(const struct run *run)
{
    printf("%-12s %8s %10s %12s %12s %12s\n", "workload", "threads", "ops", "wall ns/op", "p50 op ns",
           "p99 op ns");
    struct histogram latency;
    histogram_init(&latency, HISTOGRAM_DIGITS);
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        const struct workload *workload = &run->plan.workloads[sample->workload];
        if (sample->round != run->plan.rounds || sample->ops == 0)
            continue;
        histogram_clear(&latency);
        sparse_add_to(&sample->latency[PHASE_OP], &latency);
        printf("%-12s %8u %10" PRIu64 " %12.1f %12" PRIu64 " %12" PRIu64 "\n", workload->id,
               workload->threads, sample->ops,
               (double)sample->wall_ns * workload->threads / (double)sample->ops,
               histogram_percentile(&latency, 500), histogram_percentile(&latency, 990));
    }
    histogram_release(&latency);
}

int main(int argc, char *argv[])
{
    struct error error;
    struct plan_request request = {.profile = "quick",
                                   .rounds = 3,
                                   .files = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000,
                                   .threads = {argc > 1 ? strtoull(argv[1], NULL, 10) : 1},
                                   .thread_count = 1,
                                   .block_bytes = 4096};
    struct run run = {.tier_count = 1};
    struct target target;
    struct tier_name name = {0};
    struct store_place store;
    char folder[] = "/tmp/diskduel-bench-XXXXXX";
    run_begin(&run);
    if (!plan_make(&request, &run.plan, &error) || !tier_name_parse("null:", &name, &error) ||
        !target_open(&name, &target, &run.tiers[0], &error))
        return give_up(&error);
    run.tiers[0].name = xstrdup("null");
    if (!mkdtemp(folder) || !store_open(&store, folder, NULL, run.id, &error))
        return give_up(&error);
    struct engine *engine;
    struct engine_setup setup = {.run = &run, .targets = &target, .store = &store, .judge = judge_nothing};
    if (!engine_start(&engine, &setup, &error))
        return give_up(&error);
    engine_wait(engine, UINT64_MAX);
    engine_free(engine);
    print_samples(&run);
    remove(store.path);
    remove(folder);
    store_close(&store);
    tier_name_release(&name);
    run_release(&run);
    return 0;
}
