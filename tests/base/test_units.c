#include "base/units.h"
#include "base/xalloc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_units(int argc, char *argv[]);

static void reads_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {
        {"0", 0},
        {"4096", 4096},
        {"4KiB", 4096},
        {"64MiB", UINT64_C(67108864)},
        {"1GiB", UINT64_C(1073741824)},
        {"2TiB", UINT64_C(2199023255552)},
        {"10kB", 10000},
        {"10KB", 10000},
        {"64MB", UINT64_C(64000000)},
        {"1GB", UINT64_C(1000000000)},
        {"1TB", UINT64_C(1000000000000)},
        {"18446744073709551615", UINT64_MAX},
        {"16777215TiB", UINT64_C(16777215) << 40},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t bytes = 1;
        assert_true(units_parse_size("--block", good[i].text, &bytes, NULL));
        assert_true(bytes == good[i].bytes);
    }
}

static void refuses_what_is_no_size(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        " 4",
        "4 ",
        "4 KiB",
        "+4",
        "-1",
        "0x10",
        "4kk",
        "1e9999",
        "1.5GiB",
        "1,5GiB",
        "KiB",
        "4kib",
        "4KIB",
        "4B",
        "4bytes",
        "4Ki",
        "4MiBx",
        "NaN",
        "inf",
        "4P",
        "\n4",
        "4\n",
        "\xff",
        "18446744073709551616", // 2^64
        "16777216TiB",          // 2^64
        "99999999999999999999999999999999999999",
        "18446744073709551615M",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        uint64_t bytes = 77;
        if (units_parse_size("--file-size", bad[i], &bytes, &error))
            fail_msg("'%s' was read as a size", bad[i]);
        assert_true(bytes == 77);
        assert_memory_equal(error.text, "--file-size: '", 14);
    }
}

static void a_bare_suffix_is_refused_with_both_readings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bare[] = {
        {"64M", "--sizes: '64M' can be read in two ways. Write 64MB (64,000,000 bytes) or 64MiB (67,108,864 "
                "bytes)."},
        {"4k", "--sizes: '4k' can be read in two ways. Write 4kB (4,000 bytes) or 4KiB (4,096 bytes)."},
        {"1G", "--sizes: '1G' can be read in two ways. Write 1GB (1,000,000,000 bytes) or 1GiB "
               "(1,073,741,824 bytes)."},
        {"0T", "--sizes: '0T' can be read in two ways. Write 0TB (0 bytes) or 0TiB (0 bytes)."},
    };
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        struct error error = {0};
        uint64_t bytes;
        assert_false(units_parse_size("--sizes", bare[i].text, &bytes, &error));
        assert_string_equal(error.text, bare[i].message);
    }
}

static void a_long_argument_leaves_room_for_the_hint(void **state)
{
    (void)state;
    char text[4000];
    memset(text, '9', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct error error = {0};
    uint64_t bytes;
    assert_false(units_parse_size("--block", text, &bytes, &error));
    assert_non_null(strstr(error.text, "64MiB"));
    assert_false(units_parse_count("--threads", text, 1, 64, &bytes, &error));
    assert_non_null(strstr(error.text, "from 1 to 64"));
}

static void reads_counts(void **state)
{
    (void)state;
    uint64_t count = 0;
    assert_true(units_parse_count("--threads", "1", 1, 64, &count, NULL));
    assert_int_equal(count, 1);
    assert_true(units_parse_count("--threads", "64", 1, 64, &count, NULL));
    assert_int_equal(count, 64);
    static const char *const bad[] = {"",
                                      "0",
                                      "65",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1x",
                                      "0x10",
                                      "1e3",
                                      "1.0",
                                      "4294967297",
                                      "18446744073709551617"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        if (units_parse_count("--threads", bad[i], 1, 64, &count, &error))
            fail_msg("'%s' was read as a count", bad[i]);
        assert_int_equal(count, 64);
        assert_non_null(strstr(error.text, "is not a whole number from 1 to 64."));
    }
}

static void reads_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t seconds;
    } good[] = {{"90s", 90},
                {"5m", 300},
                {"1h30m", 5400},
                {"1h30m15s", 5415},
                {"2h5s", 7205},
                {"100m", 6000},
                {"0s", 0},
                {"007s", 7},
                {"0h0m1s", 1},
                {"5000000h", 18000000000},
                {"18446744073s", 18446744073}};
    struct error error = {{0}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t ns = 1;
        assert_true(units_parse_duration("--max-time", good[i].text, &ns, &error));
        assert_int_equal(ns, good[i].seconds * UINT64_C(1000000000));
    }
}

