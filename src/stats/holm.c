#include "stats/holm.h"
#include "base/xalloc.h"
#include "stats/confidence.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct place {
    double p;
    size_t index;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return (a->p > b->p) - (a->p < b->p);
}

void holm_adjust(const double *p, size_t count, double *adjusted)
{
    if (count == 0)
        return;
    struct place *places = xcalloc(count, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i] = (struct place){.p = p[i], .index = i};
    qsort(places, count, sizeof *places, compare_places);
    double greatest = 0;
    for (size_t i = 0; i < count; i++) {
        greatest = fmax(greatest, fmin(1, (double)(count - i) * places[i].p));
        adjusted[places[i].index] = greatest;
    }
    free(places);
}

size_t holm_rows_carried(double least_p)
{
    const double countable = 1e15;
    double rows = (1 - CONFIDENCE) / least_p;
    if (!(rows < countable))
        return SIZE_MAX;
    size_t carried = (size_t)rows;
    // The quotient may fall just short of a whole number that it is.
    return confidence_significant((double)(carried + 1) * least_p) ? carried + 1 : carried;
}
