// The rules of reads and caches, on figures of disks whose behaviour is known (design: measuring, E1 and E4),
// and on published ones.
#include "analysis/ask.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_rule_cache(int argc, char *argv[]);

enum { ROUNDS = 3 };

static void set_type(struct run *run, unsigned tier, const char *type)
{
    free(run->tiers[tier].mount.type);
    run->tiers[tier].mount.type = xstrdup(type);
}

// Rounds at about that value; `round 1` a little below, 3 a little above.
static size_t add(struct run *run, const char *id, unsigned tier, double value)
{
    size_t workload = fixture_find(run, id);
    fixture_add_values(run, workload, tier, (double[]){value * 0.99, value, value * 1.01}, ROUNDS);
    return workload;
}

static void expect(const struct run *run, const char *rule, size_t workload, unsigned tier,
                   enum outcome outcome, const char *sentence)
{
    struct asked_answer answer = ask(run, rule, workload, tier);
    assert_string_equal(answer.sentence, sentence);
    assert_int_equal(answer.outcome, outcome);
}

static void expect_quiet(const struct run *run, const char *rule, size_t workload, unsigned tier)
{
    expect(run, rule, workload, tier, OUTCOME_QUIET, "");
}

static void expect_verdict(const struct run *run, const char *rule, size_t workload, unsigned tier,
                           enum verdict verdict)
{
    struct asked_answer answer = ask(run, rule, workload, tier);
    assert_int_equal(answer.outcome, OUTCOME_FIRED);
    assert_int_equal(answer.verdict, verdict);
}

static void set_residency(struct run *run, size_t workload, unsigned tier, double before, double after)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].workload == workload && run->samples[i].tier == tier) {
            run->samples[i].resident_before = (struct real){true, before};
            run->samples[i].resident_after = (struct real){true, after};
        }
}

static const char no_residency[] = "what was in memory before the read isn't known";

// ---- readback-mismatch ----

static void other_bytes_take_the_whole_disk_away(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "create,seq-write-64", ROUNDS);
    size_t create = add(&run, "create", 0, 100), write = add(&run, "seq-write-64", 0, 100);
    add(&run, "create", 1, 100);
    expect(&run, "readback-mismatch", create, 0, OUTCOME_NOT_CHECKED, "nothing was read back");
    for (size_t i = 0; i < run.sample_count; i++) {
        run.samples[i].has_verify = true;
        run.samples[i].verify_blocks = 200;
    }
    expect_quiet(&run, "readback-mismatch", create, 0);
    struct sample *sample = &run.samples[1]; // create on A, round 2
    sample->verify_mismatches = 2;
    expect(&run, "readback-mismatch", create, 0, OUTCOME_FIRED,
           "Files read back different bytes than were written, after create; 2 of the 1200 blocks that were "
           "read "
           "back differ. Nothing from A persistent is reported.");
    sample->status = SAMPLE_FAILED;
    sample->error = (struct sample_error){
        .call = xstrdup("verify"), .path = xstrdup("d00/f00000003"), .has_offset = true, .offset = 1048576};
    expect(
        &run, "readback-mismatch", create, 0, OUTCOME_FIRED,
        "d00/f00000003, offset 1048576: read back different bytes than were written, after create; 2 of the "
        "1200 blocks that were read back differ. Nothing from A persistent is reported.");
    struct judgement judgement;
    judge_run(&run, &judgement);
    assert_int_equal(judgement.metrics.rows[create].tiers[0].trust, TRUST_DISCARDED);
    assert_int_equal(judgement.metrics.rows[write].tiers[0].trust, TRUST_DISCARDED);
    assert_int_equal(judgement.metrics.rows[create].tiers[1].trust, TRUST_CAVEAT); // by other rules
    assert_null(asked(&judgement, "io-error", create, 0));
    judgement_release(&judgement);
    run_release(&run);
}

// ---- Direct against buffered ----

static const char reads[] = "seq-read-cold,seq-read-reopened,seq-read-direct-1m";

