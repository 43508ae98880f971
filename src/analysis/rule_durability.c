// rule_durability.c: what was synced, by which call, and whether it could reach a disk.
#include "analysis/rule_durability.h"

#include "analysis/figures.h"
#include "analysis/fsync_wait.h"
#include "analysis/page.h"
#include "analysis/sweep.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_round(const struct subject *subject, struct answer *answer, unsigned round)
{
    char name[ROUND_NAME_SIZE];
    round_name(round, subject->facts->run->plan.rounds, name);
    answer_put_text(answer, "round", name);
}

// ---- io-error ----

enum { ERROR_CALL, ERROR_FSYNC, ERROR_UNKNOWN };

// "write of f00000003", or the call alone where no path is known.
static void put_call(struct answer *answer, const struct sample_error *error)
{
    bool has_path = error->path && error->path[0] && strcmp(error->path, ".") != 0;
    char *what = has_path ? xformat("%s of %s", error->call, error->path) : xstrdup(error->call);
    answer_put_text(answer, "what", what);
    free(what);
}

// "Disk quota exceeded (operation 15, byte 15728640)"; what happened at the very first says no more than
// that.
static void put_reason(struct answer *answer, const struct sample_error *error)
{
    struct text reason = {0};
    text_puts(&reason, sample_error_reason(error));
    if (error->op > 0 || error->has_offset)
        text_printf(&reason, " (operation %" PRIu64, error->op);
    if (error->has_offset)
        text_printf(&reason, ", byte %" PRIu64, error->offset);
    if (error->op > 0 || error->has_offset)
        text_puts(&reason, ")");
    answer_put_text(answer, "reason", text_string(&reason));
    text_free(&reason);
}

// What read back differs is readback-mismatch's, where it was counted.
enum outcome rule_io_error(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->state != METRIC_FAILED || !facts->cause)
        return OUTCOME_QUIET;
    const struct sample_error *error = &facts->cause->error;
    put_round(subject, answer, facts->cause->round);
    if (!error->call) {
        answer->message = ERROR_UNKNOWN;
        return OUTCOME_FIRED;
    }
    bool differs = facts->cause->has_verify && facts->cause->verify_mismatches > 0;
    if (differs && strcmp(error->call, "verify") == 0)
        return OUTCOME_QUIET;
    answer->message = strcmp(error->call, "fsync") == 0 ? ERROR_FSYNC : ERROR_CALL;
    put_call(answer, error);
    put_reason(answer, error);
    return OUTCOME_FIRED;
}

// ---- What a sync reaches ----

enum outcome rule_durability_unprovable(const struct subject *subject, struct answer *answer)
{
    const struct mount *mount = &subject_tier(subject)->mount;
    if (!mount_is_remote(mount))
        return OUTCOME_QUIET;
    answer_put_text(answer, "type", mount->type);
    return OUTCOME_FIRED;
}

static bool is_synced_widely(const struct subject *subject)
{
    enum sync_kind sync = subject_workload(subject)->sync;
    return sync == SYNC_SYNCFS || sync == SYNC_MACHINE;
}

enum { BOUND_DISK, BOUND_MACHINE };

enum outcome rule_upper_bound_sync(const struct subject *subject, struct answer *answer)
{
    struct fsync_wait wait;
    if (!is_synced_widely(subject))
        return OUTCOME_QUIET;
    fsync_wait_derive(subject->facts, subject->thresholds, subject->metric, subject->tier, &wait);
    if (wait.state == FSYNC_RETURNS_EARLY)
        return OUTCOME_QUIET;
    answer->message = subject_workload(subject)->sync == SYNC_MACHINE ? BOUND_MACHINE : BOUND_DISK;
    return OUTCOME_FIRED;
}

static bool is_fuse(const char *type)
{
    return strcmp(type, "fuse") == 0 || strncmp(type, "fuse.", strlen("fuse.")) == 0;
}

// Whether syncfs stops at the kernel: Linux sends it on to virtiofs, and from 6.18 to fuseblk
// (fs/fuse/inode.c, fuse_sync_fs). Unknown of a fuseblk that wasn't asked.
static struct flag stops_short(const struct run_tier *tier)
{
    if (tier->supports.syncfs)
        return known_flag(strcmp(tier->supports.syncfs, "local-only") == 0);
    if (strcmp(tier->mount.type, "fuseblk") == 0)
        return (struct flag){0};
    return known_flag(is_fuse(tier->mount.type));
}

enum outcome rule_sync_misses_fuse(const struct subject *subject, struct answer *answer)
{
    if (!is_synced_widely(subject))
        return OUTCOME_QUIET;
    struct flag misses = stops_short(subject_tier(subject));
    if (!misses.known)
        return answer_lacks(answer, "whether syncfs reaches this server isn't known");
    if (!misses.value)
        return OUTCOME_QUIET;
    const struct tier_facts *facts = subject_facts(subject);
    if (facts->count == 0 || facts->rounds[0].sample->latency[PHASE_OP].count == 0)
        return answer_lacks(answer, "whether fsync was called too isn't known");
    for (size_t i = 0; i < facts->count; i++)
        if (facts->rounds[i].sample->latency[PHASE_FSYNC].count > 0)
            return OUTCOME_QUIET;
    answer_put_text(answer, "type", subject_tier(subject)->mount.type);
    return OUTCOME_FIRED;
}

