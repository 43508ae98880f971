// What rules need, and how what they saw becomes a sentence.
#include "analysis/full.h"
#include "analysis/rule.h"
#include "base/clock.h"

#include <string.h>

int test_rule(int argc, char *argv[]);

// ---- Needs ----

struct stand {
    struct run run;
    struct facts facts;
    struct subject subject;
};

static const struct thresholds standard;

static void derive(struct stand *stand)
{
    facts_derive(&stand->run, &stand->facts);
    stand->subject = (struct subject){.facts = &stand->facts, .thresholds = &standard};
}

static bool is_met(struct stand *stand, enum need need)
{
    derive(stand);
    bool met = need_is_met(need, &stand->subject);
    facts_release(&stand->facts);
    return met;
}

// A run of one large write on both tiers, of which everything is known.
static void begin(struct stand *stand)
{
    begin_full(&stand->run, "seq-write-64", 2, 0.05, "ext4");
}

static void nothing_is_known_of_a_bare_run(void **state)
{
    (void)state;
    struct stand stand;
    fixture_begin(&stand.run, "seq-write-64", 2);
    for (enum need need = NEED_NOTHING; need < NEED_COUNT; need++)
        assert_int_equal(is_met(&stand, need), need == NEED_NOTHING);
    run_release(&stand.run);
}

static void everything_is_known_of_a_full_run(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand);
    for (enum need need = NEED_NOTHING; need < NEED_COUNT; need++)
        if (!is_met(&stand, need))
            fail_msg("lacks: %s", need_words(need));
    run_release(&stand.run);
}

// Takes away what one need is about.
struct lack {
    enum need need;
    void (*take)(struct run *run, struct sample *sample);
};

static void take_operations(struct run *run, struct sample *sample)
{
    (void)run;
    sparse_release(&sample->latency[PHASE_OP]);
}

static void take_fsync(struct run *run, struct sample *sample)
{
    (void)run;
    sparse_release(&sample->latency[PHASE_FSYNC]);
}

static void take_close(struct run *run, struct sample *sample)
{
    (void)run;
    sparse_release(&sample->latency[PHASE_CLOSE]);
}

static void take_mib(struct run *run, struct sample *sample)
{
    (void)run;
    sample->mib_length = 0;
}

static void take_residency(struct run *run, struct sample *sample)
{
    (void)run;
    sample->resident_before.known = false;
}

static void take_drain(struct run *run, struct sample *sample)
{
    (void)run;
    sample->has_drain = false;
}

static void take_dirty(struct run *run, struct sample *sample)
{
    (void)run;
    sample->has_dirty = false;
}

static void take_throttling(struct run *run, struct sample *sample)
{
    (void)run;
    sample->system.throttled_ns.known = false;
}

static void take_steal(struct run *run, struct sample *sample)
{
    (void)run;
    sample->system.steal_ns.known = false;
}

static void take_memory(struct run *run, struct sample *sample)
{
    (void)run;
    sample->system.memory_pressure_ns.known = sample->system.memory_events.known = false;
}

static void take_drift(struct run *run, struct sample *sample)
{
    (void)run;
    sample->system.realtime_drift_ns.known = false;
}

static void take_mount(struct run *run, struct sample *sample)
{
    (void)sample;
    free(run->tiers[0].mount.type);
    run->tiers[0].mount.type = NULL;
}

static void take_other_mount(struct run *run, struct sample *sample)
{
    (void)sample;
    free(run->tiers[1].mount.type);
    run->tiers[1].mount.type = NULL;
}

static void take_space(struct run *run, struct sample *sample)
{
    (void)sample;
    run->tiers[0].total_bytes = 0; // unknown
}

static void take_overhead(struct run *run, struct sample *sample)
{
    (void)sample;
    run->calibration.overhead[0].wall_ns.known = false;
}

static void take_step(struct run *run, struct sample *sample)
{
    (void)sample;
    run->calibration.clock_step_ns.known = false;
}

static void take_idle(struct run *run, struct sample *sample)
{
    (void)sample;
    run->calibration.idle_ns.value = 0;
}

static void take_self(struct run *run, struct sample *sample)
{
    (void)sample;
    run->calibration.self[0].high.known = false;
}

