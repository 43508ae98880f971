// test_large_faults.c: what isn't as it was written is found in any workload on large files, calls that fail
// are named and leave nothing open or behind, and who is told to end does so. And all of them in whole runs.
#include "large_rig.h"

// ---- What isn't as it was laid out ----

// A byte in a stamp is seen while it is read; one beyond it when the files are read back as a whole.
static void check_flipped(const char *where, const char *id, uint64_t offset, bool stamp, uint64_t seen)
{
    struct large_rig *large = large_set_up(where, id, 4 * MIB, 70, 1);
    large->task.verify_full = true;
    assert_true(large_prepare(large));
    large_flip(large, "l00", offset);
    assert_true(large_measure(large)); // it goes on
    assert_true(large->task.has_own);
    assert_int_equal(large->task.own.mismatches, stamp ? seen : 0);
    if (stamp) {
        assert_int_equal(large->task.own.failure.call, CALL_VERIFY);
        assert_string_equal(large->task.own.failure.path, "l00");
        assert_int_equal(large->task.own.failure.offset, offset);
        bool counted = workload_is_counted(&large->workload);
        uint64_t op = counted ? large->task.own.failure.op : offset / large->workload.block_bytes;
        assert_int_equal(large->task.own.failure.op, op);
        if (counted)
            assert_int_equal(large_offset(large, 0, op), offset / 4096 * 4096);
    }
    assert_int_equal(large_count(large, PHASE_OP), workload_ops(&large->workload));
    assert_true(large_finish(large, true));
    assert_int_equal(large->task.own.mismatches, (stamp ? seen : 0) + 1);
    assert_int_equal(large->task.own.failure.offset, offset);
    large_tear_down(large);
}

static void test_flipped_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        uint64_t times; // how often it is read in one batch
    } cases[] = {{"seq-read-cold", 1}, {"seq-read-reopened", 2}, {"seq-read-same-fd", 2}};
    for (size_t i = 0; i < 3; i++) {
        check_flipped("/dev/shm", cases[i].id, 0, true, cases[i].times);
        check_flipped("/tmp", cases[i].id, 2 * MIB + 5 * 4096 + 23, true, cases[i].times);
        check_flipped("/dev/shm", cases[i].id, 2 * MIB + 5 * 4096 + 24, false, 0);
        check_flipped("/tmp", cases[i].id, 4 * MIB - 1, false, 0);
    }
    if (large_takes_direct("/tmp")) {
        check_flipped("/tmp", "seq-read-direct-1m", 3 * MIB + 4096, true, 1);
        check_flipped("/tmp", "seq-read-direct-128k", 3 * MIB - 4096, true, 1);
    }
}

// A place that random reads go to, and one that they don't.
static void test_flipped_at_random(void **state)
{
    (void)state;
    struct large_rig *large = large_set_up("/dev/shm", "rand-read-buffered", 4 * MIB, 70, 1);
    unsigned times[1024] = {0};
    for (uint64_t item = 0; item < 70; item++)
        times[large_offset(large, 0, item) / 4096]++;
    large_tear_down(large);
    uint64_t drawn = 1023, other = 0;
    while (times[drawn] == 0)
        drawn--;
    while (times[other] > 0)
        other++;
    check_flipped("/dev/shm", "rand-read-buffered", drawn * 4096 + 9, true, times[drawn]);
    check_flipped("/tmp", "rand-read-buffered", drawn * 4096 + 9, true, times[drawn]);
    check_flipped("/dev/shm", "rand-read-buffered", other * 4096 + 9, false, 0);
    check_flipped("/dev/shm", "rand-read-buffered", drawn * 4096 + 999, false, 0);
    if (large_takes_direct("/tmp"))
        check_flipped("/tmp", "rand-read", drawn * 4096 + 9, true, times[drawn]);
}

// Each 4 KiB that is wrong counts, several of them in one block too.
static void test_many_flipped(void **state)
{
    (void)state;
    struct large_rig *large = large_set_up("/dev/shm", "seq-read-cold", 4 * MIB, 0, 2);
    assert_true(large_prepare(large));
    for (uint64_t i = 0; i < 10; i++)
        large_flip(large, "l01", MIB + i * 3 * 4096 + i % 2 * 23);
    assert_true(large_measure(large));
    assert_int_equal(large->task.own.mismatches, 10);
    assert_int_equal(large->task.own.blocks, 1024);
    assert_string_equal(large->task.own.failure.path, "l01");
    assert_int_equal(large->task.own.failure.offset, MIB);
    assert_int_equal(large->task.own.failure.op, 3); // the second block of the second of two threads
    large_tear_down(large);
}

