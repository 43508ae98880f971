#include "base/text.h"
#include "base/units.h"
#include "spec/plan.h"
#include "spec/plan_check.h"
#include "spec/plan_total.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_profile(int argc, char *argv[]);

static void make(struct plan *plan, const char *profile)
{
    struct error error = {{0}};
    if (!plan_make(&(struct plan_request){.profile = profile}, plan, &error))
        fail_msg("%s: %s", profile, error.text);
    if (!plan_check(plan, &error))
        fail_msg("%s is made, but %s", profile, error.text);
}

// "+" stands before those that only the rules may ask for.
static void assert_ids(const char *profile, const char *expected)
{
    struct plan plan;
    make(&plan, profile);
    struct text ids = {0};
    for (size_t i = 0; i < plan.workload_count; i++)
        text_printf(&ids, "%s%s%s", i > 0 ? " " : "", plan.workloads[i].follow_up ? "+" : "",
                    plan.workloads[i].id);
    assert_string_equal(text_string(&ids), expected);
    text_free(&ids);
    plan_release(&plan);
}

static void do_what_they_are_called(void **state)
{
    (void)state;
    assert_ids("agent-disk",
               "create walk delete seq-write-64 seq-write-256 seq-write-1024 +walk-later +seq-write-2048");
    assert_ids("quick", "create walk delete seq-write-64 +walk-later");
    assert_ids("npm-install", "create walk read-tree delete +walk-later");
    assert_ids(
        "git",
        "clone-create status-walk checkout-create checkout-rename clone-seq-write-16 +status-walk-later");
    assert_ids("database", "rand-read rand-read-buffered rand-write rand-write-buffered commit");
}

// A name that a workload's id begins with would make "walk-create" mean two things.
static bool is_taken(const char *name)
{
    size_t length = strlen(name);
    bool taken = strncmp("seq-write", name, length) == 0;
    for (const struct workload_variant *variant = workload_variants; variant->id; variant++)
        taken = taken || strncmp(variant->id, name, length) == 0;
    return taken;
}

static void steps_have_names_of_their_own(void **state)
{
    (void)state;
    for (const struct profile *profile = profiles; profile->id; profile++) {
        assert_true(profile->summary && strlen(profile->summary) + strlen(profile->id) < 100);
        assert_non_null(profile->steps[0].workloads);
        for (size_t i = 0; i < PROFILE_STEPS && profile->steps[i].workloads; i++) {
            const struct profile_step *step = &profile->steps[i];
            if (!step->name) { // then it is the only one
                assert_true(i == 0 && !profile->steps[1].workloads);
                continue;
            }
            assert_false(is_taken(step->name));
            assert_int_equal(strspn(step->name, "abcdefghijklmnopqrstuvwxyz"), strlen(step->name));
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(step->name, profile->steps[j].name);
        }
    }
}

// Small enough for a disk of 1 ms a call, and for any disk.
static void no_round_is_large(void **state)
{
    (void)state;
    for (const struct profile *profile = profiles; profile->id; profile++) {
        struct plan plan;
        make(&plan, profile->id);
        struct plan_totals totals = plan_total(&plan);
        assert_true(totals.ops / (plan.rounds + 1) < 10000);
        assert_true(totals.most_files <= 2000);
        assert_true(totals.largest_payload_bytes <= GIB);
        plan_release(&plan);
    }
}

// Bytes a file, and files a directory, in the mean: within 3 % of what was published of the real ones.
static void assert_means(const struct tree *tree, double file_bytes, double in_directory)
{
    double bytes = (double)tree_bytes(tree) / (double)tree->files;
    double files = (double)tree->files / tree_directories(tree);
    assert_true(bytes > 0.97 * file_bytes && bytes < 1.03 * file_bytes);
    assert_true(files > 0.97 * in_directory && files < 1.03 * in_directory);
}

static void trees_are_like_the_real_ones(void **state)
{
    (void)state;
    struct plan plan;
    make(&plan, "npm-install");
    assert_means(&plan.workloads[0].tree, 171e6 / 30309, 30309.0 / 4574);
    plan_release(&plan);
    make(&plan, "git");
    assert_means(&plan.workloads[1].tree, 747.0 * 1048576 / 62300, 62300.0 / 4380);
    assert_int_equal(tree_leaves(&plan.workloads[0].tree), 256);
    assert_int_equal(tree_items_in(&plan.workloads[0].tree, 255), 2);
    plan_release(&plan);
}

static void are_found_by_their_ids(void **state)
{
    (void)state;
    for (const struct profile *profile = profiles; profile->id; profile++)
        assert_ptr_equal(profile_by_id(profile->id), profile);
    assert_null(profile_by_id("Quick"));
    assert_null(profile_by_id(""));
    assert_null(profile_by_id("quick "));
}

int test_profile(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(do_what_they_are_called), cmocka_unit_test(steps_have_names_of_their_own),
        cmocka_unit_test(no_round_is_large),       cmocka_unit_test(trees_are_like_the_real_ones),
        cmocka_unit_test(are_found_by_their_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
