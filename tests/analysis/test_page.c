#include "analysis/fixture.h"
#include "analysis/judge.h"
#include "analysis/page.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_page(int argc, char *argv[]);

#define MS UINT64_C(1000000)
enum { CREATE, WALK, DELETE, SEQ_WRITE };

static void begin(struct run *run, unsigned rounds)
{
    fixture_begin(run, "create,walk,delete,seq-write-64", rounds);
}

static void make(struct page *page, const struct run *run)
{
    struct judgement judgement;
    judge_run(run, &judgement);
    page_make(page, run, &judgement);
    judgement_release(&judgement); // the page stands on its own
}

static void put_findings(struct text *all, const struct page *page)
{
    for (size_t i = 0; i < page->finding_count; i++) {
        const struct page_finding *finding = &page->findings[i];
        if (finding->mark)
            text_printf(all, "!%u %s%s%s\n", finding->mark, finding->about, *finding->about ? ": " : "",
                        finding->message);
    }
}

// What a page says, one part a line: the table, the findings that mark rows, and the notes.
static void assert_page(const struct run *run, const char *expected)
{
    struct page page;
    make(&page, run);
    struct text all = {0};
    text_printf(&all, "%s\n", page.title);
    for (unsigned tier = 0; tier < page.tier_count; tier++)
        text_printf(&all, "%s%s", tier > 0 ? " | " : "", page.columns[tier]);
    text_puts(&all, "\n");
    for (size_t i = 0; i < page.row_count; i++) {
        const struct page_row *row = &page.rows[i];
        text_printf(&all, "%s, %s", row->label, row->unit);
        for (unsigned tier = 0; tier < page.tier_count; tier++)
            text_printf(&all, " | %s | %s", row->tiers[tier].value, row->tiers[tier].range);
        text_printf(&all, " | %s%s%s\n", row->verdict, *row->marks ? " !" : "", row->marks);
    }
    put_findings(&all, &page);
    for (size_t i = 0; i < page.note_count; i++)
        text_printf(&all, "- %s\n", page.notes[i]);
    if (strcmp(text_string(&all), expected) != 0)
        print_message("%s", text_string(&all)); // cmocka shows the beginning alone
    assert_string_equal(text_string(&all), expected);
    text_free(&all);
    page_release(&page);
    assert_null(page.rows);
}

static void assert_note(const struct run *run, const char *expected)
{
    struct page page;
    make(&page, run);
    bool found = false;
    for (size_t i = 0; i < page.note_count; i++)
        found = found || strcmp(page.notes[i], expected) == 0;
    if (!found)
        for (size_t i = 0; i < page.note_count; i++)
            print_message("note: %s\n", page.notes[i]);
    page_release(&page);
    assert_true(found);
}

// A finding that marks rows, as the page says it.
static void assert_finding(const struct run *run, const char *expected)
{
    struct page page;
    make(&page, run);
    struct text all = {0};
    put_findings(&all, &page);
    char *line = xformat("%s\n", expected);
    bool found = strstr(text_string(&all), line) != NULL;
    if (!found)
        print_message("%s", text_string(&all));
    free(line);
    text_free(&all);
    page_release(&page);
    assert_true(found);
}