static void refuses_what_is_no_time(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "90",
                                      "s",
                                      "m5",
                                      "1h30",
                                      "90 s",
                                      " 90s",
                                      "90s ",
                                      "-1s",
                                      "+1s",
                                      "1.5h",
                                      "1e3s",
                                      "5M",
                                      "90sec",
                                      "30m1h",
                                      "1s1s",
                                      "1m1m",
                                      "1d",
                                      "90ms",
                                      "1h,",
                                      "0x10s",
                                      "١s",
                                      "18446744074s", // of these the nanoseconds are more than 64 bits
                                      "5124095h34m34s",
                                      "99999999999999999999h"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t ns = 7;
        struct error error = {{0}};
        assert_false(units_parse_duration("--max-time", bad[i], &ns, &error));
        char *message = xformat("--max-time: '%s' is no time; write 90s, 5m or 1h30m", bad[i]);
        assert_string_equal(error.text, message);
        free(message);
        assert_int_equal(ns, 7);
    }
}

static void shows_three_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *shown;
    } cases[] = {
        {115.2, "115"},
        {1161.8, "1162"},
        {69.1, "69.1"},
        {4.6, "4.60"},
        {0.861, "0.861"},
        {10, "10.0"},
        {0, "0"},
        {9.996, "10.0"},
        {99.96, "100"},
        {999.6, "1000"},
        {0.9996, "1.00"},
        {0.0123, "0.0123"},
        {0.00123, "0.00123"},
        {0.001, "0"},
        {0.0009, "0"},
        {1e-300, "0"},
        {1234567.5, "1234568"},
        {1e15, "1000000000000000"},
        {-4.6, "-4.60"},
    };
    char out[UNITS_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        units_three_digits(cases[i].value, out);
        assert_string_equal(out, cases[i].shown);
    }
    // Absurd values still make an ordinary number.
    static const double absurd[] = {1e300, -1e300, (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        units_three_digits(absurd[i], out);
        assert_int_equal(strspn(out, "-0123456789"), strlen(out));
    }
}

static void what_is_shown_is_a_number(void **state)
{
    (void)state;
    assert_true(units_as_shown(115.249) == 115);
    assert_true(units_as_shown(4.604) == 4.6);
    assert_true(units_as_shown(0.0005) == 0);
}

static void shows_bytes(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *shown;
    } cases[] = {
        {0, "0 B"},
        {1, "1 B"},
        {1000, "1000 B"},
        {4096, "4 KiB"},
        {4097, "4.0 KiB"},
        {UINT64_C(67108864), "64 MiB"},
        {3 * GIB / 2, "1.5 GiB"},
        {MIB - 1, "1.0 MiB"},
        {UINT64_C(2199023255552), "2 TiB"},
        {UINT64_MAX, "16.0 EiB"},
    };
    char out[UNITS_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        units_bytes(cases[i].bytes, out);
        assert_string_equal(out, cases[i].shown);
    }
}

static void shows_durations(void **state)
{
    (void)state;
    static const struct {
        uint64_t ns;
        const char *micro, *shown;
    } cases[] = {
        {0, "us", "0 ns"},
        {999, "us", "999 ns"},
        {1000, "us", "1.00 us"},
        {33000, "us", "33.0 us"},
        {33000, "\xc2\xb5s", "33.0 \xc2\xb5s"},
        {999499, "us", "999 us"},
        {999600, "us", "1.00 ms"},
        {8400000, "us", "8.40 ms"},
        {999960000, "us", "1.00 s"},
        {1200000000, "us", "1.20 s"},
        {UINT64_C(1099511627775), "us", "1100 s"},
    };
    char out[UNITS_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        units_duration(cases[i].ns, cases[i].micro, out);
        assert_string_equal(out, cases[i].shown);
    }
    units_duration(UINT64_MAX, "us", out);
    assert_string_equal(out, "18446744074 s");
}

static void shows_time_left(void **state)
{
    (void)state;
    static const struct {
        uint64_t seconds;
        const char *shown;
    } cases[] = {{0, "0:00"},     {8, "0:08"},       {80, "1:20"},
                 {3599, "59:59"}, {3723, "1:02:03"}, {360000, "100:00:00"}};
    char out[UNITS_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        units_time_left(cases[i].seconds * UINT64_C(1000000000), out);
        assert_string_equal(out, cases[i].shown);
    }
    units_time_left(UINT64_C(59500000000), out);
    assert_string_equal(out, "1:00");
    units_time_left(UINT64_C(59499999999), out);
    assert_string_equal(out, "0:59");
    units_time_left(UINT64_MAX, out);
    assert_string_equal(out, "5124095:34:34");
}

int test_units(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_sizes),
        cmocka_unit_test(refuses_what_is_no_size),
        cmocka_unit_test(a_bare_suffix_is_refused_with_both_readings),
        cmocka_unit_test(a_long_argument_leaves_room_for_the_hint),
        cmocka_unit_test(reads_counts),
        cmocka_unit_test(reads_times),
        cmocka_unit_test(refuses_what_is_no_time),
        cmocka_unit_test(shows_three_digits),
        cmocka_unit_test(what_is_shown_is_a_number),
        cmocka_unit_test(shows_bytes),
        cmocka_unit_test(shows_durations),
        cmocka_unit_test(shows_time_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
