#include "tui/plot.h"

#include <float.h>
#include <math.h>
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

static void linear_scales_end_round(void **state)
{
    (void)state;
    static const struct {
        double most, high;
    } cases[] = {{1162, 1500}, {1500, 1500}, {1501, 2000}, {0.7, 0.8}, {99, 100}, {100, 100}, {847, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale scale = scale_linear(cases[i].most);
        assert_true(fabs(scale.high - cases[i].high) < 1e-9);
        assert_true(scale.low == 0);
        assert_false(scale.logarithmic);
    }
}

static void decades_hold_both_ends(void **state)
{
    (void)state;
    struct scale scale = scale_decades(244, 28900);
    assert_true(fabs(scale.low - 100) < 1e-9 && fabs(scale.high - 100000) < 1e-6);
    scale = scale_decades(100, 100);
    assert_true(fabs(scale.low - 100) < 1e-9 && fabs(scale.high - 1000) < 1e-6);
}

// Whatever comes in, a scale is finite, not empty, and positions lie between 0 and 1.
static void nothing_is_no_number(void **state)
{
    (void)state;
    static const double values[] = {0,       -1,       1e-320,    DBL_MIN, 1e-9, 1,   1e9,
                                    DBL_MAX, INFINITY, -INFINITY, NAN,     20,   1e30};
    enum { VALUES = sizeof values / sizeof *values };
    for (size_t i = 0; i < VALUES; i++)
        for (size_t j = 0; j < VALUES; j++) {
            struct scale scales[] = {scale_linear(values[i]), scale_decades(values[i], values[j])};
            for (size_t s = 0; s < 2; s++) {
                assert_true(isfinite(scales[s].low) && isfinite(scales[s].high));
                assert_true(scales[s].high > scales[s].low);
                assert_true(!scales[s].logarithmic || scales[s].low > 0);
                for (size_t k = 0; k < VALUES; k++) {
                    double position = scale_position(&scales[s], values[k]);
                    assert_true(position >= 0 && position <= 1);
                }
            }
        }
}

static void labels_take_five_columns(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *label;
    } cases[] = {{0, "0"},         {-5, "0"},      {NAN, "0"},     {0.0001, "0"},   {0.005, "0.005"},
                 {0.075, "0.075"}, {0.25, "0.25"}, {1, "1"},       {12.5, "12.5"},  {300, "300"},
                 {999.4, "999"},   {999.6, "1k"},  {1200, "1.2k"}, {2.5e6, "2.5M"}, {12.5e9, "12.5G"},
                 {1e12, "1T"},     {1e30, "999E"}, {INFINITY, "0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char label[16];
        scale_label(cases[i].value, label);
        assert_string_equal(label, cases[i].label);
    }
    for (double value = 1e-9; value < 1e40; value *= 1.07) {
        char label[16];
        scale_label(value, label);
        assert_in_range(strlen(label), 1, 5);
    }
}

static void graph_in_both_sets(void **state)
{
    (void)state;
    struct plot_point points[] = {{.value = 100, .mark = true, .round = 1},
                                  {.value = 50},
                                  {.value = 25, .mark = true, .round = 2},
                                  {.value = 0}};
    struct scale scale = scale_linear(100);
    struct canvas canvas;
    canvas_init(&canvas, 10, 3);
    plot_throughput(&canvas, (struct rect){0, 0, 10, 3}, &glyphs_unicode, ROLE_TIER_A, &scale, points, 4);
    expect(&canvas, "  100┤⡇\n    0┤⣿⣄\n     └┴┴2─\n");
    assert_int_equal(canvas_at(&canvas, 6, 1)->role, ROLE_TIER_A);
    canvas_release(&canvas);
    canvas_init(&canvas, 10, 3);
    plot_throughput(&canvas, (struct rect){0, 0, 10, 3}, &glyphs_ascii, ROLE_TIER_A, &scale, points, 4);
    expect(&canvas, "  100+#\n    0+##:.\n     ++1+2\n");
    canvas_release(&canvas);
}

// Too many for the width: the oldest go, by whole columns.
static void newest_points_stay(void **state)
{
    (void)state;
    enum { POINTS = 100 };
    struct plot_point points[POINTS] = {0};
    points[POINTS - 2] = (struct plot_point){.value = 1, .mark = true, .round = 7};
    points[POINTS - 1].value = 1;
    struct scale scale = scale_linear(1);
    struct canvas canvas;
    canvas_init(&canvas, 10, 2);
    assert_int_equal(plot_points(10, &glyphs_unicode), 8);
    assert_int_equal(plot_points(10, &glyphs_ascii), 4);
    assert_int_equal(plot_points(6, &glyphs_unicode), 0);
    assert_int_equal(plot_points(-9, &glyphs_unicode), 0);
    plot_throughput(&canvas, (struct rect){0, 0, 10, 2}, &glyphs_unicode, ROLE_TIER_A, &scale, points,
                    POINTS);
    expect(&canvas, "    1┤⣀⣀⣀⣿\n     └───┴\n");
    canvas_release(&canvas);
}

static void one_in_a_million_is_visible(void **state)
{
    (void)state;
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    for (int i = 0; i < 1000000; i++)
        histogram_record(&histogram, 12000);
    histogram_record(&histogram, 500000000);
    struct scale axis = scale_decades(1e3, 1e9);
    struct canvas canvas;
    canvas_init(&canvas, 36, 3);
    plot_latency(&canvas, (struct rect){0, 0, 36, 3}, &glyphs_unicode, ROLE_TIER_A, &axis, &histogram);
    expect(&canvas, "      █\n"
                    "      █                           ▁\n"
                    "1µs         100µs       10ms      1s\n");
    canvas_release(&canvas);
    canvas_init(&canvas, 36, 3);
    plot_latency(&canvas, (struct rect){0, 0, 36, 3}, &glyphs_ascii, ROLE_TIER_A, &axis, &histogram);
    expect(&canvas, "      #\n"
                    "      #                           .\n"
                    "1us         100us       10ms      1s\n");
    canvas_release(&canvas);
    histogram_release(&histogram);
}

// Latencies outside the axis are counted at its ends; 0 and the greatest possible are latencies too.
static void ends_of_the_axis(void **state)
{
    (void)state;
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    histogram_record(&histogram, 0);
    histogram_record(&histogram, UINT64_MAX);
    struct scale axis = scale_decades(1e6, 1e9);
    struct canvas canvas;
    canvas_init(&canvas, 30, 2);
    plot_latency(&canvas, (struct rect){0, 0, 30, 2}, &glyphs_ascii, ROLE_TIER_A, &axis, &histogram);
    expect(&canvas, "#                            #\n1ms       10ms      100ms   1s\n");
    canvas_release(&canvas);
    histogram_release(&histogram);
}

static void an_empty_histogram_has_its_axis(void **state)
{
    (void)state;
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    struct scale axis = scale_decades(1e3, 1e6);
    struct canvas canvas;
    canvas_init(&canvas, 24, 5);
    plot_latency(&canvas, (struct rect){0, 0, 24, 5}, &glyphs_ascii, ROLE_TIER_A, &axis, &histogram);
    expect(&canvas, "\n\n\n+-------+-------+------+\n1us     10us    100us\n");
    plot_latency(&canvas, (struct rect){0, 0, 24, 5}, &glyphs_ascii, ROLE_TIER_A, &axis, NULL);
    histogram_release(&histogram);
    canvas_release(&canvas);
}

static void ratio_bars(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 21, 6);
    plot_ratio_axis(&canvas, (struct rect){0, 0, 21, 1}, &glyphs_unicode, 100);
    static const double ratios[] = {1, 10, 100, 1e9, NAN};
    for (int i = 0; i < 5; i++)
        plot_ratio(&canvas, (struct rect){0, 1 + i, 21, 1}, &glyphs_unicode, ROLE_WORSE, ratios[i], 100);
    expect(&canvas,
           "1×        10×    100×\n┥\n━━━━━━━━━━┥\n━━━━━━━━━━━━━━━━━━━━┥\n━━━━━━━━━━━━━━━━━━━━┥\n\n");
    canvas_release(&canvas);
}

