#include "report/html.h"

#include "report/fixture.h"
#include "report/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_html(int argc, char *argv[]);

static void assert_holds(const struct text *text, const char *words)
{
    if (!strstr(text_string(text), words))
        fail_msg("missing: %s", words);
}

static void assert_lacks(const struct text *text, const char *words)
{
    if (strstr(text_string(text), words))
        fail_msg("there: %s", words);
}

// Every tag is closed, in order, and every attribute quoted; what a browser mends is an error here.
static void assert_well_formed(const struct text *text)
{
    enum { DEEPEST = 32 };
    struct {
        const char *name;
        size_t length;
    } open[DEEPEST];
    size_t depth = 0;
    for (const char *c = strchr(text_string(text) + 1, '<'); c; c = strchr(c, '<')) {
        bool closing = c[1] == '/';
        const char *name = c + 1 + closing, *end = name;
        size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
        assert_true(length > 0);
        for (bool quoted = false; *end != '>' || quoted; end++) {
            assert_true(*end != '\0' && *end != '<');
            quoted = quoted != (*end == '"');
        }
        if (closing) {
            assert_true(depth > 0 && open[depth - 1].length == length);
            assert_memory_equal(open[--depth].name, name, length);
        } else if (end[-1] != '/') {
            assert_true(depth < DEEPEST);
            open[depth].name = name;
            open[depth++].length = length;
        }
        c = end;
    }
    assert_int_equal(depth, 0);
}

static void is_one_file_that_needs_nothing_else(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text html = {0};
    fixture_make(&fixture);
    report_html(&fixture.report, &html);
    assert_well_formed(&html);
    assert_lacks(&html, "://");
    assert_lacks(&html, "<script");
    assert_lacks(&html, "url(");
    assert_lacks(&html, "@import");
    assert_lacks(&html, " src=");
    assert_holds(&html, "<html lang=\"en\">");
    assert_holds(&html, "name=\"viewport\"");
    assert_holds(&html, "prefers-color-scheme:dark");
    assert_holds(&html, "@media print");
    text_free(&html);
    fixture_release(&fixture);
}

