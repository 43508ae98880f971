// rule_cache.c: page cache, attribute cache, a server's own, and O_DIRECT.
#include "analysis/rule_cache.h"

#include "analysis/figures.h"
#include "analysis/page.h"
#include "analysis/reads.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- readback-mismatch ----

// Names the first difference where the sample does.
static void put_place(struct answer *answer, const struct sample *sample)
{
    const struct sample_error *error = &sample->error;
    char *place = NULL;
    bool named = error->call && strcmp(error->call, "verify") == 0 && error->path && error->path[0];
    if (named && error->has_offset)
        place = xformat("%s, offset %" PRIu64 ":", error->path, error->offset);
    else
        place = named ? xformat("%s:", error->path) : xstrdup("Files");
    answer_put_text(answer, "place", place);
    free(place);
}

enum outcome rule_readback_mismatch(const struct subject *subject, struct answer *answer)
{
    const struct run *run = subject->facts->run;
    const struct sample *first = NULL;
    double blocks = 0, differ = 0;
    bool looked = false;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];
        if (sample->tier != subject->tier || !sample->has_verify)
            continue;
        looked = true;
        blocks += (double)sample->verify_blocks;
        differ += (double)sample->verify_mismatches;
        if (!first && sample->verify_mismatches > 0)
            first = sample;
    }
    if (!looked)
        return answer_lacks(answer, "nothing was read back");
    if (!first)
        return OUTCOME_QUIET;
    put_place(answer, first);
    answer_put_text(answer, "workload", run->plan.workloads[first->workload].id);
    answer_put(answer, "differ", QUANTITY_COUNT, differ);
    answer_put(answer, "blocks", QUANTITY_COUNT, blocks);
    return OUTCOME_FIRED;
}

// ---- Direct against buffered ----

static bool contradicts(const struct subject *subject, struct read_pair *pair,
                        struct request_finding *finding)
{
    if (!reads_contradict(subject->facts, subject->thresholds, subject->metric, subject->tier, pair))
        return false;
    reads_explain(subject->facts, subject->thresholds, subject->tier, pair, finding);
    return true;
}

static bool is_explained(const struct request_finding *finding)
{
    return finding->size == REQUEST_ALIKE || finding->size == REQUEST_PROBED;
}

// Whether there is anything to hold a sequential read against: one of the other kind on this tier.
static bool has_other_kind(const struct subject *subject)
{
    const struct plan *plan = &subject->facts->run->plan;
    bool is_direct = subject_workload(subject)->access == ACCESS_DIRECT;
    for (enum access access = 0; access < ACCESS_COUNT; access++) {
        const struct counterpart like = {.kind = WORKLOAD_SEQ_READ, .access = access};
        size_t other = counterpart_of(plan, subject->metric, &like);
        struct summary values;
        if (other != SIZE_MAX && (access == ACCESS_DIRECT) != is_direct &&
            figures_values(&subject->facts->tiers[other][subject->tier], &values))
            return true;
    }
    return false;
}

enum outcome rule_direct_beats_cached(const struct subject *subject, struct answer *answer)
{
    struct read_pair pair;
    struct request_finding finding;
    if (subject_workload(subject)->kind != WORKLOAD_SEQ_READ)
        return OUTCOME_QUIET;
    if (!has_other_kind(subject))
        return answer_lacks(answer, "no direct and buffered reads of the same bytes are measured");
    if (!contradicts(subject, &pair, &finding) || is_explained(&finding))
        return OUTCOME_QUIET;
    answer_put(answer, "direct", QUANTITY_RATE, pair.direct_rate * 1e6);
    answer_put(answer, "buffered", QUANTITY_RATE, pair.buffered_rate * 1e6);
    answer_put(answer, "factor", QUANTITY_FACTOR, pair.factor);
    return OUTCOME_FIRED;
}

enum { EXPLAINED_BY_PROBE, EXPLAINED_BY_TIME };

static enum outcome lacks_read_ahead(struct answer *answer, const struct request_finding *finding)
{
    char buffered[UNITS_TEXT_SIZE], direct[UNITS_TEXT_SIZE], block[UNITS_TEXT_SIZE];
    units_duration((uint64_t)fmin(finding->buffered_ns, 1e18), "us", buffered);
    units_duration((uint64_t)fmin(finding->direct_ns, 1e18), "us", direct);
    units_bytes(finding->direct_bytes, block);
    return answer_lacks(answer,
                        "the size of the buffered requests isn't known, and no direct read of that size was "
                        "made; with the usual 128 KiB each took %s, and a direct one of %s took %s",
                        buffered, block, direct);
}

