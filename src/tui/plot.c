#include "tui/plot.h"

#include "base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COLUMNS = 5,
    GUTTER = LABEL_COLUMNS + 1, // a value's label and the axis
    BRAILLE_DOTS = 4,           // one above the other in a column
    EIGHTHS = 8,
    RULE_HEIGHT = 5 // a latency plot of so many lines has a rule above its labels
};

// No scale holds more: a number beyond is drawn on its edge, and nothing overflows.
static const double MOST = 1e30, DECADES_MOST = 1e15;

// Round numbers that a linear axis may end at, and into how many equal parts a tall one is divided.
static const struct {
    double value;
    int parts;
} ends[] = {{1, 5}, {1.5, 3}, {2, 4}, {3, 3}, {4, 4}, {5, 5}, {6, 3}, {8, 4}, {10, 5}};

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

struct scale scale_linear(double most)
{
    if (!is_positive(most) || most < 1e-3)
        return (struct scale){.high = 1};
    most = fmin(most, MOST);
    double decade = pow(10, floor(log10(most)));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i].value * decade >= most)
            return (struct scale){.high = ends[i].value * decade};
    return (struct scale){.high = most};
}

struct scale scale_decades(double least, double most)
{
    if (!is_positive(most))
        most = is_positive(least) ? least : 1;
    most = fmax(fmin(most, MOST), 1 / MOST);
    if (!is_positive(least) || least > most)
        least = most;
    least = fmax(least, most / DECADES_MOST);
    double low = floor(log10(least)), high = ceil(log10(most));
    if (high <= low)
        high = low + 1;
    return (struct scale){.low = pow(10, low), .high = pow(10, high), .logarithmic = true};
}

double scale_position(const struct scale *scale, double value)
{
    double position = scale->logarithmic
                          ? (log10(value) - log10(scale->low)) / (log10(scale->high) - log10(scale->low))
                          : (value - scale->low) / (scale->high - scale->low);
    if (!(position > 0))
        return 0;
    return position < 1 ? position : 1;
}

void scale_label(double value, char out[16])
{
    static const char *const suffixes[] = {"", "k", "M", "G", "T", "P", "E"};
    enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };
    if (!is_positive(value) || value < 1e-3) {
        snprintf(out, 16, "0");
        return;
    }
    size_t suffix = 0;
    while (value >= 999.5 && suffix + 1 < SUFFIXES) {
        value /= 1000;
        suffix++;
    }
    if (value >= 999.5)
        value = 999;
    // Three digits, less where zeros stand before them, so that five columns hold them.
    int digits = value >= 0.1 ? 3 : value >= 0.01 ? 2 : 1;
    snprintf(out, 16, "%.*g%s", digits, value, suffixes[suffix]);
}

// The graph

size_t plot_points_a_column(const struct glyphs *glyphs)
{
    return glyphs->ascii ? 1 : 2;
}

size_t plot_points(int width, const struct glyphs *glyphs)
{
    return width > GUTTER ? (size_t)(width - GUTTER) * plot_points_a_column(glyphs) : 0;
}

static void value_label(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                        const struct scale *scale, double value)
{
    int row = (int)lround((1 - scale_position(scale, value)) * (rect.height - 1));
    char label[16];
    scale_label(value, label);
    canvas_right(canvas, rect.x + LABEL_COLUMNS, rect.y + row, LABEL_COLUMNS, ROLE_DIM, label);
    canvas_text(canvas, rect.x + LABEL_COLUMNS, rect.y + row, 1, ROLE_DIM, glyphs->tick);
}

static int parts_of(const struct scale *scale, int height)
{
    if (height < 5)
        return 1;
    if (height < 12)
        return 2;
    double mantissa = scale->high / pow(10, floor(log10(scale->high)));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fabs(ends[i].value - mantissa) < 1e-6)
            return ends[i].parts;
    return 2;
}

// `rect` is that of the graph with its labels, without the time axis.
static void value_axis(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                       const struct scale *scale)
{
    canvas_fill(canvas, (struct rect){rect.x + LABEL_COLUMNS, rect.y, 1, rect.height}, ROLE_DIM,
                glyphs->vertical);
    if (rect.height < 1)
        return;
    if (!scale->logarithmic) {
        int parts = parts_of(scale, rect.height);
        for (int i = 0; i <= parts; i++)
            value_label(canvas, rect, glyphs, scale, scale->low + (scale->high - scale->low) * i / parts);
        return;
    }
    int decades = (int)lround(log10(scale->high / scale->low));
    int step = 1;
    while (rect.height > 1 && (decades + step - 1) / step > rect.height - 1)
        step++;
    for (int i = 0; i < decades; i += step)
        value_label(canvas, rect, glyphs, scale, scale->low * pow(10, i));
    value_label(canvas, rect, glyphs, scale, scale->high);
}

