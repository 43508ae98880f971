// reads.c: which direct read stands beside which buffered one, and what a request costs.
#include "analysis/reads.h"

#include "analysis/figures.h"
#include "base/clock.h"
#include "base/units.h"

#include <math.h>

// ---- Pairs ----

static const enum access buffered_again[] = {ACCESS_REOPENED, ACCESS_SAME_FD, ACCESS_BUFFERED};
enum { BUFFERED_AGAIN = sizeof buffered_again / sizeof *buffered_again, CANDIDATES = BUFFERED_AGAIN + 1 };

static bool is_measured(const struct facts *facts, size_t workload, unsigned tier)
{
    struct summary values;
    return workload != SIZE_MAX && figures_values(&facts->tiers[workload][tier], &values) && values.min > 0;
}

static size_t read_with(const struct facts *facts, size_t workload, unsigned tier, enum access access,
                        uint64_t block_bytes)
{
    const struct plan *plan = &facts->run->plan;
    const struct counterpart like = {.kind = WORKLOAD_SEQ_READ, .access = access, .block_bytes = block_bytes};
    size_t found =
        plan->workloads[workload].access == access ? workload : counterpart_of(plan, workload, &like);
    return is_measured(facts, found, tier) ? found : SIZE_MAX;
}

// The buffered reads that a direct one is held against. Returns how many they are.
static size_t buffered_of(const struct facts *facts, size_t workload, unsigned tier, size_t list[CANDIDATES])
{
    size_t count = 0;
    for (size_t i = 0; i < BUFFERED_AGAIN; i++) {
        size_t found = read_with(facts, workload, tier, buffered_again[i], 0);
        if (found != SIZE_MAX)
            list[count++] = found;
    }
    if (count == 0) {
        size_t cold = read_with(facts, workload, tier, ACCESS_COLD, 0);
        if (cold != SIZE_MAX)
            list[count++] = cold;
    }
    return count;
}

// The largest block first: it has the most to gain.
static size_t direct_of(const struct facts *facts, size_t workload, unsigned tier)
{
    size_t found = read_with(facts, workload, tier, ACCESS_DIRECT, MIB);
    return found != SIZE_MAX ? found : read_with(facts, workload, tier, ACCESS_DIRECT, 0);
}

static bool beats(const struct facts *facts, const struct thresholds *thresholds, unsigned tier,
                  struct read_pair *pair)
{
    struct summary direct, buffered;
    if (!figures_values(&facts->tiers[pair->direct][tier], &direct) ||
        !figures_values(&facts->tiers[pair->buffered][tier], &buffered) || !(buffered.median > 0))
        return false;
    pair->direct_rate = direct.median;
    pair->buffered_rate = buffered.median;
    pair->factor = direct.median / buffered.median;
    bool single = direct.n < 2 || buffered.n < 2;
    double least = threshold_value(thresholds, single ? THRESHOLD_DIRECT_SINGLE : THRESHOLD_DIRECT_FACTOR);
    return isfinite(pair->factor) && pair->factor >= least && direct.min > buffered.max;
}

bool reads_contradict(const struct facts *facts, const struct thresholds *thresholds, size_t workload,
                      unsigned tier, struct read_pair *pair)
{
    const struct workload *of = &facts->run->plan.workloads[workload];
    if (of->kind != WORKLOAD_SEQ_READ || !is_measured(facts, workload, tier))
        return false;
    bool is_direct = of->access == ACCESS_DIRECT;
    size_t direct = is_direct ? workload : direct_of(facts, workload, tier), buffered[CANDIDATES];
    size_t count = direct == SIZE_MAX ? 0 : buffered_of(facts, workload, tier, buffered);
    for (size_t i = 0; i < count; i++) {
        *pair = (struct read_pair){.direct = direct, .buffered = buffered[i]};
        if ((is_direct || buffered[i] == workload) && beats(facts, thresholds, tier, pair))
            return true;
    }
    return false;
}

// ---- The size of a request ----

size_t reads_probe(const struct plan *plan, size_t direct)
{
    const struct counterpart like = {
        .kind = WORKLOAD_SEQ_READ, .access = ACCESS_DIRECT, .block_bytes = READ_AHEAD_USUAL};
    return plan->workloads[direct].block_bytes == READ_AHEAD_USUAL ? direct
                                                                   : counterpart_of(plan, direct, &like);
}

static double request_ns(uint64_t bytes, double rate)
{
    return (double)bytes / 1e6 / rate * NS_PER_S;
}

static bool alike(const struct thresholds *thresholds, double value, double reference)
{
    return fabs(value - reference) <= threshold_value(thresholds, THRESHOLD_REQUEST_MARGIN) * reference;
}

static void take_probe(const struct facts *facts, size_t probe, unsigned tier,
                       struct request_finding *finding)
{
    struct summary values;
    if (probe == SIZE_MAX)
        return;
    const struct tier_facts *of = &facts->tiers[probe][tier];
    if (!figures_values(of, &values) && !figures_follow_up(of, &values))
        return;
    finding->probe_bytes = facts->run->plan.workloads[probe].block_bytes;
    finding->probe_rate = values.median;
}

void reads_explain(const struct facts *facts, const struct thresholds *thresholds, unsigned tier,
                   const struct read_pair *pair, struct request_finding *finding)
{
    const struct plan *plan = &facts->run->plan;
    struct count read_ahead = facts->run->tiers[tier].device.read_ahead_bytes;
    bool known = read_ahead.known && read_ahead.value > 0;
    *finding = (struct request_finding){.buffered_bytes = known ? read_ahead.value : 0,
                                        .direct_bytes = plan->workloads[pair->direct].block_bytes};
    finding->buffered_ns = request_ns(known ? read_ahead.value : READ_AHEAD_USUAL, pair->buffered_rate);
    finding->direct_ns = request_ns(finding->direct_bytes, pair->direct_rate);
    take_probe(facts, reads_probe(plan, pair->direct), tier, finding);
    if (finding->probe_bytes && alike(thresholds, finding->probe_rate, pair->buffered_rate)) {
        finding->size = REQUEST_PROBED;
        return;
    }
    // A probe decides, but for one in another size than that of the buffered requests.
    if (finding->probe_bytes && (!known || read_ahead.value == finding->probe_bytes)) {
        finding->size = REQUEST_DIFFERS;
        return;
    }
    finding->size = REQUEST_UNKNOWN;
    if (known)
        finding->size =
            alike(thresholds, finding->buffered_ns, finding->direct_ns) ? REQUEST_ALIKE : REQUEST_DIFFERS;
}
