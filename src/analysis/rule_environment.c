// rule_environment.c: what the machine and the mounts did to a run.
//
// The looks at the machine stand around a section and whatever is untimed in it (files evicted between two
// batches), and are set against the section's wall time: what they err by is on the careful side.
#include "analysis/rule_environment.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "spec/plan_total.h"

#include <stdlib.h>
#include <string.h>

// ---- CPU and memory ----

// The round in which something held up the most of the wall time, and that share.
struct worst {
    const struct round_facts *round; // NULL where no round tells
    double share;
};

static struct worst worst_of(const struct subject *subject,
                             bool (*share)(const struct subject *subject, const struct sample *sample,
                                           double *share))
{
    const struct tier_facts *facts = subject_facts(subject);
    struct worst worst = {0};
    for (size_t i = 0; i < facts->count; i++) {
        double found;
        if (!share(subject, facts->rounds[i].sample, &found) || (worst.round && found <= worst.share))
            continue;
        worst = (struct worst){.round = &facts->rounds[i], .share = found};
    }
    return worst;
}

static double of_wall(uint64_t ns, const struct sample *sample)
{
    return (double)ns / (double)sample->wall_ns;
}

// Of a group whose periods aren't counted, the time alone tells.
static bool throttled_share(const struct subject *subject, const struct sample *sample, double *share)
{
    (void)subject;
    const struct count *periods = &sample->system.throttled_periods;
    bool held = !periods->known || periods->value > 0;
    *share = held ? of_wall(sample->system.throttled_ns.value, sample) : 0;
    return true;
}

// cpu.stat of the control group (kernel documentation: cgroup-v2, sched-bwc). Any process of the group can be
// what was held back.
enum outcome rule_cpu_throttled(const struct subject *subject, struct answer *answer)
{
    const struct tier_facts *facts = subject_facts(subject);
    struct worst worst = worst_of(subject, throttled_share);
    if (worst.share <= subject_threshold(subject, THRESHOLD_THROTTLED_CAVEAT))
        return OUTCOME_QUIET;
    double limit = subject_threshold(subject, THRESHOLD_THROTTLED_ROUND);
    size_t marked = 0;
    for (size_t i = 0; i < facts->count; i++) {
        double share;
        marked += throttled_share(subject, facts->rounds[i].sample, &share) && share > limit;
    }
    answer_put(answer, "held", QUANTITY_NS, (double)worst.round->sample->system.throttled_ns.value);
    answer_put(answer, "wall", QUANTITY_NS, (double)worst.round->sample->wall_ns);
    answer_put(answer, "round", QUANTITY_COUNT, worst.round->round);
    answer_put(answer, "limit", QUANTITY_SHARE, limit);
    answer_put(answer, "marked", QUANTITY_COUNT, (double)marked);
    answer_put(answer, "rounds", QUANTITY_COUNT, (double)facts->count);
    bool most = 2 * marked > facts->count;
    answer->message = most ? 1 : 0;
    answer->verdict = most ? VERDICT_DISCARD : VERDICT_CAVEAT;
    return OUTCOME_FIRED;
}

// proc(5) counts steal over all CPUs, so a section has its wall time once for each of them; in ticks of 10 ms
// mostly, which tell too little of a short one.
static bool stolen_share(const struct subject *subject, const struct sample *sample, double *share)
{
    if (sample->wall_ns < NS_PER_S)
        return false;
    *share =
        of_wall(sample->system.steal_ns.value, sample) / (double)subject->facts->run->host.cpu.online.value;
    return true;
}

enum outcome rule_cpu_stolen(const struct subject *subject, struct answer *answer)
{
    const struct count *online = &subject->facts->run->host.cpu.online;
    if (!online->known || online->value == 0)
        return answer_lacks(answer, "how many CPUs the machine has isn't known");
    struct worst worst = worst_of(subject, stolen_share);
    if (!worst.round)
        return answer_lacks(answer, "no round took a second: steal is counted in ticks of 10 ms");
    if (worst.share <= subject_threshold(subject, THRESHOLD_STOLEN_SHARE))
        return OUTCOME_QUIET;
    answer_put(answer, "share", QUANTITY_SHARE, worst.share);
    answer_put(answer, "stolen", QUANTITY_NS, (double)worst.round->sample->system.steal_ns.value);
    answer_put(answer, "cpus", QUANTITY_COUNT, (double)online->value);
    answer_put(answer, "round", QUANTITY_COUNT, worst.round->round);
    return OUTCOME_FIRED;
}

static bool pressure_share(const struct subject *subject, const struct sample *sample, double *share)
{
    (void)subject;
    *share = of_wall(sample->system.memory_pressure_ns.value, sample);
    return sample->system.memory_pressure_ns.known;
}

