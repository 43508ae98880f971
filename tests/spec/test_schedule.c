#include "base/text.h"
#include "spec/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_schedule(int argc, char *argv[]);

static void make(struct plan *plan, struct schedule *schedule, const struct plan_request *request,
                 unsigned tiers)
{
    struct error error = {{0}};
    if (!plan_make(request, plan, &error))
        fail_msg("%s", error.text);
    schedule_make(schedule, plan, tiers);
}

// Which tier goes first in a round of a workload; -1 where the schedule doesn't have it.
static int first_tier(const struct schedule *schedule, size_t workload, unsigned round)
{
    for (size_t i = 0; i < schedule->length; i++)
        if (schedule->sections[i].workload == workload && schedule->sections[i].round == round)
            return (int)schedule->sections[i].tier;
    return -1;
}

// Written out for one seed: sections as ROUND:WORKLOAD+TIER, '*' for the first, '|' where a round ends.
static void is_as_written_out(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule,
         &(struct plan_request){
             .workloads = "create,delete,seq-write-1,seq-write-2", .rounds = 2, .has_seed = true},
         1);
    struct text text = {0};
    for (size_t i = 0; i < schedule.length; i++) {
        const struct section *section = &schedule.sections[i];
        text_printf(&text, "%u:%s%c%s", section->round, plan.workloads[section->workload].id,
                    section->tier == 0 ? 'A' : 'B', section->first ? "*" : "");
        text_puts(&text, section->ends_round ? "|" : " ");
    }
    assert_string_equal(text_string(&text),
                        "0:createA* 0:deleteA*|1:createA* 1:deleteA*|2:createA* 2:deleteA*|"
                        "0:seq-write-1A*|1:seq-write-1A* 1:seq-write-2A*|"
                        "2:seq-write-1A* 2:seq-write-2A*|");
    text_free(&text);
    schedule_release(&schedule);
    plan_release(&plan);
}

// The ids of a round of the sweep, in order.
static void assert_sweep_round(const struct plan *plan, const struct schedule *schedule, unsigned round,
                               const char *expected)
{
    struct text text = {0};
    for (size_t i = 0; i < schedule->length; i++) {
        const struct workload *workload = &plan->workloads[schedule->sections[i].workload];
        if (schedule->sections[i].round == round && workload->kind == WORKLOAD_SEQ_WRITE)
            text_printf(&text, "%s%s", text.length ? " " : "", workload->id);
    }
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static void each_sweep_has_a_first_use(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule,
         &(struct plan_request){
             .workloads = "walk,seq-write-8,seq-write-4", .threads = {1, 2}, .thread_count = 2},
         1);
    assert_sweep_round(&plan, &schedule, 0, "seq-write-4-t1 seq-write-4-t2");
    assert_sweep_round(&plan, &schedule, 1, "seq-write-4-t1 seq-write-8-t1 seq-write-4-t2 seq-write-8-t2");
    schedule_release(&schedule);
    plan_release(&plan);
    // A step's smallest size, also where it is larger than another step's.
    make(&plan, &schedule,
         &(struct plan_request){
             .profile = "git",
             .workloads = "clone-seq-write-1,clone-seq-write-2,status-seq-write-9,seq-write-5,seq-write-6"},
         1);
    assert_sweep_round(&plan, &schedule, 0, "clone-seq-write-1 status-seq-write-9 seq-write-5");
    assert_sweep_round(&plan, &schedule, 6,
                       "clone-seq-write-1 clone-seq-write-2 status-seq-write-9 seq-write-5 seq-write-6");
    schedule_release(&schedule);
    plan_release(&plan);
}

