// What findings make of figures. Rules are tested one by one elsewhere.
#include "analysis/full.h"

#include <string.h>

int test_judge(int argc, char *argv[]);

#define MS UINT64_C(1000000)

static const struct metric *row(const struct run *run, const struct judgement *judgement, const char *id)
{
    return &judgement->metrics.rows[fixture_find(run, id)];
}

static const struct finding *said(const struct run *run, const struct judgement *judgement, const char *rule,
                                  const char *id, unsigned tier)
{
    return asked(judgement, rule, id ? fixture_find(run, id) : SIZE_MAX, tier);
}

static bool names(const struct judgement *judgement, const struct metric *metric, const char *rule)
{
    for (size_t i = 0; i < metric->finding_count; i++)
        if (strcmp(judgement->findings[metric->findings[i]].rule, rule) == 0)
            return true;
    return false;
}

// Steady rounds of 40 ms on A and 20 ms on B.
static void add_steady(struct run *run, const char *id, unsigned rounds)
{
    for (unsigned round = 1; round <= rounds; round++)
        for (unsigned tier = 0; tier < 2; tier++)
            fixture_add(run, fixture_find(run, id), tier, round,
                        (tier == 0 ? 40 : 20) * MS + round * MS / 10);
}

static void a_clean_row_is_reported(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,walk", 6);
    add_steady(&run, "create", 6);
    judge_run(&run, &judgement);
    const struct metric *create = row(&run, &judgement, "create");
    assert_int_equal(create->trust, TRUST_REPORTED);
    assert_int_equal(create->tiers[0].trust, TRUST_REPORTED);
    assert_int_equal(create->ratio.comparison, COMPARISON_SLOWER);
    assert_true(create->finding_count > 0); // infos
    assert_int_equal(judgement.rules_version, RULES_VERSION);
    assert_non_null(judgement.headline);
    // A row without a figure has nothing that could be trusted, nor anything that bears on it.
    const struct metric *walk = row(&run, &judgement, "walk");
    assert_int_equal(walk->trust, TRUST_NONE);
    assert_int_equal(walk->finding_count, 0);
    judgement_release(&judgement);
    run_release(&run);
}

static void trust_is_the_worst_verdict(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    fixture_add_values(&run, 0, 0, (double[]){100, 100, 100, 160, 130, 110}, 6); // wide-range
    fixture_add_values(&run, 0, 1, (double[]){100, 20, 400, 160, 1000, 50}, 6);  // and not-repeatable
    judge_run(&run, &judgement);
    const struct metric *create = &judgement.metrics.rows[0];
    assert_non_null(asked(&judgement, "wide-range", 0, 0));
    assert_non_null(asked(&judgement, "not-repeatable", 0, 1));
    assert_int_equal(create->tiers[0].trust, TRUST_CAVEAT);
    assert_int_equal(create->tiers[1].trust, TRUST_DISCARDED);
    assert_int_equal(create->trust, TRUST_DISCARDED);
    assert_int_equal(create->ratio.comparison, COMPARISON_NONE); // of one side there is none
    assert_true(create->ratio.of_medians == 0 && create->ratio.factor == 0);
    assert_string_equal(judgement.headline, "The only row can't be compared.");
    judgement_release(&judgement);
    run_release(&run);
}

static void a_refusal_takes_no_trust_away(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    add_steady(&run, "create", 6);
    judge_run(&run, &judgement);
    const struct finding *gate = asked(&judgement, "round-percentile-gate", 0, 0);
    assert_non_null(gate);
    assert_int_equal(gate->verdict, VERDICT_REFUSE);
    assert_int_equal(judgement.metrics.rows[0].trust, TRUST_REPORTED);
    assert_int_equal(judgement.metrics.rows[0].ratio.comparison, COMPARISON_SLOWER);
    judgement_release(&judgement);
    run_release(&run);
}

static void a_refused_ratio_is_gone(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,walk", 6);
    add_steady(&run, "create", 6);
    add_steady(&run, "walk", 6);
    // A disk differed from itself by more than these two differ.
    run.calibration.self[0] = (struct self_ratio){{true, 2.8}, {true, 3.2}};
    judge_run(&run, &judgement);
    const struct finding *self = asked(&judgement, "self-comparison-fails", 0, RUN_TIERS_MOST);
    assert_non_null(self);
    assert_int_equal(self->verdict, VERDICT_REFUSE);
    assert_string_equal(self->statistic, "ratio");
    assert_int_equal(judgement.metrics.rows[0].ratio.comparison, COMPARISON_NONE);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].trust, TRUST_REPORTED); // the figures stay
    assert_int_equal(judgement.metrics.rows[1].ratio.comparison, COMPARISON_SLOWER);
    assert_null(strstr(judgement.headline, "files"));
    judgement_release(&judgement);
    run_release(&run);
}

