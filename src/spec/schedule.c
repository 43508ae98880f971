// schedule.c: the order of sections, from plan and seed alone.
#include "spec/schedule.h"

#include "base/rng.h"
#include "base/xalloc.h"

#include <stdlib.h>

struct builder {
    const struct plan *plan;
    unsigned tiers;
    struct rng rng;
    bool *second_first; // by workload: B goes first; kept from an odd round for its mirror
    struct schedule *schedule;
};

static bool in_sweep(const struct workload *workload)
{
    return workload->kind == WORKLOAD_SEQ_WRITE;
}

static void add_pair(struct builder *builder, size_t workload, unsigned round)
{
    for (unsigned turn = 0; turn < builder->tiers; turn++) {
        bool swapped = builder->tiers > 1 && builder->second_first[workload];
        builder->schedule->sections[builder->schedule->length++] =
            (struct section){.workload = workload,
                             .tier = swapped ? 1 - turn : turn,
                             .round = round,
                             .block = 1,
                             .first = turn == 0};
    }
}

static void choose_order(struct builder *builder, size_t workload, unsigned round)
{
    bool *second_first = &builder->second_first[workload];
    if (round == 0)
        *second_first = false;
    else if (round % 2 == 1)
        *second_first = rng_next(&builder->rng) >> 63;
    else
        *second_first = !*second_first;
}

// All rounds of the sweep, or of everything else.
static void add_rounds(struct builder *builder, bool sweep)
{
    const struct plan *plan = builder->plan;
    for (unsigned round = plan->warmup_rounds ? 0 : 1; round <= plan->rounds; round++) {
        size_t before = builder->schedule->length;
        for (size_t i = 0; i < plan->workload_count; i++) {
            if (plan->workloads[i].follow_up || in_sweep(&plan->workloads[i]) != sweep)
                continue;
            if (round == 0 && !plan_in_round_0(plan, i))
                continue;
            choose_order(builder, i, round);
            add_pair(builder, i, round);
        }
        if (builder->schedule->length > before)
            builder->schedule->sections[builder->schedule->length - 1].ends_round = true;
    }
}

void schedule_make(struct schedule *schedule, const struct plan *plan, unsigned tiers)
{
    size_t rounds_most = plan->workload_count * ((size_t)plan->rounds + 1) * tiers;
    size_t more = plan->no_follow_up ? 0 : (size_t)FOLLOW_UPS_MOST * FOLLOW_UP_ROUNDS_MOST;
    *schedule = (struct schedule){.sections = xcalloc(rounds_most + more + 1, sizeof *schedule->sections)};
    struct builder builder = {.plan = plan, .tiers = tiers, .schedule = schedule};
    builder.second_first = xcalloc(plan->workload_count + 1, sizeof *builder.second_first);
    rng_seed(&builder.rng, plan->seed);
    add_rounds(&builder, false);
    add_rounds(&builder, true);
    schedule->capacity = schedule->length + more;
    free(builder.second_first);
}

static bool is_followed_up(const struct schedule *schedule, const struct follow_up *follow_up)
{
    for (size_t i = 0; i < schedule->length; i++) {
        const struct section *section = &schedule->sections[i];
        if (section->block > 1 && section->workload == follow_up->workload &&
            section->tier == follow_up->tier)
            return true;
    }
    return false;
}

bool schedule_follow_up(struct schedule *schedule, const struct follow_up *follow_up)
{
    unsigned rounds = follow_up->rounds < FOLLOW_UP_ROUNDS_MOST ? follow_up->rounds : FOLLOW_UP_ROUNDS_MOST;
    if (rounds == 0 || rounds > schedule->capacity - schedule->length || is_followed_up(schedule, follow_up))
        return false;
    for (unsigned round = 1; round <= rounds; round++)
        schedule->sections[schedule->length++] =
            (struct section){.workload = follow_up->workload,
                             .tier = follow_up->tier,
                             .round = round,
                             .block = 2,
                             .idle_ns = round == 1 ? follow_up->idle_ns : 0,
                             .first = true,
                             .ends_round = true};
    return true;
}

void schedule_release(struct schedule *schedule)
{
    free(schedule->sections);
    *schedule = (struct schedule){0};
}
