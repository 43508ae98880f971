// estimate.c: the last section of the same workload on the same tier is the best guess for the next one.
#include "engine/estimate.h"

// What an operation or a byte is taken to cost before anything is known: only the fraction shown uses it.
#define NOMINAL_OP_NS      UINT64_C(1000000)
#define NOMINAL_BYTE_NS    UINT64_C(5)
#define NOMINAL_SECTION_NS UINT64_C(100000000)

// What is said before the end, however late it is.
static const double FRACTION_MOST = 0.999;

static const struct workload *workload_at(const struct estimate *estimate, size_t index)
{
    return &estimate->plan->workloads[index];
}

void estimate_begin(struct estimate *estimate, const struct plan *plan, const struct schedule *schedule)
{
    *estimate = (struct estimate){.plan = plan, .schedule = schedule};
}

void estimate_section(struct estimate *estimate, size_t section, uint64_t took_ns)
{
    const struct section *past = &estimate->schedule->sections[section];
    estimate->passed_ns += took_ns;
    if (!estimate->left_out[past->workload][past->tier])
        estimate->took_ns[past->workload][past->tier] = took_ns;
}

void estimate_leave_out(struct estimate *estimate, size_t workload, unsigned tier)
{
    estimate->left_out[workload][tier] = true;
}

static uint64_t nominal_ns(const struct workload *workload)
{
    uint64_t bytes = workload_bytes(workload);
    uint64_t ops = workload_descriptions[workload->kind].on_tree ? workload_ops(workload) : 0;
    return NOMINAL_SECTION_NS + ops * NOMINAL_OP_NS + bytes * NOMINAL_BYTE_NS;
}

// Scales what another size of the same kind took on the same tier. 0: none was seen.
static uint64_t from_other_size(const struct estimate *estimate, size_t workload, unsigned tier)
{
    const struct workload *wanted = workload_at(estimate, workload);
    uint64_t best_ns = 0, best_bytes = 0;
    for (size_t i = 0; i < estimate->plan->workload_count; i++) {
        const struct workload *other = workload_at(estimate, i);
        if (other->kind != wanted->kind || other->bytes == 0 || other->bytes < best_bytes ||
            estimate->took_ns[i][tier] == 0)
            continue;
        best_bytes = other->bytes;
        best_ns = estimate->took_ns[i][tier];
    }
    return best_bytes ? (uint64_t)((double)best_ns * (double)wanted->bytes / (double)best_bytes) : 0;
}

static uint64_t known_ns(const struct estimate *estimate, size_t workload, unsigned tier)
{
    uint64_t took_ns = estimate->took_ns[workload][tier];
    return took_ns ? took_ns : from_other_size(estimate, workload, tier);
}

// What a section is expected to take; `known` is cleared where nothing like it was seen.
static uint64_t expected_ns(const struct estimate *estimate, const struct section *section, bool *known)
{
    uint64_t ns = known_ns(estimate, section->workload, section->tier);
    for (unsigned tier = 0; ns == 0 && tier < RUN_TIERS_MOST; tier++)
        ns = known_ns(estimate, section->workload, tier);
    if (ns)
        return ns;
    *known = false;
    return nominal_ns(workload_at(estimate, section->workload));
}

struct estimated estimate_now(struct estimate *estimate, size_t section, uint64_t elapsed_ns)
{
    struct estimated estimated = {.has_remaining = true};
    const struct schedule *schedule = estimate->schedule;
    for (size_t i = section; i < schedule->length; i++) {
        const struct section *next = &schedule->sections[i];
        if (estimate->left_out[next->workload][next->tier])
            continue;
        uint64_t ns = expected_ns(estimate, next, &estimated.has_remaining);
        if (i == section)
            ns = ns > elapsed_ns ? ns - elapsed_ns : 0;
        estimated.remaining_ns += ns;
    }
    uint64_t passed_ns = estimate->passed_ns + elapsed_ns;
    if (section >= schedule->length)
        estimate->fraction = 1;
    else if (passed_ns > 0) {
        double fraction = (double)passed_ns / ((double)passed_ns + (double)estimated.remaining_ns);
        if (fraction > FRACTION_MOST)
            fraction = FRACTION_MOST;
        if (fraction > estimate->fraction)
            estimate->fraction = fraction;
    }
    estimated.fraction = estimate->fraction;
    return estimated;
}
