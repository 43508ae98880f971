// reads.h: direct reads of a large file beside buffered ones of the same bytes.
#pragma once

#include "analysis/facts.h"
#include "record/thresholds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A direct read that is faster than a buffered one, which might have used the page cache, by more than
// chance: their ranges don't overlap; where there is one value alone, by more.
struct read_pair {
    size_t direct; // workloads of the plan
    size_t buffered;
    double direct_rate; // MB/s, medians
    double buffered_rate;
    double factor;
};

// Whether a sequential read, direct or buffered, is one of such a pair on a tier. Of buffered reads it is one
// again, if one is measured there; else the cold one.
bool reads_contradict(const struct facts *facts, const struct thresholds *thresholds, size_t workload,
                      unsigned tier, struct read_pair *pair);

// The direct read with the block of a buffered request, that shows whether the block is all that differs:
// where the plan has one, also for follow-ups alone. Else SIZE_MAX.
size_t reads_probe(const struct plan *plan, size_t direct);

// Whether the size of a request is all that sets the two apart.
enum request_size {
    REQUEST_UNKNOWN, // neither the read-ahead is known nor a probe there
    REQUEST_DIFFERS, // it isn't
    REQUEST_ALIKE,   // each request takes the same time, by what their rates say: a hint
    REQUEST_PROBED   // a direct read in the buffered one's size is as slow as that
};

struct request_finding {
    enum request_size size;
    uint64_t buffered_bytes; // of a request: the kernel's read-ahead; 0 where that isn't known
    uint64_t direct_bytes;   // of a block
    double buffered_ns;      // that each takes, by its rate; with the usual read-ahead where it isn't known
    double direct_ns;
    uint64_t probe_bytes; // 0 where there is no probe
    double probe_rate;    // MB/s
};

enum { READ_AHEAD_USUAL = 128 * 1024 }; // Linux's default for buffered reads (VM_READAHEAD_PAGES)

void reads_explain(const struct facts *facts, const struct thresholds *thresholds, unsigned tier,
                   const struct read_pair *pair, struct request_finding *finding);
