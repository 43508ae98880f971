// follow_ups.c: goes through a run disk by disk, and asks the rules' own questions of each workload.
#include "analysis/follow_ups.h"

#include "analysis/facts.h"
#include "analysis/pattern.h"
#include "analysis/reads.h"
#include "analysis/sweep.h"
#include "base/clock.h"

#include <stdint.h>

enum { ROUNDS_OF_A_LOOK = 3, IDLE_S = 20 };

struct wishes {
    struct facts facts;
    struct follow_up *list;
    size_t count;
};

// Whether a workload has samples on a tier: of a block after the first, or of the rounds.
static bool has_samples(const struct run *run, size_t workload, unsigned tier, bool follow_up)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->workload == workload && sample->tier == tier && (sample->block > 1) == follow_up)
            return true;
    }
    return false;
}

static bool is_wanted_already(const struct wishes *wishes, size_t workload, unsigned tier)
{
    for (size_t i = 0; i < wishes->count; i++)
        if (wishes->list[i].workload == workload && wishes->list[i].tier == tier)
            return true;
    return false;
}

static void want(struct wishes *wishes, struct follow_up follow_up)
{
    if (wishes->count == FOLLOW_UPS_MOST || is_wanted_already(wishes, follow_up.workload, follow_up.tier) ||
        has_samples(wishes->facts.run, follow_up.workload, follow_up.tier, true))
        return;
    wishes->list[wishes->count++] = follow_up;
}

// A workload that the rounds don't have, looked at for a few rounds. SIZE_MAX is none.
static void want_look(struct wishes *wishes, size_t workload, unsigned tier, const char *why)
{
    const struct run *run = wishes->facts.run;
    if (workload == SIZE_MAX || has_samples(run, workload, tier, false))
        return;
    unsigned rounds = run->plan.rounds < ROUNDS_OF_A_LOOK ? run->plan.rounds : ROUNDS_OF_A_LOOK;
    want(wishes, (struct follow_up){.workload = workload, .tier = tier, .rounds = rounds, .why = why});
}

// ---- What each rule wants ----

static void ask_first_round(struct wishes *wishes, size_t workload, unsigned tier)
{
    const struct run *run = wishes->facts.run;
    const struct tier_facts *facts = &wishes->facts.tiers[workload][tier];
    // After a round 0 round 1 is no first use, and a second block wouldn't say more.
    if (!pattern_first_use(facts, &run->thresholds))
        return;
    want(wishes,
         (struct follow_up){.workload = workload,
                            .tier = tier,
                            .rounds = run->plan.rounds < FOLLOW_UP_ROUNDS_MOST ? run->plan.rounds
                                                                               : FOLLOW_UP_ROUNDS_MOST,
                            .idle_ns = UINT64_C(1) * IDLE_S * NS_PER_S,
                            .why = "first-round-differs"});
}

// Also where the times a request are alike: that is a hint, which a probe decides.
static void ask_direct(struct wishes *wishes, size_t workload, unsigned tier)
{
    const struct run *run = wishes->facts.run;
    struct read_pair pair;
    if (run->plan.workloads[workload].access == ACCESS_DIRECT &&
        reads_contradict(&wishes->facts, &run->thresholds, workload, tier, &pair))
        want_look(wishes, reads_probe(&run->plan, pair.direct), tier, "direct-beats-cached");
}

static void ask_walk(struct wishes *wishes, size_t workload, unsigned tier)
{
    const struct run *run = wishes->facts.run;
    const struct counterpart later = {.kind = WORKLOAD_WALK_LATER, .access = ACCESS_BUFFERED};
    if (run->plan.workloads[workload].kind == WORKLOAD_WALK && mount_is_remote(&run->tiers[tier].mount))
        want_look(wishes, counterpart_of(&run->plan, workload, &later), tier, "walk-cache-window");
}

// The one that a sweep has for follow-ups alone; SIZE_MAX where it has none.
static size_t larger_size(const struct plan *plan, size_t workload)
{
    size_t members[PLAN_SIZES_MOST];
    size_t count = sweep_of(plan, workload, members);
    return count > 0 && plan->workloads[members[count - 1]].follow_up ? members[count - 1] : SIZE_MAX;
}

static void ask_sweep(struct wishes *wishes, size_t workload, unsigned tier)
{
    const struct run *run = wishes->facts.run;
    struct sweep sweep;
    sweep_derive(&wishes->facts, workload, tier, &sweep);
    enum sweep_state state = sweep_judge(&sweep, &run->thresholds);
    if (state != SWEEP_UNKNOWN && state != SWEEP_OUTRUN)
        want_look(wishes, larger_size(&run->plan, workload), tier, "buffer-not-outrun");
}

size_t follow_ups_wanted(const struct run *run, struct follow_up list[FOLLOW_UPS_MOST])
{
    static void (*const askers[])(struct wishes *, size_t, unsigned) = {ask_first_round, ask_direct, ask_walk,
                                                                        ask_sweep};
    struct wishes wishes = {.list = list};
    if (run->plan.no_follow_up)
        return 0;
    facts_derive(run, &wishes.facts);
    for (size_t asker = 0; asker < sizeof askers / sizeof *askers; asker++)
        for (size_t i = 0; i < wishes.facts.length; i++)
            for (unsigned tier = 0; tier < run->tier_count; tier++)
                if (wishes.facts.tiers[i][tier].state == METRIC_MEASURED)
                    askers[asker](&wishes, i, tier);
    facts_release(&wishes.facts);
    return wishes.count;
}
