// test_files.c: large files are laid out as they should be, used again while they are good, and removed.
#include "rig.h"

#include "engine/files.h"
#include "engine/work.h"

struct setting {
    char path[RIG_PATH_SIZE];
    struct rig rig;
    struct tier tier;
    struct workload workload;
    struct task task;
    _Atomic unsigned activity;
};

// Not on the stack, since the crew goes on where a check fails.
static struct setting *set_up(uint64_t bytes, unsigned threads)
{
    rig_faults_clear();
    struct setting *setting = xcalloc(1, sizeof *setting);
    rig_directory(setting->path, "/dev/shm");
    struct plan_request request = {.profile = "quick",
                                   .workloads = "seq-read-reopened",
                                   .rounds = 1,
                                   .threads = {8}, // of the crew; not all of them need to take part
                                   .thread_count = 1};
    rig_open_one(&setting->rig, &setting->tier, &request, setting->path);
    setting->workload = setting->rig.run.plan.workloads[0];
    setting->workload.bytes = bytes;
    setting->workload.threads = threads;
    setting->task = (struct task){.tier = &setting->tier,
                                  .workload = &setting->workload,
                                  .batches = 1,
                                  .making = 3,
                                  .layout = 4,
                                  .activity = &setting->activity};
    return setting;
}

static void tear_down(struct setting *setting)
{
    rig_close_one(&setting->rig, &setting->tier);
    assert_int_equal(rig_faults.open_files, 0);
    assert_int_equal(rig_entries(setting->path), 0);
    rmdir(setting->path);
    free(setting);
}

// How many files lie in the scratch directory, but for the marker.
static size_t count_files(const struct setting *setting)
{
    char path[3 * RIG_PATH_SIZE];
    snprintf(path, sizeof path, "/proc/self/fd/%d", setting->tier.scratch.dirfd);
    size_t count = 0;
    DIR *directory = opendir(path);
    assert_non_null(directory);
    const struct dirent *entry;
    while ((entry = readdir(directory)))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static struct stat look(const struct setting *setting, unsigned thread)
{
    char name[NAME_SIZE];
    struct stat status;
    name_large(thread, name);
    assert_int_equal(fstatat(setting->tier.scratch.dirfd, name, &status, AT_SYMLINK_NOFOLLOW), 0);
    return status;
}

static struct check verify(struct setting *setting)
{
    setting->task.own = (struct check){0};
    setting->task.has_own = false;
    files_verify_once(&setting->task);
    return setting->task.own;
}

static void test_share(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 4096, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, UINT64_C(1) << 40};
    static const uint64_t blocks[] = {4096, 12288, MIB, 64 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++)
            for (unsigned threads = 1; threads <= 64; threads += 7) {
                uint64_t sum = 0, partial = 0;
                for (unsigned thread = 0; thread < threads; thread++) {
                    uint64_t share = files_share(sizes[i], blocks[j], threads, thread);
                    sum += share;
                    partial += share % blocks[j] != 0;
                    // No thread has two blocks more than another one.
                    assert_true(share <= sizes[i] / threads + 2 * blocks[j]);
                }
                assert_int_equal(sum, sizes[i]);
                assert_int_equal(partial, sizes[i] % blocks[j] != 0);
            }
    assert_int_equal(files_share(10 * MIB, MIB, 3, 0), 4 * MIB);
    assert_int_equal(files_share(10 * MIB, MIB, 3, 1), 3 * MIB);
    assert_int_equal(files_share(10 * MIB - 1, MIB, 3, 0), 4 * MIB - 1); // it has the last block
    assert_int_equal(files_share(2 * MIB, MIB, 3, 2), 0);
}

static void test_laid_out(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads += 3)
        for (unsigned odd = 0; odd < 2; odd++)
            for (unsigned full = 0; full < 2; full++) {
                uint64_t bytes = 6 * MIB - odd * 5;
                struct setting *setting = set_up(bytes, threads);
                rig_faults.short_writes = odd;
                setting->task.verify_full = full;
                assert_true(files_prepare(&setting->task));
                assert_int_equal(count_files(setting), threads);
                assert_int_equal(rig_faults.counts[RIG_CREATE], threads);
                assert_int_equal(rig_faults.counts[RIG_FSYNC], threads);
                if (!odd)
                    assert_int_equal(rig_faults.counts[RIG_WRITE], 6); // of 1 MiB
                uint64_t blocks = 0;
                for (unsigned thread = 0; thread < threads; thread++) {
                    uint64_t share = files_share(bytes, MIB, threads, thread);
                    struct stat status = look(setting, thread);
                    assert_int_equal(status.st_size, share);
                    assert_int_equal(status.st_mode & 07777, 0600);
                    uint64_t own = (share + 4095) / 4096;
                    blocks += full || own < 64 ? own : 64;
                }
                struct check check = verify(setting);
                assert_true(setting->task.has_own);
                assert_int_equal(check.blocks, blocks);
                assert_int_equal(check.mismatches, 0);
                assert_int_equal(check.failure.call, CALL_NONE);
                // Once is enough.
                assert_int_equal(verify(setting).blocks, 0);
                assert_false(setting->task.has_own);
                tear_down(setting);
            }
}

