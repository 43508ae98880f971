// opening.c: before the first section.
#include "engine/opening.h"

#include "engine/block.h"
#include "engine/calibrate.h"
#include "engine/probe.h"
#include "engine/system.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#define IDLE_SLICE_NS (UINT64_C(50) * NS_PER_MS)

static bool stopping(void *argument)
{
    struct engine *engine = argument;
    pthread_mutex_lock(&engine->lock);
    bool is = engine->stopping;
    pthread_mutex_unlock(&engine->lock);
    return is;
}

static bool make_scratches(struct engine *engine, struct error *error)
{
    struct run *run = engine->setup.run;
    for (unsigned i = 0; i < run->tier_count && !stopping(engine); i++)
        if (!tier_make_scratch(&engine->tiers[i], run->id, error))
            return fail_context(error, "%s", run->tiers[i].path);
    return true;
}

static void probe_tiers(struct engine *engine)
{
    struct run *run = engine->setup.run;
    for (unsigned i = 0; i < run->tier_count && !stopping(engine); i++) {
        struct tier *tier = &engine->tiers[i];
        if (tier->null)
            continue;
        struct capability supports = {0};
        struct probes probes = {0};
        tier_call_begin(tier, CALL_OPENAT);
        probe_disk(tier_dirfd(tier), &run->tiers[i].mount, &supports, &probes);
        tier_call_end(tier);
        pthread_mutex_lock(&engine->run_lock);
        run->tiers[i].supports = supports;
        run->tiers[i].probes = probes;
        pthread_mutex_unlock(&engine->run_lock);
    }
}

static bool any_disk(const struct run *run)
{
    bool any = false;
    for (unsigned i = 0; i < run->tier_count; i++)
        any = any || !run->tiers[i].null;
    return any;
}

// How busy others keep the machine: nothing is asked of it meanwhile. Nothing is noted of a time cut short.
static void leave_alone(struct engine *engine, struct calibration *calibration)
{
    if (engine->setup.idle_ns == 0 || !any_disk(engine->setup.run))
        return;
    struct system_look before, after;
    struct system_use use;
    system_watch_look(&engine->system, 0, 0, &before);
    uint64_t end_ns = clock_monotonic_ns() + engine->setup.idle_ns, now_ns;
    while ((now_ns = clock_monotonic_ns()) < end_ns && !stopping(engine))
        clock_sleep_until(end_ns - now_ns > IDLE_SLICE_NS ? now_ns + IDLE_SLICE_NS : end_ns);
    if (now_ns < end_ns)
        return;
    system_watch_look(&engine->system, 0, 0, &after);
    system_use_between(&before, &after, &use);
    calibration->idle_ns = known_count(after.monotonic_ns - before.monotonic_ns);
    calibration->idle_io_pressure_ns = use.io_pressure_ns;
}

static void calibrate(struct engine *engine)
{
    struct run *run = engine->setup.run;
    struct calibration calibration = {0};
    calibrate_clock(&calibration);
    calibrate_stamps(&calibration);
    calibrate_workloads(&engine->tiers[0], &run->plan, &calibration, stopping, engine);
    leave_alone(engine, &calibration);
    memcpy(calibration.self, run->calibration.self, sizeof calibration.self); // known before
    pthread_mutex_lock(&engine->run_lock);
    run->calibration = calibration;
    run->host.clock.read_ns = calibration.clock_read_ns;
    run->host.clock.resolution_ns = calibration.clock_step_ns;
    pthread_mutex_unlock(&engine->run_lock);
}

// The block device that a tier's data ends on, as far as the kernel tells.
static void find_devices(struct engine *engine)
{
    const struct run *run = engine->setup.run;
    for (unsigned i = 0; i < run->tier_count; i++) {
        const struct run_tier *tier = &run->tiers[i];
        unsigned major, minor;
        if (tier->device.upper_device && sscanf(tier->device.upper_device, "%u:%u", &major, &minor) == 2)
            engine->devices[i] = makedev(major, minor);
        else
            engine->devices[i] = block_of_mount("", &tier->mount);
    }
}

bool opening_do(struct engine *engine, struct error *error)
{
    if (!make_scratches(engine, error))
        return false;
    find_devices(engine);
    probe_tiers(engine);
    calibrate(engine);
    return true;
}
