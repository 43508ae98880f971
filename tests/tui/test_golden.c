// The screens as text, in the states that a person meets.
#include "fixture.h"
#include "golden.h"
#include "tui/view.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct size {
    int width, height;
};

enum { NARROW = 1, MIDDLE = 2, LARGE = 4 };

static const struct {
    int bit;
    struct size size;
} sizes[] = {{NARROW, {80, 24}}, {MIDDLE, {120, 40}}, {LARGE, {200, 60}}};

// Draws at each of the sizes, in both sets of glyphs, and compares.
static void check(const char *name, int which, const struct model *model, const struct fixture *fixture)
{
    static const struct glyphs *const sets[] = {&glyphs_unicode, &glyphs_ascii};
    int wrong = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t set = 0; set < 2; set++) {
            if (!(sizes[i].bit & which))
                continue;
            struct canvas canvas;
            canvas_init(&canvas, sizes[i].size.width, sizes[i].size.height);
            view_draw(&canvas, sets[set], model, &fixture->duel);
            char file[256];
            snprintf(file, sizeof file, "%s-%dx%d-%s", name, sizes[i].size.width, sizes[i].size.height,
                     sets[set]->name);
            wrong += !golden_matches(&canvas, file);
            canvas_release(&canvas);
        }
    assert_int_equal(wrong, 0);
}

static void fill_table(struct fixture *fixture)
{
    fixture_row(fixture, 0, "115", "104 to 124", "1162", "870 to 1218", "9.7x slower", 9.7);
    fixture_row(fixture, 1, "69.1", "61.0 to 84.5", "4.60", "4.00 to 5.10", "15.1x slower", 15.1);
    fixture_row(fixture, 2, "812", "699 to 935", "6.90", "6.50 to 7.20", "118x slower", 118);
    fixture_trust(fixture, 0, TRUST_REPORTED, "", "8.4 to 10.7");
    fixture_trust(fixture, 1, TRUST_REPORTED, "", "15.0 to 16.6");
    fixture_trust(fixture, 2, TRUST_REPORTED, "", "108 to 130");
    for (size_t row = 0; row < fixture->page.row_count; row++)
        fixture->page.rows[row].pending = row > 0;
}

static void fill_sweep(struct fixture *fixture)
{
    fixture_row(fixture, 3, "320", "28.6 to 951", "950", "900 to 960", "no clear difference", 0);
    fixture_row(fixture, 4, "210", "201 to 222", "948", "931 to 960", "4.51x slower", 4.51);
    fixture_row(fixture, 5, "954", "930 to 960", "850", "840 to 872", "12.2 % faster", 1.12);
    fixture_trust(fixture, 5, TRUST_REPORTED, "", "9.5 to 14.1 %");
}

// What the rules say at the end.
static void fill_findings(struct fixture *fixture)
{
    for (size_t row = 0; row < fixture->page.row_count; row++)
        fixture->page.rows[row].pending = false;
    fixture_set(&fixture->page.headline,
                "The cost is metadata, not bandwidth: deleting a tree is 118x slower on A persistent, a "
                "durable 1 GiB write 12.2 % faster.");
    fixture_row(fixture, 3, "discarded", "", "950", "900 to 960", "", 0);
    fixture_trust(fixture, 3, TRUST_DISCARDED, "1", "");
    fixture_trust(fixture, 1, TRUST_CAVEAT, "2", "15.0 to 16.6");
    fixture_trust(fixture, 4, TRUST_CAVEAT, "3", "4.38 to 4.62");
    fixture_trust(fixture, 5, TRUST_CAVEAT, "3", "9.5 to 14.1 %");
    fixture_finding(fixture, VERDICT_DISCARD, 1, "seq-write-64 on A persistent",
                    "Round 1 measured 28.6 MB/s, rounds 2-6 measured 306 to 351: identical work, 12x apart, "
                    "and only the first differs. Nothing here tells which speed is the disk's, so neither is "
                    "reported.");
    fixture_finding(fixture, VERDICT_CAVEAT, 2, "walk on A persistent",
                    "4.00 ms when just looked at, 294 ms after 1.50 s. The quick one is the kernel's memory "
                    "of the answer.");
    fixture_finding(fixture, VERDICT_CAVEAT, 3, "seq-write-256 and seq-write-1024 on A persistent",
                    "Durable as far as fsync reports.");
    fixture_finding(fixture, VERDICT_CAVEAT, 3, "delete on B ephemeral",
                    "Only the first of a kind is shown.");
    fixture->page.findings[2].likewise = xstrdup("delete on B ephemeral");
    fixture->page.findings[3].repeats = true;
    fixture_finding(fixture, VERDICT_INFO, 0, "", "Never shown here.");
    fixture_set(&fixture->page.not_checked, "cpu-stolen (the steal time of /proc/stat couldn't be read)");
}

