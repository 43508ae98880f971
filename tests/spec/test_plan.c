#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "spec/plan.h"
#include "spec/plan_check.h"
#include "spec/plan_total.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_plan(int argc, char *argv[]);

static void make(struct plan *plan, const struct plan_request *request)
{
    struct error error = {{0}};
    if (!plan_make(request, plan, &error))
        fail_msg("%s", error.text);
    if (!plan_check(plan, &error))
        fail_msg("made, but %s", error.text);
}

// "+" stands before those that only the rules may ask for.
static void assert_ids(const struct plan_request *request, const char *expected)
{
    struct plan plan;
    make(&plan, request);
    struct text ids = {0};
    for (size_t i = 0; i < plan.workload_count; i++)
        text_printf(&ids, "%s%s%s", i > 0 ? " " : "", plan.workloads[i].follow_up ? "+" : "",
                    plan.workloads[i].id);
    assert_string_equal(text_string(&ids), expected);
    text_free(&ids);
    plan_release(&plan);
}

static void assert_refused(const struct plan_request *request, const char *message)
{
    struct plan plan;
    struct error error = {{0}};
    assert_false(plan_make(request, &plan, &error));
    assert_memory_equal(error.text, message, strlen(message) < sizeof error.text ? strlen(message) : 0);
    assert_null(plan.workloads);
    assert_null(plan.profile);
}

static void profiles_are_what_they_say(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.has_seed = true, .seed = 1});
    assert_string_equal(plan.profile, "agent-disk");
    assert_int_equal(plan.rounds, 6);
    assert_int_equal(plan.warmup_rounds, 1);
    assert_int_equal(plan.seed, 1);
    assert_int_equal(plan.workload_count, 8);
    assert_int_equal(plan.workloads[0].tree.files, 200);
    assert_int_equal(plan.workloads[0].tree.file_bytes, 4096);
    assert_int_equal(plan.workloads[0].threads, 1);
    assert_int_equal(plan.workloads[0].sync, SYNC_SYNCFS);
    assert_int_equal(plan.workloads[0].bytes, 0);
    assert_int_equal(plan.workloads[3].bytes, 64 * MIB);
    assert_int_equal(plan.workloads[3].block_bytes, MIB);
    assert_int_equal(plan.workloads[3].sync, SYNC_FSYNC);
    assert_int_equal(plan.workloads[3].tree.files, 0);
    plan_release(&plan);
    assert_ids(&(struct plan_request){0},
               "create walk delete seq-write-64 seq-write-256 seq-write-1024 +walk-later +seq-write-2048");
    assert_ids(&(struct plan_request){.profile = "quick"}, "create walk delete seq-write-64 +walk-later");
    for (const struct profile *profile = profiles; profile->id; profile++) {
        assert_ptr_equal(profile_by_id(profile->id), profile);
        struct plan each;
        make(&each, &(struct plan_request){.profile = profile->id});
        assert_int_equal(each.rounds, profile->rounds);
        plan_release(&each);
    }
    assert_null(profile_by_id("Quick"));
}

static void takes_workloads_in_any_order(void **state)
{
    (void)state;
    assert_ids(&(struct plan_request){.workloads = "delete"}, "delete");
    assert_ids(&(struct plan_request){.workloads = "walk"}, "walk +walk-later");
    assert_ids(&(struct plan_request){.workloads = "delete,create,walk"}, "create walk delete +walk-later");
    assert_ids(&(struct plan_request){.profile = "quick", .workloads = "seq-write,create"},
               "create seq-write-64");
    assert_ids(&(struct plan_request){.workloads = "seq-write-7"}, "seq-write-7");
    assert_ids(&(struct plan_request){.workloads = "seq-write-300,seq-write-20,delete"},
               "delete seq-write-20 seq-write-300");
    assert_ids(&(struct plan_request){.profile = "quick", .workloads = "seq-write,seq-write-2"},
               "seq-write-2 seq-write-64");
    struct plan_request sizes = {.workloads = "seq-write", .sizes = {5 * MIB, MIB, 3 * MIB}, .size_count = 3};
    assert_ids(&sizes, "seq-write-1 seq-write-3 seq-write-5 +seq-write-10");
    assert_ids(&(struct plan_request){.workloads = "seq-write-1048576"}, "seq-write-1048576");
}

