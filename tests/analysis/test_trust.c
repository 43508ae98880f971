// The table of rules by itself: that each is there, whole, in its place, and says whole sentences.
#include "analysis/full.h"
#include "analysis/trust.h"

#include <string.h>

int test_trust(int argc, char *argv[]);

// In the order in which they are asked.
enum family {
    INTEGRITY,
    ENVIRONMENT,
    HARNESS,
    DURABILITY,
    CACHE,
    STABILITY,
    SAMPLE_SIZE,
    COMPARISON,
    FAMILIES
};

#define RULES_OF_FAMILY_MOST 16

// Design: measuring, 1.2: A to G, with readback-mismatch and io-error in front.
static const char *const families[FAMILIES][RULES_OF_FAMILY_MOST] = {
    [INTEGRITY] = {"readback-mismatch", "io-error"},
    [ENVIRONMENT] = {"cpu-throttled", "cpu-stolen", "memory-pressure", "io-pressure-foreign", "nearly-full",
                     "age-unknown", "same-storage", "mount-differs"},
    [HARNESS] = {"overhead-floor", "too-short", "short-run", "clock-stepped", "time-unaccounted",
                 "output-on-tier", "unit-unclear", "screen-perturbs"},
    [DURABILITY] = {"size-sweep-select", "buffer-not-outrun", "knee", "fsync-does-not-wait",
                    "durability-unprovable", "upper-bound-sync", "sync-misses-fuse", "other-tier-flushed",
                    "backlog-at-start", "not-durable-by-design", "write-outruns-read", "close-carries-cost",
                    "compressible-data", "sparse-file"},
    [CACHE] = {"direct-beats-cached", "request-size-explains", "again-not-faster", "again-from-cache",
               "cold-was-warm", "server-cache-unknown", "residency-unknown", "direct-not-direct",
               "fits-in-memory", "walk-cache-window"},
    [STABILITY] = {"first-round-differs", "lone-stall", "not-repeatable", "wide-range", "not-steady",
                   "drifting", "two-levels", "order-effect", "self-comparison-fails", "ramp-in-round"},
    [SAMPLE_SIZE] = {"round-percentile-gate", "op-percentile-gate", "pooled-percentile-gate",
                     "tail-in-one-round", "median-coverage", "too-few-rounds", "false-precision",
                     "service-time-only", "stall-share", "ratio-not-averaged"},
    [COMPARISON] = {"machine-changed", "cannot-tell-n", "many-comparisons", "both-tiers-moved",
                    "one-session-a-side", "contradicts-bound", "woke-same-machine", "persist-hash",
                    "wake-single"},
};

static enum family family_of(const char *id)
{
    for (enum family family = 0; family < FAMILIES; family++)
        for (size_t i = 0; i < RULES_OF_FAMILY_MOST && families[family][i]; i++)
            if (strcmp(families[family][i], id) == 0)
                return family;
    fail_msg("%s is no rule of the design", id);
    return FAMILIES;
}

static void each_rule_of_the_design_is_there(void **state)
{
    (void)state;
    size_t count = 0;
    for (enum family family = 0; family < FAMILIES; family++)
        for (size_t i = 0; i < RULES_OF_FAMILY_MOST && families[family][i]; i++) {
            count++;
            if (!rule_by_id(families[family][i]))
                fail_msg("there is no %s", families[family][i]);
        }
    assert_int_equal(count, 71);
}

static void each_is_there_once_and_in_the_order_of_families(void **state)
{
    (void)state;
    enum family last = 0;
    size_t count = 0;
    for (const struct rule *rule = rules; rule->id; rule++, count++) {
        assert_ptr_equal(rule_by_id(rule->id), rule); // the first of that id is itself
        enum family family = family_of(rule->id);
        if (family < last)
            fail_msg("%s is asked too late", rule->id);
        last = family;
    }
    assert_int_equal(count, 71);
    assert_null(rule_by_id("no-such-rule"));
    assert_null(rule_by_id(""));
}

static void each_has_what_it_needs(void **state)
{
    (void)state;
    for (const struct rule *rule = rules; rule->id; rule++) {
        bool whole = rule->judge && rule->detects && *rule->detects && rule->source && *rule->source &&
                     rule->scope <= SCOPE_WAKE && rule->verdict > VERDICT_NOT_CHECKED &&
                     rule->verdict < VERDICT_COUNT && rule->classes != 0 &&
                     (rule->classes & ~CLASSES_ALL) == 0 && rule->messages[0];
        if (!whole)
            fail_msg("%s isn't whole", rule->id);
        if (rule->integrity && rule->verdict != VERDICT_DISCARD)
            fail_msg("%s ends questions without throwing anything away", rule->id);
        for (const char *at = rule->id; *at; at++)
            assert_true((*at >= 'a' && *at <= 'z') || *at == '-');
    }
}

