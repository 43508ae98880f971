#include "engine/disks.h"
#include "engine/preflight.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/temp_folder.h"

int test_preflight(int argc, char *argv[]);

static struct temp_folder folder;

static int setup(void **state)
{
    (void)state;
    temp_folder_make(&folder);
    temp_directory(folder.fd, "a");
    temp_directory(folder.fd, "b");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_folder_remove(&folder);
    return 0;
}

// Two tiers, opened as a user's, and a plan.
struct pair {
    struct run run;
    struct target targets[2];
    struct text notes;
    struct error error;
};

static void open_pair(struct pair *pair, const char *a, const char *b, const struct plan_request *request)
{
    const char *paths[] = {a, b};
    struct tier_name names[2] = {0};
    *pair = (struct pair){.run.tier_count = 2};
    for (int i = 0; i < 2; i++) {
        bool null = !strcmp(paths[i], "null:");
        names[i].null = null;
        names[i].path = null ? xstrdup(paths[i]) : xformat("%s/%s", folder.path, paths[i]);
        assert_true(target_open(&names[i], &pair->targets[i], &pair->run.tiers[i], &pair->error));
    }
    bool swapped;
    assert_true(target_names(&pair->run, names, &swapped, &pair->error));
    for (int i = 0; i < 2; i++)
        free(names[i].path);
    assert_true(plan_make(request, &pair->run.plan, &pair->error));
    pair->error.text[0] = '\0';
}

static void close_pair(struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        target_close(&pair->targets[i]);
        free(pair->run.tiers[i].name);
        free(pair->run.tiers[i].path);
        free(pair->run.tiers[i].path_given);
        mount_release(&pair->run.tiers[i].mount);
    }
    plan_release(&pair->run.plan);
    free(pair->run.shared_why);
    text_free(&pair->notes);
}

static bool shared(struct pair *pair, const char *a, const char *b)
{
    static const struct plan_request request = {.profile = "quick"};
    open_pair(pair, a, b, &request);
    return preflight_shared(&pair->run, pair->targets, &pair->notes, &pair->error);
}

static void the_same_directory_twice_is_refused(void **state)
{
    (void)state;
    assert_int_equal(symlinkat("a", folder.fd, "link"), 0);
    static const char *const again[] = {"a", "a/", "./a/../a", "link", "b/../link"};
    for (size_t i = 0; i < sizeof again / sizeof again[0]; i++) {
        struct pair pair;
        assert_false(shared(&pair, "a", again[i]));
        assert_non_null(strstr(pair.error.text, "are the same directory"));
        assert_null(pair.run.shared_why);
        close_pair(&pair);
    }
}

static void two_directories_of_one_disk_are_said(void **state)
{
    (void)state;
    temp_directory(folder.fd, "a/below");
    static const char *const others[] = {"b", "a/below", "."};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct pair pair;
        assert_true(shared(&pair, "a", others[i]));
        assert_non_null(pair.run.shared_why);
        assert_non_null(strstr(pair.run.shared_why, "A and B lie on one disk: "));
        assert_string_equal(text_string(&pair.notes), "");
        close_pair(&pair);
    }
}

static void a_null_tier_shares_nothing(void **state)
{
    (void)state;
    static const char *const paths[][2] = {{"null:", "null:"}, {"a", "null:"}, {"null:", "a"}};
    for (size_t i = 0; i < 3; i++) {
        struct pair pair;
        assert_true(shared(&pair, paths[i][0], paths[i][1]));
        assert_null(pair.run.shared_why);
        assert_true(preflight_room(&pair.run, pair.targets, &pair.notes, &pair.error));
        close_pair(&pair);
    }
}

static int mount_below(const char *type, const char *below, const char *data)
{
    char *path = xformat("%s/%s", folder.path, below);
    int result = mount("none", path, type, 0, data);
    free(path);
    return result;
}

