// record_cost.c: what it costs one worker to be measured.
//
// A recorded operation is what stands between two calls on a disk: one clock read, chained from the last, one
// record of its latency, and one word to whoever watches. It is held against an empty loop and a bare clock
// read; the three take turns, so that a slow moment of the machine meets all of them.
#include "base/clock.h"
#include "stats/lane.h"
#include "stats/progress.h"
#include "stats/summary.h"

#include <stdint.h>
#include <stdio.h>

enum { ROUNDS = 15, OPERATIONS = 2000000 };

static struct lane lane;
static struct progress progress;

// Keeps the compiler from leaving the loop out.
static inline void keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

static void empty_loop(void)
{
    for (uint64_t i = 0; i < OPERATIONS; i++)
        keep(i);
}

static void clock_read(void)
{
    for (uint64_t i = 0; i < OPERATIONS; i++)
        keep(clock_monotonic_ns());
}

static void recorded_operation(void)
{
    uint64_t before = clock_monotonic_ns();
    for (uint64_t i = 0; i < OPERATIONS; i++) {
        keep(i);
        uint64_t now = clock_monotonic_ns();
        lane_record(&lane, PHASE_OP, now - before);
        progress_set(&progress, CALL_OPENAT, i, now);
        before = now;
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} loops[] = {
    {"empty loop", empty_loop},
    {"clock read", clock_read},
    {"recorded operation", recorded_operation},
};

enum { LOOPS = sizeof loops / sizeof *loops };

int main(void)
{
    static double ns[LOOPS][ROUNDS];
    lane_init(&lane, 1u << PHASE_OP);
    for (size_t i = 0; i < LOOPS; i++)
        loops[i].run(); // once, to warm up
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < LOOPS; i++) {
            size_t loop = round % 2 ? LOOPS - 1 - i : i;
            uint64_t start = clock_monotonic_ns();
            loops[loop].run();
            ns[loop][round] = (double)(clock_monotonic_ns() - start) / OPERATIONS;
        }
    lane_release(&lane);

    printf("ns each, one thread, %d rounds of %d     median      min      max\n", ROUNDS, OPERATIONS);
    double least[LOOPS]; // what the rest of the machine disturbed least
    for (size_t i = 0; i < LOOPS; i++) {
        struct summary summary = summarize(ns[i], ROUNDS);
        least[i] = summary.min;
        printf("%-40s  %8.2f %8.2f %8.2f\n", loops[i].name, summary.median, summary.min, summary.max);
    }
    double clock = least[1] - least[0], recorded = least[2] - least[0];
    printf("recorded, less the empty loop, at best: %.1f ns, of which the clock read is %.0f %%\n", recorded,
           recorded > 0 ? 100 * clock / recorded : 0);
    return 0;
}
