// section.h: the measured part of one section, and what it gives.
#pragma once

#include "engine/pause.h"
#include "engine/sampler.h"
#include "engine/work.h"
#include "record/sample.h"
#include "stats/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

struct section_watch {
    struct sampler *sampler;
    const struct pause_watch *pauses;
    struct snapshot *snapshot; // for all phases of the tier
    uint64_t origin_ns;
    unsigned tier;
    uint32_t number; // in the schedule
};

// Measures all batches of a task that is prepared and drained, and fills what they give into `sample`. False
// where a call failed (the tier knows which) or the crew was asked to end: then the sample holds what was
// done until then. Notes in the task whether process or machine stood still meanwhile.
bool section_measure(struct task *task, const struct section_watch *watch, struct sample *sample);

// Leaves the disk alone for so long. What is asked of the task's crew meanwhile ends it.
void section_wait(const struct task *task, uint64_t ns);

// The batches alone, with nobody watching: gives the sample their number and
// times, and the shares in the page cache. False where a call failed or the crew was asked to end.
bool section_do_batches(struct task *task, struct sample *sample);

// How often a section is repeated, so that it takes 50 ms: from what it took in round 0, without its closing
// sync. Pure.
enum { SECTION_BATCHES_MOST = TREES_MOST };
unsigned section_batches(uint64_t first_ns);

// At most so many that a half of the room carries them, or a quarter where both tiers have the same room.
struct room;
unsigned section_batches_in(unsigned batches, const struct workload *workload, const struct room *room,
                            bool shared);

// How many bytes of files so many batches leave behind: what is made or written for one of them, times that.
uint64_t section_bytes(const struct workload *workload, unsigned batches);

// Takes over into a sample what was read back of what it wrote; a difference makes it a failed one.
void section_note_check(struct sample *sample, const struct check *check);
void section_note_failure(struct sample *sample, const struct failure *failure);