static void says_all_of_the_page(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text html = {0};
    fixture_make(&fixture);
    report_html(&fixture.report, &html);
    static const char *const words[] = {
        "<h1>agent-disk, 2 rounds, 2026-11-30 17:55 UTC</h1>",
        "Creating small files is 9.7x slower on A persistent.",
        "Judged by other thresholds than the standard: wide-range.factor 1.3 (standard 1.5).",
        "<dt>Measured</dt>",
        "8.4 to 10.7",
        "10.1x by the medians",
        "3.74x as fast",
        "8.31 to 8.62 ms",
        "all rounds together 8.41 ms",
        "Measured and thrown away</h2>",
        "<li id=\"mark-1\"><strong>x1 delete on B ephemeral</strong>: Round 1 took 12 ms",
        "href=\"#mark-2\"",
        "p99 needs 1000 operations. Likewise delete.",
        "It began slowly.",
        "cpu-stolen (no round took a second)",
        "<h2>Method</h2>",
        "<h2>Limitations</h2>",
        "20261130T175535Z-3f2a9c.json",
        "diskduel 0.1.0, commit 0123456789ab; judged by rules version 1.",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_holds(&html, words[i]);
    assert_lacks(&html, "This stands among the limitations.");
    text_free(&html);
    fixture_release(&fixture);
}

static void draws_each_row(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text html = {0};
    fixture_make(&fixture);
    report_html(&fixture.report, &html);
    assert_holds(&html, "<title>Throughput of create</title><desc>Files a second");
    assert_holds(&html, "logarithmic scale"); // the tiers are 20 times apart
    assert_holds(&html, "<title>Latencies of delete</title><desc>A persistent: 400 operations, from 5.00 ms");
    assert_holds(&html, "<title>create: 9.7x slower</title>");
    assert_holds(&html, "<g class=\"a\"><rect"); // A costs more
    assert_holds(&html, "<g class=\"b\"><rect"); // B does
    text_free(&html);
    fixture_release(&fixture);
}

static void hostile_names_stay_text(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text html = {0};
    char *safe = fixture_safe();
    fixture_make(&fixture);
    fixture_make_hostile(&fixture, safe);
    report_html(&fixture.report, &html);
    assert_well_formed(&html);
    assert_lacks(&html, "<script");
    assert_lacks(&html, "</script");
    assert_lacks(&html, "<b ");
    assert_lacks(&html, "\x1b");
    assert_lacks(&html, "\xe2\x80\xae");
    assert_lacks(&html, "\xff");
    assert_lacks(&html, "onload=\"");
    assert_holds(&html,
                 "=cmd()|&lt;/script&gt;&lt;b onload=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;amp;]]&gt;");
    text_free(&html);
    free(safe);
    fixture_release(&fixture);
}

// A plan of as many workloads as can be, each with a row, and rounds of many intervals.
static void size_is_bounded(void **state)
{
    (void)state;
    enum { ROUNDS = 4, INTERVALS = 3000, PLOT_MOST = 24000 };
    struct fixture fixture = {0};
    fixture_begin_threads(&fixture.run, "create,walk,read-tree,rename,delete,seq-read,rand-read,commit",
                          ROUNDS, (uint64_t[]){1, 2, 3, 4, 0});
    size_t count = fixture.run.plan.workload_count;
    struct page_row *rows = xcalloc(count, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct page_row){.workload = i,
                                    .label = fixture.run.plan.workloads[i].id,
                                    .unit = "x",
                                    .tiers = {{"1", ""}, {"1", ""}},
                                    .verdict = "",
                                    .marks = ""};
        for (unsigned round = 1; round <= ROUNDS; round++)
            for (unsigned tier = 0; tier < 2; tier++) {
                struct sample *sample = fixture_add(&fixture.run, i, tier, round, 1000000000);
                fixture_series(sample, i < 3 ? INTERVALS : 30);
                fixture_histogram(&sample->latency[PHASE_OP], 1, 5000);
            }
    }
    struct page page = {
        .title = "t", .columns = {"A", "B"}, .tier_count = 2, .rows = rows, .row_count = count};
    struct report report = {.run = &fixture.run, .judgement = &fixture.judgement, .page = &page};
    struct text html = {0};
    report_html(&report, &html);
    assert_well_formed(&html);
    assert_holds(&html, "class=\"band\"");
    assert_in_range(html.length, count * 1000, count * PLOT_MOST);
    text_free(&html);
    free(rows);
    run_release(&fixture.run);
}

static void bars_go_both_ways_on_one_axis(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.ratio = 300, .low = 250, .high = 1100, .comparison = COMPARISON_SLOWER},
        {.ratio = 12, .low = 9, .high = 14, .comparison = COMPARISON_FASTER},
        {.ratio = 0},
    };
    struct page page = {.rows = rows, .row_count = 3};
    struct svg_ratio_axis axis = svg_ratio_axis_of(&page);
    assert_int_equal(axis.least, -2);
    assert_int_equal(axis.most, 4);
    page.row_count = 0;
    axis = svg_ratio_axis_of(&page);
    assert_int_equal(axis.least, 0);
    assert_int_equal(axis.most, 1);
}

static void nothing_measured_is_a_page_too(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create", 1);
    struct judgement judgement = {0};
    struct page page = {.title = "t", .columns = {"A"}, .tier_count = 1};
    struct report report = {.run = &run, .judgement = &judgement, .page = &page};
    struct text html = {0};
    report_html(&report, &html);
    assert_well_formed(&html);
    assert_lacks(&html, "<svg");
    text_free(&html);
    run_release(&run);
}

int test_html(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_one_file_that_needs_nothing_else),
        cmocka_unit_test(says_all_of_the_page),
        cmocka_unit_test(draws_each_row),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(size_is_bounded),
        cmocka_unit_test(bars_go_both_ways_on_one_axis),
        cmocka_unit_test(nothing_measured_is_a_page_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