// The braille pattern with `left` and `right` dots filled from below.
static void braille(int left, int right, char out[8])
{
    static const uint8_t left_dots[] = {0x00, 0x40, 0x44, 0x46, 0x47};
    static const uint8_t right_dots[] = {0x00, 0x80, 0xa0, 0xb0, 0xb8};
    size_t length = utf8_encode(0x2800U | left_dots[left] | right_dots[right], out);
    out[length] = '\0';
}

// How many of `steps` steps of this row a column that is `level` steps high fills.
static int fill_of(int level, int row_from_bottom, int steps)
{
    int left = level - row_from_bottom * steps;
    return left < 0 ? 0 : left > steps ? steps : left;
}

// Every measured point leaves a trace, a slow one too: an empty column means that nothing was measured.
static int level_of(const struct scale *scale, const struct plot_point *point, int levels)
{
    int level = (int)lround(scale_position(scale, point->value) * levels);
    return level > 0 ? level : 1;
}

static void graph_column(struct canvas *canvas, int x, struct rect rect, const struct glyphs *glyphs,
                         enum role role, const struct scale *scale, const struct plot_point *points,
                         size_t count)
{
    int steps = glyphs->ascii ? EIGHTHS : BRAILLE_DOTS;
    int left = level_of(scale, &points[0], steps * rect.height);
    int right = !glyphs->ascii && count > 1 ? level_of(scale, &points[1], steps * rect.height) : 0;
    for (int row = 0; row < rect.height; row++) {
        int left_fill = fill_of(left, row, steps), right_fill = fill_of(right, row, steps);
        char pattern[8];
        if (left_fill == 0 && right_fill == 0)
            break;
        if (!glyphs->ascii)
            braille(left_fill, right_fill, pattern);
        canvas_text(canvas, x, rect.y + rect.height - 1 - row, 1, role,
                    glyphs->ascii ? glyphs->columns[left_fill] : pattern);
    }
}

// A round's number behind its mark, where no other mark stands in the way.
static void round_mark(struct canvas *canvas, int x, int y, int room, const struct glyphs *glyphs,
                       unsigned round)
{
    char number[16];
    int length = snprintf(number, sizeof number, "%u", round);
    canvas_text(canvas, x, y, room, ROLE_DIM, glyphs->round_mark);
    if (length < room)
        canvas_text(canvas, x + 1, y, room - 1, ROLE_TEXT, number);
}

static void time_axis(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                      const struct plot_point *points, size_t count)
{
    int y = rect.y + rect.height - 1, x = rect.x + GUTTER, width = rect.width - GUTTER;
    int per = (int)plot_points_a_column(glyphs);
    canvas_text(canvas, rect.x + LABEL_COLUMNS, y, 1, ROLE_DIM, glyphs->corner);
    canvas_fill(canvas, (struct rect){x, y, width, 1}, ROLE_DIM, glyphs->horizontal);
    int end = width;
    for (size_t i = count; i-- > 0;) {
        if (!points[i].mark)
            continue;
        int column = (int)i / per;
        round_mark(canvas, x + column, y, end - column, glyphs, points[i].round);
        end = column;
    }
}

void plot_throughput(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                     const struct scale *scale, const struct plot_point *points, size_t count)
{
    if (rect.width <= GUTTER || rect.height < 2)
        return;
    size_t per = plot_points_a_column(glyphs), most = plot_points(rect.width, glyphs);
    if (count > most) {
        // Whole columns go, so that rounds keep beginning at the left of one.
        size_t gone = (count - most + per - 1) / per * per;
        points += gone;
        count -= gone;
    }
    struct rect graph = rect;
    graph.height--;
    value_axis(canvas, graph, glyphs, scale);
    for (size_t i = 0; i < count; i += per)
        graph_column(canvas, rect.x + GUTTER + (int)(i / per), graph, glyphs, role, scale, &points[i],
                     count - i);
    time_axis(canvas, rect, glyphs, points, count);
}

// Lines over steps

// The part of a plot that its values lie in, and where steps and values are in it.
struct step_graph {
    struct rect rect;
    const struct scale *scale;
    size_t count;
};

static int step_column(const struct step_graph *graph, size_t step)
{
    int each = graph->rect.width / (int)graph->count;
    return graph->rect.x + each / 2 + (int)step * each;
}

