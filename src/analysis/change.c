#include "analysis/change.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "stats/confidence.h"
#include "stats/holm.h"

#include <math.h>
#include <stdlib.h>

// NULL where a cost has no logarithm.
static double *logarithms(const double *costs, size_t count)
{
    double *logs = xcalloc(count, sizeof *logs);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(costs[i]) || !(costs[i] > 0)) {
            free(logs);
            return NULL;
        }
        logs[i] = log(costs[i]);
    }
    return logs;
}

struct change change_between(const double *before, size_t before_count, const double *after,
                             size_t after_count)
{
    struct change change = {0};
    if (before_count == 0 || after_count == 0)
        return change;
    double *logs_before = logarithms(before, before_count), *logs_after = logarithms(after, after_count);
    if (logs_before && logs_after) {
        struct hodges_lehmann shift = shift_between(logs_before, before_count, logs_after, after_count);
        change = (struct change){
            .comparable = true,
            .before = before_count,
            .after = after_count,
            .test = mann_whitney(before, before_count, after, after_count),
            .factor = {.estimate = exp(shift.estimate),
                       .low = exp(shift.low),
                       .high = exp(shift.high),
                       .coverage = shift.coverage},
        };
    }
    free(logs_before);
    free(logs_after);
    return change;
}

// Which way the costs went, as the test counts: 1 up, -1 down, 0 neither.
static int direction(const struct change *change)
{
    double twice = 2 * change->test.u, pairs = (double)change->before * (double)change->after;
    return (twice > pairs) - (twice < pairs);
}

static bool can_tell(const struct change *change)
{
    return confidence_significant(mann_whitney_least_p(change->before, change->after));
}

enum change_word change_word_of(const struct change *change, double adjusted_p, double limit)
{
    if (!change->comparable)
        return CHANGE_NOT_COMPARED;
    if (!can_tell(change))
        return CHANGE_CANNOT_TELL;
    if (change->test.identical)
        return CHANGE_IDENTICAL;

    const double most = 1 + limit, least = 1 / most;
    const struct hodges_lehmann *factor = &change->factor;
    if (!confidence_significant(adjusted_p))
        return factor->low >= least && factor->high <= most ? CHANGE_NO_CHANGE_LARGER
                                                            : CHANGE_NO_DETECTABLE_CHANGE;
    if (direction(change) > 0)
        return factor->low > most ? CHANGE_SLOWER : CHANGE_SLOWER_SIZE_UNCLEAR;
    return factor->high < least ? CHANGE_FASTER : CHANGE_FASTER_SIZE_UNCLEAR;
}

// 1 or -1 where a tier by itself moved beyond luck.
static int moved(const struct change *alone)
{
    if (!alone->comparable || !confidence_significant(alone->test.p))
        return 0;
    return direction(alone);
}

enum change_word change_word_beside_control(enum change_word word, const struct change *change,
                                            const struct change *a_alone, const struct change *b_alone)
{
    int a = moved(a_alone), b = moved(b_alone);
    switch (word) {
    case CHANGE_IDENTICAL:
    case CHANGE_NO_CHANGE_LARGER:
    case CHANGE_NO_DETECTABLE_CHANGE:
        return a != 0 && a == b ? CHANGE_MACHINE_CHANGED : word;
    case CHANGE_SLOWER:
    case CHANGE_FASTER:
    case CHANGE_SLOWER_SIZE_UNCLEAR:
    case CHANGE_FASTER_SIZE_UNCLEAR:
        return a == 0 && b != 0 && b == -direction(change) ? CHANGE_CONTROL_CHANGED : word;
    default:
        return word;
    }
}

// ---- In words ----

enum form {
    FORM_PLAIN,
    FORM_SIGNED,
    FORM_AT_LEAST // cut, since "at least 9 %" would be false of 8.6
};

static const double rounding = 1e-9; // so that cutting 1.15 leaves 1.15

// "2.31x"
static void put_times(struct text *text, double factor, enum form form)
{
    if (form == FORM_AT_LEAST) {
        double step = pow(10, floor(log10(factor)) - 2);
        factor = floor(factor / step + rounding) * step;
    }
    char digits[UNITS_TEXT_SIZE];
    units_three_digits(factor, digits);
    text_printf(text, "%sx", digits);
}

