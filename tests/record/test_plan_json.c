#include "record/plan_json.h"

#include "base/clock.h"
#include "base/text.h"
#include "record/split_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_plan_json(int argc, char *argv[]);

static void make(struct plan *plan, const struct plan_request *request)
{
    struct error error = {{0}};
    if (!plan_make(request, plan, &error))
        fail_msg("%s", error.text);
}

static void write_plan(const struct plan *plan, struct text *text)
{
    struct json_out out = {.text = text};
    plan_json_write(plan, &out);
}

static bool read_plan_of(bool imported, const char *document, struct plan *plan, struct error *error)
{
    struct cJSON *members;
    struct json_span apart;
    *plan = (struct plan){0};
    if (!json_split((struct json_span){.bytes = document, .length = strlen(document)}, "samples", &members,
                    &apart, error))
        return false;
    struct json_value value = {.node = members};
    bool read = plan_json_read(&value, imported, plan, error);
    json_free(members);
    return read;
}

static bool read_plan(const char *document, struct plan *plan, struct error *error)
{
    return read_plan_of(false, document, plan, error);
}

static void assert_same_workload(const struct workload *a, const struct workload *b)
{
    assert_string_equal(a->id, b->id);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->version, b->version);
    assert_true(tree_same(&a->tree, &b->tree));
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->block_bytes, b->block_bytes);
    assert_int_equal(a->operations, b->operations);
    assert_int_equal(a->access, b->access);
    assert_int_equal(a->instead, b->instead);
    assert_int_equal(a->follow_up, b->follow_up);
    assert_int_equal(a->wait_ns, b->wait_ns);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->sync, b->sync);
}

static void assert_reads_back(const struct plan_request *request)
{
    struct plan plan, back;
    struct error error = {{0}};
    struct text text = {0};
    make(&plan, request);
    write_plan(&plan, &text);
    if (!read_plan(text_string(&text), &back, &error))
        fail_msg("%s", error.text);
    assert_string_equal(back.profile, plan.profile);
    assert_int_equal(back.rounds, plan.rounds);
    assert_int_equal(back.warmup_rounds, plan.warmup_rounds);
    assert_int_equal(back.seed, plan.seed);
    assert_int_equal(back.max_time_ns, plan.max_time_ns);
    assert_int_equal(back.verify_full, plan.verify_full);
    assert_int_equal(back.same_disk, plan.same_disk);
    assert_int_equal(back.workload_count, plan.workload_count);
    for (size_t i = 0; i < plan.workload_count; i++)
        assert_same_workload(&plan.workloads[i], &back.workloads[i]);
    text_free(&text);
    plan_release(&back);
    plan_release(&plan);
}

static void every_plan_reads_back(void **state)
{
    (void)state;
    for (const struct profile *profile = profiles; profile->id; profile++)
        assert_reads_back(&(struct plan_request){.profile = profile->id, .has_seed = true, .seed = 7});
    struct plan_request all = {.workloads =
                                   "create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,"
                                   "rand-write,rand-write-buffered,commit,seq-write",
                               .threads = {1, 4},
                               .thread_count = 2,
                               .max_time_ns = 90 * (uint64_t)NS_PER_S,
                               .block_bytes = 4096,
                               .no_warmup = true,
                               .verify_full = true,
                               .same_disk = true};
    assert_reads_back(&all);
    for (enum sync_kind sync = 0; sync < SYNC_MACHINE; sync++)
        assert_reads_back(&(struct plan_request){
            .profile = "git", .has_sync = true, .sync = sync, .has_file_bytes = sync == SYNC_FSYNC});
    assert_reads_back(&(struct plan_request){.files = 3000}); // in directories
}

