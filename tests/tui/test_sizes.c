// Every view at every size, also those that no view_draw() would let it have: nothing is touched outside the
// canvas (the sanitizers say), nothing hangs, and borders stay closed.
#include "fixture.h"
#include "tui/table.h"
#include "tui/view.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { WIDTH_MOST = 130, HEIGHT_MOST = 50 };

static const struct glyphs *const sets[] = {&glyphs_unicode, &glyphs_ascii};

static void draw_all(const struct duel *duel, int width, int height)
{
    struct model model = {.screen = SCREEN_LIVE};
    for (size_t set = 0; set < 2; set++) {
        struct canvas canvas;
        canvas_init(&canvas, width, height);
        view_live(&canvas, sets[set], &model, duel);
        view_help(&canvas, sets[set], SCREEN_LIVE);
        view_results(&canvas, sets[set], &model, duel);
        view_help(&canvas, sets[set], SCREEN_RESULTS);
        view_too_small(&canvas, sets[set]);
        model.help = true;
        view_draw(&canvas, sets[set], &model, duel);
        assert_true(view_results_overflow(&canvas, duel) >= 0);
        canvas_release(&canvas);
    }
}

static void sweep(const struct duel *duel)
{
    for (int width = 0; width <= WIDTH_MOST; width += width < 12 ? 1 : 7)
        for (int height = 0; height <= HEIGHT_MOST; height += height < 12 ? 1 : 3)
            draw_all(duel, width, height);
    draw_all(duel, 500, 200);
}

static void any_size_mid_run(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){.names = {"日本語", "e\u0301\u202E"},
                                                     .paths = {"/\xff\033[2J/日本", "/"}});
    fixture_advance(&fixture, fixture_find(&fixture, "create", 3, 0), 0.5, 30);
    fixture_row(&fixture, 0, "115", "104 to 124", "1162", "870 to 1218", "10.1x slower", 10.1);
    fixture_row(&fixture, 1, "failed", "", "skipped", "", "", 0);
    fixture_note(&fixture, "walk failed on A 日本語 in round 2: fstatat f00000117: Input/output error.");
    fixture.duel.doing = "create on A: openat f00000132";
    fixture.duel.stalled = true;
    fixture.duel.warning = "the document could not be saved: No space left on device";
    fixture.duel.saved_as = "/a/path/without/a/blank/that/is/longer/than/a/line/of/a/narrow/window.json";
    sweep(&fixture.duel);
    fixture_close(&fixture);
}

static void any_size_without_data(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    sweep(&fixture.duel);
    fixture.duel.page = NULL;
    sweep(&fixture.duel);
    fixture.duel.schedule = NULL;
    sweep(&fixture.duel);
    fixture_close(&fixture);
    sweep(&(struct duel){0});
}

// All numbers as large as they come.
static void any_size_with_huge_numbers(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "create", 1, 0), 1, 1e-6);
    struct interval interval = {.end_ns = 1, .ops = UINT64_MAX, .bytes = UINT64_MAX, .section = 0};
    series_append(fixture.series[0], &interval);
    fixture.duel.tiers[0].length++;
    fixture.duel.tiers[0].ops = fixture.duel.tiers[0].ops_planned = UINT64_MAX;
    histogram_record(&fixture.duel.tiers[0].latency, UINT64_MAX);
    histogram_record(&fixture.duel.tiers[0].latency, 0);
    fixture.duel.fraction = NAN;
    fixture.duel.remaining_ns = UINT64_MAX;
    fixture.duel.section = SIZE_MAX;
    fixture_row(&fixture, 0, "123456789012345678901234567890", "1 to 123456789012345678901234567890", "1", "",
                "over 1000000x faster", 1e300);
    fixture_row(&fixture, 1, "1", "", "2", "", "2x faster", NAN);
    sweep(&fixture.duel);
    fixture_close(&fixture);
}

