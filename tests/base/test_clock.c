#include "base/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#include <cmocka.h>

int test_clock(int argc, char *argv[]);

static void monotonic_never_goes_back(void **state)
{
    (void)state;
    uint64_t before = clock_monotonic_ns();
    for (int i = 0; i < 1000; i++) {
        uint64_t now = clock_monotonic_ns();
        assert_true(now >= before);
        before = now;
    }
}

// It counts what CLOCK_MONOTONIC counts, and the time of suspensions too.
static void boottime_is_never_less_than_monotonic(void **state)
{
    (void)state;
    uint64_t monotonic = clock_monotonic_ns(), before = clock_boottime_ns();
    assert_true(before >= monotonic);
    assert_true(clock_boottime_ns() >= before);
}

static volatile sig_atomic_t interruptions;

static void count_interruption(int signal)
{
    (void)signal;
    interruptions++;
}

// The alarm is a real signal that interrupts the sleep: it must not end early.
static void sleeps_across_signals(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = count_interruption}, old;
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    struct itimerval every = {.it_value = {.tv_usec = 5000}, .it_interval = {.tv_usec = 5000}}, never = {0};
    interruptions = 0;
    uint64_t deadline = clock_monotonic_ns() + 40 * (uint64_t)NS_PER_MS;
    assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
    clock_sleep_until(deadline);
    uint64_t woke = clock_monotonic_ns();
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
    assert_true(interruptions > 0);
    assert_true(woke >= deadline);
}

static void a_past_deadline_returns(void **state)
{
    (void)state;
    clock_sleep_until(0);
    clock_sleep_until(clock_monotonic_ns());
}

static void writes_instants(void **state)
{
    (void)state;
    char out[RFC3339_SIZE];
    clock_rfc3339(0, out);
    assert_string_equal(out, "1970-01-01T00:00:00Z");
    clock_rfc3339(UINT64_C(1796061335) * NS_PER_S + 999999999, out);
    assert_string_equal(out, "2026-11-30T17:55:35Z");
    clock_rfc3339(UINT64_C(1709210096) * NS_PER_S, out);
    assert_string_equal(out, "2024-02-29T12:34:56Z");
    clock_rfc3339(UINT64_MAX, out);
    assert_string_equal(out, "2554-07-21T23:34:33Z");
}

int test_clock(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monotonic_never_goes_back), cmocka_unit_test(boottime_is_never_less_than_monotonic),
        cmocka_unit_test(sleeps_across_signals),     cmocka_unit_test(a_past_deadline_returns),
        cmocka_unit_test(writes_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