static void refuses_workloads_that_are_none(void **state)
{
    (void)state;
    static const char *const unknown[] = {"foo",
                                          "Create",
                                          "create ",
                                          " create",
                                          "seq-write-",
                                          "seq-write-0",
                                          "seq-write-064",
                                          "seq-write-6 4",
                                          "seq-write--1",
                                          "seq-write-1.5",
                                          "seq-write-64MiB",
                                          "seq-write-+1",
                                          "seq-write-1e3",
                                          "seq-write-0x10",
                                          "seq-read-",
                                          "seq-read-cold-",
                                          "clone-create",
                                          "create\n",
                                          "seq-write-1048577",
                                          "\xff\x1b[2J",
                                          "seq-write-99999999999999999999"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char *message = xformat("--workloads: no workload is called \"%s\"; there are create, walk, "
                                "walk-later, read-tree, rename, delete, seq-read-cold, ",
                                unknown[i]);
        assert_refused(&(struct plan_request){.workloads = unknown[i]}, message);
        free(message);
    }
    static const char *const holes[] = {"", ",", "create,", ",create", "create,,walk"};
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++)
        assert_refused(&(struct plan_request){.workloads = holes[i]}, "--workloads: an id is missing");
    assert_refused(&(struct plan_request){.workloads = "create,walk,create"},
                   "--workloads: create is there twice");
    assert_refused(&(struct plan_request){.workloads = "seq-write,seq-write"},
                   "--workloads: seq-write-64 is there twice");
    assert_refused(&(struct plan_request){.workloads = "seq-write-64,seq-write"},
                   "--workloads: seq-write-64 is there twice");
    assert_refused(&(struct plan_request){.workloads = "seq-write-5,seq-write-5"},
                   "--workloads: seq-write-5 is there twice");
    struct text many = {0};
    for (int i = 1; i <= PLAN_SIZES_MOST + 1; i++)
        text_printf(&many, "%sseq-write-%d", i > 1 ? "," : "", i);
    assert_refused(&(struct plan_request){.workloads = many.bytes}, "--workloads: more than 16 sizes");
    text_free(&many);
}

static void refuses_what_is_out_of_range(void **state)
{
    (void)state;
    assert_refused(&(struct plan_request){.profile = "fast"},
                   "--profile: no profile is called \"fast\"; there are agent-disk, quick");
    assert_refused(&(struct plan_request){.rounds = 501}, "--rounds: 501 is not from 1 to 500");
    assert_refused(&(struct plan_request){.rounds = UINT64_MAX}, "--rounds: 18446744073709551615 is not");
    assert_refused(&(struct plan_request){.files = 10000001}, "--files: 10000001 is not from 1 to 10000000");
    assert_refused(&(struct plan_request){.has_file_bytes = true, .file_bytes = GIB + 1},
                   "--file-size: 1073741825 is not from 0 to 1073741824");
    assert_refused(&(struct plan_request){.files = 2000000, .has_file_bytes = true, .file_bytes = MIB},
                   "--files: 2000000 files of 1048576 bytes are more than 1 TiB");
    assert_refused(&(struct plan_request){.threads = {65}, .thread_count = 1},
                   "--threads: 65 is not from 1 to 64");
    assert_refused(&(struct plan_request){.threads = {1, UINT64_C(1) << 32}, .thread_count = 2},
                   "--threads: 4294967296 is not");
    assert_refused(&(struct plan_request){.threads = {2, 4, 2}, .thread_count = 3},
                   "--threads: 2 is there twice");
    assert_refused(&(struct plan_request){.threads = {1, 2, 3, 4, 5, 6, 7, 8}, .thread_count = 9},
                   "--threads: more than 8 numbers");
    assert_refused(&(struct plan_request){.max_time_ns = UINT64_MAX}, "--max-time: ");
    assert_refused(&(struct plan_request){.profile = "npm-install", .files = 10000001}, "--files: ");
    assert_refused(&(struct plan_request){.workloads =
                                              "create,walk,walk-later,read-tree,rename,delete,seq-read,"
                                              "rand-read,rand-write,commit,seq-write",
                                          .threads = {1, 2, 3, 4, 5, 6, 7, 8},
                                          .thread_count = 8},
                   "--workloads: more than 128 of them");
    assert_refused(&(struct plan_request){.block_bytes = 512}, "--block: 512 is not from 4096 to 67108864");
    assert_refused(&(struct plan_request){.block_bytes = 128 * MIB}, "--block: 134217728 is not");
    assert_refused(&(struct plan_request){.block_bytes = 5000}, "--block: 5000 is not a multiple of 4096");
    assert_refused(&(struct plan_request){.has_seed = true, .seed = PLAN_SEED_MOST + 1},
                   "--seed: 9007199254740992 is not from 0 to 9007199254740991");
    assert_refused(&(struct plan_request){.sizes = {MIB + 1}, .size_count = 1},
                   "--sizes: 1048577 bytes are not whole MiB");
    assert_refused(&(struct plan_request){.sizes = {0}, .size_count = 1}, "--sizes: 0 is not from");
    assert_refused(&(struct plan_request){.sizes = {UINT64_C(1) << 41}, .size_count = 1}, "--sizes: ");
    assert_refused(&(struct plan_request){.sizes = {MIB, 2 * MIB, MIB}, .size_count = 3},
                   "--sizes: 1 MiB is there twice");
    assert_refused(&(struct plan_request){.sizes = {MIB}, .size_count = 17}, "--sizes: ");
}