static double step_row(const struct step_graph *graph, double value)
{
    return graph->rect.y + (1 - scale_position(graph->scale, value)) * (graph->rect.height - 1);
}

static void step_axis(struct canvas *canvas, const struct step_graph *graph, const struct glyphs *glyphs,
                      const unsigned *steps)
{
    int x = graph->rect.x, y = graph->rect.y + graph->rect.height;
    canvas_text(canvas, x - 1, y, 1, ROLE_DIM, glyphs->corner);
    canvas_fill(canvas, (struct rect){x, y, graph->rect.width, 1}, ROLE_DIM, glyphs->horizontal);
    for (size_t i = 0; i < graph->count; i++) {
        char number[16];
        int length = snprintf(number, sizeof number, "%u", steps[i]), column = step_column(graph, i);
        canvas_text(canvas, column, y, 1, ROLE_DIM, glyphs->round_mark);
        canvas_text(canvas, column - (length - 1) / 2, y + 1, length, ROLE_DIM, number);
    }
}

static void step_points(struct canvas *canvas, const struct step_graph *graph, const struct glyphs *glyphs,
                        const struct plot_line *line)
{
    for (size_t i = 1; i < graph->count; i++) {
        if (!is_positive(line->values[i - 1]) || !is_positive(line->values[i]))
            continue;
        int left = step_column(graph, i - 1), right = step_column(graph, i);
        double from = step_row(graph, line->values[i - 1]), to = step_row(graph, line->values[i]);
        for (int x = left + 1; x < right; x++)
            canvas_text(canvas, x, (int)lround(from + (to - from) * (x - left) / (right - left)), 1,
                        line->role, glyphs->point);
    }
}

// How many of the lines before have their mark in the same place.
static int marks_there(const struct step_graph *graph, const struct plot_line *lines, size_t line,
                       size_t step)
{
    long row = lround(step_row(graph, lines[line].values[step]));
    int count = 0;
    for (size_t i = 0; i < line; i++)
        count += is_positive(lines[i].values[step]) && lround(step_row(graph, lines[i].values[step])) == row;
    return count;
}

void plot_steps(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                const struct scale *scale, const unsigned *steps, size_t count, const struct plot_line *lines,
                size_t line_count)
{
    enum {
        BELOW = 2, // lines: the axis and its numbers
        EACH = 3   // columns: a number of two digits and a blank
    };
    struct step_graph graph = {
        {rect.x + GUTTER, rect.y, rect.width - GUTTER, rect.height - BELOW}, scale, count};
    if (count == 0 || graph.rect.width < EACH * (int)count || graph.rect.height < 2)
        return;
    value_axis(canvas, (struct rect){rect.x, rect.y, rect.width, graph.rect.height}, glyphs, scale);
    step_axis(canvas, &graph, glyphs, steps);
    for (size_t i = 0; i < line_count; i++)
        step_points(canvas, &graph, glyphs, &lines[i]);
    for (size_t i = 0; i < line_count; i++)
        for (size_t step = 0; step < count; step++) {
            if (!is_positive(lines[i].values[step]))
                continue;
            int x = step_column(&graph, step) + marks_there(&graph, lines, i, step);
            int y = (int)lround(step_row(&graph, lines[i].values[step]));
            canvas_text(canvas, x, y, rect.x + rect.width - x, lines[i].role, lines[i].mark);
        }
}

// The histogram

