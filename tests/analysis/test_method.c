#include "analysis/method.h"

#include "analysis/fixture.h"
#include "analysis/judge.h"
#include "analysis/limitations.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_method(int argc, char *argv[]);

// All facts, sentences of method and limitations, a line each. The caller frees.
static char *told(const struct run *run)
{
    struct judgement judgement;
    struct page page;
    struct text text = {0};
    judge_run(run, &judgement);
    page_make(&page, run, &judgement);
    for (size_t i = 0; i < page.fact_count; i++)
        text_printf(&text, "%s: %s\n", page.facts[i].label, page.facts[i].value);
    for (size_t i = 0; i < page.method_count; i++)
        text_printf(&text, "%s\n", page.method[i]);
    for (size_t i = 0; i < page.limitation_count; i++)
        text_printf(&text, "%s\n", page.limitations[i]);
    page_release(&page);
    judgement_release(&judgement);
    return text.bytes;
}

static void assert_told(const struct run *run, const char *words, bool expected)
{
    char *all = told(run);
    if ((strstr(all, words) != NULL) != expected)
        fail_msg("%s: %s\n%s", expected ? "not said" : "said", words, all);
    free(all);
}

static void assert_said(const struct run *run, const char *words)
{
    assert_told(run, words, true);
}

static void assert_unsaid(const struct run *run, const char *words)
{
    assert_told(run, words, false);
}

static void measure(struct run *run, const char *workloads, unsigned rounds, unsigned done)
{
    fixture_begin(run, workloads, rounds);
    for (unsigned round = 0; round <= done; round++)
        for (size_t i = 0; i < run->plan.workload_count; i++)
            for (unsigned tier = 0; tier < 2 && !run->plan.workloads[i].follow_up; tier++)
                fixture_add(run, i, tier, round, 100000000 * (tier + 1) + round);
}

static void rounds_are_those_that_began(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create,seq-write-1", 6, 6);
    assert_said(&run, "6 rounds, each every workload once on each disk. Before them round 0");
    assert_said(&run, "Large writes did their rounds after those of the rest.");
    assert_said(&run, "drawn by lot (seed ");
    assert_said(&run, "and mirrored in the next round.");
    run_release(&run);

    measure(&run, "create", 6, 4);
    assert_said(&run, "4 of the 6 rounds planned began");
    assert_unsaid(&run, "Large writes");
    run_release(&run);

    measure(&run, "create", 1, 1);
    assert_said(&run, "1 round, each");
    assert_unsaid(&run, "mirrored");
    assert_said(&run, "One round is one observation");
    run_release(&run);
}

static void without_a_first_use_that_is_said(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create", 2);
    run.plan.warmup_rounds = 0;
    for (unsigned round = 1; round <= 2; round++)
        fixture_add(&run, 0, 0, round, 100000000);
    assert_said(&run, "No round 0 came before them");
    assert_unsaid(&run, "Before them round 0");
    run_release(&run);
}

static void nothing_is_said_of_what_was_not_done(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,walk,seq-read-cold", 3);
    fixture_add(&run, 0, 0, 1, 100000000);
    fixture_add_other(&run, fixture_find(&run, "walk"), 0, 1, SAMPLE_SKIPPED, SKIP_USER);
    assert_said(&run,
                "create, timed: openat, write and close of each of 200 files of 4 KiB in one directory, "
                "then one syncfs.");
    assert_unsaid(&run, "walk, timed");
    assert_unsaid(&run, "seq-read");
    assert_unsaid(&run, "flushed");
    assert_unsaid(&run, "read back");
    assert_unsaid(&run, "mincore");
    assert_unsaid(&run, "another look");
    assert_unsaid(&run, "several times over");
    assert_unsaid(&run, "A ratio is of costs");
    assert_unsaid(&run, "What the program itself costs");
    assert_unsaid(&run, "console");
    run_release(&run);

    fixture_begin(&run, "create", 3);
    assert_unsaid(&run, "timed");
    assert_unsaid(&run, "thread");
    assert_unsaid(&run, "round 0");
    run_release(&run);
}

