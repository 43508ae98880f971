#include "base/descriptor.h"

#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

int test_descriptor(int argc, char *argv[]);

enum { LENGTH = 1 << 20, SIGNALS = 50 };

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

static char byte_at(size_t i)
{
    return (char)(i % 251);
}

// Fills the pipe, so that the next write waits with nothing written. Returns how much it took.
static size_t fill(int fd)
{
    size_t taken = 0;
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    while (write(fd, "", 1) == 1)
        taken++;
    assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
    return taken;
}

// Disturbs the parent while it waits, then reads all of it. Leaves with 0 where every byte was right.
static _Noreturn void disturb_and_read(int fd, size_t filled)
{
    for (int i = 0; i < SIGNALS; i++) {
        kill(getppid(), SIGUSR1);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    size_t at = 0;
    char buffer[1000];
    bool right = true;
    for (ssize_t got; (got = read(fd, buffer, sizeof buffer)) > 0; at += (size_t)got)
        for (size_t i = 0; i < (size_t)got; i++)
            right = right && (at + i < filled ? buffer[i] == 0 : buffer[i] == byte_at(at + i - filled));
    _exit(right && at == filled + LENGTH ? 0 : 1);
}

static void writes_all_past_signals_and_in_pieces(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = count_signal}, before; // without SA_RESTART
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    char *bytes = xmalloc(LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = byte_at(i);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    size_t filled = fill(ends[1]);
    pid_t reader = fork();
    assert_true(reader >= 0);
    if (reader == 0) {
        close(ends[1]);
        disturb_and_read(ends[0], filled);
    }
    close(ends[0]);
    signals = 0;
    bool written = descriptor_write(ends[1], bytes, LENGTH);
    close(ends[1]);
    int status;
    while (waitpid(reader, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    assert_true(written);
    assert_int_equal(status, 0);
    assert_int_not_equal(signals, 0);
    free(bytes);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

static void says_why_it_cannot(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(full >= 0);
    assert_true(descriptor_write(full, "", 0));
    assert_false(descriptor_write(full, "x", 1));
    assert_int_equal(errno, ENOSPC);
    close(full);
    assert_false(descriptor_write(-1, "x", 1));
    assert_int_equal(errno, EBADF);
}

int test_descriptor(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_all_past_signals_and_in_pieces),
        cmocka_unit_test(says_why_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
