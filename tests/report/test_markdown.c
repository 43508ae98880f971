#include "report/markdown.h"

#include "report/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_markdown(int argc, char *argv[]);

static void the_page_is_the_one_that_is_kept(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text markdown = {0};
    fixture_make(&fixture);
    report_markdown(&fixture.report, &markdown);
    assert_true(fixture_matches(&markdown, "page.md"));
    text_free(&markdown);
    fixture_release(&fixture);
}

// Columns of a row: separators that no backslash takes away.
static size_t columns_of(const char *line, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\\')
            i++;
        else if (line[i] == '|')
            count++;
    }
    return count;
}

static void every_row_of_a_table_has_its_columns(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text markdown = {0};
    char *safe = fixture_safe();
    fixture_make(&fixture);
    fixture_make_hostile(&fixture, safe);
    report_markdown(&fixture.report, &markdown);
    size_t before = 0, rows = 0;
    for (const char *line = text_string(&markdown); *line; line += strcspn(line, "\n") + 1) {
        size_t columns = *line == '|' ? columns_of(line, strcspn(line, "\n")) : 0;
        if (before > 0 && columns > 0)
            assert_int_equal(columns, before);
        rows += columns > 0;
        before = columns;
    }
    assert_true(rows > 12);
    text_free(&markdown);
    free(safe);
    fixture_release(&fixture);
}

// No character that means something stands there without its backslash.
static void hostile_names_stay_text(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text markdown = {0};
    char *safe = fixture_safe();
    fixture_make(&fixture);
    fixture_make_hostile(&fixture, safe);
    report_markdown(&fixture.report, &markdown);
    assert_non_null(strstr(text_string(&markdown), "# \\=cmd()\\|\\</script\\>\\<b onload="));
    assert_non_null(
        strstr(text_string(&markdown), "\\>\\`\\*\\_\\[a\\](javascript\\:b)\\\\\\\\x0a\\\\x1b\\[2J"));
    assert_null(strstr(text_string(&markdown), "\x1b"));
    bool escaped = false;
    for (const char *c = text_string(&markdown); *c; c++) {
        assert_false(!escaped && strchr("<>&`_[]~$", *c) && *c);
        escaped = !escaped && *c == '\\';
    }
    text_free(&markdown);
    free(safe);
    fixture_release(&fixture);
}

static void assert_escaped(const char *words, const char *expected)
{
    struct page page = {.title = (char *)(uintptr_t)words};
    struct judgement judgement = {0};
    struct run run = {0};
    struct report report = {.run = &run, .judgement = &judgement, .page = &page};
    struct text markdown = {0};
    report_markdown(&report, &markdown);
    text_append(&markdown, "", 1);
    char *end = strchr(markdown.bytes, '\n');
    *end = '\0';
    assert_string_equal(markdown.bytes + 2, expected);
    text_free(&markdown);
}

static void what_would_begin_a_block_or_a_link_does_not(void **state)
{
    (void)state;
    assert_escaped("- a", "\\- a");
    assert_escaped("+ a", "\\+ a");
    assert_escaped("12. a", "12\\. a");
    assert_escaped("1) a", "1\\) a");
    assert_escaped("12.5 a", "12.5 a");
    assert_escaped("# a #", "\\# a \\#");
    assert_escaped("https://a.b", "https\\://a.b");
    assert_escaped("www.a.b", "www\\.a.b");
    assert_escaped(":tada:", "\\:tada:");
    assert_escaped("at 17:55: done", "at 17:55: done");
    assert_escaped("&lt; a_b", "\\&lt; a\\_b");
}

int test_markdown(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_the_one_that_is_kept),
        cmocka_unit_test(every_row_of_a_table_has_its_columns),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(what_would_begin_a_block_or_a_link_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