// The disk of E1: 8 ms a request, in MB/s.
static void begin_requests(struct run *run, double reopened, double direct)
{
    fixture_begin(run, reads, ROUNDS);
    add(run, "seq-read-cold", 0, reopened);
    add(run, "seq-read-reopened", 0, reopened);
    add(run, "seq-read-direct-1m", 0, direct);
}

static void add_probe(struct run *run, double rate)
{
    size_t probe = fixture_find(run, "seq-read-direct-128k");
    size_t before = run->sample_count;
    fixture_add_values(run, probe, 0, (double[]){rate * 0.99, rate, rate * 1.01}, ROUNDS);
    for (size_t i = before; i < run->sample_count; i++)
        run->samples[i].block = 2;
}

static void a_direct_read_that_beats_the_cache_takes_both_away(void **state)
{
    (void)state;
    struct run run;
    begin_requests(&run, 13, 103);
    size_t cold = fixture_find(&run, "seq-read-cold"), again = fixture_find(&run, "seq-read-reopened"),
           direct = fixture_find(&run, "seq-read-direct-1m");
    static const char sentence[] =
        "O_DIRECT measured about 103 MB/s and the buffered read beside it about 13.0 MB/s: 7.9x, in the "
        "direction a cache cannot explain. At least one is not what its name says.";
    expect(&run, "direct-beats-cached", direct, 0, OUTCOME_FIRED, sentence);
    expect(&run, "direct-beats-cached", again, 0, OUTCOME_FIRED, sentence);
    expect_quiet(&run, "direct-beats-cached", cold, 0); // it had no cache to use
    expect_verdict(&run, "direct-beats-cached", again, 0, VERDICT_DISCARD);
    expect(
        &run, "request-size-explains", direct, 0, OUTCOME_NOT_CHECKED,
        "the size of the buffered requests isn't known, and no direct read of that size was made; with the "
        "usual 128 KiB each took 10.1 ms, and a direct one of 1 MiB took 10.2 ms");
    run_release(&run);
}

static void a_probe_explains_it(void **state)
{
    (void)state;
    struct run run;
    begin_requests(&run, 15.4, 107);
    size_t again = fixture_find(&run, "seq-read-reopened"), direct = fixture_find(&run, "seq-read-direct-1m");
    add_probe(&run, 15.5);
    expect(
        &run, "request-size-explains", again, 0, OUTCOME_FIRED,
        "O_DIRECT in blocks of 1 MiB measured 107 MB/s and the buffered read 15.4 MB/s; O_DIRECT in blocks "
        "of "
        "128 KiB, as small as a buffered request, 15.5 MB/s. The disk does not contradict itself: a request "
        "costs so much, whatever its size.");
    expect_verdict(&run, "request-size-explains", direct, 0, VERDICT_CAVEAT);
    expect_quiet(&run, "direct-beats-cached", direct, 0);
    expect_quiet(&run, "direct-beats-cached", again, 0);
    run_release(&run);
}

// With requests in flight side by side the small ones are slower than the buffered read: nothing is
// explained.
static void a_probe_that_is_slower_denies_it(void **state)
{
    (void)state;
    struct run run;
    begin_requests(&run, 30.6, 114);
    size_t direct = fixture_find(&run, "seq-read-direct-1m");
    add_probe(&run, 15.7);
    expect_quiet(&run, "request-size-explains", direct, 0);
    expect_verdict(&run, "direct-beats-cached", direct, 0, VERDICT_DISCARD);
    // It decides also against what the rates would hint at.
    run.tiers[0].device.read_ahead_bytes = known_count(128 * KIB);
    expect_quiet(&run, "request-size-explains", direct, 0);
    run_release(&run);
}

static void a_probe_among_the_rounds_decides_too(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-read-reopened,seq-read-direct-1m,seq-read-direct-128k", ROUNDS);
    size_t again = add(&run, "seq-read-reopened", 0, 15.4), direct = add(&run, "seq-read-direct-1m", 0, 107);
    size_t small = add(&run, "seq-read-direct-128k", 0, 15.5);
    expect_verdict(&run, "request-size-explains", direct, 0, VERDICT_CAVEAT);
    expect_quiet(&run, "direct-beats-cached", again, 0);
    expect_quiet(&run, "direct-beats-cached", small, 0);
    expect_quiet(&run, "request-size-explains", small, 0);
    run_release(&run);
}

