#include "engine/host.h"

#include "engine/temp_folder.h"

#include <sys/resource.h>
#include <sys/utsname.h>

int test_host(int argc, char *argv[]);

static struct temp_folder folder;
static struct host host;

static int setup(void **state)
{
    (void)state;
    unsetenv("KUBERNETES_SERVICE_HOST");
    temp_folder_make(&folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    host_release(&host);
    memset(&host, 0, sizeof host);
    temp_folder_remove(&folder);
    return 0;
}

static void file(const char *path, const char *content)
{
    temp_deep_file(folder.fd, path, content);
}

static void look(void)
{
    host_release(&host);
    memset(&host, 0, sizeof host);
    host_look(folder.path, &host);
}

static void what_no_file_tells_is_unknown(void **state)
{
    (void)state;
    look();
    assert_null(host.boot_id);
    assert_null(host.machine_id_sha256);
    assert_null(host.container);
    assert_null(host.cgroup);
    assert_null(host.hypervisor);
    assert_null(host.capabilities);
    assert_false(host.seccomp.known);
    assert_null(host.cpu.model);
    assert_false(host.cpu.online.known);
    assert_false(host.cpu.quota.known);
    assert_null(host.cpu.governor);
    assert_false(host.cpu.mhz.known);
    assert_false(host.memory.total_bytes.known);
    assert_false(host.memory.limit_bytes.known);
    assert_false(host.memory.high_bytes.known);
    assert_false(host.memory.swap_total_bytes.known);
    assert_false(host.limits.pids_max.known);
    assert_null(host.limits.io_max);
    assert_false(host.vm.dirty_ratio.known);
    assert_null(host.clock.source);
    assert_false(host.clock.read_ns.known);
    // System calls tell these.
    assert_non_null(host.kernel);
    assert_true(host.uid.known);
    assert_true(host.cpu.affinity.known);
}

static void one_fact_a_file(void **state)
{
    (void)state;
    file("proc/sys/kernel/random/boot_id", "0a1b-2c3d\n");
    file("proc/self/status", "Name:\tx\nCapInh:\t0000000000000000\nCapEff:\t000001fffeffffff\nSeccomp:\t2\n");
    file("proc/meminfo",
         "MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable:  50 kB\nSwapTotal: 8 kB\nSwapFree: 0 kB\n");
    file("proc/sys/vm/dirty_ratio", "20\n");
    file("proc/sys/vm/dirty_background_ratio", "10\n");
    file("proc/sys/vm/dirty_bytes", "0\n");
    file("proc/sys/vm/dirty_background_bytes", "7\n");
    file("proc/sys/vm/dirty_expire_centisecs", "3000\n");
    file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    look();
    assert_string_equal(host.boot_id, "0a1b-2c3d");
    assert_string_equal(host.capabilities, "000001fffeffffff");
    assert_int_equal(host.seccomp.value, 2);
    assert_int_equal(host.memory.total_bytes.value, 102400);
    assert_int_equal(host.memory.available_bytes.value, 51200);
    assert_int_equal(host.memory.swap_total_bytes.value, 8192);
    assert_true(host.memory.swap_free_bytes.known);
    assert_int_equal(host.memory.swap_free_bytes.value, 0);
    assert_int_equal(host.vm.dirty_ratio.value, 20);
    assert_int_equal(host.vm.dirty_background_ratio.value, 10);
    assert_true(host.vm.dirty_bytes.known);
    assert_int_equal(host.vm.dirty_background_bytes.value, 7);
    assert_int_equal(host.vm.dirty_expire_centisecs.value, 3000);
    assert_string_equal(host.clock.source, "tsc");
}

static void hostile_texts_are_unknown(void **state)
{
    (void)state;
    static const char nonsense[] =
        "MemTotal: 99999999999999999999999 kB\nMemAvailable: 18446744073709551615 kB\n"
        "SwapTotal: -5 kB\nSwapFree:\nflags\nmodel name\nmodel name:\ncpu MHz\t: x\n:\n::\n";
    static const char *const files[] = {
        "proc/meminfo",
        "proc/self/status",
        "proc/self/cgroup",
        "proc/cpuinfo",
        "proc/sys/vm/dirty_ratio",
        "sys/devices/system/cpu/online",
        "sys/fs/cgroup/cpu.max",
        "sys/fs/cgroup/io.max",
        "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        file(files[i], nonsense);
    look();
    assert_false(host.memory.total_bytes.known);
    assert_false(host.memory.available_bytes.known);
    assert_false(host.memory.swap_total_bytes.known);
    assert_false(host.memory.swap_free_bytes.known);
    assert_false(host.vm.dirty_ratio.known);
    assert_false(host.cpu.online.known);
    assert_false(host.cpu.quota.known);
    assert_false(host.cpu.mhz.known);
    assert_null(host.cpu.model);
    assert_null(host.cgroup);
    assert_null(host.limits.io_max);
}

static void the_machine_id_is_hashed_without_its_line_end(void **state)
{
    (void)state;
    // sha256sum says so.
    static const char digest[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    file("etc/machine-id", "abc\n");
    look();
    assert_string_equal(host.machine_id_sha256, digest);
    file("etc/machine-id", "abc");
    look();
    assert_string_equal(host.machine_id_sha256, digest);
    file("etc/machine-id", "\n");
    look();
    assert_null(host.machine_id_sha256);
}

static void assert_container(const char *expected)
{
    look();
    if (expected)
        assert_string_equal(host.container, expected);
    else
        assert_null(host.container);
}

static void what_points_at_a_container(void **state)
{
    (void)state;
    file("proc/self/cgroup", "0::/user.slice\n");
    assert_container(NULL);
    file(".dockerenv", "");
    assert_container("docker");
    file("proc/self/cgroup", "0::/system.slice/containerd.service\n");
    assert_container("containerd");
    file("proc/self/cgroup", "4:memory:/lxc/box\n");
    assert_container("lxc");
    file("run/.containerenv", "");
    assert_container("podman");
    file("run/systemd/container", "systemd-nspawn\n");
    assert_container("systemd-nspawn");
    file("proc/self/cgroup", "4:memory:/kubepods/burstable/pod1\n");
    assert_container("kubernetes");
    file("proc/self/cgroup", "0::/\n");
    setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
    assert_container("kubernetes");
    unsetenv("KUBERNETES_SERVICE_HOST");
}

static void assert_hypervisor(const char *expected)
{
    look();
    assert_string_equal(host.hypervisor, expected);
}

static void what_points_at_a_hypervisor(void **state)
{
    (void)state;
    file("proc/cpuinfo", "flags\t\t: fpu vme de\n");
    look();
    assert_null(host.hypervisor);
    file("proc/cpuinfo", "flags\t\t: fpu hypervisor de\n");
    assert_hypervisor("yes");
    file("sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
    assert_hypervisor("vmware");
    file("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc kvm-clock \n");
    assert_hypervisor("kvm");
    file("sys/hypervisor/type", "xen\n");
    assert_hypervisor("xen");
}

static void the_group_that_tells_most(void **state)
{
    (void)state;
    file("proc/self/cgroup", "4:memory:/process/a\n1:cpu:/\n0::/\n");
    look();
    assert_string_equal(host.cgroup, "/process/a");
    file("proc/self/cgroup", "4:memory:/process/a\n1:cpu:/\n0::/pod/box\n");
    look();
    assert_string_equal(host.cgroup, "/pod/box");
    file("proc/self/cgroup", "0::/\n");
    look();
    assert_string_equal(host.cgroup, "/");
}

static void limits_of_version_2_are_the_least_of_all_groups(void **state)
{
    (void)state;
    file("proc/self/cgroup", "0::/pod/box\n");
    file("sys/fs/cgroup/pod/box/cpu.max", "max 100000\n");
    file("sys/fs/cgroup/pod/box/memory.max", "9000\n");
    file("sys/fs/cgroup/pod/box/memory.high", "max\n");
    file("sys/fs/cgroup/pod/box/pids.max", "max\n");
    look();
    assert_false(host.cpu.quota.known);
    assert_int_equal(host.memory.limit_bytes.value, 9000);
    assert_false(host.memory.high_bytes.known);
    assert_false(host.limits.pids_max.known);
    file("sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
    file("sys/fs/cgroup/pod/memory.max", "8000\n");
    file("sys/fs/cgroup/pod/memory.high", "7000\n");
    file("sys/fs/cgroup/pod/pids.max", "500\n");
    file("sys/fs/cgroup/pod/io.max",
         "8:0 rbps=max wbps=1048576 riops=max wiops=max\n8:16 rbps=max wbps=max\n");
    file("sys/fs/cgroup/pod/box/io.max", "7:1 rbps=5 wbps=max riops=max wiops=9\n");
    look();
    assert_true(host.cpu.quota.value == 1.5);
    assert_int_equal(host.memory.limit_bytes.value, 8000);
    assert_int_equal(host.memory.high_bytes.value, 7000);
    assert_int_equal(host.limits.pids_max.value, 500);
    assert_string_equal(host.limits.io_max, "7:1 rbps=5 wbps=max riops=max wiops=9; "
                                            "8:0 rbps=max wbps=1048576 riops=max wiops=max");
}

static void limits_of_version_1_and_of_both(void **state)
{
    (void)state;
    file("proc/self/cgroup", "8:pids:/a\n7:blkio:/\n4:memory:/a/b\n1:cpu,cpuacct:/a\n0::/pod\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    file("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "67108864\n");
    file("sys/fs/cgroup/pids/a/pids.max", "77\n");
    file("sys/fs/cgroup/blkio/blkio.throttle.read_bps_device", "\n");
    file("sys/fs/cgroup/blkio/blkio.throttle.write_bps_device", "7:0 1048576\n");
    file("sys/fs/cgroup/blkio/blkio.throttle.write_iops_device", "7:0 100\n7:1\n");
    look();
    assert_true(host.cpu.quota.value == 0.5);
    assert_int_equal(host.memory.limit_bytes.value, 67108864);
    assert_int_equal(host.limits.pids_max.value, 77);
    assert_string_equal(host.limits.io_max, "7:0 wbps=1048576; 7:0 wiops=100");
    file("sys/fs/cgroup/unified/pod/memory.max", "4096\n"); // version 2 beside version 1
    file("sys/fs/cgroup/unified/pod/cpu.max", "10000 100000\n");
    look();
    assert_true(host.cpu.quota.value == 0.1);
    assert_int_equal(host.memory.limit_bytes.value, 4096);
}

static void assert_online(const char *list, uint64_t expected)
{
    file("sys/devices/system/cpu/online", list);
    look();
    assert_int_equal(host.cpu.online.known, expected > 0);
    if (expected)
        assert_int_equal(host.cpu.online.value, expected);
}

static void cpus_online(void **state)
{
    (void)state;
    assert_online("0\n", 1);
    assert_online("0-3\n", 4);
    assert_online("0-3,8,10-11\n", 7);
    static const char *const wrong[] = {"\n",
                                        "-1\n",
                                        "3-1\n",
                                        "0-\n",
                                        "0,\n",
                                        ",0\n",
                                        "a\n",
                                        "0-3x\n",
                                        "0-99999999999999999999999\n",
                                        "99999999999999999999999\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_online(wrong[i], 0);
}

static void cpus_of_several_makes(void **state)
{
    (void)state;
    file("proc/cpuinfo", "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Some CPU @ 2.1 GHz\n"
                         "cpu MHz\t\t: 2100.250\nprocessor\t: 1\nmodel name\t: Other\ncpu MHz\t\t: 1.0\n");
    look();
    assert_string_equal(host.cpu.model, "Some CPU @ 2.1 GHz");
    assert_true(host.cpu.mhz.value > 2100.2499 && host.cpu.mhz.value < 2100.2501);
    file("proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t: 3.8\n");
    file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1800500\n");
    look();
    assert_string_equal(host.cpu.model, "POWER9, altivec supported");
    assert_string_equal(host.cpu.governor, "powersave");
    assert_true(host.cpu.mhz.value == 1800.5);
}

static void limits_of_the_process(void **state)
{
    (void)state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 1 << 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    look();
    assert_int_equal(host.limits.fsize_bytes.value, 1 << 20);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    look();
    assert_int_equal(host.limits.fsize_bytes.known, before.rlim_cur != RLIM_INFINITY);
}

static bool holds(const char *path, const char *part)
{
    char bytes[8192];
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    bytes[fread(bytes, 1, sizeof bytes - 1, stream)] = '\0';
    fclose(stream);
    return strstr(bytes, part);
}

static void this_machine_agrees(void **state)
{
    (void)state;
    host_look("", &host);
    struct utsname names;
    assert_int_equal(uname(&names), 0);
    assert_string_equal(host.kernel, names.release);
    assert_string_equal(host.arch, names.machine);
    assert_string_equal(host.hostname, names.nodename);
    assert_int_equal(host.uid.value, geteuid());
    assert_true(holds("/proc/sys/kernel/random/boot_id", host.boot_id));
    assert_true(holds("/proc/self/status", host.capabilities));
    assert_int_equal(host.cpu.online.value, sysconf(_SC_NPROCESSORS_ONLN));
    assert_in_range(host.cpu.affinity.value, 1, host.cpu.online.value);
    char line[64];
    snprintf(line, sizeof line, "%ju kB", (uintmax_t)host.memory.total_bytes.value / 1024);
    assert_true(holds("/proc/meminfo", line));
    assert_in_range(host.memory.available_bytes.value, 1, host.memory.total_bytes.value);
    assert_true(host.nice.known);
    assert_non_null(host.ioprio);
    assert_true(host.limits.nofile.value > 0);
    assert_true(!host.machine_id_sha256 || strlen(host.machine_id_sha256) == 64);
}

int test_host(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_no_file_tells_is_unknown),
        TEST(one_fact_a_file),
        TEST(hostile_texts_are_unknown),
        TEST(the_machine_id_is_hashed_without_its_line_end),
        TEST(what_points_at_a_container),
        TEST(what_points_at_a_hypervisor),
        TEST(the_group_that_tells_most),
        TEST(limits_of_version_2_are_the_least_of_all_groups),
        TEST(limits_of_version_1_and_of_both),
        TEST(cpus_online),
        TEST(cpus_of_several_makes),
        TEST(limits_of_the_process),
        TEST(this_machine_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
