// plan_total.c: what a plan asks of a disk.
#include "spec/plan_total.h"

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool same_large(const struct workload *a, const struct workload *b)
{
    return a && a->bytes == b->bytes && a->threads == b->threads;
}

// What must be made, timed or not, before a workload can begin, given what the round left so far.
struct left {
    const struct workload *tree;  // whose shape lies there; NULL: none
    const struct workload *large; // likewise
    bool renamed;                 // the tree's files: no other rename can have it
};

static bool makes(const struct workload *workload, struct left *left)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (description->on == ON_OWN_FILE)
        return true;
    if (description->on == ON_FILE) {
        bool there = same_large(left->large, workload);
        left->large = workload->kind == WORKLOAD_RAND_WRITE ? NULL : workload;
        return !there;
    }
    bool there =
        left->tree && tree_same(&left->tree->tree, &workload->tree) && workload->kind != WORKLOAD_CREATE;
    if (workload->kind == WORKLOAD_RENAME && left->renamed)
        there = false;
    left->renamed = workload->kind == WORKLOAD_RENAME || (there && left->renamed);
    left->tree = workload->kind == WORKLOAD_DELETE ? NULL : workload;
    return !there;
}

// How often a workload is done, with round 0.
static uint64_t times_of(const struct plan *plan, size_t index)
{
    return plan->rounds + (plan_in_round_0(plan, index) ? plan->warmup_rounds : 0);
}

// The most that lies there at one time: a tree beside large files, or a file of the sweep by itself.
struct most {
    uint64_t tree, large, sweep;
};

static uint64_t *most_of(struct most *most, const struct workload *workload)
{
    if (workload_on_tree(workload))
        return &most->tree;
    return workload->kind == WORKLOAD_SEQ_WRITE ? &most->sweep : &most->large;
}

static uint64_t most_at_a_time(const struct most *most)
{
    return greater(most->tree + most->large, most->sweep);
}

struct plan_totals plan_total(const struct plan *plan)
{
    struct plan_totals totals = {0};
    struct left left = {0};
    struct most bytes = {0}, files = {0};
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *workload = &plan->workloads[i];
        if (workload->instead || workload->follow_up)
            continue;
        uint64_t times = times_of(plan, i);
        uint64_t made = workload_on_tree(workload) ? tree_bytes(&workload->tree) : workload->bytes;
        if (makes(workload, &left)) {
            totals.bytes_written += times * made;
            totals.files_created += times * workload_files(workload);
        }
        if (workload->kind == WORKLOAD_RAND_WRITE)
            totals.bytes_written += times * workload_bytes(workload);
        totals.ops += times * workload_ops(workload);
        uint64_t *most_bytes = most_of(&bytes, workload), *most_files = most_of(&files, workload);
        *most_bytes = greater(*most_bytes, workload_payload(workload));
        *most_files = greater(*most_files, workload_files(workload));
    }
    totals.largest_payload_bytes = most_at_a_time(&bytes);
    totals.most_files = most_at_a_time(&files);
    return totals;
}
