#include "engine/memory.h"

#include "engine/temp_folder.h"

int test_memory(int argc, char *argv[]);

static struct temp_folder folder;

static int setup(void **state)
{
    (void)state;
    temp_folder_make(&folder);
    static const char *const folders[] = {
        "proc",
        "proc/self",
        "sys",
        "sys/fs",
        "sys/fs/cgroup",
        "sys/fs/cgroup/pod",
        "sys/fs/cgroup/pod/box",
        "sys/fs/cgroup/unified",
        "sys/fs/cgroup/memory",
        "sys/fs/cgroup/memory/pod",
        "sys/fs/cgroup/memory/pod/box",
    };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        temp_directory(folder.fd, folders[i]);
    temp_file(folder.fd, "proc/meminfo",
              "MemTotal:       24732000 kB\nMemFree: 1 kB\nMemAvailable:    1000000 kB\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_folder_remove(&folder);
    return 0;
}

static void assert_left(uint64_t expected)
{
    uint64_t bytes = 0;
    assert_true(memory_left(folder.path, &bytes));
    assert_int_equal(bytes, expected);
}

static void without_groups_it_is_what_the_machine_has(void **state)
{
    (void)state;
    assert_left(UINT64_C(1000000) * 1024);
    temp_file(folder.fd, "proc/self/cgroup", "0::/pod/box\n");
    assert_left(UINT64_C(1000000) * 1024);
}

static void nothing_known_is_nothing_known(void **state)
{
    (void)state;
    uint64_t bytes;
    temp_file(folder.fd, "proc/meminfo", "MemTotal: 5 kB\n");
    temp_file(folder.fd, "proc/self/cgroup", "nonsense\n:\n::\n0:\n\n4:memory\n");
    assert_false(memory_left(folder.path, &bytes));
    assert_int_equal(unlinkat(folder.fd, "proc/meminfo", 0), 0);
    assert_int_equal(unlinkat(folder.fd, "proc/self/cgroup", 0), 0);
    assert_false(memory_left(folder.path, &bytes));
}

static void a_group_of_version_2_and_those_above_it(void **state)
{
    (void)state;
    temp_file(folder.fd, "proc/self/cgroup", "0::/pod/box\n");
    temp_file(folder.fd, "sys/fs/cgroup/pod/box/memory.max", "max\n");
    temp_file(folder.fd, "sys/fs/cgroup/pod/box/memory.current", "5000\n");
    assert_left(UINT64_C(1000000) * 1024);
    temp_file(folder.fd, "sys/fs/cgroup/pod/memory.max", "9000\n");
    temp_file(folder.fd, "sys/fs/cgroup/pod/memory.current", "7000\n");
    assert_left(2000);
    temp_file(folder.fd, "sys/fs/cgroup/pod/box/memory.max", "6500\n");
    assert_left(1500);
    temp_file(folder.fd, "sys/fs/cgroup/pod/box/memory.current", "7000\n");
    assert_left(0);
}

static void page_cache_that_can_go_is_not_used_up(void **state)
{
    (void)state;
    temp_file(folder.fd, "proc/self/cgroup", "0::/pod\n");
    temp_file(folder.fd, "sys/fs/cgroup/pod/memory.max", "9000\n");
    temp_file(folder.fd, "sys/fs/cgroup/pod/memory.current", "8999\n");
    temp_file(folder.fd, "sys/fs/cgroup/pod/memory.stat", "anon 4\ninactive_file 5000\nactive_file 9\n");
    assert_left(5001);
    temp_file(folder.fd, "sys/fs/cgroup/pod/memory.stat", "inactive_file 99999\n");
    assert_left(9000);
}

static void a_group_of_version_1(void **state)
{
    (void)state;
    temp_file(folder.fd, "proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/pod/box\n0::/\n");
    temp_file(folder.fd, "sys/fs/cgroup/memory/pod/box/memory.limit_in_bytes", "9223372036854771712\n");
    temp_file(folder.fd, "sys/fs/cgroup/memory/pod/box/memory.usage_in_bytes", "77\n");
    assert_left(UINT64_C(1000000) * 1024); // a limit that no machine has is none
    temp_file(folder.fd, "sys/fs/cgroup/memory/pod/box/memory.limit_in_bytes", "67108864\n");
    assert_left(67108864 - 77);
}

static void a_container_sees_its_own_group_as_the_topmost(void **state)
{
    (void)state;
    temp_file(folder.fd, "proc/self/cgroup", "4:memory:/docker/0a1b2c/not/seen/from/here\n");
    temp_file(folder.fd, "sys/fs/cgroup/memory/memory.limit_in_bytes", "4096\n");
    temp_file(folder.fd, "sys/fs/cgroup/memory/memory.usage_in_bytes", "96\n");
    assert_left(4000);
}

static void this_machine_says_something(void **state)
{
    (void)state;
    uint64_t bytes;
    assert_true(memory_left("", &bytes));
    assert_true(bytes > 0 && bytes < UINT64_C(1) << 53);
}

int test_memory(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(without_groups_it_is_what_the_machine_has),
        TEST(nothing_known_is_nothing_known),
        TEST(a_group_of_version_2_and_those_above_it),
        TEST(page_cache_that_can_go_is_not_used_up),
        TEST(a_group_of_version_1),
        TEST(a_container_sees_its_own_group_as_the_topmost),
        TEST(this_machine_says_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