static void takes_the_edges(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.rounds = 500,
                                       .files = TREE_FILES_MOST,
                                       .has_file_bytes = true,
                                       .threads = {64},
                                       .thread_count = 1,
                                       .block_bytes = 4096,
                                       .has_seed = true,
                                       .seed = PLAN_SEED_MOST,
                                       .no_warmup = true,
                                       .verify_full = true,
                                       .same_disk = true});
    assert_int_equal(plan.rounds, 500);
    assert_int_equal(plan.warmup_rounds, 0);
    assert_int_equal(plan.seed, PLAN_SEED_MOST);
    assert_int_equal(plan.workloads[0].tree.file_bytes, 0);
    assert_int_equal(plan.workloads[0].tree.depth, 1);
    assert_int_equal(plan.workloads[0].threads, 64);
    assert_int_equal(plan.workloads[3].block_bytes, 4096);
    assert_true(plan.verify_full && plan.same_disk);
    plan_release(&plan);
}

static void seeds_are_random_unless_given(void **state)
{
    (void)state;
    struct plan a, b;
    make(&a, &(struct plan_request){0});
    make(&b, &(struct plan_request){0});
    assert_true(a.seed != b.seed); // one chance in 2^53
    plan_release(&a);
    plan_release(&b);
    make(&a, &(struct plan_request){.has_seed = true});
    assert_int_equal(a.seed, 0);
    plan_release(&a);
}

