// change.h: what may be said of one metric before and after.
//
// Pure. Rounds of two runs aren't pairs, so the test is Mann and Whitney's and the size Hodges and Lehmann's,
// on costs (time for the same work; a rate is inverted). With two tiers the values are A's cost over B's,
// round by round: B is the control, and what moves both moves neither. Each metric is one test, and Holm's
// adjustment over all metrics of the comparison decides; the change of a tier by itself has values and a size
// to show, and no word.
#pragma once

#include "base/text.h"
#include "stats/hodges_lehmann.h"
#include "stats/mann_whitney.h"

#include <stdbool.h>
#include <stddef.h>

enum change_word {
    CHANGE_NOT_COMPARED,         // a side is missing or discarded
    CHANGE_CANNOT_TELL,          // so few rounds that not even full separation would be beyond luck
    CHANGE_IDENTICAL,            // all values are equal
    CHANGE_SLOWER,               // beyond luck, and by more than the limit wherever in the interval it lies
    CHANGE_FASTER,               //
    CHANGE_SLOWER_SIZE_UNCLEAR,  // beyond luck, but the interval reaches within the limit
    CHANGE_FASTER_SIZE_UNCLEAR,  //
    CHANGE_NO_CHANGE_LARGER,     // within luck, and within the limit wherever in the interval it lies
    CHANGE_NO_DETECTABLE_CHANGE, // within luck, and these rounds could hide more than the limit
    CHANGE_MACHINE_CHANGED,      // both tiers moved the same way, and A's cost over B's didn't
    CHANGE_CONTROL_CHANGED       // A's cost over B's moved because B did, the other way, and A didn't
};

struct change {
    bool comparable;      // both sides have costs, all finite and above 0; else the rest is 0
    size_t before, after; // rounds
    struct mann_whitney test;
    struct hodges_lehmann factor; // cost after over cost before
};

struct change change_between(const double *before, size_t before_count, const double *after,
                             size_t after_count);

// `adjusted_p` is Holm's, of change.test.p among all metrics. `limit` is the least change that matters, 0.05
// or what the same disk shows against itself; its other end is 1 / (1 + limit), so that faster and slower
// weigh alike.
enum change_word change_word_of(const struct change *change, double adjusted_p, double limit);

// The word that stands once the tiers are looked at by themselves. A tier moved where its own test, not
// adjusted, is beyond luck: that only ever takes a word about the disk away.
enum change_word change_word_beside_control(enum change_word word, const struct change *change,
                                            const struct change *a_alone, const struct change *b_alone);

// Appends the word with its figures, ASCII, without a full stop: "slower: at least 8 %, perhaps 45 %", "no
// detectable change (a change between -14 % and +21 % could hide here)". "faster" is by how much more is done
// in the same time, as in page.h: half of the cost is 100 % faster. Figures from 2 times on are factors: "at
// least 1.31x, perhaps 4.08x".
void change_put(const struct change *change, enum change_word word, double limit, struct text *text);

// How many rounds a side a comparison of so many metrics needs: with fewer, Holm leaves none of them a way to
// be told from luck, however far apart the rounds lie. 0 for no metrics.
size_t change_rounds_needed(size_t metrics);

// Where these rounds don't suffice for so many metrics, appends that: "cannot tell: 7 metrics need 6 rounds a
// side, and there are 5 and 5". Returns whether they suffice. The words of the metrics stand as they are: "no
// change larger than 5 %" needs no test.
bool change_put_family(size_t before_count, size_t after_count, size_t metrics, struct text *text);
