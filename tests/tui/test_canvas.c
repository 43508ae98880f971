#include "tui/canvas.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void expect(const struct canvas *canvas, const char *wanted)
{
    struct text text = {0};
    canvas_dump(canvas, &text);
    assert_string_equal(text_string(&text), wanted);
    text_free(&text);
}

static void blank_at_first(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 3, 2);
    expect(&canvas, "\n\n");
    assert_string_equal(canvas_at(&canvas, 2, 1)->text, " ");
    assert_null(canvas_at(&canvas, 3, 1));
    assert_null(canvas_at(&canvas, 0, 2));
    assert_null(canvas_at(&canvas, -1, 0));
    canvas_release(&canvas);
    canvas_init(&canvas, -4, 7);
    assert_int_equal(canvas_text(&canvas, 0, 0, 5, ROLE_TEXT, "hello"), 0);
    expect(&canvas, "\n\n\n\n\n\n\n");
    canvas_release(&canvas);
}

static void text_is_clipped(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 5, 3);
    canvas_text(&canvas, -2, 0, 10, ROLE_TEXT, "abcdefghij");
    canvas_text(&canvas, 3, 1, INT_MAX, ROLE_TEXT, "xyz");
    assert_int_equal(canvas_text(&canvas, 0, 2, 2, ROLE_ERROR, "long"), 2);
    static const int far[] = {INT_MIN, INT_MIN + 1, -1, 5, INT_MAX - 1, INT_MAX};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        for (size_t j = 0; j < sizeof far / sizeof *far; j++) {
            canvas_text(&canvas, far[i], far[j], INT_MAX, ROLE_TEXT, "#");
            canvas_right(&canvas, far[i], far[j], INT_MAX, ROLE_TEXT, "#");
            canvas_fill(&canvas, (struct rect){far[i], far[j], 1, 1}, ROLE_TEXT, "#");
        }
    expect(&canvas, "cdefg\n   xy\nlo\n");
    assert_int_equal(canvas_at(&canvas, 1, 2)->role, ROLE_ERROR);
    assert_int_equal(canvas_at(&canvas, 2, 2)->role, ROLE_TEXT);
    canvas_release(&canvas);
}

static void rectangles_are_clipped(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 4, 3);
    canvas_fill(&canvas, (struct rect){2, -5, INT_MAX, 7}, ROLE_TEXT, "x");
    canvas_fill(&canvas, (struct rect){0, 0, -3, 3}, ROLE_TEXT, "y");
    canvas_fill(&canvas, (struct rect){INT_MIN, 1, INT_MAX, INT_MAX}, ROLE_ERROR, "z");
    canvas_fill(&canvas, (struct rect){3, 2, INT_MAX, INT_MAX}, ROLE_KEY, "k");
    expect(&canvas, "  xx\n  xx\n   k\n");
    assert_int_equal(canvas_at(&canvas, 0, 1)->role, ROLE_TEXT);
    assert_int_equal(canvas_at(&canvas, 3, 2)->role, ROLE_KEY);
    assert_int_equal(canvas_at(&canvas, 2, 2)->role, ROLE_TEXT);
    canvas_release(&canvas);
}

static void right_ends_before(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 8, 2);
    canvas_right(&canvas, 8, 0, 8, ROLE_TEXT, "12.5");
    canvas_right(&canvas, 5, 1, 3, ROLE_TEXT, "abcdef");
    expect(&canvas, "    12.5\n  abc\n");
    canvas_release(&canvas);
}

static void wide_characters_stay_whole(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 6, 4);
    assert_int_equal(canvas_text(&canvas, 0, 0, 6, ROLE_TEXT, "日本語"), 6);
    assert_string_equal(canvas_at(&canvas, 1, 0)->text, "");
    // Neither half of one is drawn at the edges or within too few columns.
    canvas_text(&canvas, 5, 1, 4, ROLE_TEXT, "日");
    canvas_text(&canvas, -1, 1, 4, ROLE_TEXT, "日x");
    assert_int_equal(canvas_text(&canvas, 0, 2, 3, ROLE_TEXT, "日本"), 2);
    // Writing over one half blanks the other.
    canvas_text(&canvas, 0, 3, 6, ROLE_TEXT, "日本語");
    canvas_text(&canvas, 1, 3, 1, ROLE_TEXT, "a");
    canvas_text(&canvas, 4, 3, 1, ROLE_TEXT, "b");
    expect(&canvas, "日本語\n x\n日\n a本b\n");
    canvas_text(&canvas, 1, 0, 2, ROLE_TEXT, "字");
    expect(&canvas, " 字 語\n x\n日\n a本b\n");
    canvas_release(&canvas);
}

static void marks_stand_on_their_letter(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 4, 1);
    assert_int_equal(canvas_text(&canvas, 0, 0, 4, ROLE_TEXT, "e\u0301x"), 2);
    assert_string_equal(canvas_at(&canvas, 0, 0)->text, "e\u0301");
    // More marks than a cell has room for are dropped, and nothing beside it changes.
    char many[1 + 40 * 2 + 2] = "a";
    for (int i = 0; i < 40; i++)
        strcat(many, "\u0301");
    strcat(many, "b");
    assert_int_equal(canvas_text(&canvas, 0, 0, 4, ROLE_TEXT, many), 2);
    assert_true(strlen(canvas_at(&canvas, 0, 0)->text) < CELL_BYTES);
    assert_string_equal(canvas_at(&canvas, 1, 0)->text, "b");
    assert_int_equal(canvas_text(&canvas, 2, 0, 2, ROLE_TEXT, "\u0301"), 0);
    canvas_release(&canvas);
}

static void nothing_hostile_gets_through(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 10, 1);
    canvas_text(&canvas, 0, 0, 10, ROLE_TEXT, "a\033[2J\xff\n\u202Eb");
    expect(&canvas, "a?[2J???b\n");
    canvas_printf(&canvas, 0, 0, 10, ROLE_TEXT, "%s%d", "\t", 7);
    expect(&canvas, "?7[2J???b\n");
    canvas_release(&canvas);
}

int test_canvas(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blank_at_first),
        cmocka_unit_test(text_is_clipped),
        cmocka_unit_test(rectangles_are_clipped),
        cmocka_unit_test(right_ends_before),
        cmocka_unit_test(wide_characters_stay_whole),
        cmocka_unit_test(marks_stand_on_their_letter),
        cmocka_unit_test(nothing_hostile_gets_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
