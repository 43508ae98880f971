#include "analysis/method.h"

#include "analysis/circumstances.h"
#include "analysis/limitations.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Takes what was written of a sentence; an empty one is none.
static void add_sentence(struct page *page, struct text *sentence)
{
    if (sentence->length > 0) {
        page->method = xrealloc_array(page->method, page->method_count + 1, sizeof *page->method);
        page->method[page->method_count++] = xstrdup(text_string(sentence));
    }
    text_free(sentence);
}

static void add_words(struct page *page, const char *words)
{
    struct text sentence = {0};
    text_puts(&sentence, words);
    add_sentence(page, &sentence);
}

// ---- What was done ----

// Of the sections that began.
struct done {
    bool workloads[PLAN_WORKLOADS_MOST];             // in rounds
    bool again[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST]; // in follow-ups
    unsigned again_rounds[PLAN_WORKLOADS_MOST][RUN_TIERS_MOST];
    bool any, round_0, sweep, rest, on_disk, wrote, several_batches;
    unsigned last_round;
    uint64_t drains, drain_most_ns, drains_given_up;
    bool drain_looked;
    bool verified;
    uint64_t verify_blocks, verify_mismatches;
    struct real cold_most; // the most of a file that was in the page cache before a cold read
};

static void survey_checks(const struct sample *sample, struct done *done)
{
    if (sample->has_drain) {
        done->drains++;
        done->drain_looked = done->drain_looked || sample->has_dirty;
        done->drains_given_up += sample->drain_timed_out;
        if (sample->drain_ns > done->drain_most_ns)
            done->drain_most_ns = sample->drain_ns;
    }
    if (sample->has_verify) {
        done->verified = true;
        done->verify_blocks += sample->verify_blocks;
        done->verify_mismatches += sample->verify_mismatches;
    }
}

static void survey_sample(const struct run *run, const struct sample *sample, struct done *done)
{
    const struct workload *workload = &run->plan.workloads[sample->workload];
    done->any = true;
    done->on_disk = done->on_disk || !run->tiers[sample->tier].null;
    survey_checks(sample, done);
    if (sample->block > 1) {
        done->again[sample->workload][sample->tier] = true;
        done->again_rounds[sample->workload][sample->tier]++;
        return;
    }
    done->workloads[sample->workload] = true;
    bool sweep = workload->kind == WORKLOAD_SEQ_WRITE;
    done->sweep = done->sweep || sweep;
    done->rest = done->rest || !sweep;
    done->several_batches = done->several_batches || sample->batches > 1;
    done->round_0 = done->round_0 || sample->round == 0;
    if (sample->round > done->last_round)
        done->last_round = sample->round;
    bool cold = workload->access == ACCESS_COLD && workload->kind == WORKLOAD_SEQ_READ;
    if (cold && sample->resident_before.known && sample->resident_before.value <= 1 &&
        (!done->cold_most.known || sample->resident_before.value > done->cold_most.value))
        done->cold_most = sample->resident_before;
}

static void survey(const struct run *run, struct done *done)
{
    *done = (struct done){0};
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].status != SAMPLE_SKIPPED)
            survey_sample(run, &run->samples[i], done);
}

// ---- Rounds and order ----

static void say_rounds(struct page *page, const struct run *run, const struct done *done)
{
    struct text sentence = {0};
    unsigned planned = run->plan.rounds, began = done->last_round;
    const char *each =
        run->tier_count > 1 ? "each every workload once on each disk" : "each every workload once";
    if (began == planned)
        text_printf(&sentence, "%u round%s, %s.", planned, planned == 1 ? "" : "s", each);
    else
        text_printf(&sentence, "%u of the %u round%s planned began, %s.", began, planned,
                    planned == 1 ? "" : "s", each);
    if (done->round_0)
        text_puts(&sentence, " Before them round 0, the first use, which is in no figure.");
    else if (run->plan.warmup_rounds == 0)
        text_puts(&sentence, " No round 0 came before them: the first use is in round 1.");
    if (done->sweep && done->rest)
        text_puts(&sentence, " Large writes did their rounds after those of the rest.");
    add_sentence(page, &sentence);
}

static void say_order(struct page *page, const struct run *run, const struct done *done)
{
    if (run->tier_count < 2)
        return;
    struct text sentence = {0};
    text_puts(&sentence, "The disks took turns, workload by workload, and never worked at the same time.");
    if (done->last_round > 0)
        text_printf(&sentence, " Which one went first was drawn by lot (seed %" PRIu64 ")%s.", run->plan.seed,
                    done->last_round > 1 ? " and mirrored in the next round" : "");
    add_sentence(page, &sentence);
}

// ---- Workloads ----

