// rule_harness.c: whether the program itself, its clock or its output is in the figures.
#include "analysis/rule_harness.h"

#include "analysis/figures.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "stats/phase.h"
#include "stats/summary.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Over the rounds ----

static double wall_of(const struct subject *subject, const struct sample *sample)
{
    (void)subject;
    return (double)sample->wall_ns;
}

static double batch_of(const struct subject *subject, const struct sample *sample)
{
    return wall_of(subject, sample) / (double)sample->batches;
}

// Of what each round says, the median.
static double median_of(const struct subject *subject,
                        double (*of)(const struct subject *subject, const struct sample *sample))
{
    const struct tier_facts *facts = subject_facts(subject);
    double *values = xcalloc(facts->count, sizeof *values);
    for (size_t i = 0; i < facts->count; i++)
        values[i] = of(subject, facts->rounds[i].sample);
    double median = summarize(values, facts->count).median;
    free(values);
    return median;
}

// How long a round took: the median of those that were measured, else what an import says of one. False where
// nothing tells.
static bool round_wall(const struct subject *subject, double *wall_ns)
{
    const struct tier_facts *facts = subject_facts(subject);
    const struct imported_summary *summary = facts->summary;
    if (facts->count > 0)
        *wall_ns = median_of(subject, wall_of);
    else if (summary && summary->wall_ns.known)
        *wall_ns = (double)summary->wall_ns.value;
    else if (summary && summary->median.known && summary->median.value > 0)
        *wall_ns = figures_seconds_at(subject_workload(subject), summary->median.value) * NS_PER_S;
    else
        return false;
    return true;
}

// ---- The loop and the clock ----

// o / x, where o is a batch with calls that do nothing (hyperfine warns of commands below 5 ms, which its own
// overhead could be in). Very large files are calibrated by their beginning.
enum outcome rule_overhead_floor(const struct subject *subject, struct answer *answer)
{
    const struct workload *workload = subject_workload(subject);
    const struct loop_overhead *overhead = &subject->facts->run->calibration.overhead[subject->metric];
    if (overhead->ops == 0)
        return answer_lacks(answer, "%s", need_words(NEED_CALIBRATION));
    double whole = (double)workload_ops(workload) / (double)overhead->ops;
    double loop_ns = (double)overhead->wall_ns.value * whole;
    double batch_ns = median_of(subject, batch_of);
    double share = loop_ns / batch_ns;
    answer_put(answer, "loop", QUANTITY_NS, loop_ns);
    answer_put(answer, "batch", QUANTITY_NS, batch_ns);
    answer_put(answer, "share", QUANTITY_SHARE, share);
    if (subject_tier(subject)->null) {
        answer->verdict = VERDICT_INFO;
        answer->message = 1;
        return OUTCOME_FIRED;
    }
    if (share < subject_threshold(subject, THRESHOLD_OVERHEAD_CAVEAT))
        return OUTCOME_QUIET;
    if (share < subject_threshold(subject, THRESHOLD_OVERHEAD_DISCARD))
        answer->verdict = VERDICT_CAVEAT;
    return OUTCOME_FIRED;
}

// hyperfine asks for 5 ms, pyperf for 1 ms; a thousand steps of the clock are 0.1 % of it.
enum outcome rule_too_short(const struct subject *subject, struct answer *answer)
{
    enum { OF_FILES, OF_ALL, OF_STEPS };
    double wall_ns;
    if (!round_wall(subject, &wall_ns))
        return answer_lacks(answer, "%s", need_words(NEED_ROUNDS));
    const struct count *step = &subject->facts->run->calibration.clock_step_ns;
    bool has_step = step->known && step->value > 0;
    double steps = has_step ? wall_ns / (double)step->value : INFINITY;
    answer_put(answer, "wall", QUANTITY_NS, wall_ns);
    if (has_step)
        answer_put(answer, "steps", QUANTITY_COUNT, steps);
    answer->message = workload_on_tree(subject_workload(subject)) ? OF_FILES : OF_ALL;

    double wall_ms = wall_ns / NS_PER_MS;
    if (wall_ms < subject_threshold(subject, THRESHOLD_SHORT_DISCARD))
        return OUTCOME_FIRED;
    if (steps < subject_threshold(subject, THRESHOLD_SHORT_STEPS)) {
        answer->message = OF_STEPS;
        return OUTCOME_FIRED;
    }
    if (wall_ms < subject_threshold(subject, THRESHOLD_SHORT_CAVEAT)) {
        answer->verdict = VERDICT_CAVEAT;
        return OUTCOME_FIRED;
    }
    return has_step ? OUTCOME_QUIET : answer_lacks(answer, "%s", need_words(NEED_CLOCK_STEP));
}

// The longest round of a metric on a tier, in ns; 0 where nothing tells.
static double longest_round(const struct subject *subject)
{
    const struct tier_facts *facts = subject_facts(subject);
    double longest_ns = 0;
    for (size_t i = 0; i < facts->count; i++)
        longest_ns = fmax(longest_ns, (double)facts->rounds[i].sample->wall_ns);
    if (facts->count == 0)
        (void)round_wall(subject, &longest_ns);
    return longest_ns;
}

