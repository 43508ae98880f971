// plan.c: from what a user asks for to what is measured.
#include "spec/plan.h"

#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sweep_prefix[] = "seq-write-";
enum { MIB_MOST = (int)(PLAN_PAYLOAD_MOST >> 20), MIB_DIGITS_MOST = 7 };

// ---- The rules, for an option as for a member of a document ----

// What messages call a setting: "--files", or "plan.workloads[3].files".
struct setting_names {
    char prefix[40];
    const char *rounds, *seed, *threads, *files, *file_bytes, *bytes, *block_bytes;
};

static const struct setting_names option_names = {
    .rounds = "--rounds",
    .seed = "--seed",
    .threads = "--threads",
    .files = "--files",
    .file_bytes = "--file-size",
    .bytes = "--sizes",
    .block_bytes = "--block",
};

static const struct setting_names member_names = {
    .prefix = "plan.",
    .rounds = "rounds",
    .seed = "seed",
    .threads = "threads",
    .files = "files",
    .file_bytes = "file_bytes",
    .bytes = "bytes",
    .block_bytes = "block_bytes",
};

static bool check_range(const struct setting_names *names, const char *name, uint64_t value, uint64_t least,
                        uint64_t most, struct error *error)
{
    if (value >= least && value <= most)
        return true;
    return fail(error, "%s%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64, names->prefix, name, value,
                least, most);
}

static bool check_tree(const struct setting_names *names, uint64_t files, uint64_t file_bytes,
                       struct error *error)
{
    if (!check_range(names, names->files, files, 1, TREE_FILES_MOST, error) ||
        !check_range(names, names->file_bytes, file_bytes, 0, PLAN_FILE_BYTES_MOST, error))
        return false;
    if (files * file_bytes > PLAN_PAYLOAD_MOST)
        return fail(error, "%s%s: %" PRIu64 " files of %" PRIu64 " bytes are more than 1 TiB", names->prefix,
                    names->files, files, file_bytes);
    return true;
}

static bool check_sweep_size(const struct setting_names *names, uint64_t bytes, struct error *error)
{
    if (bytes % MIB)
        return fail(error, "%s%s: %" PRIu64 " bytes are not whole MiB", names->prefix, names->bytes, bytes);
    return check_range(names, names->bytes, bytes, MIB, PLAN_PAYLOAD_MOST, error);
}

static bool check_block(const struct setting_names *names, uint64_t block_bytes, struct error *error)
{
    if (!check_range(names, names->block_bytes, block_bytes, PLAN_BLOCK_LEAST, PLAN_BLOCK_MOST, error))
        return false;
    if (block_bytes % PLAN_BLOCK_LEAST)
        return fail(error, "%s%s: %" PRIu64 " is not a multiple of %" PRIu64 " bytes", names->prefix,
                    names->block_bytes, block_bytes, PLAN_BLOCK_LEAST);
    return true;
}

static bool check_threads(const struct setting_names *names, uint64_t threads, struct error *error)
{
    return check_range(names, names->threads, threads, 1, PLAN_THREADS_MOST, error);
}

// ---- A plan from a request ----

// Which workloads a round has.
struct choice {
    bool kinds[WORKLOAD_KINDS];
    uint64_t sizes[PLAN_SIZES_MOST]; // of the sweep
    size_t size_count;
};

// The sizes that "seq-write" stands for, ascending.
struct sweep {
    uint64_t sizes[PLAN_SIZES_MOST];
    size_t count;
};