static void put_tree(struct text *out, const struct tree *tree)
{
    text_printf(out, "%" PRIu64 " file%s", tree->files, tree->files == 1 ? "" : "s");
    char bytes[UNITS_TEXT_SIZE];
    if (tree->size_count == 0) {
        units_bytes(tree->file_bytes, bytes);
        text_printf(out, " of %s", bytes);
    } else {
        units_bytes(tree_bytes(tree), bytes);
        text_printf(out, " of %u sizes (%s in all)", tree->size_count, bytes);
    }
    unsigned directories = tree_directories(tree);
    if (directories > 0)
        text_printf(out, " in %u directories", directories);
    else
        text_puts(out, " in one directory");
}

// How a section on a tree of files ends.
static const char *const endings[SYNC_COUNT] = {
    [SYNC_NONE] = ", and no sync",
    [SYNC_SYNCFS] = ", then one syncfs",
    [SYNC_FSYNC] = ", then fsync of each directory that changed",
    [SYNC_MACHINE] = ", then sync, which is of all file systems",
};

static void put_create(struct text *out, const struct workload *workload)
{
    text_printf(out, "openat, write%s close of each of ",
                workload->sync == SYNC_FSYNC ? ", fsync and" : " and");
    put_tree(out, &workload->tree);
    text_puts(out, endings[workload->sync]);
}

static void put_walk(struct text *out, const struct workload *workload)
{
    text_puts(out, "opendir, readdir and closedir of each directory and fstatat of each of ");
    put_tree(out, &workload->tree);
    if (workload->wait_ns == 0)
        return;
    char time[UNITS_TEXT_SIZE];
    units_duration(workload->wait_ns, "us", time);
    text_printf(out, ", which were left alone for %s before", time);
}

static void put_read_tree(struct text *out, const struct workload *workload)
{
    text_puts(out, "openat, pread to the end and close of each of ");
    put_tree(out, &workload->tree);
    text_puts(out, ", after the page cache was asked to forget them");
}

static void put_rename(struct text *out, const struct workload *workload)
{
    text_puts(out, "renameat, within its directory, of each of ");
    put_tree(out, &workload->tree);
    text_puts(out, endings[workload->sync]);
}

static void put_delete(struct text *out, const struct workload *workload)
{
    text_puts(out, "unlinkat of each of ");
    put_tree(out, &workload->tree);
    text_printf(out, "%s%s", tree_directories(&workload->tree) > 0 ? " and rmdir of the directories" : "",
                endings[workload->sync]);
}

static void put_large(struct text *out, const struct workload *workload, const char *between)
{
    char block[UNITS_TEXT_SIZE], bytes[UNITS_TEXT_SIZE];
    units_bytes(workload->block_bytes, block);
    units_bytes(workload->bytes, bytes);
    text_printf(out, "%s%s of %s", block, between, bytes);
}

static void put_seq_read(struct text *out, const struct workload *workload)
{
    static const char *const ways[ACCESS_COUNT] = {
        [ACCESS_BUFFERED] = "",
        [ACCESS_COLD] = ", after the page cache was asked to forget them",
        [ACCESS_REOPENED] = ", which were read as a whole just before, closed, and opened again",
        [ACCESS_SAME_FD] = ", which were read as a whole just before through the same descriptor",
        [ACCESS_DIRECT] = ", with O_DIRECT, after the page cache was asked to forget them",
    };
    bool same = workload->access == ACCESS_SAME_FD;
    text_puts(out, same ? "pread of blocks of " : "openat, pread of blocks of ");
    put_large(out, workload, same ? "" : " to the end, and close,");
    text_puts(out, ways[workload->access]);
}

static void put_random(struct text *out, const struct workload *workload)
{
    bool writes = workload->kind == WORKLOAD_RAND_WRITE;
    text_printf(out, "%" PRIu64 " times %s of ", workload->operations, writes ? "pwrite" : "pread");
    put_large(out, workload, " at random places");
    text_puts(out, workload->access == ACCESS_DIRECT ? ", with O_DIRECT" : ", through the page cache");
    text_puts(out, writes ? ", then one fsync" : "");
}

static void put_commit(struct text *out, const struct workload *workload)
{
    char block[UNITS_TEXT_SIZE];
    units_bytes(workload->block_bytes, block);
    text_printf(out, "%" PRIu64 " times write of %s at the end of a file, and fsync", workload->operations,
                block);
}

static void put_seq_write(struct text *out, const struct workload *workload)
{
    char block[UNITS_TEXT_SIZE];
    units_bytes(workload->block_bytes, block);
    text_printf(out,
                "openat, write of blocks of %s, fsync of the file, fsync of its directory and close of as "
                "many MiB as the name says",
                block);
}

