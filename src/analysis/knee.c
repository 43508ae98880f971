// knee.c: a line before and a line after, for each place that it could be.
#include "analysis/knee.h"

#include "base/clock.h"

#include <math.h>

enum {
    PARTS = 200,
    PARTS_OUTSIDE = 10
}; // the place is looked for in 1/200 of the write, not in the first
   // and last 10 of them

// Sums over points, which can be added and taken apart.
struct sums {
    double n, x, y, xx, xy, yy;
};

struct line {
    double slope; // seconds a MiB
    double rest;  // sum of the squares that it leaves
};

static void add_point(struct sums *sums, double x, double y)
{
    sums->n++;
    sums->x += x;
    sums->y += y;
    sums->xx += x * x;
    sums->xy += x * y;
    sums->yy += y * y;
}

static struct sums without(const struct sums *all, const struct sums *part)
{
    return (struct sums){all->n - part->n,   all->x - part->x,   all->y - part->y,
                         all->xx - part->xx, all->xy - part->xy, all->yy - part->yy};
}

static struct line fit(const struct sums *sums)
{
    double xx = sums->xx - sums->x * sums->x / sums->n;
    double xy = sums->xy - sums->x * sums->y / sums->n;
    double yy = sums->yy - sums->y * sums->y / sums->n;
    double slope = xy / xx;
    return (struct line){.slope = slope, .rest = fmax(yy - slope * xy, 0)};
}

// Counted from the middle, so that the squares of a long write stay small beside what a line leaves.
static double place_of(size_t index, size_t count)
{
    return (double)index - (double)count / 2;
}

static double seconds_of(const uint64_t *mib_ns, size_t index, size_t count)
{
    double middle = (double)mib_ns[count / 2];
    return ((double)mib_ns[index] - middle) / NS_PER_S;
}

bool knee_find(const uint64_t *mib_ns, size_t count, struct knee *knee)
{
    *knee = (struct knee){0};
    if (count < KNEE_MIB_LEAST)
        return false;
    struct sums all = {0}, first = {0};
    for (size_t i = 0; i < count; i++)
        add_point(&all, place_of(i, count), seconds_of(mib_ns, i, count));
    size_t step = count / PARTS > 0 ? count / PARTS : 1;
    size_t begin = count * PARTS_OUTSIDE / PARTS, end = count - begin, least_at = begin, last = begin;
    begin = begin < 2 ? 2 : begin; // two points make a line
    double least = INFINITY;
    struct line before = {0}, after = {0};
    for (size_t i = 0; i < end && i < count; i++) {
        add_point(&first, place_of(i, count), seconds_of(mib_ns, i, count));
        size_t written = i + 1;
        if (written < begin || written > count - 2 || (written - begin) % step != 0)
            continue;
        struct sums rest = without(&all, &first);
        struct line a = fit(&first), b = fit(&rest);
        last = written;
        if (a.rest + b.rest < least) {
            least = a.rest + b.rest;
            least_at = written;
            before = a;
            after = b;
        }
    }
    if (!(before.slope > 0) || !(after.slope > 0) || least_at <= begin || least_at >= last)
        return false;
    *knee = (struct knee){.mib = least_at, .before = 1 / before.slope, .after = 1 / after.slope};
    return true;
}
