// journal.h: what the conductor writes into the run, and saves: samples, events, and what was read back
// later.
//
// Each takes the run's lock for as long as it writes, so that watchers see whole samples. The conductor's
// alone.
#pragma once

#include "base/text.h"
#include "engine/conductor.h"

#include <stdbool.h>

void journal_event(struct engine *engine, const char *text);
void journal_event_and_free(struct engine *engine, char *text);

// Takes the sample over.
void journal_sample(struct engine *engine, const struct sample *sample);

// A failed section, whose sample is in the run: an event, and its workload isn't tried again on that tier.
void journal_give_up(struct engine *engine, const struct sample *sample);

// A section that isn't measured: said once for each workload and tier. `about` stays the caller's.
void journal_skipped(struct engine *engine, const struct sample *about, enum skip_reason reason,
                     const char *detail);

// Takes over the sample of a section during which process or machine stood still; `again`: it will be
// measured once more.
void journal_paused(struct engine *engine, struct sample *sample, bool again);

// The section began although something was still to be written.
void journal_time_out(struct engine *engine, const struct sample *sample);

// Puts what was read back into the sample of the section that wrote it.
void journal_earlier(struct engine *engine, const struct task *task);

// Names what stayed on a tier, line by line, by a path that the user can go to.
void journal_leftovers(struct engine *engine, unsigned tier, const struct text *leftovers);

// Saves the document as it is now. A failure is an event, and what engine_save_error() tells.
void journal_save(struct engine *engine);