static void starts_with_no_data(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture.duel.doing = "create on A: preparing, untimed";
    fixture.duel.tiers[0].state = TIER_PREPARING;
    check("live-start", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

// Twelve operations carry no percentile.
static void first_second(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, 0, 0.06, 10);
    fixture.duel.has_remaining = false;
    fixture.duel.doing = "create on A: openat f00000012, 4.20 ms";
    check("live-first-second", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static void mid_run(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "create", 3, 0), 0.66, 10);
    fill_table(&fixture);
    fixture.duel.doing = "create on A: openat f00000132, 4.20 ms";
    struct model model = {.screen = SCREEN_LIVE};
    check("live-mid-run", NARROW | MIDDLE | LARGE, &model, &fixture);
    model.throughput = SCALE_LOGARITHMIC;
    check("live-log-scale", NARROW | MIDDLE, &model, &fixture);
    fixture_close(&fixture);
}

static void hundred_times(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "delete", 4, 0), 0.5, 118);
    fill_table(&fixture);
    fixture.duel.doing = "delete on A: unlinkat f00000100, 4.20 ms";
    struct model model = {.screen = SCREEN_LIVE};
    assert_true(view_logarithmic(&fixture.duel));
    check("live-hundred-times", NARROW | MIDDLE, &model, &fixture);
    fixture_close(&fixture);
}

