#include "analysis/remarks.h"

#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

// Findings with one sentence, and what they are about.
struct group {
    const struct finding *first;
    bool *about; // by row of the page and tier: `row * RUN_TIERS_MOST + tier`; owned
    bool on_rows, on_tier[RUN_TIERS_MOST];
    unsigned mark;
    bool repeats; // the one before it is of the same rule and verdict
};

struct groups {
    struct group *list;
    size_t length;
};

// ---- Grouping ----

static bool same_sentence(const struct finding *a, const struct finding *b)
{
    return a->verdict == b->verdict && a->on_metric == b->on_metric && strcmp(a->rule, b->rule) == 0 &&
           strcmp(a->message, b->message) == 0;
}

static struct group *group_of(struct groups *groups, const struct page *page, const struct finding *finding)
{
    for (size_t i = 0; i < groups->length; i++)
        if (same_sentence(groups->list[i].first, finding))
            return &groups->list[i];
    struct group *group = &groups->list[groups->length++];
    *group = (struct group){.first = finding, .on_rows = finding->on_metric};
    group->about = xcalloc(page->row_count * RUN_TIERS_MOST + 1, sizeof *group->about);
    return group;
}

static size_t row_of(const struct page *page, size_t metric)
{
    size_t row = 0;
    while (row < page->row_count && page->rows[row].workload != metric)
        row++;
    return row;
}

static void add_to_group(struct group *group, const struct page *page, const struct finding *finding)
{
    size_t row = finding->on_metric ? row_of(page, finding->metric) : page->row_count;
    for (unsigned tier = 0; tier < page->tier_count; tier++) {
        if (finding->on_tier && finding->tier != tier)
            continue;
        group->on_tier[tier] = group->on_tier[tier] || finding->on_tier;
        if (row < page->row_count)
            group->about[row * RUN_TIERS_MOST + tier] = true;
    }
}

static bool is_ratio_refused(const struct finding *finding)
{
    return finding->verdict == VERDICT_REFUSE && finding->statistic &&
           strcmp(finding->statistic, "ratio") == 0;
}

// Of a figure that is discarded, and of a ratio that isn't shown, nothing else is of interest than why.
static bool is_idle(const struct judgement *judgement, const struct finding *finding)
{
    if (!finding->on_metric || finding->verdict == VERDICT_DISCARD ||
        finding->verdict == VERDICT_NOT_CHECKED || is_ratio_refused(finding))
        return false;
    const struct metric *metric = &judgement->metrics.rows[finding->metric];
    if (finding->on_tier)
        return metric->tiers[finding->tier].trust == TRUST_DISCARDED;
    return metric->ratio.comparison == COMPARISON_NONE;
}

// Most severe first; else as they come, which is the order of the rules.
static void make_groups(struct groups *groups, const struct page *page, const struct judgement *judgement)
{
    *groups = (struct groups){.list = xcalloc(judgement->finding_count + 1, sizeof *groups->list)};
    for (enum verdict verdict = VERDICT_COUNT; verdict-- > 0;)
        for (size_t i = 0; i < judgement->finding_count; i++)
            if (judgement->findings[i].verdict == verdict && !is_idle(judgement, &judgement->findings[i]))
                add_to_group(group_of(groups, page, &judgement->findings[i]), page, &judgement->findings[i]);
}

// ---- What they are about ----

static bool is_about(const struct group *group, size_t row, unsigned tier)
{
    return group->about[row * RUN_TIERS_MOST + tier];
}

// "create, walk and delete": the rows for which that holds on one tier. Returns how many they are.
static size_t put_rows(struct text *text, const struct page *page, const struct group *group, unsigned tier)
{
    size_t count = 0, said = 0;
    for (size_t row = 0; row < page->row_count; row++)
        count += is_about(group, row, tier);
    if (count == page->row_count && count > 2) {
        text_puts(text, "every row");
        return count;
    }
    for (size_t row = 0; row < page->row_count; row++) {
        if (!is_about(group, row, tier))
            continue;
        text_puts(text, said == 0 ? "" : said + 1 == count ? " and " : ", ");
        text_puts(text, page->rows[row].label);
        said++;
    }
    return count;
}

static bool alike_on_both(const struct page *page, const struct group *group)
{
    for (size_t row = 0; row < page->row_count; row++)
        if (is_about(group, row, 0) != is_about(group, row, 1))
            return false;
    return true;
}

static void put_disks(struct text *text, const struct page *page, const struct group *group)
{
    bool both = page->tier_count == 2 && group->on_tier[0] && group->on_tier[1];
    if (both)
        text_puts(text, "both disks");
    else if (group->on_tier[0] || group->on_tier[1])
        text_puts(text, page->columns[group->on_tier[0] ? 0 : 1]);
}

static char *about_of(const struct page *page, const struct group *group)
{
    struct text text = {0};
    bool ratio = !group->on_tier[0] && !group->on_tier[1];
    if (!group->on_rows) {
        put_disks(&text, page, group);
    } else if (ratio || page->tier_count < 2) {
        put_rows(&text, page, group, 0);
    } else if (alike_on_both(page, group)) {
        if (put_rows(&text, page, group, 0) > 0)
            text_puts(&text, " on both disks");
    } else {
        for (unsigned tier = 0; tier < page->tier_count; tier++) {
            struct text rows = {0};
            if (put_rows(&rows, page, group, tier) > 0)
                text_printf(&text, "%s%s on %s", text.length > 0 ? "; " : "", text_string(&rows),
                            page->columns[tier]);
            text_free(&rows);
        }
    }
    char *about = xstrdup(text_string(&text));
    text_free(&text);
    return about;
}

