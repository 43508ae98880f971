#include "report/text.h"

#include "report/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_text(int argc, char *argv[]);

static void assert_text(const struct page *page, const char *expected)
{
    struct text out = {0};
    report_text(page, &out);
    assert_string_equal(text_string(&out), expected);
    assert_null(strchr(text_string(&out), '\r'));
    assert_null(strchr(text_string(&out), '\t'));
    assert_null(strstr(text_string(&out), " \n"));
    text_free(&out);
}

static void is_a_plain_table(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.workload = 0,
         .label = "create",
         .unit = "files/s",
         .tiers = {{"115", "104 to 124"}, {"1162", "870 to 1218"}},
         .verdict = "10.1x slower"},
        {.workload = 0,
         .label = "walk",
         .unit = "ms",
         .tiers = {{"69.1", "61.0 to 84.5"}, {"4.60", "4.00 to 5.10"}},
         .verdict = "15.0x slower"},
        {.workload = 0,
         .label = "delete",
         .unit = "ms",
         .tiers = {{"812", "699 to 935"}, {"6.90", "6.50 to 7.20"}},
         .verdict = "118x slower"},
        {.workload = 0,
         .label = "seq-write-64",
         .unit = "MB/s",
         .tiers = {{"197", "190 to 203"}, {"198", "195 to 210"}},
         .verdict = "no clear difference"},
    };
    char *notes[] = {
        "Each figure is the median of 5 rounds, and beside it their range.",
        "Round 0 (first use) is stored and in no figure.",
    };
    struct page page = {
        .title = "agent-disk, 5 rounds, 2026-11-30 17:55 UTC",
        .columns = {"A persistent", "B ephemeral"},
        .tier_count = 2,
        .rows = rows,
        .row_count = 4,
        .notes = notes,
        .note_count = 2,
    };
    assert_text(&page, "agent-disk, 5 rounds, 2026-11-30 17:55 UTC\n"
                       "\n"
                       "                      A persistent     B ephemeral      A is\n"
                       "create       files/s   115   104-124   1162   870-1218  10.1x slower\n"
                       "walk         ms       69.1  61.0-84.5  4.60  4.00-5.10  15.0x slower\n"
                       "delete       ms        812   699-935   6.90  6.50-7.20  118x slower\n"
                       "seq-write-64 MB/s      197   190-203    198   195-210   no clear difference\n"
                       "\n"
                       "Each figure is the median of 5 rounds, and beside it their range.\n"
                       "Round 0 (first use) is stored and in no figure.\n");
}

static void gaps_stay_empty(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.workload = 0,
         .label = "create",
         .unit = "files/s",
         .tiers = {{"failed", ""}, {"1162", ""}},
         .verdict = ""},
        {.workload = 0, .label = "walk", .unit = "ms", .tiers = {{"skipped", ""}, {"", ""}}, .verdict = ""},
        {.workload = 0, .label = "delete", .unit = "ms", .tiers = {{"", ""}, {"", ""}}, .verdict = ""},
    };
    struct page page = {.title = "quick, 1 round, 2026-11-30 17:55 UTC",
                        .columns = {"A a long name with blanks", "B"},
                        .tier_count = 2,
                        .rows = rows,
                        .row_count = 3};
    assert_text(&page, "quick, 1 round, 2026-11-30 17:55 UTC\n"
                       "\n"
                       "                A a long name with blanks  B\n"
                       "create files/s  failed                     1162\n"
                       "walk   ms       skipped\n"
                       "delete ms\n");
}

// A word has its place between the borders of its column, and makes no room between numbers.
static void words_span_their_column(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.workload = 0,
         .label = "rand-read",
         .unit = "IOPS",
         .tiers = {{"612", "600 to 640"}, {"unsupported", ""}},
         .verdict = ""},
        {.workload = 1,
         .label = "commit",
         .unit = "commits/s",
         .tiers = {{"89.1", "80.0 to 90.0"}, {"1162", "1101 to 1203"}},
         .verdict = "13.0x slower"},
    };
    struct page page = {.title = "t", .columns = {"A", "B"}, .tier_count = 2, .rows = rows, .row_count = 2};
    assert_text(&page, "t\n"
                       "\n"
                       "                     A                B                A is\n"
                       "rand-read IOPS        612   600-640   unsupported\n"
                       "commit    commits/s  89.1  80.0-90.0  1162  1101-1203  13.0x slower\n");
}

