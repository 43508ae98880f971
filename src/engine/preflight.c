#include "engine/preflight.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/disks.h"
#include "engine/memory.h"
#include "engine/payload.h"
#include "engine/scratch.h"
#include "engine/worker.h"
#include "record/run_json.h"

#include <stdlib.h>
#include <sys/statvfs.h>

void room_of(const struct target *target, const struct run_tier *tier, struct room *room)
{
    *room = (struct room){0};
    if (tier->null)
        return;
    struct statvfs status;
    uint64_t total, free_bytes;
    if (fstatvfs(target->dirfd, &status) == 0) {
        bool sane = status.f_blocks > 0 &&
                    !__builtin_mul_overflow(status.f_blocks, status.f_frsize, &total) &&
                    !__builtin_mul_overflow(status.f_bavail, status.f_frsize, &free_bytes) &&
                    total <= RUN_INTEGER_MOST && free_bytes <= RUN_INTEGER_MOST;
        if (sane) {
            room->has_bytes = true;
            room->bytes = free_bytes;
            room->total_bytes = total;
        }
        room->has_files = status.f_favail > 0 && status.f_favail <= RUN_INTEGER_MOST;
        room->files = room->has_files ? status.f_favail : 0;
    }

    room->in_memory = mount_in_memory(&tier->mount);
    if (!room->in_memory)
        return;
    room->has_memory = memory_left("", &room->memory_bytes);
    if (room->has_memory && (!room->has_bytes || room->memory_bytes < room->bytes)) {
        room->has_bytes = true;
        room->bytes = room->memory_bytes;
    }
}

// What lies on a disk at one time. A tree, and the files that are read or written over, stay to the end of
// the round, while the other tier has its turn. A file of the write sweep is removed before the next one is
// made, and none is made while others lie there.
struct load {
    uint64_t tree_bytes, tree_files;
    uint64_t large_bytes, large_files;
    uint64_t sweep_bytes, sweep_files;
};

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void raise(uint64_t *bytes, uint64_t *files, const struct workload *workload)
{
    *bytes = greater(*bytes, workload_payload(workload));
    *files = greater(*files, workload_files(workload));
}

static void load_add(struct load *load, const struct workload *workload)
{
    if (workload_on_tree(workload))
        raise(&load->tree_bytes, &load->tree_files, workload);
    else if (workload->kind == WORKLOAD_SEQ_WRITE)
        raise(&load->sweep_bytes, &load->sweep_files, workload);
    else
        raise(&load->large_bytes, &load->large_files, workload);
}

static struct load load_of(const struct plan *plan)
{
    struct load load = {0};
    for (size_t i = 0; i < plan->workload_count; i++)
        if (!plan->workloads[i].follow_up)
            load_add(&load, &plan->workloads[i]);
    return load;
}

static uint64_t load_bytes(const struct load *load)
{
    return greater(load->tree_bytes + load->large_bytes, load->sweep_bytes);
}

static uint64_t load_files(const struct load *load)
{
    return greater(load->tree_files + load->large_files, load->sweep_files);
}

static struct load load_of_both(struct load load)
{
    load.tree_bytes *= 2;
    load.tree_files *= 2;
    load.large_bytes *= 2;
    load.large_files *= 2;
    return load;
}

// Which option makes it less.
static const char *way_out(const struct load *load)
{
    if (load->sweep_bytes >= load->tree_bytes + load->large_bytes)
        return "smaller --sizes";
    return load->tree_bytes > load->large_bytes ? "fewer --files" : "other --workloads";
}

static const char *way_out_of_files(const struct load *load)
{
    uint64_t large_files = greater(load->large_files, load->sweep_files); // one a thread
    return load->tree_files >= large_files ? "fewer --files" : "fewer --threads";
}

// "B ephemeral (/mnt/t)". Of a very long path, the beginning, so that what is said of it still fits a line.
static void put_tier(struct text *text, const struct run *run, unsigned tier)
{
    run_put_tier(run, tier, text);
    text_printf(text, " (%.700s)", run->tiers[tier].path_given);
}

static bool refuse_bytes(const char *who, const struct load *load, uint64_t needed, const char *what,
                         uint64_t has, struct error *error)
{
    char needs[UNITS_TEXT_SIZE], left[UNITS_TEXT_SIZE];
    units_bytes(needed, needs);
    units_bytes(has, left);
    return fail(error, "%s: needs %s %s, has %s; choose %s or another directory", who, needs, what, left,
                way_out(load));
}