static void sums_up_what_a_tier_is_asked(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.profile = "quick", .rounds = 6});
    struct plan_totals totals = plan_total(&plan);
    assert_int_equal(totals.ops, 7 * (3 * 200 + 64));
    assert_int_equal(totals.bytes_written, 7 * (200 * 4096 + 64 * MIB));
    assert_int_equal(totals.files_created, 7 * 201);
    assert_int_equal(totals.largest_payload_bytes, 64 * MIB);
    assert_int_equal(totals.most_files, 200);
    plan_release(&plan);

    // Round 0 of the sweep is its smallest size alone.
    make(&plan,
         &(struct plan_request){.workloads = "seq-write", .rounds = 5, .threads = {4}, .thread_count = 1});
    totals = plan_total(&plan);
    assert_int_equal(totals.bytes_written, (64 + 5 * (64 + 256 + 1024)) * MIB);
    assert_int_equal(totals.ops, 64 + 5 * (64 + 256 + 1024));
    assert_int_equal(totals.files_created, 16 * 4);
    assert_int_equal(totals.largest_payload_bytes, 1024 * MIB);
    assert_int_equal(totals.most_files, 4);
    plan_release(&plan);

    // The tree is made untimed, and counts.
    make(&plan,
         &(struct plan_request){
             .workloads = "delete", .rounds = 2, .no_warmup = true, .has_file_bytes = true, .file_bytes = 1});
    totals = plan_total(&plan);
    assert_int_equal(totals.ops, 400);
    assert_int_equal(totals.bytes_written, 400);
    assert_int_equal(totals.files_created, 400);
    assert_int_equal(totals.largest_payload_bytes, 200 * 4096);
    plan_release(&plan);

    // Each step has its own first use, and each rename a tree that none was done on.
    make(&plan, &(struct plan_request){.profile = "git",
                                       .rounds = 2,
                                       .workloads = "clone-seq-write-1,clone-seq-write-3,seq-write-8"});
    assert_int_equal(plan_total(&plan).bytes_written, (3 * 1 + 2 * 3 + 3 * 8) * MIB);
    plan_release(&plan);
    struct plan_request renames = {
        .workloads = "walk,rename", .rounds = 1, .no_warmup = true, .threads = {1, 2, 4}, .thread_count = 3};
    make(&plan, &renames);
    assert_int_equal(plan_total(&plan).files_created, 3 * 200);
    assert_int_equal(plan_total(&plan).most_files, 200);
    plan_release(&plan);
    renames.workloads = "rename,delete";
    make(&plan, &renames); // one deletes what the one before renamed
    assert_int_equal(plan_total(&plan).files_created, 3 * 200);
    plan_release(&plan);

    // An empty file takes a block as well; one of 4097 bytes two.
    make(&plan, &(struct plan_request){.workloads = "create", .files = 10, .has_file_bytes = true});
    assert_int_equal(plan_total(&plan).largest_payload_bytes, 10 * 4096);
    assert_int_equal(plan_total(&plan).bytes_written, 0);
    plan_release(&plan);
    make(&plan, &(struct plan_request){
                    .workloads = "create", .files = 10, .has_file_bytes = true, .file_bytes = 4097});
    assert_int_equal(plan_total(&plan).largest_payload_bytes, 10 * 8192);
    plan_release(&plan);
}

// ---- Plans from documents ----

static void assert_damaged(const struct plan *plan, const char *message)
{
    struct error error = {{0}};
    assert_false(plan_check(plan, &error));
    error.text[strlen(message)] = '\0';
    assert_string_equal(error.text, message);
}

#define DAMAGED(member, value, message)                                                                      \
    do {                                                                                                     \
        struct plan damaged = plan;                                                                          \
        damaged.workloads = xcalloc(plan.workload_count, sizeof *plan.workloads);                            \
        memcpy(damaged.workloads, plan.workloads, plan.workload_count * sizeof *plan.workloads);             \
        damaged.member = value;                                                                              \
        assert_damaged(&damaged, message);                                                                   \
        free(damaged.workloads);                                                                             \
    } while (0)