// One disk under both directories refuses every ratio.
static void a_refusal_of_the_run_takes_all_ratios(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,walk", 6);
    add_steady(&run, "create", 6);
    add_steady(&run, "walk", 6);
    run.shared_why = xstrdup("Both lie on /dev/vda.");
    judge_run(&run, &judgement);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(judgement.metrics.rows[i].ratio.comparison, COMPARISON_NONE);
        assert_true(names(&judgement, &judgement.metrics.rows[i], "same-storage"));
        assert_int_equal(judgement.metrics.rows[i].trust, TRUST_REPORTED);
    }
    assert_null(judgement.headline);
    judgement_release(&judgement);
    run_release(&run);
}

// ---- What ends questions ----

static void a_failure_ends_the_questions_about_a_figure(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    add_steady(&run, "create", 6);
    fixture_add_other(&run, 0, 0, 3, SAMPLE_FAILED, SKIP_NONE);
    judge_run(&run, &judgement);
    for (size_t i = 0; i < judgement.finding_count; i++) {
        const struct finding *finding = &judgement.findings[i];
        if (finding->on_metric && finding->on_tier && finding->tier == 0)
            assert_true(rule_by_id(finding->rule)->integrity);
        if (finding->on_metric && !finding->on_tier)
            fail_msg("%s asks about a ratio with a failed side", finding->rule);
    }
    assert_int_equal(judgement.metrics.rows[0].tiers[0].trust, TRUST_DISCARDED);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].state, METRIC_FAILED);
    assert_non_null(asked(&judgement, "median-coverage", 0, 1)); // of the other disk all is asked
    judgement_release(&judgement);
    run_release(&run);
}

static void wrong_bytes_end_the_questions_about_a_disk(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,walk", 6);
    add_steady(&run, "create", 6);
    add_steady(&run, "walk", 6);
    run.samples[2].has_verify = true; // of create, on A
    run.samples[2].verify_blocks = 200;
    run.samples[2].verify_mismatches = 1;
    judge_run(&run, &judgement);
    for (size_t i = 0; i < judgement.finding_count; i++) {
        const struct finding *finding = &judgement.findings[i];
        if (finding->on_metric && (finding->tier == 0 || !finding->on_tier))
            assert_true(rule_by_id(finding->rule)->integrity);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(judgement.metrics.rows[i].tiers[0].trust, TRUST_DISCARDED);
        assert_int_equal(judgement.metrics.rows[i].tiers[1].trust, TRUST_REPORTED);
        assert_int_equal(judgement.metrics.rows[i].ratio.comparison, COMPARISON_NONE);
    }
    assert_string_equal(judgement.headline, "No row can be compared.");
    judgement_release(&judgement);
    run_release(&run);
}

// ---- What bears on what ----

static void a_caveat_of_a_disk_bears_on_its_classes_alone(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,commit", 6);
    add_steady(&run, "create", 6);
    add_steady(&run, "commit", 6);
    run.tiers[0].mount.type = xstrdup("fuse.orlop");
    run.tiers[1].mount.type = xstrdup("ext4");
    judge_run(&run, &judgement);
    const struct metric *create = row(&run, &judgement, "create"), *commit = row(&run, &judgement, "commit");
    assert_non_null(said(&run, &judgement, "durability-unprovable", NULL, 0));
    assert_true(names(&judgement, commit, "durability-unprovable"));
    assert_false(names(&judgement, create, "durability-unprovable"));
    assert_int_equal(commit->tiers[0].trust, TRUST_CAVEAT);
    assert_int_equal(commit->tiers[1].trust, TRUST_REPORTED);
    assert_int_equal(create->tiers[0].trust, TRUST_REPORTED);
    judgement_release(&judgement);
    run_release(&run);
}

