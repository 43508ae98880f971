#include "engine/target.h"

#include "base/xalloc.h"
#include "engine/temp_folder.h"

#include <sys/mount.h>
#include <sys/wait.h>

int test_target(int argc, char *argv[]);

static struct temp_folder folder;

static int setup(void **state)
{
    (void)state;
    temp_folder_make(&folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_folder_remove(&folder);
    return 0;
}

static void release(struct run_tier *tier)
{
    free(tier->name);
    free(tier->path);
    free(tier->path_given);
    mount_release(&tier->mount);
}

// Opens a path below the folder and gives its error, or "".
static const char *error_of(const char *below)
{
    static struct error error;
    struct tier_name name = {.path = xformat("%s/%s", folder.path, below)};
    struct target target;
    struct run_tier tier = {0};
    error.text[0] = '\0';
    if (target_open(&name, &target, &tier, &error)) {
        assert_true(target.dirfd >= 0);
        assert_string_equal(error.text, "");
        target_close(&target);
    } else {
        assert_int_equal(target.dirfd, -1);
        size_t length = strlen(name.path);
        assert_memory_equal(error.text, name.path, length < 800 ? length : 800);
    }
    assert_null(strchr(error.text, '\n'));
    release(&tier);
    free(name.path);
    return error.text;
}

static void a_directory_is_opened_and_recorded(void **state)
{
    (void)state;
    temp_directory(folder.fd, "a b,c:d=e");
    assert_int_equal(symlinkat("a b,c:d=e", folder.fd, "one"), 0);
    assert_int_equal(symlinkat("one", folder.fd, "two"), 0);
    struct tier_name name = {.path = xformat("%s/./two/../two", folder.path)};
    struct target target;
    struct run_tier tier = {0};
    struct error error;
    assert_true(target_open(&name, &target, &tier, &error));
    assert_string_equal(tier.path_given, name.path);
    char *resolved = xformat("%s/a b,c:d=e", folder.path);
    assert_string_equal(tier.path, resolved);
    assert_false(tier.null);
    assert_ptr_equal(target.calls, &io_psync);
    assert_non_null(tier.mount.type);
    assert_true(tier.has_space);
    assert_true(tier.total_bytes >= tier.free_bytes);
    assert_true(fcntl(target.dirfd, F_GETFD) & FD_CLOEXEC);

    // It is the directory, wherever its path leads afterwards.
    assert_int_equal(unlinkat(folder.fd, "two", 0), 0);
    temp_file(target.dirfd, "here", "x");
    assert_true(temp_exists(folder.fd, "a b,c:d=e/here"));
    target_close(&target);
    assert_int_equal(target.dirfd, -1);
    free(resolved);
    free(name.path);
    release(&tier);
}

static void what_can_not_be_used_says_why(void **state)
{
    (void)state;
    temp_file(folder.fd, "file", "x");
    assert_int_equal(mkfifoat(folder.fd, "pipe", 0600), 0);
    assert_int_equal(symlinkat("file", folder.fd, "to-file"), 0);
    assert_int_equal(symlinkat("nowhere", folder.fd, "dangling"), 0);
    assert_int_equal(symlinkat("loop", folder.fd, "loop"), 0);
    assert_non_null(strstr(error_of("missing"), "there is no such directory"));
    assert_non_null(strstr(error_of("missing/below"), "there is no such directory"));
    assert_non_null(strstr(error_of("file"), "not a directory"));
    assert_non_null(strstr(error_of("file/below"), "not a directory"));
    assert_non_null(strstr(error_of("pipe"), "not a directory"));
    assert_non_null(strstr(error_of("to-file"), "not a directory"));
    assert_non_null(strstr(error_of("dangling"), "a link to something that isn't there"));
    assert_non_null(strstr(error_of("loop"), "a link that leads back to itself"));
    char *long_name = xmalloc(5000);
    memset(long_name, 'x', 4999);
    long_name[4999] = '\0';
    assert_non_null(strstr(error_of(long_name), "can't be found"));
    free(long_name);
    assert_string_equal(error_of(""), "");
}

static void missing_rights_say_which(void **state)
{
    (void)state;
    assert_int_equal(fchmod(folder.fd, 0755), 0);
    assert_int_equal(mkdirat(folder.fd, "read-only", 0500), 0);
    assert_int_equal(mkdirat(folder.fd, "no-entry", 0600), 0);
    assert_int_equal(mkdirat(folder.fd, "no-reading", 0300), 0);
    // As nobody, where this is root: root may do everything.
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 &&
            (fchownat(folder.fd, "read-only", 65534, 65534, 0) ||
             fchownat(folder.fd, "no-entry", 65534, 65534, 0) ||
             fchownat(folder.fd, "no-reading", 65534, 65534, 0) || setgid(65534) || setuid(65534)))
            _exit(99);
        if (!strstr(error_of("read-only"), "can't be written: Permission denied"))
            _exit(1);
        if (!strstr(error_of("no-entry"), "can't be entered: Permission denied"))
            _exit(2);
        if (!strstr(error_of("no-reading"), "can't be opened: Permission denied"))
            _exit(3);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int open_read_only_mount(void)
{
    temp_directory(folder.fd, "mnt");
    char *path = xformat("%s/mnt", folder.path);
    if (mount("none", path, "tmpfs", MS_RDONLY, NULL) < 0)
        return 99;
    return strstr(error_of("mnt"), "can't be written: Read-only file system") ? 0 : 1;
}

static void a_read_only_disk_is_refused(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, open_read_only_mount);
}

