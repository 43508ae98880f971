#include "analysis/fixture.h"
#include "analysis/metric.h"
#include "base/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_metric(int argc, char *argv[]);

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

static void derive(const struct run *run, struct metrics *metrics)
{
    static const struct thresholds standard;
    struct facts facts;
    facts_derive(run, &facts);
    metrics_derive(&facts, &standard, metrics);
    facts_release(&facts);
}

#define MS UINT64_C(1000000)
enum { CREATE, WALK, DELETE, SEQ_WRITE };

static void begin(struct run *run, unsigned rounds)
{
    fixture_begin(run, "create,walk,delete,seq-write-64", rounds);
}

static void a_sample_speaks_its_workloads_unit(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    double value = 0;
    assert_true(sample_value(&run, fixture_add(&run, CREATE, 0, 1, 2000 * MS), &value)); // 200 files
    assert_true(value == 100);
    struct sample *walk = fixture_add(&run, WALK, 0, 1, 60 * MS);
    walk->batches = 12;
    assert_true(sample_value(&run, walk, &value));
    assert_true(value == 5);
    assert_true(sample_value(&run, fixture_add(&run, DELETE, 0, 1, 812500000), &value));
    assert_true(near(value, 812.5));
    assert_true(sample_value(&run, fixture_add(&run, SEQ_WRITE, 0, 1, 500 * MS), &value)); // 67.108864 MB
    assert_true(near(value, 134.217728));
    run_release(&run);
}

static void every_workload_has_its_unit(void **state)
{
    (void)state;
    static const struct {
        const char *id, *unit;
        uint64_t ops, bytes, batches, wall_ns;
        double value;
        bool higher_is_better;
    } cases[] = {
        {"create", "files/s", 200, 819200, 1, 2000000000, 100, true},
        {"walk", "ms", 2400, 0, 12, 60000000, 5, false},
        {"walk-later", "ms", 400, 0, 2, 60000000, 30, false},
        {"read-tree", "files/s", 400, 1638400, 2, 4000000000, 100, true},
        {"rename", "files/s", 200, 0, 1, 50000000, 4000, true},
        {"delete", "ms", 200, 0, 1, 812500000, 812.5, false},
        {"seq-read-cold", "MB/s", 64, 67108864, 1, 500000000, 134.217728, true},
        {"seq-read-direct-128k", "MB/s", 512, 67108864, 1, 4000000000, 16.777216, true},
        {"rand-read", "IOPS", 2000, 8192000, 1, 500000000, 4000, true},
        {"rand-write", "IOPS", 2000, 8192000, 1, 8000000000, 250, true},
        {"commit", "commits/s", 200, 819200, 1, 1600000000, 125, true},
        {"seq-write-64", "MB/s", 64, 67108864, 1, 500000000, 134.217728, true},
    };
    struct run run;
    fixture_begin(&run,
                  "create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,commit,"
                  "seq-write-64",
                  1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample *sample = fixture_add(&run, fixture_find(&run, cases[i].id), 0, 1, cases[i].wall_ns);
        sample->ops = cases[i].ops;
        sample->bytes = cases[i].bytes;
        sample->batches = cases[i].batches;
    }
    struct metrics metrics;
    derive(&run, &metrics);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct metric *metric = &metrics.rows[fixture_find(&run, cases[i].id)];
        assert_string_equal(metric->id, cases[i].id);
        assert_string_equal(unit_name(metric->unit), cases[i].unit);
        assert_int_equal(metric->higher_is_better, cases[i].higher_is_better);
        assert_true(near(metric->tiers[0].summary.median, cases[i].value));
    }
    metrics_release(&metrics);
    run_release(&run);
}

// What stands in for another workload isn't there until it is needed.
static void a_stand_in_is_absent_until_it_has_a_sample(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,rand-read", 2);
    size_t direct = fixture_find(&run, "rand-read"), buffered = fixture_find(&run, "rand-read-buffered");
    assert_true(run.plan.workloads[buffered].instead);
    struct metrics metrics;
    derive(&run, &metrics);
    assert_int_equal(metrics.length, run.plan.workload_count);
    assert_true(metrics.rows[buffered].absent);
    assert_false(metrics.rows[direct].absent || metrics.rows[fixture_find(&run, "create")].absent);
    metrics_release(&metrics);

    fixture_add_other(&run, direct, 1, 1, SAMPLE_SKIPPED, SKIP_UNSUPPORTED);
    fixture_add_values(&run, buffered, 1, (double[]){300}, 1);
    derive(&run, &metrics);
    assert_false(metrics.rows[buffered].absent);
    assert_int_equal(metrics.rows[buffered].tiers[1].state, METRIC_MEASURED);
    metrics_release(&metrics);
    run_release(&run);
}