static void checks_a_plan_by_the_same_rules(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.profile = "quick"});
    DAMAGED(profile, NULL, "plan.profile: ");
    DAMAGED(rounds, 0, "plan.rounds: 0 is not from 1 to 500");
    DAMAGED(rounds, 1000000, "plan.rounds: ");
    DAMAGED(warmup_rounds, 2, "plan.warmup_rounds: ");
    DAMAGED(seed, PLAN_SEED_MOST + 1, "plan.seed: ");
    DAMAGED(workload_count, 0, "plan.workloads: ");
    DAMAGED(workload_count, 129, "plan.workloads: ");
    DAMAGED(workloads[1].kind, WORKLOAD_KINDS, "plan.workloads[1].kind: ");
    DAMAGED(workloads[1].kind, WORKLOAD_CREATE, "plan.workloads[1].id: ");
    DAMAGED(workloads[1].sync, SYNC_SYNCFS, "plan.workloads[1].sync: walk ends in none");
    DAMAGED(max_time_ns, PLAN_TIME_MOST + 1, "plan.max_time_ns: ");
    DAMAGED(workloads[0].version, 0, "plan.workloads[0].version: ");
    DAMAGED(workloads[2].threads, 0, "plan.workloads[2].threads: ");
    DAMAGED(workloads[2].threads, 65, "plan.workloads[2].threads: ");
    DAMAGED(workloads[0].tree.files, 0, "plan.workloads[0].files: ");
    DAMAGED(workloads[0].tree.depth, 5, "plan.workloads[0].depth: 5 is not from 0 to 4");
    DAMAGED(workloads[0].tree.file_bytes, 2 * GIB, "plan.workloads[0].file_bytes: ");
    DAMAGED(workloads[0].tree.fanout, 0, "plan.workloads[0].fanout: ");
    DAMAGED(workloads[0].tree.fanout, 257, "plan.workloads[0].fanout: ");
    DAMAGED(workloads[0].tree.size_count, 13, "plan.workloads[0].sizes: ");
    DAMAGED(workloads[0].tree.size_count, 1, "plan.workloads[0].sizes: a share of 0");
    DAMAGED(workloads[0].id[0], 'x', "plan.workloads[0].id: \"xreate\"");
    DAMAGED(workloads[3].bytes, MIB, "plan.workloads[3].id: \"seq-write-64\"");
    DAMAGED(workloads[3].bytes, 7, "plan.workloads[3].bytes: ");
    DAMAGED(workloads[3].block_bytes, 0, "plan.workloads[3].block_bytes: ");
    DAMAGED(workloads[2], plan.workloads[1], "plan.workloads[2].id: \"walk\" is there twice");
    DAMAGED(workloads[1], plan.workloads[3], "plan.workloads[2].id: \"delete\" can't stand after");
    plan_release(&plan);
}

static void checks_what_else_a_document_says(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.workloads = "rename,seq-read-cold,rand-read,commit"});
    assert_int_equal(plan.workload_count, 5);
    DAMAGED(workloads[1].access, ACCESS_BUFFERED, "plan.workloads[1].access: ");
    DAMAGED(workloads[1].block_bytes, 8192, "plan.workloads[1].access: ");
    DAMAGED(workloads[1].operations, 3, "plan.workloads[1].operations: ");
    DAMAGED(workloads[2].operations, 0, "plan.workloads[2].operations: ");
    DAMAGED(workloads[3].operations, 7, "plan.workloads[3].instead: ");
    DAMAGED(workloads[4].instead, true, "plan.workloads[4].instead: ");
    DAMAGED(workloads[4].bytes, 4096, "plan.workloads[4].bytes: ");
    DAMAGED(workloads[0].wait_ns, UINT64_MAX, "plan.workloads[0].wait_ns: ");
    DAMAGED(workloads[0].wait_ns, 1, "plan.workloads[0].wait_ns: a rename doesn't wait");
    DAMAGED(workloads[0].tree.fanout, 32, "plan.workloads[0].fanout: 32, but a tree without");
    plan_release(&plan);
    make(&plan, &(struct plan_request){.profile = "npm-install", .workloads = "walk-later"});
    DAMAGED(workloads[0].wait_ns, 0, "plan.workloads[0].wait_ns: a walk-later has to wait");
    DAMAGED(workloads[0].tree.file_bytes, 1, "plan.workloads[0].file_bytes: 1, but the sizes say it");
    DAMAGED(workloads[0].tree.fanout, 41, "plan.workloads[0].depth: 3 levels of 41 directories");
    plan_release(&plan);
}

static void assert_id(struct plan *plan, size_t index, const char *id, const char *message)
{
    char before[WORKLOAD_ID_SIZE];
    memcpy(before, plan->workloads[index].id, sizeof before);
    snprintf(plan->workloads[index].id, sizeof plan->workloads[index].id, "%s", id);
    struct error error = {{0}};
    if (plan_check(plan, &error) != !message)
        fail_msg("%s: %s", id, error.text);
    if (message)
        assert_memory_equal(error.text, message, strlen(message));
    memcpy(plan->workloads[index].id, before, sizeof before);
}