static void test_used_again(void **state)
{
    (void)state;
    struct setting *setting = set_up(3 * MIB, 2);
    assert_true(files_prepare(&setting->task));
    ino_t first = look(setting, 0).st_ino;
    // What lies there keeps the number that it was laid out with.
    setting->task.layout = 6;
    assert_true(files_prepare(&setting->task));
    assert_int_equal(rig_faults.counts[RIG_CREATE], 2);
    assert_int_equal(look(setting, 0).st_ino, first);
    assert_int_equal(setting->tier.files.layout, 4);
    assert_int_equal(verify(setting).mismatches, 0);

    // Other sizes, or other threads, need others, which are read back once more.
    setting->workload.bytes = 4 * MIB;
    assert_true(files_prepare(&setting->task));
    assert_int_equal(rig_faults.counts[RIG_CREATE], 4);
    assert_int_equal(setting->tier.files.layout, 6);
    assert_int_equal(look(setting, 0).st_size, 2 * MIB);
    assert_int_equal(verify(setting).blocks, 2 * 64);
    setting->workload.threads = 1;
    assert_true(files_prepare(&setting->task));
    assert_int_equal(rig_faults.counts[RIG_CREATE], 5);
    assert_int_equal(count_files(setting), 1);

    setting->tier.files.whole = false; // something went wrong with them
    assert_true(files_prepare(&setting->task));
    assert_int_equal(rig_faults.counts[RIG_CREATE], 6);
    assert_true(setting->tier.files.whole);
    tear_down(setting);
}

static void test_removed(void **state)
{
    (void)state;
    struct setting *setting = set_up(3 * MIB, 3);
    assert_true(files_remove(&setting->tier)); // there are none
    assert_true(files_prepare(&setting->task));
    int dirfd = setting->tier.scratch.dirfd;
    int fd = openat(dirfd, "l03", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600); // isn't one of them
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(unlinkat(dirfd, "l01", 0), 0); // gone already
    assert_true(files_remove(&setting->tier));
    assert_int_equal(count_files(setting), 1);
    assert_int_equal(setting->tier.files.threads, 0);
    assert_int_equal(unlinkat(dirfd, "l03", 0), 0);

    // One that can't be removed stays known, and is tried again.
    assert_true(files_prepare(&setting->task));
    assert_int_equal(unlinkat(dirfd, "l01", 0), 0);
    assert_int_equal(mkdirat(dirfd, "l01", 0700), 0);
    assert_false(files_remove(&setting->tier));
    assert_int_equal(setting->tier.failure.call, CALL_UNLINKAT);
    assert_string_equal(setting->tier.failure.path, "l01");
    assert_int_equal(count_files(setting), 1);
    tier_clear(&setting->tier);
    assert_false(files_prepare(&setting->task)); // nor is anything laid out over it
    assert_string_equal(tier_failure(&setting->tier)->path, "l01");
    assert_int_equal(unlinkat(dirfd, "l01", AT_REMOVEDIR), 0);
    tier_clear(&setting->tier);
    assert_true(files_prepare(&setting->task));
    assert_int_equal(count_files(setting), 3);
    tear_down(setting);
}

// What a name means already is neither followed nor written to.
static void test_names_taken(void **state)
{
    (void)state;
    struct setting *setting = set_up(2 * MIB, 1);
    int dirfd = setting->tier.scratch.dirfd;
    int fd = openat(dirfd, "precious", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, "mine", 4), 4);
    close(fd);
    assert_int_equal(symlinkat("precious", dirfd, "l00"), 0);
    assert_false(files_prepare(&setting->task));
    assert_int_equal(tier_failure(&setting->tier)->call, CALL_OPENAT);
    assert_int_equal(tier_failure(&setting->tier)->number, EEXIST);
    assert_string_equal(tier_failure(&setting->tier)->path, "l00");
    struct stat status;
    assert_int_equal(fstatat(dirfd, "precious", &status, 0), 0);
    assert_int_equal(status.st_size, 4);
    assert_int_equal(unlinkat(dirfd, "precious", 0), 0);
    tear_down(setting);
}

