#include "fixture.h"
#include "record/run.h"

#include <ctype.h>

int test_run(int argc, char *argv[]);

static void begins_with_what_is_known(void **state)
{
    (void)state;
    struct run run = {.tier_count = 1}, other = {0};
    uint64_t before_ns = clock_realtime_ns();
    run_begin(&run);
    run_begin(&other);
    assert_in_range(run.started_realtime_ns, before_ns, clock_realtime_ns());
    assert_int_equal(run.status, RUN_RUNNING);
    assert_int_equal(run.ended_realtime_ns, 0);
    assert_int_equal(run.tier_count, 1); // what was there stays
    assert_true(run.tool_flags && run.tool_version[0] && run.tool_commit[0] && run.tool_compiler[0]);
    assert_string_not_equal(run.id, other.id);
    assert_string_not_equal(run.session, other.session);
    run_release(&run);
    run_release(&other);
    assert_null(run.tool_version);
}

static void ids_have_one_form(void **state)
{
    (void)state;
    static const char form[] = "00000000T000000Z-xxxxxx";
    struct run run = {0};
    run_begin(&run);
    assert_int_equal(strlen(run.id), strlen(form));
    for (size_t i = 0; form[i]; i++) {
        unsigned char c = (unsigned char)run.id[i];
        assert_true(form[i] == '0' ? isdigit(c) : form[i] == 'x' ? isxdigit(c) && !isupper(c) : c == form[i]);
    }
    char instant[RFC3339_SIZE], compact[RFC3339_SIZE];
    clock_rfc3339(run.started_realtime_ns, instant);
    size_t length = 0;
    for (const char *c = instant; *c; c++)
        if (*c != '-' && *c != ':')
            compact[length++] = *c;
    assert_memory_equal(run.id, compact, length);
    assert_true(strlen(run.session) >= 8);
    run_release(&run);
}

static void ids_sort_by_the_start(void **state)
{
    (void)state;
    char before[RUN_ID_SIZE] = "";
    for (int i = 0; i < 100; i++) { // most of them in one second
        struct run run = {0};
        run_begin(&run);
        assert_true(strcmp(run.id, before) > 0);
        memcpy(before, run.id, sizeof before);
        run_release(&run);
    }
}

static void takes_samples_and_events_over(void **state)
{
    (void)state;
    struct run run = {0};
    for (unsigned i = 0; i < 1000; i++) {
        struct sample sample = {.round = i, .mib_ns = xcalloc(1, sizeof(uint64_t)), .mib_length = 1};
        sample.error.call = xstrdup("fsync");
        assert_int_equal(run_add_sample(&run, &sample)->round, i);
        run_add_event(&run, i, "%s %u", "event", i);
    }
    assert_int_equal(run.sample_count, 1000);
    assert_int_equal(run.samples[999].round, 999);
    assert_int_equal(run.event_count, 1000);
    assert_string_equal(run.events[17].text, "event 17");
    assert_int_equal(run.events[17].at_ns, 17);
    run_release(&run);
    assert_int_equal(run.sample_count, 0);
    run_release(&run);
}

static void ratios_need_two_disks(void **state)
{
    (void)state;
    char why[] = "one disk";
    struct run run = {.tier_count = 2};
    assert_true(run_ratios_wanted(&run));
    run.shared_why = why;
    assert_false(run_ratios_wanted(&run));
    run.plan.same_disk = true;
    assert_true(run_ratios_wanted(&run));
    run.tier_count = 1;
    assert_false(run_ratios_wanted(&run));
}

static void one_disk_is_told_in_one_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *why, *sentence;
        bool same_disk;
    } cases[] = {
        {"one disk", "one disk: no ratio is shown; --same-disk shows it", false},
        {"one disk.", "one disk: the ratios compare one disk with itself", true},
        {"a\033[2J", "a\\x1b[2J: no ratio is shown; --same-disk shows it", false},
        {NULL, "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run run = {.tier_count = 2, .plan.same_disk = cases[i].same_disk};
        run.shared_why = cases[i].why ? xstrdup(cases[i].why) : NULL;
        struct text text = {0};
        run_put_shared(&run, &text);
        assert_string_equal(text_string(&text), cases[i].sentence);
        text_free(&text);
        free(run.shared_why);
    }
}

static void a_tier_is_called_by_letter_and_name(void **state)
{
    (void)state;
    char *names[] = {"persistent", "B", "A", "b", "\033[2J"};
    const char *const called[][RUN_TIERS_MOST] = {{"A persistent", "B persistent"},
                                                  {"A B", "B"},
                                                  {"A", "B A"},
                                                  {"A b", "B b"},
                                                  {"A \\x1b[2J", "B \\x1b[2J"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++) {
            struct run run = {.tier_count = 2, .tiers = {{.name = names[i]}, {.name = names[i]}}};
            struct text text = {0};
            run_put_tier(&run, tier, &text);
            assert_string_equal(text_string(&text), called[i][tier]);
            text_free(&text);
        }
    }
}

static void states_have_names(void **state)
{
    (void)state;
    assert_string_equal(run_status_name(RUN_COMPLETE), "complete");
    assert_string_equal(run_status_name(RUN_RUNNING), "running");
    assert_string_equal(run_status_name(RUN_STOPPED), "stopped");
    assert_string_equal(run_status_name(RUN_FAILED), "failed");
    assert_string_equal(run_origin_name(RUN_MEASURED), "measured");
    assert_string_equal(run_origin_name(RUN_IMPORTED), "imported");
    assert_string_equal(sample_status_name(SAMPLE_OK), "ok");
    assert_string_equal(sample_status_name(SAMPLE_SKIPPED), "skipped");
    assert_null(skip_reason_name(SKIP_NONE));
    assert_string_equal(skip_reason_name(SKIP_ROOM), "room");
}

int test_run(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_what_is_known),
        cmocka_unit_test(ids_have_one_form),
        cmocka_unit_test(ids_sort_by_the_start),
        cmocka_unit_test(takes_samples_and_events_over),
        cmocka_unit_test(ratios_need_two_disks),
        cmocka_unit_test(one_disk_is_told_in_one_sentence),
        cmocka_unit_test(a_tier_is_called_by_letter_and_name),
        cmocka_unit_test(states_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