// Any rectangle on any canvas: nothing is written outside, and nothing hangs.
static void any_rectangle(void **state)
{
    (void)state;
    struct histogram histogram;
    histogram_init(&histogram, HISTOGRAM_DIGITS);
    histogram_record(&histogram, 5000);
    struct plot_point points[3] = {{.value = 5, .mark = true}, {.value = INFINITY}, {.value = NAN}};
    struct scale axis = scale_decades(1e3, 1e9), linear = scale_linear(10);
    static const int places[] = {-2147483647, -3, 0, 4, 2147483647},
                     lengths[] = {-2147483647, -1, 0, 1, 2, 7, 30};
    for (size_t set = 0; set < 2; set++)
        for (size_t x = 0; x < 5; x++)
            for (size_t width = 0; width < 7; width++)
                for (size_t height = 0; height < 7; height++) {
                    const struct glyphs *glyphs = set ? &glyphs_ascii : &glyphs_unicode;
                    struct rect rect = {places[x], places[4 - x], lengths[width], lengths[height]};
                    struct canvas canvas;
                    canvas_init(&canvas, 12, 5);
                    rect.x = rect.x > 1000000 ? 1000000 : rect.x < -1000000 ? -1000000 : rect.x;
                    rect.y = rect.y > 1000000 ? 1000000 : rect.y < -1000000 ? -1000000 : rect.y;
                    plot_throughput(&canvas, rect, glyphs, ROLE_TIER_A, &linear, points, 3);
                    plot_throughput(&canvas, rect, glyphs, ROLE_TIER_A, &axis, points, 3);
                    plot_latency(&canvas, rect, glyphs, ROLE_TIER_A, &axis, &histogram);
                    plot_ratio(&canvas, rect, glyphs, ROLE_TIER_A, 3, 10);
                    plot_ratio_axis(&canvas, rect, glyphs, 10);
                    canvas_release(&canvas);
                }
    histogram_release(&histogram);
}

