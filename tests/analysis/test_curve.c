#include "analysis/curve.h"
#include "analysis/fixture.h"
#include "analysis/metric.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_curve(int argc, char *argv[]);

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

static void derive(const struct run *run, struct curves *curves)
{
    struct metrics metrics;
    static const struct thresholds standard;
    struct facts facts;
    facts_derive(run, &facts);
    metrics_derive(&facts, &standard, &metrics);
    facts_release(&facts);
    curves_derive(run, &metrics, curves);
    metrics_release(&metrics); // curves stand on their own
}

static void add(struct run *run, const char *id, unsigned tier, double value)
{
    fixture_add_values(run, fixture_find(run, id), tier, (double[]){value * 0.9, value, value * 1.2}, 3);
}

static void a_rate_and_a_cost(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create,walk", 3, (uint64_t[]){1, 2, 4, 8, 0});
    static const double rates[2][4] = {{118, 230, 440, 800}, {1162, 2100, 3000, 3100}},
                        times[2][4] = {{69, 35, 23, 23}, {4.6, 3, 4.6, 9.2}};
    for (unsigned tier = 0; tier < 2; tier++)
        for (unsigned i = 0; i < 4; i++) {
            char id[WORKLOAD_ID_SIZE];
            snprintf(id, sizeof id, "create-t%u", 1u << i);
            add(&run, id, tier, rates[tier][i]);
            snprintf(id, sizeof id, "walk-t%u", 1u << i);
            add(&run, id, tier, times[tier][i]);
        }
    struct curves curves;
    derive(&run, &curves);
    assert_int_equal(curves.length, 2);
    const struct curve *create = &curves.list[0], *walk = &curves.list[1];
    assert_string_equal(create->id, "create");
    assert_string_equal(walk->id, "walk");
    assert_int_equal(create->unit, UNIT_FILES_PER_SECOND);
    assert_int_equal(walk->unit, UNIT_MILLISECONDS);
    assert_int_equal(create->count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(create->threads[i], 1u << i);
        for (unsigned tier = 0; tier < 2; tier++) {
            assert_true(create->tiers[tier].known[i] && walk->tiers[tier].known[i]);
            assert_true(near(create->tiers[tier].medians[i], rates[tier][i]));
            assert_true(near(walk->tiers[tier].medians[i], times[tier][i]));
        }
    }
    assert_true(near(create->tiers[0].scaling, 800.0 / 118));
    assert_true(near(create->tiers[1].scaling, 3100.0 / 1162));
    assert_true(near(walk->tiers[0].scaling, 3)); // a third of the time
    assert_true(near(walk->tiers[1].scaling, 0.5));
    curves_release(&curves);
    run_release(&run);
}

static void what_is_missing_is_unknown(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create,rename,commit", 3, (uint64_t[]){4, 1, 2, 0});
    add(&run, "create-t1", 0, 100);
    add(&run, "create-t2", 0, 150);
    add(&run, "create-t4", 1, 150);
    add(&run, "create-t1", 1, 0.0001); // shown as 0
    fixture_add_other(&run, fixture_find(&run, "create-t4"), 0, 1, SAMPLE_FAILED, SKIP_NONE);
    fixture_add_other(&run, fixture_find(&run, "rename-t4"), 0, 1, SAMPLE_SKIPPED, SKIP_UNSUPPORTED);
    add(&run, "commit-t2", 1, 5);
    struct curves curves;
    derive(&run, &curves);
    assert_int_equal(curves.length, 2); // nothing is known of rename
    const struct curve *create = &curves.list[0];
    assert_int_equal(create->threads[0], 1); // ascending, whatever the plan's order
    assert_int_equal(create->threads[2], 4);
    assert_true(create->tiers[0].known[0] && create->tiers[0].known[1] && !create->tiers[0].known[2]);
    assert_true(create->tiers[0].medians[2] == 0);
    assert_true(create->tiers[0].scaling == 0);
    assert_true(create->tiers[1].known[0] && create->tiers[1].known[2]);
    assert_true(create->tiers[1].scaling == 0); // a factor of what is shown as 0 is none
    assert_string_equal(curves.list[1].id, "commit");
    assert_true(curves.list[1].tiers[1].known[1] && curves.list[1].tiers[1].scaling == 0);
    curves_release(&curves);
    run_release(&run);
}

