// expect.h: what a rule should answer (ask.h), for tests with cmocka.
#pragma once

#include "analysis/ask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void expect_at(struct asked_answer answer, enum outcome outcome, enum verdict verdict,
                             const char *sentence, const char *file, int line)
{
    _assert_string_equal(answer.sentence, sentence, file, line);
    _assert_int_equal(answer.outcome, outcome, file, line);
    if (outcome == OUTCOME_FIRED)
        _assert_int_equal(answer.verdict, verdict, file, line);
}

#define expect_fired(answer, verdict, sentence)                                                              \
    expect_at(answer, OUTCOME_FIRED, verdict, sentence, __FILE__, __LINE__)
#define expect_quiet(answer) expect_at(answer, OUTCOME_QUIET, VERDICT_INFO, "", __FILE__, __LINE__)
#define expect_lacking(answer, lacking)                                                                      \
    expect_at(answer, OUTCOME_NOT_CHECKED, VERDICT_INFO, lacking, __FILE__, __LINE__)

// A run of that workload alone, with those values of rounds on A. `values` is an array.
#define begin_with(run, workload, values)                                                                    \
    begin_with_count(run, workload, values, sizeof(values) / sizeof *(values))

static inline void begin_with_count(struct run *run, const char *workload, const double *values, size_t count)
{
    fixture_begin(run, workload, (unsigned)count);
    fixture_add_values(run, fixture_find(run, workload), 0, values, count);
}

// An imported run of that workload alone, with that summary on A; release with the run.
static inline struct imported_summary *begin_import(struct run *run, const char *workload)
{
    fixture_begin(run, workload, 5);
    run->origin = RUN_IMPORTED;
    run->summaries.list = xcalloc(1, sizeof *run->summaries.list);
    run->summaries.length = 1;
    run->summaries.list->workload = fixture_find(run, workload);
    return run->summaries.list;
}

static inline struct real known_real(double value)
{
    return (struct real){.known = true, .value = value};
}
