// plan_check.c: a plan that came from a document.
#include "spec/plan_check.h"

#include "spec/plan_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Of this version the definition is known, and with it what must go along.
static bool is_known(const struct workload *workload)
{
    return workload->version == workload_descriptions[workload->kind].version;
}

static bool check_sync(const struct workload *workload, const struct setting_names *names,
                       struct error *error)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (workload->sync == SYNC_MACHINE) // what others measured, and nothing that is planned, ends in it
        return true;
    if (!is_known(workload) || description->sync_choice || workload->sync == description->sync)
        return true;
    return fail(error, "%ssync: %s ends in %s", names->prefix, description->id, sync_name(description->sync));
}

// What the id must be but for a step's name before it.
static bool check_id(const struct workload *workload, const struct setting_names *names, struct error *error)
{
    if (workload_step_length(workload) != SIZE_MAX)
        return true;
    if (workload->kind == WORKLOAD_SEQ_WRITE)
        return fail(error, "%sid: \"%s\" doesn't name its %" PRIu64 " bytes", names->prefix, workload->id,
                    workload->bytes);
    char base[WORKLOAD_ID_SIZE];
    workload_base_id(workload, base);
    return fail(error, "%sid: \"%s\" is not \"%s\", its kind", names->prefix, workload->id, base);
}

static bool check_variant(const struct workload *workload, const struct setting_names *names,
                          struct error *error)
{
    if (!is_known(workload) || workload->kind == WORKLOAD_SEQ_WRITE)
        return true;
    for (const struct workload_variant *variant = workload_variants; variant->id; variant++)
        if (variant->kind == workload->kind && variant->access == workload->access &&
            variant->block_bytes == workload->block_bytes)
            return true;
    return fail(error, "%saccess: there is no %s that is %s in blocks of %" PRIu64 " bytes", names->prefix,
                workload_descriptions[workload->kind].id, access_name(workload->access),
                workload->block_bytes);
}

// The bytes of large files and what is done to them.
static bool check_large(const struct workload *workload, const struct setting_names *names,
                        struct error *error)
{
    enum { OPERATIONS_MOST = 100000000 };
    if (!rules_check_block(names, workload->block_bytes, error))
        return false;
    bool counted = workload_is_counted(workload);
    if (counted && !rules_check_range(names, "operations", workload->operations, 1, OPERATIONS_MOST, error))
        return false;
    if (!counted && workload->operations > 0)
        return fail(error, "%soperations: a %s has none", names->prefix,
                    workload_descriptions[workload->kind].id);
    if (workload->kind != WORKLOAD_COMMIT)
        return rules_check_large(names, workload->bytes, error);
    if (workload->bytes != workload->operations * workload->block_bytes)
        return fail(error, "%sbytes: %" PRIu64 " are not %" PRIu64 " blocks", names->prefix, workload->bytes,
                    workload->operations);
    return true;
}

static bool check_wait(const struct workload *workload, const struct setting_names *names,
                       struct error *error)
{
    const char *id = workload_descriptions[workload->kind].id;
    bool waits = workload->kind == WORKLOAD_WALK_LATER;
    if (workload->wait_ns > PLAN_TIME_MOST)
        return fail(error, "%swait_ns: %" PRIu64 " is longer than 30 days", names->prefix, workload->wait_ns);
    if (!is_known(workload) || waits == (workload->wait_ns > 0))
        return true;
    return fail(error, "%swait_ns: a %s %s", names->prefix, id, waits ? "has to wait" : "doesn't wait");
}

static bool check_workload(const struct workload *workload, const struct setting_names *names,
                           struct error *error)
{
    const char *prefix = names->prefix;
    if (workload->kind >= WORKLOAD_KINDS)
        return fail(error, "%skind: no such workload", prefix);
    if (workload->version == 0)
        return fail(error, "%sversion: 0 is no version", prefix);
    return rules_check_threads(names, workload->threads, error) && check_sync(workload, names, error) &&
           check_wait(workload, names, error) && check_variant(workload, names, error) &&
           (workload_on_tree(workload) ? rules_check_tree(names, &workload->tree, error)
                                       : check_large(workload, names, error)) &&
           check_id(workload, names, error);
}

static bool stands_behind_its_like(const struct workload *before, const struct workload *workload)
{
    return before && before->kind == workload->kind && before->access == ACCESS_DIRECT &&
           workload->access == ACCESS_BUFFERED && before->bytes == workload->bytes &&
           before->operations == workload->operations && before->threads == workload->threads;
}

// Whether a workload comes too late behind `other`.
static bool is_too_late(const struct workload *other, const struct workload *workload)
{
    bool sweep = other->kind == WORKLOAD_SEQ_WRITE;
    if (!workload->follow_up && (other->follow_up || (sweep && workload->kind != WORKLOAD_SEQ_WRITE)))
        return true;
    return workload_same_sweep(other, workload) && other->bytes >= workload->bytes;
}

// Each id once; of a round the write sweep last, each with its sizes ascending; and behind it what only the
// rules may ask for.
static bool check_place(const struct plan *plan, size_t index, const struct setting_names *names,
                        struct error *error)
{
    const struct workload *workload = &plan->workloads[index];
    const struct workload *before = index > 0 ? &plan->workloads[index - 1] : NULL;
    for (size_t i = 0; i < index; i++)
        if (strcmp(plan->workloads[i].id, workload->id) == 0)
            return fail(error, "%sid: \"%s\" is there twice", names->prefix, workload->id);
    for (size_t i = 0; i < index; i++) {
        const struct workload *other = &plan->workloads[i];
        if (is_too_late(other, workload))
            return fail(error, "%sid: \"%s\" can't stand after \"%s\"", names->prefix, workload->id,
                        other->id);
    }
    if (workload->instead && !stands_behind_its_like(before, workload))
        return fail(error, "%sinstead: \"%s\" doesn't stand behind the same one with O_DIRECT", names->prefix,
                    workload->id);
    return true;
}

bool plan_check(const struct plan *plan, struct error *error)
{
    struct setting_names names = member_names;
    if (!plan->profile || plan->profile[0] == '\0')
        return fail(error, "plan.profile: missing");
    if (!rules_check_range(&names, "rounds", plan->rounds, 1, PLAN_ROUNDS_MOST, error) ||
        !rules_check_range(&names, "warmup_rounds", plan->warmup_rounds, 0, 1, error) ||
        !rules_check_range(&names, "seed", plan->seed, 0, PLAN_SEED_MOST, error) ||
        !rules_check_range(&names, "max_time_ns", plan->max_time_ns, 0, PLAN_TIME_MOST, error))
        return false;
    if (plan->workload_count == 0 || plan->workload_count > PLAN_WORKLOADS_MOST)
        return fail(error, "plan.workloads: %zu of them; 1 to %d can be", plan->workload_count,
                    PLAN_WORKLOADS_MOST);
    if (plan->workloads[0].follow_up)
        return fail(error, "plan.workloads: none of them is of a round");
    for (size_t i = 0; i < plan->workload_count; i++) {
        snprintf(names.prefix, sizeof names.prefix, "plan.workloads[%zu].", i);
        if (!check_workload(&plan->workloads[i], &names, error) || !check_place(plan, i, &names, error))
            return false;
    }
    return true;
}