// From 80x24 on, whatever is in them, the boxes' right borders are where they belong.
static void nothing_runs_over_a_border(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture,
                 &(struct fixture_request){.names = {"a-name-as-long-as-one-may-be-32b", "日本語テスト"}});
    fixture_advance(&fixture, fixture_find(&fixture, "delete", 3, 0), 0.5, 30);
    fixture_row(&fixture, 0, "304812", "290113 to 310222", "412345", "401234 to 423456",
                "no clear difference", 1.3);
    fixture_row(&fixture, 1, "12345678901234567890", "1 to 12345678901234567890", "2", "1 to 3",
                "over 1000000x slower", 1e6);
    for (int width = VIEW_WIDTH_LEAST; width < 210; width++)
        for (size_t set = 0; set < 2; set++) {
            struct canvas canvas;
            canvas_init(&canvas, width, VIEW_HEIGHT_LEAST);
            view_draw(&canvas, sets[set], &(struct model){.screen = SCREEN_LIVE}, &fixture.duel);
            for (int y = 2; y < 13; y++) {
                assert_string_equal(canvas_at(&canvas, 0, y)->text, sets[set]->vertical);
                assert_string_equal(canvas_at(&canvas, width / 2 * 2 - 1, y)->text, sets[set]->vertical);
            }
            for (int y = 15; y < 22; y++)
                assert_string_equal(canvas_at(&canvas, width - 1, y)->text, sets[set]->vertical);
            view_draw(&canvas, sets[set], &(struct model){.screen = SCREEN_RESULTS}, &fixture.duel);
            for (int y = 1; y < VIEW_HEIGHT_LEAST - 1; y++)
                assert_string_equal(canvas_at(&canvas, width - 1, y)->text, sets[set]->vertical);
            canvas_release(&canvas);
        }
    fixture_close(&fixture);
}

static void open_sweep(struct fixture *fixture)
{
    static const uint64_t threads[] = {1, 2, 3, 4, 8, 16, 32, 64, 0};
    static const double huge[] = {1e9, 1e-9, -1, 123456789, 1e30, 0.5, 7, INFINITY}, small[8] = {1, 1, 1};
    fixture_open(fixture, &(struct fixture_request){.workloads = "seq-read,rand-read,rand-write,commit",
                                                    .threads = {1, 16, 64}});
    fixture_advance(fixture, fixture_find(fixture, "rand-write-buffered-t64", 1, 1), 0.5, 30);
    for (size_t row = 0; row < fixture->page.row_count; row++)
        fixture_figures(fixture, row, 1000000, 3.5);
    fixture_row(fixture, 5, "unsupported", "", "failed", "", "", 0);
    fixture_curve(fixture, "a-step-with-a-long-name-seq-read-direct-128k", "commits/s", threads, huge, small,
                  "1000000x as fast", "");
    fixture_curve(fixture, "日本語", "MB/s", threads + 5, huge, huge, "1.00x as fast", "1.00x as fast");
    fixture_curve(fixture, "create", "files/s", threads, small, huge, "", "");
}

static void any_size_with_a_thread_sweep(void **state)
{
    (void)state;
    struct fixture fixture;
    open_sweep(&fixture);
    sweep(&fixture.duel);
    fixture_close(&fixture);
}

// More rows than there is room for, wherever in them the present one is: it is shown, and no border breaks.
static void the_present_row_is_always_shown(void **state)
{
    (void)state;
    static const int heights[] = {VIEW_HEIGHT_LEAST, 31, 40};
    struct fixture fixture;
    open_sweep(&fixture);
    struct model model = {.screen = SCREEN_LIVE};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        for (int width = VIEW_WIDTH_LEAST; width < 210; width += 11)
            for (size_t workload = 0; workload < fixture.run.plan.workload_count; workload++) {
                struct canvas canvas;
                canvas_init(&canvas, width, heights[i]);
                fixture.duel.workload = workload;
                view_draw(&canvas, &glyphs_unicode, &model, &fixture.duel);
                int titles = 0;
                for (int y = 1; y < heights[i] - 1; y++) {
                    const char *left = canvas_at(&canvas, 0, y)->text;
                    assert_true(strcmp(left, "│") == 0 || strcmp(left, "╭") == 0 || strcmp(left, "╰") == 0);
                    const char *right = canvas_at(&canvas, width - 1, y)->text;
                    bool pane = width % 2 && strcmp(right, " ") == 0;
                    assert_true(pane || strcmp(right, "│") == 0 || strcmp(right, "╮") == 0 ||
                                strcmp(right, "╯") == 0);
                    titles += y > heights[i] / 2 - 2 && canvas_at(&canvas, 2, y)->role == ROLE_TITLE &&
                              strcmp(left, "│") == 0;
                }
                assert_int_equal(titles, 1);
                canvas_release(&canvas);
            }
    fixture_close(&fixture);
}

