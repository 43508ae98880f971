#include "analysis/facts.h"

#include "base/clock.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Classes ----

static const char *const class_names[CLASS_COUNT] = {
    [CLASS_DURABLE_WRITE] = "durable_write",
    [CLASS_BUFFERED_WRITE] = "buffered_write",
    [CLASS_COLD_READ] = "cold_read",
    [CLASS_AGAIN_READ] = "again_read",
    [CLASS_DIRECT_READ] = "direct_read",
    [CLASS_CREATE] = "create",
    [CLASS_WALK] = "walk",
    [CLASS_DELETE] = "delete",
    [CLASS_PERSIST] = "persist",
};

const char *metric_class_name(enum metric_class of)
{
    return class_names[of];
}

enum metric_class metric_class_of(const struct workload *workload)
{
    static const enum metric_class of_kind[WORKLOAD_KINDS] = {
        [WORKLOAD_CREATE] = CLASS_CREATE,
        [WORKLOAD_WALK] = CLASS_WALK,
        [WORKLOAD_WALK_LATER] = CLASS_WALK,
        [WORKLOAD_READ_TREE] = CLASS_WALK,
        [WORKLOAD_RENAME] = CLASS_DELETE,
        [WORKLOAD_DELETE] = CLASS_DELETE,
        [WORKLOAD_SEQ_READ] = CLASS_COLD_READ,
        [WORKLOAD_RAND_READ] = CLASS_DIRECT_READ,
        [WORKLOAD_RAND_WRITE] = CLASS_DURABLE_WRITE,
        [WORKLOAD_COMMIT] = CLASS_DURABLE_WRITE,
        [WORKLOAD_SEQ_WRITE] = CLASS_DURABLE_WRITE,
    };
    static const enum metric_class of_seq_read[ACCESS_COUNT] = {
        [ACCESS_BUFFERED] = CLASS_COLD_READ,  [ACCESS_COLD] = CLASS_COLD_READ,
        [ACCESS_REOPENED] = CLASS_AGAIN_READ, [ACCESS_SAME_FD] = CLASS_AGAIN_READ,
        [ACCESS_DIRECT] = CLASS_DIRECT_READ,
    };
    return workload->kind == WORKLOAD_SEQ_READ ? of_seq_read[workload->access] : of_kind[workload->kind];
}

// ---- What a sample says ----

static double operations_per_second(const struct sample *sample)
{
    return (double)sample->ops * NS_PER_S / (double)sample->wall_ns;
}

static double milliseconds(const struct sample *sample)
{
    return (double)sample->wall_ns / (double)sample->batches / NS_PER_MS;
}

static double megabytes_per_second(const struct sample *sample)
{
    return (double)sample->bytes / 1e6 * NS_PER_S / (double)sample->wall_ns;
}

static double (*const value_of[UNIT_COUNT])(const struct sample *) = {
    [UNIT_FILES_PER_SECOND] = operations_per_second,    [UNIT_MILLISECONDS] = milliseconds,
    [UNIT_MEGABYTES_PER_SECOND] = megabytes_per_second, [UNIT_IOPS] = operations_per_second,
    [UNIT_COMMITS_PER_SECOND] = operations_per_second,
};

bool sample_value(const struct run *run, const struct sample *sample, double *value)
{
    if (sample->status != SAMPLE_OK || sample->workload >= run->plan.workload_count)
        return false;
    if (sample->wall_ns == 0 || sample->batches == 0)
        return false;
    *value = value_of[workload_descriptions[run->plan.workloads[sample->workload].kind].unit](sample);
    return *value > 0; // one that did nothing says nothing
}

// ---- The layout ----

static const struct sample *first_with(const struct run *run, size_t workload, unsigned tier,
                                       enum sample_status status)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->workload == workload && sample->tier == tier && sample->block == 1 &&
            sample->status == status)
            return sample;
    }
    return NULL;
}

static int by_round(const void *a, const void *b)
{
    const struct round_facts *first = a, *second = b;
    return (first->round > second->round) - (first->round < second->round);
}