// Word for word, so that no member that means nothing slips in.
static void leaves_out_what_a_kind_does_not_use(void **state)
{
    (void)state;
    struct plan plan;
    struct text text = {0};
    make(&plan, &(struct plan_request){.workloads = "walk-later,rand-read,seq-write-1",
                                       .rounds = 1,
                                       .has_seed = true,
                                       .has_file_bytes = true});
    write_plan(&plan, &text);
    assert_string_equal(
        text_string(&text),
        "{\"profile\": \"agent-disk\", \"rounds\": 1, \"warmup_rounds\": 1, \"order\": \"mirrored\", "
        "\"seed\": 0, "
        "\"workloads\": [\n"
        "{\"id\": \"walk-later\", \"kind\": \"walk-later\", \"version\": 1, \"files\": 200, \"file_bytes\": "
        "0, "
        "\"depth\": 0, \"fanout\": 1, \"wait_ns\": 1500000000, \"threads\": 1, \"sync\": \"none\", \"data\": "
        "\"random\"},\n"
        "{\"id\": \"rand-read\", \"kind\": \"rand-read\", \"version\": 1, \"bytes\": 67108864, "
        "\"block_bytes\": "
        "4096, \"operations\": 2000, \"access\": \"direct\", \"threads\": 1, \"sync\": \"none\", \"data\": "
        "\"random\"},\n"
        "{\"id\": \"rand-read-buffered\", \"kind\": \"rand-read\", \"version\": 1, \"bytes\": 67108864, "
        "\"block_bytes\": 4096, \"operations\": 2000, \"instead\": true, \"threads\": 1, \"sync\": \"none\", "
        "\"data\": \"random\"},\n"
        "{\"id\": \"seq-write-1\", \"kind\": \"seq-write\", \"version\": 1, \"bytes\": 1048576, "
        "\"block_bytes\": "
        "1048576, \"threads\": 1, \"sync\": \"fsync\", \"data\": \"random\"}\n"
        "]}");
    text_free(&text);
    plan_release(&plan);
}

