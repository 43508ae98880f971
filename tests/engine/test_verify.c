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

// Two trees: of 20 files of that size, or of any shape.
static void set_up_tree(struct setting *setting, uint64_t file_bytes, const struct tree *tree,
                        uint64_t threads)
{
    rig_faults_clear();
    rig_directory(setting->path, "/dev/shm");
    struct plan_request request = {.profile = "quick",
                                   .workloads = "create",
                                   .rounds = 1,
                                   .files = 20,
                                   .has_file_bytes = true,
                                   .file_bytes = file_bytes,
                                   .threads = {threads},
                                   .thread_count = 1};
    rig_open_one(&setting->rig, &setting->tier, &request, setting->path);
    if (tree)
        setting->rig.run.plan.workloads[0].tree = *tree;
    assert_true(trees_fill(&setting->tier, &setting->rig.run.plan.workloads[0], 2, 17));
}

static void set_up(struct setting *setting, uint64_t file_bytes, uint64_t threads)
{
    set_up_tree(setting, file_bytes, NULL, threads);
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

static void rename_all(struct setting *setting, unsigned number)
{
    const struct tree *tree = &setting->rig.run.plan.workloads[0].tree;
    for (uint64_t item = 0; item < tree->files; item++) {
        char below[2][TREE_PATH_SIZE], paths[2][2 * NAME_PATH_SIZE];
        for (unsigned i = 0; i < 2; i++) {
            tree_path(tree, item, i, below[i]);
            snprintf(paths[i], sizeof paths[i], "t%03u/%s", number, below[i]);
        }
        int dirfd = setting->tier.scratch.dirfd;
        assert_int_equal(renameat(dirfd, paths[0], dirfd, paths[1]), 0);
    }
    setting->tier.trees.renamed[number] = true;
}

// Trees of any depth, of files of several sizes, of which one was renamed.
static void test_shapes(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth <= 3; depth++)
        for (uint64_t threads = 1; threads <= 3; threads += 2) {
            struct tree tree = {.files = 97,
                                .depth = depth,
                                .fanout = depth ? 3 : 1,
                                .size_count = 4,
                                .sizes = {{250, 0}, {250, 20}, {250, 4096}, {250, 70000}}};
            struct setting setting;
            set_up_tree(&setting, 0, &tree, threads);
            rename_all(&setting, 1);
            struct check check = verify(&setting, depth % 2);
            assert_int_equal(check.mismatches, 0);
            assert_int_equal(check.failure.call, CALL_NONE);
            assert_int_equal(check.blocks, 2 * rig_tree_blocks(&tree));

            uint64_t item = 96;
            while (tree_file_bytes(&tree, item) != 70000)
                item--;
            char below[TREE_PATH_SIZE], path[2 * NAME_PATH_SIZE];
            tree_path(&tree, item, true, below);
            snprintf(path, sizeof path, "t001/%s", below);
            int fd = open_file(&setting, path);
            assert_int_equal(pwrite(fd, "\377\376\375\374\373", 5, 69000), 5);
            close(fd);
            check = verify(&setting, true);
            assert_int_equal(check.mismatches, 1);
            assert_int_equal(check.failure.op, item);
            assert_string_equal(check.failure.path, path);
            assert_in_range(check.failure.offset, 69000, 69004);
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
        cmocka_unit_test(test_good),          cmocka_unit_test(test_shapes),  cmocka_unit_test(test_changed),
        cmocka_unit_test(test_cut_and_grown), cmocka_unit_test(test_swapped), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