static void says_the_published_table(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 5);
    fixture_add(&run, CREATE, 0, 0, 5000 * MS);
    fixture_add_values(&run, CREATE, 0, (double[]){118.3, 104.2, 124.0, 115.2, 110.9}, 5);
    fixture_add_values(&run, CREATE, 1, (double[]){1161.8, 870.4, 1217.5, 1104.7, 1190.2}, 5);
    fixture_add_values(&run, WALK, 0, (double[]){69.1, 84.5, 61.0, 66.2, 73.8}, 5);
    fixture_add_values(&run, WALK, 1, (double[]){4.6, 5.1, 4.0, 4.4, 4.9}, 5);
    fixture_add_values(&run, DELETE, 0, (double[]){812.5, 699.3, 935.2, 774.6, 868.1}, 5);
    fixture_add_values(&run, DELETE, 1, (double[]){6.9, 6.5, 7.2, 6.8, 7.0}, 5);
    fixture_add_values(&run, SEQ_WRITE, 0, (double[]){198, 190, 196.9, 203, 195}, 5);
    fixture_add_values(&run, SEQ_WRITE, 1, (double[]){198, 210, 196, 203, 195}, 5);
    assert_page(&run, "agent-disk, 5 rounds, 2026-11-30 17:55 UTC\n"
                      "A persistent | B ephemeral\n"
                      "create, files/s | 115 | 104 to 124 | 1162 | 870 to 1218 | 9.7x slower\n"
                      "walk, ms | 69.1 | 61.0 to 84.5 | 4.60 | 4.00 to 5.10 | 15.1x slower !1\n"
                      "delete, ms | 812 | 699 to 935 | 6.90 | 6.50 to 7.20 | 118x slower !1\n"
                      "seq-write-64, MB/s | 197 | 190 to 203 | 198 | 195 to 210 | no clear difference\n"
                      "!1 walk on B ephemeral: A round lasted 4.60 ms. Raise the file count.\n"
                      "!1 delete on B ephemeral: A round lasted 6.90 ms. Raise the file count.\n"
                      "- Each figure is the median of 5 rounds, and beside it their range.\n"
                      "- Round 0 (first use) is stored and in no figure.\n");
    run_release(&run);
}

static void one_round_has_no_range(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    fixture_add_values(&run, WALK, 0, (double[]){13.4}, 1);
    fixture_add_values(&run, WALK, 1, (double[]){10}, 1);
    fixture_add_values(&run, DELETE, 1, (double[]){10}, 1);
    assert_page(&run, "agent-disk, 1 round, 2026-11-30 17:55 UTC\n"
                      "A persistent | B ephemeral\n"
                      "create, files/s |  |  |  |  | \n"
                      "walk, ms | 13.4 |  | 10.0 |  | 34 % slower !1\n"
                      "delete, ms |  |  | 10.0 |  |  !1\n"
                      "seq-write-64, MB/s |  |  |  |  | \n"
                      "!1 walk on A persistent: One observation: 13.4 ms. No spread is known.\n"
                      "!1 walk and delete on B ephemeral: One observation: 10.0 ms. No spread is known.\n");
    run_release(&run);
}

static void assert_verdict(double a, double b, const char *verdict, double ratio)
{
    struct run run;
    begin(&run, 1);
    fixture_add_values(&run, WALK, 0, &a, 1);
    fixture_add_values(&run, WALK, 1, &b, 1);
    struct page page;
    make(&page, &run);
    assert_string_equal(page.rows[WALK].verdict, verdict);
    assert_true(page.rows[WALK].ratio > ratio - 1e-9 && page.rows[WALK].ratio < ratio + 1e-9);
    page_release(&page);
    run_release(&run);
}

static void a_ratio_in_words(void **state)
{
    (void)state;
    assert_verdict(10, 4.33, "2.31x slower", 10 / 4.33);
    assert_verdict(4.33, 10, "2.31x faster", 10 / 4.33);
    assert_verdict(20, 10, "2.00x slower", 2);
    assert_verdict(19.9, 10, "99 % slower", 1.99);
    assert_verdict(13.4, 10, "34 % slower", 1.34);
    assert_verdict(10, 13.4, "34 % faster", 1.34); // not the 25 % that it takes less
    assert_verdict(100, 101, "1 % faster", 1.01);
    assert_verdict(101.2, 100.8, "under 1 % slower", 1); // both are shown as 101
    assert_verdict(12345, 10, "1230x slower", 1234.5);
    assert_verdict(9996, 10, "1000x slower", 999.6);
    assert_verdict(2000000, 1, "over 1000000x slower", 2e6);
    // From what is shown: 812 / 6.90, not 812.5 / 6.9.
    assert_verdict(812.4, 6.901, "118x slower", 812 / 6.9);
    assert_verdict(10, 10, "no clear difference", 0);
}

