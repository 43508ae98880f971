// run_json.h: the run document, written and read (design: format "diskduel-run", version 1;
// schema/run.schema.json).
//
// Written sample by sample, so that a long run costs no more memory to save than a short one. Numbers are
// integers in nanoseconds and bytes; nothing unknown is written; no number above 2^53.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "record/metrics.h"
#include "record/run.h"

#include <stdbool.h>
#include <stddef.h>

enum { RUN_VERSION = 1 };
#define RUN_DOCUMENT_MOST ((size_t)64 << 20) // a longer one isn't read
#define RUN_INTEGER_MOST  (UINT64_C(1) << 53)

// `metrics` may be NULL: then no derived member is written but rules_version 0.
void run_json_write(const struct run *run, const struct metrics *metrics, struct text *out);

// Reads a whole document. Says which member is wrong ("samples[3].wall_ns: not a whole number"), which
// version can't be read, or that this isn't a run. Unknown members are ignored; a document cut short is an
// error. `stored` (may be NULL) is given the derived members as they stand: to compare with what the samples
// give, never to show. The caller releases both.
bool run_json_read(const char *bytes, size_t length, struct run *run, struct metrics *stored,
                   struct error *error);
