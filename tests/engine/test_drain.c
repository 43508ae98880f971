// test_drain.c: reading the kernel's dirty pages, and when waiting for them ends.
#include "rig.h"

#include "engine/drain.h"

static void test_meminfo(void **state)
{
    (void)state;
    uint64_t bytes;
    assert_true(
        meminfo_dirty("MemTotal: 5 kB\nDirty:    12 kB\nWriteback:     3 kB\nWritebackTmp: 99 kB\n", &bytes));
    assert_int_equal(bytes, 15 * 1024);
    assert_true(meminfo_dirty("Dirty: 0 kB\nWriteback: 0 kB", &bytes));
    assert_int_equal(bytes, 0);
    static const char *const bad[] = {
        "",
        "\n\n",
        "Dirty: 12 kB\n",
        "Writeback: 12 kB\n",
        "Dirty: kB\nWriteback: 1 kB\n",
        "Dirty: -1 kB\nWriteback: 1 kB\n",
        "Dirty: 1\nWriteback: 1 kB\n",
        "Dirty: 1 MB\nWriteback: 1 kB\n",
        "Dirty: 99999999999999999999 kB\nWriteback: 1 kB\n",
        "Dirty: 18014398509481984 kB\nWriteback: 1 kB\n",
        "Dirty: 18014398509481983 kB\nWriteback: 18014398509481983 kB\n",
        "XDirty: 1 kB\nWriteback: 1 kB\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(meminfo_dirty(bad[i], &bytes));
}

static void write_level(const char *path, unsigned kib)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fprintf(file, "Dirty: %10u kB\nWriteback: 0 kB\n", kib);
    fclose(file);
}

struct setting {
    char folder[RIG_PATH_SIZE];
    char meminfo[RIG_PATH_SIZE + 16];
    struct drain drain;
    struct target target;
    struct tier tiers[2]; // one real, one null
    struct crew crew;     // only for its halt
};

static void set_up(struct setting *setting, unsigned kib)
{
    memset(setting, 0, sizeof *setting);
    rig_faults_clear();
    rig_directory(setting->folder, "/dev/shm");
    snprintf(setting->meminfo, sizeof setting->meminfo, "%s/meminfo", setting->folder);
    close(open(setting->meminfo, O_CREAT | O_EXCL | O_WRONLY, 0600));
    write_level(setting->meminfo, kib);
    drain_open(&setting->drain, setting->meminfo);
    setting->tiers[0].io.calls = &rig_calls;
    setting->tiers[0].scratch.dirfd = open(setting->folder, O_RDONLY | O_DIRECTORY);
    setting->tiers[1].null = true;
    setting->tiers[1].io.calls = &io_null;
}

static void tear_down(struct setting *setting)
{
    close(setting->tiers[0].scratch.dirfd);
    drain_close(&setting->drain);
    unlink(setting->meminfo);
    rmdir(setting->folder);
}

static void test_waits_for_the_level(void **state)
{
    (void)state;
    struct setting setting;
    struct drained drained;
    set_up(&setting, 500);
    assert_int_equal(setting.drain.start_bytes, 500 * 1024);

    write_level(setting.meminfo, 1500); // within 1 MiB
    drain_wait(&setting.drain, setting.tiers, 2, 0, &setting.crew, &drained);
    assert_true(drained.done && drained.has_dirty && !drained.timed_out);
    assert_int_equal(drained.before_bytes, 1500 * 1024);
    assert_int_equal(rig_faults.counts[RIG_SYNCFS], 1);

    for (unsigned i = 1; i <= 3; i++) {
        write_level(setting.meminfo, 5000);
        drain_wait(&setting.drain, setting.tiers, 2, 0, &setting.crew, &drained);
        assert_true(drained.timed_out);
        assert_int_equal(drained.after_bytes, 5000 * 1024);
        assert_int_equal(setting.drain.time_outs, i);
    }
    // Less than at the start is fine too.
    write_level(setting.meminfo, 0);
    drain_wait(&setting.drain, setting.tiers, 2, 0, &setting.crew, &drained);
    assert_false(drained.timed_out);
    tear_down(&setting);
}

static void test_ends_when_asked(void **state)
{
    (void)state;
    struct setting setting;
    struct drained drained;
    set_up(&setting, 0);
    write_level(setting.meminfo, 1000000);
    crew_halt(&setting.crew);
    drain_wait(&setting.drain, setting.tiers, 2, UINT64_MAX, &setting.crew, &drained);
    assert_false(drained.timed_out);
    tear_down(&setting);
}

static void test_failed_sync(void **state)
{
    (void)state;
    struct setting setting;
    struct drained drained;
    set_up(&setting, 0);
    rig_faults.call = RIG_SYNCFS;
    rig_faults.from = 1;
    rig_faults.to = UINT64_MAX;
    rig_faults.number = ENOTCONN;
    drain_wait(&setting.drain, setting.tiers, 2, 0, &setting.crew, &drained);
    assert_true(drained.sync_failed[0]);
    assert_int_equal(drained.sync_errno[0], ENOTCONN);
    assert_false(drained.sync_failed[1]);
    drain_wait(&setting.drain, setting.tiers, 2, 0, &setting.crew, &drained);
    assert_false(drained.sync_failed[0]); // said once, asked once
    assert_int_equal(rig_faults.counts[RIG_SYNCFS], 1);
    tear_down(&setting);
}

static void test_nothing_to_drain(void **state)
{
    (void)state;
    struct setting setting;
    struct drained drained;
    set_up(&setting, 0);
    write_level(setting.meminfo, 1000000);
    drain_wait(&setting.drain, &setting.tiers[1], 1, 0, &setting.crew, &drained);
    assert_false(drained.done);
    tear_down(&setting);
}

static void test_no_meminfo(void **state)
{
    (void)state;
    struct setting setting;
    struct drained drained;
    set_up(&setting, 0);
    drain_close(&setting.drain);
    drain_open(&setting.drain, "/dev/null");
    assert_int_equal(setting.drain.meminfo, -1);
    drain_wait(&setting.drain, setting.tiers, 2, 0, &setting.crew, &drained);
    assert_true(drained.done);
    assert_false(drained.has_dirty);
    tear_down(&setting);
}

int test_drain(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meminfo),          cmocka_unit_test(test_waits_for_the_level),
        cmocka_unit_test(test_ends_when_asked),  cmocka_unit_test(test_failed_sync),
        cmocka_unit_test(test_nothing_to_drain), cmocka_unit_test(test_no_meminfo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
