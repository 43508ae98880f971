#include "analysis/ask.h"
#include "base/units.h"
#include "spec/plan_total.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_rule_environment(int argc, char *argv[]);

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

// Rounds of one walk on A that each took so long.
static void begin(struct run *run, unsigned rounds, uint64_t wall_ns)
{
    fixture_begin(run, "walk", rounds);
    for (unsigned round = 1; round <= rounds; round++)
        fixture_add(run, 0, 0, round, wall_ns);
}

static void expect(struct asked_answer answer, enum outcome outcome, enum verdict verdict,
                   const char *sentence)
{
    assert_string_equal(answer.sentence, sentence);
    assert_int_equal(answer.outcome, outcome);
    if (outcome == OUTCOME_FIRED)
        assert_int_equal(answer.verdict, verdict);
}

static void expect_quiet(struct asked_answer answer)
{
    expect(answer, OUTCOME_QUIET, VERDICT_INFO, "");
}

static void expect_lacking(struct asked_answer answer, const char *lacking)
{
    expect(answer, OUTCOME_NOT_CHECKED, VERDICT_INFO, lacking);
}

// ---- CPU and memory ----

static void throttle(struct run *run, size_t sample, uint64_t periods, uint64_t ns)
{
    run->samples[sample].system.throttled_periods = known_count(periods);
    run->samples[sample].system.throttled_ns = known_count(ns);
}

