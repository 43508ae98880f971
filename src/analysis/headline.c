#include "analysis/headline.h"

#include "analysis/ratio.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum group { METADATA, BANDWIDTH, COMMITS, RANDOM, GROUPS };

static const char *const group_names[GROUPS] = {
    [METADATA] = "metadata", [BANDWIDTH] = "bandwidth", [COMMITS] = "commits", [RANDOM] = "random access"};

static const struct {
    enum group group;
    const char *words; // what is done, so that "is 10x slower" can follow
} kinds[WORKLOAD_KINDS] = {
    [WORKLOAD_CREATE] = {METADATA, "creating small files"},
    [WORKLOAD_WALK] = {METADATA, "walking a tree"},
    [WORKLOAD_WALK_LATER] = {METADATA, "walking a tree left alone"},
    [WORKLOAD_READ_TREE] = {METADATA, "reading small files"},
    [WORKLOAD_RENAME] = {METADATA, "renaming files"},
    [WORKLOAD_DELETE] = {METADATA, "deleting a tree"},
    [WORKLOAD_SEQ_READ] = {BANDWIDTH, NULL},
    [WORKLOAD_RAND_READ] = {RANDOM, "reading at random"},
    [WORKLOAD_RAND_WRITE] = {RANDOM, "writing at random"},
    [WORKLOAD_COMMIT] = {COMMITS, "a commit"},
    [WORKLOAD_SEQ_WRITE] = {BANDWIDTH, NULL},
};

static const char *const reads[ACCESS_COUNT] = {
    [ACCESS_BUFFERED] = "reading a large file",
    [ACCESS_COLD] = "a cold read",
    [ACCESS_REOPENED] = "reading once more",
    [ACCESS_SAME_FD] = "reading once more through the same descriptor",
    [ACCESS_DIRECT] = "a direct read",
};

// The row that speaks for a kind of work: where A costs most. `cost` is A's over B's, 1 where that isn't
// clear.
struct spokesman {
    const struct metric *metric;
    double cost;
};

// How a run's rows compare.
struct tally {
    struct spokesman groups[GROUPS];
    const struct metric *fastest; // where A costs least
    double least;
    size_t rows, slower, faster;
    size_t without; // rows that were measured, or failed, and have no ratio
};

static bool is_reported(const struct metric *metric)
{
    return !metric->absent && metric->trust != TRUST_DISCARDED && metric->ratio.comparison != COMPARISON_NONE;
}

// Both disks were to be compared in it, and it was tried on both.
static bool is_missing(const struct run *run, const struct metric *metric)
{
    if (metric->absent || metric->pending || !run_ratios_wanted(run))
        return false;
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        if (metric->tiers[tier].state != METRIC_MEASURED && metric->tiers[tier].state != METRIC_FAILED)
            return false;
    return true;
}

static double cost_of(const struct ratio *ratio)
{
    double factor = ratio->factor > 0 ? ratio->factor : ratio->of_medians;
    if (ratio->comparison == COMPARISON_UNCLEAR || !(factor > 0))
        return 1;
    return ratio->comparison == COMPARISON_SLOWER ? factor : 1 / factor;
}

static void count_row(struct tally *tally, const struct run *run, const struct metric *metric)
{
    const struct workload *workload = &run->plan.workloads[metric->workload];
    struct spokesman *speaks = &tally->groups[kinds[workload->kind].group];
    double cost = cost_of(&metric->ratio);
    tally->rows++;
    tally->slower += metric->ratio.comparison == COMPARISON_SLOWER;
    tally->faster += metric->ratio.comparison == COMPARISON_FASTER;
    if (!speaks->metric || cost > speaks->cost)
        *speaks = (struct spokesman){metric, cost};
    if (!tally->fastest || cost < tally->least) {
        tally->fastest = metric;
        tally->least = cost;
    }
}

// ---- Words ----

static void put_work(struct text *text, const struct workload *workload)
{
    char size[UNITS_TEXT_SIZE], base[WORKLOAD_ID_SIZE];
    units_bytes(workload->bytes, size);
    workload_base_id(workload, base);
    if (workload->kind == WORKLOAD_SEQ_WRITE)
        text_printf(text, "a durable %s write", size);
    else if (workload->kind == WORKLOAD_SEQ_READ)
        text_puts(text, reads[workload->access]);
    else
        text_puts(text, kinds[workload->kind].words);
    if (strcmp(base, workload->id) == 0)
        return;
    text_puts(text, " (");
    text_put_safe(text, workload->id, false);
    text_puts(text, ")");
}