static int bind_mounts(void)
{
    char *a = xformat("%s/a", folder.path), *b = xformat("%s/b", folder.path);
    temp_directory(folder.fd, "a/inner");
    if (mount(a, b, NULL, MS_BIND, NULL) < 0)
        return 99;
    struct pair pair;
    if (shared(&pair, "a", "b") || !strstr(pair.error.text, "are the same directory"))
        return 1;
    close_pair(&pair);
    if (!shared(&pair, "a", "b/inner") || !pair.run.shared_why)
        return 2;
    close_pair(&pair);
    free(a);
    free(b);
    return 0;
}

static void a_bind_mount_is_the_directory_itself(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, bind_mounts);
}

static int two_memories(void)
{
    if (mount_below("tmpfs", "a", "size=64m") || mount_below("tmpfs", "b", "size=64m"))
        return 99;
    struct pair pair;
    if (!shared(&pair, "a", "b") || pair.run.shared_why)
        return 1;
    if (strcmp(text_string(&pair.notes), "A and B are both this machine's memory\n") != 0)
        return 2;
    close_pair(&pair);
    if (!shared(&pair, ".", "b") || pair.run.shared_why)
        return 3;
    close_pair(&pair);
    return 0;
}

static void two_memories_are_a_note(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, two_memories);
}