// An import is published elsewhere as it is: it gets the sentence and stays.
enum outcome rule_other_tier_flushed(const struct subject *subject, struct answer *answer)
{
    const struct run *run = subject->facts->run;
    if (subject_workload(subject)->sync != SYNC_MACHINE)
        return OUTCOME_QUIET;
    answer->verdict = run->origin == RUN_IMPORTED ? VERDICT_CAVEAT : VERDICT_DISCARD;
    return OUTCOME_FIRED;
}

// Some hundred KiB are always unsaved on a machine that is up, and the drain before each section waits to
// within a MiB: less is no backlog, however small the payload.
#define BACKLOG_LEAST MIB

enum outcome rule_backlog_at_start(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    double share = subject_threshold(subject, THRESHOLD_BACKLOG_SHARE);
    double most = subject_threshold(subject, THRESHOLD_BACKLOG_BYTES) * (double)MIB;
    const struct round_facts *worst = NULL;
    size_t rounds = 0;
    for (size_t i = 0; i < facts->count; i++) {
        const struct sample *sample = facts->rounds[i].sample;
        double backlog = (double)sample->dirty_after_bytes;
        bool much = backlog > most || (backlog > share * (double)sample->bytes && backlog > BACKLOG_LEAST);
        rounds += much;
        if (much && (!worst || sample->dirty_after_bytes > worst->sample->dirty_after_bytes))
            worst = &facts->rounds[i];
    }
    if (!worst)
        return OUTCOME_QUIET;
    put_round(subject, answer, worst->round);
    answer_put(answer, "backlog", QUANTITY_BYTES, (double)worst->sample->dirty_after_bytes);
    answer_put(answer, "payload", QUANTITY_BYTES, (double)worst->sample->bytes);
    answer_put(answer, "count", QUANTITY_COUNT, (double)rounds);
    answer_put(answer, "rounds", QUANTITY_COUNT, (double)facts->count);
    return OUTCOME_FIRED;
}

// ---- not-durable-by-design ----

enum { DESIGN_MEMORY, DESIGN_VOLATILE };

// An overlay that ignores syncs: mounted "volatile", which Linux 6.18 shows as "fsync=volatile".
static const char *volatile_option(const struct mount *mount)
{
    static const char *const options[] = {"volatile", "fsync=volatile"};
    size_t length;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (mount_find_option(mount->options, options[i], &length) ||
            mount_find_option(mount->super_options, options[i], &length))
            return options[i];
    return NULL;
}

enum outcome rule_not_durable_by_design(const struct subject *subject, struct answer *answer)
{
    const struct mount *mount = &subject_tier(subject)->mount;
    const char *option = volatile_option(mount);
    if (!mount_in_memory(mount) && !option)
        return OUTCOME_QUIET;
    answer->message = mount_in_memory(mount) ? DESIGN_MEMORY : DESIGN_VOLATILE;
    answer_put_text(answer, "type", mount->type);
    if (answer->message == DESIGN_VOLATILE)
        answer_put_text(answer, "option", option);
    return OUTCOME_FIRED;
}

// ---- write-outruns-read ----

// A read that found its file in memory doesn't tell what the store gives.
static bool was_warm(const struct tier_facts *facts, const struct thresholds *thresholds)
{
    for (size_t i = 0; i < facts->count; i++)
        if (facts->rounds[i].sample->resident_before.known &&
            facts->rounds[i].sample->resident_before.value >
                threshold_value(thresholds, THRESHOLD_COLD_RESIDENT))
            return true;
    return false;
}

// What a cold read on as many threads gives, of the sweep's own step before one of another. The size may
// differ.
static bool cold_read_of(const struct subject *subject, struct summary *found)
{
    const struct plan *plan = &subject->facts->run->plan;
    const struct workload *write = subject_workload(subject);
    size_t step = workload_step_length(write);
    bool any = false;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *read = &plan->workloads[i];
        const struct tier_facts *facts = &subject->facts->tiers[i][subject->tier];
        struct summary values;
        if (metric_class_of(read) != CLASS_COLD_READ || read->threads != write->threads ||
            was_warm(facts, subject->thresholds) || !figures_values(facts, &values))
            continue;
        bool same_step =
            step != SIZE_MAX && workload_step_length(read) == step && strncmp(read->id, write->id, step) == 0;
        if (!any || same_step)
            *found = values;
        any = true;
        if (same_step)
            break;
    }
    return any;
}

