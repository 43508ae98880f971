// plan.c: from what a user asks for to what is measured.
#include "spec/plan.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "spec/plan_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sweep_prefix[] = "seq-write-", sweep_id[] = "seq-write", read_prefix[] = "seq-read";
enum { MIB_MOST = (int)(PLAN_PAYLOAD_MOST >> 20), MIB_DIGITS_MOST = 7 };

// What a workload has where nobody says otherwise (measuring.md 3.4 of the design: so that runs compare).
enum { RANDOM_OPERATIONS = 2000, COMMIT_OPERATIONS = 200 };
#define LARGE_BYTES   (64 * MIB)
#define WALK_LATER_NS (UINT64_C(1500) * NS_PER_MS) // longer than the usual attribute cache of 1 s

// ---- Which workloads a round has, step by step ----

enum { VARIANTS_MOST = 32 };

struct choice {
    const char *step; // NULL: none
    struct tree tree;
    bool variants[VARIANTS_MOST];    // by index in workload_variants
    uint64_t sizes[PLAN_SIZES_MOST]; // of the sweep
    size_t size_count;
    uint64_t sweep[PLAN_SIZES_MOST]; // what "seq-write" stands for, ascending
    size_t sweep_count;
};

// The last one is for what was asked for without a step's name, where the profile's steps have names.
enum { CHOICES = PROFILE_STEPS + 1, PLAIN = PROFILE_STEPS };

struct builder {
    const struct plan_request *request;
    const struct profile *profile;
    struct choice choices[CHOICES];
    uint64_t threads[PLAN_THREAD_COUNTS_MOST];
    size_t thread_count;
};