static void take_tier(struct run *run, struct sample *sample)
{
    (void)sample;
    run->tier_count = 1;
}

// One round that lacks it is enough.
static void each_need_is_about_its_own(void **state)
{
    (void)state;
    static const struct lack lacks[] = {
        {NEED_OPERATIONS, take_operations},
        {NEED_PHASES, take_fsync},
        {NEED_PHASES, take_close},
        {NEED_MIB_TIMES, take_mib},
        {NEED_RESIDENCY, take_residency},
        {NEED_DRAIN, take_drain},
        {NEED_DRAIN, take_dirty},
        {NEED_THROTTLING, take_throttling},
        {NEED_STEAL, take_steal},
        {NEED_MEMORY, take_memory},
        {NEED_CLOCK_DRIFT, take_drift},
        {NEED_MOUNT, take_mount},
        {NEED_BOTH_MOUNTS, take_mount},
        {NEED_BOTH_MOUNTS, take_other_mount},
        {NEED_SPACE, take_space},
        {NEED_CALIBRATION, take_overhead},
        {NEED_CLOCK_STEP, take_step},
        {NEED_IO_PRESSURE, take_idle},
        {NEED_SELF, take_self},
        {NEED_BOTH_TIERS, take_tier},
        {NEED_BOTH_MOUNTS, take_tier},
    };
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        struct stand stand;
        begin(&stand);
        for (size_t k = 0; k < stand.run.sample_count; k++)
            if (stand.run.samples[k].round == 2 && stand.run.samples[k].tier == 0)
                lacks[i].take(&stand.run, &stand.run.samples[k]);
        if (is_met(&stand, lacks[i].need))
            fail_msg("%zu: is met without: %s", i, need_words(lacks[i].need));
        assert_true(is_met(&stand, NEED_ROUNDS));
        run_release(&stand.run);
    }
}

static void what_round_0_lacks_is_no_lack(void **state)
{
    (void)state;
    struct stand stand;
    begin(&stand);
    for (size_t k = 0; k < stand.run.sample_count; k++)
        if (stand.run.samples[k].round == 0) {
            take_operations(&stand.run, &stand.run.samples[k]);
            take_steal(&stand.run, &stand.run.samples[k]);
        }
    assert_true(is_met(&stand, NEED_OPERATIONS) && is_met(&stand, NEED_STEAL));
    run_release(&stand.run);
}

// ---- Sentences ----

static void assert_sentence(struct stand *stand, const char *message, const struct answer *answer,
                            const char *expected)
{
    char *sentence = answer_sentence(message, answer, &stand->subject);
    assert_string_equal(sentence, expected);
    free(sentence);
}

static void assert_shown(struct stand *stand, enum quantity quantity, double value, const char *expected)
{
    struct answer answer = {0};
    answer_put(&answer, "figure", quantity, value);
    assert_sentence(stand, "{figure}", &answer, expected);
    answer_release(&answer);
}

static void begin_sentences(struct stand *stand)
{
    fixture_begin(&stand->run, "create,seq-write-64", 2);
    derive(stand);
}

static void end_sentences(struct stand *stand)
{
    facts_release(&stand->facts);
    run_release(&stand->run);
}