static void a_failure_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    run.status = RUN_FAILED;
    fixture_add(&run, CREATE, 0, 1, 100 * MS);
    fixture_add(&run, CREATE, 1, 1, 10 * MS);
    fixture_add(&run, CREATE, 1, 2, 20 * MS);
    fixture_add_other(&run, CREATE, 0, 2, SAMPLE_FAILED, SKIP_NONE)->error = (struct sample_error){
        .call = xstrdup("openat"), .number = ENOSPC, .path = xstrdup("d03/f00000117"), .op = 117};
    struct sample *differs = fixture_add_other(&run, SEQ_WRITE, 0, 0, SAMPLE_FAILED, SKIP_NONE);
    differs->error = (struct sample_error){
        .call = xstrdup("verify"), .reason = xstrdup("bytes differ"), .path = xstrdup("s0"), .op = 3};
    differs->error.has_offset = true;
    differs->error.offset = 1048576;
    assert_page(&run, "agent-disk, 6 rounds, 2026-11-30 17:55 UTC\n"
                      "A persistent | B ephemeral\n"
                      "create, files/s | failed |  | 15000 | 10000 to 20000 |  !1,2\n"
                      "walk, ms |  |  |  |  | \n"
                      "delete, ms |  |  |  |  | \n"
                      "seq-write-64, MB/s | failed |  |  |  |  !1\n"
                      "!1 create on A persistent: openat of d03/f00000117 failed in round 2 of 6: No space "
                      "left on device (operation 117). No part of it is reported.\n"
                      "!1 seq-write-64 on A persistent: verify of s0 failed in round 0 (first use): bytes "
                      "differ (operation 3, byte 1048576). No part of it is reported.\n"
                      "!2 create on B ephemeral: Two values, and the middle between them is no median: range "
                      "10000 to 20000 files/s.\n"
                      "- This run failed; it got as far as round 0 (first use), at seq-write-64.\n"
                      "- Each figure is the middle of 2 rounds, and beside it their range.\n"
                      "- Round 0 (first use) is stored and in no figure.\n");
    run_release(&run);
}

static void a_failure_without_its_reason(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add_other(&run, WALK, 1, 1, SAMPLE_FAILED, SKIP_NONE);
    assert_finding(&run,
                   "!1 walk on B ephemeral: It failed in round 1 of 6, and the document doesn't say why. "
                   "No part of it is reported.");
    run_release(&run);
}

static void what_was_left_out_says_why(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add(&run, CREATE, 0, 1, 10 * MS);
    fixture_add(&run, CREATE, 1, 1, 10 * MS);
    fixture_add_other(&run, CREATE, 0, 2, SAMPLE_SKIPPED, SKIP_USER);
    fixture_add_other(&run, CREATE, 1, 2, SAMPLE_SKIPPED, SKIP_USER);
    fixture_add_other(&run, WALK, 0, 0, SAMPLE_SKIPPED, SKIP_UNSUPPORTED);
    fixture_add_other(&run, DELETE, 0, 0, SAMPLE_SKIPPED, SKIP_TIME);
    fixture_add_other(&run, DELETE, 1, 3, SAMPLE_SKIPPED, SKIP_ROOM);
    assert_page(&run, "agent-disk, 6 rounds, 2026-11-30 17:55 UTC\n"
                      "A persistent | B ephemeral\n"
                      "create, files/s | 20000 |  | 20000 |  | no clear difference !1\n"
                      "walk, ms | unsupported |  |  |  | \n"
                      "delete, ms | skipped |  | skipped |  | \n"
                      "seq-write-64, MB/s |  |  |  |  | \n"
                      "!1 create on both disks: One observation: 20000 files/s. No spread is known.\n"
                      "- create was skipped on both disks from round 2 on: the user left it out.\n"
                      "- walk is not measured on A persistent: it can't do that.\n"
                      "- delete was skipped on A persistent: --max-time left no time.\n"
                      "- delete was skipped on B ephemeral from round 3 on: no room was left.\n"
                      "- Round 0 (first use) is stored and in no figure.\n");
    run_release(&run);
}

