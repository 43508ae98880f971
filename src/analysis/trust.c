#include "analysis/trust.h"

#include "analysis/rule_cache.h"
#include "analysis/rule_comparison.h"
#include "analysis/rule_durability.h"
#include "analysis/rule_environment.h"
#include "analysis/rule_first_round.h"
#include "analysis/rule_harness.h"
#include "analysis/rule_order.h"
#include "analysis/rule_persistence.h"
#include "analysis/rule_sample_size.h"
#include "analysis/rule_stability.h"
#include "analysis/rule_sweep.h"

#include <string.h>

const struct rule rules[] = {
    // ---- Integrity ----
    {
        .id = "readback-mismatch",
        .detects = "bytes that aren't those that were written",
        .scope = SCOPE_DISK,
        .classes = CLASSES_ALL,
        .judge = rule_readback_mismatch,
        .verdict = VERDICT_DISCARD,
        .integrity = true,
        .messages = {"{place} read back different bytes than were written, after {workload}; {differ} of the "
                     "{blocks} blocks that were read back differ. Nothing from {disk} is reported."},
        .source = "what was written stands in each block of 4 KiB, and is compared",
    },
    {
        .id = "io-error",
        .detects = "a call that failed or fell short",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_io_error,
        .verdict = VERDICT_DISCARD,
        .integrity = true,
        .messages = {"{what} failed in {round}: {reason}. No part of it is reported.",
                     "{what} failed in {round}: {reason}. Retrying would hide it, so it was not retried.",
                     "It failed in {round}, and the document doesn't say why. No part of it is reported."},
        .source = "fsync after an error may succeed without the data (PostgreSQL wiki, Fsync Errors)",
    },

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
        .needs = {NEED_SPACE},
        .judge = rule_nearly_full,
        .verdict = VERDICT_CAVEAT,
        .messages = {"It is {full} full; many disks slow down there.",
                     "It has room for {files_free} more files, less than twice the {files} of the run."},
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
        .messages = {"{why}. There are not two tiers here, so no ratio is shown; --same-disk shows it.",
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
        .source = "CLOCK_REALTIME against CLOCK_MONOTONIC, as the kernel keeps them",
    },
    {
        .id = "time-unaccounted",
        .detects = "time outside the operations",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_time_unaccounted,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{share} of a round was not in any operation (preempted, or the loop itself).",
                     "{share} of the threads' time was not in any operation (preempted, the loop itself, or "
                     "a thread that was done before the others)."},
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
    {
        .id = "size-sweep-select",
        .detects = "which size of a write may be quoted",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_size_sweep_select,
        .verdict = VERDICT_DISCARD,
        .messages =
            {"{size} ran at {rates}, {largest} at {reported}: the small write may fit a buffer, so it "
             "isn't quoted.",
             "{size} ran at {rates}, {largest} at {reported} past the first {below}: the small write "
             "may fit a buffer, so it isn't quoted.",
             "{largest} averages {reported}, and ran at {marginal} past the first {below}: its rate is "
             "the one that may be quoted."},
        .source = "average over marginal rate between sizes (design: measuring, E2)",
    },
    {
        .id = "buffer-not-outrun",
        .detects = "a buffer in the rate of the largest write",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_buffer_not_outrun,
        .verdict = VERDICT_DISCARD,
        .messages =
            {"{largest} averages {average} but ran at {marginal} past the first {below}: the average "
             "still contains the buffer. Rate past the buffer: {marginal}.{later}",
             "{largest} ran at {marginal} past the first {below}, which is not yet level: between the "
             "sizes before it was {before}. Rate past the buffer: {marginal}.{later}",
             "{largest} averages {average} but ran at {marginal} past the first {below}: most of it is "
             "the buffer, so it isn't reported. A larger size is needed.{later}"},
        .source = "average over marginal rate between sizes (design: measuring, E2)",
    },
    {
        .id = "knee",
        .detects = "where inside a write the speed falls",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_knee,
        .verdict = VERDICT_INFO,
        .messages =
            {"Speed fell from {before} to {after} after about {place}, in {found} of {rounds} rounds."},
        .source = "two lines of least squares through time against bytes (design: measuring, E3)",
    },
    {
        .id = "fsync-does-not-wait",
        .detects = "fsync that returns while data is still unsent",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_fsync_does_not_wait,
        .verdict = VERDICT_DISCARD,
        .messages =
            {"fsync returned in {fsync}; at the disk's own rate ({rate}) the data needed {wait} more. "
             "{accepted} is the speed of handing data over to the client, not of saving it."},
        .source = "bytes over marginal rate, less the time of writing (design: measuring, E2)",
    },
    {
        .id = "durability-unprovable",
        .detects = "durability that nobody on this machine can see",
        .scope = SCOPE_DISK,
        .classes = CLASSES_WRITES,
        .needs = {NEED_MOUNT},
        .judge = rule_durability_unprovable,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Durable as far as fsync reports ({type}). Whether the bytes were on the server's "
                     "storage at that moment cannot be seen from inside; a test across a sleep shows whether "
                     "they were there later."},
        .source = "fsync(2)",
    },
    {
        .id = "upper-bound-sync",
        .detects = "a flush wider than the file",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_upper_bound_sync,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"The flush covers the whole file system, more than the file, so this is an upper bound on "
             "the time to durability.",
             "The flush covers all file systems of the machine, more than the file, so this is an "
             "upper bound on the time to durability."},
        .source = "sync(2)",
    },
    {
        .id = "sync-misses-fuse",
        .detects = "a sync that stops before a FUSE server",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .needs = {NEED_MOUNT},
        .judge = rule_sync_misses_fuse,
        .verdict = VERDICT_DISCARD,
        .messages =
            {"sync and syncfs do not reach the buffer of a FUSE server ({type}). Only fsync does, and "
             "it was not called."},
        .source = "Linux fs/fuse/inode.c, fuse_sync_fs",
    },
    {
        .id = "other-tier-flushed",
        .detects = "a sync that bills one disk for another",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_other_tier_flushed,
        .verdict = VERDICT_DISCARD,
        .messages = {"sync flushes every file system of the machine, the other disk's with them. How much of "
                     "the time was not this disk's cannot be told."},
        .source = "sync(2)",
    },
    {
        .id = "backlog-at-start",
        .detects = "data of others that was still to be written",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .needs = {NEED_ROUNDS, NEED_DRAIN},
        .judge = rule_backlog_at_start,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"{backlog} of unsaved data, of any disk of this machine, was waiting when {round} began; "
             "so it was in {count} of {rounds} rounds, of {payload} each."},
        .source = "Dirty and Writeback, proc(5)",
    },
    {
        .id = "not-durable-by-design",
        .detects = "a disk on which nothing can be made durable",
        .scope = SCOPE_DISK,
        .classes = CLASSES_WRITES,
        .needs = {NEED_MOUNT},
        .judge = rule_not_durable_by_design,
        .verdict = VERDICT_DISCARD,
        .messages = {"It is in memory ({type}). There is nothing to make durable, so no ratio of durable "
                     "writes is printed.",
                     "It is mounted with {option} ({type}): it ignores syncs. Nothing is made durable, so "
                     "no ratio of durable writes is printed."},
        .source = "tmpfs(5); overlayfs, volatile mounts (kernel documentation)",
    },
    {
        .id = "write-outruns-read",
        .detects = "writing faster than reading back",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_write_outruns_read,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"Writing ran {factor}x faster than reading back ({write} against {read}). Either reads go "
             "one small request at a time, or part of the write never left this machine."},
        .source = "arithmetic",
    },
    {
        .id = "close-carries-cost",
        .detects = "close that does the work",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .judge = rule_close_carries_cost,
        .verdict = VERDICT_INFO,
        .messages = {"{close} of {wall} was in close (medians); close is inside the timed section."},
        .source = "servers that upload at close (design: measuring, S22)",
    },
    {
        .id = "compressible-data",
        .detects = "data that compresses, or that nobody describes",
        .scope = SCOPE_RUN,
        .classes = CLASSES_WRITES | CLASS_BIT(CLASS_CREATE),
        .judge = rule_compressible_data,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"What data was written isn't known. A store that compresses or deduplicates writes almost "
             "nothing of zeros and repeats."},
        .source = "fio, refill_buffers",
    },
    {
        .id = "sparse-file",
        .detects = "a file that takes less room than its bytes",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .needs = {NEED_MOUNT},
        .judge = rule_sparse_file,
        .verdict = VERDICT_DISCARD,
        .messages = {"Only {allocated} of {bytes} is allocated."},
        .source = "st_blocks, stat(2)",
    },

    // ---- Reads and caches ----
    {
        .id = "direct-beats-cached",
        .detects = "a direct read faster than one that could use the cache",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_READS,
        .judge = rule_direct_beats_cached,
        .verdict = VERDICT_DISCARD,
        .messages = {"O_DIRECT measured about {direct} and the buffered read beside it about {buffered}: "
                     "{factor}x, in the direction a cache cannot explain. At least one is not what its name "
                     "says."},
        .source = "ranges that don't overlap",
    },
    {
        .id = "request-size-explains",
        .detects = "reads that differ only in the size of a request",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_READS,
        .judge = rule_request_size_explains,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"O_DIRECT in blocks of {direct_block} measured {direct} and the buffered read {buffered}; "
             "O_DIRECT in blocks of {probe_block}, as small as a buffered request, {probe}. The disk "
             "does not contradict itself: a request costs so much, whatever its size.",
             "Both take about as long per request: {buffered_time} for {buffered_block} when buffered, "
             "{direct_time} for {direct_block} when direct. That is a hint from the rates alone; a "
             "direct read in blocks of {buffered_block} would decide."},
        .source = "time per request (design: measuring, E1)",
    },
    {
        .id = "again-not-faster",
        .detects = "a second read that takes as long as the first",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_AGAIN_READ),
        .judge = rule_again_not_faster,
        .verdict = VERDICT_INFO,
        .messages = {"Reading the same {bytes} again ({opened}) took {again} against {cold}. A local cache "
                     "would be 10x faster or more, so these bytes are not served from one: {rate} is the "
                     "steady cost, not a first-time penalty."},
        .source = "ratio of times (design: measuring, E1)",
    },
    {
        .id = "again-from-cache",
        .detects = "a second read from memory",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_AGAIN_READ),
        .judge = rule_again_from_cache,
        .verdict = VERDICT_INFO,
        .messages = {"The second read ({opened}) came from this machine's memory: {resident} of the file was "
                     "there, and it ran {factor}x as fast as the first."},
        .source = "mincore(2)",
    },
    {
        .id = "cold-was-warm",
        .detects = "a cold read that was not cold",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_COLD_READ),
        .judge = rule_cold_was_warm,
        .verdict = VERDICT_DISCARD,
        .messages = {"{resident} of the file was still in memory before the cold read.",
                     "Files of {disk} can't be put out of memory, so there is no cold read of it.",
                     "The cold read ran at {rate}, as memory does."},
        .source = "mincore(2); posix_fadvise(2) is advice",
    },
    {
        .id = "server-cache-unknown",
        .detects = "a cache of the disk's own client",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_COLD_READ),
        .needs = {NEED_MOUNT},
        .judge = rule_server_cache_unknown,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"Re-read after eviction: the kernel's copy was dropped, but the disk's own client ({type}) "
             "may still hold one. Only a read on another machine is surely cold."},
        .source = "drop_caches does not empty a client's own cache",
    },
    {
        .id = "residency-unknown",
        .detects = "a read of which nobody knows whether it was from memory",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_READS,
        .judge = rule_residency_unknown,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Whether this file was in memory could not be checked here."},
        .source = "mincore(2)",
    },
    {
        .id = "direct-not-direct",
        .detects = "O_DIRECT that is buffered all the same",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_DIRECT_READ),
        .judge = rule_direct_not_direct,
        .verdict = VERDICT_DISCARD,
        .messages =
            {"Opened with O_DIRECT, yet the read brought {rise} of the file into the page cache: it was "
             "a buffered read under another name.",
             "{disk} is in memory ({type}): O_DIRECT is taken there and means nothing."},
        .source = "mincore(2); tmpfs takes O_DIRECT since Linux 6.6",
    },
    {
        .id = "fits-in-memory",
        .detects = "a file that may never leave memory",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_COLD_READ),
        .judge = rule_fits_in_memory,
        .verdict = VERDICT_CAVEAT,
        .messages = {"The file is {share} of free memory; without a verified eviction a fast read proves "
                     "nothing."},
        .source = "page cache, IOR tutorial",
    },
    {
        .id = "walk-cache-window",
        .detects = "a walk that is answered from memory",
        .scope = SCOPE_VALUE,
        .classes = CLASS_BIT(CLASS_WALK),
        .judge = rule_walk_cache_window,
        .verdict = VERDICT_CAVEAT,
        .messages =
            {"{now} when just looked at, {later} after {wait}. The quick one may be the client's memory of "
             "the answer.",
             "{now} when just looked at, {later} after {wait}: no client's memory shows in it."},
        .source = "attribute caches of FUSE and network clients (design: measuring, E4)",
    },

    // ---- Stability across rounds ----
    {
        .id = "first-round-differs",
        .detects = "first use, not noise",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL & ~CLASS_BIT(CLASS_PERSIST),
        .judge = rule_first_round_differs,
        .verdict = VERDICT_DISCARD,
        .messages = {"Round 1 measured {first}, rounds {from}-{to} measured {low} to {high}: identical work, "
                     "{factor}x apart, and only the first differs. Something used or flushed for the first "
                     "time can do that (a client buffer, a connection, someone else's unsaved data). Nothing "
                     "here tells which speed is the disk's, so neither is reported.",
                     "Round 1 measured {first}, rounds {from}-{to} measured {low} to {high}: identical work, "
                     "{factor}x apart, and only the first differs. {consequence}.",
                     "Round {round} measured {first}, rounds {from}-{to} measured {low} to {high}: {factor}x "
                     "apart, and only that one differs. {consequence}."},
        .source = "gap and range of the logarithms of costs; compare hyperfine's slow initial run",
    },
    {
        .id = "lone-stall",
        .detects = "one bad round that is not the first",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS},
        .judge = rule_lone_stall,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Round {round} took {factor}x the others. It is in the range; the median is unaffected.",
                     "Round {round} took {factor}x the others, and a second block of rounds did not begin "
                     "like that. It is in the range; the median is unaffected."},
        .source = "as first-round-differs; outliers are marked, not dropped (criterion.rs, pyperf)",
    },
    {
        .id = "not-repeatable",
        .detects = "scatter too wide to have one number",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_not_repeatable,
        .verdict = VERDICT_DISCARD,
        .messages = {"{rounds} identical rounds span {factor}x. There is no single number to report."},
        .source = "range over its mean in normal samples (L. H. C. Tippett, 1925), of the logarithms",
    },
    {
        .id = "wide-range",
        .detects = "wide but usable",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_wide_range,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Rounds span {factor}x. Read the range, not the median."},
        .source = "as not-repeatable; pyperf warns of extremes 50 % off",
    },
    {
        .id = "not-steady",
        .detects = "SNIA's steady state isn't met",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_not_steady,
        .verdict = VERDICT_INFO,
        .messages = {"Not steady by SNIA's definition: range {range} of the mean (limit {limit}).",
                     "Not steady by SNIA's definition: the line through the last five rounds {direction} by "
                     "{rise} of the mean (limit {limit}).",
                     "Not steady by SNIA's definition: range {range} of the mean or more (limit {limit})."},
        .source = "SNIA Solid State Storage Performance Test Specification 2.0.2, 2.1.24",
    },
    {
        .id = "drifting",
        .detects = "rounds still moving one way",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS},
        .judge = rule_drifting,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Each round was {slower} than the one before ({from} to {to}). More rounds would move "
                     "this number."},
        .source = "strictly monotone, by chance 2/n!; rise by least squares, as SNIA's",
    },
    {
        .id = "two-levels",
        .detects = "two speeds mixed",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS},
        .judge = rule_two_levels,
        .verdict = VERDICT_CAVEAT,
        .messages = {"Rounds sit at two levels: about {low} ({low_rounds} rounds) and about {high} "
                     "({high_rounds})."},
        .source = "widest gap of the sorted logarithms of costs",
    },
    {
        .id = "ramp-in-round",
        .detects = "a slow start inside a round",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_WRITES,
        .needs = {NEED_ROUNDS, NEED_MIB_TIMES},
        .judge = rule_ramp_in_round,
        .verdict = VERDICT_INFO,
        .messages =
            {"The first {first} MiB took as long as the next {next} in round {round}. So slow a start "
             "is in {seen} of {rounds} rounds."},
        .source = "rate of the first tenth against that of the middle half",
    },
    {
        .id = "self-comparison-fails",
        .detects = "differences that are not there",
        .scope = SCOPE_RATIO,
        .classes = CLASSES_ALL,
        .judge = rule_self_comparison_fails,
        .verdict = VERDICT_REFUSE,
        .messages = {"The disk differed from itself by {difference}. Differences under {difference} mean "
                     "nothing in this session.",
                     "A disk differed from itself by {difference}, and these two differ by less. That means "
                     "nothing in this session."},
        .source = "A. Abedi and T. Brecht, ICPE 2017: identical systems judged different",
    },
    {
        .id = "order-effect",
        .detects = "going first or second matters",
        .scope = SCOPE_RATIO,
        .classes = CLASSES_ALL,
        .needs = {NEED_BOTH_TIERS},
        .judge = rule_order_effect,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{disk} was {factor}x slower whenever it ran {place}. The ratio mixes that in."},
        .source = "no overlap of the rounds that ran first and second; after A. Abedi and T. Brecht, ICPE "
                  "2017",
    },

    // ---- Sample size and wording ----
    {
        .id = "round-percentile-gate",
        .detects = "a percentile of rounds, from too few",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_round_percentile_gate,
        .verdict = VERDICT_REFUSE,
        .messages = {"No p90 at n={n}: {n} rounds miss the slowest tenth altogether {missed} of the time "
                     "(0.9^{n}). Shown instead: {figures}.",
                     "No p90 at n={n}: fewer than ten rounds lie beyond it. Shown instead: {figures}.",
                     "No p90 at n=1: one round misses the slowest tenth {missed} of the time. Shown instead: "
                     "{figures}."},
        .source = "AWS CloudWatch's low-sample rule, 10/(1 - percentile)",
    },
    {
        .id = "op-percentile-gate",
        .detects = "a percentile of operations, from too few",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_op_percentile_gate,
        .verdict = VERDICT_REFUSE,
        .messages = {"{percentile} needs {needed} operations in a round; this one has {operations}. {shown}, "
                     "as the median and range of each round's own value.",
                     "{percentile} needs {needed} operations in a round; this one has {operations}. No "
                     "percentile is shown."},
        .source = "AWS CloudWatch's low-sample rule, 10/(1 - percentile)",
    },
    {
        .id = "pooled-percentile-gate",
        .detects = "rounds pooled as if their operations were independent",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_pooled_percentile_gate,
        .verdict = VERDICT_REFUSE,
        .messages = {"{operations} operations, but rounds differ from each other (ICC {icc}): worth about "
                     "{effective} independent ones. Pooled {percentile} not printed."},
        .source = "one-way analysis of variance of the logarithms; design effect (L. Kish, 1965)",
    },
    {
        .id = "tail-in-one-round",
        .detects = "a tail that belongs to one bad round",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_tail_in_one_round,
        .verdict = VERDICT_CAVEAT,
        .messages = {"{in_round} of the {slowest} slowest operations came from round {round}: most of the "
                     "tail is in that one."},
        .source = "share of one round above the p95 of all",
    },
    {
        .id = "median-coverage",
        .detects = "what min to max is worth",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .judge = rule_median_coverage,
        .verdict = VERDICT_INFO,
        .messages = {"Min to max of {n} rounds holds the true median {coverage} of the time; one more round "
                     "makes it {next_coverage}.",
                     "Min to max of {n} rounds holds the true median {coverage} of the time."},
        .source = "order statistics: 1 - 2^(1-n)",
    },
    {
        .id = "too-few-rounds",
        .detects = "stability claimed of 1 to 4 rounds",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL & ~CLASS_BIT(CLASS_PERSIST),
        .judge = rule_too_few_rounds,
        .verdict = VERDICT_CAVEAT,
        .messages = {"One observation: {observation}. No spread is known.",
                     "Two values, and the middle between them is no median: {figures}.",
                     "Few rounds, {n}: {figures}. Their range holds the true median only {coverage} of the "
                     "time."},
        .source = "T. Hoefler and R. Belli, SC 2015, rule 5",
    },
    {
        .id = "false-precision",
        .detects = "more digits than the interval supports",
        .scope = SCOPE_RATIO,
        .classes = CLASSES_ALL,
        .judge = rule_false_precision,
        .verdict = VERDICT_INFO,
        .messages = {"{words} ({interval}), not {plain}."},
        .source = "two digits of an uncertainty (GUM, 7.2.6)",
    },
    {
        .id = "service-time-only",
        .detects = "latency read as latency under load",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_service_time_only,
        .verdict = VERDICT_INFO,
        .messages = {"One operation in flight; each waits for the one before. These are service times, not "
                     "waiting times under load.",
                     "{threads} threads, each with one operation in flight that waits for the one before. "
                     "These are service times, not waiting times under load."},
        .source = "coordinated omission (G. Tene)",
    },
    {
        .id = "stall-share",
        .detects = "one stall that dominates a round",
        .scope = SCOPE_VALUE,
        .classes = CLASSES_ALL,
        .needs = {NEED_ROUNDS, NEED_OPERATIONS},
        .judge = rule_stall_share,
        .verdict = VERDICT_CAVEAT,
        .messages = {"One operation took {longest} of the {wall} of round {round}."},
        .source = "coordinated omission (G. Tene)",
    },
    {
        .id = "ratio-not-averaged",
        .detects = "an average of ratios, or one score",
        .scope = SCOPE_RUN,
        .classes = CLASSES_ALL,
        .judge = rule_ratio_not_averaged,
        .verdict = VERDICT_REFUSE,
        .messages = {"The rows measure different things. There is no overall number."},
        .source = "T. Hoefler and R. Belli, SC 2015, rule 4",
    },

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
                     "Cannot tell: with {before} against {after} rounds even complete separation happens by "
                     "luck {luck} of the time."},
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
                     "{identical} of {files} files identical after {gap}; missing: {missing}."},
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