enum outcome rule_request_size_explains(const struct subject *subject, struct answer *answer)
{
    struct read_pair pair;
    struct request_finding finding;
    if (!contradicts(subject, &pair, &finding))
        return OUTCOME_QUIET;
    if (finding.size == REQUEST_UNKNOWN)
        return lacks_read_ahead(answer, &finding);
    if (!is_explained(&finding))
        return OUTCOME_QUIET;
    answer->message = finding.size == REQUEST_PROBED ? EXPLAINED_BY_PROBE : EXPLAINED_BY_TIME;
    answer_put(answer, "direct_block", QUANTITY_BYTES, (double)finding.direct_bytes);
    answer_put(answer, "direct", QUANTITY_RATE, pair.direct_rate * 1e6);
    answer_put(answer, "buffered", QUANTITY_RATE, pair.buffered_rate * 1e6);
    if (finding.size == REQUEST_PROBED) {
        answer_put(answer, "probe_block", QUANTITY_BYTES, (double)finding.probe_bytes);
        answer_put(answer, "probe", QUANTITY_RATE, finding.probe_rate * 1e6);
        return OUTCOME_FIRED;
    }
    answer_put(answer, "buffered_block", QUANTITY_BYTES, (double)finding.buffered_bytes);
    answer_put(answer, "buffered_time", QUANTITY_NS, finding.buffered_ns);
    answer_put(answer, "direct_time", QUANTITY_NS, finding.direct_ns);
    return OUTCOME_FIRED;
}

// ---- In memory or not ----

static bool is_share(struct real real)
{
    return real.known && real.value >= 0 && real.value <= 1;
}

// The least and the greatest share that was in the page cache before the rounds. False where a round doesn't
// know.
static bool resident_before(const struct tier_facts *facts, double *least, double *greatest)
{
    *least = 1;
    *greatest = 0;
    for (size_t i = 0; i < facts->count; i++) {
        struct real share = facts->rounds[i].sample->resident_before;
        if (!is_share(share))
            return false;
        *least = fmin(*least, share.value);
        *greatest = fmax(*greatest, share.value);
    }
    return facts->count > 0;
}

// Why a cold read isn't one.
enum warmth { WARMTH_NONE, WARMTH_UNKNOWN, WARMTH_RESIDENT, WARMTH_KEPT, WARMTH_FAST };

static enum warmth warmth_of(const struct subject *subject, size_t cold, double *resident, double *rate)
{
    const struct tier_facts *facts = &subject->facts->tiers[cold][subject->tier];
    const struct run_tier *tier = subject_tier(subject);
    struct summary values;
    double least;
    bool known = resident_before(facts, &least, resident);
    *rate = figures_values(facts, &values) ? values.median * 1e6 : 0;
    if (mount_in_memory(&tier->mount))
        return WARMTH_KEPT;
    if (known && *resident > subject_threshold(subject, THRESHOLD_COLD_RESIDENT))
        return WARMTH_RESIDENT;
    if (!known && tier->supports.evict.known && !tier->supports.evict.value)
        return WARMTH_KEPT;
    if (*rate > subject_threshold(subject, THRESHOLD_COLD_RATE) * 1e9)
        return WARMTH_FAST;
    return known ? WARMTH_NONE : WARMTH_UNKNOWN;
}

enum { WARM_RESIDENT, WARM_KEPT, WARM_FAST };

enum outcome rule_cold_was_warm(const struct subject *subject, struct answer *answer)
{
    double resident, rate;
    switch (warmth_of(subject, subject->metric, &resident, &rate)) {
    case WARMTH_NONE:
        return OUTCOME_QUIET;
    case WARMTH_UNKNOWN:
        return answer_lacks(answer, "%s", need_words(NEED_RESIDENCY));
    case WARMTH_RESIDENT:
        answer->message = WARM_RESIDENT;
        answer_put(answer, "resident", QUANTITY_SHARE, resident);
        break;
    case WARMTH_KEPT:
        answer->message = WARM_KEPT;
        break;
    case WARMTH_FAST:
        answer->message = WARM_FAST;
        answer_put(answer, "rate", QUANTITY_RATE, rate);
        break;
    }
    return OUTCOME_FIRED;
}

