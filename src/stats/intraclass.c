#include "stats/intraclass.h"

#include <math.h>

struct intraclass intraclass(const struct intraclass_group *groups, size_t count)
{
    double rounds = 0, n = 0, squared_sizes = 0, sum = 0;
    double explained = 0, rest = 0; // sums of squares of the rounds' means, and about them
    for (size_t i = 0; i < count; i++) {
        if (groups[i].count == 0)
            continue;
        if (!isfinite(groups[i].sum) || !isfinite(groups[i].sum_of_squares))
            return (struct intraclass){0};
        double size = (double)groups[i].count;
        double of_mean = groups[i].sum * groups[i].sum / size;
        rounds++;
        n += size;
        squared_sizes += size * size;
        sum += groups[i].sum;
        explained += of_mean;
        rest += fmax(0, groups[i].sum_of_squares - of_mean);
    }
    if (rounds < 2 || n <= rounds)
        return (struct intraclass){0};

    struct intraclass result = {
        .between = fmax(0, explained - sum * sum / n) / (rounds - 1),
        .within = rest / (n - rounds),
    };
    double size = (n - squared_sizes / n) / (rounds - 1);
    double all = result.between + (size - 1) * result.within;
    if (!(all > 0) || !isfinite(all))
        return (struct intraclass){0};
    result.icc = (result.between - result.within) / all;
    result.n_effective = n / (1 + (n / rounds - 1) * fmax(0, result.icc));
    result.known = true;
    return result;
}