static void each_quantity_has_its_format(void **state)
{
    (void)state;
    struct stand stand;
    begin_sentences(&stand);
    assert_shown(&stand, QUANTITY_COUNT, 5, "5");
    assert_shown(&stand, QUANTITY_COUNT, 1234567, "1234567");
    assert_shown(&stand, QUANTITY_FACTOR, 1.84, "1.8");
    assert_shown(&stand, QUANTITY_FACTOR, 9.94, "9.9");
    assert_shown(&stand, QUANTITY_FACTOR, 9.96, "10");
    assert_shown(&stand, QUANTITY_FACTOR, 12.27, "12");
    assert_shown(&stand, QUANTITY_SHARE, 0.29, "29 %");
    assert_shown(&stand, QUANTITY_SHARE, 0.05, "5 %");
    assert_shown(&stand, QUANTITY_SHARE, 0.0123, "1.2 %");
    assert_shown(&stand, QUANTITY_SHARE, 0.0996, "10 %");
    assert_shown(&stand, QUANTITY_SHARE, -0.123, "-12 %");
    assert_shown(&stand, QUANTITY_SHARE, 0, "0 %");
    assert_shown(&stand, QUANTITY_NS, 412e6, "412 ms");
    assert_shown(&stand, QUANTITY_NS, 15.74e9, "15.7 s");
    assert_shown(&stand, QUANTITY_NS, 34500, "34.5 us"); // ASCII
    assert_shown(&stand, QUANTITY_NS, 7, "7 ns");
    assert_shown(&stand, QUANTITY_BYTES, 312.0 * (1 << 20), "312 MiB");
    assert_shown(&stand, QUANTITY_BYTES, 4096, "4 KiB");
    assert_shown(&stand, QUANTITY_RATE, 196.9e6, "197 MB/s");
    assert_shown(&stand, QUANTITY_RATE, 16.3e6, "16.3 MB/s");
    assert_shown(&stand, QUANTITY_NUMBER, 0.2, "0.200");
    assert_shown(&stand, QUANTITY_NUMBER, 1161.8, "1162");
    assert_shown(&stand, QUANTITY_NUMBER, -3.456, "-3.46");
    end_sentences(&stand);
}

static void absurd_figures_overflow_nothing(void **state)
{
    (void)state;
    static const double values[] = {0, -1, 1e-300, 1e300, -1e300, 1.7e308, INFINITY, -INFINITY, NAN, 1.9e19};
    struct stand stand;
    begin_sentences(&stand);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (enum quantity quantity = 0; quantity < QUANTITY_TEXT; quantity++) {
            struct answer answer = {0};
            answer_put(&answer, "figure", quantity, values[i]);
            char *sentence = answer_sentence("{figure}", &answer, &stand.subject);
            assert_true(strlen(sentence) > 0);
            free(sentence);
            answer_release(&answer);
        }
    end_sentences(&stand);
}

static void values_are_in_the_unit_of_the_metric(void **state)
{
    (void)state;
    struct stand stand;
    begin_sentences(&stand);
    for (size_t metric = 0; metric < 2; metric++) {
        struct answer answer = {0};
        stand.subject.metric = metric;
        answer_put_value(&answer, "first", &stand.subject, 28.6);
        answer_put(&answer, "low", QUANTITY_NUMBER, 306);
        assert_sentence(&stand, "{first}, then {low}", &answer,
                        metric == 0 ? "28.6 files/s, then 306" : "28.6 MB/s, then 306");
        assert_true(answer.evidence[0].value == 28.6); // the figure itself isn't rounded
        answer_release(&answer);
    }
    end_sentences(&stand);
}

static void a_subject_tells_its_own_names(void **state)
{
    (void)state;
    struct stand stand;
    struct answer answer = {0};
    begin_sentences(&stand);
    assert_sentence(&stand, "{metric} on {disk}, beside {other}, by {operation}", &answer,
                    "create on A persistent, beside B ephemeral, by file");
    stand.subject.tier = 1;
    stand.subject.metric = 1;
    assert_sentence(&stand, "{metric} on {disk}, beside {other}", &answer,
                    "seq-write-64 on B ephemeral, beside A persistent");
    answer_put_text(&answer, "disk", "both"); // what a rule puts goes before
    assert_sentence(&stand, "{disk}", &answer, "both");
    answer_release(&answer);
    stand.subject.tier = 0;
    stand.run.tier_count = 1;
    assert_sentence(&stand, "{other}", &answer, "{other}"); // there is none
    end_sentences(&stand);
}

static void what_nobody_fills_stays_to_be_seen(void **state)
{
    (void)state;
    struct stand stand;
    struct answer answer = {0};
    begin_sentences(&stand);
    assert_sentence(&stand, "", &answer, "");
    assert_sentence(&stand, "no braces.", &answer, "no braces.");
    assert_sentence(&stand, "{nobody}.", &answer, "{nobody}.");
    assert_sentence(&stand, "{}", &answer, "{}");
    assert_sentence(&stand, "{unclosed", &answer, "{unclosed}");
    answer_put(&answer, "n", QUANTITY_COUNT, 5);
    assert_sentence(&stand, "{n}{n} {nn} {n", &answer, "55 {nn} 5");
    answer_release(&answer);
    end_sentences(&stand);
}

