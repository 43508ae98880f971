// rule.h: what a rule of trust is. The table of all of them is trust.h; what they ask for is in
// facts.h; analysis/judge.c asks them.
//
// A rule is a pure function: it looks at its subject and answers whether its pattern is there. What it saw
// goes into the finding as evidence, by name; the sentence is the table's, with the evidence in its braces:
// "Rounds span {factor}x." A rule states the pattern and the figures and never asserts a cause.
#pragma once

#include "analysis/facts.h"
#include "record/judgement.h"
#include "record/thresholds.h"

#include <stdbool.h>
#include <stddef.h>

// What a rule is asked about.
enum scope {
    SCOPE_VALUE,  // a metric on a tier
    SCOPE_RATIO,  // a metric of two tiers
    SCOPE_DISK,   // a tier as a whole; bears on each metric of its classes there
    SCOPE_RUN,    // the run as a whole; bears on each metric of its classes
    SCOPE_CHANGE, // two runs, or sets of runs (change_facts.h)
    SCOPE_WAKE    // what a disk held after its machine was replaced (wake_facts.h)
};

struct change_facts;
struct wake_facts;

// `metric` is set for SCOPE_VALUE and SCOPE_RATIO, `tier` for SCOPE_VALUE and SCOPE_DISK.
struct subject {
    const struct facts *facts;
    const struct metrics *metrics; // with their ratios
    const struct thresholds *thresholds;
    size_t metric;
    unsigned tier;
    const struct change_facts *change; // SCOPE_CHANGE only
    const struct wake_facts *wake;     // SCOPE_WAKE only
};

// Data that a rule can't do without. What a subject lacks is said in the table's words, and the rule isn't
// asked: it is not checked.
enum need {
    NEED_NOTHING,
    NEED_ROUNDS,      // a value a round, and at least one
    NEED_OPERATIONS,  // latencies of single operations, in each round
    NEED_PHASES,      // the phases of a large file: open, fsync, dirsync, close apart
    NEED_MIB_TIMES,   // a time at each MiB written
    NEED_RESIDENCY,   // what was in the page cache before and after
    NEED_DRAIN,       // what was still to be written when the section began
    NEED_MOUNT,       // type and options of the mount
    NEED_BOTH_MOUNTS, //
    NEED_SPACE,       // size and free room of the disk
    NEED_CALIBRATION, // what the loop itself costs
    NEED_CLOCK_STEP,  //
    NEED_THROTTLING,  // cpu.stat of the control group
    NEED_STEAL,       // /proc/stat
    NEED_MEMORY,      // memory.pressure or memory.events
    NEED_IO_PRESSURE, // of an idle second
    NEED_CLOCK_DRIFT, // both clocks around a section
    NEED_SELF,        // a comparison of a disk with itself
    NEED_BOTH_TIERS,  // rounds of both tiers that can be paired
    NEED_COUNT
};

bool need_is_met(enum need need, const struct subject *subject);
const char *need_words(enum need need); // "no latencies of single operations", what is missing

enum outcome { OUTCOME_QUIET, OUTCOME_FIRED, OUTCOME_NOT_CHECKED };

enum { RULE_MESSAGES_MOST = 3, RULE_NEEDS_MOST = 3 };

// What a rule answers beside its outcome: it begins with the rule's verdict and its first message.
struct answer {
    enum verdict verdict;
    size_t message;        // of the rule's
    const char *statistic; // what isn't shown because of it: "ratio", "p99"; each refuse has one; static
    struct evidence evidence[FINDING_EVIDENCE_MOST];
    size_t evidence_count;
    char *lacking; // of OUTCOME_NOT_CHECKED: what; owned
};

struct rule {
    const char *id;
    const char *detects; // in a few words
    enum scope scope;
    unsigned classes; // bits (1u << enum metric_class) of what it judges
    enum need needs[RULE_NEEDS_MOST];
    enum outcome (*judge)(const struct subject *subject, struct answer *answer);
    enum verdict verdict; // its severest; a rule may answer with a milder one
    bool integrity;       // a discard of it ends the questions about that metric
    const char *messages[RULE_MESSAGES_MOST];
    const char *source; // of the formula
};

#define CLASS_BIT(class) (1U << (class))
#define CLASSES_ALL      ((1U << CLASS_COUNT) - 1)
#define CLASSES_WRITES   (CLASS_BIT(CLASS_DURABLE_WRITE) | CLASS_BIT(CLASS_BUFFERED_WRITE))
#define CLASSES_READS                                                                                        \
    (CLASS_BIT(CLASS_COLD_READ) | CLASS_BIT(CLASS_AGAIN_READ) | CLASS_BIT(CLASS_DIRECT_READ))

// What a rule saw. `name` is a static string, and what the braces of a message ask for.
void answer_put(struct answer *answer, const char *name, enum quantity quantity, double value);
void answer_put_text(struct answer *answer, const char *name, const char *text);

// A value in the unit of the subject's metric, with it: "28.6 MB/s". (As a bare number: QUANTITY_NUMBER.)
void answer_put_value(struct answer *answer, const char *name, const struct subject *subject, double value);

// For a rule that turns out to lack something that its needs don't tell: returns OUTCOME_NOT_CHECKED, with
// what is missing in words ("the size below 1024 MiB isn't measured").
enum outcome answer_lacks(struct answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum outcome answer_lacks_rounds(struct answer *answer, int least); // "fewer than 4 rounds"
void answer_release(struct answer *answer);

// The sentence of a message with its evidence. "{metric}", "{disk}" (the tier as it is called), "{other}"
// (the other tier) and "{operation}" needn't be put: they are the subject's own. Safe to show; the caller
// frees.
char *answer_sentence(const char *message, const struct answer *answer, const struct subject *subject);

// Shorthands for what a subject is about.
const struct tier_facts *subject_facts(const struct subject *subject);
const struct tier_facts *subject_other(const struct subject *subject); // of the other tier; NULL without one
const struct workload *subject_workload(const struct subject *subject);
const struct run_tier *subject_tier(const struct subject *subject);
double subject_threshold(const struct subject *subject, enum threshold threshold);
