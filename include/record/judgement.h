// judgement.h: what is derived from a run, as plain data: metrics, what each rule of trust found, and the
// headline. analysis/ makes it (judge.h); the document stores it for readers in other languages.
#pragma once

#include "record/metrics.h"

#include <stdbool.h>
#include <stddef.h>

// What a rule says, least severe first.
enum verdict {
    VERDICT_NOT_CHECKED, // the rule lacks its data: the message says which
    VERDICT_INFO,        // a finding without a mark
    VERDICT_CAVEAT,      // the figure is shown with a mark, and the sentence
    VERDICT_REFUSE,      // one statistic, or the comparison, isn't shown; the metric stays
    VERDICT_DISCARD,     // the metric is left out on that tier, and named with the reason
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict); // "not checked", "info", "caveat", "refuse", "discard"

// One figure that a message stands on.
enum quantity {
    QUANTITY_COUNT,  // a whole number
    QUANTITY_FACTOR, // "2.4": the message writes the x
    QUANTITY_SHARE,  // 0.29 is shown as "29 %"
    QUANTITY_NS,     // "412 ms"
    QUANTITY_BYTES,  // "312 MiB"
    QUANTITY_NUMBER, // as it is, three digits
    QUANTITY_RATE,   // bytes a second, shown in MB/s
    QUANTITY_TEXT
};

struct evidence {
    const char *name; // a static string: "factor", "first"
    enum quantity quantity;
    double value;
    char *text; // of QUANTITY_TEXT; owned
};

enum { FINDING_EVIDENCE_MOST = 16 };

struct finding {
    const char *rule; // its id; a static string
    enum verdict verdict;
    bool on_metric; // else it is about a whole tier, or the whole run
    size_t metric;  // index of the row
    bool on_tier;   // else about both
    unsigned tier;
    const char *statistic; // what isn't shown because of it: "ratio", "p99", "pooled percentiles"; each
                           // refuse has one; static; NULL else
    char *message;         // a sentence or two, safe to show; owned
    struct evidence evidence[FINDING_EVIDENCE_MOST];
    size_t evidence_count;
};

struct judgement {
    unsigned rules_version;
    struct metrics metrics;
    struct finding *findings; // in the order of the rules; owned
    size_t finding_count;
    char *headline; // one or two sentences; NULL where there is none; owned
};

void finding_release(struct finding *finding);
void judgement_release(struct judgement *judgement);
