// How a page says what the rules found: once each, with what it is about, and numbered where it marks rows.
#include "analysis/fixture.h"
#include "analysis/judge.h"
#include "analysis/remarks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_remarks(int argc, char *argv[]);

enum { CREATE, WALK, DELETE, RENAME, ROWS, ALL = 9, BOTH = RUN_TIERS_MOST };

static const char *const labels[ROWS] = {"create", "walk", "delete", "rename"};

// A page of four rows and two disks, and findings made by hand.
struct stand {
    struct page page;
    struct page_row rows[ROWS];
    struct judgement judgement;
    struct metric metrics[ROWS];
};

static void begin(struct stand *stand, unsigned tiers)
{
    *stand = (struct stand){.page = {.tier_count = tiers, .row_count = ROWS}};
    stand->page.rows = stand->rows;
    stand->judgement.metrics = (struct metrics){.rows = stand->metrics, .length = ROWS};
    for (size_t i = 0; i < ROWS; i++) {
        stand->rows[i].workload = i;
        stand->rows[i].label = xstrdup(labels[i]);
        stand->metrics[i].workload = i;
        stand->metrics[i].ratio.comparison = COMPARISON_SLOWER;
    }
}

// `metric` ALL: about no row; `tier` BOTH: about no disk of its own.
static void add(struct stand *stand, const char *rule, enum verdict verdict, size_t metric, unsigned tier,
                const char *message)
{
    struct judgement *judgement = &stand->judgement;
    judgement->findings =
        xrealloc_array(judgement->findings, judgement->finding_count + 1, sizeof *judgement->findings);
    judgement->findings[judgement->finding_count] = (struct finding){.rule = rule,
                                                                     .verdict = verdict,
                                                                     .on_metric = metric != ALL,
                                                                     .metric = metric == ALL ? 0 : metric,
                                                                     .on_tier = tier != BOTH,
                                                                     .tier = tier == BOTH ? 0 : tier,
                                                                     .message = xstrdup(message)};
    for (size_t i = 0; i < ROWS; i++)
        if (verdict != VERDICT_NOT_CHECKED && (metric == ALL || metric == i)) {
            struct metric *row = &stand->metrics[i];
            row->findings = xrealloc_array(row->findings, row->finding_count + 1, sizeof *row->findings);
            row->findings[row->finding_count++] = judgement->finding_count;
        }
    judgement->finding_count++;
}

static void refuse(struct stand *stand, const char *statistic)
{
    stand->judgement.findings[stand->judgement.finding_count - 1].statistic = statistic;
}

static void make(struct stand *stand)
{
    static char first[] = "A persistent", second[] = "B ephemeral";
    stand->page.columns[0] = first;
    stand->page.columns[1] = second;
    remarks_make(&stand->page, &stand->judgement);
}

static void release(struct stand *stand)
{
    for (size_t i = 0; i < stand->page.finding_count; i++) {
        free(stand->page.findings[i].about);
        free(stand->page.findings[i].message);
        free(stand->page.findings[i].likewise);
    }
    for (size_t i = 0; i < ROWS; i++) {
        free(stand->rows[i].label);
        free(stand->rows[i].marks);
        free(stand->metrics[i].findings);
    }
    for (size_t i = 0; i < stand->judgement.finding_count; i++)
        finding_release(&stand->judgement.findings[i]);
    free(stand->judgement.findings);
    free(stand->page.findings);
    free(stand->page.not_checked);
}

static void assert_finding(const struct stand *stand, size_t index, unsigned mark, const char *about,
                           const char *message)
{
    assert_true(index < stand->page.finding_count);
    const struct page_finding *finding = &stand->page.findings[index];
    assert_string_equal(finding->message, message);
    assert_string_equal(finding->about, about);
    assert_int_equal(finding->mark, mark);
}

static void assert_marks(const struct stand *stand, const char *create, const char *walk, const char *delete,
                         const char *rename)
{
    const char *const expected[ROWS] = {create, walk, delete, rename};
    for (size_t i = 0; i < ROWS; i++)
        assert_string_equal(stand->rows[i].marks, expected[i]);
}

static void nothing_is_said_of_nothing(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    make(&stand);
    assert_int_equal(stand.page.finding_count, 0);
    assert_string_equal(stand.page.not_checked, "");
    assert_marks(&stand, "", "", "", "");
    release(&stand);
}