// Pressure stall information, and memory.events (kernel documentation: psi, cgroup-v2).
enum outcome rule_memory_pressure(const struct subject *subject, struct answer *answer)
{
    enum { WAITED, ONE_HIT, HITS };
    const struct tier_facts *facts = subject_facts(subject);
    double times = 0;
    for (size_t i = 0; i < facts->count; i++)
        times += (double)facts->rounds[i].sample->system.memory_events.value;
    struct worst worst = worst_of(subject, pressure_share);
    bool waited = worst.share > subject_threshold(subject, THRESHOLD_MEMORY_PRESSURE);
    if (times == 0 && !waited)
        return OUTCOME_QUIET;
    if (times > 0)
        answer_put(answer, "times", QUANTITY_COUNT, times);
    if (waited) {
        answer_put(answer, "waited", QUANTITY_NS,
                   (double)worst.round->sample->system.memory_pressure_ns.value);
        answer_put(answer, "wall", QUANTITY_NS, (double)worst.round->sample->wall_ns);
        answer_put(answer, "round", QUANTITY_COUNT, worst.round->round);
    }
    answer->message = times == 0 ? WAITED : times > 1 ? HITS : ONE_HIT;
    return OUTCOME_FIRED;
}

enum outcome rule_io_pressure_foreign(const struct subject *subject, struct answer *answer)
{
    const struct calibration *calibration = &subject->facts->run->calibration;
    double share = (double)calibration->idle_io_pressure_ns.value / (double)calibration->idle_ns.value;
    if (share <= subject_threshold(subject, THRESHOLD_IO_PRESSURE))
        return OUTCOME_QUIET;
    answer_put(answer, "share", QUANTITY_SHARE, share);
    answer_put(answer, "idle", QUANTITY_NS, (double)calibration->idle_ns.value);
    return OUTCOME_FIRED;
}

// ---- The disks ----

// 0 files free is what file systems say that don't count them.
enum outcome rule_nearly_full(const struct subject *subject, struct answer *answer)
{
    const struct run_tier *tier = subject_tier(subject);
    double left = (double)tier->free_bytes / (double)tier->total_bytes;
    if (left < subject_threshold(subject, THRESHOLD_FREE_SHARE)) {
        answer_put(answer, "full", QUANTITY_SHARE, 1 - left);
        answer_put(answer, "free", QUANTITY_BYTES, (double)tier->free_bytes);
        return OUTCOME_FIRED;
    }
    if (tier->files_free == 0)
        return answer_lacks(answer, "how many files the disk has room for isn't known");
    uint64_t files = plan_total(&subject->facts->run->plan).most_files;
    if ((double)tier->files_free >= 2 * (double)files)
        return OUTCOME_QUIET;
    answer_put(answer, "files_free", QUANTITY_COUNT, (double)tier->files_free);
    answer_put(answer, "files", QUANTITY_COUNT, (double)files);
    answer->message = 1;
    return OUTCOME_FIRED;
}

enum outcome rule_age_unknown(const struct subject *subject, struct answer *answer)
{
    const struct run *run = subject->facts->run;
    unsigned disks = 0;
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        disks += !run->tiers[tier].null;
    if (disks == 0)
        return OUTCOME_QUIET;
    answer->message = disks > 1 ? 1 : 0;
    return OUTCOME_FIRED;
}

// What an overlay keeps its files on can be out of sight.
static bool is_seen(const struct run_tier *tier)
{
    const char *type = tier->mount.type;
    return type && (strcmp(type, "overlay") != 0 || tier->device.upper_device);
}

enum outcome rule_same_storage(const struct subject *subject, struct answer *answer)
{
    const struct run *run = subject->facts->run;
    if (run->tier_count < 2 || run->tiers[0].null || run->tiers[1].null)
        return OUTCOME_QUIET;
    if (!run->shared_why) {
        bool seen = is_seen(&run->tiers[0]) && is_seen(&run->tiers[1]);
        return seen ? OUTCOME_QUIET : answer_lacks(answer, "what both disks lie on can't be seen");
    }
    struct text why = {0};
    text_puts(&why, run->shared_why);
    if (why.length > 0 && why.bytes[why.length - 1] == '.')
        why.bytes[--why.length] = '\0';
    answer_put_text(answer, "why", text_string(&why));
    text_free(&why);
    if (run->plan.same_disk) {
        answer->verdict = VERDICT_CAVEAT;
        answer->message = 1;
    } else {
        answer->statistic = "ratio";
    }
    return OUTCOME_FIRED;
}