static void (*const put_calls[WORKLOAD_KINDS])(struct text *out, const struct workload *workload) = {
    [WORKLOAD_CREATE] = put_create,       [WORKLOAD_WALK] = put_walk,
    [WORKLOAD_WALK_LATER] = put_walk,     [WORKLOAD_READ_TREE] = put_read_tree,
    [WORKLOAD_RENAME] = put_rename,       [WORKLOAD_DELETE] = put_delete,
    [WORKLOAD_SEQ_READ] = put_seq_read,   [WORKLOAD_RAND_READ] = put_random,
    [WORKLOAD_RAND_WRITE] = put_random,   [WORKLOAD_COMMIT] = put_commit,
    [WORKLOAD_SEQ_WRITE] = put_seq_write,
};

static char *calls_of(const struct workload *workload)
{
    struct text calls = {0};
    put_calls[workload->kind](&calls, workload);
    char *string = xstrdup(text_string(&calls));
    text_free(&calls);
    return string;
}

// "walk-t1, walk-t2 and walk-t4": those from `first` on whose calls are the same.
static void put_alike(struct text *sentence, const struct plan *plan, char *const *calls, size_t first)
{
    size_t last = first;
    for (size_t i = first; i < plan->workload_count; i++)
        if (calls[i] && strcmp(calls[i], calls[first]) == 0)
            last = i;
    for (size_t i = first; i <= last; i++) {
        if (!calls[i] || strcmp(calls[i], calls[first]) != 0)
            continue;
        text_puts(sentence, i == first ? "" : i == last ? " and " : ", ");
        text_put_safe(sentence, plan->workloads[i].id, false);
    }
}

static void say_workloads(struct page *page, const struct plan *plan, const struct done *done)
{
    char *calls[PLAN_WORKLOADS_MOST] = {0};
    bool said[PLAN_WORKLOADS_MOST] = {0};
    for (size_t i = 0; i < plan->workload_count; i++)
        if (done->workloads[i])
            calls[i] = calls_of(&plan->workloads[i]);
    for (size_t i = 0; i < plan->workload_count; i++) {
        if (!calls[i] || said[i])
            continue;
        struct text sentence = {0};
        put_alike(&sentence, plan, calls, i);
        text_printf(&sentence, ", timed: %s.", calls[i]);
        add_sentence(page, &sentence);
        for (size_t k = i; k < plan->workload_count; k++)
            said[k] = said[k] || (calls[k] && strcmp(calls[k], calls[i]) == 0);
    }
    for (size_t i = 0; i < plan->workload_count; i++)
        free(calls[i]);
}

static void say_threads(struct page *page, const struct plan *plan, const struct done *done)
{
    unsigned least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < plan->workload_count; i++) {
        if (!done->workloads[i])
            continue;
        unsigned threads = plan->workloads[i].threads;
        least = threads < least ? threads : least;
        most = threads > most ? threads : most;
    }
    struct text sentence = {0};
    if (most == 1)
        text_puts(&sentence, "One thread worked on a disk at a time, one operation after the other.");
    else if (least == most)
        text_printf(&sentence, "%u threads worked on a disk at a time", most);
    else if (most > 0)
        text_printf(&sentence, "%u to %u threads worked on a disk at a time, as the names say", least, most);
    if (most > 1)
        text_puts(&sentence, ", each on its share of the files, blocks or operations; of large files each "
                             "had its own.");
    add_sentence(page, &sentence);
}

static void say_clock(struct page *page, const struct done *done)
{
    add_words(page, "The clock is CLOCK_MONOTONIC: from the moment when the threads begin to the end of the "
                    "last one, with the sync that ends the work.");
    if (done->several_batches)
        add_words(page, "Where the work was too short to time, it was done several times over in each round "
                        "on that disk, each time with its own sync; a time in ms is that of once.");
}

// ---- Around the timed sections ----

static void say_drain(struct page *page, const struct done *done)
{
    if (done->drains == 0 || !done->on_disk)
        return;
    struct text sentence = {0};
    char most[UNITS_TEXT_SIZE];
    units_duration(done->drain_most_ns, "us", most);
    text_puts(&sentence, "Before a section, untimed, each disk was flushed with syncfs");
    if (done->drain_looked)
        text_puts(&sentence, ", and the kernel's unwritten data waited for");
    text_printf(&sentence, "; the longest wait was %s", most);
    if (done->drains_given_up > 0)
        text_printf(&sentence, ", and %" PRIu64 " of %" PRIu64 " were given up", done->drains_given_up,
                    done->drains);
    text_puts(&sentence, ".");
    add_sentence(page, &sentence);
}

static void say_data(struct page *page, const struct run *run, const struct done *done)
{
    if (!done->on_disk)
        return;
    struct text sentence = {0};
    text_printf(&sentence, "Data was random (seed %" PRIu64 "), with a stamp of its own in each 4 KiB.",
                run->plan.seed);
    if (done->verified && done->verify_blocks > 0) {
        text_printf(&sentence, " %" PRIu64 " blocks of 4 KiB were read back, untimed, and ",
                    done->verify_blocks);
        if (done->verify_mismatches > 0)
            text_printf(&sentence, "%" PRIu64 " of them differed from what was written.",
                        done->verify_mismatches);
        else
            text_puts(&sentence, "all were what was written.");
    }
    add_sentence(page, &sentence);
}