static void the_same_sentence_is_said_once(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    add(&stand, "lone-stall", VERDICT_CAVEAT, WALK, 1, "Same.");
    add(&stand, "lone-stall", VERDICT_CAVEAT, CREATE, 1, "Same.");
    add(&stand, "lone-stall", VERDICT_CAVEAT, DELETE, 1, "Same.");
    add(&stand, "lone-stall", VERDICT_CAVEAT, DELETE, 0, "Another.");
    add(&stand, "wide-range", VERDICT_CAVEAT, CREATE, 0, "Same."); // another rule's
    make(&stand);
    assert_int_equal(stand.page.finding_count, 3);
    assert_finding(&stand, 0, 1, "create, walk and delete on B ephemeral", "Same."); // in the rows' order
    assert_finding(&stand, 1, 1, "delete on A persistent", "Another."); // of one rule: one number
    assert_finding(&stand, 2, 2, "create on A persistent", "Same.");
    assert_false(stand.page.findings[0].repeats);
    assert_true(stand.page.findings[1].repeats);
    assert_false(stand.page.findings[2].repeats);
    assert_string_equal(stand.page.findings[0].likewise, "delete on A persistent");
    assert_string_equal(stand.page.findings[1].likewise, "");
    assert_marks(&stand, "1,2", "1", "1", "");
    release(&stand);
}

static void the_most_severe_come_first_and_are_numbered(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    add(&stand, "age-unknown", VERDICT_INFO, ALL, BOTH, "Info.");
    add(&stand, "too-short", VERDICT_CAVEAT, WALK, 1, "Caveat.");
    add(&stand, "round-percentile-gate", VERDICT_REFUSE, WALK, 1, "No p90.");
    refuse(&stand, "p90");
    add(&stand, "not-repeatable", VERDICT_DISCARD, DELETE, 0, "Discard.");
    add(&stand, "self-comparison-fails", VERDICT_REFUSE, CREATE, BOTH, "No ratio.");
    refuse(&stand, "ratio");
    make(&stand);
    assert_int_equal(stand.page.finding_count, 5);
    assert_finding(&stand, 0, 1, "delete on A persistent", "Discard.");
    assert_finding(&stand, 1, 0, "walk on B ephemeral", "No p90."); // nothing of the row is missing
    assert_finding(&stand, 2, 2, "create", "No ratio.");
    assert_finding(&stand, 3, 3, "walk on B ephemeral", "Caveat.");
    assert_finding(&stand, 4, 0, "", "Info.");
    assert_marks(&stand, "2", "3", "1", "");
    release(&stand);
}

static void what_it_is_about_is_said_shortly(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    for (size_t i = 0; i < ROWS; i++)
        for (unsigned tier = 0; tier < 2; tier++)
            add(&stand, "a", VERDICT_CAVEAT, i, tier, "All.");
    add(&stand, "b", VERDICT_CAVEAT, CREATE, 0, "Two on both.");
    add(&stand, "b", VERDICT_CAVEAT, CREATE, 1, "Two on both.");
    add(&stand, "b", VERDICT_CAVEAT, RENAME, 1, "Two on both.");
    add(&stand, "b", VERDICT_CAVEAT, RENAME, 0, "Two on both.");
    add(&stand, "c", VERDICT_CAVEAT, CREATE, 0, "Uneven.");
    add(&stand, "c", VERDICT_CAVEAT, WALK, 1, "Uneven.");
    add(&stand, "c", VERDICT_CAVEAT, DELETE, 0, "Uneven.");
    add(&stand, "d", VERDICT_CAVEAT, ALL, 1, "A disk.");
    add(&stand, "e", VERDICT_CAVEAT, ALL, 0, "Both disks.");
    add(&stand, "e", VERDICT_CAVEAT, ALL, 1, "Both disks.");
    add(&stand, "f", VERDICT_CAVEAT, ALL, BOTH, "The run.");
    add(&stand, "g", VERDICT_CAVEAT, CREATE, BOTH, "Ratios.");
    add(&stand, "g", VERDICT_CAVEAT, DELETE, BOTH, "Ratios.");
    make(&stand);
    static const char *const about[] = {"every row on both disks",
                                        "create and rename on both disks",
                                        "create and delete on A persistent; walk on B ephemeral",
                                        "B ephemeral",
                                        "both disks",
                                        "",
                                        "create and delete"};
    assert_int_equal(stand.page.finding_count, sizeof about / sizeof *about);
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        assert_string_equal(stand.page.findings[i].about, about[i]);
    release(&stand);
}