static void leave_out(struct run *run, const char *id, unsigned tier, unsigned round, enum skip_reason reason,
                      const char *detail)
{
    struct sample *sample =
        fixture_add_other(run, fixture_find(run, id), tier, round, SAMPLE_SKIPPED, reason);
    sample->detail = detail ? xstrdup(detail) : NULL;
}

// What can't be done is said once for all that the same keeps from being done.
static void unsupported_workloads_are_named_with_their_reason(void **state)
{
    (void)state;
    static const char ignores[] = "tmpfs takes O_DIRECT and ignores it";
    struct run run;
    fixture_begin(&run, "seq-read,rand-read", 2);
    for (unsigned round = 0; round <= 2; round++) {
        leave_out(&run, "seq-read-cold", 1, round, SKIP_UNSUPPORTED, "it keeps \x1b[2J all in memory");
        leave_out(&run, "seq-read-direct-1m", 0, round, SKIP_UNSUPPORTED, "no O_DIRECT");
        leave_out(&run, "seq-read-direct-1m", 1, round, SKIP_UNSUPPORTED, ignores);
        leave_out(&run, "seq-read-direct-128k", 1, round, SKIP_UNSUPPORTED, ignores);
        leave_out(&run, "rand-read", 1, round, SKIP_UNSUPPORTED, ignores);
        for (unsigned tier = 0; tier < 2 && round > 0; tier++)
            fixture_add(&run, fixture_find(&run, "rand-read-buffered"), tier, round, 10 * MS);
    }
    leave_out(&run, "seq-read-reopened", 0, 0, SKIP_UNSUPPORTED, "no reading");
    leave_out(&run, "seq-read-reopened", 1, 0, SKIP_UNSUPPORTED, "no reading");
    assert_page(&run,
                "agent-disk, 2 rounds, 2026-11-30 17:55 UTC\n"
                "A persistent | B ephemeral\n"
                "seq-read-cold, MB/s |  |  | unsupported |  | \n"
                "seq-read-reopened, MB/s | unsupported |  | unsupported |  | \n"
                "seq-read-same-fd, MB/s |  |  |  |  | \n"
                "seq-read-direct-1m, MB/s | unsupported |  | unsupported |  | \n"
                "seq-read-direct-128k, MB/s |  |  | unsupported |  | \n"
                "rand-read, IOPS |  |  | unsupported |  | \n"
                "rand-read-buffered, IOPS | 200000 | 200000 to 200000 | 200000 | 200000 to 200000 | no clear "
                "difference !1\n"
                "!1 rand-read-buffered on both disks: Two values, and the middle between them is no median: "
                "range 200000 to 200000 IOPS.\n"
                "- seq-read-cold is not measured on B ephemeral: it can't do that (it keeps \\x1b[2J all in "
                "memory).\n"
                "- seq-read-reopened is not measured on either disk: they can't do that (no reading).\n"
                "- seq-read-direct-1m is not measured on A persistent: it can't do that (no O_DIRECT).\n"
                "- seq-read-direct-1m, seq-read-direct-128k and rand-read are not measured on B ephemeral: "
                "it can't do that (tmpfs takes O_DIRECT and ignores it).\n"
                "- Each figure is the middle of 2 rounds, and beside it their range.\n"
                "- Round 0 (first use) is stored and in no figure.\n");
    run_release(&run);
}

