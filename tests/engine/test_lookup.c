#include "engine/lookup.h"

#include "base/clock.h"
#include "base/xalloc.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

int test_lookup(int argc, char *argv[]);

// A question to something that hangs until it is told.
static sem_t told, begun, discarded;

struct answer {
    int number;
    bool hangs;
};

static void look(void *argument)
{
    struct answer *answer = argument;
    sem_post(&begun);
    while (answer->hangs && sem_wait(&told) != 0)
        ; // EINTR
    answer->number = 42;
}

static void discard(void *argument)
{
    struct answer *answer = argument;
    assert_int_equal(answer->number, 42); // the thread is done with it
    free(answer);
    sem_post(&discarded);
}

static struct answer *ask(bool hangs)
{
    struct answer *answer = xcalloc(1, sizeof *answer);
    answer->hangs = hangs;
    return answer;
}

static int value_of(sem_t *semaphore)
{
    int value;
    assert_int_equal(sem_getvalue(semaphore, &value), 0);
    return value;
}

static int setup(void **state)
{
    (void)state;
    return sem_init(&told, 0, 0) || sem_init(&begun, 0, 0) || sem_init(&discarded, 0, 0);
}

static int teardown(void **state)
{
    (void)state;
    return sem_destroy(&told) || sem_destroy(&begun) || sem_destroy(&discarded);
}

static void an_answer_in_time_is_the_callers(void **state)
{
    (void)state;
    struct answer *answer = ask(false);
    assert_true(lookup_run(look, discard, answer, UINT64_MAX)); // however long it takes
    assert_int_equal(answer->number, 42);
    assert_int_equal(value_of(&discarded), 0);
    free(answer);
}

static void a_late_answer_is_given_up_on_and_frees_itself(void **state)
{
    (void)state;
    assert_false(lookup_run(look, discard, ask(true), NS_PER_MS));
    assert_int_equal(value_of(&discarded), 0);
    sem_post(&told);
    while (sem_wait(&discarded) != 0)
        ;
}

static void late_ones_do_not_hold_up_others(void **state)
{
    (void)state;
    enum { LATE = 5 };
    for (int i = 0; i < LATE; i++)
        assert_false(lookup_run(look, discard, ask(true), 0));
    struct answer *answer = ask(false);
    assert_true(lookup_run(look, discard, answer, UINT64_MAX));
    free(answer);
    for (int i = 0; i < LATE; i++)
        sem_post(&told);
    for (int i = 0; i < LATE; i++)
        while (sem_wait(&discarded) != 0)
            ;
    assert_int_equal(value_of(&begun), LATE + 1);
}

int test_lookup(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(an_answer_in_time_is_the_callers),
        TEST(a_late_answer_is_given_up_on_and_frees_itself),
        TEST(late_ones_do_not_hold_up_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
