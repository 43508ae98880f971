// tier.c: a tier's directory, crew and untimed calls.
#include "engine/tier.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct crew_setup crew_setup_of(const struct tier_setup *setup)
{
    const struct plan *plan = setup->plan;
    // Both tiers write the same bytes: the seed is the plan's, whichever tier it is.
    struct crew_setup crew = {.calls = setup->target->calls, .nonce = setup->nonce, .seed = plan->seed};
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *workload = &plan->workloads[i];
        const struct workload_description *description = &workload_descriptions[workload->kind];
        if (workload->threads > crew.threads)
            crew.threads = workload->threads;
        if (description->on != ON_FILE && workload->block_bytes > crew.block_bytes)
            crew.block_bytes = workload->block_bytes;
        if (description->reads && workload->block_bytes > crew.read_bytes)
            crew.read_bytes = workload->block_bytes;
        crew.phases |= description->phases;
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
    struct crew_setup crew = crew_setup_of(setup);
    return crew_start(&tier->crew, &crew, error);
}

bool tier_make_scratch(struct tier *tier, const char *run_id, struct error *error)
{
    if (tier->null)
        return true;
    tier_call_begin(tier, CALL_MKDIRAT);
    bool made = scratch_create(&tier->scratch, tier->target->dirfd, run_id, error);
    tier_call_end(tier);
    return made;
}

void tier_remove(struct tier *tier, struct text *leftovers)
{
    if (tier->scratch.dirfd >= 0)
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
