// estimate.c: what was seen, scaled to what wasn't.
#include "engine/estimate.h"

#include <math.h>

// What a section is taken to cost before anything like it was seen: only proportions matter, since a tier's
// speed scales it. FIXED is the drain and what else goes on around each section, on any disk.
#define FIXED_NS UINT64_C(40000000)
static const struct {
    double item_ns, byte_ns;
} nominal[WORKLOAD_KINDS] = {
    [WORKLOAD_CREATE] = {.item_ns = 1000000},
    [WORKLOAD_WALK] = {.item_ns = 50000},
    [WORKLOAD_WALK_LATER] = {.item_ns = 50000},
    [WORKLOAD_READ_TREE] = {.item_ns = 1000000}, // each file is evicted before
    [WORKLOAD_RENAME] = {.item_ns = 1500000},    // a tree of its own is made before
    [WORKLOAD_DELETE] = {.item_ns = 1000000},    // its files are read back before
    [WORKLOAD_SEQ_READ] = {.byte_ns = 6},        // the file is evicted, and often read once before
    [WORKLOAD_RAND_READ] = {.item_ns = 200000, .byte_ns = 2},
    [WORKLOAD_RAND_WRITE] = {.item_ns = 300000, .byte_ns = 5}, // the file is made anew each time
    [WORKLOAD_COMMIT] = {.item_ns = 2000000},
    [WORKLOAD_SEQ_WRITE] = {.byte_ns = 5},
};

// A quick section is repeated after round 0 until it takes 50 ms, and what it works on is made, read back
// and removed as often.
#define REPEATED_NS UINT64_C(200000000)

// Speeds that are believed of a tier, as a factor of nominal; and how far that holds for another kind of
// work: a disk that is slow to create files may be quick to take their bytes.
static const double FACTOR_LEAST = 1.0 / 256, FACTOR_MOST = 256;
static const double LIKENESS = 0.5; // as an exponent

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
    const struct section *over = &estimate->schedule->sections[section];
    struct estimate_past *past = &estimate->past[over->workload][over->tier];
    estimate->passed_ns += took_ns;
    if (estimate->left_out[over->workload][over->tier])
        return;
    took_ns = took_ns > over->idle_ns ? took_ns - over->idle_ns : 1;
    if (over->round == 0)
        past->first_ns = took_ns;
    else
        past->last_ns[past->count++ % ESTIMATE_LAST] = took_ns;
}

void estimate_leave_out(struct estimate *estimate, size_t workload, unsigned tier)
{
    estimate->left_out[workload][tier] = true;
}