static void some_samples_say_nothing(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    struct sample sample = {.workload = WALK, .status = SAMPLE_OK, .wall_ns = MS, .batches = 1, .ops = 200};
    double value = 77;
    assert_true(sample_value(&run, &sample, &value));
    value = 77;
    sample.wall_ns = 0;
    assert_false(sample_value(&run, &sample, &value));
    sample.wall_ns = MS;
    sample.batches = 0;
    assert_false(sample_value(&run, &sample, &value));
    sample.batches = 1;
    sample.workload = run.plan.workload_count;
    assert_false(sample_value(&run, &sample, &value));
    sample.workload = WALK;
    for (enum sample_status status = SAMPLE_FAILED; status <= SAMPLE_SKIPPED; status++) {
        sample.status = status;
        assert_false(sample_value(&run, &sample, &value));
    }
    assert_true(value == 77);
    run_release(&run);
}

// The published table: rounds with those medians and ranges.
static void gives_the_published_figures(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 5);
    fixture_add_values(&run, CREATE, 0, (double[]){118.3, 104.2, 124.0, 115.2, 110.9}, 5);
    fixture_add_values(&run, CREATE, 1, (double[]){1161.8, 870.4, 1217.5, 1104.7, 1190.2}, 5);
    fixture_add_values(&run, WALK, 0, (double[]){69.1, 84.5, 61.0, 66.2, 73.8}, 5);
    fixture_add_values(&run, WALK, 1, (double[]){4.6, 5.1, 4.0, 4.4, 4.9}, 5);
    fixture_add_values(&run, DELETE, 0, (double[]){812.5, 699.3, 935.2, 774.6, 868.1}, 5);
    fixture_add_values(&run, DELETE, 1, (double[]){6.9, 6.5, 7.2, 6.8, 7.0}, 5);
    struct metrics metrics;
    derive(&run, &metrics);
    assert_int_equal(metrics.length, 5); // with the walk that may follow up
    assert_true(metrics.rows[4].absent);

    static const struct {
        const char *id;
        double median[2], min[2], max[2], ratio, ratio_shown;
    } rows[] = {
        {"create", {115.2, 1161.8}, {104.2, 870.4}, {124.0, 1217.5}, 10.0851, 1162.0 / 115},
        {"walk", {69.1, 4.6}, {61.0, 4.0}, {84.5, 5.1}, 15.0217, 69.1 / 4.6},
        {"delete", {812.5, 6.9}, {699.3, 6.5}, {935.2, 7.2}, 117.7536, 0},
    };
    for (size_t i = 0; i < 3; i++) {
        const struct metric *metric = &metrics.rows[i];
        assert_string_equal(metric->id, rows[i].id);
        for (unsigned tier = 0; tier < 2; tier++) {
            const struct metric_tier *t = &metric->tiers[tier];
            assert_int_equal(t->state, METRIC_MEASURED);
            assert_int_equal(t->summary.n, 5);
            assert_true(near(t->summary.median, rows[i].median[tier]));
            assert_true(near(t->summary.min, rows[i].min[tier]));
            assert_true(near(t->summary.max, rows[i].max[tier]));
            assert_null(t->cause);
        }
        assert_int_equal(metric->ratio.comparison, COMPARISON_SLOWER);
        assert_true(fabs(metric->ratio.of_medians - rows[i].ratio) < 1e-4);
        double shown = rows[i].ratio_shown > 0 ? rows[i].ratio_shown
                                               : units_as_shown(metric->tiers[0].summary.median) / 6.9;
        assert_true(near(metric->ratio.of_medians_shown, shown));
    }
    assert_true(metrics.rows[CREATE].higher_is_better);
    assert_true(near(metrics.rows[CREATE].tiers[0].each[1], 104.2)); // in the order of the rounds
    assert_int_equal(metrics.rows[SEQ_WRITE].tiers[0].state, METRIC_EMPTY);
    assert_int_equal(metrics.rows[SEQ_WRITE].ratio.comparison, COMPARISON_NONE);
    metrics_release(&metrics);
    run_release(&run);
}