static int compare_sizes(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static bool set_sweep(struct choice *choice, const struct plan_request *request,
                      const struct profile_step *step, struct error *error)
{
    for (size_t i = 0; i < request->size_count; i++) {
        if (i == PLAN_SIZES_MOST)
            return fail(error, "--sizes: more than %d sizes", PLAN_SIZES_MOST);
        if (!rules_check_large(&option_names, request->sizes[i], error))
            return false;
        choice->sweep[choice->sweep_count++] = request->sizes[i];
    }
    for (size_t i = 0; request->size_count == 0 && i < PROFILE_SIZES && step->sizes[i]; i++)
        choice->sweep[choice->sweep_count++] = step->sizes[i];
    qsort(choice->sweep, choice->sweep_count, sizeof *choice->sweep, compare_sizes);
    for (size_t i = 1; i < choice->sweep_count; i++)
        if (choice->sweep[i] == choice->sweep[i - 1])
            return fail(error, "--sizes: %" PRIu64 " MiB is there twice", choice->sweep[i] / MIB);
    return true;
}

// Files that are all alike lie as so many of them do by default; the shape of others stays.
static void set_tree(struct choice *choice, const struct plan_request *request,
                     const struct profile_step *step)
{
    struct tree tree = step->tree;
    bool plain = tree.size_count == 0;
    if (request->files)
        tree.files = request->files;
    if (request->has_file_bytes) {
        tree.size_count = 0;
        tree.file_bytes = request->file_bytes;
    }
    if (plain)
        tree = tree_of(tree.files, tree.file_bytes);
    choice->tree = tree;
}

static bool fail_twice(const char *id, struct error *error)
{
    return fail(error, "--workloads: %s is there twice", id);
}

static bool choose_size(struct choice *choice, uint64_t bytes, struct error *error)
{
    for (size_t i = 0; i < choice->size_count; i++)
        if (choice->sizes[i] == bytes)
            return fail(error, "--workloads: %s%" PRIu64 " is there twice", sweep_prefix, bytes / MIB);
    if (choice->size_count == PLAN_SIZES_MOST)
        return fail(error, "--workloads: more than %d sizes of seq-write", PLAN_SIZES_MOST);
    choice->sizes[choice->size_count++] = bytes;
    qsort(choice->sizes, choice->size_count, sizeof *choice->sizes, compare_sizes);
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

static bool choose_sweep(struct choice *choice, struct error *error)
{
    for (size_t i = 0; i < choice->sweep_count; i++)
        if (!choose_size(choice, choice->sweep[i], error))
            return false;
    return choice->sweep_count > 0 ||
           fail(error, "--workloads: %s: the profile has no sizes of it; give some with --sizes", sweep_id);
}

static bool fail_unknown(const char *id, struct error *error)
{
    struct text names = {0};
    for (const struct workload_variant *variant = workload_variants; variant->id; variant++)
        text_printf(&names, "%s, ", variant->id);
    fail(error,
         "--workloads: no workload is called \"%.60s\"; there are %sseq-read, seq-write, "
         "and seq-write-N for N MiB (1 to %d)",
         id, text_string(&names), MIB_MOST);
    text_free(&names);
    return false;
}

// Chooses what an id without a step's name means: a variant, all variants of seq-read, a size, or all sizes.
static bool choose_base(struct choice *choice, const char *id, struct error *error)
{
    if (strcmp(id, sweep_id) == 0)
        return choose_sweep(choice, error);
    uint64_t bytes = size_of_id(id);
    if (bytes)
        return choose_size(choice, bytes, error);
    bool found = false, group = strcmp(id, read_prefix) == 0;
    for (size_t i = 0; workload_variants[i].id; i++) {
        bool is =
            group ? workload_variants[i].kind == WORKLOAD_SEQ_READ : !strcmp(workload_variants[i].id, id);
        if (!is)
            continue;
        if (choice->variants[i])
            return fail_twice(workload_variants[i].id, error);
        choice->variants[i] = true;
        found = true;
    }
    return found || fail_unknown(id, error);
}

// The step whose name an id begins with, else the one for ids without a step; `base` is what follows.
static struct choice *choice_of(struct builder *builder, const char *id, const char **base)
{
    *base = id;
    for (size_t i = 0; i < PROFILE_STEPS && builder->profile->steps[i].workloads; i++) {
        const char *step = builder->profile->steps[i].name;
        size_t length = step ? strlen(step) : 0;
        if (!step)
            return &builder->choices[i];
        if (strncmp(id, step, length) == 0 && id[length] == '-') {
            *base = id + length + 1;
            return &builder->choices[i];
        }
    }
    return &builder->choices[PLAIN];
}

// Calls choose_base for each id of a list; `choice` NULL: the one that the id names.
static bool choose_list(struct builder *builder, const char *ids, struct choice *choice, struct error *error)
{
    for (;;) {
        size_t length = strcspn(ids, ",");
        if (length == 0)
            return fail(error, "--workloads: an id is missing beside a comma, or altogether");
        char *id = xstrndup(ids, length);
        const char *base = id;
        struct choice *of = choice ? choice : choice_of(builder, id, &base);
        bool chosen = choose_base(of, base, error);
        free(id);
        if (!chosen || ids[length] == '\0')
            return chosen;
        ids += length + 1;
    }
}

static bool choose_all(struct builder *builder, struct error *error)
{
    const struct plan_request *request = builder->request;
    for (size_t i = 0; i < CHOICES; i++) {
        struct choice *choice = &builder->choices[i];
        const struct profile_step *step = &builder->profile->steps[i == PLAIN ? 0 : i];
        if (!step->workloads)
            continue;
        choice->step = i == PLAIN ? NULL : step->name;
        set_tree(choice, request, step);
        if (!set_sweep(choice, request, step, error) ||
            (step->tree.files > 0 && !rules_check_tree(&option_names, &choice->tree, error)))
            return false;
        if (!request->workloads && i != PLAIN && !choose_list(builder, step->workloads, choice, error))
            return false;
    }
    return !request->workloads || choose_list(builder, request->workloads, NULL, error);
}

// ---- The workloads themselves ----

// Gives it all that follows from its kind, and its id.
static void name_workload(const struct builder *builder, const struct choice *choice,
                          struct workload *workload)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    const struct plan_request *request = builder->request;
    workload->version = description->version;
    workload->sync = description->sync_choice && request->has_sync ? request->sync : description->sync;
    char base[WORKLOAD_ID_SIZE], threads[8] = "";
    workload_base_id(workload, base);
    if (builder->thread_count > 1)
        snprintf(threads, sizeof threads, "-t%u", workload->threads);
    snprintf(workload->id, sizeof workload->id, "%s%s%.24s%s", choice->step ? choice->step : "",
             choice->step ? "-" : "", base, threads);
}

static void append_workload(struct plan *plan, const struct workload *workload)
{
    plan->workloads = xrealloc_array(plan->workloads, plan->workload_count + 1, sizeof *plan->workloads);
    plan->workloads[plan->workload_count++] = *workload;
}

static bool add_workload(const struct builder *builder, struct plan *plan, const struct choice *choice,
                         struct workload *workload, struct error *error)
{
    name_workload(builder, choice, workload);
    if (plan->workload_count == PLAN_WORKLOADS_MOST)
        return fail(error, "--workloads: more than %d of them, each with each number of --threads counted",
                    PLAN_WORKLOADS_MOST);
    append_workload(plan, workload);
    return true;
}

static struct workload workload_of(const struct workload_variant *variant, const struct choice *choice,
                                   uint64_t threads)
{
    struct workload workload = {
        .kind = variant->kind, .access = variant->access, .threads = (unsigned)threads};
    if (workload_on_tree(&workload)) {
        workload.tree = choice->tree;
        workload.wait_ns = variant->kind == WORKLOAD_WALK_LATER ? WALK_LATER_NS : 0;
        return workload;
    }
    workload.bytes = LARGE_BYTES;
    workload.block_bytes = variant->block_bytes;
    if (variant->kind == WORKLOAD_RAND_READ || variant->kind == WORKLOAD_RAND_WRITE)
        workload.operations = RANDOM_OPERATIONS;
    if (variant->kind == WORKLOAD_COMMIT) {
        workload.operations = COMMIT_OPERATIONS;
        workload.bytes = workload.operations * workload.block_bytes;
    }
    return workload;
}

static struct workload sweep_of(const struct builder *builder, uint64_t bytes, uint64_t threads)
{
    uint64_t block_bytes = builder->request->block_bytes ? builder->request->block_bytes : MIB;
    return (struct workload){
        .kind = WORKLOAD_SEQ_WRITE, .bytes = bytes, .block_bytes = block_bytes, .threads = (unsigned)threads};
}

// Whether a variant stands behind the direct one that it is done instead of.
static bool stands_in(size_t variant)
{
    return variant > 0 && workload_variants[variant].access == ACCESS_BUFFERED &&
           workload_variants[variant - 1].access == ACCESS_DIRECT &&
           workload_variants[variant].kind == workload_variants[variant - 1].kind;
}

static bool add_variants(struct builder *builder, struct plan *plan, const struct choice *choice,
                         uint64_t threads, struct error *error)
{
    for (size_t i = 0; workload_variants[i].id; i++) {
        bool instead = !choice->variants[i] && stands_in(i) && choice->variants[i - 1];
        if (!choice->variants[i] && !instead)
            continue;
        struct workload workload = workload_of(&workload_variants[i], choice, threads);
        workload.instead = instead;
        if (!add_workload(builder, plan, choice, &workload, error))
            return false;
    }
    return true;
}

static bool add_sweep(struct builder *builder, struct plan *plan, const struct choice *choice,
                      uint64_t threads, struct error *error)
{
    for (size_t i = 0; i < choice->size_count; i++) {
        struct workload workload = sweep_of(builder, choice->sizes[i], threads);
        if (!add_workload(builder, plan, choice, &workload, error))
            return false;
    }
    return true;
}

static bool add_all(struct builder *builder, struct plan *plan,
                    bool (*add)(struct builder *, struct plan *, const struct choice *, uint64_t,
                                struct error *),
                    struct error *error)
{
    for (size_t i = 0; i < CHOICES; i++)
        for (size_t t = 0; t < builder->thread_count; t++)
            if (!add(builder, plan, &builder->choices[i], builder->threads[t], error))
                return false;
    return true;
}

// ---- What the rules may ask for ----

static void add_follow_up(const struct builder *builder, struct plan *plan, const struct choice *choice,
                          struct workload workload)
{
    if (plan->workload_count == PLAN_WORKLOADS_MOST)
        return; // what was asked for has all the room
    workload.follow_up = true;
    name_workload(builder, choice, &workload);
    append_workload(plan, &workload);
}

static size_t variant_by_id(const char *id)
{
    size_t i = 0;
    while (strcmp(workload_variants[i].id, id) != 0)
        i++;
    return i;
}

static void add_later_look(const struct builder *builder, struct plan *plan, const struct choice *choice,
                           uint64_t threads)
{
    static const struct {
        const char *there, *wanted;
    } pairs[] = {{"walk", "walk-later"}, {"seq-read-direct-1m", "seq-read-direct-128k"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t there = variant_by_id(pairs[i].there), wanted = variant_by_id(pairs[i].wanted);
        if (choice->variants[there] && !choice->variants[wanted])
            add_follow_up(builder, plan, choice, workload_of(&workload_variants[wanted], choice, threads));
    }
}

static void add_larger_size(const struct builder *builder, struct plan *plan, const struct choice *choice,
                            uint64_t threads)
{
    if (choice->size_count < FOLLOW_UP_SIZES)
        return;
    uint64_t bytes = 2 * choice->sizes[choice->size_count - 1];
    if (bytes <= PLAN_PAYLOAD_MOST)
        add_follow_up(builder, plan, choice, sweep_of(builder, bytes, threads));
}

static void add_follow_ups(const struct builder *builder, struct plan *plan)
{
    static void (*const adders[])(const struct builder *, struct plan *, const struct choice *,
                                  uint64_t) = {add_later_look, add_larger_size};
    for (size_t adder = 0; adder < sizeof adders / sizeof *adders; adder++)
        for (size_t i = 0; i < CHOICES; i++)
            for (size_t t = 0; t < builder->thread_count; t++)
                adders[adder](builder, plan, &builder->choices[i], builder->threads[t]);
}

// ---- A plan from a request ----

static bool set_threads(struct builder *builder, struct error *error)
{
    const struct plan_request *request = builder->request;
    builder->thread_count = request->thread_count ? request->thread_count : 1;
    builder->threads[0] = 1;
    for (size_t i = 0; i < request->thread_count; i++) {
        if (i == PLAN_THREAD_COUNTS_MOST)
            return fail(error, "--threads: more than %d numbers", PLAN_THREAD_COUNTS_MOST);
        if (!rules_check_threads(&option_names, request->threads[i], error))
            return false;
        for (size_t j = 0; j < i; j++)
            if (request->threads[j] == request->threads[i])
                return fail(error, "--threads: %" PRIu64 " is there twice", request->threads[i]);
        builder->threads[i] = request->threads[i];
    }
    qsort(builder->threads, builder->thread_count, sizeof *builder->threads, compare_sizes);
    return true;
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
    struct builder builder = {.request = request, .profile = profile};
    uint64_t rounds = request->rounds ? request->rounds : profile->rounds;
    uint64_t seed = request->has_seed ? request->seed : random_seed();
    if (!rules_check_range(&option_names, option_names.rounds, rounds, 1, PLAN_ROUNDS_MOST, error) ||
        !rules_check_range(&option_names, option_names.seed, seed, 0, PLAN_SEED_MOST, error) ||
        !rules_check_range(&option_names, option_names.max_time, request->max_time_ns, 0, PLAN_TIME_MOST,
                           error) ||
        (request->block_bytes && !rules_check_block(&option_names, request->block_bytes, error)) ||
        !set_threads(&builder, error) || !choose_all(&builder, error))
        return false;

    if (!add_all(&builder, plan, add_variants, error) || !add_all(&builder, plan, add_sweep, error)) {
        plan_release(plan);
        return false;
    }
    if (!request->no_follow_up)
        add_follow_ups(&builder, plan);
    plan->profile = xstrdup(profile->id);
    plan->rounds = (unsigned)rounds;
    plan->warmup_rounds = request->no_warmup ? 0 : 1;
    plan->seed = seed;
    plan->max_time_ns = request->max_time_ns;
    plan->verify_full = request->verify_full;
    plan->same_disk = request->same_disk;
    plan->no_follow_up = request->no_follow_up;
    return true;
}

bool plan_in_round_0(const struct plan *plan, size_t index)
{
    if (plan->workloads[index].follow_up)
        return false;
    for (size_t i = 0; i < index; i++)
        if (workload_same_sweep(&plan->workloads[i], &plan->workloads[index]))
            return false; // a smaller one
    return true;
}

void plan_release(struct plan *plan)
{
    free(plan->profile);
    free(plan->workloads);
    *plan = (struct plan){0};
}