// The cold read of the same bytes that a read again follows; SIZE_MAX where it isn't measured on this tier.
static size_t cold_of(const struct subject *subject, struct summary *cold)
{
    const struct counterpart like = {.kind = WORKLOAD_SEQ_READ, .access = ACCESS_COLD};
    size_t found = counterpart_of(&subject->facts->run->plan, subject->metric, &like);
    if (found == SIZE_MAX || !figures_values(&subject->facts->tiers[found][subject->tier], cold) ||
        !(cold->median > 0))
        return SIZE_MAX;
    return found;
}

// How a read again was opened.
static void put_opened(const struct subject *subject, struct answer *answer)
{
    static const char *const opened[ACCESS_COUNT] = {
        [ACCESS_BUFFERED] = "as it was opened",
        [ACCESS_REOPENED] = "reopened",
        [ACCESS_SAME_FD] = "same descriptor",
    };
    const char *words = opened[subject_workload(subject)->access];
    answer_put_text(answer, "opened", words ? words : access_name(subject_workload(subject)->access));
}

static const char no_cold_read[] = "no cold read of the same bytes is measured";

enum outcome rule_again_not_faster(const struct subject *subject, struct answer *answer)
{
    struct summary cold;
    double again_s, cold_s, least, greatest, rate;
    size_t first = cold_of(subject, &cold);
    if (first == SIZE_MAX)
        return answer_lacks(answer, no_cold_read);
    if (!figures_seconds(subject->facts, subject->metric, subject->tier, &again_s) ||
        !figures_seconds(subject->facts, first, subject->tier, &cold_s))
        return answer_lacks(answer, "the times of both reads aren't known");
    double margin = subject_threshold(subject, THRESHOLD_AGAIN_MARGIN);
    if (again_s > cold_s * margin || again_s * margin < cold_s)
        return OUTCOME_QUIET;
    // Both from memory are alike too.
    bool known = resident_before(subject_facts(subject), &least, &greatest);
    enum warmth warmth = warmth_of(subject, first, &greatest, &rate);
    if ((known && least >= subject_threshold(subject, THRESHOLD_AGAIN_RESIDENT)) ||
        (warmth != WARMTH_NONE && warmth != WARMTH_UNKNOWN))
        return OUTCOME_QUIET;
    uint64_t bytes = workload_bytes(subject_workload(subject));
    answer_put(answer, "bytes", QUANTITY_BYTES, (double)bytes);
    put_opened(subject, answer);
    answer_put(answer, "again", QUANTITY_NS, again_s * NS_PER_S);
    answer_put(answer, "cold", QUANTITY_NS, cold_s * NS_PER_S);
    answer_put(answer, "rate", QUANTITY_RATE, cold.median * 1e6);
    answer_put(answer, "ratio", QUANTITY_NUMBER, again_s / cold_s);
    return OUTCOME_FIRED;
}

enum outcome rule_again_from_cache(const struct subject *subject, struct answer *answer)
{
    struct summary cold, again;
    double least, greatest;
    if (cold_of(subject, &cold) == SIZE_MAX || !figures_values(subject_facts(subject), &again))
        return answer_lacks(answer, no_cold_read);
    double factor = again.median / cold.median;
    if (!isfinite(factor) || factor <= subject_threshold(subject, THRESHOLD_AGAIN_CACHED))
        return OUTCOME_QUIET;
    if (!resident_before(subject_facts(subject), &least, &greatest))
        return answer_lacks(answer, "%s", need_words(NEED_RESIDENCY));
    if (least < subject_threshold(subject, THRESHOLD_AGAIN_RESIDENT))
        return OUTCOME_QUIET;
    put_opened(subject, answer);
    answer_put(answer, "resident", QUANTITY_SHARE, least);
    answer_put(answer, "factor", QUANTITY_FACTOR, factor);
    return OUTCOME_FIRED;
}

enum outcome rule_server_cache_unknown(const struct subject *subject, struct answer *answer)
{
    const struct mount *mount = &subject_tier(subject)->mount;
    if (!mount_is_remote(mount))
        return OUTCOME_QUIET;
    answer_put_text(answer, "type", mount->type);
    return OUTCOME_FIRED;
}

// Of the program's own rounds: an import tells nothing of it, and that isn't the disk's doing.
enum outcome rule_residency_unknown(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    double least, greatest;
    if (subject_workload(subject)->kind != WORKLOAD_SEQ_READ || subject_tier(subject)->null)
        return OUTCOME_QUIET;
    if (facts->count == 0 || subject->facts->run->origin == RUN_IMPORTED)
        return answer_lacks(answer, "%s", need_words(NEED_RESIDENCY));
    if (resident_before(facts, &least, &greatest))
        return OUTCOME_QUIET;
    return OUTCOME_FIRED;
}