static void equal_times_a_request_are_a_hint(void **state)
{
    (void)state;
    struct run run;
    begin_requests(&run, 13.6, 108); // 13 and 103 MiB/s
    size_t direct = fixture_find(&run, "seq-read-direct-1m");
    run.tiers[0].device.read_ahead_bytes = known_count(128 * KIB);
    expect(&run, "request-size-explains", direct, 0, OUTCOME_FIRED,
           "Both take about as long per request: 9.64 ms for 128 KiB when buffered, 9.71 ms for 1 MiB when "
           "direct. That is a hint from the rates alone; a direct read in blocks of 128 KiB would decide.");
    expect_quiet(&run, "direct-beats-cached", direct, 0);
    run.tiers[0].device.read_ahead_bytes = known_count(512 * KIB); // then they take 4 times as long
    expect_quiet(&run, "request-size-explains", direct, 0);
    expect_verdict(&run, "direct-beats-cached", direct, 0, VERDICT_DISCARD);
    run_release(&run);
}

static void reads_that_do_not_contradict_are_left_alone(void **state)
{
    (void)state;
    struct run run;
    begin_requests(&run, 1000, 900);
    size_t direct = fixture_find(&run, "seq-read-direct-1m"), again = fixture_find(&run, "seq-read-reopened");
    expect_quiet(&run, "direct-beats-cached", direct, 0);
    expect_quiet(&run, "request-size-explains", direct, 0);
    expect(&run, "direct-beats-cached", again, 1, OUTCOME_NOT_CHECKED,
           "no direct and buffered reads of the same bytes are measured");
    // Twice as fast in the middle, but the ranges overlap.
    fixture_add_values(&run, direct, 1, (double[]){200, 200, 95}, ROUNDS);
    fixture_add_values(&run, again, 1, (double[]){100, 100, 100}, ROUNDS);
    expect_quiet(&run, "direct-beats-cached", direct, 1);
    run_release(&run);
}

static void add_summaries(struct run *run, const struct imported_summary *list, size_t count)
{
    run->origin = RUN_IMPORTED;
    run->summaries.list = xrealloc_array(NULL, count, sizeof *list);
    memcpy(run->summaries.list, list, count * sizeof *list);
    run->summaries.length = count;
}

static void single_values_must_differ_by_more(void **state)
{
    (void)state;
    static const struct {
        double direct;
        enum outcome outcome;
    } vectors[] = {{103, OUTCOME_FIRED}, {26, OUTCOME_FIRED}, {25.9, OUTCOME_QUIET}};
    for (size_t i = 0; i < 3; i++) {
        struct run run;
        fixture_begin(&run, reads, ROUNDS);
        size_t direct = fixture_find(&run, "seq-read-direct-1m"),
               again = fixture_find(&run, "seq-read-reopened");
        add_summaries(&run,
                      (struct imported_summary[]){
                          {.workload = direct, .median = {true, vectors[i].direct}},
                          {.workload = again, .n = known_count(1), .median = {true, 13}},
                      },
                      2);
        assert_int_equal(ask(&run, "direct-beats-cached", direct, 0).outcome, vectors[i].outcome);
        assert_int_equal(ask(&run, "direct-beats-cached", again, 0).outcome, vectors[i].outcome);
        run_release(&run);
    }
}

// ---- Reads again ----

