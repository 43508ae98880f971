// test_section.c: how often a short section is repeated.
#include "rig.h"

#include "base/units.h"
#include "engine/preflight.h"
#include "engine/section.h"

static void test_batches(void **state)
{
    (void)state;
    assert_int_equal(section_batches(UINT64_C(50) * NS_PER_MS), 1);
    assert_int_equal(section_batches(UINT64_MAX), 1);
    assert_int_equal(section_batches(UINT64_C(50) * NS_PER_MS - 1), 2);
    assert_int_equal(section_batches(UINT64_C(25) * NS_PER_MS), 2);
    assert_int_equal(section_batches(UINT64_C(25) * NS_PER_MS - 1), 3);
    assert_int_equal(section_batches(UINT64_C(1) * NS_PER_MS), 50);
    assert_int_equal(section_batches(195313), 256);
    assert_int_equal(section_batches(1), 256);
    assert_int_equal(section_batches(0), 256);
}

static void test_room(void **state)
{
    (void)state;
    struct workload create = {.kind = WORKLOAD_CREATE, .tree = tree_of(200, 4097), .threads = 1};
    struct room room = {0};
    assert_int_equal(section_batches_in(256, &create, &room, false),
                     256); // nothing known: nothing in the way
    room = (struct room){.has_bytes = true, .bytes = 200 * 8192 * 20};
    assert_int_equal(section_batches_in(256, &create, &room, false), 10);
    assert_int_equal(section_batches_in(3, &create, &room, false), 3);
    room.has_files = true;
    room.files = 201 * 8;
    assert_int_equal(section_batches_in(256, &create, &room, false), 4);
    room.files = 0;
    assert_int_equal(section_batches_in(256, &create, &room, false), 1);

    struct workload deep = {
        .kind = WORKLOAD_RENAME,
        .tree = {.files = 1000, .depth = 2, .fanout = 3, .size_count = 2, .sizes = {{900, 10}, {100, 5000}}},
        .threads = 1};
    room = (struct room){.has_bytes = true, .bytes = 2 * 7 * (900 * 4096 + 100 * 8192)};
    assert_int_equal(section_batches_in(256, &deep, &room, false), 7);
    room = (struct room){.has_files = true, .files = 2 * 5 * (1000 + 12 + 1)};
    assert_int_equal(section_batches_in(256, &deep, &room, false), 5);

    struct workload write = {.kind = WORKLOAD_SEQ_WRITE, .bytes = 64 * MIB, .threads = 2};
    room = (struct room){.has_bytes = true, .bytes = 512 * MIB, .has_files = true, .files = 100};
    assert_int_equal(section_batches_in(256, &write, &room, false), 4);
    assert_int_equal(section_batches_in(256, &write, &room, true), 2); // the other tier takes as much

    // One large file is there for all of them.
    struct workload over = {.kind = WORKLOAD_RAND_WRITE, .bytes = 64 * MIB, .threads = 1};
    assert_int_equal(section_batches_in(256, &over, &room, true), 256);
}

static void test_bytes(void **state)
{
    (void)state;
    struct workload workload = {.kind = WORKLOAD_SEQ_WRITE, .bytes = 64 * MIB, .threads = 2};
    assert_int_equal(section_bytes(&workload, 3), 192 * MIB);
    workload = (struct workload){.kind = WORKLOAD_CREATE, .tree = tree_of(200, 4096), .threads = 1};
    assert_int_equal(section_bytes(&workload, 256), 256 * 200 * 4096);
    workload.kind = WORKLOAD_DELETE; // what it removes was made for it
    assert_int_equal(section_bytes(&workload, 256), 256 * 200 * 4096);
    workload.kind = WORKLOAD_WALK; // one tree, walked again and again
    assert_int_equal(section_bytes(&workload, 256), 200 * 4096);
    workload.kind = WORKLOAD_WALK_LATER; // a tree of its own each time
    assert_int_equal(section_bytes(&workload, 3), 3 * 200 * 4096);
    workload = (struct workload){
        .kind = WORKLOAD_CREATE,
        .tree = {.files = 1000, .fanout = 1, .size_count = 2, .sizes = {{900, 10}, {100, 5000}}},
        .threads = 1};
    assert_int_equal(section_bytes(&workload, 2), 2 * (9000 + 500000));

    workload =
        (struct workload){.kind = WORKLOAD_SEQ_READ, .bytes = 64 * MIB, .block_bytes = MIB, .threads = 1};
    assert_int_equal(section_bytes(&workload, 256), 0);
    workload = (struct workload){
        .kind = WORKLOAD_COMMIT, .bytes = 200 * 4096, .block_bytes = 4096, .operations = 200, .threads = 1};
    assert_int_equal(section_bytes(&workload, 3), 3 * 200 * 4096);
    workload.kind = WORKLOAD_RAND_WRITE;
    workload.bytes = 64 * MIB;
    assert_int_equal(section_bytes(&workload, 3), 3 * 200 * 4096);
}

static void test_notes(void **state)
{
    (void)state;
    struct sample sample = {0};
    section_note_check(&sample, &(struct check){.blocks = 3});
    assert_true(sample.has_verify);
    assert_int_equal(sample.status, SAMPLE_OK);
    section_note_check(
        &sample,
        &(struct check){.blocks = 4, .mismatches = 1, .failure = {.call = CALL_VERIFY, .path = "t000/f1"}});
    assert_int_equal(sample.verify_blocks, 7);
    assert_int_equal(sample.status, SAMPLE_FAILED);
    section_note_failure(&sample, &(struct failure){.call = CALL_WRITE, .number = EIO});
    assert_string_equal(sample.error.call, "verify"); // the first one counts
    sample_release(&sample);
}

int test_section(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches), cmocka_unit_test(test_room),
                                       cmocka_unit_test(test_bytes), cmocka_unit_test(test_notes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
