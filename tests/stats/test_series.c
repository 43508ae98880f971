#include "stats/series.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_series(int argc, char *argv[]);

enum { APPENDED = 20000 };

static struct interval interval_number(uint64_t n)
{
    return (struct interval){.start_ns = n * 100,
                             .end_ns = n * 100 + 99,
                             .ops = n * 3,
                             .bytes = n * 5,
                             .section = (uint32_t)n,
                             .octaves = {[SERIES_OCTAVES - 1] = (uint32_t)n * 7}};
}

static void assert_interval(const struct interval *interval, uint64_t n)
{
    if (interval->start_ns != n * 100 || interval->end_ns != n * 100 + 99 || interval->ops != n * 3 ||
        interval->bytes != n * 5 || interval->section != n || interval->octaves[SERIES_OCTAVES - 1] != n * 7)
        fail_msg("interval %llu is not what was appended", (unsigned long long)n);
}

static void intervals_never_move(void **state)
{
    (void)state;
    struct series *series = series_new();
    assert_int_equal(series_length(series), 0);
    struct interval first = interval_number(0);
    assert_true(series_append(series, &first));
    const struct interval *kept = series_at(series, 0);
    for (uint64_t n = 1; n < 3 * SERIES_CHUNK; n++) {
        struct interval interval = interval_number(n);
        assert_true(series_append(series, &interval));
    }
    assert_int_equal(series_length(series), 3 * SERIES_CHUNK);
    assert_ptr_equal(series_at(series, 0), kept);
    for (uint64_t n = 0; n < 3 * SERIES_CHUNK; n++)
        assert_interval(series_at(series, n), n);
    series_free(series);
    series_free(NULL);
}

// A full series: its length says that every chunk is used, without the 240 MB that they would take.
static void a_full_one_says_so(void **state)
{
    (void)state;
    struct series *series = series_new();
    const size_t most = (size_t)SERIES_CHUNK * SERIES_CHUNKS;
    atomic_store(&series->length, most - 1);
    struct interval interval = interval_number(1);
    assert_true(series_append(series, &interval));
    assert_interval(series_at(series, most - 1), 1);
    assert_false(series_append(series, &interval));
    assert_int_equal(series_length(series), most);
    series_free(series);
}

static void *append_all(void *argument)
{
    for (uint64_t n = 0; n < APPENDED; n++) {
        struct interval interval = interval_number(n);
        if (!series_append(argument, &interval))
            return NULL;
    }
    return argument;
}

static void is_read_while_it_grows(void **state)
{
    (void)state;
    struct series *series = series_new();
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, append_all, series), 0);
    size_t seen = 0;
    while (seen < APPENDED) {
        size_t length = series_length(series);
        assert_true(length >= seen);
        for (size_t n = seen; n < length; n++)
            assert_interval(series_at(series, n), n);
        if (length > 0)
            assert_interval(series_at(series, length / 2), length / 2);
        seen = length;
    }
    void *result = NULL;
    assert_int_equal(pthread_join(writer, &result), 0);
    assert_ptr_equal(result, series);
    series_free(series);
}

int test_series(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_never_move),
        cmocka_unit_test(a_full_one_says_so),
        cmocka_unit_test(is_read_while_it_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
