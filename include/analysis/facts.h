// facts.h: a run laid out for the rules: which samples make up a metric on a tier, in the order of rounds,
// and what each cost.
//
// Made once for a run; points into it, and into nothing else. Round 0 and follow-ups stand apart from the
// rounds that a metric is made of.
#pragma once

#include "record/metrics.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

// What a rule may differ by: what kind of figure a metric is.
enum metric_class {
    CLASS_DURABLE_WRITE,
    CLASS_BUFFERED_WRITE,
    CLASS_COLD_READ,
    CLASS_AGAIN_READ,
    CLASS_DIRECT_READ,
    CLASS_CREATE,
    CLASS_WALK,
    CLASS_DELETE,
    CLASS_PERSIST,
    CLASS_COUNT
};

// From the table of section 3.4 of the design: read-tree is a walk; rename a delete; rand-read a direct_read;
// rand-write and commit a durable_write.
enum metric_class metric_class_of(const struct workload *workload);
const char *metric_class_name(enum metric_class of); // "durable_write"

struct round_facts {
    unsigned round;
    const struct sample *sample;
    double value; // in the metric's unit
    double cost;  // seconds of one batch
};

// The latencies of a round's operations.
static inline const struct sparse_histogram *round_operations(const struct round_facts *round)
{
    return &round->sample->latency[PHASE_OP];
}

struct tier_facts {
    enum metric_state state;
    const struct sample *cause;             // as metric_tier's
    struct round_facts *rounds;             // ok ones of rounds 1 to n, ascending; owned
    size_t count;                           //
    const struct sample *first_use;         // round 0, where it is ok; NULL else
    struct round_facts *follow_up;          // block 2, ascending rounds; owned
    size_t follow_up_count;                 //
    const struct imported_summary *summary; // of an imported run without rounds; NULL else
};

struct facts {
    const struct run *run;
    struct tier_facts (*tiers)[RUN_TIERS_MOST]; // by workload of the plan; owned
    size_t length;
};

void facts_derive(const struct run *run, struct facts *facts);
void facts_release(struct facts *facts);

// What one sample says in its workload's unit: files, commits or other operations a second, milliseconds a
// batch, or MB (10^6) a second. False where it can't say (not ok, or no time passed).
bool sample_value(const struct run *run, const struct sample *sample, double *value);

// The workload of the plan that differs from `workload` in kind and access alone, as `like` says: the same
// step and number of threads, the same bytes or tree. SIZE_MAX where the plan has none.
struct counterpart {
    enum workload_kind kind;
    enum access access;
    uint64_t block_bytes; // 0: any
};
size_t counterpart_of(const struct plan *plan, size_t workload, const struct counterpart *like);

// The workloads of the write sweep that `workload` belongs to, ascending by size; returns how many.
size_t sweep_of(const struct plan *plan, size_t workload, size_t members[PLAN_SIZES_MOST]);
