#include "analysis/ask.h"
#include "analysis/wake_facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_rule_persistence(int argc, char *argv[]);

#define S UINT64_C(1000000000)

static void expect(struct wake_facts wake, const char *id, enum outcome outcome, enum verdict verdict,
                   const char *sentence)
{
    struct asked_answer answer = ask_of(&(struct subject){.wake = &wake}, id);
    assert_string_equal(answer.sentence, sentence);
    assert_int_equal(answer.outcome, outcome);
    if (outcome == OUTCOME_FIRED)
        assert_int_equal(answer.verdict, verdict);
}

static void a_machine_that_stayed_shows_nothing(void **state)
{
    (void)state;
    const char *id = "woke-same-machine";
    struct wake_facts wake = {.gap_ns = 41 * 60 * S};
    expect(wake, id, OUTCOME_NOT_CHECKED, VERDICT_INFO, "the boot ids before and after aren't known");
    wake.has_boot_ids = true;
    expect(wake, id, OUTCOME_QUIET, VERDICT_INFO, "");
    wake.has_machine_ids = true;
    expect(wake, id, OUTCOME_QUIET, VERDICT_INFO, "");
    wake.same_machine_id = true;
    expect(wake, id, OUTCOME_FIRED, VERDICT_CAVEAT,
           "The boot id is another and the machine id is the same: a restart of one machine looks like this "
           "too.");
    wake.same_boot_id = true;
    expect(wake, id, OUTCOME_FIRED, VERDICT_REFUSE,
           "The machine never changed, so this does not show the disk outlives it.");
    wake.has_uptime = true;
    wake.uptime_ns = 86400 * S;
    expect(wake, id, OUTCOME_FIRED, VERDICT_REFUSE,
           "The machine never changed, so this does not show the disk outlives it.");
    wake.uptime_ns = 90 * S;
    expect(wake, id, OUTCOME_FIRED, VERDICT_CAVEAT,
           "The boot id is the same, but the machine has been up for 90 seconds and 41 minutes went by: this "
           "alone does not show the disk outlives it.");
}

static void every_file_must_be_identical(void **state)
{
    (void)state;
    const char *id = "persist-hash";
    struct wake_facts wake = {.has_boot_ids = true, .gap_ns = 41 * 60 * S};
    expect(wake, id, OUTCOME_NOT_CHECKED, VERDICT_INFO, "the digests before and after aren't known");
    wake.has_digests = true;
    expect(wake, id, OUTCOME_NOT_CHECKED, VERDICT_INFO, "no files were planted");
    wake.files = wake.files_identical = 6;
    expect(wake, id, OUTCOME_FIRED, VERDICT_INFO,
           "6 of 6 files identical after 41 minutes, on another machine.");
    wake.same_boot_id = true;
    wake.gap_ns = 3 * 86400 * S;
    expect(wake, id, OUTCOME_FIRED, VERDICT_INFO, "6 of 6 files identical after 3 days.");
    wake.files_identical = 4;
    wake.files_missing = 1;
    wake.gap_ns = 3 * 3600 * S;
    expect(wake, id, OUTCOME_FIRED, VERDICT_DISCARD, "4 of 6 files identical after 3 hours; missing: 1.");
}

static void one_cold_file_is_one_observation(void **state)
{
    (void)state;
    const char *id = "wake-single";
    expect((struct wake_facts){0}, id, OUTCOME_NOT_CHECKED, VERDICT_INFO,
           "no file was read for the first time after the wake");
    expect((struct wake_facts){.files_read_first = 1}, id, OUTCOME_FIRED, VERDICT_CAVEAT,
           "One cold file. Write six and each wake gives six cold reads.");
    expect((struct wake_facts){.files_read_first = 4}, id, OUTCOME_FIRED, VERDICT_CAVEAT,
           "4 cold files. Write six and each wake gives six cold reads.");
    expect((struct wake_facts){.files_read_first = 5}, id, OUTCOME_QUIET, VERDICT_INFO, "");
}

int test_rule_persistence(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_that_stayed_shows_nothing),
        cmocka_unit_test(every_file_must_be_identical),
        cmocka_unit_test(one_cold_file_is_one_observation),
    };
    return cmocka_run_group_tests_name("rule_persistence", tests, NULL, NULL);
}
