// test_trees.c: trees of any depth and mixed sizes: what lies on a disk, the same on any, and every workload
// on them.
#include "rig.h"

#include "base/units.h"
#include "engine/verify.h"
#include "engine/work.h"

#include <ftw.h>

enum { FILES = 61, FANOUT = 3, DEPTHS = 4, TREE_THREADS = 3, MAKING = 9 };

static const char *const disks[] = {"/tmp", "/dev/shm"};
enum { DISKS = sizeof disks / sizeof *disks };

// Empty files, files of less than a stamp, of less than a block, and of more than a read takes.
static struct tree tree_of_depth(unsigned depth)
{
    return (struct tree){
        .files = FILES,
        .depth = depth,
        .fanout = depth ? FANOUT : 1,
        .size_count = 6,
        .sizes = {{100, 0}, {200, 17}, {200, 1000}, {300, 4096}, {150, 12289}, {50, 150000}}};
}

// ---- A tier alone ----

struct setting {
    char path[RIG_PATH_SIZE];
    struct rig rig;
    struct tier tier;
    struct workload workload;
    _Atomic unsigned activity;
};

static void set_up(struct setting *setting, const char *disk, unsigned depth, uint64_t threads)
{
    rig_faults_clear();
    rig_directory(setting->path, disk);
    struct plan_request request = {.profile = "quick",
                                   .workloads = "create",
                                   .rounds = 1,
                                   .threads = {threads},
                                   .thread_count = 1,
                                   .has_seed = true,
                                   .seed = 5};
    rig_open_one(&setting->rig, &setting->tier, &request, setting->path);
    setting->workload = setting->rig.run.plan.workloads[0];
    setting->workload.tree = tree_of_depth(depth);
    setting->activity = 0;
}

static void tear_down(struct setting *setting)
{
    rig_close_one(&setting->rig, &setting->tier);
    assert_int_equal(rig_entries(setting->path), 0);
    assert_int_equal(rig_faults.open_files, 0);
    rmdir(setting->path);
}

static unsigned files_seen, directories_seen;

static int count_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)path;
    (void)status;
    files_seen += type == FTW_F;
    directories_seen += type == FTW_D && where->level > 0;
    return 0;
}

