// omission.c: what is left out.
#include "engine/omission.h"

#include "base/text.h"

// ---- By what the disks support ----

// Why a tier can't do a workload; NULL where it can, or where nobody knows.
static const char *why_not(const struct workload *workload, const struct run_tier *tier)
{
    const struct capability *supports = &tier->supports;
    bool direct = workload->access == ACCESS_DIRECT, cold = workload->access == ACCESS_COLD;
    if (direct && supports->o_direct.known && !supports->o_direct.value)
        return supports->o_direct_why ? supports->o_direct_why : "no O_DIRECT";
    if (cold && supports->evict.known && !supports->evict.value)
        return supports->evict_why ? supports->evict_why : "its files stay in memory";
    return NULL;
}

void omission_by_disks(struct omission *omission, const struct run *run)
{
    for (size_t i = 0; i < run->plan.workload_count; i++) {
        const struct workload *workload = &run->plan.workloads[i];
        bool needed = !workload->instead;
        for (unsigned tier = 0; tier < run->tier_count; tier++) {
            omission->unsupported[i][tier] = why_not(workload, &run->tiers[tier]);
            needed = needed || (i > 0 && omission->unsupported[i - 1][tier]);
        }
        omission->unneeded[i] = !needed;
    }
}

// ---- By time ----

static const struct section *section_at(const struct estimate *estimate, size_t section)
{
    return &estimate->schedule->sections[section];
}

static enum part part_of(const struct estimate *estimate, size_t section)
{
    const struct section *what = section_at(estimate, section);
    if (what->block > 1)
        return PART_FOLLOW_UP;
    return estimate->plan->workloads[what->workload].kind == WORKLOAD_SEQ_WRITE ? PART_SWEEP : PART_REST;
}

// Whether a round begins here, or a follow-up, of which all rounds are begun or none.
static bool begins(const struct estimate *estimate, size_t section)
{
    if (part_of(estimate, section) == PART_FOLLOW_UP)
        return section_at(estimate, section)->round == 1;
    return section == 0 || section_at(estimate, section - 1)->ends_round;
}

// What is expected of the round or the follow-up that begins here; of a round that isn't the sweep's, with
// the sweep's rounds up to the same number.
static uint64_t round_ns(const struct estimate *estimate, size_t section)
{
    unsigned round = section_at(estimate, section)->round;
    bool with_sweep = part_of(estimate, section) == PART_REST, over = false;
    uint64_t sum_ns = 0;
    for (size_t i = section; i < estimate->schedule->length; i++) {
        bool of_sweep = part_of(estimate, i) == PART_SWEEP && section_at(estimate, i)->round <= round;
        over = over || (i > section && begins(estimate, i));
        if (!over || (with_sweep && of_sweep))
            sum_ns += estimate_expect(estimate, i);
    }
    return sum_ns;
}

void omission_by_time(struct omission *omission, const struct estimate *estimate, size_t section,
                      uint64_t elapsed_ns)
{
    uint64_t most_ns = estimate->plan->max_time_ns;
    if (most_ns == 0 || omission->out_of_time || !section_at(estimate, section)->first)
        return;
    if (elapsed_ns >= most_ns) {
        omission->out_of_time = true;
        return;
    }
    enum part part = part_of(estimate, section);
    if (!begins(estimate, section) || (part != PART_FOLLOW_UP && section_at(estimate, section)->round < 2))
        return;
    bool *over = &omission->over[part];
    *over = (*over && part != PART_FOLLOW_UP) || round_ns(estimate, section) > most_ns - elapsed_ns;
}

bool omission_of(const struct omission *omission, const struct estimate *estimate, size_t section,
                 enum skip_reason *reason, const char **detail)
{
    const struct section *what = section_at(estimate, section);
    bool late = omission->out_of_time || omission->over[part_of(estimate, section)];
    *detail = omission->unsupported[what->workload][what->tier];
    *reason = SKIP_NONE;
    if (omission->unneeded[what->workload])
        return true;
    if (*detail)
        *reason = SKIP_UNSUPPORTED;
    else if (late)
        *reason = SKIP_TIME;
    return *reason != SKIP_NONE;
}