static void a_second_read_that_is_no_faster_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, reads, 1);
    size_t cold = fixture_find(&run, "seq-read-cold"), again = fixture_find(&run, "seq-read-reopened");
    expect(&run, "again-not-faster", again, 0, OUTCOME_NOT_CHECKED,
           "no cold read of the same bytes is measured");
    run.plan.workloads[cold].bytes = run.plan.workloads[again].bytes = 256 * MIB;
    add_summaries(&run,
                  (struct imported_summary[]){
                      {.workload = cold,
                       .n = known_count(1),
                       .median = {true, 16.3},
                       .wall_ns = known_count(UINT64_C(15740000000))},
                      {.workload = again,
                       .n = known_count(1),
                       .median = {true, 16.7},
                       .wall_ns = known_count(UINT64_C(15300000000))},
                  },
                  2);
    expect(&run, "again-not-faster", again, 0, OUTCOME_FIRED,
           "Reading the same 256 MiB again (reopened) took 15.3 s against 15.7 s. A local cache would be 10x "
           "faster or more, so these bytes are not served from one: 16.3 MB/s is the steady cost, not a "
           "first-time penalty.");
    expect_verdict(&run, "again-not-faster", again, 0, VERDICT_INFO);
    struct judgement judgement;
    judge_run(&run, &judgement);
    const struct finding *finding = asked(&judgement, "again-not-faster", again, 0);
    assert_non_null(finding);
    assert_true(fabs(evidence_of(finding, "ratio") - 0.972) < 0.0005);
    judgement_release(&judgement);
    run_release(&run);
}

static void two_reads_from_memory_are_not_called_uncached(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-read-cold,seq-read-same-fd", ROUNDS);
    size_t cold = add(&run, "seq-read-cold", 0, 3000), again = add(&run, "seq-read-same-fd", 0, 3100);
    expect_verdict(&run, "again-not-faster", again, 0, VERDICT_INFO);
    assert_non_null(strstr(ask(&run, "again-not-faster", again, 0).sentence, "again (same descriptor) took"));
    set_residency(&run, cold, 0, 0.5, 1);
    expect_quiet(&run, "again-not-faster", again, 0);
    set_residency(&run, cold, 0, 0, 1);
    set_residency(&run, again, 0, 1, 1);
    expect_quiet(&run, "again-not-faster", again, 0);
    add(&run, "seq-read-cold", 1, 100);
    add(&run, "seq-read-same-fd", 1, 130); // 0.77 of the time
    expect_quiet(&run, "again-not-faster", again, 1);
    run_release(&run);
}

static void a_second_read_from_memory_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, reads, ROUNDS);
    size_t cold = add(&run, "seq-read-cold", 0, 100), again = add(&run, "seq-read-reopened", 0, 1100);
    expect(&run, "again-from-cache", again, 0, OUTCOME_NOT_CHECKED, no_residency);
    set_residency(&run, again, 0, 1, 1);
    expect(
        &run, "again-from-cache", again, 0, OUTCOME_FIRED,
        "The second read (reopened) came from this machine's memory: 100 % of the file was there, and it ran "
        "11x as fast as the first.");
    expect_verdict(&run, "again-from-cache", again, 0, VERDICT_INFO);
    set_residency(&run, again, 0, 0.8, 1);
    expect_quiet(&run, "again-from-cache", again, 0);
    add(&run, "seq-read-reopened", 1, 1100);
    expect(&run, "again-from-cache", again, 1, OUTCOME_NOT_CHECKED,
           "no cold read of the same bytes is measured");
    fixture_add_values(&run, cold, 1, (double[]){250}, 1); // 4.4x is no memory
    expect_quiet(&run, "again-from-cache", again, 1);
    run_release(&run);
}

// ---- Cold or not ----