static int compare_sizes(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static bool sweep_of(const struct plan_request *request, const struct profile *profile, struct sweep *sweep,
                     struct error *error)
{
    *sweep = (struct sweep){0};
    for (; sweep->count < request->size_count; sweep->count++) {
        if (sweep->count == PLAN_SIZES_MOST)
            return fail(error, "--sizes: more than %d sizes", PLAN_SIZES_MOST);
        if (!check_sweep_size(&option_names, request->sizes[sweep->count], error))
            return false;
        sweep->sizes[sweep->count] = request->sizes[sweep->count];
    }
    while (request->size_count == 0 && sweep->count < PROFILE_SIZES && profile->sizes[sweep->count]) {
        sweep->sizes[sweep->count] = profile->sizes[sweep->count];
        sweep->count++;
    }
    qsort(sweep->sizes, sweep->count, sizeof *sweep->sizes, compare_sizes);
    for (size_t i = 1; i < sweep->count; i++)
        if (sweep->sizes[i] == sweep->sizes[i - 1])
            return fail(error, "--sizes: %" PRIu64 " MiB is there twice", sweep->sizes[i] / MIB);
    return true;
}

static bool choose_size(struct choice *choice, uint64_t bytes, struct error *error)
{
    for (size_t i = 0; i < choice->size_count; i++)
        if (choice->sizes[i] == bytes)
            return fail(error, "--workloads: %s%" PRIu64 " is there twice", sweep_prefix, bytes / MIB);
    if (choice->size_count == PLAN_SIZES_MOST)
        return fail(error, "--workloads: more than %d sizes of seq-write", PLAN_SIZES_MOST);
    choice->sizes[choice->size_count++] = bytes;
    return true;
}

static bool choose_kind(struct choice *choice, enum workload_kind kind, const struct sweep *sweep,
                        struct error *error)
{
    if (choice->kinds[kind])
        return fail(error, "--workloads: %s is there twice", workload_descriptions[kind].id);
    choice->kinds[kind] = true;
    if (kind != WORKLOAD_SEQ_WRITE)
        return true;
    for (size_t i = 0; i < sweep->count; i++)
        if (!choose_size(choice, sweep->sizes[i], error))
            return false;
    return true;
}

// The bytes of "seq-write-64"; 0 where the id isn't of this form.
static uint64_t size_of_id(const char *id)
{
    size_t prefix = strlen(sweep_prefix);
    if (strncmp(id, sweep_prefix, prefix) != 0)
        return 0;
    const char *number = id + prefix;
    size_t digits = strspn(number, "0123456789");
    if (digits == 0 || digits > MIB_DIGITS_MOST || number[digits] != '\0' || number[0] == '0')
        return 0;
    uint64_t mib = strtoull(number, NULL, 10);
    return mib <= MIB_MOST ? mib * MIB : 0;
}

static bool choose_id(struct choice *choice, const char *id, const struct sweep *sweep, struct error *error)
{
    enum workload_kind kind = workload_kind_by_id(id);
    if (kind != WORKLOAD_KINDS)
        return choose_kind(choice, kind, sweep, error);
    uint64_t bytes = size_of_id(id);
    if (bytes)
        return choose_size(choice, bytes, error);
    return fail(error,
                "--workloads: no workload is called \"%s\"; there are create, walk, delete, seq-write, and "
                "seq-write-N for N MiB (1 to %d)",
                id, MIB_MOST);
}

static bool choose(struct choice *choice, const char *ids, const struct sweep *sweep, struct error *error)
{
    *choice = (struct choice){0};
    for (;;) {
        size_t length = strcspn(ids, ",");
        if (length == 0)
            return fail(error, "--workloads: an id is missing beside a comma, or altogether");
        char *id = xstrndup(ids, length);
        bool chosen = choose_id(choice, id, sweep, error);
        free(id);
        if (!chosen)
            return false;
        if (ids[length] == '\0')
            break;
        ids += length + 1;
    }
    qsort(choice->sizes, choice->size_count, sizeof *choice->sizes, compare_sizes);
    return true;
}

static void add_workload(struct plan *plan, enum workload_kind kind, const struct workload *settings)
{
    struct workload workload = *settings;
    workload.kind = kind;
    workload.version = workload_descriptions[kind].version;
    workload.sync = workload_descriptions[kind].sync;
    if (workload_descriptions[kind].on_tree)
        snprintf(workload.id, sizeof workload.id, "%s", workload_descriptions[kind].id);
    else
        snprintf(workload.id, sizeof workload.id, "%s%" PRIu64, sweep_prefix, workload.bytes / MIB);
    plan->workloads = xrealloc_array(plan->workloads, plan->workload_count + 1, sizeof *plan->workloads);
    plan->workloads[plan->workload_count++] = workload;
}

static const struct profile *find_profile(const char *id, struct error *error)
{
    const struct profile *profile = id ? profile_by_id(id) : &profiles[0];
    if (profile)
        return profile;
    struct text names = {0};
    for (profile = profiles; profile->id; profile++)
        text_printf(&names, "%s%s", names.length ? ", " : "", profile->id);
    fail(error, "--profile: no profile is called \"%s\"; there are %s", id, text_string(&names));
    text_free(&names);
    return NULL;
}

static uint64_t random_seed(void)
{
    uint64_t seed;
    random_bytes(&seed, sizeof seed);
    return seed & PLAN_SEED_MOST;
}

bool plan_make(const struct plan_request *request, struct plan *plan, struct error *error)
{
    *plan = (struct plan){0};
    const struct profile *profile = find_profile(request->profile, error);
    if (!profile)
        return false;
    uint64_t rounds = request->rounds ? request->rounds : profile->rounds;
    uint64_t threads = request->threads ? request->threads : 1;
    uint64_t block_bytes = request->block_bytes ? request->block_bytes : MIB;
    uint64_t files = request->files ? request->files : profile->files;
    uint64_t file_bytes = request->has_file_bytes ? request->file_bytes : profile->file_bytes;
    uint64_t seed = request->has_seed ? request->seed : random_seed();
    struct sweep sweep;
    struct choice choice;
    if (!check_range(&option_names, option_names.rounds, rounds, 1, PLAN_ROUNDS_MOST, error) ||
        !check_range(&option_names, option_names.seed, seed, 0, PLAN_SEED_MOST, error) ||
        !check_threads(&option_names, threads, error) || !check_block(&option_names, block_bytes, error) ||
        !check_tree(&option_names, files, file_bytes, error) || !sweep_of(request, profile, &sweep, error) ||
        !choose(&choice, request->workloads ? request->workloads : profile->workloads, &sweep, error))
        return false;

    plan->profile = xstrdup(profile->id);
    plan->rounds = (unsigned)rounds;
    plan->warmup_rounds = request->no_warmup ? 0 : 1;
    plan->seed = seed;
    plan->verify_full = request->verify_full;
    plan->same_disk = request->same_disk;
    struct workload on_tree = {.tree = tree_of(files, file_bytes), .threads = (unsigned)threads};
    for (enum workload_kind kind = 0; kind < WORKLOAD_KINDS; kind++)
        if (choice.kinds[kind] && workload_descriptions[kind].on_tree)
            add_workload(plan, kind, &on_tree);
    for (size_t i = 0; i < choice.size_count; i++) {
        struct workload large = {
            .bytes = choice.sizes[i], .block_bytes = block_bytes, .threads = (unsigned)threads};
        add_workload(plan, WORKLOAD_SEQ_WRITE, &large);
    }
    return true;
}

// ---- A plan from a document ----

static bool same_tree(const struct tree *a, const struct tree *b)
{
    return a->files == b->files && a->file_bytes == b->file_bytes && a->depth == b->depth &&
           a->fanout == b->fanout;
}

static bool check_workload(const struct workload *workload, const struct setting_names *names,
                           struct error *error)
{
    const char *prefix = names->prefix;
    if (workload->kind >= WORKLOAD_KINDS)
        return fail(error, "%skind: no such workload", prefix);
    const struct workload_description *description = &workload_descriptions[workload->kind];
    if (workload->version == 0)
        return fail(error, "%sversion: 0 is no version", prefix);
    if (workload->version == description->version && workload->sync != description->sync)
        return fail(error, "%ssync: %s ends in %s", prefix, description->id, sync_name(description->sync));
    if (!check_threads(names, workload->threads, error))
        return false;
    if (!description->on_tree) {
        if (!check_sweep_size(names, workload->bytes, error) ||
            !check_block(names, workload->block_bytes, error))
            return false;
        if (size_of_id(workload->id) != workload->bytes)
            return fail(error, "%sid: \"%s\" doesn't name its %" PRIu64 " bytes", prefix, workload->id,
                        workload->bytes);
        return true;
    }
    if (strcmp(workload->id, description->id) != 0)
        return fail(error, "%sid: \"%s\" is not \"%s\", its kind", prefix, workload->id, description->id);
    if (!check_tree(names, workload->tree.files, workload->tree.file_bytes, error))
        return false;
    struct tree tree = tree_of(workload->tree.files, workload->tree.file_bytes);
    if (!same_tree(&tree, &workload->tree))
        return fail(error, "%sdepth: a tree of %" PRIu64 " files has depth %u and fanout %u", prefix,
                    tree.files, tree.depth, tree.fanout);
    return true;
}

// In the order of the table, each once, the sweep ascending; and one tree for all.
static bool check_order(const struct workload *before, const struct workload *workload,
                        const struct setting_names *names, struct error *error)
{
    if (workload->kind < before->kind ||
        (workload->kind == before->kind &&
         (workload_descriptions[workload->kind].on_tree || workload->bytes <= before->bytes)))
        return fail(error, "%sid: \"%s\" can't stand after \"%s\"", names->prefix, workload->id, before->id);
    if (workload_descriptions[workload->kind].on_tree && !same_tree(&workload->tree, &before->tree))
        return fail(error, "%sfiles: the workloads of a round work on one tree", names->prefix);
    return true;
}

bool plan_check(const struct plan *plan, struct error *error)
{
    struct setting_names names = member_names;
    if (!plan->profile || plan->profile[0] == '\0')
        return fail(error, "plan.profile: missing");
    if (!check_range(&names, "rounds", plan->rounds, 1, PLAN_ROUNDS_MOST, error) ||
        !check_range(&names, "warmup_rounds", plan->warmup_rounds, 0, 1, error) ||
        !check_range(&names, "seed", plan->seed, 0, PLAN_SEED_MOST, error))
        return false;
    if (plan->workload_count == 0 || plan->workload_count > PLAN_WORKLOADS_MOST)
        return fail(error, "plan.workloads: %zu of them; 1 to %d can be", plan->workload_count,
                    PLAN_WORKLOADS_MOST);
    for (size_t i = 0; i < plan->workload_count; i++) {
        snprintf(names.prefix, sizeof names.prefix, "plan.workloads[%zu].", i);
        if (!check_workload(&plan->workloads[i], &names, error) ||
            (i > 0 && !check_order(&plan->workloads[i - 1], &plan->workloads[i], &names, error)))
            return false;
    }
    return true;
}

void plan_release(struct plan *plan)
{
    free(plan->profile);
    free(plan->workloads);
    *plan = (struct plan){0};
}

// ---- Sums ----

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// What a small file takes on a disk at least.
static uint64_t payload_of(const struct workload *workload)
{
    enum { DISK_BLOCK = 4096 };
    if (!workload_descriptions[workload->kind].on_tree)
        return workload->bytes;
    uint64_t blocks = (workload->tree.file_bytes + DISK_BLOCK - 1) / DISK_BLOCK;
    return workload->tree.files * greater(blocks, 1) * DISK_BLOCK;
}

struct plan_totals plan_total(const struct plan *plan)
{
    struct plan_totals totals = {0};
    const struct workload *tree = NULL;
    bool in_sweep = false;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct workload *workload = &plan->workloads[i];
        uint64_t times = plan->rounds;
        if (!in_sweep || workload_descriptions[workload->kind].on_tree)
            times += plan->warmup_rounds; // of the sweep, its smallest size alone
        if (workload_descriptions[workload->kind].on_tree) {
            tree = workload;
        } else {
            in_sweep = true;
            totals.bytes_written += times * workload_bytes(workload);
            totals.files_created += times * workload_files(workload);
        }
        totals.ops += times * workload_ops(workload);
        totals.largest_payload_bytes = greater(totals.largest_payload_bytes, payload_of(workload));
        totals.most_files = greater(totals.most_files, workload_files(workload));
    }
    if (tree) {
        uint64_t trees = (uint64_t)plan->rounds + plan->warmup_rounds;
        totals.bytes_written += trees * tree->tree.files * tree->tree.file_bytes;
        totals.files_created += trees * tree->tree.files;
    }
    return totals;
}
