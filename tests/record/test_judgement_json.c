#include "record/judgement_json.h"

#include "edit.h"

#include <stdio.h>

int test_judgement_json(int argc, char *argv[]);

static void assert_holds(const struct text *document, const char *part)
{
    if (!strstr(text_string(document), part))
        fail_msg("no %s in the document", part);
}

static void names_are_those_of_the_format(void **state)
{
    (void)state;
    assert_string_equal(verdict_name(VERDICT_NOT_CHECKED), "not checked");
    assert_string_equal(verdict_name(VERDICT_INFO), "info");
    assert_string_equal(verdict_name(VERDICT_CAVEAT), "caveat");
    assert_string_equal(verdict_name(VERDICT_REFUSE), "refuse");
    assert_string_equal(verdict_name(VERDICT_DISCARD), "discard");
    assert_null(trust_name(TRUST_NONE));
    assert_string_equal(trust_name(TRUST_REPORTED), "reported");
    assert_string_equal(trust_name(TRUST_CAVEAT), "caveat");
    assert_string_equal(trust_name(TRUST_DISCARDED), "discarded");
    static const char *const percentiles[PERCENTILE_COUNT] = {"p50", "p90", "p95", "p99", "p99.9"};
    for (size_t i = 0; i < PERCENTILE_COUNT; i++)
        assert_string_equal(percentile_name(i), percentiles[i]);
    assert_int_equal(percentile_permilles[0], 500);
    assert_int_equal(percentile_permilles[4], 999);
}

// A hostile name, in quotes, as JSON has it.
#define TIER "\"p\xc3\xa4rsistent \\\"x\\\" </script>\""

static void each_finding_says_what_it_is_about(void **state)
{
    (void)state;
    struct text document;
    fixture_document(&document);
    assert_holds(&document, "\n\"rules_version\": 7,\n");
    assert_holds(&document, "\n\"headline\": \"It costs more. ");
    assert_holds(&document, "\n\"findings\": [\n{\"rule\": \"same-storage\", \"verdict\": \"refuse\", "
                            "\"statistic\": \"ratio\", \"message\": \"finding 0: ");
    assert_holds(&document, "\n{\"rule\": \"nearly-full\", \"tier\": \"null\", \"verdict\": \"caveat\", "
                            "\"message\": \"finding 2: ");
    assert_holds(&document, "\n{\"rule\": \"wide-range\", \"metric\": \"create\", \"tier\": " TIER
                            ", \"verdict\": \"discard\", \"message\": \"finding 4: ");
    assert_holds(&document, "\"evidence\": {\"factor\": 3.3666666666666667, \"file\": \"a\\\"b");
    assert_holds(&document, "\"share\": -0}}");
    assert_holds(&document,
                 "\n{\"rule\": \"median-coverage\", \"metric\": \"walk\", \"verdict\": \"info\", ");
    assert_holds(&document, "\"evidence\": {}}\n],\n\"not_checked\": [\n{\"rule\": \"age-unknown\", "
                            "\"why\": \"finding 1: ");
    assert_holds(&document, "\n{\"rule\": \"knee\", \"metric\": \"seq-read-cold\", \"tier\": " TIER
                            ", \"why\": \"finding 3: ");
    text_free(&document);
}

// Those of the metric are 0, 1, 2 and 4 of all, and 1 and 3 weren't checked.
static void a_metric_counts_what_was_checked(void **state)
{
    (void)state;
    struct text document;
    fixture_document(&document);
    assert_holds(&document, "\"trust\": \"discarded\", \"findings\": [0,1,2]}\n],\n\"findings\": [");
    text_free(&document);
}

static void a_metric_says_how_far_it_can_be_trusted(void **state)
{
    (void)state;
    struct text document;
    fixture_document(&document);
    assert_holds(&document, "\"values\": {" TIER ": {\"trust\": \"reported\", \"n\": 3, \"median\": ");
    assert_holds(&document, "\"first_use\": 28.6}");
    assert_holds(&document, "\"past_buffer\": 28.96666666666667}");
    assert_holds(&document, "\"latency\": {\"p50\": {\"n\": 3, \"median_ns\": 1000.5, \"min_ns\": 100, "
                            "\"max_ns\": 333333333.3333333, \"pooled_ns\": 1001}, \"p90\": {\"n\": 3, "
                            "\"median_ns\": 2000, \"min_ns\": 200, \"max_ns\": 3000}, \"p99.9\": "
                            "{\"pooled_ns\": 5000000000}}}");
    assert_holds(&document, "\"ratio\": {\"slower\": \"null\", \"of_medians\": 3.3666666666666667, "
                            "\"factor\": 3.233333333333333, \"low\": 8.4, \"high\": 10.7, "
                            "\"confidence\": 0.9375, \"past_buffer\": true}");
    text_free(&document);
}

static void nothing_is_said_where_nothing_was_judged(void **state)
{
    (void)state;
    struct run run, back;
    struct judgement stored;
    struct error error = {{0}};
    struct text document = {0};
    fixture_run(&run);
    run_json_write(&run, NULL, &document);
    assert_holds(&document, "\n\"rules_version\": 0,\n\"samples\": [");
    assert_null(strstr(document.bytes, "\"findings\""));
    assert_null(strstr(document.bytes, "\"not_checked\""));
    assert_null(strstr(document.bytes, "\"headline\""));
    assert_true(fixture_read(document.bytes, document.length, &back, &stored, &error));
    assert_int_equal(stored.rules_version, 0);
    assert_null(stored.headline);
    assert_null(stored.metrics.rows);
    judgement_release(&stored);
    text_free(&document);
    run_release(&run);
    run_release(&back);
}