// Marks at the values, points between neighbours, numbers below; what is unknown leaves a gap.
static void lines_over_steps(void **state)
{
    (void)state;
    struct canvas canvas;
    canvas_init(&canvas, 30, 7);
    static const unsigned steps[] = {1, 2, 4, 16};
    static const double a[] = {100, 200, 300, 400}, b[] = {100, 300, 0, 200};
    struct plot_line lines[] = {{a, "A", ROLE_TIER_A}, {b, "B", ROLE_TIER_B}};
    struct scale scale = scale_linear(400);
    plot_steps(&canvas, (struct rect){0, 0, 30, 7}, &glyphs_unicode, &scale, steps, 4, lines, 2);
    expect(&canvas, "  400┤                   ··A\n"
                    "     │        ·B   ··A···\n"
                    "  200┤     ····A···        B\n"
                    "     │   AB··\n"
                    "    0┤\n"
                    "     └───┴─────┴─────┴─────┴──\n"
                    "         1     2     4     16\n");
    assert_int_equal(canvas_at(&canvas, 9, 3)->role, ROLE_TIER_A);
    assert_int_equal(canvas_at(&canvas, 10, 3)->role, ROLE_TIER_B);
    canvas_release(&canvas);
}

static void steps_without_room_or_sense(void **state)
{
    (void)state;
    static const unsigned steps[] = {1, 64};
    static const double values[][2] = {{1, 2}, {INFINITY, NAN}, {-1, 0}, {DBL_MAX, DBL_MIN}};
    struct scale scale = scale_decades(1, 1000);
    for (int width = -2; width < 20; width++)
        for (int height = -2; height < 9; height++) {
            struct canvas canvas;
            canvas_init(&canvas, 24, 10);
            for (size_t i = 0; i < 4; i++) {
                struct plot_line line = {values[i], "A", ROLE_TEXT};
                plot_steps(&canvas, (struct rect){2, 1, width, height}, &glyphs_ascii, &scale, steps, 2,
                           &line, 1);
                plot_steps(&canvas, (struct rect){2, 1, width, height}, &glyphs_ascii, &scale, steps, 0, NULL,
                           0);
            }
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < 24; x++)
                    if (x < 2 || y < 1 || x >= 2 + width || y >= 1 + height)
                        assert_string_equal(canvas_at(&canvas, x, y)->text, " ");
            canvas_release(&canvas);
        }
}

int test_plot(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_scales_end_round),
        cmocka_unit_test(decades_hold_both_ends),
        cmocka_unit_test(nothing_is_no_number),
        cmocka_unit_test(labels_take_five_columns),
        cmocka_unit_test(graph_in_both_sets),
        cmocka_unit_test(newest_points_stay),
        cmocka_unit_test(one_in_a_million_is_visible),
        cmocka_unit_test(ends_of_the_axis),
        cmocka_unit_test(an_empty_histogram_has_its_axis),
        cmocka_unit_test(ratio_bars),
        cmocka_unit_test(any_rectangle),
        cmocka_unit_test(lines_over_steps),
        cmocka_unit_test(steps_without_room_or_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
