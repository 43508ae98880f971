#include "report/text.h"

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
        {"create", {{"115 files/s", "104 to 124"}, {"1162 files/s", "870 to 1218"}}, "10.1x slower", 0, 0},
        {"walk", {{"69.1 ms", "61.0 to 84.5"}, {"4.60 ms", "4.00 to 5.10"}}, "15.0x slower", 0, 0},
        {"delete", {{"812 ms", "699 to 935"}, {"6.90 ms", "6.50 to 7.20"}}, "118x slower", 0, 0},
        {"seq-write-64",
         {{"197 MB/s", "190 to 203"}, {"198 MB/s", "195 to 210"}},
         "no clear difference",
         0,
         0},
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
    assert_text(&page,
                "agent-disk, 5 rounds, 2026-11-30 17:55 UTC\n"
                "\n"
                "              A persistent                B ephemeral                 A is\n"
                "create         115 files/s   104 to 124   1162 files/s   870 to 1218  10.1x slower\n"
                "walk          69.1 ms       61.0 to 84.5  4.60 ms       4.00 to 5.10  15.0x slower\n"
                "delete         812 ms        699 to 935   6.90 ms       6.50 to 7.20  118x slower\n"
                "seq-write-64   197 MB/s      190 to 203    198 MB/s      195 to 210   no clear difference\n"
                "\n"
                "Each figure is the median of 5 rounds, and beside it their range.\n"
                "Round 0 (first use) is stored and in no figure.\n");
}

static void gaps_stay_empty(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {"create", {{"failed", ""}, {"1162 files/s", ""}}, "", 0, 0},
        {"walk", {{"skipped", ""}, {"", ""}}, "", 0, 0},
        {"delete", {{"", ""}, {"", ""}}, "", 0, 0},
    };
    struct page page = {.title = "quick, 1 round, 2026-11-30 17:55 UTC",
                        .columns = {"A a long name with blanks", "B"},
                        .tier_count = 2,
                        .rows = rows,
                        .row_count = 3};
    assert_text(&page, "quick, 1 round, 2026-11-30 17:55 UTC\n"
                       "\n"
                       "        A a long name with blanks  B\n"
                       "create   failed                    1162 files/s\n"
                       "walk    skipped\n"
                       "delete\n");
}

static void one_tier_and_wide_names(void **state)
{
    (void)state;
    struct page_row rows[] = {
        {"walk", {{"21.0 ms", "20.0 to 22.0"}}, "", 0, 0},
        {"walk-\xe4\xb8\xad\xe6\x96\x87", {{"9.00 ms", "8.00 to 10.0"}}, "", 0, 0},
    };
    struct page page = {
        .title = "t", .columns = {"A \xe4\xb8\xad"}, .tier_count = 1, .rows = rows, .row_count = 2};
    assert_text(&page, "t\n"
                       "\n"
                       "           A \xe4\xb8\xad\n"
                       "walk       21.0 ms  20.0 to 22.0\n"
                       "walk-\xe4\xb8\xad\xe6\x96\x87  9.00 ms  8.00 to 10.0\n");
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
        // 100 columns of 150 bytes: not wrapped
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 "
        "3456789 12345678901234567890123456789012345678901",
        // 101 columns
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "
        "1234567890123456789012345678901234567890123456789",
    };
    struct page page = {.title = "t", .notes = notes, .note_count = 5};
    struct text expected = {0};
    text_puts(&expected,
              "t\n\n\n\n"
              "create failed on A persistent in round 2: openat d03/f00000117, operation 117: No space "
              "left on\n"
              "  device. No figure of it is given.\n");
    text_printf(&expected, "%s\n\n%s\n", longest, notes[3]);
    text_printf(&expected, "%.51s\n  %s\n", longest, notes[4] + 52);
    assert_text(&page, text_string(&expected));
    text_free(&expected);
}

int test_text(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_a_plain_table),
        cmocka_unit_test(gaps_stay_empty),
        cmocka_unit_test(one_tier_and_wide_names),
        cmocka_unit_test(notes_are_wrapped_at_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