// Needs and messages without a gap.
static void tables_in_it_have_no_holes(void **state)
{
    (void)state;
    for (const struct rule *rule = rules; rule->id; rule++) {
        for (size_t i = 1; i < RULE_NEEDS_MOST; i++)
            if (rule->needs[i] != NEED_NOTHING && rule->needs[i - 1] == NEED_NOTHING)
                fail_msg("%s has a hole in its needs", rule->id);
        for (size_t i = 1; i < RULE_MESSAGES_MOST; i++)
            if (rule->messages[i] && !rule->messages[i - 1])
                fail_msg("%s has a hole in its messages", rule->id);
    }
    for (enum need need = 1; need < NEED_COUNT; need++)
        assert_true(need_words(need) && *need_words(need));
    assert_null(need_words(NEED_NOTHING));
}

static void check_message(const char *id, const char *message)
{
    bool open = false;
    size_t length = strlen(message);
    if (length == 0 || (message[length - 1] != '.' && message[length - 1] != '}'))
        fail_msg("%s doesn't end: %s", id, message);
    for (const char *at = message; *at; at++) {
        bool name = (*at >= 'a' && *at <= 'z') || *at == '_';
        bool ascii = *at >= ' ' && *at <= '~';
        bool in_place = open ? name || *at == '}' : *at != '}';
        if (!ascii || !in_place)
            fail_msg("%s has '%c' where it mustn't: %s", id, *at, message);
        open = *at == '{' || (open && *at != '}');
    }
    assert_false(open);
}

static void messages_are_ascii_sentences(void **state)
{
    (void)state;
    for (const struct rule *rule = rules; rule->id; rule++)
        for (size_t i = 0; i < RULE_MESSAGES_MOST && rule->messages[i]; i++)
            check_message(rule->id, rule->messages[i]);
}

// ---- What they say of runs ----

static const char everything[] =
    "create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,"
    "commit,seq-write";

static void sentences_of_full_runs_are_whole(void **state)
{
    (void)state;
    static const char *const types[] = {"fuse.orlop", "ext4", "tmpfs", "nfs4", "overlay", "btrfs"};
    static const double sigmas[] = {0.001, 0.05, 0.2, 0.6, 2};
    static const unsigned rounds[] = {1, 2, 3, 4, 5, 6, 9, 16};
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        struct run run;
        struct judgement judgement;
        begin_full(&run, everything, rounds[i], sigmas[i % 5], types[i % 6]);
        judge_run(&run, &judgement);
        assert_says_plainly(&run, &judgement);
        judgement_release(&judgement);
        run_release(&run);
    }
}

// Which rules said something other than that they lack data, of runs of all kinds.
static void a_full_run_asks_nearly_every_rule(void **state)
{
    (void)state;
    size_t asked_count = 0, fired = 0;
    struct run run;
    struct judgement judgement;
    begin_full(&run, everything, 6, 0.6, "fuse.orlop");
    judge_run(&run, &judgement);
    for (const struct rule *rule = rules; rule->id; rule++) {
        bool has_fired = false;
        asked_count += rule->scope < SCOPE_CHANGE;
        for (size_t i = 0; i < judgement.finding_count; i++)
            has_fired = has_fired || (strcmp(judgement.findings[i].rule, rule->id) == 0 &&
                                      judgement.findings[i].verdict != VERDICT_NOT_CHECKED);
        fired += has_fired;
    }
    print_message("%zu of %zu rules fired\n", fired, asked_count);
    assert_true(fired >= 30);
    judgement_release(&judgement);
    run_release(&run);
}

// What a rule lacks is said in words, and by its needs alone where it has some.
static void sentences_of_bare_runs_are_whole(void **state)
{
    (void)state;
    for (unsigned rounds = 1; rounds <= 12; rounds++) {
        struct run run;
        struct judgement judgement;
        fixture_begin(&run, everything, rounds);
        for (size_t i = 0; i < run.plan.workload_count; i++)
            for (unsigned round = 1; round <= rounds && !run.plan.workloads[i].follow_up; round++)
                for (unsigned tier = 0; tier < 2; tier++)
                    fixture_add(&run, i, tier, round, 20000000 * (round + tier));
        run.tier_count = rounds % 3 == 0 ? 1 : 2;
        run.origin = rounds % 2 == 0 ? RUN_IMPORTED : RUN_MEASURED;
        if (run.tier_count == 1) // what B has belongs to no disk
            for (size_t i = 0; i < run.sample_count; i++)
                run.samples[i].tier = 0;
        judge_run(&run, &judgement);
        assert_says_plainly(&run, &judgement);
        judgement_release(&judgement);
        run_release(&run);
    }
}

int test_trust(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_of_the_design_is_there),
        cmocka_unit_test(each_is_there_once_and_in_the_order_of_families),
        cmocka_unit_test(each_has_what_it_needs),
        cmocka_unit_test(tables_in_it_have_no_holes),
        cmocka_unit_test(messages_are_ascii_sentences),
        cmocka_unit_test(sentences_of_full_runs_are_whole),
        cmocka_unit_test(a_full_run_asks_nearly_every_rule),
        cmocka_unit_test(sentences_of_bare_runs_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
