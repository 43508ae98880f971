// rule.c: what rules need, what they answer, and the sentence that it makes.
#include "analysis/rule.h"

#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- What a subject is about ----

const struct tier_facts *subject_facts(const struct subject *subject)
{
    return &subject->facts->tiers[subject->metric][subject->tier];
}

const struct tier_facts *subject_other(const struct subject *subject)
{
    if (subject->facts->run->tier_count < 2)
        return NULL;
    return &subject->facts->tiers[subject->metric][1 - subject->tier];
}

const struct workload *subject_workload(const struct subject *subject)
{
    return &subject->facts->run->plan.workloads[subject->metric];
}

const struct run_tier *subject_tier(const struct subject *subject)
{
    return &subject->facts->run->tiers[subject->tier];
}

double subject_threshold(const struct subject *subject, enum threshold threshold)
{
    return threshold_value(subject->thresholds, threshold);
}

// ---- Needs ----

static bool has_rounds(const struct subject *subject)
{
    return subject_facts(subject)->count > 0;
}

static bool each_sample(const struct subject *subject, bool (*has)(const struct sample *sample))
{
    const struct tier_facts *facts = subject_facts(subject);
    for (size_t i = 0; i < facts->count; i++)
        if (!has(facts->rounds[i].sample))
            return false;
    return facts->count > 0;
}

static bool sample_has_operations(const struct sample *sample)
{
    return sample->latency[PHASE_OP].digits > 0;
}

static bool sample_has_phases(const struct sample *sample)
{
    return sample->latency[PHASE_FSYNC].count > 0 && sample->latency[PHASE_CLOSE].count > 0;
}

static bool sample_has_mib(const struct sample *sample)
{
    return sample->mib_length > 0;
}

static bool sample_has_residency(const struct sample *sample)
{
    return sample->resident_before.known;
}

static bool sample_has_drain(const struct sample *sample)
{
    return sample->has_drain && sample->has_dirty;
}

static bool sample_has_throttling(const struct sample *sample)
{
    return sample->system.throttled_ns.known;
}

static bool sample_has_steal(const struct sample *sample)
{
    return sample->system.steal_ns.known;
}

static bool sample_has_memory(const struct sample *sample)
{
    return sample->system.memory_pressure_ns.known || sample->system.memory_events.known;
}

static bool sample_has_drift(const struct sample *sample)
{
    return sample->system.realtime_drift_ns.known;
}

static bool has_operations(const struct subject *subject)
{
    return each_sample(subject, sample_has_operations);
}

static bool has_phases(const struct subject *subject)
{
    return each_sample(subject, sample_has_phases);
}

static bool has_mib_times(const struct subject *subject)
{
    return each_sample(subject, sample_has_mib);
}

static bool has_residency(const struct subject *subject)
{
    return each_sample(subject, sample_has_residency);
}

static bool has_drain(const struct subject *subject)
{
    return each_sample(subject, sample_has_drain);
}

static bool has_throttling(const struct subject *subject)
{
    return each_sample(subject, sample_has_throttling);
}

static bool has_steal(const struct subject *subject)
{
    return each_sample(subject, sample_has_steal);
}

static bool has_memory(const struct subject *subject)
{
    return each_sample(subject, sample_has_memory);
}

static bool has_drift(const struct subject *subject)
{
    return each_sample(subject, sample_has_drift);
}

static bool has_mount(const struct subject *subject)
{
    return subject_tier(subject)->mount.type != NULL;
}

static bool has_both_mounts(const struct subject *subject)
{
    const struct run *run = subject->facts->run;
    return run->tier_count == 2 && run->tiers[0].mount.type && run->tiers[1].mount.type;
}

static bool has_space(const struct subject *subject)
{
    return subject_tier(subject)->has_space && subject_tier(subject)->total_bytes > 0;
}

static bool has_calibration(const struct subject *subject)
{
    return subject->facts->run->calibration.overhead[subject->metric].wall_ns.known;
}

static bool has_clock_step(const struct subject *subject)
{
    return subject->facts->run->calibration.clock_step_ns.known;
}

static bool has_idle_pressure(const struct subject *subject)
{
    const struct calibration *calibration = &subject->facts->run->calibration;
    return calibration->idle_ns.known && calibration->idle_ns.value > 0 &&
           calibration->idle_io_pressure_ns.known;
}

