#include "analysis/limitations.h"

#include "base/clock.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

// What these rules find is true of a run as a whole, and marks no figure.
static const char *const limiting[] = {"median-coverage", "service-time-only", "short-run", "age-unknown"};

bool limitations_have(const char *rule)
{
    for (size_t i = 0; i < sizeof limiting / sizeof *limiting; i++)
        if (strcmp(limiting[i], rule) == 0)
            return true;
    return false;
}

// Empties the sentence; one that is there already, or is empty, isn't added.
static void add_sentence(struct page *page, struct text *sentence)
{
    bool wanted = sentence->length > 0;
    for (size_t i = 0; i < page->limitation_count; i++)
        wanted = wanted && strcmp(page->limitations[i], text_string(sentence)) != 0;
    if (wanted) {
        page->limitations =
            xrealloc_array(page->limitations, page->limitation_count + 1, sizeof *page->limitations);
        page->limitations[page->limitation_count++] = xstrdup(text_string(sentence));
    }
    text_free(sentence);
}

static void add_words(struct page *page, const char *words)
{
    struct text sentence = {0};
    text_puts(&sentence, words);
    add_sentence(page, &sentence);
}

static void say_occasion(struct page *page, const struct run *run)
{
    struct text sentence = {0};
    char from[RFC3339_SIZE], to[RFC3339_SIZE];
    clock_rfc3339(run->started_realtime_ns, from);
    clock_rfc3339(run->ended_realtime_ns, to);
    text_printf(&sentence, "One machine, one sitting, %.10s", from);
    if (run->ended_realtime_ns > run->started_realtime_ns && strncmp(from, to, 10) != 0)
        text_printf(&sentence, " to %.10s", to);
    text_puts(&sentence, ". Another machine, another hour or a busier store gives other figures.");
    if (run->tier_count > 1)
        text_puts(&sentence, " Take the ratios as the finding and the figures as one observation.");
    add_sentence(page, &sentence);
}

static void say_rounds(struct page *page, const struct judgement *judgement)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < judgement->metrics.length; i++)
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
            size_t n = judgement->metrics.rows[i].tiers[tier].summary.n;
            if (!judgement->metrics.rows[i].absent && n > 0 && n < least)
                least = n;
        }
    if (least == SIZE_MAX)
        return;
    struct text sentence = {0};
    if (least == 1)
        text_puts(&sentence, "One round is one observation: how far the next would lie from it isn't known.");
    else if (least < 20) // a percentile wants 10 values on either side of it
        text_printf(&sentence,
                    "%zu rounds give a middle and a range, and no percentile of rounds: they may have missed "
                    "the slowest altogether.",
                    least);
    add_sentence(page, &sentence);
}

static void say_rules(struct page *page, const struct judgement *judgement)
{
    for (size_t i = 0; i < sizeof limiting / sizeof *limiting; i++)
        for (size_t k = 0; k < judgement->finding_count; k++) {
            const struct finding *finding = &judgement->findings[k];
            if (finding->verdict == VERDICT_INFO && strcmp(finding->rule, limiting[i]) == 0)
                add_words(page, finding->message);
        }
}

// What a section of it may have been.
struct used {
    bool syncfs, remote_reads;
};

static void look_at(const struct run *run, const struct sample *sample, struct used *used)
{
    const struct workload *workload = &run->plan.workloads[sample->workload];
    const struct run_tier *tier = &run->tiers[sample->tier];
    if (tier->null || sample->status == SAMPLE_SKIPPED)
        return;
    bool reads = workload_descriptions[workload->kind].reads || workload->kind == WORKLOAD_WALK ||
                 workload->kind == WORKLOAD_WALK_LATER;
    used->syncfs = used->syncfs || workload->sync == SYNC_SYNCFS;
    used->remote_reads = used->remote_reads || (reads && mount_is_remote(&tier->mount));
}

// "A persistent" or "both disks": those whose syncfs ends in the kernel.
static void say_local_sync(struct page *page, const struct run *run)
{
    struct text sentence = {0};
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        const char *reach = run->tiers[tier].supports.syncfs;
        if (!reach || strcmp(reach, "local-only") != 0)
            continue;
        text_printf(&sentence,
                    "%sOn %s syncfs doesn't reach the server behind it: what ends in syncfs there ends when "
                    "the kernel has handed its data over.",
                    sentence.length > 0 ? " " : "", page->columns[tier]);
    }
    add_sentence(page, &sentence);
}

static void say_use(struct page *page, const struct run *run)
{
    struct used used = {0};
    for (size_t i = 0; i < run->sample_count; i++)
        look_at(run, &run->samples[i], &used);
    if (used.syncfs) {
        add_words(page, "syncfs is of a whole file system: it writes what others left unwritten on it too.");
        say_local_sync(page, run);
    }
    if (used.remote_reads)
        add_words(page, "What a remote disk's own client or server keeps in its memory can't be seen or "
                        "emptied from here; only the kernel's copy can.");
}

static void say_imported(struct page *page, const struct run *run)
{
    if (run->sample_count == 0)
        add_words(page, "The source gives no single rounds: what needs them isn't checked.");
}

void limitations_make(struct page *page, const struct run *run, const struct judgement *judgement)
{
    say_occasion(page, run);
    if (run->origin == RUN_IMPORTED)
        say_imported(page, run);
    say_rounds(page, judgement);
    say_use(page, run);
    if (run->screen.known && run->screen.value)
        add_words(page, "A console was drawn while this was measured.");
    say_rules(page, judgement);
}
