// test_verify.c: whatever happens to a file between writing and reading back is found, and said of that file.
#include "rig.h"

#include "base/units.h"
#include "engine/verify.h"

struct setting {
    char path[RIG_PATH_SIZE];
    struct rig rig;
    struct tier tier;
    _Atomic unsigned activity;
};

static void set_up(struct setting *setting, uint64_t file_bytes, uint64_t threads)
{
    rig_faults_clear();
    rig_directory(setting->path, "/dev/shm");
    struct plan_request request = {.profile = "quick",
                                   .workloads = "create",
                                   .rounds = 1,
                                   .files = 20,
                                   .has_file_bytes = true,
                                   .file_bytes = file_bytes,
                                   .threads = threads};
    rig_open_one(&setting->rig, &setting->tier, &request, setting->path);
    assert_true(trees_fill(&setting->tier, &setting->rig.run.plan.workloads[0], 2));
}

static void tear_down(struct setting *setting)
{
    rig_close_one(&setting->rig, &setting->tier);
    assert_int_equal(rig_entries(setting->path), 0);
    assert_int_equal(rig_faults.open_files, 0);
    rmdir(setting->path);
}

// Reads everything back as the trees of an earlier section, or as those that were made for this one.
static struct check verify(struct setting *setting, bool earlier)
{
    struct task task = {.tier = &setting->tier, .activity = &setting->activity};
    setting->tier.trees.measured = earlier ? 2 : 0;
    verify_trees_once(&task);
    assert_int_equal(task.has_earlier, earlier);
    assert_int_equal(task.has_own, !earlier);
    return earlier ? task.earlier : task.own;
}

static int open_file(struct setting *setting, const char *name)
{
    int fd = openat(setting->tier.scratch.dirfd, name, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void test_good(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 30, 4096, 10000, 3 * MIB + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t threads = 1; threads <= 3; threads += 2) {
            struct setting setting;
            set_up(&setting, sizes[i], threads);
            struct check check = verify(&setting, i % 2);
            assert_int_equal(check.mismatches, 0);
            assert_int_equal(check.failure.call, CALL_NONE);
            assert_int_equal(check.blocks, 40 * ((sizes[i] + 4095) / 4096));
            tear_down(&setting);
        }
}

static void test_changed(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, 10000, 2);
    int fd = open_file(&setting, "t001/f00000013");
    assert_int_equal(pwrite(fd, "?", 1, 9999), 1);
    close(fd);
    struct check check = verify(&setting, true);
    assert_int_equal(check.mismatches, 1);
    assert_int_equal(check.blocks, 2 * 20 * 3); // it goes on
    assert_int_equal(check.failure.call, CALL_VERIFY);
    assert_string_equal(check.failure.path, "t001/f00000013");
    assert_int_equal(check.failure.op, 13);
    assert_int_equal(check.failure.offset, 9999);
    tear_down(&setting);
}

static void test_cut_and_grown(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, 10000, 1);
    int fd = open_file(&setting, "t000/f00000004");
    assert_int_equal(ftruncate(fd, 5000), 0);
    close(fd);
    struct check check = verify(&setting, false);
    assert_int_equal(check.mismatches, 2); // the rest of one block, and all of the next
    assert_int_equal(check.failure.offset, 5000);
    fd = open_file(&setting, "t000/f00000004");
    assert_int_equal(ftruncate(fd, 0), 0);
    close(fd);
    assert_int_equal(verify(&setting, false).failure.offset, 0);
    tear_down(&setting);

    set_up(&setting, 10000, 1);
    fd = open_file(&setting, "t000/f00000004");
    assert_int_equal(ftruncate(fd, 10001), 0);
    close(fd);
    check = verify(&setting, false);
    assert_int_equal(check.mismatches, 1);
    assert_int_equal(check.failure.offset, 10000);
    tear_down(&setting);
}

static void test_swapped(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, 4096, 1);
    int dirfd = setting.tier.scratch.dirfd;
    assert_int_equal(renameat2(dirfd, "t000/f00000003", dirfd, "t001/f00000003", RENAME_EXCHANGE), 0);
    struct check check = verify(&setting, true);
    assert_int_equal(check.mismatches, 2);
    assert_string_equal(check.failure.path, "t000/f00000003");
    assert_true(check.failure.offset < PAYLOAD_STAMP);
    tear_down(&setting);
}

static void test_missing(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, 4096, 2);
    assert_int_equal(unlinkat(setting.tier.scratch.dirfd, "t000/f00000009", 0), 0);
    struct check check = verify(&setting, true);
    assert_int_equal(check.failure.call, CALL_OPENAT);
    assert_int_equal(check.failure.number, ENOENT);
    assert_string_equal(check.failure.path, "t000/f00000009");
    assert_false(crew_halted(&setting.tier.crew));
    tear_down(&setting);

    // Not even the tree is there.
    set_up(&setting, 4096, 2);
    assert_true(scratch_remove_directory(setting.tier.scratch.dirfd, "t000", &setting.rig.leftovers));
    check = verify(&setting, true);
    assert_int_equal(check.failure.call, CALL_OPENAT);
    assert_string_equal(check.failure.path, "t000");
    assert_null(tier_failure(&setting.tier));
    tear_down(&setting);
}

static void test_once(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, 4096, 1);
    setting.tier.trees.measured = 1;
    setting.tier.trees.sample = 17;
    struct task task = {.tier = &setting.tier, .activity = &setting.activity};
    verify_trees_once(&task);
    assert_int_equal(task.earlier_sample, 17);
    assert_int_equal(task.earlier.blocks, 20);
    assert_int_equal(task.own.blocks, 20);
    struct task again = {.tier = &setting.tier, .activity = &setting.activity};
    assert_true(verify_and_remove_trees(&again));
    assert_false(again.has_earlier);
    assert_int_equal(setting.tier.trees.count, 0);
    tear_down(&setting);
}

int test_verify(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),    cmocka_unit_test(test_changed), cmocka_unit_test(test_cut_and_grown),
        cmocka_unit_test(test_swapped), cmocka_unit_test(test_missing), cmocka_unit_test(test_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