static void syncs_are_the_plans(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create,rename,delete", 2, 2);
    assert_said(&run,
                "create, timed: openat, write and close of each of 200 files of 4 KiB in one directory, "
                "then one syncfs.");
    assert_said(&run, "rename, timed: renameat, within its directory, of each of 200 files of 4 KiB in one "
                      "directory, and no sync.");
    assert_said(&run, "syncfs is of a whole file system");
    for (size_t i = 0; i < 3; i++)
        run.plan.workloads[i].sync = SYNC_FSYNC;
    assert_said(&run, "openat, write, fsync and close of each of 200 files");
    assert_said(&run, "delete, timed: unlinkat of each of 200 files of 4 KiB in one directory, then fsync of "
                      "each directory that changed.");
    assert_unsaid(&run, "syncfs is of a whole file system");
    run_release(&run);
}

static void what_is_done_alike_is_told_once(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "walk,seq-write-1,seq-write-2", 1, (uint64_t[]){1, 4, 0});
    for (size_t i = 0; i < run.plan.workload_count; i++)
        if (!run.plan.workloads[i].follow_up)
            fixture_add(&run, i, 0, 1, 100000000);
    assert_said(&run, "walk-t1 and walk-t4, timed: opendir,");
    assert_said(&run, "seq-write-1-t1, seq-write-2-t1, seq-write-1-t4 and seq-write-2-t4, timed: openat,");
    assert_said(&run, "1 to 4 threads worked on a disk at a time, as the names say, each on its share");
    run_release(&run);
}

static void what_stands_around_sections(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create,seq-read-cold", 2, 2);
    struct sample *sample = &run.samples[0];
    sample->has_drain = sample->has_dirty = sample->drain_timed_out = sample->has_verify = true;
    sample->drain_ns = 310000000;
    sample->verify_blocks = 200;
    run.samples[1].has_drain = true;
    run.samples[4].batches = 3;
    size_t cold = fixture_find(&run, "seq-read-cold");
    for (size_t i = 0; i < run.sample_count; i++)
        if (run.samples[i].workload == cold)
            run.samples[i].resident_before = (struct real){.known = true, .value = 0.0123};
    run.calibration.overhead[0].wall_ns = known_count(1000);
    run.screen = known_flag(true);
    assert_said(&run, "each disk was flushed with syncfs, and the kernel's unwritten data waited for; the "
                      "longest wait was 310 ms, and 1 of 2 were given up.");
    assert_said(&run, "200 blocks of 4 KiB were read back, untimed, and all were what was written.");
    assert_said(&run, "at most 1.2 % of its file was in the page cache");
    assert_said(&run, "done several times over in each round on that disk");
    assert_said(&run, "What the program itself costs was measured before");
    assert_said(&run, "A console was drawn while this was measured.");
    run.samples[0].verify_mismatches = 3;
    assert_said(&run, "3 of them differed from what was written.");
    run_release(&run);
}

static void follow_ups_are_told_by_disk(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create,walk", 2, 2);
    for (unsigned round = 1; round <= 3; round++)
        fixture_add(&run, 1, 0, round, 100000000)->block = 2;
    assert_said(&run,
                "After all rounds the rules asked for another look: walk on A persistent 3x. These samples "
                "are stored and in no figure.");
    run_release(&run);
}

static void no_disk_is_no_disk(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create", 2, 2);
    run.tiers[0].null = run.tiers[1].null = true;
    run.samples[0].has_drain = true;
    assert_said(&run, "A persistent: no disk at all");
    assert_unsaid(&run, "Data was random");
    assert_unsaid(&run, "flushed");
    assert_unsaid(&run, "syncfs is of a whole");
    run_release(&run);
}