static void a_cold_read_that_was_warm_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, reads, ROUNDS);
    size_t cold = add(&run, "seq-read-cold", 0, 100);
    expect(&run, "cold-was-warm", cold, 0, OUTCOME_NOT_CHECKED, no_residency);
    set_residency(&run, cold, 0, 0.01, 1);
    expect_quiet(&run, "cold-was-warm", cold, 0);
    run.samples[1].resident_before.value = 0.41;
    expect(&run, "cold-was-warm", cold, 0, OUTCOME_FIRED,
           "41 % of the file was still in memory before the cold read.");
    expect_verdict(&run, "cold-was-warm", cold, 0, VERDICT_DISCARD);
    set_type(&run, 0, "tmpfs");
    expect(&run, "cold-was-warm", cold, 0, OUTCOME_FIRED,
           "Files of A persistent can't be put out of memory, so there is no cold read of it.");
    add(&run, "seq-read-cold", 1, 7200);
    expect(&run, "cold-was-warm", cold, 1, OUTCOME_FIRED, "The cold read ran at 7200 MB/s, as memory does.");
    run.tiers[1].supports.evict = known_flag(false);
    expect(&run, "cold-was-warm", cold, 1, OUTCOME_FIRED,
           "Files of B ephemeral can't be put out of memory, so there is no cold read of it.");
    run_release(&run);

    // A probe that failed to evict says nothing against an eviction that was seen.
    fixture_begin(&run, reads, ROUNDS);
    run.tiers[0].supports.evict = known_flag(false);
    cold = add(&run, "seq-read-cold", 0, 100);
    set_residency(&run, cold, 0, 0, 1);
    expect_quiet(&run, "cold-was-warm", cold, 0);
    run_release(&run);
}

static void a_remote_disk_may_have_a_cache_of_its_own(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, reads, ROUNDS);
    size_t cold = add(&run, "seq-read-cold", 0, 100);
    expect(&run, "server-cache-unknown", cold, 0, OUTCOME_NOT_CHECKED, "the mount isn't known");
    set_type(&run, 0, "fuse.orlop");
    expect(
        &run, "server-cache-unknown", cold, 0, OUTCOME_FIRED,
        "Re-read after eviction: the kernel's copy was dropped, but the disk's own client (fuse.orlop) may "
        "still hold one. Only a read on another machine is surely cold.");
    expect_verdict(&run, "server-cache-unknown", cold, 0, VERDICT_CAVEAT);
    set_type(&run, 0, "ext4");
    expect_quiet(&run, "server-cache-unknown", cold, 0);
    run_release(&run);
}

static void residency_that_is_not_known_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, reads, ROUNDS);
    size_t cold = add(&run, "seq-read-cold", 0, 100);
    expect(&run, "residency-unknown", cold, 0, OUTCOME_FIRED,
           "Whether this file was in memory could not be checked here.");
    expect_verdict(&run, "residency-unknown", cold, 0, VERDICT_CAVEAT);
    set_residency(&run, cold, 0, 0, 1);
    expect_quiet(&run, "residency-unknown", cold, 0);
    run.samples[2].resident_before.known = false;
    assert_int_equal(ask(&run, "residency-unknown", cold, 0).outcome, OUTCOME_FIRED);
    run.origin = RUN_IMPORTED;
    expect(&run, "residency-unknown", cold, 0, OUTCOME_NOT_CHECKED, no_residency);
    run_release(&run);
}

static void a_direct_read_through_the_cache_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "seq-read-cold,seq-read-direct-1m", ROUNDS);
    size_t direct = add(&run, "seq-read-direct-1m", 0, 100), cold = add(&run, "seq-read-cold", 0, 100);
    expect(&run, "direct-not-direct", direct, 0, OUTCOME_NOT_CHECKED,
           "what was in memory before and after the read isn't known");
    set_residency(&run, direct, 0, 0, 0.05);
    expect_quiet(&run, "direct-not-direct", direct, 0);
    set_residency(&run, direct, 0, 0, 1);
    expect(
        &run, "direct-not-direct", direct, 0, OUTCOME_FIRED,
        "Opened with O_DIRECT, yet the read brought 100 % of the file into the page cache: it was a buffered "
        "read under another name.");
    expect_verdict(&run, "direct-not-direct", direct, 0, VERDICT_DISCARD);
    expect_quiet(&run, "direct-not-direct", cold, 0);
    set_type(&run, 0, "tmpfs");
    expect(&run, "direct-not-direct", direct, 0, OUTCOME_FIRED,
           "A persistent is in memory (tmpfs): O_DIRECT is taken there and means nothing.");
    run_release(&run);
}

