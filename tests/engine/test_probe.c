#include "engine/probe.h"

#include "engine/mounts.h"
#include "engine/temp_folder.h"
#include "record/fields.h"

#include <signal.h>
#include <sys/resource.h>

int test_probe(int argc, char *argv[]);

static struct temp_folder folder;
static struct mount mount_below;
static struct capability capability;
static struct probes probes;

static void release(void)
{
    mount_release(&mount_below);
    fields_release(capability_fields, &capability);
    memset(&capability, 0, sizeof capability);
    memset(&probes, 0, sizeof probes);
}

static int setup(void **state)
{
    (void)state;
    temp_folder_make(&folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    release();
    temp_folder_remove(&folder);
    return 0;
}

static void probe(int dirfd)
{
    release();
    mount_of(dirfd, &mount_below);
    probe_disk(dirfd, &mount_below, &capability, &probes);
}

static void syncfs_reaches_some_servers(void **state)
{
    (void)state;
    static const struct {
        const char *type, *release, *reach;
    } cases[] = {
        {"ext4", "6.18.0", "whole"},         {"fuse", "6.18.0", "local-only"},
        {"fuse.sshfs", "7.0", "local-only"}, {"virtiofs", "6.1.0", "whole"},
        {"fuseblk", "6.17.9", "local-only"}, {"fuseblk", "6.18.44-x", "whole"},
        {"fuseblk", "6.2.0", "local-only"},  {"fuseblk", "7.0.0", "whole"},
        {"fuseblk", "5.19.0", "local-only"}, {"fuseblk", "", "local-only"},
        {"fusectl", "6.1.0", "whole"},       {"nfs4", "6.1.0", "whole"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(probe_syncfs_reach(cases[i].type, cases[i].release), cases[i].reach);
}

static void what_holds_on_every_disk(void **state)
{
    (void)state;
    probe(folder.fd);
    assert_false(temp_exists(folder.fd, PROBE_NAME));
    assert_int_equal(probes.fsync_bytes.value, 1 << 20);
    assert_true(probes.write_ns.known && probes.fsync_ns.known && probes.fsync_again_ns.known);
    assert_int_equal(probes.stat_again_ns.known, mount_is_remote(&mount_below));
    assert_int_equal(probes.stat_later_ns.known, mount_is_remote(&mount_below));
    assert_true(capability.residency.known);
    assert_true(!capability.evict.known || capability.evict.value == !capability.evict_why);
    assert_true(!capability.o_direct.known || capability.o_direct.value == !capability.o_direct_why);
    assert_int_equal(capability.direct_alignment_bytes.known, capability.o_direct.value);
    assert_true(!capability.direct_alignment_bytes.known || capability.direct_alignment_bytes.value >= 1);
    assert_non_null(capability.syncfs);
}

static int memory(const char *type)
{
    if (mount("none", folder.path, type, 0, NULL) < 0)
        return 99;
    int fd = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    probe(fd);
    bool empty = !temp_exists(fd, PROBE_NAME);
    close(fd);
    char why[64];
    snprintf(why, sizeof why, "%s keeps files in memory", type);
    if (!empty || !capability.residency.value)
        return 1;
    if (!capability.evict.known || capability.evict.value || strcmp(capability.evict_why, why) != 0)
        return 2;
    if (!capability.o_direct.known || capability.o_direct.value || capability.direct_alignment_bytes.known)
        return 3;
    if (!capability.d_type.value || strcmp(capability.syncfs, "whole") != 0 || probes.stat_again_ns.known)
        return 4;
    // Since 6.6 tmpfs takes the flag; before, and on ramfs, the file can't be opened so.
    if (strcmp(capability.o_direct_why, "open: Invalid argument") != 0 &&
        (strcmp(type, "tmpfs") != 0 ||
         strcmp(capability.o_direct_why, "tmpfs takes the flag and ignores it") != 0))
        return 5;
    return 0;
}

static int tmpfs(void)
{
    return memory("tmpfs");
}

static int ramfs(void)
{
    return memory("ramfs");
}

static void memory_can_not_be_evicted(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, tmpfs);
    temp_in_own_mounts(&folder, ramfs);
}

// An overlay on memory takes the flag as well, and its own type doesn't tell that it means nothing.
static int overlay(void)
{
    if (mount("none", folder.path, "tmpfs", 0, NULL) < 0)
        return 99;
    int fd = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    static const char *const names[] = {"lower", "upper", "work", "merged"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        temp_directory(fd, names[i]);
    char options[512];
    snprintf(options, sizeof options, "lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work", folder.path,
             folder.path, folder.path);
    char merged[128];
    snprintf(merged, sizeof merged, "%s/merged", folder.path);
    if (mount("none", merged, "overlay", 0, options) < 0)
        return 99;
    int below = open(merged, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    probe(below);
    if (temp_exists(below, PROBE_NAME) || !capability.evict.known || capability.evict.value)
        return 1;
    return strcmp(capability.evict_why, "100 % stayed in memory") ? 2 : 0;
}

static void an_overlay_on_memory_can_not_be_evicted(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, overlay);
}

static int full_disk(void)
{
    if (mount("none", folder.path, "tmpfs", 0, "size=512k") < 0)
        return 99;
    int fd = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    probe(fd);
    if (temp_exists(fd, PROBE_NAME))
        return 1;
    if (probes.fsync_bytes.known || probes.write_ns.known || capability.o_direct.known ||
        capability.evict.known || capability.fallocate.known)
        return 2;
    return capability.d_type.value ? 0 : 3; // that needs no room
}

static void a_full_disk_leaves_questions_open(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, full_disk);
}

static void a_limit_of_file_sizes_leaves_questions_open(void **state)
{
    (void)state;
    struct rlimit before, low;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = before;
    low.rlim_cur = 8192;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    probe(folder.fd);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_false(temp_exists(folder.fd, PROBE_NAME));
    assert_false(probes.fsync_bytes.known);
    assert_false(capability.o_direct.known);
    assert_true(capability.d_type.known);
}

static void a_file_that_is_there_is_left_alone(void **state)
{
    (void)state;
    temp_file(folder.fd, PROBE_NAME, "mine");
    probe(folder.fd);
    assert_true(temp_holds(folder.fd, PROBE_NAME, "mine"));
    assert_false(probes.write_ns.known);
    assert_false(capability.d_type.known);
    assert_int_equal(unlinkat(folder.fd, PROBE_NAME, 0), 0);
    assert_int_equal(symlinkat("elsewhere", folder.fd, PROBE_NAME), 0);
    probe(folder.fd);
    assert_false(temp_exists(folder.fd, "elsewhere"));
    assert_false(probes.write_ns.known);
}

static void a_directory_that_is_gone_is_no_error(void **state)
{
    (void)state;
    probe(-1);
    assert_false(probes.write_ns.known);
    assert_null(capability.syncfs);
}

int test_probe(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syncfs_reaches_some_servers),
        TEST(what_holds_on_every_disk),
        TEST(memory_can_not_be_evicted),
        TEST(an_overlay_on_memory_can_not_be_evicted),
        TEST(a_full_disk_leaves_questions_open),
        TEST(a_limit_of_file_sizes_leaves_questions_open),
        TEST(a_file_that_is_there_is_left_alone),
        TEST(a_directory_that_is_gone_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