static void it_has_the_figures_of_the_table(void **state)
{
    (void)state;
    static const struct thresholds standard;
    struct run run;
    struct facts facts;
    struct metrics metrics;
    struct curves curves;
    fixture_begin_threads(&run, "create", 3, (uint64_t[]){1, 2, 4, 0});
    for (size_t i = 0; i < 3; i++)
        fixture_add_values(&run, i, 0, (double[]){100, 100, 100}, 3);
    facts_derive(&run, &facts);
    metrics_derive(&facts, &standard, &metrics);
    metrics.rows[1].tiers[0].trust = TRUST_DISCARDED;
    metrics.rows[2].tiers[0].past_buffer = (struct real){.known = true, .value = 60};
    curves_derive(&run, &metrics, &curves);
    assert_int_equal(curves.length, 1);
    const struct curve_tier *tier = &curves.list[0].tiers[0];
    assert_true(tier->known[0] && near(tier->medians[0], 100));
    assert_true(!tier->known[1] && tier->medians[1] == 0);
    assert_true(tier->known[2] && near(tier->medians[2], 60));
    assert_true(near(tier->scaling, 0.6));
    curves_release(&curves);
    metrics_release(&metrics);
    facts_release(&facts);
    run_release(&run);
}

static void one_number_of_threads_is_no_curve(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create,walk", 3, (uint64_t[]){4, 0});
    fixture_add_values(&run, 0, 0, (double[]){100}, 1);
    struct curves curves;
    derive(&run, &curves);
    assert_int_equal(curves.length, 0);
    curves_release(&curves);
    run_release(&run);
    derive(&run, &curves); // and of nothing there is none
    assert_int_equal(curves.length, 0);
    curves_release(&curves);
}

static void only_threads_may_differ(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create", 3, (uint64_t[]){1, 2, 4, 0});
    for (size_t i = 0; i < 3; i++)
        fixture_add_values(&run, i, 0, (double[]){100}, 1);
    run.plan.workloads[1].tree.files++;
    struct curves curves;
    derive(&run, &curves);
    assert_int_equal(curves.length, 1);
    assert_int_equal(curves.list[0].count, 2);
    assert_int_equal(curves.list[0].threads[1], 4);
    curves_release(&curves);
    run.plan.workloads[2].sync = SYNC_NONE;
    derive(&run, &curves);
    assert_int_equal(curves.length, 0);
    curves_release(&curves);
    run_release(&run);
}

// A document may name workloads as it likes: twice for one number of threads, or for more than a curve holds.
static void odd_plans_give_no_odd_curves(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create", 3, (uint64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 0});
    struct plan *plan = &run.plan;
    enum { MORE = 24 };
    plan->workloads = xrealloc_array(plan->workloads, MORE, sizeof *plan->workloads);
    for (size_t i = plan->workload_count; i < MORE; i++) {
        plan->workloads[i] = plan->workloads[0];
        plan->workloads[i].threads = 1 + (unsigned)i % 12;
        snprintf(plan->workloads[i].id, WORKLOAD_ID_SIZE, "create%s",
                 plan->workloads[i].threads == 1 ? "" : "-t3");
    }
    plan->workload_count = MORE;
    for (size_t i = 0; i < MORE; i++)
        fixture_add_values(&run, i, 0, (double[]){100 + (double)i}, 1);
    struct curves curves;
    derive(&run, &curves);
    assert_true(curves.length <= MORE);
    for (size_t i = 0; i < curves.length; i++) {
        const struct curve *curve = &curves.list[i];
        assert_true(curve->count >= 2 && curve->count <= PLAN_THREAD_COUNTS_MOST);
        for (size_t k = 1; k < curve->count; k++)
            assert_true(curve->threads[k] > curve->threads[k - 1]);
    }
    assert_string_equal(curves.list[0].id, "create");
    assert_int_equal(curves.list[0].count, PLAN_THREAD_COUNTS_MOST);
    curves_release(&curves);
    run_release(&run);
}

int test_curve(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_and_a_cost),
        cmocka_unit_test(what_is_missing_is_unknown),
        cmocka_unit_test(it_has_the_figures_of_the_table),
        cmocka_unit_test(one_number_of_threads_is_no_curve),
        cmocka_unit_test(only_threads_may_differ),
        cmocka_unit_test(odd_plans_give_no_odd_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