static void remote_disks_have_limits_of_their_own(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create,walk", 2, 2);
    assert_unsaid(&run, "client or server");
    run.tiers[0].mount.type = xstrdup("fuse.sshfs");
    run.tiers[0].supports.syncfs = xstrdup("local-only");
    assert_said(&run, "What a remote disk's own client or server keeps in its memory");
    assert_said(&run, "On A persistent syncfs doesn't reach the server behind it");
    run_release(&run);
}

static void what_is_known_of_the_run_is_a_fact(void **state)
{
    (void)state;
    struct run run;
    measure(&run, "create", 2, 2);
    run.title = xstrdup("before the \x1b[2Jrelease");
    run.tiers[0].path = xstrdup("/workspace");
    run.tiers[0].mount.type = xstrdup("ext4");
    run.tiers[0].mount.options = xstrdup("rw,noatime");
    run.tiers[0].has_space = true;
    run.tiers[0].total_bytes = 100 * GIB;
    run.tiers[0].free_bytes = 25 * GIB;
    run.host.hostname = xstrdup("agent\n7f3");
    run.host.kernel = xstrdup("6.18");
    run.host.cpu.online = known_count(1);
    run.host.cpu.quota = (struct real){.known = true, .value = 0.5};
    run.host.memory.limit_bytes = known_count(GIB);
    run.ended_realtime_ns = run.started_realtime_ns + UINT64_C(8) * 3600 * 1000000000;
    assert_said(&run, "Title: before the \\x1b[2Jrelease\n");
    assert_said(&run, "A persistent: /workspace, ext4, 25 GiB of 100 GiB free; mounted rw,noatime\n");
    assert_said(&run, "Measured: 2026-11-30 17:55 to 2026-12-01 01:55 UTC\n");
    assert_said(&run,
                "Machine: agent\\x0a7f3, Linux 6.18, 1 CPU, limited to 0.5 of them, limited to 1 GiB\n");
    assert_said(&run, "One machine, one sitting, 2026-11-30 to 2026-12-01.");
    assert_unsaid(&run, "B ephemeral: \n");
    run_release(&run);
}

static void imports_claim_nothing_of_ours(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,walk", 5);
    run.origin = RUN_IMPORTED;
    run.plan.workloads[0].sync = SYNC_MACHINE;
    run.notes = xcalloc(1, sizeof *run.notes);
    run.notes[run.note_count++] = xstrdup("Published under CC BY 4.0.");
    assert_said(&run, "Note: Published under CC BY 4.0.\n");
    assert_said(&run, "Somebody else measured this");
    assert_said(&run, "create ended in sync, which is of all file systems.");
    assert_said(&run, "The source gives no single rounds");
    assert_unsaid(&run, "drawn by lot");
    assert_unsaid(&run, "CLOCK_MONOTONIC");
    assert_unsaid(&run, "seed");
    run_release(&run);
}

static void what_rules_find_of_the_whole_is_a_limitation(void **state)
{
    (void)state;
    assert_true(limitations_have("age-unknown"));
    assert_false(limitations_have("wide-range"));
    struct run run;
    measure(&run, "create", 5, 5);
    assert_said(&run, "5 rounds give a middle and a range, and no percentile of rounds");
    assert_said(&run, "age and fragmentation");
    run_release(&run);
}

int test_method(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_those_that_began),
        cmocka_unit_test(without_a_first_use_that_is_said),
        cmocka_unit_test(nothing_is_said_of_what_was_not_done),
        cmocka_unit_test(syncs_are_the_plans),
        cmocka_unit_test(what_is_done_alike_is_told_once),
        cmocka_unit_test(what_stands_around_sections),
        cmocka_unit_test(follow_ups_are_told_by_disk),
        cmocka_unit_test(no_disk_is_no_disk),
        cmocka_unit_test(remote_disks_have_limits_of_their_own),
        cmocka_unit_test(what_is_known_of_the_run_is_a_fact),
        cmocka_unit_test(imports_claim_nothing_of_ours),
        cmocka_unit_test(what_rules_find_of_the_whole_is_a_limitation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
