#include "analysis/fixture.h"
#include "analysis/headline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

int test_headline(int argc, char *argv[]);

// Rows of a run with so many of A's costs over B's; 1: not clear, 0: none.
struct row {
    const char *id;
    double cost;
    enum trust trust;
};

static void assert_headline(const char *workloads, const struct row *rows, size_t count, const char *expected)
{
    struct run run;
    fixture_begin(&run, workloads, 6);
    struct metrics metrics = {.rows = xcalloc(run.plan.workload_count, sizeof *metrics.rows),
                              .length = run.plan.workload_count};
    for (size_t i = 0; i < metrics.length; i++)
        metrics.rows[i].workload = i;
    for (size_t i = 0; i < count; i++) {
        struct metric *metric = &metrics.rows[fixture_find(&run, rows[i].id)];
        double cost = rows[i].cost;
        metric->tiers[0].state = metric->tiers[1].state = METRIC_MEASURED;
        metric->trust = rows[i].trust ? rows[i].trust : TRUST_REPORTED;
        metric->ratio.comparison = cost > 1    ? COMPARISON_SLOWER
                                   : cost <= 0 ? COMPARISON_NONE
                                   : cost < 1  ? COMPARISON_FASTER
                                               : COMPARISON_UNCLEAR;
        metric->ratio.of_medians = metric->ratio.of_medians_shown = cost > 1 ? cost : 1 / cost;
    }
    char *headline = headline_of(&run, &metrics);
    if (expected)
        assert_string_equal(headline, expected);
    else
        assert_null(headline);
    free(headline);
    metrics_release(&metrics);
    run_release(&run);
}

#define ASSERT_HEADLINE(workloads, expected, ...)                                                            \
    assert_headline(workloads, (const struct row[]){__VA_ARGS__},                                            \
                    sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row), expected)

static const char all[] = "create,walk,delete,seq-write-64,seq-write-1024,commit";

static void names_the_kind_that_costs(void **state)
{
    (void)state;
    ASSERT_HEADLINE(all,
                    "The cost is metadata more than bandwidth: deleting a tree is 118x slower on A "
                    "persistent, a durable 1 GiB write 4.84x slower.",
                    {"create", 10, 0}, {"delete", 117.8, 0}, {"seq-write-1024", 4.844, 0});
    ASSERT_HEADLINE(all,
                    "The cost is bandwidth, not metadata: a durable 64 MiB write is 30.0x slower on A "
                    "persistent, for walking a tree there is no clear difference.",
                    {"walk", 1, 0}, {"seq-write-64", 30, 0});
    ASSERT_HEADLINE(all,
                    "The cost is commits, not metadata: a commit is 40.0x slower on A persistent, creating "
                    "small files 2.00x faster.",
                    {"create", 0.5, 0}, {"commit", 40, 0}, {"seq-write-64", 4, 0});
}

static void says_where_all_costs_alike(void **state)
{
    (void)state;
    ASSERT_HEADLINE(all,
                    "A persistent is slower throughout: deleting a tree is 5.00x slower on A persistent, a "
                    "durable 1 GiB write 4.00x slower.",
                    {"delete", 5, 0}, {"seq-write-1024", 4, 0});
    ASSERT_HEADLINE(
        all,
        "A persistent is slower in part: creating small files is 34 % slower on A persistent, for a "
        "durable 64 MiB write there is no clear difference.",
        {"create", 1.34, 0}, {"seq-write-64", 1, 0});
    ASSERT_HEADLINE(all, "Walking a tree is 3.00x slower on A persistent.", {"walk", 3, 0}, {"create", 2, 0});
}

static void says_where_nothing_costs(void **state)
{
    (void)state;
    ASSERT_HEADLINE(all, "No clear difference between A persistent and B ephemeral.", {"walk", 1, 0},
                    {"commit", 1, 0});
    ASSERT_HEADLINE(all, "A persistent is nowhere clearly slower: a commit 4.00x faster.", {"walk", 1, 0},
                    {"commit", 0.25, 0});
    // Of rows of one kind, the one that differs most.
    ASSERT_HEADLINE(all, "A persistent is nowhere clearly slower: creating small files 40.0x faster.",
                    {"walk", 0.125, 0}, {"create", 0.025, 0});
}

static void a_discarded_row_says_nothing(void **state)
{
    (void)state;
    ASSERT_HEADLINE(all, "Walking a tree is 3.00x slower on A persistent. 1 of 2 rows can't be compared.",
                    {"walk", 3, TRUST_CAVEAT}, {"seq-write-64", 100, TRUST_DISCARDED});
    ASSERT_HEADLINE(all, "No row can be compared.", {"walk", 3, TRUST_DISCARDED}, {"delete", 0, 0});
}

static void a_row_of_a_step_says_its_name(void **state)
{
    (void)state;
    struct run run;
    struct metrics metrics = {0};
    fixture_begin_threads(&run, "create", 6, (uint64_t[]){1, 4, 0});
    metrics.rows = xcalloc(run.plan.workload_count, sizeof *metrics.rows);
    metrics.length = run.plan.workload_count;
    size_t four = fixture_find(&run, "create-t4");
    metrics.rows[four] = (struct metric){.workload = four, .trust = TRUST_REPORTED};
    metrics.rows[four].ratio =
        (struct ratio){.comparison = COMPARISON_SLOWER, .of_medians = 7, .of_medians_shown = 7};
    char *headline = headline_of(&run, &metrics);
    assert_string_equal(headline, "Creating small files (create-t4) is 7.00x slower on A persistent.");
    free(headline);
    metrics_release(&metrics);
    run_release(&run);
}

int test_headline(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_kind_that_costs),     cmocka_unit_test(says_where_all_costs_alike),
        cmocka_unit_test(says_where_nothing_costs),      cmocka_unit_test(a_discarded_row_says_nothing),
        cmocka_unit_test(a_row_of_a_step_says_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