static int overlays(void)
{
    if (mount_below("tmpfs", "b", NULL))
        return 99;
    struct temp_folder upper = {.fd = openat(folder.fd, "b", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    static const char *const names[] = {"lower",  "upper", "work",    "merged",
                                        "upper2", "work2", "merged2", "plain"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        temp_directory(upper.fd, names[i]);
    char *options = xformat("lowerdir=%s/b/lower,upperdir=%s/b/upper,workdir=%s/b/work", folder.path,
                            folder.path, folder.path);
    char *options2 = xformat("lowerdir=%s/b/lower,upperdir=%s/b/upper2,workdir=%s/b/work2", folder.path,
                             folder.path, folder.path);
    if (mount_below("overlay", "b/merged", options) || mount_below("overlay", "b/merged2", options2))
        return 99;
    struct pair pair;
    if (!shared(&pair, "b/merged", "b/plain") || !pair.run.shared_why ||
        !strstr(pair.run.shared_why, "the tmpfs at "))
        return 1;
    close_pair(&pair);
    if (!shared(&pair, "b/merged", "b/merged2") || !pair.run.shared_why)
        return 2;
    close_pair(&pair);
    if (!shared(&pair, "a", "b/merged") || pair.run.shared_why)
        return 3;
    close_pair(&pair);
    return 0;
}

static void an_overlay_lies_where_its_upper_layer_does(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, overlays);
}

static int hidden_upper(void)
{
    temp_directory(folder.fd, "up");
    temp_directory(folder.fd, "lower");
    if (mount_below("tmpfs", "up", NULL) || mount_below("tmpfs", "a", NULL))
        return 99;
    temp_directory(folder.fd, "up/upper");
    temp_directory(folder.fd, "up/work");
    char *options = xformat("lowerdir=%s/lower,upperdir=%s/up/upper,workdir=%s/up/work", folder.path,
                            folder.path, folder.path);
    if (mount_below("overlay", "b", options) || mount_below("tmpfs", "up", NULL))
        return 99;
    struct pair pair;
    if (!shared(&pair, "a", "b") || pair.run.shared_why ||
        !strstr(text_string(&pair.notes), "B is an overlay whose upper layer can't be seen from here"))
        return 1;
    close_pair(&pair);
    free(options);
    return 0;
}

static void an_upper_layer_out_of_sight_is_said(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, hidden_upper);
}

// The plans that the room tests ask for.
static const struct plan_request eight_mib = {.workloads = "seq-write", .sizes = {8 << 20}, .size_count = 1};
static const struct plan_request sixteen_mib = {
    .workloads = "seq-write", .sizes = {16 << 20}, .size_count = 1};
static const struct plan_request many_files = {.workloads = "create,delete", .files = 400};
static const struct plan_request tiny_files = {
    .workloads = "create,delete", .files = 2000, .has_file_bytes = true, .file_bytes = 1};

static const struct plan_request many_threads = {.workloads = "seq-read-cold,seq-write",
                                                 .sizes = {64 << 20},
                                                 .size_count = 1,
                                                 .threads = {64},
                                                 .thread_count = 1};
static const struct plan_request read_file = {.workloads = "seq-read-cold"};
static const struct plan_request tree_and_file = {
    .workloads = "create,seq-read-cold", .files = 20, .has_file_bytes = true, .file_bytes = 1 << 20};

static bool fits(struct pair *pair, const char *a, const char *b, const struct plan_request *request)
{
    open_pair(pair, a, b, request);
    return preflight_room(&pair->run, pair->targets, &pair->notes, &pair->error);
}

static int small_disks(void)
{
    if (mount_below("tmpfs", "a", "size=32m,nr_inodes=2000") ||
        mount_below("tmpfs", "b", "size=20m,nr_inodes=1000"))
        return 99;
    struct pair pair;
    if (!fits(&pair, "a", "b", &eight_mib)) // 2 x 8 MiB + 5 % of 20 MiB
        return 1;
    close_pair(&pair);
    if (fits(&pair, "null:", "b", &sixteen_mib) || !strstr(pair.error.text, "B (/") ||
        !strstr(pair.error.text,
                "/b): needs 33 MiB free, has 20 MiB; choose smaller --sizes or another directory"))
        return 2;
    close_pair(&pair);
    if (!fits(&pair, "null:", "b", &many_files))
        return 3;
    close_pair(&pair);
    // Both trees of a round lie on a disk that both tiers share.
    temp_directory(folder.fd, "b/one");
    temp_directory(folder.fd, "b/two");
    if (fits(&pair, "b/one", "b/two", &many_files) ||
        !strstr(pair.error.text, "needs room for 1600 files, has it for 99"))
        return 4;
    close_pair(&pair);
    // Sequential files come one after the other.
    if (!fits(&pair, "b/one", "b/two", &eight_mib))
        return 5;
    close_pair(&pair);
    // A file of one byte takes more than a byte.
    temp_directory(folder.fd, "c");
    if (mount_below("tmpfs", "c", "size=8m,nr_inodes=100000"))
        return 99;
    if (fits(&pair, "null:", "c", &tiny_files) ||
        !strstr(pair.error.text, "needs 16.0 MiB free, has 8 MiB; choose fewer --files"))
        return 6;
    close_pair(&pair);
    // A file that is read stays while the other tier has its turn, and beside a tree that nobody deletes.
    temp_directory(folder.fd, "d");
    if (mount_below("tmpfs", "d", "size=150m"))
        return 99;
    temp_directory(folder.fd, "d/one");
    temp_directory(folder.fd, "d/two");
    if (!fits(&pair, "null:", "d", &read_file)) // 2 x 64 MiB + 5 % of 150 MiB
        return 7;
    close_pair(&pair);
    if (fits(&pair, "null:", "d", &tree_and_file) || !strstr(pair.error.text, "choose other --workloads"))
        return 8;
    close_pair(&pair);
    if (fits(&pair, "d/one", "d/two", &read_file))
        return 9;
    close_pair(&pair);
    // Each thread has a file of its own.
    temp_directory(folder.fd, "e");
    if (mount_below("tmpfs", "e", "size=150m,nr_inodes=100"))
        return 99;
    if (fits(&pair, "null:", "e", &many_threads) ||
        !strstr(pair.error.text, "needs room for 128 files, has it for 99; choose fewer --threads or"))
        return 10;
    close_pair(&pair);
    return 0;
}

static void room_in_bytes_and_files(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, small_disks);
}

