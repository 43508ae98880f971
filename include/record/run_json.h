// run_json.h: the run document, written and read (design: format "diskduel-run", version 1;
// schema/run.schema.json).
//
// Written and read sample by sample, so that no more than one of them is held as a JSON tree. Numbers are
// integers in nanoseconds and bytes, whose digits are all written; what isn't known is left out, and so is
// what is above RUN_INTEGER_MOST, where readers that keep numbers as doubles would change it. A document is
// UTF-8: each byte of a name or path that isn't becomes the four characters \xNN, as text_put_safe shows it.
//
// A document grows with the rounds, and no run writes one that run_json_read() refuses for its length: each
// sample has a share of RUN_DOCUMENT_MOST, which shrinks with the number of samples that the plan makes.
// Counts, times and errors always fit; where what the machine did, histograms, intervals and times of a MiB
// don't, "left_out" of the sample names what is missing, and intervals are joined.
//
// What a document doesn't hold comes back as zero: the nanoseconds below a second of instants, the section
// numbers of a series, the reason why a metric is empty, of_medians_shown. An interval begins where the one
// before it ends, the first at the start of its sample.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "record/judgement.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

enum { RUN_VERSION = 1 };
#define RUN_DOCUMENT_MOST ((size_t)128 << 20)       // a longer one isn't read
#define RUN_INTEGER_MOST  ((UINT64_C(1) << 53) - 1) // the greatest that no other integer's double equals

// `judgement` may be NULL: then no derived member is written but rules_version 0.
void run_json_write(const struct run *run, const struct judgement *judgement, struct text *out);

// Reads a whole document. Says which member is wrong ("samples[3].wall_ns: not a whole number…"), which
// version can't be read, or that this isn't a run. Unknown members are ignored; a document cut short is an
// error. `stored` (may be NULL) is given the derived members as they stand, but findings: to compare with
// what the samples give, never to show. The caller releases both; on an error both are empty.
bool run_json_read(const char *bytes, size_t length, struct run *run, struct judgement *stored,
                   struct error *error);
