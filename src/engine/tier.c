// tier.c: a tier's directory, crew and untimed calls.
#include "engine/tier.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct crew_setup crew_setup_of(const struct tier_setup *setup)
{
    const struct plan *plan = setup->plan;
    struct crew_setup crew = {.calls = setup->target->calls,
                              .nonce = setup->nonce,
                              .seed = plan->seed + (uint64_t)setup->number * PLAN_THREADS_MOST};
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *workload = &plan->workloads[i];
        if (workload->threads > crew.threads)
            crew.threads = workload->threads;
        if (workload->block_bytes > crew.block_bytes)
            crew.block_bytes = workload->block_bytes;
        crew.phases |= workload_descriptions[workload->kind].phases;
    }
    // Trees are made by the functions of create, whichever workload needs them.
    crew.phases |= workload_descriptions[WORKLOAD_CREATE].phases;
    return crew;
}

bool tier_open(struct tier *tier, const struct tier_setup *setup, struct error *error)
{
    *tier = (struct tier){.target = setup->target,
                          .null = setup->null,
                          .scratch = {.parent = -1, .dirfd = -1},
                          .io = {.calls = setup->target->calls}};
    if (!tier->null && !scratch_create(&tier->scratch, setup->target->dirfd, setup->run_id, error))
        return false;
    struct crew_setup crew = crew_setup_of(setup);
    if (crew_start(&tier->crew, &crew, error))
        return true;
    tier_take_back(tier, error);
    return false;
}

void tier_take_back(struct tier *tier, struct error *error)
{
    struct text leftovers = {0};
    tier_remove(tier, &leftovers);
    if (leftovers.length > 0) {
        struct error why = *error;
        int line = (int)strcspn(text_string(&leftovers), "\n");
        fail(error, "%s; left behind: %.*s", why.text, line, text_string(&leftovers));
    }
    text_free(&leftovers);
}

void tier_remove(struct tier *tier, struct text *leftovers)
{
    if (!tier->null)
        scratch_remove(&tier->scratch, leftovers);
}

void tier_close(struct tier *tier)
{
    crew_end(&tier->crew);
}

int tier_dirfd(const struct tier *tier)
{
    return tier->null ? -1 : tier->scratch.dirfd;
}

uint64_t tier_call_begin(struct tier *tier, enum call call)
{
    uint64_t now_ns = clock_monotonic_ns();
    progress_set(&tier->progress, call, 0, now_ns);
    return now_ns;
}

uint64_t tier_call_end(struct tier *tier)
{
    uint64_t now_ns = clock_monotonic_ns();
    progress_set(&tier->progress, CALL_NONE, 0, now_ns);
    return now_ns;
}

bool tier_fail(struct tier *tier, enum call call, const char *path)
{
    if (tier->failure.call == CALL_NONE) {
        tier->failure = (struct failure){.call = call, .number = errno};
        snprintf(tier->failure.path, sizeof tier->failure.path, "%s", path);
        failure_explain(&tier->failure, tier_dirfd(tier));
    }
    return false;
}

const struct failure *tier_failure(const struct tier *tier)
{
    const struct failure *failure = crew_failure(&tier->crew);
    return failure || tier->failure.call == CALL_NONE ? failure : &tier->failure;
}

void tier_clear(struct tier *tier)
{
    tier->failure = (struct failure){0};
    crew_clear(&tier->crew);
}