static void what_is_there_for_follow_ups_says_so(void **state)
{
    (void)state;
    struct plan plan, back;
    struct error error = {{0}};
    struct text text = {0};
    make(&plan, &(struct plan_request){.workloads = "walk"});
    assert_true(plan.workloads[plan.workload_count - 1].follow_up);
    write_plan(&plan, &text);
    if (!read_plan(text_string(&text), &back, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < plan.workload_count; i++)
        assert_same_workload(&plan.workloads[i], &back.workloads[i]);
    text_free(&text);
    plan_release(&back);
    plan_release(&plan);
}

static void only_what_is_imported_ends_in_sync(void **state)
{
    (void)state;
    struct plan plan, back;
    struct error error = {{0}};
    struct text text = {0};
    make(&plan, &(struct plan_request){.workloads = "create,walk,seq-write-64"});
    for (size_t i = 0; i < plan.workload_count; i++)
        plan.workloads[i].sync = SYNC_MACHINE;
    write_plan(&plan, &text);
    if (!read_plan_of(true, text_string(&text), &back, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < plan.workload_count; i++)
        assert_int_equal(back.workloads[i].sync, SYNC_MACHINE);
    plan_release(&back);
    assert_false(read_plan_of(false, text_string(&text), &back, &error));
    assert_string_equal(error.text, "workloads[0].sync: \"sync\" is none of none, syncfs, fsync");
    text_free(&text);
    plan_release(&back);
    plan_release(&plan);
}

// As the first version wrote it: without anything that came later.
static void reads_what_an_earlier_version_wrote(void **state)
{
    (void)state;
    struct plan plan;
    struct error error = {{0}};
    if (!read_plan(
            "{\"profile\": \"quick\", \"rounds\": 6, \"warmup_rounds\": 1, \"order\": \"mirrored\","
            " \"seed\": 9, \"workloads\": ["
            "{\"id\": \"create\", \"kind\": \"create\", \"version\": 1, \"files\": 2000,"
            " \"file_bytes\": 4096, \"depth\": 1, \"fanout\": 32, \"threads\": 1, \"sync\": \"syncfs\"},"
            "{\"id\": \"delete\", \"kind\": \"delete\", \"files\": 200, \"file_bytes\": 4096},"
            "{\"id\": \"seq-write-64\", \"kind\": \"seq-write\", \"version\": 1, \"bytes\": 67108864,"
            " \"block_bytes\": 1048576, \"threads\": 1, \"sync\": \"fsync\"}]}",
            &plan, &error))
        fail_msg("%s", error.text);
    struct tree deep = tree_of(2000, 4096), flat = tree_of(200, 4096);
    assert_true(tree_same(&plan.workloads[0].tree, &deep));
    assert_true(tree_same(&plan.workloads[1].tree, &flat));
    assert_int_equal(plan.workloads[1].sync, SYNC_SYNCFS);
    assert_int_equal(plan.workloads[1].threads, 1);
    assert_int_equal(plan.workloads[2].access, ACCESS_BUFFERED);
    assert_false(plan.workloads[2].instead);
    assert_int_equal(plan.max_time_ns, 0);
    plan_release(&plan);
}

static void assert_refused(const char *workload, const char *message)
{
    struct plan plan;
    struct error error = {{0}};
    struct text text = {0};
    text_printf(
        &text,
        "{\"profile\": \"quick\", \"rounds\": 6, \"warmup_rounds\": 1, \"seed\": 9, \"workloads\": [%s]}",
        workload);
    assert_false(read_plan(text_string(&text), &plan, &error));
    if (!strstr(error.text, message))
        fail_msg("%s: %s", workload, error.text);
    text_free(&text);
    plan_release(&plan);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
#define TREE "\"kind\": \"walk\", \"files\": 200"
#define WALK "\"id\": \"walk\", " TREE ", \"file_bytes\": 0"
    assert_refused("{" WALK ", \"sizes\": 7}", "sizes: ");
    assert_refused("{" WALK ", \"sizes\": [7]}", "sizes[0]: ");
    assert_refused("{" WALK ", \"sizes\": [{\"share\": 1000}]}", "sizes[0].bytes: ");
    assert_refused("{" WALK ", \"sizes\": [{\"share\": -1, \"bytes\": 1}]}", "sizes[0].share: ");
    assert_refused("{" WALK ", \"sizes\": [{\"share\": 999, \"bytes\": 1}]}",
                   "sizes: the shares add up to 999");
    assert_refused("{" WALK ", \"sizes\": [{\"share\": 4294968296, \"bytes\": 1}]}", "sizes[0].share: ");
    assert_refused("{" WALK ", \"sizes\": [{},{},{},{},{},{},{},{},{},{},{},{},{}]}", "sizes: 13 of them");
    assert_refused("{\"id\": \"walk\", " TREE ", \"file_bytes\": 4096,"
                   " \"sizes\": [{\"share\": 1000, \"bytes\": 1}]}",
                   "file_bytes: 4096, but the sizes say it");
    assert_refused("{" WALK ", \"depth\": 4, \"fanout\": 256}", "depth: ");
    assert_refused("{" WALK ", \"depth\": 4294967296}", "depth: ");
    assert_refused("{" WALK ", \"fanout\": 0}", "fanout: ");
    assert_refused("{" WALK ", \"follow_up\": 1}", "follow_up: ");
    assert_refused("{" WALK ", \"wait_ns\": 1}", "wait_ns: a walk doesn't wait");
    assert_refused("{\"id\": \"\\u001b[2J-walk\", " TREE ", \"file_bytes\": 0}", "id: ");
#define RANDOM "\"kind\": \"rand-read\", \"bytes\": 67108864, \"block_bytes\": 4096"
    assert_refused("{\"id\": \"rand-read\", " RANDOM ", \"access\": \"direct\"}", "operations: missing");
    assert_refused("{\"id\": \"rand-read\", " RANDOM ", \"operations\": 2000, \"access\": \"cold\"}",
                   "access: ");
    assert_refused("{\"id\": \"rand-read\", " RANDOM ", \"operations\": 2000, \"access\": 4}", "access: ");
    assert_refused("{\"id\": \"rand-read-buffered\", " RANDOM ", \"operations\": 2000, \"instead\": true}",
                   "instead: ");
#undef TREE
#undef WALK
#undef RANDOM
}

int test_plan_json(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_reads_back),
        cmocka_unit_test(leaves_out_what_a_kind_does_not_use),
        cmocka_unit_test(what_is_there_for_follow_ups_says_so),
        cmocka_unit_test(only_what_is_imported_ends_in_sync),
        cmocka_unit_test(reads_what_an_earlier_version_wrote),
        cmocka_unit_test(refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