static void a_discard_of_a_disk_takes_its_classes_alone(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,commit", 6);
    add_steady(&run, "create", 6);
    add_steady(&run, "commit", 6);
    run.tiers[1].mount.type = xstrdup("tmpfs");
    judge_run(&run, &judgement);
    const struct metric *create = row(&run, &judgement, "create"), *commit = row(&run, &judgement, "commit");
    assert_int_equal(commit->tiers[1].trust, TRUST_DISCARDED);
    assert_int_equal(commit->tiers[0].trust, TRUST_REPORTED);
    assert_int_equal(commit->ratio.comparison, COMPARISON_NONE);
    assert_int_equal(create->tiers[1].trust, TRUST_REPORTED);
    assert_int_equal(create->ratio.comparison, COMPARISON_SLOWER);
    judgement_release(&judgement);
    run_release(&run);
}

// What is said of a disk that a row has no figure of isn't the row's.
static void what_is_said_of_a_disk_leaves_the_other_alone(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "commit", 6);
    for (unsigned round = 1; round <= 6; round++)
        fixture_add(&run, 0, 1, round, 20 * MS + round * MS / 10);
    run.tiers[0].mount.type = xstrdup("fuse.orlop");
    judge_run(&run, &judgement);
    assert_non_null(asked(&judgement, "durability-unprovable", SIZE_MAX, 0));
    assert_int_equal(judgement.metrics.rows[0].trust, TRUST_REPORTED);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].trust, TRUST_NONE);
    assert_false(names(&judgement, &judgement.metrics.rows[0], "durability-unprovable"));
    judgement_release(&judgement);
    run_release(&run);
}

static void a_caveat_of_the_run_bears_on_all_of_its_classes(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,walk", 6);
    add_steady(&run, "create", 6);
    add_steady(&run, "walk", 6);
    run.origin = RUN_IMPORTED; // compressible-data: of create and writes
    judge_run(&run, &judgement);
    assert_int_equal(row(&run, &judgement, "create")->trust, TRUST_CAVEAT);
    assert_true(names(&judgement, row(&run, &judgement, "create"), "compressible-data"));
    assert_false(names(&judgement, row(&run, &judgement, "walk"), "compressible-data"));
    judgement_release(&judgement);
    run_release(&run);
}

static void a_caveat_of_a_ratio_marks_the_row(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    add_steady(&run, "create", 6);
    for (size_t i = 0; i < run.sample_count; i++) { // A takes half as long again whenever it goes second
        struct sample *sample = &run.samples[i];
        sample->first = (sample->round + sample->tier) % 2 == 0;
        if (sample->tier == 0 && !sample->first)
            sample->wall_ns = sample->wall_ns * 14 / 10;
    }
    judge_run(&run, &judgement);
    assert_non_null(asked(&judgement, "order-effect", 0, RUN_TIERS_MOST));
    assert_int_equal(judgement.metrics.rows[0].trust, TRUST_CAVEAT);
    assert_int_equal(judgement.metrics.rows[0].tiers[0].trust, TRUST_REPORTED);
    judgement_release(&judgement);
    run_release(&run);
}

// ---- Whom rules are asked about ----

static void what_was_not_checked_says_what_is_missing(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create,seq-write-64", 6);
    add_steady(&run, "create", 6);
    judge_run(&run, &judgement);
    const struct finding *floor = asked(&judgement, "overhead-floor", 0, 0);
    assert_non_null(floor);
    assert_int_equal(floor->verdict, VERDICT_NOT_CHECKED);
    assert_string_equal(floor->message, "the cost of the loop itself wasn't measured");
    assert_int_equal(floor->evidence_count, 0);
    const struct finding *storage = asked(&judgement, "same-storage", SIZE_MAX, RUN_TIERS_MOST);
    assert_non_null(storage);
    assert_string_equal(storage->message, "what both disks lie on can't be seen");
    // What isn't checked marks no row, and what isn't measured isn't asked about.
    for (size_t i = 0; i < judgement.metrics.rows[0].finding_count; i++)
        assert_true(judgement.findings[judgement.metrics.rows[0].findings[i]].verdict > VERDICT_NOT_CHECKED);
    for (size_t i = 0; i < judgement.finding_count; i++)
        assert_false(judgement.findings[i].on_metric && judgement.findings[i].metric != 0);
    judgement_release(&judgement);
    run_release(&run);
}

static void every_rule_of_a_run_speaks_or_was_asked(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "walk", 6); // no write: rules of writes have no subject
    add_steady(&run, "walk", 6);
    judge_run(&run, &judgement);
    for (size_t i = 0; i < judgement.finding_count; i++)
        assert_true(rule_by_id(judgement.findings[i].rule)->classes & CLASS_BIT(CLASS_WALK));
    judgement_release(&judgement);
    run_release(&run);
}