static void round_0_and_follow_ups_are_in_nothing(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add(&run, WALK, 0, 0, 900 * MS);
    fixture_add(&run, WALK, 0, 1, 10 * MS);
    fixture_add(&run, WALK, 0, 2, 900 * MS)->block = 2;
    fixture_add_other(&run, WALK, 0, 3, SAMPLE_STOPPED, SKIP_NONE)->wall_ns = 1;
    fixture_add(&run, WALK, 0, 4, 20 * MS);
    struct metrics metrics;
    derive(&run, &metrics);
    const struct summary *summary = &metrics.rows[WALK].tiers[0].summary;
    assert_int_equal(summary->n, 2);
    assert_true(summary->min == 10 && summary->median == 15 && summary->max == 20);
    metrics_release(&metrics);
    run_release(&run);
}

static void a_failure_takes_the_whole_metric(void **state)
{
    (void)state;
    for (unsigned failing = 0; failing <= 2; failing++) { // in round 0, too
        struct run run;
        begin(&run, 6);
        for (unsigned round = 0; round <= 2; round++)
            for (unsigned tier = 0; tier < 2; tier++)
                if (round == failing && tier == 0)
                    fixture_add_other(&run, CREATE, tier, round, SAMPLE_FAILED, SKIP_NONE);
                else
                    fixture_add(&run, CREATE, tier, round, (10 + tier * 100) * MS);
        struct metrics metrics;
        derive(&run, &metrics);
        const struct metric *metric = &metrics.rows[CREATE];
        assert_int_equal(metric->tiers[0].state, METRIC_FAILED);
        assert_int_equal(metric->tiers[0].summary.n, 0);
        assert_null(metric->tiers[0].each);
        assert_int_equal(metric->tiers[0].cause->round, failing);
        assert_int_equal(metric->tiers[1].state, METRIC_MEASURED);
        assert_int_equal(metric->tiers[1].summary.n, 2);
        assert_int_equal(metric->ratio.comparison, COMPARISON_NONE);
        assert_true(metric->ratio.of_medians == 0 && metric->ratio.of_medians_shown == 0);
        metrics_release(&metrics);
        run_release(&run);
    }
}

static void skipping_keeps_what_was_measured(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add(&run, WALK, 0, 1, 10 * MS);
    fixture_add_other(&run, WALK, 0, 2, SAMPLE_SKIPPED, SKIP_USER);
    fixture_add_other(&run, WALK, 1, 1, SAMPLE_SKIPPED, SKIP_UNSUPPORTED);
    fixture_add_other(&run, WALK, 1, 2, SAMPLE_SKIPPED, SKIP_USER);
    struct metrics metrics;
    derive(&run, &metrics);
    const struct metric_tier *a = &metrics.rows[WALK].tiers[0], *b = &metrics.rows[WALK].tiers[1];
    assert_int_equal(a->state, METRIC_MEASURED);
    assert_int_equal(a->summary.n, 1);
    assert_int_equal(a->cause->round, 2);
    assert_int_equal(b->state, METRIC_SKIPPED);
    assert_int_equal(b->summary.n, 0);
    assert_int_equal(b->cause->reason, SKIP_UNSUPPORTED);
    assert_int_equal(metrics.rows[WALK].ratio.comparison, COMPARISON_NONE);
    metrics_release(&metrics);
    run_release(&run);
}

static void assert_compares(size_t workload, const double *a, const double *b, enum comparison comparison,
                            double ratio)
{
    struct run run;
    begin(&run, 2);
    fixture_add_values(&run, workload, 0, a, 2);
    fixture_add_values(&run, workload, 1, b, 2);
    struct metrics metrics;
    derive(&run, &metrics);
    assert_int_equal(metrics.rows[workload].ratio.comparison, comparison);
    assert_true(near(metrics.rows[workload].ratio.of_medians, ratio));
    metrics_release(&metrics);
    run_release(&run);
}

static void compares_costs(void **state)
{
    (void)state;
    // Time: more is slower. A rate: less is slower.
    assert_compares(WALK, (double[]){20, 22}, (double[]){10, 11}, COMPARISON_SLOWER, 2);
    assert_compares(WALK, (double[]){10, 11}, (double[]){20, 22}, COMPARISON_FASTER, 2);
    assert_compares(CREATE, (double[]){20, 22}, (double[]){10, 11}, COMPARISON_FASTER, 2);
    assert_compares(SEQ_WRITE, (double[]){10, 11}, (double[]){20, 22}, COMPARISON_SLOWER, 2);
    // Ranges that overlap or touch.
    assert_compares(WALK, (double[]){10, 20}, (double[]){19, 30}, COMPARISON_UNCLEAR, 0);
    assert_compares(WALK, (double[]){10, 20}, (double[]){20, 30}, COMPARISON_UNCLEAR, 0);
    assert_compares(WALK, (double[]){20, 30}, (double[]){10, 20}, COMPARISON_UNCLEAR, 0);
    assert_compares(WALK, (double[]){10, 40}, (double[]){20, 30}, COMPARISON_UNCLEAR, 0);
    assert_compares(WALK, (double[]){10, 10}, (double[]){10, 10}, COMPARISON_UNCLEAR, 0);
}