// Units that stand behind their labels save the columns that a line of the longest workloads needs.
static void long_ids_fit(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.workload = 0,
         .label = "create",
         .unit = "files/s",
         .tiers = {{"115", "104 to 124"}, {"1162", "870 to 1218"}},
         .verdict = "10.1x slower"},
        {.workload = 1,
         .label = "seq-read-direct-128k",
         .unit = "MB/s",
         .tiers = {{"15.4", "15.2 to 15.5"}, {"1120", "1101 to 1203"}},
         .verdict = "no clear difference"},
        {.workload = 2,
         .label = "commit",
         .unit = "commits/s",
         .tiers = {{"89.1", "80.0 to 90.0"}, {"1162", "1101 to 1203"}},
         .verdict = "13.0x slower"},
    };
    struct page page = {.title = "t",
                        .columns = {"A persistent", "B ephemeral"},
                        .tier_count = 2,
                        .rows = rows,
                        .row_count = 3};
    assert_text(&page, "t\n"
                       "\n"
                       "                           A persistent     B ephemeral      A is\n"
                       "create files/s              115   104-124   1162   870-1218  10.1x slower\n"
                       "seq-read-direct-128k MB/s  15.4  15.2-15.5  1120  1101-1203  no clear difference\n"
                       "commit commits/s           89.1  80.0-90.0  1162  1101-1203  13.0x slower\n");
}

static void curves_stand_below_the_table(void **state)
{
    (void)state;
    struct page_curve curves[] = {
        {"create",
         "files/s",
         4,
         {1, 2, 4, 8},
         {{{"118", "230", "440", "800"}, {0}, "6.78x as fast"},
          {{"1162", "2100", "3000", "3100"}, {0}, "2.67x as fast"}}},
        {"walk", "ms", 4, {1, 2, 4, 8}, {{{"69.1", "", "20.0", ""}, {0}, ""}, {{"", "", "", ""}, {0}, ""}}},
        {"commit", "commits/s", 2, {1, 3}, {{{"9.10", "9.00"}, {0}, "0.99x as fast"}, {{"1", "2"}, {0}, ""}}},
    };
    char *notes[] = {"A note."};
    struct page page = {
        .title = "t",
        .columns = {"A", "B"},
        .tier_count = 2,
        .curves = curves,
        .curve_count = 3,
        .notes = notes,
        .note_count = 1,
    };
    assert_text(&page, "t\n\n   A  B\n\n"
                       "threads                 1     2     4     8  8 against 1\n"
                       "create files/s    A   118   230   440   800  6.78x as fast\n"
                       "                  B  1162  2100  3000  3100  2.67x as fast\n"
                       "walk   ms         A  69.1     -  20.0     -\n"
                       "                  B     -     -     -     -\n"
                       "threads                 1     3  3 against 1\n"
                       "commit commits/s  A  9.10  9.00  0.99x as fast\n"
                       "                  B     1     2\n"
                       "\n"
                       "A note.\n");
}

static void many_numbers_of_threads_fit(void **state)
{
    (void)state;
    struct page_curve curves[] = {
        {"seq-read-direct-128k",
         "MB/s",
         8,
         {1, 2, 4, 8, 16, 32, 48, 64},
         {{{"15.4", "30.1", "59.8", "101", "102", "102", "103", "103"}, {0}, "6.69x as fast"}}},
    };
    struct page page = {.title = "t", .columns = {"A"}, .tier_count = 1, .curves = curves, .curve_count = 1};
    assert_text(&page, "t\n\n   A\n\n"
                       "threads     1     2     4     8    16    32    48    64  64 against 1\n"
                       "seq-read-direct-128k MB/s\n"
                       "      A  15.4  30.1  59.8   101   102   102   103   103  6.69x as fast\n");
}

static void one_tier_and_wide_names(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.workload = 0, .label = "walk", .unit = "ms", .tiers = {{"21.0", "20.0 to 22.0"}}, .verdict = ""},
        {.workload = 0,
         .label = "walk-\xe4\xb8\xad\xe6\x96\x87",
         .unit = "ms",
         .tiers = {{"9.00", "8.00 to 10.0"}},
         .verdict = ""},
    };
    struct page page = {
        .title = "t", .columns = {"A \xe4\xb8\xad"}, .tier_count = 1, .rows = rows, .row_count = 2};
    assert_text(&page, "t\n"
                       "\n"
                       "              A \xe4\xb8\xad\n"
                       "walk      ms  21.0  20.0-22.0\n"
                       "walk-\xe4\xb8\xad\xe6\x96\x87 ms  9.00  8.00-10.0\n");
}