// IO500 asks for writes of 300 s; clouds let a disk go faster for a while and refill a quota.
enum outcome rule_short_run(const struct subject *subject, struct answer *answer)
{
    const struct facts *facts = subject->facts;
    double longest_ns = 0;
    for (size_t i = 0; i < facts->length; i++) {
        if (!(CLASSES_WRITES & CLASS_BIT(metric_class_of(&facts->run->plan.workloads[i]))))
            continue;
        for (unsigned tier = 0; tier < facts->run->tier_count; tier++) {
            struct subject write = *subject;
            write.metric = i;
            write.tier = tier;
            longest_ns = fmax(longest_ns, longest_round(&write));
        }
    }
    if (longest_ns == 0 || longest_ns >= subject_threshold(subject, THRESHOLD_SHORT_RUN) * NS_PER_S)
        return OUTCOME_QUIET;
    answer_put(answer, "wall", QUANTITY_NS, longest_ns);
    return OUTCOME_FIRED;
}

// While a machine is suspended the wall clock goes on and CLOCK_MONOTONIC doesn't: that is no adjustment.
static double adjustment(const struct sample *sample)
{
    const struct system_use *system = &sample->system;
    double drift_ns = (double)system->realtime_drift_ns.value;
    return drift_ns - (system->suspended_ns.known ? (double)system->suspended_ns.value : 0);
}

enum outcome rule_clock_stepped(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    const struct round_facts *worst = &facts->rounds[0];
    for (size_t i = 1; i < facts->count; i++)
        if (fabs(adjustment(facts->rounds[i].sample)) > fabs(adjustment(worst->sample)))
            worst = &facts->rounds[i];
    double step_ns = fabs(adjustment(worst->sample));
    if (step_ns <= subject_threshold(subject, THRESHOLD_CLOCK_STEP) * NS_PER_MS)
        return OUTCOME_QUIET;
    answer_put(answer, "step", QUANTITY_NS, step_ns);
    answer_put(answer, "round", QUANTITY_COUNT, worst->round);
    return OUTCOME_FIRED;
}

// ---- Time in no operation ----

#define BIT(phase) (1u << PHASE_##phase)

// The calls that are timed beside an operation, and not as a part of it. Of a file that is read, PHASE_READ
// is the last one, which gives nothing.
static const unsigned apart[WORKLOAD_KINDS] = {
    [WORKLOAD_CREATE] = 0,
    [WORKLOAD_WALK] = BIT(OPEN) | BIT(READDIR) | BIT(CLOSE),
    [WORKLOAD_WALK_LATER] = BIT(OPEN) | BIT(READDIR) | BIT(CLOSE),
    [WORKLOAD_READ_TREE] = 0,
    [WORKLOAD_RENAME] = 0,
    [WORKLOAD_DELETE] = BIT(RMDIR),
    [WORKLOAD_SEQ_READ] = BIT(OPEN) | BIT(READ) | BIT(CLOSE),
    [WORKLOAD_RAND_READ] = BIT(READ),
    [WORKLOAD_RAND_WRITE] = BIT(FSYNC),
    [WORKLOAD_COMMIT] = 0,
    [WORKLOAD_SEQ_WRITE] = BIT(OPEN) | BIT(FSYNC) | BIT(DIRSYNC) | BIT(CLOSE),
};

// What stamps cost between the calls, by 4 KiB: they are made in what is written and compared in what is
// read.
static const struct count *stamp_cost(const struct subject *subject)
{
    const struct calibration *calibration = &subject->facts->run->calibration;
    const struct workload_description *description = &workload_descriptions[subject_workload(subject)->kind];
    if (description->writes)
        return &calibration->stamp_ns;
    return description->reads ? &calibration->check_stamp_ns : NULL;
}

static double stamping(const struct subject *subject, const struct sample *sample)
{
    const struct workload *workload = subject_workload(subject);
    const struct count *cost = stamp_cost(subject);
    if (!cost || !cost->known)
        return 0;
    // A small file is a whole number of stamps.
    double batch =
        (double)(workload_on_tree(workload) ? workload_payload(workload) : workload_bytes(workload));
    return (double)cost->value * batch / MIB * (double)sample->batches;
}

static double unaccounted(const struct subject *subject, const struct sample *sample)
{
    const struct workload *workload = subject_workload(subject);
    double timed_ns = workload->threads * ((double)sample->wall_ns - (double)sample->sync_ns);
    if (timed_ns <= 0)
        return 0; // all of it was the sync
    double accounted_ns = (double)sample->latency[PHASE_OP].sum_ns + stamping(subject, sample);
    for (unsigned phase = 0; phase < PHASE_COUNT; phase++)
        if (apart[workload->kind] & (1u << phase))
            accounted_ns += (double)sample->latency[phase].sum_ns;
    return (timed_ns - accounted_ns) / timed_ns;
}