static int memory(void)
{
    if (mount_below("tmpfs", "a", "size=100%") || mount_below("ramfs", "b", NULL))
        return 99;
    struct pair pair;
    open_pair(&pair, "a", "b", &eight_mib);
    struct room a, b, here;
    room_of(&pair.targets[0], &pair.run.tiers[0], &a);
    room_of(&pair.targets[1], &pair.run.tiers[1], &b);
    if (!a.in_memory || !a.has_memory || !a.has_bytes || a.bytes > a.memory_bytes || !a.has_files)
        return 1;
    if (!b.in_memory || !b.has_memory || !b.has_bytes || b.bytes != b.memory_bytes || b.has_files)
        return 2;
    if (!preflight_room(&pair.run, pair.targets, &pair.notes, &pair.error) ||
        !strstr(text_string(&pair.notes), "how many files it has room for: not checked\n"))
        return 3;
    close_pair(&pair);

    // A little more than a quarter of what is left; less than half of it. The other tier is none, since the
    // temporary folder may lie in memory too.
    struct plan_request large = {.workloads = "seq-write", .size_count = 1};
    large.sizes[0] = a.memory_bytes / 100 * 32 / MIB * MIB;
    if (fits(&pair, "null:", "b", &large) ||
        !strstr(pair.error.text, "of memory left, since its files are memory, has "))
        return 4;
    close_pair(&pair);
    open_pair(&pair, ".", "b", &eight_mib);
    room_of(&pair.targets[0], &pair.run.tiers[0], &here);
    if (here.in_memory != mount_in_memory(&pair.run.tiers[0].mount) || here.has_memory != here.in_memory)
        return 5;
    close_pair(&pair);
    return 0;
}

static void memory_is_counted_as_memory(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, memory);
}

static void an_open_directory_is_said(void **state)
{
    (void)state;
    assert_int_equal(fchmodat(folder.fd, "b", 0777, 0), 0);
    struct pair pair;
    assert_true(fits(&pair, "a", "b", &eight_mib));
    assert_non_null(strstr(text_string(&pair.notes), "/b): anybody can write there"));
    assert_null(strstr(text_string(&pair.notes), "/a): anybody can write there"));
    close_pair(&pair);
}

static void workers_that_take_too_much_memory_are_refused(void **state)
{
    (void)state;
    struct pair pair;
    static const struct plan_request request = {.profile = "quick", .threads = {2}, .thread_count = 1};
    open_pair(&pair, "null:", "a", &request);
    assert_true(preflight_memory(&pair.run, &pair.error));
    pair.run.plan.workloads[0].block_bytes = UINT64_C(1) << 50; // more than any machine has
    assert_false(preflight_memory(&pair.run, &pair.error));
    assert_non_null(strstr(pair.error.text, "2 threads with blocks of "));
    assert_non_null(strstr(pair.error.text, "choose fewer --threads or a smaller --block"));
    for (size_t i = 0; i < pair.run.plan.workload_count; i++)
        pair.run.plan.workloads[i].threads = 1;
    assert_false(preflight_memory(&pair.run, &pair.error));
    assert_non_null(strstr(pair.error.text, "are left; choose a smaller --block")); // fewer than 1 can't be
    pair.run.plan.workloads[0].block_bytes = 0;
    pair.run.plan.workloads[0].threads = 1 << 30;
    assert_false(preflight_memory(&pair.run, &pair.error));
    assert_string_equal(strstr(pair.error.text, "are left; "), "are left; choose fewer --threads");
    close_pair(&pair);
}

static void directories_of_one_disk_are_known(void **state)
{
    (void)state;
    int a = openat(folder.fd, "a", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int b = openat(folder.fd, "b", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int other = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(a >= 0 && b >= 0 && other >= 0);
    assert_true(disks_same(a, b));
    assert_true(disks_same(a, a));
    assert_false(disks_same(a, other));
    close(a);
    close(b);
    close(other);
}

int test_preflight(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(workers_that_take_too_much_memory_are_refused),
        TEST(directories_of_one_disk_are_known),
        TEST(the_same_directory_twice_is_refused),
        TEST(two_directories_of_one_disk_are_said),
        TEST(a_null_tier_shares_nothing),
        TEST(a_bind_mount_is_the_directory_itself),
        TEST(two_memories_are_a_note),
        TEST(an_overlay_lies_where_its_upper_layer_does),
        TEST(an_upper_layer_out_of_sight_is_said),
        TEST(room_in_bytes_and_files),
        TEST(memory_is_counted_as_memory),
        TEST(an_open_directory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