static void pairs_tiers_workload_by_workload(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule, &(struct plan_request){.rounds = 7}, 2);
    assert_int_equal(schedule.length, 2 * (7 * 6 + 4)); // round 0 has the smallest large file alone
    for (size_t i = 0; i < schedule.length; i += 2) {
        const struct section *first = &schedule.sections[i], *second = first + 1;
        assert_int_equal(first->workload, second->workload);
        assert_int_equal(first->round, second->round);
        assert_int_equal(first->tier + second->tier, 1);
        assert_true(first->first);
        assert_false(second->first);
        assert_false(first->ends_round);
    }
    schedule_release(&schedule);
    plan_release(&plan);
}

static void flips_coins_and_mirrors_them(void **state)
{
    (void)state;
    enum { ROUNDS = 200 };
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule, &(struct plan_request){.rounds = ROUNDS, .has_seed = true, .seed = 42}, 2);
    unsigned second_first = 0, alike = 0, odd_rounds = 0;
    for (size_t workload = 0; workload < 6; workload++) {
        bool in_round_0 = plan.workloads[workload].kind != WORKLOAD_SEQ_WRITE || workload == 3;
        assert_int_equal(first_tier(&schedule, workload, 0), in_round_0 ? 0 : -1);
        for (unsigned round = 1; round <= ROUNDS; round += 2) {
            int first = first_tier(&schedule, workload, round);
            assert_int_equal(first_tier(&schedule, workload, round + 1), 1 - first);
            second_first += (unsigned)first;
            alike += first == first_tier(&schedule, 0, round);
            odd_rounds++;
        }
    }
    assert_in_range(second_first, odd_rounds * 4 / 10, odd_rounds * 6 / 10); // fair; the seed is fixed
    assert_in_range(alike, odd_rounds * 4 / 10, odd_rounds * 7 / 10);        // and apart for each workload
    schedule_release(&schedule);
    plan_release(&plan);
}

static bool same(const struct schedule *a, const struct schedule *b)
{
    if (a->length != b->length)
        return false;
    for (size_t i = 0; i < a->length; i++)
        if (a->sections[i].workload != b->sections[i].workload ||
            a->sections[i].tier != b->sections[i].tier || a->sections[i].round != b->sections[i].round)
            return false;
    return true;
}

static void depends_on_the_seed_alone(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule one, again, other;
    make(&plan, &one, &(struct plan_request){.rounds = 50, .has_seed = true, .seed = 1}, 2);
    schedule_make(&again, &plan, 2);
    plan.seed = 2;
    schedule_make(&other, &plan, 2);
    assert_true(same(&one, &again));
    assert_false(same(&one, &other));
    schedule_release(&one);
    schedule_release(&again);
    schedule_release(&other);
    plan_release(&plan);
}

static void keeps_the_sweep_for_the_end(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule, &(struct plan_request){.rounds = 3}, 2);
    bool in_sweep = false;
    unsigned round = 0, ends = 0;
    size_t workload = 0;
    for (size_t i = 0; i < schedule.length; i++) {
        const struct section *section = &schedule.sections[i];
        bool sweep = plan.workloads[section->workload].kind == WORKLOAD_SEQ_WRITE;
        if (sweep && !in_sweep)
            round = 0;
        assert_false(in_sweep && !sweep);
        in_sweep = sweep;
        if (section->round != round) {
            assert_int_equal(section->round, round + 1);
            assert_true(schedule.sections[i - 1].ends_round);
            round = section->round;
        } else if (i > 0 && !schedule.sections[i - 1].ends_round) {
            assert_true(section->workload >= workload);
        }
        workload = section->workload;
        ends += section->ends_round;
    }
    assert_int_equal(ends, 2 * 4);
    assert_true(schedule.sections[schedule.length - 1].ends_round);
    schedule_release(&schedule);
    plan_release(&plan);
}

static void goes_without_round_0(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule, &(struct plan_request){.rounds = 1, .no_warmup = true}, 2);
    assert_int_equal(schedule.length, 12);
    assert_int_equal(schedule.sections[0].round, 1);
    schedule_release(&schedule);
    assert_int_equal(schedule.length, 0);
    schedule_release(&schedule);
    struct plan nothing = {0};
    schedule_make(&schedule, &nothing, 2);
    assert_int_equal(schedule.length, 0);
    schedule_release(&schedule);
    plan_release(&plan);
}