enum outcome rule_time_unaccounted(const struct subject *subject, struct answer *answer)
{
    if (subject_tier(subject)->null)
        return OUTCOME_QUIET; // there is nothing but the loop
    double share = median_of(subject, unaccounted);
    if (share <= subject_threshold(subject, THRESHOLD_UNACCOUNTED))
        return OUTCOME_QUIET;
    const struct count *cost = stamp_cost(subject);
    if (cost && !cost->known)
        return answer_lacks(answer, "what stamping the data costs wasn't measured");
    answer_put(answer, "share", QUANTITY_SHARE, share);
    answer->message = subject_workload(subject)->threads > 1 ? 1 : 0;
    return OUTCOME_FIRED;
}

// ---- Output ----

enum outcome rule_output_on_tier(const struct subject *subject, struct answer *answer)
{
    const struct flag *holds = &subject_tier(subject)->holds_output;
    if (!holds->known)
        return answer_lacks(answer, "whether the result file lies on this disk isn't known");
    return holds->value ? OUTCOME_FIRED : OUTCOME_QUIET;
}

enum outcome rule_screen_perturbs(const struct subject *subject, struct answer *answer)
{
    const struct flag *screen = &subject->facts->run->screen;
    if (!screen->known)
        return answer_lacks(answer, "whether a screen was drawn isn't known");
    if (!screen->value)
        return OUTCOME_QUIET;
    const struct real *factor = &subject->facts->run->calibration.screen_factor;
    if (!factor->known)
        return answer_lacks(answer, "a screen was drawn, and the same wasn't measured without one");
    if (factor->value <= subject_threshold(subject, THRESHOLD_SCREEN_FACTOR))
        return OUTCOME_QUIET;
    answer_put(answer, "share", QUANTITY_SHARE, factor->value - 1);
    return OUTCOME_FIRED;
}

// ---- MB or MiB ----

// The last decimal place that a figure has, as a source wrote it: 0.1 of 16.3.
static double last_place(double value)
{
    double place = 1;
    for (unsigned i = 0; i < 9 && fabs(value / place - round(value / place)) > 1e-6; i++)
        place /= 10;
    return place;
}

// Whether so much in that time is the rate that was printed, with what rounding took from both.
static bool is_rate(double amount, double seconds, double printed)
{
    double time_off = last_place(seconds) / 2, rate_off = last_place(printed) / 2 * (1 + 1e-9);
    double least = amount / (seconds + time_off);
    double most = seconds > time_off ? amount / (seconds - time_off) : INFINITY;
    return least <= printed + rate_off && most >= printed - rate_off;
}

static void put_seconds(struct answer *answer, const char *name, double seconds)
{
    answer_put(answer, name, QUANTITY_NS, seconds * NS_PER_S);
    answer->evidence[answer->evidence_count - 1].text = xformat("%.4g s", seconds);
}

// MB is 10^6 bytes and MiB 2^20; dd prints the one and takes M for the other.
enum outcome rule_unit_unclear(const struct subject *subject, struct answer *answer)
{
    enum { MEANS_MIB, MEANS_MB, MEANS_NEITHER };
    const struct run *run = subject->facts->run;
    const struct workload *workload = subject_workload(subject);
    if (run->origin != RUN_IMPORTED ||
        workload_descriptions[workload->kind].unit != UNIT_MEGABYTES_PER_SECOND)
        return OUTCOME_QUIET;
    const struct imported_summary *summary =
        imported_summary_of(&run->summaries, subject->metric, subject->tier);
    if (!summary || !summary->wall_ns.known || summary->wall_ns.value == 0 || !summary->printed.known ||
        !summary->printed_unit)
        return answer_lacks(answer, "the source doesn't give both the time and the rate it makes of it");
    if (toupper((unsigned char)summary->printed_unit[0]) != 'M')
        return answer_lacks(answer, "the source's unit is neither MB/s nor MiB/s");

    double seconds = (double)summary->wall_ns.value / NS_PER_S, printed = summary->printed.value;
    double mib = (double)workload_bytes(workload) / MIB, mb = (double)workload_bytes(workload) / 1e6;
    bool is_mib = is_rate(mib, seconds, printed), is_mb = is_rate(mb, seconds, printed);
    if (is_mib && is_mb)
        return answer_lacks(answer, "the source's figures are too coarse to tell MB from MiB");
    if ((is_mib && strcmp(summary->printed_unit, "MiB/s") == 0) ||
        (is_mb && strcmp(summary->printed_unit, "MB/s") == 0))
        return OUTCOME_QUIET;
    answer_put(answer, "size", QUANTITY_BYTES, (double)workload_bytes(workload));
    put_seconds(answer, "wall", seconds);
    answer_put(answer, "mib", QUANTITY_NUMBER, mib / seconds);
    answer_put(answer, "mb", QUANTITY_NUMBER, mb / seconds);
    answer_put(answer, "printed", QUANTITY_NUMBER, printed);
    answer_put_text(answer, "unit", summary->printed_unit);
    answer->message = is_mib ? MEANS_MIB : is_mb ? MEANS_MB : MEANS_NEITHER;
    answer->verdict = answer->message == MEANS_NEITHER ? VERDICT_DISCARD : VERDICT_CAVEAT;
    return OUTCOME_FIRED;
}
