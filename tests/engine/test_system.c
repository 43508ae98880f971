#include "engine/system.h"

#include "base/clock.h"
#include "base/text.h"
#include "engine/temp_folder.h"

int test_system(int argc, char *argv[]);

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

static void file(const char *path, const char *content)
{
    temp_deep_file(folder.fd, path, content);
}

// ---- Texts ----

static void steal_of_proc_stat(void **state)
{
    (void)state;
    uint64_t ticks = 0;
    assert_true(
        stat_steal("cpu  572595 38880 439050 1814057 22126 0 9450 1838 0 0\ncpu0 1 2 3 4 5 6 7 8\n", &ticks));
    assert_int_equal(ticks, 1838);
    assert_true(stat_steal("cpu  1 2 3 4 5 6 7 8", &ticks));
    assert_int_equal(ticks, 8);
    static const char *const wrong[] = {"",
                                        "cpu",
                                        "cpu ",
                                        "cpu  1 2 3 4 5 6 7\n",
                                        "cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7 8\n",
                                        "cpu0 1 2 3 4 5 6 7 8\n",
                                        "cpu  1 2 3 4 5 6 7 -8\n",
                                        "cpu  1 2 3 4 5 6 7 8x\n",
                                        "cpu  1 2 3 4 5 6 7 99999999999999999999999\n",
                                        "intr 1\ncpu  1 2 3 4 5 6 7 8\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(stat_steal(wrong[i], &ticks));
}

static void throttling_in_both_units(void **state)
{
    (void)state;
    uint64_t ns = 0;
    assert_true(cpu_stat_throttled("usage_usec 9\nnr_periods 4\nnr_throttled 2\nthrottled_usec 310\n", &ns));
    assert_int_equal(ns, 310000);
    assert_true(cpu_stat_throttled("nr_periods 4\nnr_throttled 2\nthrottled_time 310\n", &ns));
    assert_int_equal(ns, 310);
    assert_false(cpu_stat_throttled("usage_usec 9\n", &ns));
    assert_false(cpu_stat_throttled("throttled_usec 18446744073709551615\n", &ns));
    assert_false(cpu_stat_throttled("throttled_usec -1\n", &ns));
    assert_false(cpu_stat_throttled("", &ns));
}

static void pressure_is_the_some_line(void **state)
{
    (void)state;
    uint64_t ns = 0;
    assert_true(pressure_some("some avg10=0.00 avg60=0.12 avg300=1.00 total=12345\n"
                              "full avg10=0.00 avg60=0.00 avg300=0.00 total=99\n",
                              &ns));
    assert_int_equal(ns, 12345000);
    static const char *const wrong[] = {"",
                                        "some",
                                        "some avg10=0.00\nfull avg10=0.00 total=99\n",
                                        "full avg10=0.00 total=99\n",
                                        "some avg10=0.00 total=\n",
                                        "some avg10=0.00 total=x\n",
                                        "some avg10=0.00 total=18446744073709551615\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(pressure_some(wrong[i], &ns));
}

static void memory_events_of_both_limits(void **state)
{
    (void)state;
    uint64_t times = 0;
    assert_true(memory_events_limits("low 7\nhigh 3\nmax 14\noom 1\noom_kill 1\n", &times));
    assert_int_equal(times, 17);
    assert_false(memory_events_limits("low 7\nhigh 3\n", &times));
    assert_false(memory_events_limits("max 14\n", &times));
    assert_false(memory_events_limits("high 18446744073709551615\nmax 1\n", &times));
    assert_false(memory_events_limits("", &times));
}

static void a_line_of_diskstats(void **state)
{
    (void)state;
    struct disk_counts counts = {0};
    static const char line[] =
        " 254       0 vda 68659 14730 6911354 26390 2713532 6366830 295200080 1965879 0 347456 "
        "2237642 3625136 19255 224331368 214346 459572 31025";
    assert_true(diskstats_line(line, 254, 0, &counts));
    assert_int_equal(counts.read_bytes, UINT64_C(6911354) * 512);
    assert_int_equal(counts.written_bytes, UINT64_C(295200080) * 512);
    assert_int_equal(counts.busy_ns, UINT64_C(347456) * NS_PER_MS);
    assert_false(diskstats_line(line, 254, 1, &counts));
    assert_false(diskstats_line(line, 25, 0, &counts));
    static const char *const wrong[] = {"",
                                        "254",
                                        "254 0 vda",
                                        "254 0 vda 1 2 3 4 5 6 7 8 9",
                                        "254 0 vda 1 2 -3 4 5 6 7 8 9 10",
                                        "254 0 vda 1 2 3 4 5 6 7 8 9 x",
                                        "254 0 vda 1 2 18446744073709551615 4 5 6 7 8 9 10"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(diskstats_line(wrong[i], 254, 0, &counts));
}

// ---- Looks ----

static void look_at(unsigned major, unsigned minor, struct system_look *look)
{
    struct system_watch watch;
    system_watch_open(&watch, folder.path);
    system_watch_look(&watch, major, minor, look);
    system_watch_close(&watch);
}

static void what_no_file_tells_is_unknown(void **state)
{
    (void)state;
    struct system_look look;
    look_at(8, 0, &look);
    const struct system_use *counted = &look.counted;
    assert_true(counted->cpu_ns.known); // by a system call
    assert_true(counted->involuntary_switches.known);
    assert_false(counted->throttled_ns.known);
    assert_false(counted->throttled_periods.known);
    assert_false(counted->steal_ns.known);
    assert_false(counted->cpu_pressure_ns.known);
    assert_false(counted->io_pressure_ns.known);
    assert_false(counted->memory_pressure_ns.known);
    assert_false(counted->memory_events.known);
    assert_false(counted->memory_bytes.known);
    assert_false(counted->dirty_bytes.known);
    assert_false(counted->available_bytes.known);
    assert_false(counted->disk_read_bytes.known);
}

static void the_machines_own_files(void **state)
{
    (void)state;
    struct system_look look;
    file("proc/stat", "cpu  1 2 3 4 5 6 7 100 0 0\n");
    file("proc/meminfo", "MemTotal: 100 kB\nMemAvailable: 50 kB\nDirty: 3 kB\nWriteback: 4 kB\n");
    file("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
    file("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2\n");
    file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=3\n");
    look_at(0, 0, &look);
    assert_int_equal(look.counted.steal_ns.value, 100 * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
    assert_int_equal(look.counted.available_bytes.value, 51200);
    assert_int_equal(look.counted.dirty_bytes.value, 7168);
    assert_int_equal(look.counted.cpu_pressure_ns.value, 1000);
    assert_int_equal(look.counted.io_pressure_ns.value, 2000);
    assert_int_equal(look.counted.memory_pressure_ns.value, 3000);
    file("proc/meminfo", "MemTotal: 100 kB\nDirty: 3 kB\n");
    look_at(0, 0, &look);
    assert_false(look.counted.available_bytes.known);
    assert_false(look.counted.dirty_bytes.known);
}

static void groups_of_version_2(void **state)
{
    (void)state;
    struct system_look look;
    file("proc/self/cgroup", "0::/pod/box\n");
    file("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=99\n");
    file("sys/fs/cgroup/pod/box/io.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2\n");
    file("sys/fs/cgroup/pod/box/cpu.stat", "usage_usec 1\nnr_periods 2\nnr_throttled 3\nthrottled_usec 4\n");
    file("sys/fs/cgroup/pod/box/memory.events", "low 0\nhigh 5\nmax 6\n");
    file("sys/fs/cgroup/pod/box/memory.current", "7000\n");
    file("sys/fs/cgroup/pod/memory.current", "9000\n");
    look_at(0, 0, &look);
    assert_int_equal(look.counted.throttled_ns.value, 4000);
    assert_int_equal(look.counted.throttled_periods.value, 3);
    assert_int_equal(look.counted.memory_events.value, 11);
    assert_int_equal(look.counted.memory_bytes.value, 7000);
    assert_int_equal(look.counted.io_pressure_ns.value, 2000);
}

static void the_group_that_is_limited_is_watched(void **state)
{
    (void)state;
    struct system_look look;
    file("proc/self/cgroup", "0::/a/b/c\n");
    file("sys/fs/cgroup/a/b/c/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
    file("sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
    file("sys/fs/cgroup/a/cpu.stat", "nr_throttled 1\nthrottled_usec 17\n");
    file("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
    file("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    file("sys/fs/cgroup/a/b/c/memory.current", "1\n");
    file("sys/fs/cgroup/a/b/memory.current", "2\n");
    file("sys/fs/cgroup/a/memory.current", "3\n");
    file("sys/fs/cgroup/a/b/memory.max", "4096\n");
    file("sys/fs/cgroup/a/memory.max", "max\n");
    look_at(0, 0, &look);
    assert_int_equal(look.counted.throttled_ns.value, 17000);
    assert_int_equal(look.counted.memory_bytes.value, 2);
}

static void groups_of_version_1(void **state)
{
    (void)state;
    struct system_look look;
    file("proc/self/cgroup", "4:memory:/not/seen\n1:cpu:/a\n0::/\n");
    file("sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 2\nnr_throttled 3\nthrottled_time 4\n");
    file("sys/fs/cgroup/memory/memory.failcnt", "8\n");
    file("sys/fs/cgroup/memory/memory.usage_in_bytes", "4096\n");
    look_at(0, 0, &look);
    assert_int_equal(look.counted.throttled_ns.value, 4);
    assert_int_equal(look.counted.throttled_periods.value, 3);
    assert_int_equal(look.counted.memory_events.value, 8);
    assert_int_equal(look.counted.memory_bytes.value, 4096);
    assert_false(look.counted.io_pressure_ns.known);
}

static void version_2_beside_version_1_does_not_hide_it(void **state)
{
    (void)state;
    struct system_look look;
    file("proc/self/cgroup", "4:memory:/\n1:cpu:/\n0::/\n");
    file("sys/fs/cgroup/unified/cpu.stat", "usage_usec 1\nuser_usec 1\n");
    file("sys/fs/cgroup/unified/cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
    file("sys/fs/cgroup/cpu/cpu.stat", "nr_periods 2\nnr_throttled 3\nthrottled_time 4\n");
    look_at(0, 0, &look);
    assert_int_equal(look.counted.throttled_ns.value, 4);
    assert_int_equal(look.counted.cpu_pressure_ns.value, 5000);
}

// More disks than one read takes, with lines that lie across the ends of pieces.
static void every_disk_of_many_is_found(void **state)
{
    (void)state;
    enum { DISKS = 1000 };
    struct text text = {0};
    for (unsigned i = 0; i < DISKS; i++)
        text_printf(&text, "   7    %4u loop%u 1 1 %u 1 1 1 %u 1 1 %u 1 1 1\n", i, i, i, i + 1, i + 2);
    file("proc/diskstats", text_string(&text));
    text_free(&text);
    struct system_watch watch;
    system_watch_open(&watch, folder.path);
    for (unsigned i = 0; i < DISKS; i++) {
        struct system_look look;
        system_watch_look(&watch, 7, i, &look);
        assert_true(look.counted.disk_read_bytes.known);
        assert_int_equal(look.counted.disk_read_bytes.value, i * 512);
        assert_int_equal(look.counted.disk_written_bytes.value, (i + 1) * 512);
        assert_int_equal(look.counted.disk_busy_ns.value, (i + 2) * (uint64_t)NS_PER_MS);
    }
    struct system_look look;
    system_watch_look(&watch, 7, DISKS, &look);
    assert_false(look.counted.disk_read_bytes.known);
    system_watch_look(&watch, 0, 0, &look);
    assert_false(look.counted.disk_read_bytes.known);
    system_watch_close(&watch);
}

static void a_diskstats_of_one_endless_line_ends(void **state)
{
    (void)state;
    struct text text = {0};
    text_repeat(&text, '7', 100000);
    file("proc/diskstats", text_string(&text));
    text_free(&text);
    struct system_look look;
    look_at(7, 0, &look);
    assert_false(look.counted.disk_read_bytes.known);
}

// ---- Two looks ----

static void counts_are_differences_and_levels_are_not(void **state)
{
    (void)state;
    struct system_look before = {.monotonic_ns = 1000, .realtime_ns = 5000, .boottime_ns = 2000};
    struct system_look after = {.monotonic_ns = 3000, .realtime_ns = 6500, .boottime_ns = 4700};
    before.counted.cpu_ns = known_count(10);
    after.counted.cpu_ns = known_count(25);
    before.counted.steal_ns = known_count(7); // and then the file was gone
    after.counted.throttled_ns = known_count(7);
    before.counted.memory_events = known_count(9); // it went backwards
    after.counted.memory_events = known_count(8);
    before.counted.disk_busy_ns = after.counted.disk_busy_ns = known_count(3);
    before.counted.dirty_bytes = known_count(100);
    after.counted.dirty_bytes = known_count(60);
    before.counted.memory_bytes = known_count(1);
    struct system_use use;
    system_use_between(&before, &after, &use);
    assert_true(use.cpu_ns.known);
    assert_int_equal(use.cpu_ns.value, 15);
    assert_false(use.steal_ns.known);
    assert_false(use.throttled_ns.known);
    assert_false(use.memory_events.known);
    assert_true(use.disk_busy_ns.known);
    assert_int_equal(use.disk_busy_ns.value, 0);
    assert_int_equal(use.dirty_bytes.value, 60);
    assert_false(use.memory_bytes.known);
    assert_true(use.realtime_drift_ns.known);
    assert_int_equal(use.realtime_drift_ns.value, -500);
    assert_int_equal(use.suspended_ns.value, 700);
    after.boottime_ns = 3990; // read a moment too early
    system_use_between(&before, &after, &use);
    assert_true(use.suspended_ns.known);
    assert_int_equal(use.suspended_ns.value, 0);
}

// The kernel counts what this process does in between.
static void this_machine_counts(void **state)
{
    (void)state;
    struct system_watch watch;
    struct system_look before, after;
    struct system_use use;
    system_watch_open(&watch, "");
    system_watch_look(&watch, 0, 0, &before);
    do
        system_watch_look(&watch, 0, 0, &after);
    while (after.counted.cpu_ns.value - before.counted.cpu_ns.value < NS_PER_MS);
    system_watch_close(&watch);
    system_use_between(&before, &after, &use);
    assert_true(use.cpu_ns.value >= NS_PER_MS);
    assert_true(use.dirty_bytes.known);
    assert_true(use.available_bytes.value > 0);
    assert_true(use.steal_ns.known);
    for (size_t i = 0; i < SYSTEM_FILES; i++)
        assert_int_equal(watch.files[i], -1);
}

int test_system(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steal_of_proc_stat),
        cmocka_unit_test(throttling_in_both_units),
        cmocka_unit_test(pressure_is_the_some_line),
        cmocka_unit_test(memory_events_of_both_limits),
        cmocka_unit_test(a_line_of_diskstats),
        TEST(what_no_file_tells_is_unknown),
        TEST(the_machines_own_files),
        TEST(groups_of_version_2),
        TEST(the_group_that_is_limited_is_watched),
        TEST(groups_of_version_1),
        TEST(version_2_beside_version_1_does_not_hide_it),
        TEST(every_disk_of_many_is_found),
        TEST(a_diskstats_of_one_endless_line_ends),
        cmocka_unit_test(counts_are_differences_and_levels_are_not),
        cmocka_unit_test(this_machine_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