static void one_tier_has_no_ratio_to_ask_about(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    run.tier_count = 1;
    for (unsigned round = 1; round <= 6; round++)
        fixture_add(&run, 0, 0, round, 20 * MS);
    judge_run(&run, &judgement);
    for (size_t i = 0; i < judgement.finding_count; i++)
        assert_int_not_equal(rule_by_id(judgement.findings[i].rule)->scope, SCOPE_RATIO);
    assert_null(judgement.headline);
    judgement_release(&judgement);
    run_release(&run);
}

static void no_disk_is_not_asked_about_as_one(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    fixture_begin(&run, "create", 6);
    add_steady(&run, "create", 6);
    run.tiers[1].null = true;
    judge_run(&run, &judgement);
    for (size_t i = 0; i < judgement.finding_count; i++)
        assert_false(!judgement.findings[i].on_metric && judgement.findings[i].on_tier &&
                     judgement.findings[i].tier == 1);
    judgement_release(&judgement);
    run_release(&run);
}

static void findings_come_in_the_order_of_the_rules(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    begin_full(&run, "create,walk,seq-read,seq-write", 6, 0.3, "fuse.orlop");
    judge_run(&run, &judgement);
    for (size_t i = 1; i < judgement.finding_count; i++)
        assert_true(rule_by_id(judgement.findings[i].rule) >= rule_by_id(judgement.findings[i - 1].rule));
    judgement_release(&judgement);
    run_release(&run);
}

// ---- Thresholds ----

static enum trust trust_with(const char *assignment)
{
    struct run run;
    struct judgement judgement;
    struct error error;
    fixture_begin(&run, "create", 6);
    fixture_add_values(&run, 0, 0, (double[]){100, 105, 110, 130, 120, 115}, 6);
    fixture_add_values(&run, 0, 1, (double[]){100, 100.1, 100.2, 100, 100.1, 100.2}, 6);
    if (assignment)
        assert_true(thresholds_set(&run.thresholds, assignment, &error));
    judge_run(&run, &judgement);
    enum trust trust = judgement.metrics.rows[0].trust;
    judgement_release(&judgement);
    run_release(&run);
    return trust;
}

static void thresholds_of_the_run_decide(void **state)
{
    (void)state;
    assert_int_equal(trust_with(NULL), TRUST_REPORTED);
    assert_int_equal(trust_with("wide-range.factor=1.2"), TRUST_CAVEAT);
    assert_int_equal(trust_with("not-repeatable.factor=1.2"), TRUST_DISCARDED);
    assert_int_equal(trust_with("wide-range.factor=1.5"), TRUST_REPORTED); // the standard
}

static void a_run_of_nothing_is_judged(void **state)
{
    (void)state;
    struct run run = {0};
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.length, 0);
    assert_null(judgement.headline);
    judgement_release(&judgement);
    fixture_begin(&run, "create", 6);
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[0].trust, TRUST_NONE);
    assert_null(judgement.headline);
    judgement_release(&judgement);
    assert_null(judgement.findings);
    run_release(&run);
}

int test_judge(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_row_is_reported),
        cmocka_unit_test(trust_is_the_worst_verdict),
        cmocka_unit_test(a_refusal_takes_no_trust_away),
        cmocka_unit_test(a_refused_ratio_is_gone),
        cmocka_unit_test(a_refusal_of_the_run_takes_all_ratios),
        cmocka_unit_test(a_failure_ends_the_questions_about_a_figure),
        cmocka_unit_test(wrong_bytes_end_the_questions_about_a_disk),
        cmocka_unit_test(a_caveat_of_a_disk_bears_on_its_classes_alone),
        cmocka_unit_test(a_discard_of_a_disk_takes_its_classes_alone),
        cmocka_unit_test(what_is_said_of_a_disk_leaves_the_other_alone),
        cmocka_unit_test(a_caveat_of_the_run_bears_on_all_of_its_classes),
        cmocka_unit_test(a_caveat_of_a_ratio_marks_the_row),
        cmocka_unit_test(what_was_not_checked_says_what_is_missing),
        cmocka_unit_test(every_rule_of_a_run_speaks_or_was_asked),
        cmocka_unit_test(one_tier_has_no_ratio_to_ask_about),
        cmocka_unit_test(no_disk_is_not_asked_about_as_one),
        cmocka_unit_test(findings_come_in_the_order_of_the_rules),
        cmocka_unit_test(thresholds_of_the_run_decide),
        cmocka_unit_test(a_run_of_nothing_is_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