static void what_nobody_needed_has_no_row(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "rand-read,commit", 1);
    fixture_add_values(&run, fixture_find(&run, "rand-read"), 0, (double[]){100}, 1);
    fixture_add_values(&run, fixture_find(&run, "rand-read"), 1, (double[]){4000}, 1);
    fixture_add_values(&run, fixture_find(&run, "commit"), 0, (double[]){125}, 1);
    fixture_add_values(&run, fixture_find(&run, "commit"), 1, (double[]){250}, 1);
    fixture_add(&run, fixture_find(&run, "commit"), 1, 2, 1600 * MS)->batches = 2;
    struct page page;
    make(&page, &run);
    assert_int_equal(page.row_count, 2);
    assert_string_equal(page.rows[0].label, "rand-read");
    assert_string_equal(page.rows[1].label, "commit");
    assert_int_equal(page.rows[1].workload, fixture_find(&run, "commit"));
    page_release(&page);
    assert_note(&run,
                "B ephemeral did commit up to 2x a round: once is too short to time."); // no other's name
    assert_note(&run,
                "Each figure is the median of its rounds, and beside it their range. Rounds: rand-read 1, "
                "commit 1 on A persistent and 2 on B ephemeral.");
    run_release(&run);
}

static void time_that_ran_out_is_said_once(void **state)
{
    (void)state;
    static const char *const ids[] = {"create", "walk", "delete", "seq-write-64"};
    struct run run;
    begin(&run, 6);
    for (unsigned tier = 0; tier < 2; tier++)
        for (unsigned round = 4; round <= 6; round++)
            for (size_t i = 0; i < 3; i++)
                leave_out(&run, ids[i], tier, round, SKIP_TIME, NULL);
    assert_note(
        &run, "create, walk and delete were skipped on both disks from round 4 on: --max-time left no time.");
    for (unsigned tier = 0; tier < 2; tier++)
        leave_out(&run, "seq-write-64", tier, 4, SKIP_TIME, NULL);
    assert_note(&run, "Everything was skipped on both disks from round 4 on: --max-time left no time.");
    run_release(&run);
    begin(&run, 6);
    for (unsigned tier = 0; tier < 2; tier++)
        for (unsigned i = 0; i < 4; i++)
            leave_out(&run, ids[i], tier, i < 2 ? 5 : 4, SKIP_TIME, NULL);
    assert_note(&run, "create and walk were skipped on both disks from round 5 on: --max-time left no time.");
    assert_note(
        &run, "delete and seq-write-64 were skipped on both disks from round 4 on: --max-time left no time.");
    run_release(&run);
}

static void a_follow_up_that_failed_is_named(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    fixture_add_values(&run, WALK, 0, (double[]){10}, 1);
    struct sample *failed =
        fixture_add_other(&run, fixture_find(&run, "walk-later"), 0, 1, SAMPLE_FAILED, SKIP_NONE);
    failed->block = 2;
    failed->error =
        (struct sample_error){.call = xstrdup("fstatat"), .number = EIO, .path = xstrdup("t000/f00000001")};
    fixture_add_other(&run, SEQ_WRITE, 1, 1, SAMPLE_SKIPPED, SKIP_ROOM)->block = 2;
    fixture_add_other(&run, DELETE, 1, 1, SAMPLE_STOPPED, SKIP_NONE)->block = 2;
    assert_note(&run, "The rules asked for another look at walk-later on A persistent, and didn't get it: "
                      "fstatat t000/f00000001: Input/output error.");
    assert_note(&run,
                "The rules asked for another look at seq-write-64 on B ephemeral, and didn't get it: no "
                "room was left.");
    assert_note(&run, "The rules asked for another look at delete on B ephemeral, and didn't get it: it was "
                      "broken off.");
    run_release(&run);
}