static void a_null_tier_has_no_directory(void **state)
{
    (void)state;
    struct tier_name name = {.path = "null:", .null = true};
    struct target target;
    struct run_tier tier = {0};
    assert_true(target_open(&name, &target, &tier, NULL));
    assert_true(tier.null);
    assert_int_equal(target.dirfd, -1);
    assert_ptr_equal(target.calls, &io_null);
    assert_null(tier.mount.type);
    assert_false(tier.has_space);
    target_close(&target);
    release(&tier);
}

struct naming {
    const char *type[2]; // "null" is a null tier
    const char *given[2];
    const char *name[2]; // NULL: refused
    bool swapped;
};

static void names_follow_the_disks(void **state)
{
    (void)state;
    static const struct naming cases[] = {
        {{"ext4", "xfs"}, {NULL, NULL}, {"A", "B"}, false},
        {{"fuse.sshfs", "ext4"}, {NULL, NULL}, {"persistent", "ephemeral"}, false},
        {{"nfs4", "overlay"}, {NULL, NULL}, {"persistent", "ephemeral"}, false},
        {{"ext4", "fuse.sshfs"}, {NULL, NULL}, {"A", "B"}, true},
        {{"fuse", "nfs"}, {NULL, NULL}, {"A", "B"}, false},
        {{"fuse", "null"}, {NULL, NULL}, {"A", "B"}, false},
        {{"null", "fuse"}, {NULL, NULL}, {"A", "B"}, false},
        {{"fuse", "ext4"}, {"old", NULL}, {"old", "ephemeral"}, false},
        {{"ext4", "ext4"}, {NULL, "new"}, {"A", "new"}, false},
        {{"ext4", "ext4"}, {"x", "y"}, {"x", "y"}, false},
        {{"ext4", "ext4"}, {"x", "x"}, {NULL, NULL}, false},
        {{"ext4", "ext4"}, {"B", NULL}, {NULL, NULL}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct naming *c = &cases[i];
        struct run run = {.tier_count = 2};
        struct tier_name names[2] = {0};
        for (int k = 0; k < 2; k++) {
            run.tiers[k].null = !strcmp(c->type[k], "null");
            if (!run.tiers[k].null)
                run.tiers[k].mount.type = xstrdup(c->type[k]);
            names[k].name = c->given[k] ? xstrdup(c->given[k]) : NULL;
        }
        bool swapped;
        struct error error = {0};
        assert_int_equal(target_names(&run, names, &swapped, &error), c->name[0] != NULL);
        assert_int_equal(swapped, c->swapped);
        if (c->name[0]) {
            assert_string_equal(run.tiers[0].name, c->name[0]);
            assert_string_equal(run.tiers[1].name, c->name[1]);
        } else {
            assert_non_null(strstr(error.text, "both tiers are called"));
        }
        for (int k = 0; k < 2; k++) {
            release(&run.tiers[k]);
            free(names[k].name);
        }
    }
}

static void a_single_tier_is_a(void **state)
{
    (void)state;
    struct run run = {.tier_count = 1};
    run.tiers[0].mount.type = xstrdup("fuse.sshfs");
    struct tier_name names[1] = {0};
    bool swapped = true;
    assert_true(target_names(&run, names, &swapped, NULL));
    assert_string_equal(run.tiers[0].name, "A");
    assert_false(swapped);
    release(&run.tiers[0]);
}

int test_target(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_directory_is_opened_and_recorded),
        TEST(what_can_not_be_used_says_why),
        TEST(missing_rights_say_which),
        TEST(a_read_only_disk_is_refused),
        TEST(a_null_tier_has_no_directory),
        TEST(names_follow_the_disks),
        TEST(a_single_tier_is_a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