static void test_other_length(void **state)
{
    (void)state;
    static const struct {
        off_t size;
        uint64_t offset, mismatches, ops, blocks;
    } cases[] = {
        {0, 0, 1, 0, 256},
        {MIB, MIB, 1, 1, 512},
        {2 * MIB + 5000, 2 * MIB + 5000, 1, 3, 768},
        {4 * MIB - 1, 4 * MIB - 1, 1, 4, 1024},
        {4 * MIB + 1, 4 * MIB, 1, 5, 1025},
        {6 * MIB + 1, 4 * MIB, 3, 7, 1024 + 513}, // each block that shouldn't be there
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct large_rig *large = large_set_up("/dev/shm", "seq-read-cold", 4 * MIB, 0, 1);
        assert_true(large_prepare(large));
        int fd = large_open_again(large, "l00");
        assert_int_equal(ftruncate(fd, cases[i].size), 0);
        close(fd);
        assert_true(large_measure(large));
        assert_int_equal(large->task.own.mismatches, cases[i].mismatches);
        assert_int_equal(large->task.own.blocks, cases[i].blocks);
        assert_int_equal(large->task.own.failure.call, CALL_VERIFY);
        assert_int_equal(large->task.own.failure.offset, cases[i].offset);
        assert_int_equal(large_count(large, PHASE_OP), cases[i].ops);
        assert_int_equal(large->snapshot.bytes, cases[i].size);
        large_tear_down(large);

        // Read as a whole it is found too, at its end.
        large = large_set_up("/dev/shm", "rand-read-buffered", 4 * MIB, 0, 1);
        large->task.verify_full = true;
        assert_true(large_prepare(large));
        fd = large_open_again(large, "l00");
        assert_int_equal(ftruncate(fd, cases[i].size), 0);
        close(fd);
        assert_true(large_measure(large));
        assert_true(large_finish(large, true));
        assert_true(large->task.own.mismatches > 0);
        assert_int_equal(large->task.own.failure.offset, cases[i].offset);
        large_tear_down(large);
    }

    // Random reads beyond the end give nothing, which is a difference and no operation.
    struct large_rig *large = large_set_up("/dev/shm", "rand-read-buffered", 4 * MIB, 70, 1);
    assert_true(large_prepare(large));
    int fd = large_open_again(large, "l00");
    assert_int_equal(ftruncate(fd, 2 * MIB + 100), 0);
    close(fd);
    assert_true(large_measure(large));
    uint64_t beyond = 0, part = 0;
    for (uint64_t item = 0; item < 70; item++) {
        beyond += large_offset(large, 0, item) > 2 * MIB;
        part += large_offset(large, 0, item) == 2 * MIB;
    }
    assert_int_equal(large->task.own.blocks, 70);
    assert_int_equal(large->task.own.mismatches, beyond + part);
    assert_int_equal(large_count(large, PHASE_OP), 70 - beyond);
    assert_int_equal(large_count(large, PHASE_READ), beyond);
    large_tear_down(large);
}

// ---- Writes that were lost ----

static void put_back(struct large_rig *large, const char *name, uint64_t offset,
                     const unsigned char block[4096])
{
    int fd = large_open_again(large, name);
    assert_int_equal(pwrite(fd, block, 4096, (off_t)offset), 4096);
    close(fd);
}

static void take(struct large_rig *large, const char *name, uint64_t offset, unsigned char block[4096])
{
    int fd = large_open_again(large, name);
    assert_int_equal(pread(fd, block, 4096, (off_t)offset), 4096);
    close(fd);
}

// What is written once only, in which batch.
static uint64_t written_once(const struct large_rig *large, unsigned batch)
{
    for (uint64_t item = 0; item < 70; item++) {
        uint64_t offset = large_offset(large, batch, item);
        unsigned times = 0;
        for (unsigned other = 0; other < large->task.batches; other++)
            for (uint64_t i = 0; i < 70; i++)
                times += large_offset(large, other, i) == offset;
        if (times == 1)
            return offset;
    }
    fail_msg("no place is written once only");
    return 0;
}

