#include "analysis/facts.h"
#include "analysis/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_facts(int argc, char *argv[]);

#define MS UINT64_C(1000000)

// ---- Classes ----

static void each_workload_has_its_class(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        enum metric_class class;
    } expected[] = {
        {"create", CLASS_CREATE},
        {"walk", CLASS_WALK},
        {"walk-later", CLASS_WALK},
        {"read-tree", CLASS_WALK},
        {"rename", CLASS_DELETE},
        {"delete", CLASS_DELETE},
        {"seq-read-cold", CLASS_COLD_READ},
        {"seq-read-reopened", CLASS_AGAIN_READ},
        {"seq-read-same-fd", CLASS_AGAIN_READ},
        {"seq-read-direct-1m", CLASS_DIRECT_READ},
        {"seq-read-direct-128k", CLASS_DIRECT_READ},
        {"rand-read", CLASS_DIRECT_READ},
        {"rand-write", CLASS_DURABLE_WRITE},
        {"commit", CLASS_DURABLE_WRITE},
        {"seq-write-64", CLASS_DURABLE_WRITE},
    };
    struct run run;
    fixture_begin(&run,
                  "create,walk,walk-later,read-tree,rename,delete,seq-read,rand-read,rand-write,commit,"
                  "seq-write-64",
                  1);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct workload *workload = &run.plan.workloads[fixture_find(&run, expected[i].id)];
        assert_string_equal(metric_class_name(metric_class_of(workload)),
                            metric_class_name(expected[i].class));
    }
    run_release(&run);
    assert_string_equal(metric_class_name(CLASS_DURABLE_WRITE), "durable_write");
    for (enum metric_class class = 0; class < CLASS_COUNT; class ++)
        assert_non_null(metric_class_name(class));
}

// ---- Rounds ----

static struct sample *add(struct run *run, unsigned round, unsigned block, uint64_t wall_ns)
{
    struct sample *sample = fixture_add(run, 0, 0, round, wall_ns);
    sample->block = block;
    return sample;
}