// At 80 columns the longest ids leave value and verdict whole.
static void long_labels_leave_the_figures_whole(void **state)
{
    (void)state;
    struct fixture fixture;
    open_sweep(&fixture);
    fixture_set(&fixture.page.rows[0].label, "a-step-with-a-long-name-seq-read-direct-128k-t16");
    struct table_layout layout = table_lay(&fixture.page, &glyphs_unicode, 76, false);
    assert_int_equal(layout.ranges, RANGES_NONE);
    struct canvas canvas;
    canvas_init(&canvas, 76, 1);
    table_row(&canvas, 0, 0, &layout, &glyphs_unicode, &fixture.page, 0, false);
    struct text text = {0};
    canvas_dump(&canvas, &text);
    assert_non_null(strstr(text_string(&text), "a-step-with-"));
    assert_non_null(strstr(text_string(&text), "ct-128k-t16 "));
    assert_non_null(strstr(text_string(&text), " 285714 "));
    assert_non_null(strstr(text_string(&text), " 1000000 "));
    assert_non_null(strstr(text_string(&text), " 3.50× slower"));
    text_free(&text);
    canvas_release(&canvas);
    fixture_close(&fixture);
}

// What the loop clamps by is enough to reach the last line, and not past it.
static void results_scroll_to_their_end(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    for (int i = 0; i < 40; i++)
        fixture_note(&fixture, "a note of one line");
    fixture.duel.saved_as = "/the/last/line";
    struct canvas canvas;
    canvas_init(&canvas, 80, 24);
    struct model model = {.screen = SCREEN_RESULTS, .scroll = INT_MAX};
    model_clamp(&model, view_results_overflow(&canvas, &fixture.duel));
    assert_true(model.scroll > 20 && model.scroll < 60);
    view_draw(&canvas, &glyphs_ascii, &model, &fixture.duel);
    struct text text = {0};
    canvas_dump(&canvas, &text);
    assert_non_null(strstr(text_string(&text), "Saved as /the/last/line"));
    text_free(&text);
    model.scroll--;
    view_draw(&canvas, &glyphs_ascii, &model, &fixture.duel);
    canvas_dump(&canvas, &text);
    assert_null(strstr(text_string(&text), "Saved as /the/last/line"));
    assert_non_null(strstr(text_string(&text), "1 more below"));
    text_free(&text);
    canvas_release(&canvas);
    fixture_close(&fixture);
}

// Numbers are whole or absent: a range that has no room beside its value goes below it in the results.
static void ranges_go_below(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_row(&fixture, 0, "304812", "290113 to 310222", "412345", "401234 to 423456", "1.35x slower",
                1.35);
    struct table_layout layout = table_lay(&fixture.page, &glyphs_ascii, 76, true);
    assert_int_equal(layout.ranges, RANGES_BELOW);
    assert_int_equal(table_row_height(&layout, &fixture.page, 0), 2);
    assert_int_equal(table_row_height(&layout, &fixture.page, 1), 1);
    layout = table_lay(&fixture.page, &glyphs_ascii, 76, false);
    assert_int_equal(layout.ranges, RANGES_NONE);
    layout = table_lay(&fixture.page, &glyphs_ascii, 120, false);
    assert_int_equal(layout.ranges, RANGES_BESIDE);
    assert_true(layout.bar > 0);
    struct canvas canvas;
    canvas_init(&canvas, 80, 24);
    view_draw(&canvas, &glyphs_ascii, &(struct model){.screen = SCREEN_RESULTS}, &fixture.duel);
    struct text text = {0};
    canvas_dump(&canvas, &text);
    assert_non_null(strstr(text_string(&text), "290113-310222"));
    assert_non_null(strstr(text_string(&text), "401234-423456"));
    text_free(&text);
    canvas_release(&canvas);
    fixture_close(&fixture);
}

int test_sizes(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_mid_run),
        cmocka_unit_test(any_size_without_data),
        cmocka_unit_test(any_size_with_huge_numbers),
        cmocka_unit_test(nothing_runs_over_a_border),
        cmocka_unit_test(any_size_with_a_thread_sweep),
        cmocka_unit_test(the_present_row_is_always_shown),
        cmocka_unit_test(long_labels_leave_the_figures_whole),
        cmocka_unit_test(results_scroll_to_their_end),
        cmocka_unit_test(ranges_go_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