// The disk says that it wrote, and what lay there before lies there still. One lost write of 140 is found.
static void test_lost_write(void **state)
{
    (void)state;
    static const char *const wheres[] = {"/dev/shm", "/tmp"};
    for (size_t i = 0; i < 2; i++)
        for (unsigned batch = 0; batch < 2; batch++) {
            struct large_rig *large = large_set_up(wheres[i], "rand-write-buffered", 4 * MIB, 70, 1);
            large->task.batches = 2;
            assert_true(large_prepare(large));
            uint64_t offset = written_once(large, batch);
            unsigned char block[4096];
            take(large, "l00", offset, block);
            assert_true(large_measure(large));
            put_back(large, "l00", offset, block);
            assert_true(large_finish(large, true));
            assert_int_equal(large->task.own.mismatches, 1);
            assert_int_equal(large->task.own.failure.call, CALL_VERIFY);
            assert_string_equal(large->task.own.failure.path, "l00");
            assert_in_range(large->task.own.failure.offset, offset, offset + PAYLOAD_STAMP - 1);
            large_tear_down(large);
        }
}

// A write that went to the wrong place is found at both: where it should have gone, and where nothing should.
static void test_misplaced_write(void **state)
{
    (void)state;
    struct large_rig *large = large_set_up("/dev/shm", "rand-write-buffered", 4 * MIB, 70, 1);
    large->task.verify_full = true;
    assert_true(large_prepare(large));
    bool written[1024] = {false};
    for (uint64_t item = 0; item < 70; item++)
        written[large_offset(large, 0, item) / 4096] = true;
    uint64_t offset = written_once(large, 0), other = 0;
    while (written[other / 4096])
        other += 4096;
    unsigned char before[4096], after[4096];
    take(large, "l00", offset, before);
    assert_true(large_measure(large));
    take(large, "l00", offset, after);
    put_back(large, "l00", offset, before);
    put_back(large, "l00", other, after);
    assert_true(large_finish(large, true));
    assert_int_equal(large->task.own.mismatches, 2);
    assert_int_equal(large->task.own.blocks, 1024);
    large_tear_down(large);
}

// Each block is compared to its end, also where blocks are larger than what a stamp covers.
static void test_lost_part(void **state)
{
    (void)state;
    for (uint64_t part = 0; part < 4; part++) {
        struct large_rig *large = large_set_up("/dev/shm", "rand-write-buffered", 4 * MIB, 70, 1);
        large->workload.block_bytes = 16384;
        assert_true(large_prepare(large));
        uint64_t offset = written_once(large, 0) + part * 4096;
        unsigned char block[4096];
        take(large, "l00", offset, block);
        assert_true(large_measure(large));
        put_back(large, "l00", offset, block);
        assert_true(large_finish(large, true));
        assert_int_equal(large->task.own.mismatches, 1);
        assert_in_range(large->task.own.failure.offset, offset, offset + PAYLOAD_STAMP - 1);
        large_tear_down(large);
    }
}

static void test_lost_commit(void **state)
{
    (void)state;
    static const uint64_t offsets[] = {0, 23, 17 * 4096 + 2000, 35 * 4096 - 1};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        struct large_rig *large = large_set_up("/dev/shm", "commit", 0, 70, 2);
        large->task.batches = 2;
        assert_true(large_prepare(large));
        assert_true(large_measure(large));
        assert_int_equal(large_files(large), 4);
        large_flip(large, "c001-01", offsets[i]);
        assert_true(large_finish(large, true));
        assert_int_equal(large->task.own.blocks, 140);
        assert_int_equal(large->task.own.mismatches, 1);
        assert_string_equal(large->task.own.failure.path, "c001-01");
        assert_int_equal(large->task.own.failure.offset, offsets[i]);
        assert_int_equal(large_files(large), 0);
        large_tear_down(large);
    }
    // The last commit never arrived.
    struct large_rig *large = large_set_up("/dev/shm", "commit", 0, 70, 2);
    assert_true(large_prepare(large));
    assert_true(large_measure(large));
    int fd = large_open_again(large, "c000-00");
    assert_int_equal(ftruncate(fd, 34 * 4096), 0);
    close(fd);
    assert_true(large_finish(large, true));
    assert_int_equal(large->task.own.mismatches, 1);
    assert_int_equal(large->task.own.failure.offset, 34 * 4096);
    large_tear_down(large);
}

// ---- Calls that fail ----