static bool has_self(const struct subject *subject)
{
    const struct self_ratio *self = &subject->facts->run->calibration.self[subject->metric];
    return self->low.known && self->high.known;
}

static bool has_both_tiers(const struct subject *subject)
{
    if (subject->facts->run->tier_count < 2)
        return false;
    const struct tier_facts *tiers = subject->facts->tiers[subject->metric];
    return tiers[0].count > 0 && tiers[1].count > 0;
}

static const struct {
    const char *words;
    bool (*is_met)(const struct subject *subject);
} needs[NEED_COUNT] = {
    [NEED_NOTHING] = {NULL, NULL},
    [NEED_ROUNDS] = {"no values by round", has_rounds},
    [NEED_OPERATIONS] = {"no latencies of single operations", has_operations},
    [NEED_PHASES] = {"the times of write, fsync and close aren't known apart", has_phases},
    [NEED_MIB_TIMES] = {"no times by MiB written, which are kept of one thread alone", has_mib_times},
    [NEED_RESIDENCY] = {"what was in memory before the read isn't known", has_residency},
    [NEED_DRAIN] = {"what was still to be written before isn't known", has_drain},
    [NEED_MOUNT] = {"the mount isn't known", has_mount},
    [NEED_BOTH_MOUNTS] = {"the mounts of both disks aren't known", has_both_mounts},
    [NEED_SPACE] = {"size and free room of the disk aren't known", has_space},
    [NEED_CALIBRATION] = {"the cost of the loop itself wasn't measured", has_calibration},
    [NEED_CLOCK_STEP] = {"the step of the clock wasn't measured", has_clock_step},
    [NEED_THROTTLING] = {"the control group's cpu.stat couldn't be read", has_throttling},
    [NEED_STEAL] = {"the steal time of /proc/stat couldn't be read", has_steal},
    [NEED_MEMORY] = {"neither memory.pressure nor memory.events could be read", has_memory},
    [NEED_IO_PRESSURE] = {"io.pressure of an idle second isn't known", has_idle_pressure},
    [NEED_CLOCK_DRIFT] = {"the two clocks around each section aren't known", has_drift},
    [NEED_SELF] = {"no disk was compared with itself", has_self},
    [NEED_BOTH_TIERS] = {"no rounds of both disks", has_both_tiers},
};

bool need_is_met(enum need need, const struct subject *subject)
{
    return !needs[need].is_met || needs[need].is_met(subject);
}

const char *need_words(enum need need)
{
    return needs[need].words;
}

// ---- Answers ----

static struct evidence *add_evidence(struct answer *answer, const char *name)
{
    if (answer->evidence_count == FINDING_EVIDENCE_MOST)
        abort(); // a rule that says more than it may is a fault of ours
    struct evidence *evidence = &answer->evidence[answer->evidence_count++];
    *evidence = (struct evidence){.name = name};
    return evidence;
}

void answer_put(struct answer *answer, const char *name, enum quantity quantity, double value)
{
    struct evidence *evidence = add_evidence(answer, name);
    evidence->quantity = quantity;
    evidence->value = value;
}

void answer_put_text(struct answer *answer, const char *name, const char *text)
{
    struct evidence *evidence = add_evidence(answer, name);
    struct text safe = {0};
    text_put_safe(&safe, text, false);
    evidence->quantity = QUANTITY_TEXT;
    evidence->text = xstrdup(text_string(&safe));
    text_free(&safe);
}

static const char *unit_of(const struct subject *subject)
{
    return unit_name(workload_descriptions[subject_workload(subject)->kind].unit);
}

void answer_put_value(struct answer *answer, const char *name, const struct subject *subject, double value)
{
    struct evidence *evidence = add_evidence(answer, name);
    char digits[UNITS_TEXT_SIZE];
    units_three_digits(value, digits);
    evidence->quantity = QUANTITY_NUMBER;
    evidence->value = value;
    evidence->text = xformat("%s %s", digits, unit_of(subject));
}

enum outcome answer_lacks(struct answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    free(answer->lacking);
    answer->lacking = NULL;
    if (vasprintf(&answer->lacking, format, arguments) < 0)
        abort(); // out of memory
    va_end(arguments);
    return OUTCOME_NOT_CHECKED;
}