static void say_cold(struct page *page, const struct done *done)
{
    if (!done->cold_most.known)
        return;
    struct text sentence = {0};
    text_printf(&sentence,
                "Just before a cold read, at most %.1f %% of its file was in the page cache (mincore).",
                done->cold_most.value * 100);
    add_sentence(page, &sentence);
}

static void say_follow_ups(struct page *page, const struct run *run, const struct done *done)
{
    struct text sentence = {0};
    for (size_t i = 0; i < run->plan.workload_count; i++)
        for (unsigned tier = 0; tier < run->tier_count; tier++) {
            if (!done->again[i][tier])
                continue;
            text_puts(&sentence,
                      sentence.length == 0 ? "After all rounds the rules asked for another look: " : ", ");
            text_put_safe(&sentence, run->plan.workloads[i].id, false);
            text_printf(&sentence, " on %s %ux", page->columns[tier], done->again_rounds[i][tier]);
        }
    text_puts(&sentence, sentence.length == 0 ? "" : ". These samples are stored and in no figure.");
    add_sentence(page, &sentence);
}

static void say_calibration(struct page *page, const struct run *run)
{
    for (size_t i = 0; i < run->plan.workload_count; i++)
        if (run->calibration.overhead[i].wall_ns.known) {
            add_words(page, "What the program itself costs was measured before, with the same loops on calls "
                            "that do nothing.");
            return;
        }
}

// ---- From samples to figures ----

static void say_statistics(struct page *page, const struct judgement *judgement)
{
    bool figures = false, apart = false, paired = false, medians = false, percentiles = false;
    for (size_t i = 0; i < judgement->metrics.length; i++) {
        const struct metric *metric = &judgement->metrics.rows[i];
        paired = paired || metric->ratio.factor > 0;
        medians = medians || (metric->ratio.of_medians > 0 && !(metric->ratio.factor > 0));
        for (unsigned tier = 0; tier < RUN_TIERS_MOST && !metric->absent; tier++) {
            figures = figures || metric->tiers[tier].summary.n > 1;
            apart = apart || metric->tiers[tier].first_use.known;
            for (size_t k = 0; k < PERCENTILE_COUNT; k++)
                percentiles = percentiles || metric->tiers[tier].percentiles[k].in_rounds;
        }
    }
    if (figures)
        add_words(page, apart
                            ? "A figure is the median of its rounds; beside it stand the least and the "
                              "greatest. No mean is taken. Where round 1 stands apart, it is told by itself "
                              "and the others make the figure."
                            : "A figure is the median of its rounds; beside it stand the least and the "
                              "greatest. No mean is taken, and no round is left out for being slow.");
    if (paired)
        add_words(page, "A ratio is of costs (time for the same work), round by round: the Hodges-Lehmann "
                        "estimate of the logarithms, with the interval of the exact signed-rank test.");
    if (medians)
        add_words(page, "Where fewer than 5 rounds can be paired, a ratio is that of the medians as they are "
                        "shown, without an interval.");
    if (percentiles)
        add_words(page, "Latencies are counted in buckets at most 0.8 % wide. A percentile is each round's "
                        "own, by nearest rank, and only where at least 10 operations of a round lie on "
                        "either side of it.");
}

static void say_origin(struct page *page, const struct run *run)
{
    add_words(page, "Somebody else measured this; the figures were imported and are judged as they stand.");
    for (size_t i = 0; i < run->plan.workload_count; i++) {
        const struct workload *workload = &run->plan.workloads[i];
        if (workload->sync != SYNC_MACHINE)
            continue;
        struct text sentence = {0};
        text_put_safe(&sentence, workload->id, false);
        text_puts(&sentence, " ended in sync, which is of all file systems.");
        add_sentence(page, &sentence);
    }
}

void method_make(struct page *page, const struct run *run, const struct judgement *judgement)
{
    struct done done;
    survey(run, &done);
    circumstances_make(page, run);
    if (run->origin == RUN_IMPORTED) {
        say_origin(page, run);
    } else if (done.any) {
        say_order(page, run, &done);
        say_rounds(page, run, &done);
        say_workloads(page, &run->plan, &done);
        say_threads(page, &run->plan, &done);
        say_clock(page, &done);
        say_drain(page, &done);
        say_data(page, run, &done);
        say_cold(page, &done);
        say_follow_ups(page, run, &done);
        say_calibration(page, run);
    }
    say_statistics(page, judgement);
    limitations_make(page, run, judgement);
}
