#include "engine/calibrate.h"

#include "base/clock.h"
#include "base/units.h"
#include "engine/payload.h"
#include "engine/section.h"
#include "engine/tier.h"

#include <stdlib.h>

enum { REPEATS_MOST = 101 };

// Of workloads, each up to WORKLOAD_REPEATS times while there is time for more; all are done once.
enum { WORKLOAD_REPEATS = 5 };
#define WORKLOAD_NS_MOST    (UINT64_C(300) * NS_PER_MS)
#define WORKLOADS_NS_MOST   (UINT64_C(1) * NS_PER_S)
#define WORKLOAD_BYTES_MOST (1024 * MIB)

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median(uint64_t times[], size_t count)
{
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

// ---- The clock ----

void calibrate_clock(struct calibration *calibration)
{
    enum { READS = 100 };
    uint64_t times[REPEATS_MOST], least_ns = UINT64_MAX;
    for (size_t i = 0; i < REPEATS_MOST; i++) {
        uint64_t start_ns = clock_monotonic_ns(), before_ns = start_ns;
        for (unsigned k = 0; k < READS; k++) {
            uint64_t now_ns = clock_monotonic_ns(), step_ns = now_ns - before_ns;
            if (step_ns > 0 && step_ns < least_ns)
                least_ns = step_ns;
            before_ns = now_ns;
        }
        times[i] = (before_ns - start_ns) / READS;
    }
    calibration->clock_read_ns = known_count(median(times, REPEATS_MOST));
    if (least_ns < UINT64_MAX)
        calibration->clock_step_ns = known_count(least_ns);
}

// ---- Stamps ----

static uint64_t time_stamping(struct payload *payload, const struct content *content)
{
    uint64_t start_ns = clock_monotonic_ns();
    for (uint64_t offset = 0; offset < content->size; offset += content->chunk)
        payload_stamp(payload, content, offset);
    return clock_monotonic_ns() - start_ns;
}

static uint64_t time_checking(const struct payload *payload, const struct content *content)
{
    uint64_t start_ns = clock_monotonic_ns();
    if (payload_check_stamps(payload, content, 0, payload->bytes, content->size) != content->size)
        abort(); // they were made a moment ago
    return clock_monotonic_ns() - start_ns;
}

void calibrate_stamps(struct calibration *calibration)
{
    struct payload payload;
    payload_init(&payload, MIB, 1);
    struct content content = content_sequential(&payload, content_file(1, 0, 0), PAYLOAD_BLOCK, MIB);
    uint64_t stamping[REPEATS_MOST], checking[REPEATS_MOST];
    for (size_t i = 0; i < REPEATS_MOST; i++) {
        stamping[i] = time_stamping(&payload, &content);
        checking[i] = time_checking(&payload, &content);
    }
    payload_release(&payload);
    calibration->stamp_ns = known_count(median(stamping, REPEATS_MOST));
    calibration->check_stamp_ns = known_count(median(checking, REPEATS_MOST));
}

// ---- Workloads ----

// The loop costs the same for each block, so that a very large file tells no more than its beginning.
static struct workload shortened(const struct workload *workload)
{
    struct workload shorter = *workload;
    uint64_t turn = workload->block_bytes * workload->threads;
    if (!workload_on_tree(workload) && workload->bytes > WORKLOAD_BYTES_MOST && turn > 0)
        shorter.bytes = WORKLOAD_BYTES_MOST > turn ? WORKLOAD_BYTES_MOST / turn * turn : turn;
    return shorter;
}

// One batch, with what it needs around it. False where it couldn't be done as a whole.
static bool time_batch(struct tier *tier, const struct workload *workload, uint64_t *wall_ns)
{
    const struct work *work = work_of(workload->kind);
    _Atomic unsigned activity = 0;
    struct task task = {
        .tier = tier, .workload = workload, .batches = 1, .making = 1, .layout = 2, .activity = &activity};
    struct sample sample = {0};
    tier_clear(tier);
    bool whole = work->prepare(&task);
    if (whole) {
        tier_clear(tier);
        whole = section_do_batches(&task, &sample);
    }
    if (work->settle)
        whole = work->settle(&task, whole) && whole;
    *wall_ns = sample.wall_ns;
    sample_release(&sample);
    return whole;
}

static void time_workload(struct tier *tier, const struct workload *workload, uint64_t end_ns,
                          struct loop_overhead *overhead)
{
    uint64_t times[WORKLOAD_REPEATS];
    size_t count = 0;
    while (count < WORKLOAD_REPEATS && time_batch(tier, workload, &times[count])) {
        count++;
        if (clock_monotonic_ns() >= end_ns)
            break;
    }
    if (count == 0)
        return;
    overhead->wall_ns = known_count(median(times, count));
    overhead->ops = workload_ops(workload);
}

// What a tier's calls go to, for a while.
static void redirect(struct tier *tier, const struct io_calls *calls, bool null)
{
    tier->null = null;
    tier->io.calls = calls;
    for (unsigned i = 0; i < tier->crew.size; i++)
        tier->crew.workers[i].io.calls = calls;
}

void calibrate_workloads(struct tier *tier, const struct plan *plan, struct calibration *calibration,
                         bool (*stopping)(void *argument), void *argument)
{
    const struct io_calls *calls = tier->io.calls;
    bool null = tier->null;
    redirect(tier, &io_null, true);
    uint64_t all_end_ns = clock_monotonic_ns() + WORKLOADS_NS_MOST;
    for (size_t i = 0; i < plan->workload_count && !stopping(argument); i++) {
        if (plan->workloads[i].follow_up)
            continue;
        uint64_t end_ns = clock_monotonic_ns() + WORKLOAD_NS_MOST;
        if (end_ns > all_end_ns)
            end_ns = all_end_ns;
        struct workload workload = shortened(&plan->workloads[i]);
        time_workload(tier, &workload, end_ns, &calibration->overhead[i]);
    }
    redirect(tier, calls, null);
    tier->trees = (struct trees){0};
    tier->files = (struct files){0};
    tier_clear(tier);
}