static void test_failures(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        enum rig_call call;
        uint64_t at; // of the measuring's calls
        enum call failed;
        const char *path;
        bool has_offset;
        uint64_t offset, ops;
    } cases[] = {
        {"seq-read-cold", RIG_OPEN_FILE, 1, CALL_OPENAT, "l00", false, 0, 0}, // evicted
        {"seq-read-cold", RIG_OPEN_FILE, 2, CALL_OPENAT, "l00", false, 0, 0}, // timed
        {"seq-read-cold", RIG_OPEN_FILE, 3, CALL_OPENAT, "l00", false, 0, 4}, // looked at afterwards
        {"seq-read-cold", RIG_READ, 3, CALL_READ, "l00", true, 2 * MIB, 2},
        {"seq-read-cold", RIG_READ, 5, CALL_READ, "l00", true, 4 * MIB, 4}, // the one that gives nothing
        {"seq-read-cold", RIG_CLOSE, 1, CALL_CLOSE, "l00", false, 0, 0},
        {"seq-read-cold", RIG_CLOSE, 2, CALL_CLOSE, "l00", false, 0, 4},
        {"seq-read-reopened", RIG_READ, 3, CALL_READ, "l00", true, 2 * MIB, 0}, // before it is timed
        {"seq-read-reopened", RIG_READ, 8, CALL_READ, "l00", true, 2 * MIB, 2},
        {"seq-read-same-fd", RIG_READ, 3, CALL_READ, "l00", true, 2 * MIB, 0},
        {"seq-read-same-fd", RIG_READ, 8, CALL_READ, "l00", true, 2 * MIB, 2},
        {"seq-read-same-fd", RIG_CLOSE, 1, CALL_CLOSE, "l00", false, 0, 4},
        {"rand-read-buffered", RIG_OPEN_FILE, 1, CALL_OPENAT, "l00", false, 0, 0},
        {"rand-read-buffered", RIG_READ, 9, CALL_READ, "l00", true, UINT64_MAX, 8},
        {"rand-read-buffered", RIG_CLOSE, 1, CALL_CLOSE, "l00", false, 0, 70},
        {"rand-write-buffered", RIG_OPEN_FILE, 1, CALL_OPENAT, "l00", false, 0, 0},
        {"rand-write-buffered", RIG_WRITE_AT, 9, CALL_WRITE, "l00", true, UINT64_MAX, 8},
        {"rand-write-buffered", RIG_FSYNC, 1, CALL_FSYNC, "l00", false, 0, 70},
        {"rand-write-buffered", RIG_CLOSE, 1, CALL_CLOSE, "l00", false, 0, 70},
        {"commit", RIG_CREATE, 1, CALL_OPENAT, "c000-00", false, 0, 0},
        {"commit", RIG_WRITE, 9, CALL_WRITE, "c000-00", true, 8 * 4096, 8},
        {"commit", RIG_FSYNC, 9, CALL_FSYNC, "c000-00", false, 0, 8},
        {"commit", RIG_CLOSE, 1, CALL_CLOSE, "c000-00", false, 0, 70},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct large_rig *large = large_set_up("/dev/shm", cases[i].id, 4 * MIB, 70, 1);
        assert_true(large_prepare(large));
        for (unsigned call = 0; call < RIG_CALLS; call++)
            rig_faults.counts[call] = 0;
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.number = EIO;
        assert_false(large_measure(large));
        const struct failure *failure = tier_failure(&large->tier);
        assert_non_null(failure);
        assert_int_equal(failure->call, cases[i].failed);
        assert_int_equal(failure->number, EIO);
        assert_string_equal(failure->path, cases[i].path);
        assert_int_equal(failure->has_offset, cases[i].has_offset);
        uint64_t drawn = large_offset(large, 0, 8);
        assert_int_equal(failure->offset, cases[i].offset == UINT64_MAX ? drawn : cases[i].offset);
        assert_int_equal(large_count(large, PHASE_OP), cases[i].ops);
        assert_int_equal(rig_faults.open_files, 0);
        assert_int_equal(large->tier.crew.workers[0].fd, -1);
        // Nothing is read back then, and what was written is removed.
        uint64_t blocks = large->task.own.blocks;
        assert_true(large_finish(large, false));
        assert_int_equal(large->task.own.blocks, blocks);
        assert_int_equal(large_files(large), workload_descriptions[large->workload.kind].reads);
        large_tear_down(large);
    }
}