static void an_empty_judgement_is_one(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement = {.rules_version = RULES_VERSION};
    struct text document = {0};
    fixture_run(&run);
    run_json_write(&run, &judgement, &document);
    assert_holds(&document,
                 "\n\"rules_version\": 1,\n\"metrics\": [],\n\"findings\": [],\n\"not_checked\": [],\n");
    judgement_release(&judgement);
    text_free(&document);
    run_release(&run);
}

// Metrics as they were written before there were rules.
static void reads_what_an_earlier_version_wrote(void **state)
{
    (void)state;
    struct run run;
    struct judgement stored;
    edit_is_read(fixture_run, "{", "\"metrics\": [",
                 "\"metrics\": [{\"id\": \"create\", \"workload\": \"create\", \"unit\": \"files/s\", "
                 "\"better\": \"higher\", \"values\": {" TIER ": {\"n\": 1, \"median\": 2, \"min\": 2, "
                 "\"max\": 2, \"each\": [2]}, \"null\": {}}, \"ratio\": {\"of_medians\": 3}}], \"later\": [",
                 &run, &stored);
    assert_int_equal(stored.metrics.length, 1);
    const struct metric *metric = &stored.metrics.rows[0];
    assert_int_equal(metric->trust, TRUST_NONE);
    assert_int_equal(metric->tiers[0].trust, TRUST_NONE);
    assert_false(metric->tiers[0].first_use.known || metric->tiers[0].past_buffer.known);
    assert_true(metric->tiers[0].each[0] == 2);
    assert_int_equal(metric->ratio.comparison, COMPARISON_UNCLEAR);
    assert_true(metric->ratio.of_medians == 3 && metric->ratio.factor == 0);
    judgement_release(&stored);
    run_release(&run);
}

static void refuses_what_is_no_judgement(void **state)
{
    (void)state;
#define REFUSED(after, from, to, message) edit_is_refused(fixture_run, after, from, to, message)
    REFUSED("\"rules_version\"", "7", "-7", "rules_version: ");
    REFUSED("\"rules_version\"", "7", "4294967296", "rules_version: ");
    REFUSED("{", "\"headline\": \"", "\"headline\": 7, \"h\": \"", "headline: not a string");
    REFUSED("\"metrics\"", "\"trust\": \"reported\"", "\"trust\": \"good\"", "metrics[0].values.");
    REFUSED("\"metrics\"", "\"trust\": \"discarded\", \"findings\"", "\"trust\": \"\", \"findings\"",
            "metrics[3].trust: \"\" is none of reported, caveat, discarded");
    REFUSED("\"first_use\"", "28.6", "-28.6", "metrics[1].values.");
    REFUSED("\"p50\"", "\"median_ns\": 1000.5, ", "",
            "metrics[1].values.null.latency.p50.median_ns: missing");
    REFUSED("\"p50\"", "\"n\": 3", "\"n\": 501", "metrics[1].values.null.latency.p50.n: ");
    REFUSED("\"p99.9\"", "5000000000", "\"5 s\"", "metrics[1].values.null.latency.p99.9.pooled_ns: ");
    REFUSED("\"ratio\"", "\"low\": 8.4", "\"low\": 1e999", "metrics[3].ratio.low: not a number");
    REFUSED("\"metrics\"", "\"each\": [115.2,0.1,3.3333333333333337e-10]", "\"n_each\": []",
            "metrics[0].values.");
#undef REFUSED
}

// An imported run has summaries and no rounds.
static void what_is_imported_may_lack_its_rounds(void **state)
{
    (void)state;
    struct run run, back;
    struct judgement judgement, stored;
    struct error error = {{0}};
    struct text document = {0};
    fixture_imported(&run);
    fixture_judgement(&run, &judgement);
    free(judgement.metrics.rows[1].tiers[1].each);
    judgement.metrics.rows[1].tiers[1].each = NULL;
    run_json_write(&run, &judgement, &document);
    if (!fixture_read(document.bytes, document.length, &back, &stored, &error))
        fail_msg("%s", error.text);
    assert_null(stored.metrics.rows[1].tiers[1].each);
    assert_int_equal(stored.metrics.rows[1].tiers[1].summary.n, 3);
    assert_int_equal(stored.metrics.rows[1].tiers[1].state, METRIC_MEASURED);
    assert_non_null(stored.metrics.rows[1].tiers[0].each);
    judgement_release(&judgement);
    judgement_release(&stored);
    text_free(&document);
    run_release(&run);
    run_release(&back);
}

int test_judgement_json(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_format),
        cmocka_unit_test(each_finding_says_what_it_is_about),
        cmocka_unit_test(a_metric_counts_what_was_checked),
        cmocka_unit_test(a_metric_says_how_far_it_can_be_trusted),
        cmocka_unit_test(nothing_is_said_where_nothing_was_judged),
        cmocka_unit_test(an_empty_judgement_is_one),
        cmocka_unit_test(reads_what_an_earlier_version_wrote),
        cmocka_unit_test(refuses_what_is_no_judgement),
        cmocka_unit_test(what_is_imported_may_lack_its_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