// Of the sweep the largest size speaks, by its rate past the buffer.
enum outcome rule_write_outruns_read(const struct subject *subject, struct answer *answer)
{
    struct sweep sweep;
    struct summary read;
    if (subject_workload(subject)->kind != WORKLOAD_SEQ_WRITE)
        return OUTCOME_QUIET;
    sweep_derive(subject->facts, subject->metric, subject->tier, &sweep);
    if (sweep.count == 0)
        return answer_lacks(answer, "the rate of the write isn't known");
    if (sweep.sizes[sweep.count - 1].workload != subject->metric)
        return OUTCOME_QUIET;
    if (!cold_read_of(subject, &read))
        return answer_lacks(answer, "no cold read of this disk is measured");
    double rate = sweep_reported(&sweep, subject->thresholds);
    double factor = rate / 1e6 / read.median;
    if (!isfinite(factor) || factor <= subject_threshold(subject, THRESHOLD_WRITE_READ_FACTOR))
        return OUTCOME_QUIET;
    answer_put(answer, "factor", QUANTITY_FACTOR, factor);
    answer_put(answer, "write", QUANTITY_RATE, rate);
    answer_put(answer, "read", QUANTITY_RATE, read.median * 1e6);
    return OUTCOME_FIRED;
}

// ---- Inside the file ----

// By the middle of the rounds: the share of the time from open to close that is in close.
enum outcome rule_close_carries_cost(const struct subject *subject, struct answer *answer)
{
    if (subject_workload(subject)->kind != WORKLOAD_SEQ_WRITE)
        return OUTCOME_QUIET;
    if (!need_is_met(NEED_PHASES, subject))
        return answer_lacks(answer, "%s", need_words(NEED_PHASES));
    const struct tier_facts *facts = subject_facts(subject);
    double *values = xcalloc(3 * facts->count, sizeof *values);
    double *shares = values, *closes = values + facts->count, *walls = values + 2 * facts->count;
    for (size_t i = 0; i < facts->count; i++) {
        const struct sparse_histogram *close = &facts->rounds[i].sample->latency[PHASE_CLOSE];
        closes[i] = (double)close->sum_ns / (double)close->count;
        walls[i] = facts->rounds[i].cost * NS_PER_S;
        shares[i] = closes[i] / walls[i];
    }
    double share = summarize(shares, facts->count).median;
    double close_ns = summarize(closes, facts->count).median, wall_ns = summarize(walls, facts->count).median;
    free(values);
    if (!(share > subject_threshold(subject, THRESHOLD_CLOSE_SHARE)))
        return OUTCOME_QUIET;
    answer_put(answer, "close", QUANTITY_NS, close_ns);
    answer_put(answer, "wall", QUANTITY_NS, wall_ns);
    answer_put(answer, "share", QUANTITY_SHARE, share);
    return OUTCOME_FIRED;
}

// Ours is random by its definition, each 4 KiB of it stamped.
enum outcome rule_compressible_data(const struct subject *subject, struct answer *answer)
{
    (void)answer;
    return subject->facts->run->origin == RUN_IMPORTED ? OUTCOME_FIRED : OUTCOME_QUIET;
}

// What was read back of, and is to take room: random writes all go into one file, the others' batches into
// one each.
static double bytes_laid(const struct workload *workload, const struct sample *sample)
{
    return (double)workload->bytes * (workload->kind == WORKLOAD_RAND_WRITE ? 1 : (double)sample->batches);
}

// The round that takes the most room speaks: reading back may have been broken off in another.
enum outcome rule_sparse_file(const struct subject *subject, struct answer *answer)
{
    static const char *const compressing[] = {"btrfs", "zfs"};
    const struct tier_facts *facts = subject_facts(subject);
    const struct mount *mount = &subject_tier(subject)->mount;
    double greatest = -1, allocated = 0, laid = 0;
    if (mount_is_remote(mount))
        return answer_lacks(answer, "a %s disk needn't tell how much room a file takes", mount->type);
    for (size_t i = 0; i < facts->count; i++) {
        const struct sample *sample = facts->rounds[i].sample;
        double bytes = bytes_laid(subject_workload(subject), sample);
        if (!sample->has_allocated || !(bytes > 0) || (double)sample->allocated_bytes / bytes <= greatest)
            continue;
        greatest = (double)sample->allocated_bytes / bytes;
        allocated = (double)sample->allocated_bytes;
        laid = bytes;
    }
    if (greatest < 0)
        return answer_lacks(answer, "how much room the file takes wasn't looked at");
    if (greatest >= subject_threshold(subject, THRESHOLD_SPARSE_SHARE))
        return OUTCOME_QUIET;
    for (size_t i = 0; i < sizeof compressing / sizeof *compressing; i++)
        if (strcmp(mount->type, compressing[i]) == 0)
            answer->verdict = VERDICT_CAVEAT;
    answer_put(answer, "allocated", QUANTITY_BYTES, allocated);
    answer_put(answer, "bytes", QUANTITY_BYTES, laid);
    return OUTCOME_FIRED;
}
