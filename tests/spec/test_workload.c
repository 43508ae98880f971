#include "base/units.h"
#include "spec/workload.h"
#include "stats/phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

int test_workload(int argc, char *argv[]);

static void every_kind_is_described(void **state)
{
    (void)state;
    for (enum workload_kind kind = 0; kind < WORKLOAD_KINDS; kind++) {
        const struct workload_description *description = &workload_descriptions[kind];
        assert_true(description->id && description->id[0]);
        assert_true(description->operation && description->operation[0]);
        assert_true(description->phases & 1u << PHASE_OP);
        assert_int_equal(description->phases >> PHASE_COUNT, 0);
        assert_true(description->version > 0);
        assert_true(unit_name(description->unit) && sync_name(description->sync));
        assert_int_equal(workload_kind_by_id(description->id), kind);
        assert_int_equal(description->higher_is_better, description->unit != UNIT_MILLISECONDS);
    }
    assert_int_equal(workload_kind_by_id("seq-write-64"), WORKLOAD_KINDS);
    assert_int_equal(workload_kind_by_id(""), WORKLOAD_KINDS);
    assert_int_equal(workload_kind_by_id("CREATE"), WORKLOAD_KINDS);
}

static void names_read_back(void **state)
{
    (void)state;
    assert_string_equal(unit_name(UNIT_FILES_PER_SECOND), "files/s");
    assert_string_equal(unit_name(UNIT_MILLISECONDS), "ms");
    assert_string_equal(unit_name(UNIT_MEGABYTES_PER_SECOND), "MB/s");
    for (enum sync_kind sync = 0; sync < SYNC_COUNT; sync++)
        assert_int_equal(sync_by_name(sync_name(sync)), sync);
    assert_int_equal(sync_by_name("Sync"), SYNC_COUNT);
}

static void every_variant_has_its_id(void **state)
{
    (void)state;
    for (const struct workload_variant *variant = workload_variants; variant->id; variant++) {
        struct workload workload = {
            .kind = variant->kind, .access = variant->access, .block_bytes = variant->block_bytes};
        char id[WORKLOAD_ID_SIZE];
        workload_base_id(&workload, id);
        assert_string_equal(id, variant->id);
        assert_int_equal(access_by_name(access_name(variant->access)), variant->access);
    }
    struct workload sweep = {.kind = WORKLOAD_SEQ_WRITE, .bytes = 256 * MIB, .block_bytes = MIB};
    char id[WORKLOAD_ID_SIZE];
    workload_base_id(&sweep, id);
    assert_string_equal(id, "seq-write-256");
    assert_int_equal(access_by_name("warm"), ACCESS_COUNT);
}

static size_t step_of(const char *id)
{
    struct workload workload = {.kind = WORKLOAD_CREATE, .threads = 4};
    snprintf(workload.id, sizeof workload.id, "%s", id);
    return workload_step_length(&workload);
}

static void an_id_has_a_step_before_it_and_threads_behind_it(void **state)
{
    (void)state;
    assert_int_equal(step_of("create"), 0);
    assert_int_equal(step_of("create-t4"), 0);
    assert_int_equal(step_of("clone-create"), 6);
    assert_int_equal(step_of("clone-create-t4"), 6);
    assert_int_equal(step_of("my-clone-2-create"), 11);
    static const char *const none[] = {
        "",           "creat",          "create-t1",       "create-t04",   "create-t4-t4", "create-",
        "-create",    "--create",       "clonecreate",     "clone-Create", "Clone-create", "clone create",
        "a b-create", "\x1b[2J-create", "\xc3\xa9-create", "clone/-create"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_true(step_of(none[i]) == SIZE_MAX);
}

static void sizes_of_one_step_and_threads_are_a_sweep(void **state)
{
    (void)state;
    struct workload a = {.kind = WORKLOAD_SEQ_WRITE, .id = "clone-seq-write-1", .bytes = MIB, .threads = 1};
    struct workload b = {
        .kind = WORKLOAD_SEQ_WRITE, .id = "clone-seq-write-22", .bytes = 22 * MIB, .threads = 1};
    assert_true(workload_same_sweep(&a, &b));
    b.threads = 2;
    assert_false(workload_same_sweep(&a, &b));
    b.threads = 1;
    memcpy(b.id, "close", 5);
    assert_false(workload_same_sweep(&a, &b));
    b = (struct workload){.kind = WORKLOAD_SEQ_WRITE, .id = "seq-write-2", .bytes = 2 * MIB, .threads = 1};
    assert_false(workload_same_sweep(&a, &b));
    struct workload walk = {.kind = WORKLOAD_WALK, .id = "walk", .threads = 1};
    assert_false(workload_same_sweep(&walk, &walk));
}

static void counts_what_a_batch_does(void **state)
{
    (void)state;
    struct workload create = {.kind = WORKLOAD_CREATE, .tree = tree_of(200, 4096), .threads = 4};
    assert_int_equal(workload_ops(&create), 200);
    assert_int_equal(workload_bytes(&create), 200 * 4096);
    assert_int_equal(workload_files(&create), 200);
    struct workload walk = create, delete = create;
    walk.kind = WORKLOAD_WALK;
    delete.kind = WORKLOAD_DELETE;
    assert_int_equal(workload_ops(&walk), 200);
    assert_int_equal(workload_bytes(&walk), 0);
    assert_int_equal(workload_ops(&delete), 200);
    assert_int_equal(workload_bytes(&delete), 0);
    struct workload write = {
        .kind = WORKLOAD_SEQ_WRITE, .bytes = 64 * MIB, .block_bytes = 3 * MIB, .threads = 2};
    assert_int_equal(workload_ops(&write), 22); // the last block is short
    assert_int_equal(workload_bytes(&write), 64 * MIB);
    assert_int_equal(workload_files(&write), 2);
    write.block_bytes = 128 * MIB;
    assert_int_equal(workload_ops(&write), 1);
    struct workload random = {
        .kind = WORKLOAD_RAND_READ, .bytes = 64 * MIB, .block_bytes = 4096, .operations = 2000, .threads = 4};
    assert_int_equal(workload_ops(&random), 2000);
    assert_int_equal(workload_bytes(&random), 2000 * 4096);
    assert_int_equal(workload_payload(&random), 64 * MIB);
    assert_int_equal(workload_files(&random), 4);
    struct workload read = create;
    read.kind = WORKLOAD_READ_TREE;
    assert_int_equal(workload_bytes(&read), 200 * 4096);
    assert_true(workload_on_tree(&read));
    assert_false(workload_on_tree(&random));
    struct workload nothing = {.kind = WORKLOAD_SEQ_WRITE};
    assert_int_equal(workload_ops(&nothing), 0);
}

int test_workload(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_described),
        cmocka_unit_test(names_read_back),
        cmocka_unit_test(every_variant_has_its_id),
        cmocka_unit_test(an_id_has_a_step_before_it_and_threads_behind_it),
        cmocka_unit_test(sizes_of_one_step_and_threads_are_a_sweep),
        cmocka_unit_test(counts_what_a_batch_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