static void rounds_stand_in_order_however_they_came(void **state)
{
    (void)state;
    static const unsigned orders[][5] = {{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, {3, 5, 1, 4, 2}};
    for (size_t order = 0; order < 3; order++) {
        struct run run;
        struct facts facts;
        fixture_begin(&run, "create,walk", 5);
        for (size_t i = 0; i < 5; i++)
            add(&run, orders[order][i], 1, orders[order][i] * 100 * MS);
        facts_derive(&run, &facts);
        const struct tier_facts *tier = &facts.tiers[0][0];
        assert_ptr_equal(facts.run, &run);
        assert_int_equal(facts.length, run.plan.workload_count);
        assert_int_equal(tier->state, METRIC_MEASURED);
        assert_int_equal(tier->count, 5);
        for (unsigned i = 0; i < 5; i++) {
            assert_int_equal(tier->rounds[i].round, i + 1);
            assert_int_equal(tier->rounds[i].sample->wall_ns, (i + 1) * 100 * MS);
            assert_true(fabs(tier->rounds[i].cost - 0.1 * (i + 1)) < 1e-12);
            assert_true(fabs(tier->rounds[i].value - 200 / (0.1 * (i + 1))) < 1e-9);
        }
        assert_int_equal(facts.tiers[0][1].state, METRIC_EMPTY);
        assert_int_equal(facts.tiers[0][1].count, 0);
        facts_release(&facts);
        assert_null(facts.tiers);
        run_release(&run);
    }
}

static void a_cost_is_that_of_one_batch(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    fixture_begin(&run, "create", 1);
    struct sample *sample = add(&run, 1, 1, 600 * MS);
    sample->batches = 6;
    sample->ops *= 6;
    facts_derive(&run, &facts);
    assert_true(fabs(facts.tiers[0][0].rounds[0].cost - 0.1) < 1e-12);
    assert_true(fabs(facts.tiers[0][0].rounds[0].value - 2000) < 1e-9);
    facts_release(&facts);
    run_release(&run);
}

static void first_use_and_follow_ups_stand_apart(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    fixture_begin(&run, "create", 3);
    add(&run, 2, 2, 22 * MS);
    add(&run, 1, 2, 21 * MS);
    add(&run, 0, 2, 20 * MS); // no first use any more
    add(&run, 0, 1, 77 * MS);
    for (unsigned round = 1; round <= 3; round++)
        add(&run, round, 1, round * MS);
    facts_derive(&run, &facts);
    const struct tier_facts *tier = &facts.tiers[0][0];
    assert_int_equal(tier->count, 3);
    assert_int_equal(tier->rounds[0].sample->wall_ns, 1 * MS);
    assert_non_null(tier->first_use);
    assert_int_equal(tier->first_use->wall_ns, 77 * MS);
    assert_int_equal(tier->follow_up_count, 2);
    assert_int_equal(tier->follow_up[0].sample->wall_ns, 21 * MS);
    assert_int_equal(tier->follow_up[1].sample->wall_ns, 22 * MS);
    facts_release(&facts);
    run_release(&run);
}

static void samples_that_say_nothing_are_no_rounds(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    fixture_begin(&run, "create", 6);
    add(&run, 0, 1, 0);
    add(&run, 1, 1, 0);
    add(&run, 2, 1, 5 * MS)->batches = 0;
    fixture_add_other(&run, 0, 0, 3, SAMPLE_STOPPED, SKIP_NONE);
    add(&run, 4, 1, 5 * MS);
    fixture_add_other(&run, 0, 0, 5, SAMPLE_SKIPPED, SKIP_TIME);
    facts_derive(&run, &facts);
    const struct tier_facts *tier = &facts.tiers[0][0];
    assert_int_equal(tier->count, 1);
    assert_int_equal(tier->rounds[0].round, 4);
    assert_null(tier->first_use);
    assert_int_equal(tier->state, METRIC_MEASURED);
    assert_int_equal(tier->cause->reason, SKIP_TIME);
    facts_release(&facts);

    fixture_add_other(&run, 0, 0, 0, SAMPLE_FAILED, SKIP_NONE);
    facts_derive(&run, &facts);
    assert_int_equal(facts.tiers[0][0].state, METRIC_FAILED);
    assert_int_equal(facts.tiers[0][0].cause->round, 0);
    facts_release(&facts);
    run_release(&run);
}

// A look for the rules that failed takes nothing away.
static void a_follow_up_that_failed_is_no_failure(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    fixture_begin(&run, "create", 1);
    add(&run, 1, 1, 5 * MS);
    fixture_add_other(&run, 0, 0, 1, SAMPLE_FAILED, SKIP_NONE)->block = 2;
    facts_derive(&run, &facts);
    assert_int_equal(facts.tiers[0][0].state, METRIC_MEASURED);
    assert_null(facts.tiers[0][0].cause);
    facts_release(&facts);
    run_release(&run);
}

static void a_summary_stands_in_for_rounds(void **state)
{
    (void)state;
    struct run run;
    struct facts facts;
    fixture_begin(&run, "create", 5);
    run.origin = RUN_IMPORTED;
    run.summaries.list = xcalloc(1, sizeof *run.summaries.list);
    run.summaries.length = 1;
    run.summaries.list[0].tier = 1;
    run.summaries.list[0].median = (struct real){.known = true, .value = 5};
    facts_derive(&run, &facts);
    assert_ptr_equal(facts.tiers[0][1].summary, &run.summaries.list[0]);
    assert_int_equal(facts.tiers[0][1].state, METRIC_MEASURED);
    assert_null(facts.tiers[0][0].summary);
    facts_release(&facts);
    fixture_add(&run, 0, 1, 1, 5 * MS); // rounds say more
    facts_derive(&run, &facts);
    assert_null(facts.tiers[0][1].summary);
    assert_int_equal(facts.tiers[0][1].count, 1);
    facts_release(&facts);
    run_release(&run);
}

// ---- Workloads that belong together ----

static void counterparts_are_of_one_file_and_number_of_threads(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "seq-read", 1, (uint64_t[]){1, 4, 0});
    const struct plan *plan = &run.plan;
    size_t reopened = fixture_find(&run, "seq-read-reopened-t4");
    const struct counterpart cold = {.kind = WORKLOAD_SEQ_READ, .access = ACCESS_COLD};
    const struct counterpart direct = {.kind = WORKLOAD_SEQ_READ, .access = ACCESS_DIRECT};
    struct counterpart small = direct;
    small.block_bytes = 131072;
    assert_int_equal(counterpart_of(plan, reopened, &cold), fixture_find(&run, "seq-read-cold-t4"));
    assert_int_equal(counterpart_of(plan, reopened, &direct), fixture_find(&run, "seq-read-direct-1m-t4"));
    assert_int_equal(counterpart_of(plan, reopened, &small), fixture_find(&run, "seq-read-direct-128k-t4"));
    size_t found = fixture_find(&run, "seq-read-cold-t4");
    assert_int_equal(counterpart_of(plan, found, &cold), SIZE_MAX); // never itself
    run.plan.workloads[found].bytes *= 2;                           // another file
    assert_int_equal(counterpart_of(plan, reopened, &cold), SIZE_MAX);
    run_release(&run);
}

static void a_sweep_is_of_one_number_of_threads_and_ascends(void **state)
{
    (void)state;
    struct run run;
    fixture_begin_threads(&run, "create,seq-write", 1, (uint64_t[]){1, 4, 0});
    size_t members[PLAN_SIZES_MOST];
    size_t count = sweep_of(&run.plan, fixture_find(&run, "seq-write-1024-t4"), members);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        const struct workload *workload = &run.plan.workloads[members[i]];
        assert_int_equal(workload->kind, WORKLOAD_SEQ_WRITE);
        assert_int_equal(workload->threads, 4);
        if (i > 0)
            assert_true(workload->bytes > run.plan.workloads[members[i - 1]].bytes);
    }
    assert_string_equal(run.plan.workloads[members[0]].id, "seq-write-64-t4");
    run_release(&run);
}

int test_facts(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_workload_has_its_class),
        cmocka_unit_test(rounds_stand_in_order_however_they_came),
        cmocka_unit_test(a_cost_is_that_of_one_batch),
        cmocka_unit_test(first_use_and_follow_ups_stand_apart),
        cmocka_unit_test(samples_that_say_nothing_are_no_rounds),
        cmocka_unit_test(a_follow_up_that_failed_is_no_failure),
        cmocka_unit_test(a_summary_stands_in_for_rounds),
        cmocka_unit_test(counterparts_are_of_one_file_and_number_of_threads),
        cmocka_unit_test(a_sweep_is_of_one_number_of_threads_and_ascends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