static void a_file_that_fits_in_memory_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, reads, ROUNDS);
    size_t cold = add(&run, "seq-read-cold", 0, 100);
    expect(&run, "fits-in-memory", cold, 0, OUTCOME_NOT_CHECKED, "how much memory was free isn't known");
    run.host.memory.available_bytes = known_count(3200 * MIB);
    expect(&run, "fits-in-memory", cold, 0, OUTCOME_FIRED,
           "The file is 2 % of free memory; without a verified eviction a fast read proves nothing.");
    expect_verdict(&run, "fits-in-memory", cold, 0, VERDICT_CAVEAT);
    run.host.memory.limit_bytes = known_count(200 * MIB);
    expect_quiet(&run, "fits-in-memory", cold, 0);
    run.host.memory.limit_bytes = known_count(3200 * MIB);
    set_residency(&run, cold, 0, 0, 1);
    expect_quiet(&run, "fits-in-memory", cold, 0);
    run_release(&run);
}

// ---- walk-cache-window ----

static void add_later(struct run *run, double ms)
{
    size_t later = fixture_find(run, "walk-later"), before = run->sample_count;
    fixture_add_values(run, later, 0, (double[]){ms, ms, ms}, 3);
    for (size_t i = before; i < run->sample_count; i++)
        run->samples[i].block = 2;
}

static void a_walk_from_the_attribute_cache_is_told(void **state)
{
    (void)state;
    struct run run;
    fixture_begin(&run, "walk,read-tree", ROUNDS);
    size_t walk = add(&run, "walk", 0, 4.3), tree = add(&run, "read-tree", 0, 100);
    static const char lacking[] = "no walk of the same tree after a wait is measured";
    expect(&run, "walk-cache-window", walk, 0, OUTCOME_NOT_CHECKED, lacking);
    set_type(&run, 0, "fuse.orlop");
    expect(&run, "walk-cache-window", walk, 0, OUTCOME_NOT_CHECKED, lacking);
    expect_quiet(&run, "walk-cache-window", tree, 0);
    set_type(&run, 0, "ext4");
    expect_quiet(&run, "walk-cache-window", walk, 0); // nothing is asked for later there
    add_later(&run, 294);
    expect(
        &run, "walk-cache-window", walk, 0, OUTCOME_FIRED,
        "4.30 ms when just looked at, 294 ms after 1.50 s. The quick one may be the client's memory of the "
        "answer.");
    expect_verdict(&run, "walk-cache-window", walk, 0, VERDICT_CAVEAT);
    run_release(&run);

    fixture_begin(&run, "walk,walk-later", ROUNDS); // attributes that aren't kept at all
    walk = add(&run, "walk", 0, 488);
    add(&run, "walk-later", 0, 537);
    expect(&run, "walk-cache-window", walk, 0, OUTCOME_FIRED,
           "488 ms when just looked at, 537 ms after 1.50 s: no client's memory shows in it.");
    expect_verdict(&run, "walk-cache-window", walk, 0, VERDICT_INFO);
    run_release(&run);
}

int test_rule_cache(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_bytes_take_the_whole_disk_away),
        cmocka_unit_test(a_direct_read_that_beats_the_cache_takes_both_away),
        cmocka_unit_test(a_probe_explains_it),
        cmocka_unit_test(a_probe_that_is_slower_denies_it),
        cmocka_unit_test(a_probe_among_the_rounds_decides_too),
        cmocka_unit_test(equal_times_a_request_are_a_hint),
        cmocka_unit_test(reads_that_do_not_contradict_are_left_alone),
        cmocka_unit_test(single_values_must_differ_by_more),
        cmocka_unit_test(a_second_read_that_is_no_faster_is_told),
        cmocka_unit_test(two_reads_from_memory_are_not_called_uncached),
        cmocka_unit_test(a_second_read_from_memory_is_told),
        cmocka_unit_test(a_cold_read_that_was_warm_is_told),
        cmocka_unit_test(a_remote_disk_may_have_a_cache_of_its_own),
        cmocka_unit_test(residency_that_is_not_known_is_told),
        cmocka_unit_test(a_direct_read_through_the_cache_is_told),
        cmocka_unit_test(a_file_that_fits_in_memory_is_told),
        cmocka_unit_test(a_walk_from_the_attribute_cache_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