// ---- Marks ----

static bool marks_rows(const struct finding *finding)
{
    return finding->verdict == VERDICT_DISCARD || finding->verdict == VERDICT_CAVEAT ||
           is_ratio_refused(finding);
}

static unsigned mark_of(const struct groups *groups, const struct finding *finding)
{
    for (size_t i = 0; i < groups->length; i++)
        if (same_sentence(groups->list[i].first, finding))
            return groups->list[i].mark;
    return 0;
}

// "1,3": ascending, each once.
static char *marks_of(const struct groups *groups, const struct judgement *judgement,
                      const struct metric *metric)
{
    bool *named = xcalloc(groups->length + 1, sizeof *named);
    for (size_t i = 0; i < metric->finding_count; i++)
        if (!is_idle(judgement, &judgement->findings[metric->findings[i]]))
            named[mark_of(groups, &judgement->findings[metric->findings[i]])] = true;
    struct text text = {0};
    for (size_t mark = 1; mark <= groups->length; mark++)
        if (named[mark])
            text_printf(&text, "%s%zu", text.length > 0 ? "," : "", mark);
    free(named);
    char *marks = xstrdup(text_string(&text));
    text_free(&text);
    return marks;
}

// ---- What wasn't checked ----

static bool same_reason(const struct group *a, const struct group *b)
{
    return strcmp(a->first->message, b->first->message) == 0;
}

static bool is_named_before(const struct groups *groups, size_t index, bool by_reason)
{
    const struct group *group = &groups->list[index];
    for (size_t i = 0; i < index; i++)
        if (groups->list[i].first->verdict == VERDICT_NOT_CHECKED &&
            (by_reason ? same_reason(&groups->list[i], group)
                       : same_reason(&groups->list[i], group) &&
                             strcmp(groups->list[i].first->rule, group->first->rule) == 0))
            return true;
    return false;
}

// "cpu-stolen, memory-pressure (they couldn't be read); knee (no times by MiB)": each rule with what it
// lacks, those that lack the same together.
static char *not_checked_of(const struct groups *groups)
{
    struct text text = {0};
    for (size_t i = 0; i < groups->length; i++) {
        const struct finding *finding = groups->list[i].first;
        if (finding->verdict != VERDICT_NOT_CHECKED || is_named_before(groups, i, true))
            continue;
        text_puts(&text, text.length > 0 ? "; " : "");
        text_puts(&text, finding->rule);
        for (size_t k = i + 1; k < groups->length; k++)
            if (groups->list[k].first->verdict == VERDICT_NOT_CHECKED &&
                same_reason(&groups->list[k], &groups->list[i]) && !is_named_before(groups, k, false))
                text_printf(&text, ", %s", groups->list[k].first->rule);
        text_printf(&text, " (%s)", finding->message);
    }
    char *words = xstrdup(text_string(&text));
    text_free(&text);
    return words;
}

// ---- All of it ----

static bool same_kind(const struct group *a, const struct group *b)
{
    return a->first->verdict == b->first->verdict && strcmp(a->first->rule, b->first->rule) == 0;
}

static void number_groups(struct groups *groups)
{
    unsigned mark = 0;
    for (size_t i = 0; i < groups->length; i++) {
        struct group *group = &groups->list[i];
        group->repeats = i > 0 && same_kind(&groups->list[i - 1], group);
        if (marks_rows(group->first))
            group->mark = group->repeats && groups->list[i - 1].mark ? mark : ++mark;
    }
}

// What all groups that repeat the one at `index` are about.
static char *likewise_of(const struct page *page, const struct groups *groups, size_t index)
{
    struct group others = {.on_rows = groups->list[index].on_rows};
    others.about = xcalloc(page->row_count * RUN_TIERS_MOST + 1, sizeof *others.about);
    bool any = false;
    for (size_t i = index + 1; i < groups->length && groups->list[i].repeats; i++) {
        any = true;
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
            others.on_tier[tier] = others.on_tier[tier] || groups->list[i].on_tier[tier];
        for (size_t k = 0; k < page->row_count * RUN_TIERS_MOST; k++)
            others.about[k] = others.about[k] || groups->list[i].about[k];
    }
    char *likewise = any && !groups->list[index].repeats ? about_of(page, &others) : xstrdup("");
    free(others.about);
    return likewise;
}

void remarks_make(struct page *page, const struct judgement *judgement)
{
    struct groups groups;
    make_groups(&groups, page, judgement);
    number_groups(&groups);
    page->findings = xcalloc(groups.length, sizeof *page->findings);
    for (size_t i = 0; i < groups.length; i++) {
        const struct group *group = &groups.list[i];
        page->findings[page->finding_count++] =
            (struct page_finding){.rule = group->first->rule,
                                  .verdict = group->first->verdict,
                                  .mark = group->mark,
                                  .about = about_of(page, group),
                                  .message = xstrdup(group->first->message),
                                  .repeats = group->repeats,
                                  .likewise = likewise_of(page, &groups, i)};
    }
    for (size_t i = 0; i < page->row_count; i++)
        page->rows[i].marks = marks_of(&groups, judgement, &judgement->metrics.rows[page->rows[i].workload]);
    page->not_checked = not_checked_of(&groups);
    for (size_t i = 0; i < groups.length; i++)
        free(groups.list[i].about);
    free(groups.list);
}