static void duration_label(double ns, const struct glyphs *glyphs, char out[16])
{
    static const char *const after[] = {"ns", NULL, "ms", "s"};
    size_t unit = 0;
    while (ns >= 999.5 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    snprintf(out, 16, "%.0f%s", ns, after[unit] ? after[unit] : glyphs->micro);
}

// Labels start at their decade; the last one ends at the right edge. Where they would touch, some are left
// out.
static void latency_labels(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs,
                           const struct scale *axis, int y, bool rule)
{
    int decades = (int)lround(log10(axis->high / axis->low));
    enum { ROOM = 7 }; // "100µs" and space to breathe
    int step = 1;
    while (step < decades && rect.width * step / decades < ROOM)
        step++;
    int free_from = 0;
    for (int i = 0; i <= decades; i += step) {
        char label[16];
        duration_label(axis->low * pow(10, i), glyphs, label);
        int length = (int)text_columns(label);
        int mark = i == decades ? rect.width - 1 : i * rect.width / decades;
        int column = mark + length > rect.width ? rect.width - length : mark;
        if (rule)
            canvas_text(canvas, rect.x + mark, y - 1, 1, ROLE_DIM, glyphs->round_mark);
        if (column < free_from)
            continue;
        canvas_text(canvas, rect.x + column, y, length, ROLE_DIM, label);
        free_from = column + length + 1;
    }
}

static int column_of(const struct scale *axis, int width, double ns)
{
    int column = (int)(scale_position(axis, ns) * width);
    return column < width ? column : width - 1;
}

// A bucket narrower than a column counts where its middle lies; a wider one, near the axis's low end, is
// spread.
static void add_bucket(double *heights, int width, const struct scale *axis, double lowest, double highest,
                       double count)
{
    int first = column_of(axis, width, lowest), last = column_of(axis, width, highest);
    if (last <= first + 1)
        first = last = column_of(axis, width, (lowest + highest) / 2);
    for (int column = first; column <= last; column++)
        heights[column] += count / (last - first + 1);
}

static double collect(double *heights, int width, const struct scale *axis, const struct histogram *histogram)
{
    size_t end = histogram_buckets(histogram->digits);
    for (size_t i = 0; i < end; i++) {
        if (histogram->counts[i] == 0)
            continue;
        double lowest = (double)histogram_lowest(histogram->digits, i);
        double highest = (double)histogram_highest(histogram->digits, i) + 1;
        // The exact ends are known: what lies outside them in the outer buckets never happened.
        if (lowest < (double)histogram->min_ns)
            lowest = (double)histogram->min_ns;
        if (highest > (double)histogram->max_ns)
            highest = (double)histogram->max_ns;
        if (highest < lowest)
            highest = lowest;
        add_bucket(heights, width, axis, lowest, highest, (double)histogram->counts[i]);
    }
    double most = 0;
    for (int column = 0; column < width; column++)
        most = heights[column] > most ? heights[column] : most;
    return most;
}

void plot_latency(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                  const struct scale *axis, const struct histogram *histogram)
{
    if (rect.width < 1 || rect.height < 2)
        return;
    if (rect.width > canvas->width)
        rect.width = canvas->width;
    bool rule = rect.height >= RULE_HEIGHT;
    int rows = rect.height - (rule ? 2 : 1), label_row = rect.y + rect.height - 1;
    if (rule)
        canvas_fill(canvas, (struct rect){rect.x, label_row - 1, rect.width, 1}, ROLE_DIM,
                    glyphs->horizontal);
    latency_labels(canvas, rect, glyphs, axis, label_row, rule);
    if (!histogram || !histogram->counts || histogram->count == 0)
        return;

    double *heights = xcalloc((size_t)rect.width, sizeof *heights);
    double most = collect(heights, rect.width, axis, histogram);
    for (int column = 0; column < rect.width; column++) {
        if (!(heights[column] > 0))
            continue;
        int level = (int)lround(heights[column] / most * rows * EIGHTHS);
        level = level > 0 ? level : 1;
        for (int row = 0; row < rows && level > row * EIGHTHS; row++)
            canvas_text(canvas, rect.x + column, rect.y + rows - 1 - row, 1, role,
                        glyphs->columns[fill_of(level, row, EIGHTHS)]);
    }
    free(heights);
}

// The ratio

static int ratio_column(int width, double ratio, double most)
{
    struct scale scale = {.low = 1, .high = most > 1 ? most : 10, .logarithmic = true};
    return (int)lround(scale_position(&scale, ratio) * (width - 1));
}

void plot_ratio(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, enum role role,
                double ratio, double most)
{
    if (rect.width < 1 || !is_positive(ratio))
        return;
    int length = ratio_column(rect.width, ratio, most);
    canvas_fill(canvas, (struct rect){rect.x, rect.y, length, 1}, role, glyphs->line);
    canvas_text(canvas, rect.x + length, rect.y, 1, role, glyphs->line_end);
}

void plot_ratio_axis(struct canvas *canvas, struct rect rect, const struct glyphs *glyphs, double most)
{
    int free_from = 0;
    for (double ratio = 1; ratio <= most * 1.001 && rect.width > 0; ratio *= 10) {
        char label[64];
        snprintf(label, sizeof label, "%.0f%s", ratio, glyphs->times);
        int length = (int)text_columns(label), column = ratio_column(rect.width, ratio, most);
        if (column + length > rect.width)
            column = rect.width - length;
        if (column < free_from)
            continue;
        canvas_text(canvas, rect.x + column, rect.y, length, ROLE_DIM, label);
        free_from = column + length + 1;
    }
}
