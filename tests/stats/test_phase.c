#include "stats/phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_phase(int argc, char *argv[]);

// The keys of "latency" in the run document.
static void has_the_documents_names(void **state)
{
    (void)state;
    static const char *const names[] = {"op",      "open",  "read",    "write", "fsync",
                                        "dirsync", "close", "readdir", "rmdir"};
    assert_int_equal(sizeof names / sizeof *names, PHASE_COUNT);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        assert_string_equal(phase_name(phase), names[phase]);
}

int test_phase(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_the_documents_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