static void checks_ids_and_their_order(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.workloads = "create,seq-write-2,seq-write-4"});
    assert_id(&plan, 0, "clone-create", NULL);
    assert_id(&plan, 0, "create-t1", NULL);
    assert_id(&plan, 0, "my-clone-2-create-t1", NULL);
    assert_id(&plan, 0, "create-t2", "plan.workloads[0].id: \"create-t2\" is not");
    assert_id(&plan, 0, "-create", "plan.workloads[0].id: ");
    assert_id(&plan, 0, "\x1b[2J-create", "plan.workloads[0].id: ");
    assert_id(&plan, 0, "", "plan.workloads[0].id: ");
    assert_id(&plan, 2, "seq-write-2",
              "plan.workloads[2].id: \"seq-write-2\" doesn't name its 4194304 bytes");
    // Sizes ascend within one step and number of threads.
    DAMAGED(workloads[1].bytes, 4 * MIB, "plan.workloads[1].id: ");
    struct workload smaller = plan.workloads[1];
    plan.workloads[1] = plan.workloads[2];
    plan.workloads[2] = smaller;
    assert_damaged(&plan, "plan.workloads[2].id: \"seq-write-2\" can't stand after \"seq-write-4\"");
    assert_id(&plan, 2, "clone-seq-write-2", NULL);
    assert_id(&plan, 2, "seq-write-2-t1", "plan.workloads[2].id: \"seq-write-2-t1\" can't stand after");
    plan.workloads[2].threads = 2;
    assert_id(&plan, 2, "seq-write-2-t2", NULL);
    plan.workloads[2].threads = 1;
    plan.workloads[2].bytes = 4 * MIB;
    assert_id(&plan, 2, "seq-write-4-t1", "plan.workloads[2].id: \"seq-write-4-t1\" can't stand after");
    plan_release(&plan);
}

static void stands_in_for_what_a_disk_cannot_do(void **state)
{
    (void)state;
    assert_ids(&(struct plan_request){.profile = "database"},
               "rand-read rand-read-buffered rand-write rand-write-buffered commit");
    struct plan plan;
    make(&plan, &(struct plan_request){.workloads = "rand-read,rand-write,rand-write-buffered"});
    assert_int_equal(plan.workload_count, 4);
    assert_false(plan.workloads[0].instead);
    assert_int_equal(plan.workloads[0].access, ACCESS_DIRECT);
    assert_true(plan.workloads[1].instead);
    assert_int_equal(plan.workloads[1].access, ACCESS_BUFFERED);
    assert_false(plan.workloads[3].instead); // it was asked for
    assert_int_equal(plan.workloads[0].operations, 2000);
    assert_int_equal(plan.workloads[0].bytes, 64 * MIB);
    // One of the two is done: it counts once.
    assert_int_equal(plan_total(&plan).ops, 7 * 3 * 2000);
    plan_release(&plan);
}

static void has_steps(void **state)
{
    (void)state;
    assert_ids(
        &(struct plan_request){.profile = "git"},
        "clone-create status-walk checkout-create checkout-rename clone-seq-write-16 +status-walk-later");
    assert_ids(&(struct plan_request){.profile = "git", .workloads = "status-walk,checkout-delete"},
               "status-walk checkout-delete +status-walk-later");
    assert_ids(&(struct plan_request){.profile = "git", .workloads = "walk,clone-seq-write"},
               "walk clone-seq-write-16 +walk-later");
    struct plan plan;
    make(&plan, &(struct plan_request){.profile = "git"});
    assert_int_equal(plan.workloads[0].tree.fanout, 256);
    assert_int_equal(plan.workloads[1].tree.files, 1200);
    assert_true(tree_same(&plan.workloads[1].tree, &plan.workloads[3].tree));
    plan_release(&plan);
    // As many files as are asked for, in the same shape; all of one size where that is asked for.
    make(&plan, &(struct plan_request){.profile = "npm-install", .files = 3000});
    assert_int_equal(plan.workloads[0].tree.files, 3000);
    assert_int_equal(plan.workloads[0].tree.depth, 3);
    assert_int_equal(plan.workloads[0].tree.size_count, 9);
    plan_release(&plan);
    make(&plan, &(struct plan_request){.profile = "npm-install", .has_file_bytes = true, .file_bytes = 10});
    assert_int_equal(plan.workloads[0].tree.size_count, 0);
    assert_int_equal(tree_bytes(&plan.workloads[0].tree), 17160);
    plan_release(&plan);
}

