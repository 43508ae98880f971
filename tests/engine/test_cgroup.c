#include "engine/cgroup.h"

#include "base/text.h"
#include "engine/temp_folder.h"

int test_cgroup(int argc, char *argv[]);

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

static void assert_path(const char *text, const char *controller, const char *expected)
{
    char *path = cgroup_path(text, controller);
    if (expected)
        assert_string_equal(path, expected);
    else
        assert_null(path);
    free(path);
}

static void finds_the_group_of_a_controller(void **state)
{
    (void)state;
    static const char text[] = "9:name=systemd:/init\n4:cpu,cpuacct:/pod/box\n3:memory:/a:b\n0::/unified";
    assert_path(text, "cpu", "/pod/box");
    assert_path(text, "cpuacct", "/pod/box");
    assert_path(text, "memory", "/a:b");
    assert_path(text, "name=systemd", "/init");
    assert_path(text, "", "/unified");
    assert_path(text, "cpua", NULL);
    assert_path(text, "pids", NULL);
    assert_path("9:name=systemd:/init\n", "", NULL);
}

static void nonsense_has_no_groups(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "\n\n", ":", "::", "0:", "0::", "4:memory", "4:memory\n:/x", "a:b"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_path(texts[i], "memory", NULL);
        assert_path(texts[i], "", NULL);
    }
    assert_path(":,,,:/", "memory", NULL);
    assert_path(":,memory,:/", "memory", "/");
}

static void note(void *argument, const char *visited)
{
    text_printf(argument, "%s\n", visited + strlen(folder.path));
}

static void assert_walk(const char *groups, const char *controller, const char *expected)
{
    struct text visited = {0};
    temp_deep_file(folder.fd, "proc/self/cgroup", groups);
    cgroup_walk(folder.path, controller, note, &visited);
    assert_string_equal(text_string(&visited), expected);
    text_free(&visited);
}

static void goes_up_from_its_own_group(void **state)
{
    (void)state;
    assert_walk("0::/pod/box\n", "cpu",
                "/sys/fs/cgroup/pod/box\n/sys/fs/cgroup/pod\n/sys/fs/cgroup\n"
                "/sys/fs/cgroup/unified/pod/box\n/sys/fs/cgroup/unified/pod\n/sys/fs/cgroup/unified\n");
    assert_walk("0::/\n", "cpu", "/sys/fs/cgroup\n/sys/fs/cgroup/unified\n");
    temp_parents(folder.fd, "sys/fs/cgroup/memory/");
    assert_walk("4:memory:/a\n", "memory", "/sys/fs/cgroup/memory/a\n/sys/fs/cgroup/memory\n");
    assert_walk("4:memory:/a\n", "cpu", "");
    assert_walk("", "cpu", "");
}

static void controllers_that_share_a_hierarchy_are_found_without_links(void **state)
{
    (void)state;
    assert_walk("4:cpu,cpuacct:/a\n", "cpu", "/sys/fs/cgroup/cpu,cpuacct/a\n/sys/fs/cgroup/cpu,cpuacct\n");
    temp_parents(folder.fd, "sys/fs/cgroup/cpu/");
    assert_walk("4:cpu,cpuacct:/a\n", "cpu", "/sys/fs/cgroup/cpu/a\n/sys/fs/cgroup/cpu\n");
}

static void a_group_outside_of_the_namespace_leads_nowhere_else(void **state)
{
    (void)state;
    temp_parents(folder.fd, "sys/fs/cgroup/memory/");
    assert_walk("4:memory:/../../../etc\n", "memory", "/sys/fs/cgroup/memory\n");
    assert_walk("4:memory:/a/../b\n", "memory", "/sys/fs/cgroup/memory\n");
}

static void assert_quota(const char *content, double expected)
{
    double cpus = 0;
    temp_file(folder.fd, "cpu.max", content);
    assert_int_equal(cgroup_quota(folder.path, &cpus), expected > 0);
    if (expected > 0)
        assert_true(cpus == expected);
}

static void quotas_of_version_2(void **state)
{
    (void)state;
    assert_quota("150000 100000\n", 1.5);
    assert_quota("100000 100000", 1);
    assert_quota("max 100000\n", 0);
    assert_quota("max\n", 0);
    assert_quota("0 0\n", 0);
    assert_quota("5 0\n", 0);
    assert_quota("5\n", 0);
    assert_quota("5 -5\n", 0);
    assert_quota("", 0);
    assert_quota("99999999999999999999999999 100000\n", 0);
}

static void quotas_of_version_1(void **state)
{
    (void)state;
    double cpus = 0;
    assert_false(cgroup_quota(folder.path, &cpus));
    temp_file(folder.fd, "cpu.cfs_quota_us", "-1\n");
    temp_file(folder.fd, "cpu.cfs_period_us", "100000\n");
    assert_false(cgroup_quota(folder.path, &cpus));
    temp_file(folder.fd, "cpu.cfs_quota_us", "25000\n");
    assert_true(cgroup_quota(folder.path, &cpus));
    assert_true(cpus == 0.25);
}

static void limits_that_no_machine_has_are_none(void **state)
{
    (void)state;
    uint64_t bytes = 0;
    assert_false(cgroup_memory_limit(folder.path, &bytes));
    temp_file(folder.fd, "memory.limit_in_bytes", "9223372036854771712\n");
    assert_false(cgroup_memory_limit(folder.path, &bytes));
    temp_file(folder.fd, "memory.limit_in_bytes", "4096\n");
    assert_true(cgroup_memory_limit(folder.path, &bytes));
    assert_int_equal(bytes, 4096);
    temp_file(folder.fd, "memory.max", "max\n");
    temp_file(folder.fd, "memory.limit_in_bytes", "-1\n");
    assert_false(cgroup_memory_limit(folder.path, &bytes));
    temp_file(folder.fd, "memory.max", "0\n");
    assert_true(cgroup_memory_limit(folder.path, &bytes));
    assert_int_equal(bytes, 0);
    assert_false(cgroup_limit(folder.path, "pids.max", &bytes));
}

int test_cgroup(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(finds_the_group_of_a_controller),
        TEST(nonsense_has_no_groups),
        TEST(goes_up_from_its_own_group),
        TEST(controllers_that_share_a_hierarchy_are_found_without_links),
        TEST(a_group_outside_of_the_namespace_leads_nowhere_else),
        TEST(quotas_of_version_2),
        TEST(quotas_of_version_1),
        TEST(limits_that_no_machine_has_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