// The ok samples of one block, in the order of rounds. Returns how many they are.
static size_t gather(const struct run *run, size_t workload, unsigned tier, bool follow_up,
                     struct round_facts **rounds)
{
    size_t count = 0;
    *rounds = NULL;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        double value;
        if (sample->workload != workload || sample->tier != tier || sample->round == 0 ||
            (sample->block > 1) != follow_up || !sample_value(run, sample, &value))
            continue;
        *rounds = xrealloc_array(*rounds, count + 1, sizeof **rounds);
        (*rounds)[count++] = (struct round_facts){
            .round = sample->round,
            .sample = sample,
            .value = value,
            .cost = (double)sample->wall_ns / (double)sample->batches / NS_PER_S,
        };
    }
    if (count > 0)
        qsort(*rounds, count, sizeof **rounds, by_round);
    return count;
}

static const struct sample *first_use_of(const struct run *run, size_t workload, unsigned tier)
{
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->workload == workload && sample->tier == tier && sample->round == 0 &&
            sample->block == 1 && sample->status == SAMPLE_OK && sample->wall_ns > 0)
            return sample;
    }
    return NULL;
}

static void fill_tier(const struct run *run, size_t workload, unsigned tier, struct tier_facts *facts)
{
    facts->count = gather(run, workload, tier, false, &facts->rounds);
    facts->follow_up_count = gather(run, workload, tier, true, &facts->follow_up);
    facts->first_use = first_use_of(run, workload, tier);
    facts->summary = facts->count > 0 ? NULL : imported_summary_of(&run->summaries, workload, tier);
    // A failure counts in round 0 too: the disk couldn't do it.
    facts->cause = first_with(run, workload, tier, SAMPLE_FAILED);
    if (facts->cause) {
        facts->state = METRIC_FAILED;
        return;
    }
    facts->cause = first_with(run, workload, tier, SAMPLE_SKIPPED);
    if (facts->count > 0 || facts->summary)
        facts->state = METRIC_MEASURED;
    else
        facts->state = facts->cause ? METRIC_SKIPPED : METRIC_EMPTY;
}

void facts_derive(const struct run *run, struct facts *facts)
{
    *facts = (struct facts){.run = run, .length = run->plan.workload_count};
    facts->tiers = xcalloc(facts->length, sizeof *facts->tiers);
    for (size_t i = 0; i < facts->length; i++)
        for (unsigned tier = 0; tier < run->tier_count; tier++)
            fill_tier(run, i, tier, &facts->tiers[i][tier]);
}

void facts_release(struct facts *facts)
{
    for (size_t i = 0; i < facts->length; i++)
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
            free(facts->tiers[i][tier].rounds);
            free(facts->tiers[i][tier].follow_up);
        }
    free(facts->tiers);
    *facts = (struct facts){0};
}

// ---- Workloads that belong together ----

static bool same_step(const struct workload *a, const struct workload *b)
{
    size_t step = workload_step_length(a);
    return step != SIZE_MAX && step == workload_step_length(b) && strncmp(a->id, b->id, step) == 0;
}

size_t counterpart_of(const struct plan *plan, size_t workload, const struct counterpart *like)
{
    const struct workload *of = &plan->workloads[workload];
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *other = &plan->workloads[i];
        if (i != workload && other->kind == like->kind && other->access == like->access &&
            (like->block_bytes == 0 || other->block_bytes == like->block_bytes) &&
            other->threads == of->threads && other->bytes == of->bytes &&
            tree_same(&other->tree, &of->tree) && same_step(of, other))
            return i;
    }
    return SIZE_MAX;
}

size_t sweep_of(const struct plan *plan, size_t workload, size_t members[PLAN_SIZES_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < plan->workload_count && count < PLAN_SIZES_MOST; i++) {
        if (!workload_same_sweep(&plan->workloads[workload], &plan->workloads[i]))
            continue;
        size_t at = count++;
        for (; at > 0 && plan->workloads[members[at - 1]].bytes > plan->workloads[i].bytes; at--)
            members[at] = members[at - 1];
        members[at] = i;
    }
    return count;
}
