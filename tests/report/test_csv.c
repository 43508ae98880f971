#include "report/csv.h"

#include "report/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_csv(int argc, char *argv[]);

static void a_row_a_sample(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text csv = {0};
    fixture_make(&fixture);
    report_csv(&fixture.report, &csv);
    assert_true(fixture_matches(&csv, "samples.csv"));
    size_t lines = 0;
    for (const char *c = strchr(text_string(&csv), '\n'); c; c = strchr(c + 1, '\n')) {
        assert_int_equal(c[-1], '\r');
        lines++;
    }
    assert_int_equal(lines, 1 + fixture.run.sample_count);
    text_free(&csv);
    fixture_release(&fixture);
}

// Of a run that holds one sample, with these names.
static char *row_of(const char *host, const char *tier)
{
    struct fixture fixture;
    struct text csv = {0};
    fixture_make(&fixture);
    free(fixture.run.host.hostname);
    fixture.run.host.hostname = host ? xstrdup(host) : NULL;
    free(fixture.run.tiers[0].name);
    fixture.run.tiers[0].name = xstrdup(tier);
    report_csv(&fixture.report, &csv);
    const char *row = strstr(text_string(&csv), "\r\n") + 2;
    char *first = xstrndup(row, (size_t)(strstr(row, "\r\n") - row));
    text_free(&csv);
    fixture_release(&fixture);
    return first;
}

static void assert_cells(const char *host, const char *tier, const char *expected)
{
    char *row = row_of(host, tier);
    char *cells = xformat("20261130T175535Z-3f2a9c,%s,create,", expected);
    row[strlen(cells)] = '\0';
    assert_string_equal(row, cells);
    free(row);
    free(cells);
}

static void names_are_quoted_and_are_no_formulas(void **state)
{
    (void)state;
    assert_cells("agent", "a", "agent,a");
    assert_cells(NULL, "a", ",a");
    assert_cells("a,b", "say \"a\"", "\"a,b\",\"say \"\"a\"\"\"");
    assert_cells("=cmd()|' /C calc'!A0", "@SUM(1)", "\"'=cmd()|' /C calc'!A0\",'@SUM(1)");
    assert_cells("+1", "-1", "'+1,'-1");
    assert_cells(" =1", "=1,2", "\"' =1\",\"'=1,2\"");
    assert_cells("\t=1", "\r=1", "\\x09=1,\\x0d=1");
    assert_cells("a\nb", "\x1b[2J\xff\xe2\x80\xae", "a\\x0ab,\\x1b[2J\\xff\\xe2\\x80\\xae");
}

// The last cells of the row of round 1 of the first workload on the first tier.
static void assert_judged(const struct fixture *fixture, const char *expected)
{
    struct text csv = {0};
    report_csv(&fixture->report, &csv);
    const char *row = strstr(text_string(&csv), ",create,1,");
    assert_non_null(row);
    char *cells = xstrndup(row, (size_t)(strstr(row, "\r\n") - row));
    assert_string_equal(cells + strlen(cells) - strlen(expected), expected);
    free(cells);
    text_free(&csv);
}

static void a_first_use_is_in_no_figure(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_make(&fixture);
    struct metric_tier *tier = &fixture.judgement.metrics.rows[0].tiers[0];
    tier->trust = TRUST_REPORTED;
    assert_judged(&fixture, ",files/s,reported,");
    tier->first_use = (struct real){.known = true, .value = 1};
    assert_judged(&fixture, ",files/s,,");
    fixture_release(&fixture);
}

int test_csv(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_a_sample),
        cmocka_unit_test(names_are_quoted_and_are_no_formulas),
        cmocka_unit_test(a_first_use_is_in_no_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