static void notes_are_wrapped_at_blanks(void **state)
{
    (void)state;
    char longest[151];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    char *notes[] = {
        "create failed on A persistent in round 2: openat d03/f00000117, operation 117: No space left on "
        "device. "
        "No figure of it is given.",
        longest,
        "",
        // 80 columns of 110 bytes: not wrapped
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 "
        "3456789012345678901234567890123456789012345678901",
        // 81 columns
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "
        "1234567890123456789012345678901234567890123456789",
    };
    struct page page = {.title = "t", .notes = notes, .note_count = 5};
    struct text expected = {0};
    text_puts(&expected, "t\n\n\n\n"
                         "create failed on A persistent in round 2: openat d03/f00000117, operation 117:\n"
                         "  No space left on device. No figure of it is given.\n");
    text_printf(&expected, "%s\n\n%s\n", longest, notes[3]);
    text_printf(&expected, "%.31s\n  %s\n", longest, notes[4] + 32);
    assert_text(&page, text_string(&expected));
    text_free(&expected);
}

// Too long a line loses its intervals first; then ranges go below their numbers.
static void long_lines_are_folded(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {.label = "seq-read-cold",
         .unit = "commits/s",
         .tiers = {{"32019", "26907 to 35687"}, {"572", "average 657"}},
         .verdict = "24.2x slower",
         .interval = "22.3 to 28.8",
         .trust = TRUST_CAVEAT,
         .marks = "2,3"},
        {.label = "walk",
         .unit = "ms",
         .tiers = {{"discarded", ""}, {"failed", ""}},
         .verdict = "",
         .trust = TRUST_DISCARDED,
         .marks = "1"},
        {.label = "create",
         .unit = "ms",
         .tiers = {{"1162", "870 to 1218"}, {"644895", "585360 to 721198"}},
         .verdict = "no clear difference",
         .trust = TRUST_REPORTED,
         .marks = ""},
    };
    struct page page = {.title = "t",
                        .columns = {"A persistent", "B ephemeral"},
                        .tier_count = 2,
                        .rows = rows,
                        .row_count = 3};
    assert_text(&page, "t\n"
                       "\n"
                       "                         A persistent  B ephemeral    A is\n"
                       "seq-read-cold commits/s  32019            572         24.2x slower         !2,3\n"
                       "                         26907-35687   average 657\n"
                       "walk          ms         discarded     failed                              x1\n"
                       "create        ms          1162         644895         no clear difference  ok\n"
                       "                           870-1218    585360-721198\n");
}

static void the_table_names_what_marks_it(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text text = {0};
    fixture_make(&fixture);
    report_text(&fixture.page, &text);
    assert_true(fixture_matches(&text, "table.txt"));
    text_free(&text);
    fixture_release(&fixture);
}

static void the_page_is_the_one_that_is_kept(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text text = {0};
    fixture_make(&fixture);
    report_text_page(&fixture.report, &text);
    assert_true(fixture_matches(&text, "page.txt"));
    assert_null(strstr(text_string(&text), " \n"));
    text_free(&text);
    fixture_release(&fixture);
}

static void no_terminal_obeys_it(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text text = {0};
    char *safe = fixture_safe();
    fixture_make(&fixture);
    fixture_make_hostile(&fixture, safe);
    report_text_page(&fixture.report, &text);
    report_text(&fixture.page, &text);
    for (const char *c = text_string(&text); *c; c++)
        assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
    text_free(&text);
    free(safe);
    fixture_release(&fixture);
}

int test_text(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_a_plain_table),
        cmocka_unit_test(gaps_stay_empty),
        cmocka_unit_test(words_span_their_column),
        cmocka_unit_test(long_ids_fit),
        cmocka_unit_test(curves_stand_below_the_table),
        cmocka_unit_test(many_numbers_of_threads_fit),
        cmocka_unit_test(one_tier_and_wide_names),
        cmocka_unit_test(notes_are_wrapped_at_blanks),
        cmocka_unit_test(long_lines_are_folded),
        cmocka_unit_test(the_table_names_what_marks_it),
        cmocka_unit_test(the_page_is_the_one_that_is_kept),
        cmocka_unit_test(no_terminal_obeys_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
