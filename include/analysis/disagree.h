// disagree.h: whether what a document says of itself is what its samples give.
#pragma once

#include "base/text.h"
#include "record/judgement.h"

// Appends a sentence, a line each, for every value stored in a document (`stored`) that its samples don't
// give, to 1e-9 relative. What isn't stored can't disagree; trust, percentiles, ratio and headline aren't
// compared where other rules judged. `derived` is by the document's own thresholds.
void disagree_sentences(const struct run *run, const struct judgement *derived,
                        const struct judgement *stored, struct text *sentences);