// Of an even number the lower one of the middle: it is stalls that stand out, and they stand out upwards.
static uint64_t median_of(const uint64_t *values, unsigned count)
{
    uint64_t sorted[ESTIMATE_LAST];
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i;
        for (; at > 0 && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return sorted[(count - 1) / 2];
}

// What a workload took on a tier. 0: it wasn't seen there.
static uint64_t seen_ns(const struct estimate_past *past)
{
    if (past->count == 0)
        return past->first_ns;
    return median_of(past->last_ns, past->count < ESTIMATE_LAST ? past->count : ESTIMATE_LAST);
}

// What a workload takes whatever the disk: what goes on around it, and the wait that is part of it.
static uint64_t fixed_ns(const struct workload *workload)
{
    return FIXED_NS + workload->wait_ns;
}

static double without_fixed(const struct workload *workload, uint64_t ns)
{
    return ns > fixed_ns(workload) ? (double)(ns - fixed_ns(workload)) : 0;
}

// The nominal cost of what differs from disk to disk.
static double nominal_ns(const struct workload *workload)
{
    bool by_item = workload_on_tree(workload) || workload_is_counted(workload);
    return nominal[workload->kind].item_ns * (double)(by_item ? workload_ops(workload) : 0) +
           nominal[workload->kind].byte_ns * (double)workload->bytes;
}

// How much more than nominal a tier takes for work like this: the geometric mean over what was seen of it.
// 0: nothing was.
static double tier_factor(const struct estimate *estimate, unsigned tier, bool on_tree)
{
    double sums[2] = {0}; // of logarithms; of what is alike and of what is not
    unsigned counts[2] = {0};
    for (size_t i = 0; i < estimate->plan->workload_count; i++) {
        const struct workload *workload = workload_at(estimate, i);
        const struct estimate_past *past = &estimate->past[i][tier];
        uint64_t ns = past->first_ns ? past->first_ns : seen_ns(past); // round 0 repeats nothing
        if (ns == 0)
            continue;
        double factor = without_fixed(workload, ns) / nominal_ns(workload);
        bool other = workload_on_tree(workload) != on_tree;
        sums[other] += log(fmin(fmax(factor, FACTOR_LEAST), FACTOR_MOST));
        counts[other]++;
    }
    if (counts[0] > 0)
        return exp(sums[0] / counts[0]);
    return counts[1] > 0 ? exp(LIKENESS * sums[1] / counts[1]) : 0;
}

// From the largest size of the same kind that was seen on that tier. 0: none was.
static uint64_t from_other_size(const struct estimate *estimate, size_t workload, unsigned tier)
{
    const struct workload *wanted = workload_at(estimate, workload);
    uint64_t best_ns = 0, best_bytes = 0;
    for (size_t i = 0; i < estimate->plan->workload_count; i++) {
        const struct workload *other = workload_at(estimate, i);
        const struct estimate_past *past = &estimate->past[i][tier];
        uint64_t ns = seen_ns(past);
        if (past->first_ns > 0 && past->first_ns < ns)
            ns = past->first_ns; // one of the two stalled, or the later ones are repeated
        if (other->kind != wanted->kind || other->bytes <= best_bytes || ns == 0)
            continue;
        best_bytes = other->bytes;
        best_ns = ns;
    }
    if (best_bytes == 0)
        return 0;
    return fixed_ns(wanted) +
           (uint64_t)(without_fixed(wanted, best_ns) * (double)wanted->bytes / (double)best_bytes);
}

// What sections of a workload are expected to take on a tier.
struct expected {
    bool known; // the tier was seen at work
    bool firm;  // and the workload on it, in a round like those to come
    uint64_t first_ns;
    uint64_t later_ns; // after round 0
};

static struct expected expect(const struct estimate *estimate, size_t workload, unsigned tier)
{
    const struct estimate_past *past = &estimate->past[workload][tier];
    const struct workload *what = workload_at(estimate, workload);
    bool on_tree = workload_on_tree(what);
    uint64_t ns = past->first_ns ? past->first_ns : seen_ns(past);
    if (ns == 0)
        ns = from_other_size(estimate, workload, tier);
    bool known = ns > 0;
    if (!known) {
        double factor = tier_factor(estimate, tier, on_tree);
        known = factor > 0;
        ns = fixed_ns(what) + (uint64_t)(nominal_ns(what) * (known ? factor : 1));
    }
    struct expected expected = {.known = known, .firm = past->count > 0, .first_ns = ns, .later_ns = ns};
    bool in_round_0 = on_tree && estimate->plan->warmup_rounds > 0 && !what->follow_up;
    bool repeated = past->first_ns > 0 || in_round_0;
    if (expected.firm)
        expected.later_ns = seen_ns(past);
    else if (repeated && ns < REPEATED_NS + what->wait_ns)
        expected.later_ns = REPEATED_NS + what->wait_ns;
    return expected;
}

uint64_t estimate_expect(const struct estimate *estimate, size_t section)
{
    const struct section *what = &estimate->schedule->sections[section];
    if (estimate->left_out[what->workload][what->tier])
        return 0;
    struct expected expected = expect(estimate, what->workload, what->tier);
    return what->idle_ns + (what->round == 0 ? expected.first_ns : expected.later_ns);
}

// What remains to be done from a section on; `known` is cleared where too little was seen to tell.
static double remaining_ns(const struct estimate *estimate, size_t section, uint64_t elapsed_ns, bool *known)
{
    static const struct expected none = {0};
    const struct schedule *schedule = estimate->schedule;
    struct expected expected[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];
    for (size_t i = 0; i < estimate->plan->workload_count; i++)
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
            expected[i][tier] = estimate->left_out[i][tier] ? none : expect(estimate, i, tier);

    double sum_ns = 0;
    for (size_t i = section; i < schedule->length; i++) {
        const struct section *next = &schedule->sections[i];
        if (estimate->left_out[next->workload][next->tier])
            continue;
        struct expected *what = &expected[next->workload][next->tier];
        uint64_t ns = next->idle_ns + (next->round == 0 ? what->first_ns : what->later_ns);
        *known &= what->known;
        if (i == section) {
            // One that takes longer than was thought, and is the first of its kind, tells of those to come.
            uint64_t work_ns = elapsed_ns > next->idle_ns ? elapsed_ns - next->idle_ns : 0;
            if (!what->firm && what->later_ns < work_ns)
                what->later_ns = work_ns;
            ns = ns > elapsed_ns ? ns - elapsed_ns : 0;
        }
        sum_ns += (double)ns;
    }
    return sum_ns;
}

struct estimated estimate_now(struct estimate *estimate, size_t section, uint64_t elapsed_ns)
{
    static const double most_ns = 4e18;
    struct estimated estimated = {.has_remaining = true};
    double left_ns = remaining_ns(estimate, section, elapsed_ns, &estimated.has_remaining);
    double passed_ns = (double)estimate->passed_ns + (double)elapsed_ns;
    estimated.remaining_ns = (uint64_t)fmin(left_ns, most_ns);
    if (section >= estimate->schedule->length)
        estimate->fraction = 1;
    else if (passed_ns > 0)
        estimate->fraction = fmax(estimate->fraction, fmin(passed_ns / (passed_ns + left_ns), FRACTION_MOST));
    estimated.fraction = estimate->fraction;
    return estimated;
}
