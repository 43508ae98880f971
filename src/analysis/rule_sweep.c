// rule_sweep.c: which size may be quoted, and what the disk did past its buffer.
#include "analysis/rule_sweep.h"

#include "analysis/fsync_wait.h"
#include "analysis/knee.h"
#include "analysis/sweep.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <stdlib.h>

static bool is_swept(const struct subject *subject)
{
    return subject_workload(subject)->kind == WORKLOAD_SEQ_WRITE;
}

static void derive(const struct subject *subject, struct sweep *sweep)
{
    sweep_derive(subject->facts, subject->metric, subject->tier, sweep);
}

static void put_size(struct answer *answer, const char *name, const struct sweep_size *size)
{
    answer_put(answer, name, QUANTITY_BYTES, (double)size->bytes);
}

// "306 to 351 MB/s", or the one rate that there is.
static void put_rates(struct answer *answer, const char *name, const struct sweep_size *size)
{
    char low[UNITS_TEXT_SIZE], high[UNITS_TEXT_SIZE];
    units_three_digits(size->low / 1e6, low);
    units_three_digits(size->high / 1e6, high);
    char *range = size->low < size->high ? xformat("%s to %s MB/s", low, high) : xformat("%s MB/s", high);
    answer_put_text(answer, name, range);
    free(range);
}

// ---- size-sweep-select ----

enum { SELECT_BUFFERED, SELECT_PAST_BUFFER, SELECT_QUOTED };

// The largest size: whether its average is the disk's. buffer-not-outrun speaks where it isn't.
static enum outcome select_largest(const struct subject *subject, struct answer *answer,
                                   const struct sweep *sweep)
{
    const struct sweep_size *largest = &sweep->sizes[sweep->count - 1];
    enum sweep_state state = sweep_judge(sweep, subject->thresholds);
    if (sweep->count < 3)
        return answer_lacks(answer, "a size between the two is missing: from two alone the rate past the "
                                    "buffer isn't known");
    if (state == SWEEP_UNKNOWN)
        return answer_lacks(answer, "the times of the last sizes don't tell the rates between them");
    if (state != SWEEP_OUTRUN)
        return OUTCOME_QUIET;
    answer->verdict = VERDICT_INFO;
    answer->message = SELECT_QUOTED;
    put_size(answer, "largest", largest);
    put_size(answer, "below", largest - 1);
    answer_put(answer, "reported", QUANTITY_RATE, largest->rate);
    answer_put(answer, "marginal", QUANTITY_RATE, largest->marginal.value);
    return OUTCOME_FIRED;
}

enum outcome rule_size_sweep_select(const struct subject *subject, struct answer *answer)
{
    struct sweep sweep;
    if (!is_swept(subject))
        return OUTCOME_QUIET;
    derive(subject, &sweep);
    const struct sweep_size *size = sweep_find(&sweep, subject->metric);
    if (!size)
        return answer_lacks(answer, "the time of this size isn't known");
    if (sweep.count < 2)
        return answer_lacks(answer, "one size alone doesn't show what a buffer took");
    const struct sweep_size *largest = &sweep.sizes[sweep.count - 1];
    if (size == largest)
        return select_largest(subject, answer, &sweep);
    double reported = sweep_reported(&sweep, subject->thresholds);
    double factor = size->rate / reported;
    if (!(factor > subject_threshold(subject, THRESHOLD_SWEEP_BUFFERED)))
        return OUTCOME_QUIET;
    enum sweep_state state = sweep_judge(&sweep, subject->thresholds);
    bool averaged = state == SWEEP_UNKNOWN || state == SWEEP_OUTRUN;
    answer->message = averaged ? SELECT_BUFFERED : SELECT_PAST_BUFFER;
    put_size(answer, "size", size);
    put_rates(answer, "rates", size);
    put_size(answer, "largest", largest);
    if (!averaged)
        put_size(answer, "below", largest - 1);
    answer_put(answer, "reported", QUANTITY_RATE, reported);
    answer_put(answer, "factor", QUANTITY_NUMBER, factor);
    return OUTCOME_FIRED;
}

// ---- buffer-not-outrun ----

enum { OUTRUN_BUFFERED, OUTRUN_UNLEVELLED, OUTRUN_HIDDEN };