static void test_failures(void **state)
{
    (void)state;
    static const struct {
        enum rig_call call;
        uint64_t at;
        int number;
        enum call failed;
        bool has_offset;
        uint64_t offset;
    } cases[] = {
        {RIG_CREATE, 1, ENOSPC, CALL_OPENAT, false, 0},    {RIG_WRITE, 1, EIO, CALL_WRITE, true, 0},
        {RIG_WRITE, 3, ENOSPC, CALL_WRITE, true, 2 * MIB}, {RIG_FSYNC, 1, EDQUOT, CALL_FSYNC, false, 0},
        {RIG_CLOSE, 1, EDQUOT, CALL_CLOSE, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct setting *setting = set_up(4 * MIB, 1);
        rig_faults.call = cases[i].call;
        rig_faults.from = rig_faults.to = cases[i].at;
        rig_faults.number = cases[i].number;
        assert_false(files_prepare(&setting->task));
        const struct failure *failure = tier_failure(&setting->tier);
        assert_non_null(failure);
        assert_int_equal(failure->call, cases[i].failed);
        assert_int_equal(failure->number, cases[i].number);
        assert_string_equal(failure->path, "l00");
        assert_int_equal(failure->has_offset, cases[i].has_offset);
        assert_int_equal(failure->offset, cases[i].offset);
        assert_int_equal(rig_faults.open_files, 0);
        // What isn't whole isn't read back, and made anew.
        assert_int_equal(verify(setting).blocks, 0);
        tier_clear(&setting->tier);
        assert_true(files_prepare(&setting->task));
        assert_int_equal(verify(setting).mismatches, 0);
        assert_true(files_remove(&setting->tier));
        assert_int_equal(count_files(setting), 0);
        tear_down(setting);
    }

    struct setting *setting = set_up(4 * MIB, 2);
    rig_faults.zero_writes = true;
    assert_false(files_prepare(&setting->task));
    assert_int_equal(tier_failure(&setting->tier)->call, CALL_WRITE);
    assert_int_equal(tier_failure(&setting->tier)->number, 0);
    tear_down(setting);
}

static void halt(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    crew_halt(context);
}

// Who is told to end does so between two blocks; it isn't a failure.
static void test_halted(void **state)
{
    (void)state;
    struct setting *setting = set_up(8 * MIB, 1);
    rig_faults.call = RIG_WRITE;
    rig_faults.from = rig_faults.to = 3;
    rig_faults.hook = halt;
    rig_faults.context = &setting->tier.crew;
    assert_false(files_prepare(&setting->task));
    assert_null(tier_failure(&setting->tier));
    assert_int_equal(rig_faults.counts[RIG_WRITE], 3);
    assert_int_equal(rig_faults.counts[RIG_FSYNC], 0);
    crew_resume(&setting->tier.crew);
    assert_true(files_remove(&setting->tier));
    assert_int_equal(count_files(setting), 0);
    tear_down(setting);
}

static void flip(const struct setting *setting, const char *name, off_t offset)
{
    int fd = openat(setting->tier.scratch.dirfd, name, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    unsigned char byte;
    assert_int_equal(pread(fd, &byte, 1, offset), 1);
    byte ^= 4;
    assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
    close(fd);
}

// What isn't as it was laid out is found, and where.
static void test_changed(void **state)
{
    (void)state;
    static const off_t offsets[] = {0, 30, 2 * MIB - 1, MIB + 4096 * 3 + 7};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        struct setting *setting = set_up(4 * MIB, 2);
        assert_true(files_prepare(&setting->task));
        flip(setting, "l01", offsets[i]);
        setting->task.verify_full = true;
        struct check check = verify(setting);
        assert_int_equal(check.blocks, 1024);
        assert_int_equal(check.mismatches, 1);
        assert_int_equal(check.failure.call, CALL_VERIFY);
        assert_string_equal(check.failure.path, "l01");
        assert_int_equal(check.failure.offset, offsets[i]);
        assert_int_equal(check.failure.op, (uint64_t)offsets[i] / MIB * 2 + 1);
        assert_false(crew_halted(&setting->tier.crew));
        tear_down(setting);
    }
}

// What was broken off, by somebody or by a call that failed, was not read back: the next one does it.
static void test_broken_off(void **state)
{
    (void)state;
    for (unsigned failing = 0; failing < 2; failing++) {
        struct setting *setting = set_up(4 * MIB, 1);
        setting->task.verify_full = true;
        assert_true(files_prepare(&setting->task));
        flip(setting, "l00", 4 * MIB - 1);
        rig_faults.call = RIG_READ;
        rig_faults.from = rig_faults.to = 9;
        rig_faults.hook = failing ? NULL : halt;
        rig_faults.context = &setting->tier.crew;
        rig_faults.number = failing ? EIO : 0;
        struct check check = verify(setting);
        assert_int_equal(check.blocks, failing ? 8 : 9);
        assert_int_equal(check.mismatches, 0);
        assert_int_equal(check.failure.call, failing ? CALL_READ : CALL_NONE);
        crew_resume(&setting->tier.crew);
        check = verify(setting);
        assert_int_equal(check.blocks, 1024);
        assert_int_equal(check.mismatches, 1);
        assert_int_equal(check.failure.offset, 4 * MIB - 1);
        // What differs was read back for all that.
        assert_int_equal(verify(setting).blocks, 0);
        tear_down(setting);
    }
}

int test_files(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),   cmocka_unit_test(test_laid_out),    cmocka_unit_test(test_used_again),
        cmocka_unit_test(test_removed), cmocka_unit_test(test_names_taken), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_halted),  cmocka_unit_test(test_changed),     cmocka_unit_test(test_broken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