static void has_follow_ups_behind_all_rounds(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule, &(struct plan_request){.rounds = 3}, 2);
    size_t length = schedule.length;
    const struct section *sections = schedule.sections;
    for (size_t i = 0; i < length; i++) {
        assert_false(plan.workloads[schedule.sections[i].workload].follow_up);
        assert_int_equal(schedule.sections[i].block, 1);
        assert_int_equal(schedule.sections[i].idle_ns, 0);
    }
    struct follow_up later = {.workload = 6, .tier = 1, .rounds = 4, .idle_ns = 5, .why = "x"};
    assert_true(schedule_follow_up(&schedule, &later));
    assert_int_equal(schedule.length, length + 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct section *section = &schedule.sections[length + i];
        assert_int_equal(section->workload, 6);
        assert_int_equal(section->tier, 1);
        assert_int_equal(section->round, i + 1);
        assert_int_equal(section->block, 2);
        assert_int_equal(section->idle_ns, i == 0 ? 5 : 0);
        assert_true(section->ends_round);
        assert_true(section->first);
    }
    // Once for each workload and tier, and nothing without rounds.
    assert_false(schedule_follow_up(&schedule, &later));
    later.tier = 0;
    assert_true(schedule_follow_up(&schedule, &later));
    later.workload = 0;
    later.rounds = 0;
    assert_false(schedule_follow_up(&schedule, &later));
    assert_int_equal(schedule.length, length + 8);
    later.rounds = FOLLOW_UP_ROUNDS_MOST + 1;
    assert_true(schedule_follow_up(&schedule, &later));
    assert_int_equal(schedule.length, length + 8 + FOLLOW_UP_ROUNDS_MOST);
    assert_ptr_equal(schedule.sections, sections);
    schedule_release(&schedule);
    plan_release(&plan);
}

// As many as there can be, each as long as one can be, and not one more.
static void has_room_for_all_follow_ups(void **state)
{
    (void)state;
    struct plan plan;
    struct schedule schedule;
    make(&plan, &schedule, &(struct plan_request){.workloads = "create", .rounds = 1, .no_warmup = true}, 1);
    for (size_t i = 0; i < FOLLOW_UPS_MOST; i++) {
        struct follow_up follow_up = {.workload = i, .rounds = UINT32_MAX};
        assert_true(schedule_follow_up(&schedule, &follow_up));
    }
    assert_int_equal(schedule.length, 1 + FOLLOW_UPS_MOST * FOLLOW_UP_ROUNDS_MOST);
    assert_false(
        schedule_follow_up(&schedule, &(struct follow_up){.workload = FOLLOW_UPS_MOST, .rounds = 1}));
    schedule_release(&schedule);
    plan_release(&plan);
    // A run that does without has none.
    make(&plan, &schedule,
         &(struct plan_request){.workloads = "create", .rounds = 1, .no_warmup = true, .no_follow_up = true},
         1);
    assert_false(schedule_follow_up(&schedule, &(struct follow_up){.rounds = FOLLOW_UP_ROUNDS_MOST}));
    schedule_release(&schedule);
    plan_release(&plan);
}

int test_schedule(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_written_out),
        cmocka_unit_test(each_sweep_has_a_first_use),
        cmocka_unit_test(pairs_tiers_workload_by_workload),
        cmocka_unit_test(flips_coins_and_mirrors_them),
        cmocka_unit_test(depends_on_the_seed_alone),
        cmocka_unit_test(keeps_the_sweep_for_the_end),
        cmocka_unit_test(goes_without_round_0),
        cmocka_unit_test(has_follow_ups_behind_all_rounds),
        cmocka_unit_test(has_room_for_all_follow_ups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