static void curves_become_cells(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create,walk", 1, (uint64_t[]){1, 2, 8, 0});
    fixture_add_values(&run, fixture_find(&run, "create-t1"), 0, (double[]){118}, 1);
    fixture_add_values(&run, fixture_find(&run, "create-t8"), 0, (double[]){800}, 1);
    fixture_add_values(&run, fixture_find(&run, "create-t2"), 1, (double[]){2100}, 1);
    fixture_add_values(&run, fixture_find(&run, "walk-t1"), 1, (double[]){4.6}, 1);
    fixture_add_values(&run, fixture_find(&run, "walk-t8"), 1, (double[]){9.2}, 1);
    struct page page;
    make(&page, &run);
    assert_int_equal(page.row_count, 6);
    assert_int_equal(page.curve_count, 2);
    const struct page_curve *create = &page.curves[0], *walk = &page.curves[1];
    assert_string_equal(create->label, "create");
    assert_string_equal(create->unit, "files/s");
    assert_int_equal(create->count, 3);
    assert_int_equal(create->threads[2], 8);
    assert_string_equal(create->tiers[0].values[0], "118");
    assert_string_equal(create->tiers[0].values[1], "");
    assert_string_equal(create->tiers[0].values[2], "800");
    assert_string_equal(create->tiers[0].scaling, "6.78x as fast");
    assert_true(create->tiers[0].medians[1] == 0 && create->tiers[0].medians[2] > 799);
    assert_string_equal(create->tiers[1].values[1], "2100");
    assert_string_equal(create->tiers[1].scaling, "");
    assert_string_equal(walk->label, "walk");
    assert_string_equal(walk->tiers[1].scaling, "0.500x as fast");
    page_release(&page);
    assert_null(page.curves);
    run_release(&run);
}

static void an_unfinished_run_says_how_far_it_got(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    run.status = RUN_STOPPED;
    assert_note(&run, "Stopped before anything was measured.");
    fixture_add(&run, WALK, 0, 3, 10 * MS);
    fixture_add_other(&run, WALK, 1, 3, SAMPLE_STOPPED, SKIP_NONE);
    fixture_add_other(&run, DELETE, 0, 4, SAMPLE_SKIPPED, SKIP_USER);
    assert_note(&run, "Stopped in round 3 of 6, at walk.");
    run.status = RUN_RUNNING;
    assert_note(&run, "This run isn't over; it got as far as round 3 of 6, at walk.");
    run_release(&run);
}

static void uneven_rounds_are_counted_out(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 6);
    fixture_add_values(&run, CREATE, 0, (double[]){10, 11, 12}, 3);
    fixture_add_values(&run, CREATE, 1, (double[]){20, 21}, 2);
    fixture_add_values(&run, WALK, 0, (double[]){10, 11}, 2);
    fixture_add_values(&run, WALK, 1, (double[]){20, 21}, 2);
    fixture_add_values(&run, DELETE, 1, (double[]){20}, 1);
    assert_note(&run,
                "Each figure is the median of its rounds, and beside it their range. Rounds: create 3 on A "
                "persistent and 2 on B ephemeral, walk 2, delete 0 on A persistent and 1 on B ephemeral.");
    run_release(&run);
}

static void one_disk_is_said(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    fixture_add_values(&run, WALK, 0, (double[]){30}, 1);
    fixture_add_values(&run, WALK, 1, (double[]){20}, 1);
    run.shared_why = xstrdup("Both directories are on /dev/vda1\x1b[2J.");
    assert_finding(&run, "!1 Both directories are on /dev/vda1\\x1b[2J. There are not two tiers here, so no "
                         "ratio is shown; --same-disk shows it.");
    struct page page;
    make(&page, &run);
    assert_string_equal(page.rows[WALK].verdict, "");
    assert_string_equal(page.rows[CREATE].marks, ""); // nothing is shown there
    page_release(&page);
    run.plan.same_disk = true;
    assert_finding(&run,
                   "!1 Both directories are on /dev/vda1\\x1b[2J. The ratios compare one disk with itself.");
    make(&page, &run);
    assert_string_equal(page.rows[WALK].verdict, "50 % slower");
    page_release(&page);
    run_release(&run);
}