// ---- Mounts ----

// Options that mean another measurement, or may (mount(8), mount.fuse(8), ext4(5), overlayfs). `also` is
// another way to write the same.
static const struct mount_option {
    const char *name;
    const char *also;
    const char *means;
    enum verdict verdict;
} mount_options[] = {
    {"sync", NULL, "every write waits for the disk", VERDICT_CAVEAT},
    {"dirsync", NULL, "every change of a directory waits for the disk", VERDICT_CAVEAT},
    {"strictatime", NULL, "every read also writes", VERDICT_CAVEAT},
    {"nobarrier", "barrier=0", "a flush doesn't reach the disk's own cache", VERDICT_CAVEAT},
    {"data=journal", NULL, "data is written twice, to the journal first", VERDICT_CAVEAT},
    {"data=writeback", NULL, "data may be written after the metadata that names it", VERDICT_CAVEAT},
    {"volatile", "fsync=volatile", "syncs are left out", VERDICT_CAVEAT},
    {"noatime", NULL, "a read notes no access time", VERDICT_INFO},
    {"discard", NULL, "a delete also tells the device which blocks are free", VERDICT_INFO},
    {"max_read", NULL, "the bytes of the largest read request", VERDICT_INFO},
    {"direct_io", NULL, "reads and writes pass the page cache by", VERDICT_INFO},
};

// The kernel doesn't write strictatime: it is where neither of the others stands.
static bool is_strict(const struct mount *mount)
{
    size_t length;
    return mount->options && !mount_find_option(mount->options, "relatime", &length) &&
           !mount_find_option(mount->options, "noatime", &length);
}

static const char *option_of(const struct mount *mount, const struct mount_option *option, size_t *length)
{
    const char *const lists[] = {mount->options, mount->super_options};
    const char *const names[] = {option->name, option->also};
    for (size_t i = 0; i < 4; i++) {
        const char *found = names[i / 2] ? mount_find_option(lists[i % 2], names[i / 2], length) : NULL;
        if (found)
            return found;
    }
    if (strcmp(option->name, "strictatime") != 0 || !is_strict(mount))
        return NULL;
    *length = strlen(option->name);
    return option->name;
}

// Whether both have the same name with another value: max_read=131072 and max_read=1048576.
static bool values_differ(const struct mount_option *option, const char *const found[RUN_TIERS_MOST],
                          const size_t length[RUN_TIERS_MOST])
{
    size_t name = strlen(option->name);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
        if (length[tier] <= name || strncmp(found[tier], option->name, name) != 0)
            return false; // no value, or the other way to write it
    return length[0] != length[1] || strncmp(found[0], found[1], length[0]) != 0;
}

// Appends an option that one tier has and the other doesn't, "A persistent is mounted noatime (…)", or that
// has another value there: "A persistent is mounted max_read=131072, the other max_read=1048576 (…)".
static bool put_difference(const struct run *run, const struct mount_option *option, struct text *text)
{
    const char *found[RUN_TIERS_MOST];
    size_t length[RUN_TIERS_MOST];
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
        found[tier] = option_of(&run->tiers[tier].mount, option, &length[tier]);
    bool both = found[0] && found[1];
    if ((!found[0] && !found[1]) || (both && !values_differ(option, found, length)))
        return false;
    unsigned tier = found[0] ? 0 : 1;
    text_puts(text, text->length > 0 ? "; " : "");
    run_put_tier(run, tier, text);
    text_printf(text, " is mounted %.*s", (int)length[tier], found[tier]);
    if (both)
        text_printf(text, ", the other %.*s", (int)length[1], found[1]);
    text_printf(text, " (%s)", option->means);
    return true;
}

enum outcome rule_mount_differs(const struct subject *subject, struct answer *answer)
{
    const struct run *run = subject->facts->run;
    if (run->tier_count < 2 || run->tiers[0].null || run->tiers[1].null)
        return OUTCOME_QUIET;
    if (!need_is_met(NEED_BOTH_MOUNTS, subject))
        return answer_lacks(answer, "%s", need_words(NEED_BOTH_MOUNTS));
    struct text differences = {0};
    enum verdict verdict = VERDICT_INFO;
    for (size_t i = 0; i < sizeof mount_options / sizeof *mount_options; i++)
        if (put_difference(run, &mount_options[i], &differences) && mount_options[i].verdict > verdict)
            verdict = mount_options[i].verdict;
    bool fired = differences.length > 0;
    answer->verdict = verdict;
    if (fired)
        answer_put_text(answer, "differences", text_string(&differences));
    text_free(&differences);
    return fired ? OUTCOME_FIRED : OUTCOME_QUIET;
}