// "31 %"
static void put_percent(struct text *text, double factor, enum form form)
{
    double percent = (factor - 1) * 100;
    percent = form == FORM_AT_LEAST ? floor(percent + rounding) : round(percent);
    percent += 0.0; // -0 becomes 0
    text_printf(text, form == FORM_SIGNED ? "%+.0f %%" : "%.0f %%", percent);
}

// "LOW_WORD low HIGH_WORD high", both in the same way.
static void put_range(struct text *text, double low, double high, const char *low_word, enum form low_form,
                      const char *high_word, enum form high_form)
{
    bool wide = low <= 0.5 || high >= 2;
    void (*put)(struct text *, double, enum form) = wide ? put_times : put_percent;
    text_puts(text, low_word);
    put(text, low, low_form);
    text_puts(text, high_word);
    put(text, high, high_form);
}

static void put_size(struct text *text, const struct change *change, bool faster, bool clear)
{
    double low = faster ? 1 / change->factor.high : change->factor.low;
    double high = faster ? 1 / change->factor.low : change->factor.high;
    text_puts(text, faster ? "faster" : "slower");
    if (clear)
        put_range(text, low, high, ": at least ", FORM_AT_LEAST, ", perhaps ", FORM_PLAIN);
    else
        put_range(text, low, high, ", size unclear: between ", FORM_PLAIN, " and ", FORM_PLAIN);
}

static void put_hidden(struct text *text, const struct change *change)
{
    text_puts(text, "no detectable change (");
    put_range(text, change->factor.low, change->factor.high, "a change between ", FORM_SIGNED, " and ",
              FORM_SIGNED);
    text_puts(text, " could hide here)");
}

static void put_too_few(struct text *text, const struct change *change)
{
    text_puts(text, "cannot tell: n too small (with ");
    if (change->before == change->after)
        text_printf(text, "%zu round%s a side", change->before, change->before == 1 ? "" : "s");
    else
        text_printf(text, "%zu and %zu rounds", change->before, change->after);
    text_printf(text, " even complete separation happens by luck %.0f %% of the time)",
                100 * mann_whitney_least_p(change->before, change->after));
}

void change_put(const struct change *change, enum change_word word, double limit, struct text *text)
{
    switch (word) {
    case CHANGE_NOT_COMPARED:
        text_puts(text, "not compared");
        return;
    case CHANGE_CANNOT_TELL:
        put_too_few(text, change);
        return;
    case CHANGE_IDENTICAL:
        text_puts(text, "identical");
        return;
    case CHANGE_SLOWER:
    case CHANGE_FASTER:
        put_size(text, change, word == CHANGE_FASTER, true);
        return;
    case CHANGE_SLOWER_SIZE_UNCLEAR:
    case CHANGE_FASTER_SIZE_UNCLEAR:
        put_size(text, change, word == CHANGE_FASTER_SIZE_UNCLEAR, false);
        return;
    case CHANGE_NO_CHANGE_LARGER:
        text_printf(text, "no change larger than %.3g %%", 100 * limit);
        return;
    case CHANGE_NO_DETECTABLE_CHANGE:
        put_hidden(text, change);
        return;
    case CHANGE_MACHINE_CHANGED:
        text_puts(text, "the machine changed, not the disk");
        return;
    case CHANGE_CONTROL_CHANGED:
        text_puts(text, "the control changed, not the disk");
        return;
    }
}

size_t change_rounds_needed(size_t metrics)
{
    if (metrics == 0)
        return 0;
    size_t rounds = 1;
    while (holm_rows_carried(mann_whitney_least_p(rounds, rounds)) < metrics)
        rounds++;
    return rounds;
}

bool change_put_family(size_t before_count, size_t after_count, size_t metrics, struct text *text)
{
    if (holm_rows_carried(mann_whitney_least_p(before_count, after_count)) >= metrics)
        return true;
    text_printf(text, "cannot tell: %zu metric%s need%s %zu rounds a side, and there are %zu and %zu",
                metrics, metrics == 1 ? "" : "s", metrics == 1 ? "s" : "", change_rounds_needed(metrics),
                before_count, after_count);
    return false;
}