static void one_disk_needn_t_be_named(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 1);
    add(&stand, "a", VERDICT_CAVEAT, CREATE, 0, "One.");
    add(&stand, "b", VERDICT_CAVEAT, ALL, 0, "The disk.");
    make(&stand);
    assert_finding(&stand, 0, 1, "create", "One.");
    assert_finding(&stand, 1, 2, "A persistent", "The disk.");
    release(&stand);
}

// A metric that the page has no row for (measured only where it is needed).
static void a_row_that_is_not_shown_breaks_nothing(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    add(&stand, "a", VERDICT_CAVEAT, WALK, 0, "Gone.");
    free(stand.rows[1].label);
    for (size_t i = 1; i + 1 < ROWS; i++)
        stand.rows[i] = stand.rows[i + 1];
    stand.rows[ROWS - 1] = (struct page_row){0};
    stand.page.row_count = ROWS - 1;
    make(&stand);
    assert_finding(&stand, 0, 1, "", "Gone.");
    assert_string_equal(stand.rows[1].label, "delete");
    assert_string_equal(stand.rows[1].marks, "");
    release(&stand);
}

static void what_was_not_checked_is_grouped_by_what_it_lacks(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    add(&stand, "cpu-stolen", VERDICT_NOT_CHECKED, CREATE, 0, "no values by round");
    add(&stand, "cpu-stolen", VERDICT_NOT_CHECKED, WALK, 1, "no values by round");
    add(&stand, "knee", VERDICT_NOT_CHECKED, WALK, 1, "no times by MiB written");
    add(&stand, "drifting", VERDICT_NOT_CHECKED, WALK, 1, "no values by round");
    add(&stand, "knee", VERDICT_NOT_CHECKED, CREATE, 1, "no values by round");
    add(&stand, "drifting", VERDICT_NOT_CHECKED, CREATE, 0, "no values by round");
    add(&stand, "nearly-full", VERDICT_NOT_CHECKED, ALL, 0, "no room is known");
    add(&stand, "nearly-full", VERDICT_INFO, ALL, 1, "Full.");
    make(&stand);
    assert_string_equal(stand.page.not_checked,
                        "cpu-stolen, drifting, knee (no values by round); knee (no times "
                        "by MiB written); nearly-full (no room is known)");
    assert_marks(&stand, "", "", "", "");
    release(&stand);
}

static void of_a_discarded_figure_only_the_reason_is_told(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand, 2);
    stand.metrics[CREATE].tiers[0].trust = TRUST_DISCARDED;
    stand.metrics[CREATE].ratio.comparison = COMPARISON_NONE;
    add(&stand, "a", VERDICT_DISCARD, CREATE, 0, "Why.");
    add(&stand, "b", VERDICT_CAVEAT, CREATE, 0, "Of the figure that isn't shown.");
    add(&stand, "b", VERDICT_CAVEAT, CREATE, 1, "Of the one that is.");
    add(&stand, "c", VERDICT_CAVEAT, CREATE, BOTH, "Of the ratio that isn't shown.");
    add(&stand, "d", VERDICT_INFO, CREATE, 0, "Also of the first.");
    add(&stand, "e", VERDICT_NOT_CHECKED, CREATE, 0, "no data");
    make(&stand);
    assert_int_equal(stand.page.finding_count, 3);
    assert_string_equal(stand.page.findings[0].message, "Why.");
    assert_string_equal(stand.page.findings[1].message, "Of the one that is.");
    assert_string_equal(stand.rows[CREATE].marks, "1,2");
    assert_string_equal(stand.page.not_checked, "e (no data)");
    release(&stand);
}

int test_remarks(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_said_of_nothing),
        cmocka_unit_test(the_same_sentence_is_said_once),
        cmocka_unit_test(the_most_severe_come_first_and_are_numbered),
        cmocka_unit_test(what_it_is_about_is_said_shortly),
        cmocka_unit_test(one_disk_needn_t_be_named),
        cmocka_unit_test(a_row_that_is_not_shown_breaks_nothing),
        cmocka_unit_test(what_was_not_checked_is_grouped_by_what_it_lacks),
        cmocka_unit_test(of_a_discarded_figure_only_the_reason_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