enum outcome rule_buffer_not_outrun(const struct subject *subject, struct answer *answer)
{
    struct sweep sweep;
    if (!is_swept(subject))
        return OUTCOME_QUIET;
    derive(subject, &sweep);
    if (sweep.count == 0)
        return answer_lacks(answer, "the time of this size isn't known");
    const struct sweep_size *largest = &sweep.sizes[sweep.count - 1];
    if (largest->workload != subject->metric)
        return OUTCOME_QUIET;
    if (sweep.count < 3)
        return answer_lacks(answer, "three sizes are needed to tell the rate past the buffer");
    enum sweep_state state = sweep_judge(&sweep, subject->thresholds);
    if (state == SWEEP_UNKNOWN)
        return answer_lacks(answer, "the times of the last sizes don't tell the rates between them");
    if (state == SWEEP_OUTRUN)
        return OUTCOME_QUIET;
    answer->message = state == SWEEP_BUFFERED     ? OUTRUN_BUFFERED
                      : state == SWEEP_UNLEVELLED ? OUTRUN_UNLEVELLED
                                                  : OUTRUN_HIDDEN;
    answer->verdict = state == SWEEP_HIDDEN ? VERDICT_DISCARD : VERDICT_CAVEAT;
    put_size(answer, "largest", largest);
    put_size(answer, "below", largest - 1);
    answer_put(answer, "average", QUANTITY_RATE, largest->rate);
    answer_put(answer, "marginal", QUANTITY_RATE, largest->marginal.value);
    answer_put(answer, "over", QUANTITY_NUMBER, largest->rate / largest->marginal.value);
    if (state == SWEEP_UNLEVELLED)
        answer_put(answer, "before", QUANTITY_RATE, largest[-1].marginal.value);
    char *later = NULL;
    if (sweep.has_later && sweep.later.marginal.known) {
        char digits[UNITS_TEXT_SIZE], bytes[UNITS_TEXT_SIZE];
        units_three_digits(sweep.later.marginal.value / 1e6, digits);
        units_bytes(sweep.later.bytes, bytes);
        later = xformat(" Looked at again with %s, it went on at %s MB/s.", bytes, digits);
    }
    answer_put_text(answer, "later", later ? later : "");
    free(later);
    return OUTCOME_FIRED;
}

// ---- knee ----

// The knees of those rounds whose speed fell by the factor; returns how many they are.
static size_t find_knees(const struct subject *subject, double *places, double *before, double *after)
{
    const struct tier_facts *facts = subject_facts(subject);
    size_t mib = (size_t)(subject_workload(subject)->bytes / MIB), found = 0; // of the first batch
    for (size_t i = 0; i < facts->count; i++) {
        const struct sample *sample = facts->rounds[i].sample;
        struct knee knee;
        if (!knee_find(sample->mib_ns, sample->mib_length < mib ? sample->mib_length : mib, &knee) ||
            knee.before / knee.after < subject_threshold(subject, THRESHOLD_KNEE_FACTOR))
            continue;
        places[found] = (double)knee.mib * (double)MIB;
        before[found] = knee.before * (double)MIB;
        after[found++] = knee.after * (double)MIB;
    }
    return found;
}

enum outcome rule_knee(const struct subject *subject, struct answer *answer)
{
    if (!is_swept(subject))
        return OUTCOME_QUIET;
    if (!need_is_met(NEED_MIB_TIMES, subject))
        return answer_lacks(answer, "%s", need_words(NEED_MIB_TIMES));
    if (subject_workload(subject)->bytes / MIB < KNEE_MIB_LEAST)
        return answer_lacks(answer, "fewer than %d MiB don't show a change of speed", KNEE_MIB_LEAST);
    size_t count = subject_facts(subject)->count;
    double *values = xcalloc(3 * count, sizeof *values);
    double *places = values, *before = values + count, *after = values + 2 * count;
    size_t found = find_knees(subject, places, before, after);
    enum outcome outcome = 2 * found > count ? OUTCOME_FIRED : OUTCOME_QUIET;
    if (outcome == OUTCOME_FIRED) {
        answer_put(answer, "before", QUANTITY_RATE, summarize(before, found).median);
        answer_put(answer, "after", QUANTITY_RATE, summarize(after, found).median);
        answer_put(answer, "place", QUANTITY_BYTES, summarize(places, found).median);
        answer_put(answer, "found", QUANTITY_COUNT, (double)found);
        answer_put(answer, "rounds", QUANTITY_COUNT, (double)count);
    }
    free(values);
    return outcome;
}

// ---- fsync-does-not-wait ----

enum outcome rule_fsync_does_not_wait(const struct subject *subject, struct answer *answer)
{
    struct fsync_wait wait;
    if (!is_swept(subject))
        return OUTCOME_QUIET;
    fsync_wait_derive(subject->facts, subject->thresholds, subject->metric, subject->tier, &wait);
    if (wait.state == FSYNC_UNKNOWN)
        return answer_lacks(answer, "%s", wait.lacking);
    if (wait.state == FSYNC_WAITS)
        return OUTCOME_QUIET;
    answer_put(answer, "fsync", QUANTITY_NS, wait.fsync_ns);
    answer_put(answer, "rate", QUANTITY_RATE, wait.rate);
    answer_put(answer, "wait", QUANTITY_NS, wait.expected_ns);
    answer_put(answer, "accepted", QUANTITY_RATE, wait.accepted);
    return OUTCOME_FIRED;
}