static bool check_room(const char *who, const struct room *room, const struct load *load,
                       const struct load *in_memory, struct text *notes, struct error *error)
{
    uint64_t bytes = load_bytes(load), files = load_files(load);
    uint64_t needed = 2 * bytes + room->total_bytes / 20;
    if (!room->has_bytes && !room->has_files)
        text_printf(notes, "%s: the file system doesn't say how much room it has: not checked\n", who);
    else if (!room->has_bytes)
        text_printf(notes, "%s: the file system doesn't say how many bytes are free: not checked\n", who);
    else if (!room->has_files)
        text_printf(notes, "%s: the file system doesn't say how many files it has room for: not checked\n",
                    who);
    if (room->in_memory && !room->has_memory)
        text_printf(notes, "%s: its files are memory, and nothing tells how much is left: not checked\n",
                    who);

    if (room->has_bytes && room->bytes < needed)
        return refuse_bytes(who, load, needed, "free", room->bytes, error);
    if (room->has_memory && load_bytes(in_memory) > room->memory_bytes / 4)
        return refuse_bytes(who, in_memory, 4 * load_bytes(in_memory),
                            "of memory left, since its files are memory", room->memory_bytes, error);
    if (room->has_files && room->files < 2 * files)
        return fail(error, "%s: needs room for %llu files, has it for %llu; choose %s or another directory",
                    who, (unsigned long long)(2 * files), (unsigned long long)room->files,
                    way_out_of_files(load));
    return true;
}

bool preflight_room(const struct run *run, const struct target targets[], struct text *notes,
                    struct error *error)
{
    struct room rooms[RUN_TIERS_MOST] = {0};
    for (unsigned i = 0; i < run->tier_count; i++)
        room_of(&targets[i], &run->tiers[i], &rooms[i]);
    bool two = run->tier_count == 2 && !run->tiers[0].null && !run->tiers[1].null;
    struct text why = {0};
    bool one_disk = two && disks_compare(run, targets, &why) == DISKS_SAME;
    text_free(&why);

    struct load load = load_of(&run->plan);
    struct load both = load_of_both(load);
    bool both_memory = rooms[0].in_memory && rooms[1].in_memory;
    for (unsigned i = 0; i < run->tier_count; i++) {
        if (run->tiers[i].null)
            continue;
        struct text who = {0};
        put_tier(&who, run, i);
        if (scratch_parent_is_open(targets[i].dirfd))
            text_printf(notes,
                        "%s: anybody can write there and it isn't sticky: others could move diskduel's "
                        "directory away while it runs\n",
                        text_string(&who));
        bool fits = check_room(text_string(&who), &rooms[i], one_disk ? &both : &load,
                               both_memory ? &both : &load, notes, error);
        text_free(&who);
        if (!fits)
            return false;
    }
    return true;
}

bool preflight_fits(const struct run_tier *tier, const struct target *target, const struct workload *workload)
{
    struct room room;
    struct load load = {0};
    struct text notes = {0};
    struct error error;
    room_of(target, tier, &room);
    load_add(&load, workload);
    bool fits = check_room("", &room, &load, &load, &notes, &error);
    text_free(&notes);
    return fits;
}

// A payload of the least size is there whatever the block.
static const char *way_out_of_memory(unsigned threads, uint64_t block_bytes)
{
    bool large_blocks = block_bytes > PAYLOAD_LEAST;
    if (threads > 1)
        return large_blocks ? "choose fewer --threads or a smaller --block" : "choose fewer --threads";
    return large_blocks ? "choose a smaller --block" : "give it more, or end what else runs";
}

bool preflight_memory(const struct run *run, struct error *error)
{
    unsigned threads = 1;
    uint64_t block_bytes = PAYLOAD_BLOCK, read_bytes = WORKER_BUFFER, left;
    for (size_t i = 0; i < run->plan.workload_count; i++) {
        const struct workload *workload = &run->plan.workloads[i];
        threads = workload->threads > threads ? workload->threads : threads;
        block_bytes = greater(block_bytes, workload->block_bytes);
        if (workload_descriptions[workload->kind].reads)
            read_bytes = greater(read_bytes, workload->block_bytes);
    }
    uint64_t lane_bytes = PHASE_COUNT * histogram_buckets(HISTOGRAM_DIGITS) * sizeof(uint64_t);
    uint64_t needed =
        run->tier_count * threads * (payload_size(block_bytes, threads) + read_bytes + lane_bytes);
    if (!memory_left("", &left) || needed <= left - left / 4)
        return true;
    char needs[UNITS_TEXT_SIZE], has[UNITS_TEXT_SIZE], block[UNITS_TEXT_SIZE];
    units_bytes(needed, needs);
    units_bytes(left, has);
    units_bytes(block_bytes, block);
    return fail(error, "%u thread%s with blocks of %s for each disk take %s of memory, and %s are left; %s",
                threads, threads == 1 ? "" : "s", block, needs, has, way_out_of_memory(threads, block_bytes));
}

bool preflight_shared(struct run *run, const struct target targets[], struct text *notes, struct error *error)
{
    free(run->shared_why);
    run->shared_why = NULL;
    if (run->tier_count != 2 || run->tiers[0].null || run->tiers[1].null)
        return true;
    struct text why = {0};
    enum disks found = disks_compare(run, targets, &why);
    bool fine = true;
    if (found == DISKS_SAME_DIRECTORY)
        fine = fail(error, "%.400s and %.400s are the same directory: name two", run->tiers[0].path_given,
                    run->tiers[1].path_given);
    else if (found == DISKS_SAME)
        run->shared_why = xstrdup(text_string(&why));
    else if (why.length)
        text_printf(notes, "%s\n", text_string(&why));
    text_free(&why);
    return fine;
}