enum outcome answer_lacks_rounds(struct answer *answer, int least)
{
    return answer_lacks(answer, "fewer than %d rounds", least);
}

void answer_release(struct answer *answer)
{
    for (size_t i = 0; i < answer->evidence_count; i++)
        free(answer->evidence[i].text);
    free(answer->lacking);
    *answer = (struct answer){0};
}

// ---- Sentences ----

static double within_u64(double value)
{
    return value >= 0 && value < 1.8e19 ? value : 0;
}

static void put_three_digits(struct text *text, double value, const char *unit)
{
    char digits[UNITS_TEXT_SIZE];
    units_three_digits(fabs(value), digits);
    text_printf(text, "%s%s%s", value < 0 ? "-" : "", digits, unit);
}

static void put_factor(struct text *text, double value)
{
    // "12", "1.8": a factor is a statement about magnitude, so two digits below 10 are enough.
    text_printf(text, value < 9.95 ? "%.1f" : "%.0f", value);
}

static void put_share(struct text *text, double value)
{
    double percent = 100 * value;
    bool fine = fabs(percent) < 9.95 && fabs(percent - round(percent)) >= 0.05;
    text_printf(text, fine ? "%.1f %%" : "%.0f %%", percent);
}

static void put_evidence(struct text *text, const struct evidence *evidence)
{
    char words[UNITS_TEXT_SIZE];
    if (evidence->text) {
        text_puts(text, evidence->text);
        return;
    }
    switch (evidence->quantity) {
    case QUANTITY_COUNT:
        text_printf(text, "%.0f", evidence->value);
        break;
    case QUANTITY_FACTOR:
        put_factor(text, evidence->value);
        break;
    case QUANTITY_SHARE:
        put_share(text, evidence->value);
        break;
    case QUANTITY_NS:
        units_duration((uint64_t)within_u64(evidence->value), "us", words);
        text_puts(text, words);
        break;
    case QUANTITY_BYTES:
        units_bytes((uint64_t)within_u64(evidence->value), words);
        text_puts(text, words);
        break;
    case QUANTITY_RATE:
        put_three_digits(text, evidence->value / 1e6, " MB/s");
        break;
    case QUANTITY_NUMBER:
    case QUANTITY_TEXT:
        put_three_digits(text, evidence->value, "");
        break;
    }
}

// What every subject can tell of itself; false where the name is none of these.
static bool put_own(struct text *text, const char *name, size_t length, const struct subject *subject)
{
    const struct run *run = subject->facts ? subject->facts->run : NULL;
    if (!run)
        return false;
    struct text own = {0};
    bool known = true;
    if (length == 6 && !strncmp(name, "metric", 6))
        text_put_safe(&own, subject_workload(subject)->id, false);
    else if (length == 4 && !strncmp(name, "disk", 4))
        run_put_tier(run, subject->tier, &own);
    else if (length == 5 && !strncmp(name, "other", 5) && run->tier_count == 2)
        run_put_tier(run, 1 - subject->tier, &own);
    else if (length == 9 && !strncmp(name, "operation", 9))
        text_puts(&own, workload_descriptions[subject_workload(subject)->kind].operation);
    else
        known = false;
    text_puts(text, text_string(&own));
    text_free(&own);
    return known;
}

static const struct evidence *find_evidence(const struct answer *answer, const char *name, size_t length)
{
    for (size_t i = 0; i < answer->evidence_count; i++)
        if (strlen(answer->evidence[i].name) == length &&
            strncmp(answer->evidence[i].name, name, length) == 0)
            return &answer->evidence[i];
    return NULL;
}

char *answer_sentence(const char *message, const struct answer *answer, const struct subject *subject)
{
    struct text text = {0};
    for (const char *at = message; *at;) {
        size_t plain = strcspn(at, "{");
        text_append(&text, at, plain);
        at += plain;
        if (!*at)
            break;
        size_t length = strcspn(++at, "}");
        const struct evidence *evidence = find_evidence(answer, at, length);
        if (evidence)
            put_evidence(&text, evidence);
        else if (!put_own(&text, at, length, subject))
            text_printf(&text, "{%.*s}", (int)length, at); // what tests look for
        at += length + (at[length] == '}');
    }
    char *sentence = xstrdup(text_string(&text));
    text_free(&text);
    return sentence;
}