// One of several fails: the others end soon, and close what they have open.
static void test_one_of_three_fails(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        enum rig_call call;
        uint64_t at;
    } cases[] = {
        {"seq-read-cold", RIG_READ, 5},
        {"seq-read-same-fd", RIG_OPEN_FILE, 2},
        {"rand-read-buffered", RIG_READ, 100},
        {"rand-write-buffered", RIG_WRITE_AT, 100},
        {"commit", RIG_CREATE, 2},
        {"commit", RIG_FSYNC, 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct large_rig *large = large_set_up("/dev/shm", cases[i].id, 6 * MIB, 3000, 3);
        assert_true(large_prepare(large));
        for (unsigned call = 0; call < RIG_CALLS; call++)
            rig_faults.counts[call] = 0;
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.number = ENOSPC;
        assert_false(large_measure(large));
        assert_int_equal(tier_failure(&large->tier)->number, ENOSPC);
        assert_true(large_count(large, PHASE_OP) < workload_ops(&large->workload));
        assert_true(large_finish(large, false));
        large_tear_down(large);
    }
}

static void test_nothing_written(void **state)
{
    (void)state;
    static const char *const ids[] = {"rand-write-buffered", "commit"};
    for (size_t i = 0; i < 2; i++) {
        struct large_rig *large = large_set_up("/dev/shm", ids[i], 4 * MIB, 70, 1);
        assert_true(large_prepare(large));
        rig_faults.zero_writes = true;
        assert_false(large_measure(large));
        assert_int_equal(tier_failure(&large->tier)->call, CALL_WRITE);
        assert_int_equal(tier_failure(&large->tier)->number, 0);
        assert_true(large_finish(large, false));
        large_tear_down(large);
    }
}

// What a log's name means already is neither followed nor removed by the one that couldn't be made.
static void test_log_name_taken(void **state)
{
    (void)state;
    struct large_rig *large = large_set_up("/dev/shm", "commit", 0, 70, 1);
    assert_true(large_prepare(large));
    int dirfd = large->tier.scratch.dirfd;
    int fd = openat(dirfd, "precious", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, "mine", 4), 4);
    close(fd);
    assert_int_equal(symlinkat("precious", dirfd, "c000-00"), 0);
    assert_false(large_measure(large));
    assert_int_equal(tier_failure(&large->tier)->number, EEXIST);
    assert_true(large_finish(large, false));
    struct stat status;
    assert_int_equal(fstatat(dirfd, "precious", &status, 0), 0);
    assert_int_equal(status.st_size, 4);
    assert_int_equal(unlinkat(dirfd, "precious", 0), 0);
    large_tear_down(large);
}

// ---- Who is told to end ----

static void halt(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    crew_halt(context);
}

static void test_halted(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        enum rig_call call;
        uint64_t at, ops;
    } cases[] = {
        {"seq-read-cold", RIG_READ, 2, 2},           {"seq-read-reopened", RIG_READ, 2, 0}, // not timed yet
        {"seq-read-same-fd", RIG_READ, 7, 2},        {"rand-read-buffered", RIG_READ, 9, 9},
        {"rand-write-buffered", RIG_WRITE_AT, 9, 9}, {"commit", RIG_FSYNC, 9, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct large_rig *large = large_set_up("/dev/shm", cases[i].id, 4 * MIB, 70, 1);
        assert_true(large_prepare(large));
        for (unsigned call = 0; call < RIG_CALLS; call++)
            rig_faults.counts[call] = 0;
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.hook = halt;
        rig_faults.context = &large->tier.crew;
        assert_false(large_measure(large));
        assert_null(tier_failure(&large->tier));
        assert_int_equal(large_count(large, PHASE_OP), cases[i].ops);
        assert_int_equal(rig_faults.counts[cases[i].call], cases[i].at);
        assert_int_equal(rig_faults.open_files, 0);
        assert_true(large_finish(large, false));
        crew_resume(&large->tier.crew);
        large_tear_down(large);
    }
}

int test_large_faults(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flipped_bytes),   cmocka_unit_test(test_flipped_at_random),
        cmocka_unit_test(test_many_flipped),    cmocka_unit_test(test_other_length),
        cmocka_unit_test(test_lost_write),      cmocka_unit_test(test_misplaced_write),
        cmocka_unit_test(test_lost_part),       cmocka_unit_test(test_lost_commit),
        cmocka_unit_test(test_failures),        cmocka_unit_test(test_one_of_three_fails),
        cmocka_unit_test(test_nothing_written), cmocka_unit_test(test_log_name_taken),
        cmocka_unit_test(test_halted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
