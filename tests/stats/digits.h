// digits.h: compares a number with one as it is printed, to all digits of the print.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline void assert_digits_at(double value, const char *printed, const char *file, int line)
{
    const char *point = strchr(printed, '.');
    char text[64];
    snprintf(text, sizeof text, "%.*f", point ? (int)strlen(point + 1) : 0, value);
    if (strcmp(text, printed) != 0) {
        print_error("%.12g is not %s\n", value, printed);
        _fail(file, line);
    }
}

// assert_digits(1.0 / 3, "0.333")
#define assert_digits(value, printed) assert_digits_at(value, printed, __FILE__, __LINE__)

// Of a share, in percent: assert_percent(0.96875, "96.88")
#define assert_percent(share, printed) assert_digits_at(100 * (share), printed, __FILE__, __LINE__)