static void repeated_sections_are_said(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 2);
    for (unsigned round = 0; round <= 2; round++)
        for (unsigned tier = 0; tier < 2; tier++) {
            fixture_add(&run, WALK, tier, round, 60 * MS)->batches = tier == 1 && round > 0 ? 12 : 1;
            fixture_add(&run, DELETE, tier, round, 60 * MS)->batches = tier == 1 && round > 0 ? 6 + round : 1;
        }
    assert_note(&run, "B ephemeral did walk 12x, delete up to 8x a round: once is too short to time.");
    struct page page;
    make(&page, &run);
    assert_string_equal(page.rows[WALK].tiers[1].value, "5.00"); // of one batch
    for (size_t i = 0; i < page.note_count; i++)
        assert_null(strstr(page.notes[i], "A persistent did"));
    page_release(&page);
    run_release(&run);
}

static void no_disk_is_said(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    run.tiers[1].null = true;
    assert_note(&run, "B ephemeral is no disk: its figures are what this program itself costs.");
    run_release(&run);
}

static void foreign_names_are_made_safe(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 1);
    free(run.tiers[0].name);
    free(run.tiers[1].name);
    free(run.plan.profile);
    run.tiers[0].name = xstrdup("A");
    run.tiers[1].name = xstrdup("caf\xc3\xa9\n\xe2\x80\xae\xff");
    run.plan.profile = xstrdup("\x1b]0;title\a");
    strcpy(run.plan.workloads[WALK].id, "w\x9b");
    fixture_add_other(&run, WALK, 1, 1, SAMPLE_FAILED, SKIP_NONE)->error =
        (struct sample_error){.call = xstrdup("open\n"), .path = xstrdup("\x1b[1m"), .number = EIO};
    assert_page(&run, "\\x1b]0;title\\x07, 1 round, 2026-11-30 17:55 UTC\n"
                      "A | B caf\xc3\xa9\\x0a\\xe2\\x80\\xae\\xff\n"
                      "create, files/s |  |  |  |  | \n"
                      "w\\x9b, ms |  |  | failed |  |  !1\n"
                      "delete, ms |  |  |  |  | \n"
                      "seq-write-64, MB/s |  |  |  |  | \n"
                      "!1 w\\x9b on B caf\xc3\xa9\\x0a\\xe2\\x80\\xae\\xff: open\\x0a of \\x1b[1m failed in "
                      "round 1 of 1: Input/output error. No part of it is reported.\n");
    run_release(&run);
}

static void one_tier_is_compared_with_nothing(void **state)
{
    (void)state;
    struct run run;
    begin(&run, 2);
    run.tier_count = 1;
    fixture_add_values(&run, WALK, 0, (double[]){20, 22}, 2);
    assert_page(&run,
                "agent-disk, 2 rounds, 2026-11-30 17:55 UTC\n"
                "A persistent\n"
                "create, files/s |  |  | \n"
                "walk, ms | 21.0 | 20.0 to 22.0 |  !1\n"
                "delete, ms |  |  | \n"
                "seq-write-64, MB/s |  |  | \n"
                "!1 walk: Two values, and the middle between them is no median: range 20.0 to 22.0 ms.\n"
                "- Each figure is the middle of 2 rounds, and beside it their range.\n");
    run_release(&run);
}

int test_page(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_the_published_table),
        cmocka_unit_test(one_round_has_no_range),
        cmocka_unit_test(a_ratio_in_words),
        cmocka_unit_test(a_failure_is_named),
        cmocka_unit_test(a_failure_without_its_reason),
        cmocka_unit_test(what_was_left_out_says_why),
        cmocka_unit_test(unsupported_workloads_are_named_with_their_reason),
        cmocka_unit_test(what_nobody_needed_has_no_row),
        cmocka_unit_test(time_that_ran_out_is_said_once),
        cmocka_unit_test(a_follow_up_that_failed_is_named),
        cmocka_unit_test(curves_become_cells),
        cmocka_unit_test(an_unfinished_run_says_how_far_it_got),
        cmocka_unit_test(uneven_rounds_are_counted_out),
        cmocka_unit_test(one_disk_is_said),
        cmocka_unit_test(repeated_sections_are_said),
        cmocka_unit_test(no_disk_is_said),
        cmocka_unit_test(foreign_names_are_made_safe),
        cmocka_unit_test(one_tier_is_compared_with_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