enum { DIRECT_CACHED, DIRECT_MEMORY };

enum outcome rule_direct_not_direct(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    const struct mount *mount = &subject_tier(subject)->mount;
    if (subject_workload(subject)->access != ACCESS_DIRECT)
        return OUTCOME_QUIET;
    if (mount_in_memory(mount)) {
        answer->message = DIRECT_MEMORY;
        answer_put_text(answer, "type", mount->type);
        return OUTCOME_FIRED;
    }
    double rise = -1;
    for (size_t i = 0; i < facts->count; i++) {
        const struct sample *sample = facts->rounds[i].sample;
        if (!is_share(sample->resident_before) || !is_share(sample->resident_after))
            return answer_lacks(answer, "what was in memory before and after the read isn't known");
        rise = fmax(rise, sample->resident_after.value - sample->resident_before.value);
    }
    if (facts->count == 0)
        return answer_lacks(answer, "what was in memory before and after the read isn't known");
    if (rise <= subject_threshold(subject, THRESHOLD_DIRECT_RESIDENT))
        return OUTCOME_QUIET;
    answer->message = DIRECT_CACHED;
    answer_put(answer, "rise", QUANTITY_SHARE, rise);
    return OUTCOME_FIRED;
}

enum outcome rule_fits_in_memory(const struct subject *subject, struct answer *answer)
{
    const struct host_memory *memory = &subject->facts->run->host.memory;
    double least, greatest, free_bytes = INFINITY;
    if (resident_before(subject_facts(subject), &least, &greatest))
        return OUTCOME_QUIET; // the eviction was looked at
    if (memory->available_bytes.known)
        free_bytes = (double)memory->available_bytes.value;
    if (memory->limit_bytes.known)
        free_bytes = fmin(free_bytes, (double)memory->limit_bytes.value);
    if (!(free_bytes > 0) || isinf(free_bytes))
        return answer_lacks(answer, "how much memory was free isn't known");
    double share = (double)workload_bytes(subject_workload(subject)) / free_bytes;
    if (share >= subject_threshold(subject, THRESHOLD_FITS_SHARE))
        return OUTCOME_QUIET;
    answer_put(answer, "share", QUANTITY_SHARE, share);
    return OUTCOME_FIRED;
}

// ---- walk-cache-window ----

// The seconds of a walk after a wait, in the rounds or as a follow-up.
static bool later_seconds(const struct subject *subject, size_t later, double *seconds)
{
    struct summary values;
    if (later == SIZE_MAX)
        return false;
    if (figures_seconds(subject->facts, later, subject->tier, seconds))
        return true;
    bool found = figures_follow_up(&subject->facts->tiers[later][subject->tier], &values);
    *seconds = values.median / 1e3;
    return found && *seconds > 0;
}

enum { WALK_SAYS_QUICK, WALK_SAYS_ALIKE };

enum outcome rule_walk_cache_window(const struct subject *subject, struct answer *answer)
{
    const struct plan *plan = &subject->facts->run->plan;
    if (subject_workload(subject)->kind != WORKLOAD_WALK)
        return OUTCOME_QUIET;
    const struct counterpart like = {.kind = WORKLOAD_WALK_LATER, .access = ACCESS_BUFFERED};
    size_t later = counterpart_of(plan, subject->metric, &like);
    double now_s, later_s;
    if (!later_seconds(subject, later, &later_s)) {
        const struct mount *mount = &subject_tier(subject)->mount;
        if (mount->type && !mount_is_remote(mount))
            return OUTCOME_QUIET; // the kernel needn't ask anybody
        return answer_lacks(answer, "no walk of the same tree after a wait is measured");
    }
    if (!figures_seconds(subject->facts, subject->metric, subject->tier, &now_s))
        return answer_lacks(answer, "the time of the walk isn't known");
    if (later_s < now_s * subject_threshold(subject, THRESHOLD_WALK_FACTOR)) {
        answer->verdict = VERDICT_INFO;
        answer->message = WALK_SAYS_ALIKE;
    }
    answer_put(answer, "now", QUANTITY_NS, now_s * NS_PER_S);
    answer_put(answer, "later", QUANTITY_NS, later_s * NS_PER_S);
    answer_put(answer, "wait", QUANTITY_NS, (double)plan->workloads[later].wait_ns);
    answer_put(answer, "factor", QUANTITY_FACTOR, later_s / now_s);
    return OUTCOME_FIRED;
}