static void large_write(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "seq-write-1024", 5, 1), 0.9, 4.8);
    fill_table(&fixture);
    fill_sweep(&fixture);
    fixture.duel.doing = "seq-write-1024 on B: write block 921, 1.10 ms";
    check("live-large-write", NARROW | MIDDLE | LARGE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static void frozen_stopping_stalled(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "delete", 2, 0), 0.5, 20);
    fill_table(&fixture);
    fixture.duel.doing = "delete on A: unlinkat f00000100, 4.20 ms";
    check("live-frozen", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE, .frozen = true}, &fixture);
    check("live-stopping", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE, .stopping = true},
          &fixture);
    fixture.duel.doing = "delete on A: waiting 12.0 s for unlinkat f00000100";
    fixture.duel.stalled = true;
    fixture.duel.warning = "the document could not be saved: write /root/.local/state/diskduel/runs: "
                           "No space left on device";
    check("live-stalled", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

// The panes keep the workload that they showed when the picture was frozen.
static void frozen_keeps_its_workload(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    size_t section = fixture_find(&fixture, "create", 2, 0);
    fixture_advance(&fixture, section, 0.5, 10);
    struct model model = {.screen = SCREEN_LIVE, .frozen = true};
    struct canvas before, after;
    canvas_init(&before, 80, 24);
    canvas_init(&after, 80, 24);
    view_draw(&before, &glyphs_unicode, &model, &fixture.duel);
    fixture.duel.section = section + 3; // the run goes on
    view_draw(&after, &glyphs_unicode, &model, &fixture.duel);
    for (int y = 1; y < 14; y++)
        for (int x = 0; x < 80; x++)
            assert_string_equal(canvas_at(&after, x, y)->text, canvas_at(&before, x, y)->text);
    canvas_release(&before);
    canvas_release(&after);
    fixture_close(&fixture);
}

// Between two sections both panes keep what was measured last, and its round.
static void keeps_its_picture(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    size_t section = fixture_find(&fixture, "walk", 2, 1);
    fixture_advance(&fixture, section, 1, 20);
    fill_table(&fixture);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
        fixture.duel.tiers[tier].live = false;
        fixture.duel.tiers[tier].state = TIER_WAITING;
    }
    fixture.duel.section = fixture_find(&fixture, "delete", 2, 0);
    fixture.duel.tiers[0].state = TIER_DRAINING;
    fixture.duel.doing = "delete on A: draining: what was written before has to reach the disks";
    check("live-draining", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static void failed_row(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "walk", 2, 1), 0.5, 20);
    fill_table(&fixture);
    fixture_row(&fixture, 0, "failed", "", "1162", "870 to 1218", "", 0);
    fixture_row(&fixture, 2, "skipped", "", "skipped", "", "", 0);
    fixture_note(&fixture, "create failed on A persistent in round 2: openat f00000117, operation 117: Disk "
                           "quota exceeded. No figure of it is given.");
    fixture.duel.doing = "walk on B: fstatat f00000042, 2.10 µs";
    check("live-failed", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

// Names and paths from anywhere: controls, a broken byte, wide characters, combining marks, right to left.
static void foreign_names(void **state)
{
    (void)state;
    struct fixture fixture;
    struct fixture_request request = {
        .names = {"日本語テスト", "e\u0301te\u0301 \u202Eabc"},
        .paths = {"/mnt/日本語テスト/データ", "/mnt/\033[31mred\xff/\u00e4\u00f6\u00fc"},
        .types = {"fuse.日本", "ext4"},
    };
    fixture_open(&fixture, &request);
    fixture_advance(&fixture, fixture_find(&fixture, "walk", 2, 1), 0.5, 20);
    fill_table(&fixture);
    fixture.duel.doing = "walk on B: fstatat f00000042, 2.10 µs";
    check("live-foreign-names", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static void long_paths(void **state)
{
    (void)state;
    struct fixture fixture;
    struct fixture_request request = {
        .names = {"a-name-as-long-as-one-may-be-32b", "ephemeral"},
        .paths =
            {"/var/lib/kubelet/pods/3f2a9c1e-77aa-4f0e-9a55/volumes/kubernetes.io~csi/pvc-7f3/mount/work",
             "/home/somebody/projects/an-unusually-long-directory-name-without-any-meaning/tmp"},
        .types = {"fuse.a-server-with-a-long-name", "xfs"},
    };
    fixture_open(&fixture, &request);
    fixture_advance(&fixture, fixture_find(&fixture, "create", 2, 1), 0.5, 20);
    fill_table(&fixture);
    fixture.duel.doing = "create on B: openat d03/f00000042, 2.10 ms";
    check("live-long-paths", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static void results(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture.duel.section = fixture.schedule.length;
    fill_table(&fixture);
    fill_sweep(&fixture);
    fill_findings(&fixture);
    fixture_note(&fixture, "Each figure is the median of 6 rounds, and beside it their range.");
    fixture_note(&fixture,
                 "B ephemeral did walk 12 times, delete 8 times a round: once is too short to time.");
    fixture.duel.saved_as = "/root/.local/state/diskduel/runs/20261130T140212Z-3f2a9c.json";
    struct model model = {.screen = SCREEN_RESULTS};
    check("results", NARROW | MIDDLE | LARGE, &model, &fixture);

    // Longer than the window: scrolled to the end.
    fixture_row(&fixture, 4, "failed", "", "948", "931 to 960", "", 0);
    for (int i = 0; i < 12; i++)
        fixture_note(&fixture, "seq-write-256 failed on A persistent in round 2: fsync block 256, operation "
                               "256: Input/output error. No figure of it is given.");
    model.scroll = 1000;
    check("results-scrolled", NARROW | MIDDLE, &model, &fixture);
    fixture_close(&fixture);
}

// Two quick disks: the ranges have no room beside their values in 80 columns.
static void quick_disks(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "delete", 3, 1), 0.5, 1.2);
    fixture_row(&fixture, 0, "21783", "15602 to 30334", "157772", "143651 to 177759", "7.24x slower", 7.24);
    fixture_row(&fixture, 1, "0.212", "0.131 to 0.285", "0.155", "0.119 to 0.174", "no clear difference", 0);
    fixture_row(&fixture, 2, "15.0", "", "0.704", "", "21.3x slower", 21.3);
    fixture.duel.doing = "delete on B: unlinkat f00000005, 1.57 µs";
    check("live-quick-disks", NARROW, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    check("results-quick-disks", NARROW, &(struct model){.screen = SCREEN_RESULTS}, &fixture);
    fixture_close(&fixture);
}

// The large writes have rounds of their own, after those of the rest.
static void large_writes_begin(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "seq-write-64", 0, 1), 0.4, 4.8);
    fill_table(&fixture);
    fixture.duel.doing = "seq-write-64 on B: write block 25, 1.10 ms";
    check("live-large-writes-begin", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static const uint64_t swept[] = {1, 2, 4, 8, 0};

static void open_sweep(struct fixture *fixture)
{
    fixture_open(fixture, &(struct fixture_request){.workloads = "create,walk,rename,delete,commit",
                                                    .threads = {1, 2, 4, 8}});
    for (size_t row = 0; row < fixture->page.row_count; row++)
        fixture_figures(fixture, row, 1000 + 137 * (double)row, 9 + (double)row);
}

// Many rows: those around the present one are shown.
static void thread_sweep(void **state)
{
    (void)state;
    struct fixture fixture;
    open_sweep(&fixture);
    fixture_advance(&fixture, fixture_find(&fixture, "rename-t4", 2, 0), 0.5, 12);
    fixture.duel.doing = "rename-t4 on A: renameat f00000131, 4.00 ms";
    struct model model = {.screen = SCREEN_LIVE};
    check("live-threads", NARROW | MIDDLE | LARGE, &model, &fixture);
    fixture_close(&fixture);
    open_sweep(&fixture);
    fixture_advance(&fixture, fixture_find(&fixture, "commit-t8", 1, 1), 0.5, 12);
    check("live-threads-last", NARROW, &model, &fixture);
    fixture_close(&fixture);
}

static void thread_results(void **state)
{
    (void)state;
    struct fixture fixture;
    open_sweep(&fixture);
    fixture.duel.section = fixture.schedule.length;
    fixture_curve(&fixture, "create", "files/s", swept, (double[]){118, 230, 440, 800},
                  (double[]){1162, 2100, 3000, 3100}, "6.78x as fast", "2.67x as fast");
    fixture_curve(&fixture, "walk", "ms", swept, (double[]){69.1, 35, 23, 23.1},
                  (double[]){4.6, 3, 4.61, 9.2}, "2.99x as fast", "0.500x as fast");
    fixture_curve(&fixture, "rename", "files/s", swept, (double[]){410, 802, 1600, 3190},
                  (double[]){24000, 31000, -1, 26000}, "7.78x as fast", "1.08x as fast");
    fixture_curve(&fixture, "delete", "ms", swept, (double[]){812, 400, 202, 101},
                  (double[]){6.9, 6.7, 6.9, 7.1}, "8.04x as fast", "0.972x as fast");
    fixture_curve(&fixture, "commit", "commits/s", swept, (double[]){-1, -1, -1, -1},
                  (double[]){2400, 2410, 2420, 2430}, "", "1.01x as fast");
    fixture_note(&fixture, "Each figure is the median of 6 rounds, and beside it their range.");
    fixture.duel.saved_as = "/root/.local/state/diskduel/runs/20261130T140212Z-3f2a9c.json";
    struct model model = {.screen = SCREEN_RESULTS};
    check("results-threads", NARROW | MIDDLE | LARGE, &model, &fixture);
    model.scroll = 25;
    check("results-threads-scrolled", NARROW | MIDDLE, &model, &fixture);
    model.scroll = 1000;
    check("results-threads-end", NARROW | MIDDLE, &model, &fixture);
    fixture_close(&fixture);
}

static void row_of(struct fixture *fixture, const char *label, const char *a, const char *b)
{
    for (size_t row = 0; row < fixture->page.row_count; row++)
        if (strcmp(fixture->page.rows[row].label, label) == 0)
            fixture_row(fixture, row, a, "", b, "", "", 0);
}

// The longest ids, the longest unit, and cells without a figure.
static void long_ids(void **state)
{
    (void)state;
    struct fixture fixture;
    struct fixture_request request = {.workloads = "seq-read,rand-read,rand-write,commit",
                                      .threads = {1, 16}};
    fixture_open(&fixture, &request);
    fixture_advance(&fixture, fixture_find(&fixture, "rand-write-buffered-t16", 1, 0), 0.5, 30);
    for (size_t row = 0; row + 3 < fixture.page.row_count; row++)
        fixture_figures(&fixture, row, 12000 - 700 * (double)row, 118);
    row_of(&fixture, "seq-read-direct-128k-t16", "15.4", "unsupported");
    row_of(&fixture, "rand-read-t16", "failed", "unsupported");
    row_of(&fixture, "rand-write-t16", "skipped", "unsupported");
    fixture_note(
        &fixture,
        "seq-read-direct-128k-t16, rand-read-t16 and rand-write-t16 are not measured on B ephemeral: "
        "it can't do that (tmpfs takes O_DIRECT and ignores it).");
    fixture.duel.doing = "rand-write-buffered-t16 on A: write block 1031, 4.00 ms";
    check("live-long-ids", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    check("results-long-ids", NARROW | MIDDLE, &(struct model){.screen = SCREEN_RESULTS}, &fixture);
    fixture_close(&fixture);
}

static void steps_of_a_profile(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){.profile = "git"});
    fixture_advance(&fixture, fixture_find(&fixture, "checkout-rename", 2, 1), 0.5, 15);
    for (size_t row = 0; row < fixture.page.row_count; row++)
        fixture_figures(&fixture, row, 20000 / (1.0 + (double)row), 15.5);
    fixture.duel.doing = "checkout-rename on B: renameat d03/f00000731, 21 µs";
    check("live-steps", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE}, &fixture);
    fixture_close(&fixture);
}

static void help(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    fixture_advance(&fixture, fixture_find(&fixture, "create", 3, 0), 0.66, 10);
    fill_table(&fixture);
    check("help-live", NARROW | MIDDLE, &(struct model){.screen = SCREEN_LIVE, .help = true}, &fixture);
    check("help-results", NARROW | MIDDLE, &(struct model){.screen = SCREEN_RESULTS, .help = true}, &fixture);
    fixture_close(&fixture);
}

static void too_small(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, &(struct fixture_request){0});
    struct canvas canvas;
    canvas_init(&canvas, 60, 15);
    view_draw(&canvas, &glyphs_unicode, &(struct model){.screen = SCREEN_LIVE, .help = true}, &fixture.duel);
    assert_true(golden_matches(&canvas, "too-small-60x15"));
    canvas_release(&canvas);
    fixture_close(&fixture);
}

int test_golden(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_no_data),
        cmocka_unit_test(first_second),
        cmocka_unit_test(mid_run),
        cmocka_unit_test(hundred_times),
        cmocka_unit_test(large_write),
        cmocka_unit_test(frozen_stopping_stalled),
        cmocka_unit_test(frozen_keeps_its_workload),
        cmocka_unit_test(failed_row),
        cmocka_unit_test(keeps_its_picture),
        cmocka_unit_test(foreign_names),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(results),
        cmocka_unit_test(quick_disks),
        cmocka_unit_test(large_writes_begin),
        cmocka_unit_test(thread_sweep),
        cmocka_unit_test(thread_results),
        cmocka_unit_test(long_ids),
        cmocka_unit_test(steps_of_a_profile),
        cmocka_unit_test(help),
        cmocka_unit_test(too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
