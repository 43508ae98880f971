#include "analysis/disagree.h"
#include "analysis/fixture.h"
#include "analysis/judge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_disagree(int argc, char *argv[]);

enum { CREATE, WALK };

static void begin(struct run *run, unsigned rounds)
{
    fixture_begin(run, "create,walk", rounds);
}

static void assert_disagrees(const struct run *run, const struct judgement *derived,
                             const struct judgement *stored, const char *expected)
{
    struct text sentences = {0};
    disagree_sentences(run, derived, stored, &sentences);
    assert_string_equal(text_string(&sentences), expected);
    text_free(&sentences);
}

static void a_document_that_lies_is_told(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 2);
    fixture_add_values(&run, WALK, 0, (double[]){20, 24}, 2);
    fixture_add_values(&run, WALK, 1, (double[]){10, 12}, 2);
    struct judgement derived, stored;
    judge_run(&run, &derived);
    judge_run(&run, &stored);
    assert_disagrees(&run, &derived, &stored, "");
    assert_disagrees(&run, &derived, &(struct judgement){0}, ""); // nothing stored: nothing to say

    struct metric *walk = &stored.metrics.rows[WALK];
    walk->tiers[0].summary.median *= 1 + 1e-10;
    assert_disagrees(&run, &derived, &stored, "");
    walk->tiers[0].summary.median = 22.0000001;
    assert_disagrees(&run, &derived, &stored,
                     "walk on persistent: the document says median 22.0000001, its samples give 22.\n");
    walk->tiers[0].summary.median = 23;
    assert_disagrees(&run, &derived, &stored,
                     "walk on persistent: the document says median 23, its samples give 22.\n");
    walk->tiers[0].summary.median = 22;
    walk->tiers[1].summary.min = NAN;
    walk->tiers[1].summary.max = 13;
    assert_disagrees(&run, &derived, &stored,
                     "walk on ephemeral: the document says min nan, its samples give 10.\n"
                     "walk on ephemeral: the document says max 13, its samples give 12.\n");
    walk->tiers[1].summary.min = 10;
    walk->tiers[1].summary.max = 12;
    walk->tiers[1].each[1] = 11;
    assert_disagrees(
        &run, &derived, &stored,
        "walk on ephemeral: the values by round in the document are not those of its samples.\n");
    walk->tiers[1].each[1] = 12;
    walk->tiers[1].summary.n = 3; // more than `each` holds
    assert_disagrees(&run, &derived, &stored,
                     "walk on ephemeral: the document says n 3, its samples give 2.\n");
    walk->tiers[1].summary.n = 2;

    walk->ratio.of_medians = 3;
    assert_disagrees(&run, &derived, &stored, "walk: the document says a ratio of 3, its samples give 2.\n");
    walk->ratio.of_medians = 2;
    walk->ratio.comparison = COMPARISON_FASTER;
    assert_disagrees(&run, &derived, &stored,
                     "walk: the document says that the other disk is the slower one.\n");
    walk->ratio.of_medians = 0; // no number is stored, but which disk
    assert_disagrees(&run, &derived, &stored,
                     "walk: the document says that the other disk is the slower one.\n");
    walk->ratio.of_medians = 2; // a number is stored, but not which disk
    walk->ratio.comparison = COMPARISON_UNCLEAR;
    assert_disagrees(&run, &derived, &stored, "");
    walk->ratio.comparison = COMPARISON_SLOWER;

    walk->tiers[0].past_buffer = walk->tiers[1].first_use = (struct real){.known = true, .value = 9};
    assert_disagrees(&run, &derived, &stored,
                     "walk on persistent: the document says a rate past the buffer of 9, its samples give "
                     "none.\n"
                     "walk on ephemeral: the document says a first use of 9, its samples give none.\n");
    walk->tiers[0].past_buffer = walk->tiers[1].first_use = (struct real){0};
    walk->tiers[0].percentiles[1] = (struct percentile){.pooled = true, .pooled_ns = 70};
    assert_disagrees(
        &run, &derived, &stored,
        "walk on persistent: the document says p90 (pooled, in ns) 70, its samples give none.\n");
    derived.metrics.rows[WALK].tiers[0].percentiles[1] =
        (struct percentile){.pooled = true, .pooled_ns = 60, .in_rounds = true, .rounds.median = 5};
    assert_disagrees(&run, &derived, &stored,
                     "walk on persistent: the document says p90 (pooled, in ns) 70, its samples give 60.\n");
    stored.rules_version++; // others may withhold others
    assert_disagrees(&run, &derived, &stored, "");
    stored.rules_version--;
    walk->tiers[0].percentiles[1] = (struct percentile){0};

    enum trust trust = walk->trust;
    walk->trust = TRUST_DISCARDED;
    assert_disagrees(&run, &derived, &stored,
                     "walk: the document says \"discarded\", the rules say \"caveat\".\n");
    walk->tiers[1].trust = TRUST_DISCARDED; // the row follows its figures
    assert_disagrees(&run, &derived, &stored,
                     "walk on ephemeral: the document says \"discarded\", the rules say \"caveat\".\n");
    walk->trust = walk->tiers[1].trust = trust;

    stored.metrics.rows[CREATE].tiers[0].state = METRIC_MEASURED;
    stored.metrics.rows[CREATE].ratio.of_medians = 9;
    assert_disagrees(&run, &derived, &stored,
                     "create on persistent: the document has a value, its samples give none.\n"
                     "create: the document says a ratio of 9, its samples give none.\n");
    stored.metrics.rows[CREATE].tiers[0].state = METRIC_EMPTY;
    stored.metrics.rows[CREATE].ratio.of_medians = 0;
    strcpy(stored.metrics.rows[CREATE].id, "re\x1b[2Jname");
    assert_disagrees(&run, &derived, &stored,
                     "re\\x1b[2Jname: the document has a metric of that name, its plan has none.\n");
    judgement_release(&stored);
    judgement_release(&derived);
    run_release(&run);
}

int test_disagree(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_that_lies_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