static void one_disk_has_no_ratio_unless_asked(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    fixture_add_values(&run, WALK, 0, (double[]){20}, 1);
    fixture_add_values(&run, WALK, 1, (double[]){10}, 1);
    run.shared_why = strdup("Both directories are on /dev/vda1");
    assert_non_null(run.shared_why);
    struct metrics metrics;
    derive(&run, &metrics);
    assert_int_equal(metrics.rows[WALK].ratio.comparison, COMPARISON_NONE);
    assert_true(metrics.rows[WALK].ratio.of_medians == 0 && metrics.rows[WALK].ratio.of_medians_shown == 0);
    assert_int_equal(metrics.rows[WALK].tiers[0].state, METRIC_MEASURED);
    metrics_release(&metrics);
    run.plan.same_disk = true;
    derive(&run, &metrics);
    assert_int_equal(metrics.rows[WALK].ratio.comparison, COMPARISON_SLOWER);
    metrics_release(&metrics);
    run_release(&run);
}

static void absurd_samples_divide_by_nothing(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    fixture_add(&run, CREATE, 0, 1, MS)->ops = 0; // 0 files/s
    fixture_add(&run, CREATE, 1, 1, MS);
    fixture_add(&run, WALK, 0, 1, 1)->batches = UINT64_MAX; // so quick that it is shown as 0
    fixture_add(&run, WALK, 1, 1, UINT64_MAX);
    fixture_add(&run, DELETE, 0, 1, 0);
    fixture_add(&run, DELETE, 1, 1, MS);
    struct sample *huge = fixture_add(&run, SEQ_WRITE, 0, 1, 1);
    huge->bytes = UINT64_MAX;
    fixture_add(&run, SEQ_WRITE, 1, 1, UINT64_MAX)->bytes = 1;
    struct metrics metrics;
    derive(&run, &metrics);
    assert_int_equal(metrics.rows[CREATE].ratio.comparison, COMPARISON_NONE);
    assert_int_equal(metrics.rows[WALK].ratio.comparison, COMPARISON_FASTER);
    assert_int_equal(metrics.rows[DELETE].tiers[0].state, METRIC_EMPTY);
    for (size_t i = 0; i < metrics.length; i++) {
        const struct metric *metric = &metrics.rows[i];
        assert_true(isfinite(metric->ratio.of_medians) && isfinite(metric->ratio.of_medians_shown));
        if (metric->ratio.comparison == COMPARISON_NONE)
            assert_true(metric->ratio.of_medians == 0 && metric->ratio.of_medians_shown == 0);
        else
            assert_true(metric->ratio.of_medians >= 1 && metric->ratio.of_medians_shown >= 1);
    }
    metrics_release(&metrics);
    run_release(&run);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    struct metrics metrics;
    derive(&run, &metrics);
    assert_int_equal(metrics.length, 5); // with the walk that may follow up
    assert_true(metrics.rows[4].absent);
    for (size_t i = 0; i < metrics.length; i++)
        assert_int_equal(metrics.rows[i].tiers[0].state, METRIC_EMPTY);
    metrics_release(&metrics);
    struct run none = {0};
    derive(&none, &metrics);
    assert_int_equal(metrics.length, 0);
    metrics_release(&metrics);
    run_release(&run);
}

int test_metric(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_speaks_its_workloads_unit),
        cmocka_unit_test(every_workload_has_its_unit),
        cmocka_unit_test(a_stand_in_is_absent_until_it_has_a_sample),
        cmocka_unit_test(some_samples_say_nothing),
        cmocka_unit_test(gives_the_published_figures),
        cmocka_unit_test(round_0_and_follow_ups_are_in_nothing),
        cmocka_unit_test(a_failure_takes_the_whole_metric),
        cmocka_unit_test(skipping_keeps_what_was_measured),
        cmocka_unit_test(compares_costs),
        cmocka_unit_test(one_disk_has_no_ratio_unless_asked),
        cmocka_unit_test(absurd_samples_divide_by_nothing),
        cmocka_unit_test(nothing_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