static void sweeps_threads(void **state)
{
    (void)state;
    struct plan_request request = {
        .workloads = "create,delete,seq-write-2,seq-write-1", .threads = {4, 1, 2}, .thread_count = 3};
    assert_ids(&request, "create-t1 delete-t1 create-t2 delete-t2 create-t4 delete-t4 "
                         "seq-write-1-t1 seq-write-2-t1 seq-write-1-t2 seq-write-2-t2 seq-write-1-t4 "
                         "seq-write-2-t4");
    struct plan plan;
    make(&plan, &request);
    assert_int_equal(plan.workloads[4].threads, 4);
    DAMAGED(workloads[4].threads, 2, "plan.workloads[4].id: ");
    plan_release(&plan);
    assert_ids(&(struct plan_request){.workloads = "commit", .threads = {4}, .thread_count = 1}, "commit");
}

static void has_what_the_rules_may_ask_for(void **state)
{
    (void)state;
    // What the plan has anyway isn't there twice.
    assert_ids(&(struct plan_request){.workloads = "walk,walk-later"}, "walk walk-later");
    assert_ids(&(struct plan_request){.workloads = "seq-read-direct-1m"},
               "seq-read-direct-1m +seq-read-direct-128k");
    assert_ids(&(struct plan_request){.workloads = "seq-read-direct-128k"}, "seq-read-direct-128k");
    assert_ids(&(struct plan_request){.workloads = "seq-read"},
               "seq-read-cold seq-read-reopened seq-read-same-fd seq-read-direct-1m seq-read-direct-128k");
    assert_ids(&(struct plan_request){.workloads = "seq-write-1,seq-write-2"}, "seq-write-1 seq-write-2");
    // For each step and each number of threads; behind everything, and the sizes last.
    assert_ids(&(struct plan_request){.workloads = "seq-write-1,seq-write-2,seq-write-3,walk",
                                      .threads = {1, 2},
                                      .thread_count = 2},
               "walk-t1 walk-t2 seq-write-1-t1 seq-write-2-t1 seq-write-3-t1 seq-write-1-t2 seq-write-2-t2 "
               "seq-write-3-t2 +walk-later-t1 +walk-later-t2 +seq-write-6-t1 +seq-write-6-t2");
    assert_ids(&(struct plan_request){.profile = "git",
                                      .workloads = "clone-seq-write-1,clone-seq-write-2,clone-seq-write-4,"
                                                   "seq-write-4,seq-write-8,seq-write-16,checkout-walk"},
               "checkout-walk clone-seq-write-1 clone-seq-write-2 clone-seq-write-4 seq-write-4 seq-write-8 "
               "seq-write-16 +checkout-walk-later +clone-seq-write-8 +seq-write-32");
    // Twice the largest there can be is none.
    assert_ids(&(struct plan_request){.workloads = "seq-write-1,seq-write-2,seq-write-524289"},
               "seq-write-1 seq-write-2 seq-write-524289");
    struct plan plan;
    make(&plan, &(struct plan_request){.no_follow_up = true});
    assert_true(plan.no_follow_up);
    assert_int_equal(plan.workload_count, 6);
    plan_release(&plan);

    make(&plan, &(struct plan_request){.block_bytes = 4096, .has_sync = true, .sync = SYNC_NONE});
    assert_false(plan.no_follow_up);
    const struct workload *later = &plan.workloads[6], *larger = &plan.workloads[7];
    assert_true(tree_same(&later->tree, &plan.workloads[1].tree));
    assert_true(later->wait_ns > 0 && later->kind == WORKLOAD_WALK_LATER && later->threads == 1);
    assert_true(larger->bytes == 2048 * MIB && larger->block_bytes == 4096 && larger->sync == SYNC_FSYNC);
    assert_true(workload_same_sweep(larger, &plan.workloads[5]));
    for (size_t i = 0; i < plan.workload_count; i++)
        assert_int_equal(plan_in_round_0(&plan, i), i < 4);
    plan_release(&plan);
}

