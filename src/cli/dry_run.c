#include "cli/dry_run.h"

#include "base/text.h"
#include "base/units.h"
#include "cli/facts.h"
#include "cli/output.h"
#include "engine/preflight.h"
#include "spec/plan_total.h"
#include "spec/schedule.h"
#include "spec/workload.h"

#include <inttypes.h>
#include <string.h>

static void put_bytes(struct text *out, uint64_t bytes)
{
    char text[UNITS_TEXT_SIZE];
    units_bytes(bytes, text);
    text_puts(out, text);
}

static void put_count(struct text *out, uint64_t count, const char *what)
{
    text_printf(out, "%" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

// ---- The workloads ----

static uint64_t smallest_file(const struct tree *tree)
{
    uint64_t least = tree->sizes[0].bytes;
    for (unsigned i = 1; i < tree->size_count; i++)
        least = tree->sizes[i].bytes < least ? tree->sizes[i].bytes : least;
    return least;
}

static void put_directories(struct text *out, const struct tree *tree)
{
    unsigned directories = tree_directories(tree);
    if (directories == 0)
        return;
    text_printf(out, ", in %u director%s, %u deep", directories, directories == 1 ? "y" : "ies", tree->depth);
}

// "1500 files, 0 B to 512 KiB, 6.1 MiB, in 216 directories, 3 deep"
static void put_tree(struct text *out, const struct tree *tree)
{
    put_count(out, tree->files, "file");
    if (tree->size_count == 0) {
        text_puts(out, " of ");
        put_bytes(out, tree->file_bytes);
        put_directories(out, tree);
        return;
    }
    text_puts(out, ", ");
    put_bytes(out, smallest_file(tree));
    text_puts(out, " to ");
    put_bytes(out, tree_largest_file(tree));
    text_puts(out, ", ");
    put_bytes(out, tree_bytes(tree));
    put_directories(out, tree);
}

// "30 % are of 512 B, 12.5 % of 4 KiB"
static void put_shares(struct text *out, const struct tree *tree)
{
    for (unsigned i = 0; i < tree->size_count; i++) {
        unsigned whole = tree->sizes[i].share / 10, tenth = tree->sizes[i].share % 10;
        text_printf(out, i == 0 ? "; %u" : ", %u", whole);
        if (tenth)
            text_printf(out, ".%u", tenth);
        text_puts(out, i == 0 ? " % are of " : " % of ");
        put_bytes(out, tree->sizes[i].bytes);
    }
}

// The first workload of the plan that works on the same tree: itself, where none before it does.
static size_t first_on_tree(const struct plan *plan, size_t workload)
{
    size_t first = 0;
    while (!workload_on_tree(&plan->workloads[first]) ||
           !tree_same(&plan->workloads[first].tree, &plan->workloads[workload].tree))
        first++;
    return first;
}

static void put_large(struct text *out, const struct workload *workload)
{
    static const char *const accesses[ACCESS_COUNT] = {
        [ACCESS_BUFFERED] = "buffered",
        [ACCESS_COLD] = "evicted before",
        [ACCESS_REOPENED] = "read before and opened again",
        [ACCESS_SAME_FD] = "read before through the same descriptor",
        [ACCESS_DIRECT] = "O_DIRECT",
    };
    if (workload->kind == WORKLOAD_COMMIT) {
        put_count(out, workload->operations, "append");
        text_puts(out, " of ");
        put_bytes(out, workload->block_bytes);
        text_puts(out, ", fsync after each");
    } else if (workload->operations > 0) {
        put_count(out, workload->operations, "block");
        text_puts(out, " of ");
        put_bytes(out, workload->block_bytes);
        text_puts(out, " at random in ");
        put_bytes(out, workload->bytes);
    } else {
        put_bytes(out, workload->bytes);
        text_puts(out, " in blocks of ");
        put_bytes(out, workload->block_bytes);
    }
    if (workload_descriptions[workload->kind].on == ON_FILE)
        text_printf(out, ", %s", accesses[workload->access]);
}

static void put_sync(struct text *out, const struct workload *workload)
{
    static const char *const words[WORKLOAD_KINDS][SYNC_COUNT] = {
        [WORKLOAD_CREATE] =
            {[SYNC_SYNCFS] = ", then syncfs", [SYNC_FSYNC] = ", fsync of files and directories"},
        [WORKLOAD_RENAME] = {[SYNC_SYNCFS] = ", then syncfs", [SYNC_FSYNC] = ", fsync of directories"},
        [WORKLOAD_DELETE] = {[SYNC_SYNCFS] = ", then syncfs", [SYNC_FSYNC] = ", fsync of directories"},
        [WORKLOAD_RAND_WRITE] = {[SYNC_FSYNC] = ", then fsync"},
        [WORKLOAD_SEQ_WRITE] = {[SYNC_FSYNC] = ", then fsync"},
    };
    const char *sync = words[workload->kind][workload->sync];
    text_puts(out, sync ? sync : "");
}

static void put_workload(struct text *out, const struct plan *plan, size_t index)
{
    const struct workload *workload = &plan->workloads[index];
    bool shares = false;
    if (workload_on_tree(workload)) {
        size_t first = first_on_tree(plan, index);
        shares = first == index;
        if (first == index)
            put_tree(out, &workload->tree);
        else
            text_printf(out, "files like those of %s", plan->workloads[first].id);
        if (workload->wait_ns > 0) {
            char wait[UNITS_TEXT_SIZE];
            units_duration(workload->wait_ns, "us", wait);
            text_printf(out, ", left alone for %s before", wait);
        }
    } else {
        put_large(out, workload);
    }
    put_sync(out, workload);
    text_puts(out, ", ");
    put_count(out, workload->threads, "thread");
    if (workload->threads > 1 && !workload_on_tree(workload))
        text_puts(out, ", each with a file of its own");
    if (workload->instead && index > 0)
        text_printf(out, "; only where a disk can't do %s", plan->workloads[index - 1].id);
    if (shares)
        put_shares(out, &workload->tree);
}

static void print_workloads(const struct plan *plan, struct text *out)
{
    int ids = 0;
    for (size_t i = 0; i < plan->workload_count; i++)
        if (!plan->workloads[i].follow_up && (int)strlen(plan->workloads[i].id) > ids)
            ids = (int)strlen(plan->workloads[i].id);
    text_puts(out, "\nworkloads of a round\n");
    for (size_t i = 0; i < plan->workload_count; i++) {
        if (plan->workloads[i].follow_up)
            continue;
        struct text what = {0};
        put_workload(&what, plan, i);
        facts_put_beside(out, plan->workloads[i].id, ids + 1, text_string(&what));
        text_free(&what);
    }
}

// ---- The plan ----

static void print_follow_ups(const struct plan *plan, struct text *out)
{
    struct text ids = {0}, value = {0};
    size_t count = 0;
    for (size_t i = 0; i < plan->workload_count; i++)
        if (plan->workloads[i].follow_up)
            text_printf(&ids, "%s %s", count++ ? "," : "", plan->workloads[i].id);
    text_puts(&value, plan->no_follow_up ? "none" : "any workload once more where the rules ask");
    if (count > 0)
        text_printf(&value, ", and up to %zu more:%s", count, text_string(&ids));
    facts_put(out, "follow-ups", text_string(&value));
    text_free(&ids);
    text_free(&value);
}

static void print_plan(const struct run *run, struct text *out)
{
    const struct plan *plan = &run->plan;
    struct text value = {0};
    text_put_safe(&value, plan->profile, false);
    text_puts(&value, ", ");
    put_count(&value, plan->rounds, "round");
    text_printf(&value, "%s, seed %" PRIu64, plan->warmup_rounds ? " after round 0 (first use)" : "",
                plan->seed);
    facts_put(out, "plan", text_string(&value));
    text_free(&value);
    if (plan->max_time_ns > 0) {
        char time[UNITS_TEXT_SIZE];
        units_time_left(plan->max_time_ns, time);
        text_printf(&value, "at most %s: no round is begun on either disk that would end later", time);
        facts_put(out, "time", text_string(&value));
        text_free(&value);
    }

    struct schedule schedule;
    schedule_make(&schedule, plan, run->tier_count);
    size_t instead = 0;
    for (size_t i = 0; i < schedule.length; i++)
        instead += plan->workloads[schedule.sections[i].workload].instead;
    text_printf(&value, "%zu, the disks in turn", schedule.length - instead);
    if (instead > 0)
        text_printf(&value, "; up to %zu more where a disk can't do what is asked", instead);
    facts_put(out, "sections", text_string(&value));
    text_free(&value);
    schedule_release(&schedule);
    print_follow_ups(plan, out);
}

// A section too short to time is done several times over, which nobody knows beforehand.
static void print_totals(const struct plan *plan, struct text *out)
{
    struct plan_totals totals = plan_total(plan);
    text_puts(out, "\nto each disk, where no section is so short that it has to be repeated\n");
    text_printf(out, "%-11s %" PRIu64 "\n", "operations", totals.ops);
    text_printf(out, "%-11s ", "written");
    put_bytes(out, totals.bytes_written);
    text_printf(out, "\n%-11s %" PRIu64 "\n", "files", totals.files_created);
    text_printf(out, "%-11s ", "at a time");
    put_bytes(out, totals.largest_payload_bytes);
    text_puts(out, " in at most ");
    put_count(out, totals.most_files, "file");
    text_puts(out, "\n");
}

// ---- The disks ----

static void print_room(const struct target *target, const struct run_tier *tier, struct text *out)
{
    struct room room;
    room_of(target, tier, &room);
    struct text value = {0};
    if (room.has_bytes)
        put_bytes(&value, room.bytes);
    else
        text_puts(&value, "bytes unknown");
    if (room.in_memory) {
        text_puts(&value, " of memory");
    } else if (room.total_bytes > 0) {
        text_puts(&value, " of ");
        put_bytes(&value, room.total_bytes);
    }
    text_puts(&value, ", ");
    if (room.has_files)
        put_count(&value, room.files, "inode");
    else
        text_puts(&value, "inodes unknown");
    facts_put(out, "room", text_string(&value));
    text_free(&value);
}

static void print_tier(const struct session *session, unsigned index, struct text *out)
{
    const struct run_tier *tier = &session->run.tiers[index];
    text_puts(out, "\n");
    run_put_tier(&session->run, index, out);
    text_puts(out, "\n");
    if (tier->null) {
        facts_put(out, "path", "null:, no disk: every call succeeds and does nothing");
        return;
    }
    facts_put_disk(out, tier);
    print_room(&session->targets[index], tier, out);
    facts_put(out, "supports", "what it can do is found out by trying, which a dry run doesn't do");
}

int dry_run_print(const struct session *session)
{
    struct text text = {0};
    print_plan(&session->run, &text);
    print_workloads(&session->run.plan, &text);
    print_totals(&session->run.plan, &text);
    for (unsigned i = 0; i < session->run.tier_count; i++)
        print_tier(session, i, &text);
    text_puts(&text, "\nthe machine\n");
    facts_put_host(&text, &session->run.host);
    int status = output_text(&text, EXIT_DONE);
    text_free(&text);
    return status;
}