// Below the scratch directory's own.
static void count_entries(const struct setting *setting)
{
    char path[2 * RIG_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", setting->path, setting->tier.scratch.name);
    files_seen = directories_seen = 0;
    assert_int_equal(nftw(path, count_entry, 16, FTW_PHYS), 0);
}

static void item_path(const struct setting *setting, unsigned number, uint64_t item, bool renamed,
                      char path[NAME_PATH_SIZE])
{
    char own[NAME_SIZE], below[TREE_PATH_SIZE];
    name_tree(number, own);
    tree_path(&setting->workload.tree, item, renamed, below);
    snprintf(path, NAME_PATH_SIZE, "%s/%s", own, below);
}

static size_t read_item(const struct setting *setting, unsigned number, uint64_t item, unsigned char *bytes,
                        size_t size)
{
    char path[NAME_PATH_SIZE];
    item_path(setting, number, item, false, path);
    int fd = openat(setting->tier.scratch.dirfd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    assert_true(fd >= 0);
    ssize_t got = read(fd, bytes, size);
    assert_true(got >= 0);
    close(fd);
    return (size_t)got;
}

static void test_made_and_removed(void **state)
{
    (void)state;
    for (unsigned disk = 0; disk < DISKS; disk++)
        for (unsigned depth = 0; depth < DEPTHS; depth++)
            for (unsigned threads = 1; threads <= TREE_THREADS; threads += 2) {
                struct setting setting;
                set_up(&setting, disks[disk], depth, threads);
                const struct tree *tree = &setting.workload.tree;
                assert_true(trees_fill(&setting.tier, &setting.workload, 2, MAKING));
                count_entries(&setting);
                assert_int_equal(files_seen, 2 * FILES + 1); // and the marker
                assert_int_equal(directories_seen, 2 * (tree_directories(tree) + 1));
                for (uint64_t item = 0; item < FILES; item++) {
                    char path[NAME_PATH_SIZE];
                    struct stat status;
                    item_path(&setting, 1, item, false, path);
                    assert_int_equal(fstatat(setting.tier.scratch.dirfd, path, &status, AT_SYMLINK_NOFOLLOW),
                                     0);
                    assert_int_equal(status.st_size, tree_file_bytes(tree, item));
                }
                assert_true(trees_remove(&setting.tier, 1));
                count_entries(&setting);
                assert_int_equal(files_seen, FILES + 1);
                assert_true(trees_remove(&setting.tier, 0));
                count_entries(&setting);
                assert_int_equal(files_seen + directories_seen, 1);
                tear_down(&setting);
            }
}

// One seed gives the same bytes, whatever the disk is, and however often a quick one does it.
static void test_same_on_both_disks(void **state)
{
    (void)state;
    static unsigned char a[1 << 20], b[1 << 20];
    for (unsigned depth = 0; depth < DEPTHS; depth++)
        for (unsigned threads = 1; threads <= TREE_THREADS; threads += 2) {
            struct setting slow, quick;
            set_up(&slow, disks[0], depth, threads);
            assert_true(trees_fill(&slow.tier, &slow.workload, 2, MAKING));
            set_up(&quick, disks[1], depth, threads);
            assert_true(trees_fill(&quick.tier, &quick.workload, 5, MAKING));
            for (unsigned number = 0; number < 2; number++)
                for (uint64_t item = 0; item < FILES; item++) {
                    size_t size = read_item(&slow, number, item, a, sizeof a);
                    assert_int_equal(size, tree_file_bytes(&slow.workload.tree, item));
                    assert_int_equal(read_item(&quick, number, item, b, sizeof b), size);
                    assert_memory_equal(a, b, size);
                }
            tear_down(&quick);
            tear_down(&slow);
        }
}

// No two files begin alike, where they are long enough to hold a stamp.
static void test_no_two_alike(void **state)
{
    (void)state;
    enum { STAMP = 24, TREES = 2 };
    struct setting setting;
    set_up(&setting, disks[1], 2, 1);
    assert_true(trees_fill(&setting.tier, &setting.workload, TREES, MAKING));
    static unsigned char starts[TREES * FILES][STAMP];
    unsigned count = 0;
    for (unsigned number = 0; number < TREES; number++)
        for (uint64_t item = 0; item < FILES; item++)
            if (read_item(&setting, number, item, starts[count], STAMP) == STAMP)
                count++;
    assert_true(count > FILES);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(starts[i], starts[j], STAMP);
    tear_down(&setting);
}

// Trees that are made for other workloads are synced as a whole before these are measured, never file by
// file, whoever is said to have made them.
static void test_made_without_syncs(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, disks[1], 1, 1);
    setting.workload.sync = SYNC_FSYNC;
    assert_int_equal(setting.workload.kind, WORKLOAD_CREATE);
    assert_true(trees_fill(&setting.tier, &setting.workload, 2, MAKING));
    assert_int_equal(rig_faults.counts[RIG_FSYNC] + rig_faults.counts[RIG_SYNCFS], 0);
    tear_down(&setting);
}

// ---- Whole runs ----

static void run_shaped(struct rig *rig, const struct plan_request *request, const char *a, const char *b)
{
    rig_open(rig, request, a, b);
    for (size_t i = 0; i < rig->run.plan.workload_count; i++)
        rig->run.plan.workloads[i].tree = tree_of_depth(2);
    rig_start(rig);
    rig_finish(rig);
    rig_check_all_ok(rig);
}

// Two tiers, at a moment when the trees of a round lie on both.
struct pair {
    const char *paths[2];
    unsigned compared; // files
};

static int open_scratch(const char *path)
{
    DIR *directory = opendir(path);
    assert_non_null(directory);
    const struct dirent *entry;
    int fd = -1;
    while (fd < 0 && (entry = readdir(directory)))
        if (!strncmp(entry->d_name, ".diskduel-", 10))
            fd = openat(dirfd(directory), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    closedir(directory);
    assert_true(fd >= 0);
    return fd;
}

static void compare_trees(void *context, int dirfd, const char *name)
{
    (void)dirfd;
    (void)name;
    static unsigned char bytes[2][1 << 20];
    struct pair *pair = context;
    struct tree tree = tree_of_depth(2);
    int scratch[2] = {open_scratch(pair->paths[0]), open_scratch(pair->paths[1])};
    for (uint64_t item = 0; item < FILES; item++) {
        char below[TREE_PATH_SIZE], path[2 * NAME_PATH_SIZE];
        tree_path(&tree, item, false, below);
        snprintf(path, sizeof path, "t000/%s", below);
        for (unsigned i = 0; i < 2; i++) {
            int fd = openat(scratch[i], path, O_RDONLY | O_CLOEXEC);
            assert_true(fd >= 0);
            assert_int_equal(read(fd, bytes[i], sizeof bytes[i]), tree_file_bytes(&tree, item));
            close(fd);
        }
        assert_memory_equal(bytes[0], bytes[1], tree_file_bytes(&tree, item));
        pair->compared++;
    }
    close(scratch[0]);
    close(scratch[1]);
}

// Whichever goes first; made by a create or without one.
static void test_same_on_both_tiers(void **state)
{
    (void)state;
    static const char *const workloads[] = {"create,walk", "walk,read-tree"};
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        for (unsigned warm = 0; warm < 2; warm++) {
            char paths[2][RIG_PATH_SIZE];
            rig_directory(paths[0], disks[0]);
            rig_directory(paths[1], disks[1]);
            struct pair pair = {.paths = {paths[0], paths[1]}};
            rig_faults_clear();
            struct plan_request request = {.profile = "quick",
                                           .workloads = workloads[i],
                                           .rounds = 1,
                                           .threads = {2},
                                           .thread_count = 1,
                                           .no_warmup = !warm};
            // Tier A's second section of the round begins when both trees are there.
            rig_faults.call = i == 0 ? RIG_STAT : RIG_READ;
            rig_faults.from = rig_faults.to = 1;
            rig_faults.hook = compare_trees;
            rig_faults.context = &pair;
            struct rig rig;
            run_shaped(&rig, &request, paths[0], paths[1]);
            assert_int_equal(pair.compared, FILES);
            rig_close_all(&rig);
            rmdir(paths[0]);
            rmdir(paths[1]);
        }
}

// Where the disk wasn't synced before, what is evicted still has to be written.
static void test_evicted_though_dirty(void **state)
{
    (void)state;
    rig_faults_clear();
    rig_faults.call = RIG_SYNCFS;
    rig_faults.from = 1;
    rig_faults.to = UINT64_MAX;
    rig_faults.number = EIO;
    char path[RIG_PATH_SIZE];
    rig_directory(path, "/var/tmp");
    struct plan_request request = {
        .profile = "quick", .workloads = "read-tree", .rounds = 1, .no_warmup = true};
    struct rig rig;
    run_shaped(&rig, &request, path, NULL);
    const struct sample *sample = rig_sample(&rig, "read-tree", 0, 1);
    const struct capability *supports = &rig.run.tiers[0].supports;
    assert_non_null(sample);
    if (supports->evict.known && supports->evict.value)
        assert_true(sample->resident_before.known && sample->resident_before.value <= 0.01);
    rig_close_all(&rig);
    rmdir(path);
}

int test_trees(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_and_removed),   cmocka_unit_test(test_same_on_both_disks),
        cmocka_unit_test(test_no_two_alike),       cmocka_unit_test(test_made_without_syncs),
        cmocka_unit_test(test_same_on_both_tiers), cmocka_unit_test(test_evicted_though_dirty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