// Names, paths and reasons come from elsewhere.
static void foreign_text_is_made_safe_and_not_filled_in(void **state)
{
    (void)state;
    struct stand stand;
    struct answer answer = {0};
    begin_sentences(&stand);
    answer_put_text(&answer, "path", "a\x1b[2J\n{disk}\xff");
    assert_sentence(&stand, "{path}", &answer, "a\\x1b[2J\\x0a{disk}\\xff");
    answer_release(&answer);
    free(stand.run.tiers[0].name);
    stand.run.tiers[0].name = xstrdup("d\x9b{metric}");
    strcpy(stand.run.plan.workloads[0].id, "w\a");
    assert_sentence(&stand, "{disk}: {metric}", &answer, "A d\\x9b{metric}: w\\x07");
    end_sentences(&stand);
}

static void what_is_lacking_is_said_last(void **state)
{
    (void)state;
    struct answer answer = {0};
    assert_int_equal(answer_lacks(&answer, "fewer than %d rounds", 5), OUTCOME_NOT_CHECKED);
    assert_string_equal(answer.lacking, "fewer than 5 rounds");
    answer_lacks(&answer, "%s", "nothing was read back");
    assert_string_equal(answer.lacking, "nothing was read back");
    answer_release(&answer);
    assert_null(answer.lacking);
    answer_release(&answer); // once more is harmless
}

static void as_much_evidence_fits_as_is_said(void **state)
{
    (void)state;
    static const char *const names[FINDING_EVIDENCE_MOST] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                                             "i", "j", "k", "l", "m", "n", "o", "p"};
    struct stand stand;
    struct answer answer = {0};
    begin_sentences(&stand);
    for (size_t i = 0; i < FINDING_EVIDENCE_MOST; i++)
        answer_put(&answer, names[i], QUANTITY_COUNT, (double)i);
    assert_sentence(&stand, "{a} {p}", &answer, "0 15");
    answer_release(&answer);
    end_sentences(&stand);
}

static void shorthands_lead_to_their_own(void **state)
{
    (void)state;
    struct stand stand;
    begin_sentences(&stand);
    stand.subject.metric = 1;
    stand.subject.tier = 1;
    assert_ptr_equal(subject_facts(&stand.subject), &stand.facts.tiers[1][1]);
    assert_ptr_equal(subject_other(&stand.subject), &stand.facts.tiers[1][0]);
    assert_ptr_equal(subject_workload(&stand.subject), &stand.run.plan.workloads[1]);
    assert_ptr_equal(subject_tier(&stand.subject), &stand.run.tiers[1]);
    struct thresholds own = {0};
    struct error error;
    assert_true(thresholds_set(&own, "wide-range.factor=1.3", &error));
    stand.subject.thresholds = &own;
    assert_true(subject_threshold(&stand.subject, THRESHOLD_WIDE_RANGE) == 1.3);
    assert_true(subject_threshold(&stand.subject, THRESHOLD_STEADY_RANGE) ==
                threshold_entries[THRESHOLD_STEADY_RANGE].standard);
    stand.subject.tier = 0;
    stand.run.tier_count = 1;
    assert_null(subject_other(&stand.subject));
    end_sentences(&stand);
}

int test_rule(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_of_a_bare_run),
        cmocka_unit_test(everything_is_known_of_a_full_run),
        cmocka_unit_test(each_need_is_about_its_own),
        cmocka_unit_test(what_round_0_lacks_is_no_lack),
        cmocka_unit_test(each_quantity_has_its_format),
        cmocka_unit_test(absurd_figures_overflow_nothing),
        cmocka_unit_test(values_are_in_the_unit_of_the_metric),
        cmocka_unit_test(a_subject_tells_its_own_names),
        cmocka_unit_test(what_nobody_fills_stays_to_be_seen),
        cmocka_unit_test(foreign_text_is_made_safe_and_not_filled_in),
        cmocka_unit_test(what_is_lacking_is_said_last),
        cmocka_unit_test(as_much_evidence_fits_as_is_said),
        cmocka_unit_test(shorthands_lead_to_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
