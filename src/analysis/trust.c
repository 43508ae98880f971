// trust.c: the table of rules (design: measuring, 1.2; the formulas and their sources stand with each rule).
//
// The order is the one in which they are asked: integrity, environment, harness, durability and caches,
// stability, sample size, comparison. Each function is in the file of its family.
#include "analysis/rule.h"
#include "analysis/rule_comparison.h"
#include "analysis/rule_environment.h"
#include "analysis/rule_harness.h"
#include "analysis/rule_persistence.h"

#include <string.h>

const struct rule rules[] = {
    // ---- Integrity ----

    // ---- Environment ----
    {
        .id = "cpu-throttled",
        .detects = "the control group's CPU quota held the program back",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_THROTTLING},
        .judge = rule_cpu_throttled,
        .verdict = VERDICT_DISCARD,
        .messages = {"The CPU quota held the control group back for {held} of {wall} in round {round}.",
                     "The CPU quota held the control group back for more than {limit} of the time in "
                     "{marked} of {rounds} rounds, the most for {held} of {wall}."},
        .source = "cpu.stat of control groups (kernel documentation, cgroup-v2)",
    },
    {
        .id = "cpu-stolen",
        .detects = "the hypervisor gave the CPU to others",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_STEAL},
        .judge = rule_cpu_stolen,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{share} of CPU time went to other machines in round {round}."},
        .source = "steal time, proc(5)",
    },
    {
        .id = "memory-pressure",
        .detects = "memory was short while it was measured",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_MEMORY},
        .judge = rule_memory_pressure,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Something waited for memory for {waited} of {wall} in round {round}.",
                     "The control group hit its memory limit once.",
                     "The control group hit its memory limit {times} times."},
        .source = "pressure stall information and memory.events (kernel documentation, psi, cgroup-v2)",
    },
    {
        .id = "io-pressure-foreign",
        .detects = "somebody else's I/O",
        .scope = SCOPE_RUN,
        .classes = CLASSES_ALL,
        .needs = {NEED_IO_PRESSURE},
        .judge = rule_io_pressure_foreign,
        .verdict = VERDICT_CAVEAT,
        .messages = {"The disk queue was already busy before the run began: something waited for I/O for "
                     "{share} of {idle} in which the machine was left alone."},
        .source = "pressure stall information (kernel documentation, psi)",
    },
    {
        .id = "nearly-full",
        .detects = "a disk with little room left",
        .scope = SCOPE_DISK,
        .classes = CLASSES_ALL,
        .judge = rule_nearly_full,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{disk} is {full} full; many disks slow down there.",
                     "{disk} has room for {files_free} more files, less than twice the {files} of the run."},
        .source = "common practice",
    },
    {
        .id = "age-unknown",
        .detects = "a fresh file system is faster than an old one",
        .scope = SCOPE_RUN,
        .classes = CLASSES_ALL,
        .judge = rule_age_unknown,
        .verdict = VERDICT_INFO,
        .messages = {"Measured on this disk as it is today; age and fragmentation change these numbers.",
                     "Measured on these disks as they are today; age and fragmentation change these "
                     "numbers."},
        .source = "studies of aged file systems, which were up to 80 % slower",
    },
    {
        .id = "same-storage",
        .detects = "both tiers on one disk",
        .scope = SCOPE_RUN,
        .classes = CLASSES_ALL,
        .judge = rule_same_storage,
        .verdict = VERDICT_REFUSE,
        .messages = {"{why}. There are not two tiers here.",
                     "{why}. The ratios compare one disk with itself."},
        .source = "devices and layers of both mounts",
    },
    {
        .id = "mount-differs",
        .detects = "a mount option that one tier has and the other hasn't",
        .scope = SCOPE_RUN,
        .classes = CLASSES_ALL,
        .judge = rule_mount_differs,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{differences}."},
        .source = "mount(8), ext4(5), mount.fuse3(8), the kernel's documentation of overlayfs",
    },

    // ---- Harness ----
    {
        .id = "overhead-floor",
        .detects = "the program itself is what is timed",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_CALIBRATION},
        .judge = rule_overhead_floor,
        .verdict = VERDICT_DISCARD,
        .messages = {"The loop itself costs {loop} of this {batch}.",
                     "There is no disk here: {batch} is what the loop itself costs."},
        .source = "the same loop with calls that do nothing; hyperfine warns below 5 ms",
    },
    {
        .id = "too-short",
        .detects = "a round too short to time",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_too_short,
        .verdict = VERDICT_DISCARD,
        .messages = {"A round lasted {wall}. Raise the file count.",
                     "A round lasted {wall}: too short to time well.",
                     "A round lasted {wall}, which is {steps} steps of the clock."},
        .source = "hyperfine (5 ms) and pyperf (1 ms)",
    },
    {
        .id = "short-run",
        .detects = "writes too short to use up caches and burst credit",
        .scope = SCOPE_RUN,
        .classes = CLASSES_WRITES,
        .judge = rule_short_run,
        .verdict = VERDICT_INFO,
        .messages = {"The longest write lasted {wall}. IO500 asks for 300 s; quotas that refill may not have "
                     "shown."},
        .source = "IO500's rules",
    },
    {
        .id = "clock-stepped",
        .detects = "the wall clock was set",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_CLOCK_DRIFT},
        .judge = rule_clock_stepped,
        .verdict = VERDICT_INFO,
        .messages = {"The machine's clock was adjusted by {step} during round {round}. Times here are of a "
                     "clock that isn't."},
        .source = "CLOCK_REALTIME against CLOCK_MONOTONIC, clock_gettime(2)",
    },
    {
        .id = "time-unaccounted",
        .detects = "time outside the operations",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_time_unaccounted,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{share} of a round was not in any operation (preempted, the loop itself, or threads "
                     "that had ended before the last)."},
        .source = "the sum of all latencies against the wall time",
    },
    {
        .id = "output-on-tier",
        .detects = "the result file on a disk that is measured",
        .scope = SCOPE_DISK,
        .classes = CLASSES_ALL,
        .judge = rule_output_on_tier,
        .verdict = VERDICT_INFO,
        .messages =
            {"The result file is on the disk being measured ({disk}). It is written between sections, "
             "and what is unsaved is drained before the next begins."},
        .source = "the device of the result file",
    },
    {
        .id = "unit-unclear",
        .detects = "MB mixed with MiB",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES | CLASSES_READS | CLASS_BIT(CLASS_PERSIST),
        .judge = rule_unit_unclear,
        .verdict = VERDICT_DISCARD,
        .messages = {"{size} in {wall} is {mib} MiB/s or {mb} MB/s. The source prints {printed} '{unit}': it "
                     "means MiB/s.",
                     "{size} in {wall} is {mib} MiB/s or {mb} MB/s. The source prints {printed} '{unit}': it "
                     "means MB/s.",
                     "{size} in {wall} is {mib} MiB/s or {mb} MB/s. The source prints {printed} '{unit}', "
                     "which is neither."},
        .source = "dd(1): MB is 10^6 bytes, M is 2^20",
    },
    {
        .id = "screen-perturbs",
        .detects = "drawing the screen slows the run",
        .scope = SCOPE_RUN,
        .classes = CLASSES_ALL,
        .judge = rule_screen_perturbs,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Drawing the screen cost {share}."},
        .source = "the same with and without the screen",
    },

    // ---- Writes and durability ----

    // ---- Reads and caches ----

    // ---- Stability across rounds ----

    // ---- Sample size and wording ----

    // ---- Comparison of the tiers ----
    // Also of a change between two runs, with subject.change.
    {
        .id = "contradicts-bound",
        .detects = "a difference no greater than that of a disk to itself",
        .scope = SCOPE_RATIO,
        .classes = CLASSES_ALL,
        .judge = rule_contradicts_bound,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Within what this machine shows between two identical runs: {low} to {high} overlaps "
                     "{self_low} to {self_high}."},
        .source = "studies in which identical systems were judged to differ",
    },

    // ---- Comparison of runs ----
    {
        .id = "cannot-tell-n",
        .detects = "too few rounds for any test",
        .scope = SCOPE_CHANGE,
        .classes = CLASSES_ALL,
        .judge = rule_cannot_tell_n,
        .verdict = VERDICT_REFUSE,
        .messages = {"Cannot tell: with {before} rounds a side even complete separation happens by luck "
                     "{luck} of the time.",
                     "Cannot tell: with {before} rounds before and {after} after, even complete separation "
                     "happens by luck {luck} of the time.",
                     "Cannot tell: {rows} metrics at once need {needed} rounds a side."},
        .source = "Mann and Whitney's test: the least p is 2 / C(n1 + n2, n1)",
    },
    {
        .id = "many-comparisons",
        .detects = "luck across many rows",
        .scope = SCOPE_CHANGE,
        .classes = CLASSES_ALL,
        .judge = rule_many_comparisons,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Would be '{word}' alone; across {rows} rows it is within luck."},
        .source = "S. Holm, 1979",
    },
    {
        .id = "both-tiers-moved",
        .detects = "the machine changed, not the disk",
        .scope = SCOPE_CHANGE,
        .classes = CLASSES_ALL,
        .judge = rule_both_tiers_moved,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Both tiers slowed by about {moved}. The cost of the one relative to the other did not "
                     "change ({factor}, {low} to {high}).",
                     "Both tiers sped up by about {moved}. The cost of the one relative to the other did not "
                     "change ({factor}, {low} to {high})."},
        .source = "the test on the ratio of both tiers by round, the other tier being the control",
    },
    {
        .id = "one-session-a-side",
        .detects = "rounds that share their sitting",
        .scope = SCOPE_CHANGE,
        .classes = CLASSES_ALL,
        .judge = rule_one_session_a_side,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"This compares two sittings. It does not show that the disk changed between them.",
             "Sittings compared: {before} before, {after} after. Fewer than 3 a side do not show that "
             "the disk changed between them."},
        .source = "measurements are to be repeated at the level where they vary",
    },
    {
        .id = "machine-changed",
        .detects = "another machine, kernel, mount or version",
        .scope = SCOPE_CHANGE,
        .classes = CLASSES_ALL,
        .judge = rule_machine_changed,
        .verdict = VERDICT_REFUSE,
        .messages = {"The second run differs from the first in more than time: {what}.",
                     "The workload is defined differently in the two runs, so they aren't compared."},
        .source = "what each run knows of its machine, mounts and tool",
    },

    // ---- What outlives the machine ----
    {
        .id = "woke-same-machine",
        .detects = "persistence claimed without a new machine",
        .scope = SCOPE_WAKE,
        .classes = CLASS_BIT(CLASS_PERSIST),
        .judge = rule_woke_same_machine,
        .verdict = VERDICT_REFUSE,
        .messages = {"The machine never changed, so this does not show the disk outlives it.",
                     "The boot id is the same, but the machine has been up for {uptime} and {gap} went by: "
                     "this alone does not show the disk outlives it.",
                     "The boot id is another and the machine id is the same: a restart of one machine looks "
                     "like this too."},
        .source = "boot ids before and after, random(4)",
    },
    {
        .id = "persist-hash",
        .detects = "bytes that changed while the machine was away",
        .scope = SCOPE_WAKE,
        .classes = CLASS_BIT(CLASS_PERSIST),
        .judge = rule_persist_hash,
        .verdict = VERDICT_DISCARD,
        .integrity = true,
        .messages = {"{identical} of {files} files identical after {gap}, on another machine.",
                     "{identical} of {files} files identical after {gap}.",
                     "Only {identical} of {files} files are identical after {gap}; {missing} are missing."},
        .source = "size, SHA-256 and MD5 of every file",
    },
    {
        .id = "wake-single",
        .detects = "too few cold reads after a wake",
        .scope = SCOPE_WAKE,
        .classes = CLASS_BIT(CLASS_PERSIST),
        .judge = rule_wake_single,
        .verdict = VERDICT_CAVEAT,
        .messages = {"One cold file. Write six and each wake gives six cold reads.",
                     "{files} cold files. Write six and each wake gives six cold reads."},
        .source = "a file is cold once after a wake",
    },

    {.id = NULL},
};

const struct rule *rule_by_id(const char *id)
{
    for (const struct rule *rule = rules; rule->id; rule++)
        if (strcmp(rule->id, id) == 0)
            return rule;
    return NULL;
}