// "deleting a tree is 118x slower on A persistent"
static void put_row(struct text *text, const struct run *run, const struct metric *metric, bool full)
{
    char *words = ratio_words(&metric->ratio);
    bool unclear = metric->ratio.comparison == COMPARISON_UNCLEAR;
    text_puts(text, unclear ? "for " : "");
    put_work(text, &run->plan.workloads[metric->workload]);
    text_puts(text, unclear ? " there is " : full ? " is " : " ");
    text_puts(text, words);
    if (full && !unclear) {
        text_puts(text, " on ");
        run_put_tier(run, 0, text);
    }
    free(words);
}

static const struct metric *costliest(const struct tally *tally, enum group *which)
{
    const struct spokesman *most = NULL;
    for (enum group group = 0; group < GROUPS; group++)
        if (tally->groups[group].metric && (!most || tally->groups[group].cost > most->cost)) {
            most = &tally->groups[group];
            *which = group;
        }
    return most ? most->metric : NULL;
}

static const struct metric *cheapest(const struct tally *tally, enum group *which)
{
    const struct spokesman *least = NULL;
    for (enum group group = 0; group < GROUPS; group++)
        if (tally->groups[group].metric && (!least || tally->groups[group].cost < least->cost)) {
            least = &tally->groups[group];
            *which = group;
        }
    return least ? least->metric : NULL;
}

static void capitalise(struct text *text)
{
    if (text->length > 0 && text->bytes[0] >= 'a' && text->bytes[0] <= 'z')
        text->bytes[0] = (char)(text->bytes[0] - 'a' + 'A');
}

static void put_disks(struct text *text, const struct run *run)
{
    run_put_tier(run, 0, text);
    text_puts(text, " and ");
    run_put_tier(run, 1, text);
}

// Both kinds of work stand far enough apart that naming one as the cost is fair.
static bool apart(const struct tally *tally, enum group most, enum group least)
{
    return tally->groups[most].cost >= 3 * tally->groups[least].cost;
}

static void put_slower(struct text *text, const struct run *run, const struct tally *tally)
{
    enum group most = METADATA, least = METADATA;
    const struct metric *top = costliest(tally, &most), *bottom = cheapest(tally, &least);
    if (most == least) {
        put_row(text, run, top, true);
        text_puts(text, ".");
        return;
    }
    if (apart(tally, most, least)) {
        // "Not" where that costs next to nothing.
        text_printf(text, "The cost is %s%s%s: ", group_names[most],
                    tally->groups[least].cost < 2 ? ", not " : " more than ", group_names[least]);
    } else {
        run_put_tier(run, 0, text);
        text_puts(text, tally->slower == tally->rows      ? " is slower throughout: "
                        : 2 * tally->slower > tally->rows ? " is mostly slower: "
                                                          : " is slower in part: ");
    }
    put_row(text, run, top, true);
    text_puts(text, ", ");
    put_row(text, run, bottom, false);
    text_puts(text, ".");
}

static void put_faster(struct text *text, const struct run *run, const struct tally *tally)
{
    run_put_tier(run, 0, text);
    text_puts(text, " is nowhere clearly slower: ");
    put_row(text, run, tally->fastest, false);
    text_puts(text, ".");
}

// What is left can't speak for what isn't there.
static void put_without(struct text *text, const struct tally *tally)
{
    if (tally->without == 0)
        return;
    size_t all = tally->rows + tally->without;
    if (tally->rows == 0)
        text_puts(text, all == 1 ? "The only row can't be compared." : "No row can be compared.");
    else
        text_printf(text, " %zu of %zu rows can't be compared.", tally->without, all);
}

char *headline_of(const struct run *run, const struct metrics *metrics)
{
    struct tally tally = {0};
    for (size_t i = 0; i < metrics->length; i++)
        if (is_reported(&metrics->rows[i]))
            count_row(&tally, run, &metrics->rows[i]);
        else
            tally.without += is_missing(run, &metrics->rows[i]);
    if (tally.rows + tally.without == 0)
        return NULL;
    struct text text = {0};
    if (tally.slower > 0) {
        put_slower(&text, run, &tally);
    } else if (tally.faster > 0) {
        put_faster(&text, run, &tally);
    } else if (tally.rows > 0) {
        text_puts(&text, "No clear difference between ");
        put_disks(&text, run);
        text_puts(&text, ".");
    }
    put_without(&text, &tally);
    capitalise(&text);
    char *headline = xstrdup(text_string(&text));
    text_free(&text);
    return headline;
}