static struct plan_totals totals_of(bool no_follow_up)
{
    struct plan plan;
    make(&plan, &(struct plan_request){.no_follow_up = no_follow_up});
    struct plan_totals totals = plan_total(&plan);
    plan_release(&plan);
    return totals;
}

static void counts_nothing_that_may_be_asked_for(void **state)
{
    (void)state;
    struct plan_totals with = totals_of(false), without = totals_of(true);
    assert_memory_equal(&with, &without, sizeof with);
    assert_int_equal(with.largest_payload_bytes, 1024 * MIB);
}

// What is asked for has all the room, and what is left is filled from the front.
static void leaves_out_what_has_no_room(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){.workloads = "create,walk,read-tree,rename,delete,seq-read-cold,"
                                                    "seq-read-reopened,seq-read-same-fd,seq-read-direct-1m,"
                                                    "commit,seq-write-1,seq-write-2,seq-write-3,seq-write-4,"
                                                    "seq-write-5",
                                       .threads = {1, 2, 3, 4, 5, 6, 7, 8},
                                       .thread_count = 8});
    assert_int_equal(plan.workload_count, PLAN_WORKLOADS_MOST);
    assert_false(plan.workloads[119].follow_up);
    assert_string_equal(plan.workloads[120].id, "walk-later-t1");
    assert_string_equal(plan.workloads[127].id, "seq-read-direct-128k-t4");
    plan_release(&plan);
}

static void checks_what_may_be_asked_for(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){0});
    DAMAGED(workloads[6].follow_up, false, "plan.workloads[6].id: \"walk-later\" can't stand after");
    DAMAGED(workloads[7].follow_up, false, "plan.workloads[7].id: \"seq-write-2048\" can't stand after");
    DAMAGED(workloads[3].follow_up, true, "plan.workloads[4].id: \"seq-write-256\" can't stand after");
    DAMAGED(workloads[0].follow_up, true, "plan.workloads: none of them is of a round");
    plan_release(&plan);
}

static void chooses_what_makes_it_durable(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, &(struct plan_request){
                    .workloads = "create,walk,rename,delete,commit", .has_sync = true, .sync = SYNC_FSYNC});
    static const enum sync_kind fsync[] = {SYNC_FSYNC, SYNC_NONE, SYNC_FSYNC, SYNC_FSYNC, SYNC_FSYNC};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(plan.workloads[i].sync, fsync[i]);
    plan_release(&plan);
    make(&plan, &(struct plan_request){.workloads = "create,walk,rename,delete,commit", .has_sync = true});
    static const enum sync_kind none[] = {SYNC_NONE, SYNC_NONE, SYNC_NONE, SYNC_NONE, SYNC_FSYNC};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(plan.workloads[i].sync, none[i]);
    plan_release(&plan);
}

int test_plan(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_what_they_say),
        cmocka_unit_test(takes_workloads_in_any_order),
        cmocka_unit_test(refuses_workloads_that_are_none),
        cmocka_unit_test(refuses_what_is_out_of_range),
        cmocka_unit_test(takes_the_edges),
        cmocka_unit_test(seeds_are_random_unless_given),
        cmocka_unit_test(sums_up_what_a_tier_is_asked),
        cmocka_unit_test(checks_a_plan_by_the_same_rules),
        cmocka_unit_test(checks_what_else_a_document_says),
        cmocka_unit_test(checks_ids_and_their_order),
        cmocka_unit_test(stands_in_for_what_a_disk_cannot_do),
        cmocka_unit_test(has_steps),
        cmocka_unit_test(sweeps_threads),
        cmocka_unit_test(has_what_the_rules_may_ask_for),
        cmocka_unit_test(counts_nothing_that_may_be_asked_for),
        cmocka_unit_test(leaves_out_what_has_no_room),
        cmocka_unit_test(checks_what_may_be_asked_for),
        cmocka_unit_test(chooses_what_makes_it_durable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