static void a_quota_that_holds_back_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 4, 1740 * MS);
    expect_lacking(ask(&run, "cpu-throttled", 0, 0), need_words(NEED_THROTTLING));
    expect_lacking(ask(&run, "cpu-throttled", 0, 1), need_words(NEED_ROUNDS));
    for (size_t i = 0; i < 4; i++)
        throttle(&run, i, 1, 17400000); // 1 %
    expect_quiet(ask(&run, "cpu-throttled", 0, 0));
    throttle(&run, 2, 3, 310 * MS);
    expect(ask(&run, "cpu-throttled", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The CPU quota held the control group back for 310 ms of 1.74 s in round 3.");
    throttle(&run, 1, 3, 200 * MS); // half of the rounds aren't more than half
    expect(ask(&run, "cpu-throttled", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The CPU quota held the control group back for 310 ms of 1.74 s in round 3.");
    throttle(&run, 0, 3, 200 * MS);
    expect(ask(&run, "cpu-throttled", 0, 0), OUTCOME_FIRED, VERDICT_DISCARD,
           "The CPU quota held the control group back for more than 10 % of the time in 3 of 4 rounds, the "
           "most for 310 ms of 1.74 s.");
    for (size_t i = 0; i < 4; i++)
        throttle(&run, i, 0, 310 * MS); // time without a period isn't of this section
    expect_quiet(ask(&run, "cpu-throttled", 0, 0));
    run_release(&run);
}

static void stolen_time_is_of_all_cpus(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 3, 2 * S);
    run.samples[1].wall_ns = 500 * MS; // too short for ticks of 10 ms
    expect_lacking(ask(&run, "cpu-stolen", 0, 0), need_words(NEED_STEAL));
    for (size_t i = 0; i < 3; i++)
        run.samples[i].system.steal_ns = known_count(400 * MS);
    expect_lacking(ask(&run, "cpu-stolen", 0, 0), "how many CPUs the machine has isn't known");
    run.host.cpu.online = known_count(4); // 5 %
    expect_quiet(ask(&run, "cpu-stolen", 0, 0));
    run.samples[2].system.steal_ns = known_count(480 * MS);
    expect(ask(&run, "cpu-stolen", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "6 % of CPU time went to other machines in round 3.");
    for (size_t i = 0; i < 3; i++)
        run.samples[i].wall_ns = 999 * MS;
    expect_lacking(ask(&run, "cpu-stolen", 0, 0),
                   "no round took a second: steal is counted in ticks of 10 ms");
    run_release(&run);
}

static void short_memory_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 3, 1 * S);
    expect_lacking(ask(&run, "memory-pressure", 0, 0), need_words(NEED_MEMORY));
    for (size_t i = 0; i < 3; i++)
        run.samples[i].system.memory_pressure_ns = known_count(10 * MS);
    expect_quiet(ask(&run, "memory-pressure", 0, 0));
    run.samples[1].system.memory_pressure_ns = known_count(120 * MS);
    expect(ask(&run, "memory-pressure", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "Something waited for memory for 120 ms of 1.00 s in round 2.");
    run.samples[0].system.memory_events = known_count(1);
    expect(ask(&run, "memory-pressure", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The control group hit its memory limit once.");
    run.samples[2].system.memory_events = known_count(13);
    expect(ask(&run, "memory-pressure", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "The control group hit its memory limit 14 times.");
    // Either of both tells.
    for (size_t i = 0; i < 3; i++) {
        run.samples[i].system.memory_pressure_ns = (struct count){0};
        run.samples[i].system.memory_events = known_count(0);
    }
    expect_quiet(ask(&run, "memory-pressure", 0, 0));
    run_release(&run);
}

static void a_busy_machine_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1, 1 * S);
    expect_lacking(ask(&run, "io-pressure-foreign", 0, 0), need_words(NEED_IO_PRESSURE));
    run.calibration.idle_ns = known_count(1 * S);
    run.calibration.idle_io_pressure_ns = known_count(50 * MS);
    expect_quiet(ask(&run, "io-pressure-foreign", 0, 0));
    run.calibration.idle_io_pressure_ns = known_count(340 * MS);
    expect(
        ask(&run, "io-pressure-foreign", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
        "The disk queue was already busy before the run began: something waited for I/O for 34 % of 1.00 s "
        "in which the machine was left alone.");
    run_release(&run);
}

// ---- Disks ----

static void a_disk_with_little_room_is_named(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,walk,delete", 1);
    struct run_tier *tier = &run.tiers[0];
    expect_lacking(ask(&run, "nearly-full", 0, 0), need_words(NEED_SPACE));
    tier->has_space = true; // and zero: what some file systems say of themselves
    expect_lacking(ask(&run, "nearly-full", 0, 0), need_words(NEED_SPACE));
    tier->total_bytes = 100 * GIB;
    tier->free_bytes = 7 * GIB;
    expect(ask(&run, "nearly-full", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "It is 93 % full; many disks slow down there.");
    tier->free_bytes = 10 * GIB;
    expect_lacking(ask(&run, "nearly-full", 0, 0), "how many files the disk has room for isn't known");
    uint64_t files = plan_total(&run.plan).most_files;
    assert_int_equal(files, 200);
    tier->files_free = 399;
    expect(ask(&run, "nearly-full", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "It has room for 399 more files, less than twice the 200 of the run.");
    tier->files_free = 400;
    expect_quiet(ask(&run, "nearly-full", 0, 0));
    run_release(&run);
}

static void the_age_of_a_disk_is_never_known(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1, 1 * S);
    expect(ask(&run, "age-unknown", 0, 0), OUTCOME_FIRED, VERDICT_INFO,
           "Measured on these disks as they are today; age and fragmentation change these numbers.");
    run.tiers[1].null = true;
    expect(ask(&run, "age-unknown", 0, 0), OUTCOME_FIRED, VERDICT_INFO,
           "Measured on this disk as it is today; age and fragmentation change these numbers.");
    run.tiers[0].null = true;
    expect_quiet(ask(&run, "age-unknown", 0, 0));
    run_release(&run);
}

static void set_mounts(struct run *run, const char *type)
{
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        free(run->tiers[tier].mount.type);
        run->tiers[tier].mount.type = xstrdup(type);
    }
}

static void two_tiers_on_one_disk_are_refused(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6, 1 * S);
    expect_lacking(ask(&run, "same-storage", 0, 0), "what both disks lie on can't be seen");
    set_mounts(&run, "overlay");
    expect_lacking(ask(&run, "same-storage", 0, 0), "what both disks lie on can't be seen");
    set_mounts(&run, "ext4");
    expect_quiet(ask(&run, "same-storage", 0, 0));
    run.shared_why = xstrdup("a\x1b and b lie on one disk: /dev/vda (ext4).");
    expect(
        ask(&run, "same-storage", 0, 0), OUTCOME_FIRED, VERDICT_REFUSE,
        "a\\x1b and b lie on one disk: /dev/vda (ext4). There are not two tiers here, so no ratio is shown; "
        "--same-disk shows it.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "same-storage", SIZE_MAX, RUN_TIERS_MOST);
    assert_non_null(finding);
    assert_string_equal(finding->statistic, "ratio");
    judgement_release(&judgement);

    run.plan.same_disk = true;
    expect(ask(&run, "same-storage", 0, 0), OUTCOME_FIRED, VERDICT_CAVEAT,
           "a\\x1b and b lie on one disk: /dev/vda (ext4). The ratios compare one disk with itself.");
    run.tiers[1].null = true;
    expect_quiet(ask(&run, "same-storage", 0, 0));
    run_release(&run);
}

static void an_empty_reason_is_still_one(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1, 1 * S);
    run.shared_why = xstrdup("");
    assert_int_equal(ask(&run, "same-storage", 0, 0).outcome, OUTCOME_FIRED);
    run_release(&run);
}

// ---- Mounts ----

static struct asked_answer ask_mounts(const char *a, const char *a_super, const char *b, const char *b_super)
{
    struct run run;
    begin(&run, 1, 1 * S);
    set_mounts(&run, "ext4");
    const char *const options[] = {a, b}, *const super_options[] = {a_super, b_super};
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        run.tiers[tier].mount.options = options[tier] ? xstrdup(options[tier]) : NULL;
        run.tiers[tier].mount.super_options = super_options[tier] ? xstrdup(super_options[tier]) : NULL;
    }
    struct asked_answer answer = ask(&run, "mount-differs", 0, 0);
    run_release(&run);
    return answer;
}

static void an_option_that_changes_the_work_is_a_caveat(void **state)
{
    (void)state;
    expect(ask_mounts("rw,relatime", "rw,sync", "rw,relatime", "rw"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A persistent is mounted sync (every write waits for the disk).");
    expect(ask_mounts("rw,relatime", "rw", "rw,relatime", "rw,dirsync"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "B ephemeral is mounted dirsync (every change of a directory waits for the disk).");
    expect(ask_mounts("rw,relatime", "rw,barrier=0", "rw,relatime", "rw"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A persistent is mounted barrier=0 (a flush doesn't reach the disk's own cache).");
    expect(ask_mounts("rw,relatime", "rw,data=journal", "rw,relatime", "rw,data=ordered"), OUTCOME_FIRED,
           VERDICT_CAVEAT,
           "A persistent is mounted data=journal (data is written twice, to the journal first).");
    expect(ask_mounts("rw,relatime", "rw", "rw,relatime", "rw,fsync=volatile"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "B ephemeral is mounted fsync=volatile (syncs are left out).");
    // Two at once: the severer one counts, and both are named.
    expect(ask_mounts("rw,noatime", "rw,max_read=131072", "rw,relatime", "rw,data=writeback"), OUTCOME_FIRED,
           VERDICT_CAVEAT,
           "B ephemeral is mounted data=writeback (data may be written after the metadata that names it); "
           "A persistent is mounted noatime (a read notes no access time); A persistent is mounted "
           "max_read=131072 (the bytes of the largest read request).");
}

static void an_option_that_is_ordinary_is_information(void **state)
{
    (void)state;
    expect(ask_mounts("rw,relatime", "rw,user_id=0,max_read=131072", "rw,relatime", "rw"), OUTCOME_FIRED,
           VERDICT_INFO, "A persistent is mounted max_read=131072 (the bytes of the largest read request).");
    expect(ask_mounts("rw,relatime", "rw", "rw,relatime", "rw,discard"), OUTCOME_FIRED, VERDICT_INFO,
           "B ephemeral is mounted discard (a delete also tells the device which blocks are free).");
}

static void the_kernel_writes_strictatime_as_nothing(void **state)
{
    (void)state;
    expect(ask_mounts("rw,nosuid", "rw", "rw,relatime", "rw"), OUTCOME_FIRED, VERDICT_CAVEAT,
           "A persistent is mounted strictatime (every read also writes).");
    expect_quiet(ask_mounts("rw", "rw", "rw", "rw")); // where no kernel writes relatime
    expect_quiet(ask_mounts(NULL, "rw", "rw,relatime", "rw"));
}

static void options_that_both_have_differ_in_nothing(void **state)
{
    (void)state;
    expect_quiet(ask_mounts("rw,relatime", "rw", "rw,relatime", "rw"));
    expect_quiet(ask_mounts("rw,relatime", "rw,nobarrier", "rw,relatime", "rw,barrier=0"));
    // Neither a part of a name nor another value of it.
    expect(ask_mounts("rw,relatime", "rw,max_read=131072", "rw,relatime", "rw,max_read=1048576"),
           OUTCOME_FIRED, VERDICT_INFO,
           "A persistent is mounted max_read=131072, the other max_read=1048576 (the bytes of the largest "
           "read request).");
    expect_quiet(ask_mounts("rw,relatime", "rw,max_read=131072", "rw,relatime", "rw,max_read=131072"));
    expect_quiet(ask_mounts("rw,relatime", "rw,nobarrier", "rw,relatime", "rw,barrier=0"));
    expect_quiet(ask_mounts("rw,relatime", "async,syncer,nodiscard,barrier=01", "rw,relatime", ",,"));

    struct run run;
    begin(&run, 1, 1 * S);
    expect_lacking(ask(&run, "mount-differs", 0, 0), need_words(NEED_BOTH_MOUNTS));
    run.tiers[1].null = true;
    expect_quiet(ask(&run, "mount-differs", 0, 0));
    run_release(&run);
}

int test_rule_environment(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quota_that_holds_back_is_named),
        cmocka_unit_test(stolen_time_is_of_all_cpus),
        cmocka_unit_test(short_memory_is_named),
        cmocka_unit_test(a_busy_machine_is_named),
        cmocka_unit_test(a_disk_with_little_room_is_named),
        cmocka_unit_test(the_age_of_a_disk_is_never_known),
        cmocka_unit_test(two_tiers_on_one_disk_are_refused),
        cmocka_unit_test(an_empty_reason_is_still_one),
        cmocka_unit_test(an_option_that_changes_the_work_is_a_caveat),
        cmocka_unit_test(an_option_that_is_ordinary_is_information),
        cmocka_unit_test(the_kernel_writes_strictatime_as_nothing),
        cmocka_unit_test(options_that_both_have_differ_in_nothing),
    };
    return cmocka_run_group_tests_name("rule_environment", tests, NULL, NULL);
}
