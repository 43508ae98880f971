#include "tui/widget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const struct canvas *canvas, const char *wanted)
{
    struct text text = {0};
    canvas_dump(canvas, &text);
    assert_string_equal(text_string(&text), wanted);
    text_free(&text);
}

static void what_does_not_fit_ends_in_an_ellipsis(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 10, 4);
    assert_int_equal(widget_text(&canvas, 0, 0, 10, &glyphs_unicode, ROLE_TEXT, "exactly 10"), 10);
    assert_int_equal(widget_text(&canvas, 0, 1, 10, &glyphs_unicode, ROLE_TEXT, "eleven long"), 10);
    assert_int_equal(widget_text(&canvas, 0, 2, 6, &glyphs_unicode, ROLE_TEXT, "日本語テ"), 5);
    assert_int_equal(widget_text(&canvas, 0, 3, 6, &glyphs_ascii, ROLE_TEXT, "12 × 34"), 6);
    expect(&canvas, "exactly 10\neleven lo…\n日本…\n12 ...\n");
    for (int columns = -2; columns < 4; columns++) {
        widget_text(&canvas, 0, 0, columns, &glyphs_ascii, ROLE_TEXT, "abcdef");
        widget_right(&canvas, 5, 0, columns, &glyphs_unicode, ROLE_TEXT, "abcdef");
    }
    canvas_release(&canvas);
}

static void ascii_spells_our_signs_out(void **state)
{
    (void)state;
    struct text text = {0};
    glyphs_text(&glyphs_ascii, "10× · 5 µs – …é日", &text);
    assert_string_equal(text_string(&text), "10x - 5 us - ...\\xc3\\xa9\\xe6\\x97\\xa5");
    text_free(&text);
    glyphs_text(&glyphs_unicode, "10× é", &text);
    assert_string_equal(text_string(&text), "10× é");
    text_free(&text);
    glyphs_text(&glyphs_ascii, "", &text);
    assert_string_equal(text_string(&text), "");
    text_free(&text);
    // Marks past what is safe text don't run off its end.
    glyphs_text(&glyphs_ascii, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", &text);
    assert_string_equal(text_string(&text), "?");
    text_free(&text);
}

static void a_path_keeps_its_end(void **state)
{
    (void)state;
    static const struct {
        const char *path, *shown;
        int columns;
    } cases[] = {
        {"/workspace", "/workspace", 10},
        {"/mnt/deep/down/directory", "…/down/directory", 18},
        {"/a-name-without-any-slash-after", "…any-slash-after", 16},
        {"/日本語テスト/データ", "…/データ", 12},
        {"/anything", "…", 1},
        {"/anything", "…", 0},
        {"", "", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *shown = widget_path(&glyphs_unicode, cases[i].path, cases[i].columns);
        assert_string_equal(shown, cases[i].shown);
        free(shown);
    }
}

static void a_name_loses_its_middle(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shown;
        int columns;
    } cases[] = {
        {"seq-read-direct-128k", "seq-read-direct-128k", 20},
        {"seq-read-direct-128k", "seq-read-…rect-128k", 19},
        {"rand-write-buffered-t16", "rand-…ed-t16", 12},
        {"日本語テスト", "日…スト", 8},
        {"anything", "a…g", 3},
        {"anything", "…", 1},
        {"anything", "…", -3},
        {"", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *shown = widget_middle(&glyphs_unicode, cases[i].name, cases[i].columns);
        assert_string_equal(shown, cases[i].shown);
        free(shown);
    }
    char *shown = widget_middle(&glyphs_ascii, "seq-read-direct-128k", 12);
    assert_string_equal(shown, "seq-...-128k");
    free(shown);
}

static void lines_break_at_blanks(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 10, 6);
    struct rect rect = {0, 0, 10, 6};
    assert_int_equal(widget_wrap(NULL, rect, &glyphs_unicode, ROLE_TEXT, "one two three"), 2);
    assert_int_equal(widget_wrap(&canvas, rect, &glyphs_unicode, ROLE_TEXT, "one two three four"), 2);
    rect.y = 2;
    assert_int_equal(widget_wrap(&canvas, rect, &glyphs_unicode, ROLE_TEXT, "at /a/path/of/no/blank"), 3);
    expect(&canvas, "one two\nthree four\nat\n/a/path/of\n/no/blank\n\n");
    assert_int_equal(widget_wrap(NULL, rect, &glyphs_unicode, ROLE_TEXT, ""), 0);
    assert_int_equal(widget_wrap(NULL, (struct rect){0, 0, 1, 1}, &glyphs_unicode, ROLE_TEXT, "日本"), 2);
    assert_int_equal(widget_wrap(NULL, (struct rect){0}, &glyphs_unicode, ROLE_TEXT, "x"), 0);
    // Lines past the rectangle are counted and not drawn.
    rect.y = 5;
    rect.height = 1;
    assert_int_equal(widget_wrap(&canvas, rect, &glyphs_unicode, ROLE_TEXT, "last line here"), 2);
    expect(&canvas, "one two\nthree four\nat\n/a/path/of\n/no/blank\nlast line\n");
    canvas_release(&canvas);
}

static void boxes_and_bars(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 14, 4);
    struct rect in = widget_box(&canvas, (struct rect){0, 0, 14, 3}, &glyphs_unicode, ROLE_DIM);
    assert_int_equal(in.x, 2);
    assert_int_equal(in.width, 10);
    assert_int_equal(in.height, 1);
    int x = widget_title(&canvas, 2, 0, 10, &glyphs_unicode, ROLE_TITLE, "one");
    widget_title(&canvas, x, 0, 12 - x, &glyphs_unicode, ROLE_TITLE, "two");
    widget_progress(&canvas, 0, 3, 10, &glyphs_unicode, 0.55);
    expect(&canvas, "╭─ one ─ t… ─╮\n│            │\n╰────────────╯\n█████░░░░░\n");
    static const double odd[] = {-1, 0, 1, 7, 1e300};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        widget_progress(&canvas, 0, 3, 10, &glyphs_unicode, odd[i]);
    widget_progress(&canvas, 0, 3, 10, &glyphs_ascii, __builtin_nan(""));
    widget_progress(&canvas, 0, 3, -5, &glyphs_ascii, 0.5);
    expect(&canvas, "╭─ one ─ t… ─╮\n│            │\n╰────────────╯\n..........\n");
    canvas_release(&canvas);
}

static void keys_come_whole_or_not_at_all(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 40, 3);
    widget_keys(&canvas, 0, 0, 40, SCREEN_RESULTS, ACTION_NONE);
    widget_keys(&canvas, 0, 1, 40, SCREEN_RESULTS, ACTION_DOWN);
    widget_keys(&canvas, 0, 2, 12, SCREEN_RESULTS, ACTION_DOWN);
    expect(&canvas, " Down scroll   ? help   q quit\n ? help   q quit\n ? help\n");
    canvas_release(&canvas);
}

int test_widget(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_ends_in_an_ellipsis),
        cmocka_unit_test(ascii_spells_our_signs_out),
        cmocka_unit_test(a_path_keeps_its_end),
        cmocka_unit_test(a_name_loses_its_middle),
        cmocka_unit_test(lines_break_at_blanks),
        cmocka_unit_test(boxes_and_bars),
        cmocka_unit_test(keys_come_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
