#include "report/report.h"

#include "record/run_json.h"
#include "report/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_report(int argc, char *argv[]);

static void formats_have_names(void **state)
{
    (void)state;
    struct text names = {0};
    report_put_names(&names);
    assert_string_equal(text_string(&names), "text, markdown, html, csv, json");
    text_free(&names);
    assert_string_equal(report_format_by_name("html")->name, "html");
    assert_null(report_format_by_name("HTML"));
    assert_null(report_format_by_name(""));
    assert_null(report_format_by_name("text,html"));
}

static void json_is_the_document(void **state)
{
    (void)state;
    struct fixture fixture;
    struct text json = {0};
    struct run read;
    struct error error = {0};
    fixture_make(&fixture);
    report_format_by_name("json")->write(&fixture.report, &json);
    if (!run_json_read(text_string(&json), json.length, &read, NULL, &error))
        fail_msg("%s", error.text);
    assert_int_equal(read.sample_count, fixture.run.sample_count);
    assert_string_equal(read.id, fixture.run.id);
    text_free(&json);
    run_release(&read);
    fixture_release(&fixture);
}

// The same page gives the same bytes, and nothing of it is changed.
static void writing_twice_is_the_same(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_make(&fixture);
    for (const struct report_format *format = report_formats; format->name; format++) {
        struct text first = {0}, second = {0};
        format->write(&fixture.report, &first);
        format->write(&fixture.report, &second);
        assert_true(first.length > 100);
        assert_string_equal(text_string(&first), text_string(&second));
        text_free(&first);
        text_free(&second);
    }
    fixture_release(&fixture);
}

int test_report(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(json_is_the_document),
        cmocka_unit_test(writing_twice_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
