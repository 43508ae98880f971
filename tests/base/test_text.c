#include "base/text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int test_text(int argc, char *argv[]);

static void grows(void **state)
{
    (void)state;
    struct text text = {0};
    assert_string_equal(text_string(&text), "");
    text_append(&text, "", 0);
    text_puts(&text, "a");
    text_printf(&text, "%s%d", "bc", 1);
    text_repeat(&text, '-', 3);
    text_repeat(&text, '-', 0);
    assert_string_equal(text_string(&text), "abc1---");
    assert_int_equal(text.length, 7);
    for (int i = 0; i < 5000; i++)
        text_printf(&text, "%d", i % 10);
    assert_int_equal(text.length, 5007);
    assert_int_equal(strlen(text.bytes), 5007);
    assert_int_equal(text.bytes[5006], '9');
    text_free(&text);
    assert_null(text.bytes);
    assert_int_equal(text.length, 0);
    text_free(&text);
}

static void assert_decodes(const char *bytes, size_t size, uint32_t codepoint)
{
    uint32_t decoded = 0;
    assert_int_equal(utf8_decode(bytes, strlen(bytes), &decoded), size);
    assert_int_equal(decoded, codepoint);
}

static void decodes_what_is_valid(void **state)
{
    (void)state;
    assert_decodes("A", 1, 'A');
    assert_decodes("\x7f", 1, 0x7f);
    assert_decodes("\xc2\x80", 2, 0x80);
    assert_decodes("\xdf\xbf", 2, 0x7ff);
    assert_decodes("\xe0\xa0\x80", 3, 0x800);
    assert_decodes("\xed\x9f\xbf", 3, 0xd7ff);
    assert_decodes("\xef\xbf\xbf", 3, 0xffff);
    assert_decodes("\xf0\x90\x80\x80", 4, 0x10000);
    assert_decodes("\xf4\x8f\xbf\xbf", 4, 0x10ffff);
}

static void refuses_what_is_not(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",
        "\xbf", // a continuation alone
        "\xc0\xaf",
        "\xc1\xbf", // overlong
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf", // overlong
        "\xed\xa0\x80",
        "\xed\xbf\xbf", // surrogates
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80\x80",
        "\xfe",
        "\xff", // past the last
        "\xc3",
        "\xe2\x82",
        "\xf0\x9f\x98", // cut short
        "\xc3(",
        "\xe2\x82(",
        "\xe2(\xa1",
        "\xf0\x9f\x98(", // not continued
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t codepoint = 0;
        assert_int_equal(utf8_decode(bad[i], strlen(bad[i]), &codepoint), 0);
    }
    uint32_t codepoint = 0;
    assert_int_equal(utf8_decode("", 0, &codepoint), 0);
}

static void encodes_what_it_decodes(void **state)
{
    (void)state;
    for (uint32_t codepoint = 0; codepoint <= 0x10ffff; codepoint++) {
        if (codepoint >= 0xd800 && codepoint <= 0xdfff)
            continue;
        char bytes[4];
        uint32_t decoded = UINT32_MAX;
        size_t size = utf8_encode(codepoint, bytes);
        if (utf8_decode(bytes, size, &decoded) != size || decoded != codepoint)
            fail_msg("U+%04X", (unsigned)codepoint);
    }
}

static void knows_columns_in_any_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "C.UTF-8"};
    for (size_t i = 0; i < 2; i++) {
        setlocale(LC_ALL, locales[i]);
        assert_int_equal(codepoint_columns('a'), 1);
        assert_int_equal(codepoint_columns(0xe9), 1);    // é
        assert_int_equal(codepoint_columns(0x2588), 1);  // full block
        assert_int_equal(codepoint_columns(0x28ff), 1);  // braille
        assert_int_equal(codepoint_columns(0x301), 0);   // combining acute
        assert_int_equal(codepoint_columns(0x200b), 0);  // zero-width space
        assert_int_equal(codepoint_columns(0xfeff), 0);  // byte order mark
        assert_int_equal(codepoint_columns(0xfe0f), 0);  // variation selector
        assert_int_equal(codepoint_columns(0x4e2d), 2);  // CJK
        assert_int_equal(codepoint_columns(0xac00), 2);  // Hangul
        assert_int_equal(codepoint_columns(0xff21), 2);  // full-width A
        assert_int_equal(codepoint_columns(0x1f600), 2); // emoji
        assert_int_equal(codepoint_columns(0x2a6ff), 2); // reserved, but wide
        assert_int_equal(codepoint_columns(0x110000), -1);
        assert_int_equal(codepoint_columns(0xdfff), -1);
    }
    setlocale(LC_ALL, "C");
}

static void assert_never_printed(uint32_t first, uint32_t last)
{
    for (uint32_t codepoint = first; codepoint <= last; codepoint++) {
        assert_int_equal(codepoint_columns(codepoint), -1);
        if (codepoint == 0)
            continue;
        char bytes[5] = {0};
        size_t size = utf8_encode(codepoint, bytes);
        struct text text = {0}, expected = {0};
        text_put_safe(&text, bytes, false);
        for (size_t i = 0; i < size; i++)
            text_printf(&expected, "\\x%02x", (unsigned)(unsigned char)bytes[i]);
        assert_string_equal(text_string(&text), text_string(&expected));
        text_free(&text);
        text_free(&expected);
    }
}

static void no_terminal_obeys(void **state)
{
    (void)state;
    assert_never_printed(0, 0x1f);
    assert_never_printed(0x7f, 0x9f);
    assert_never_printed(0x61c, 0x61c);
    assert_never_printed(0x200e, 0x200f);
    assert_never_printed(0x2028, 0x202e);
    assert_never_printed(0x2066, 0x2069);
}

static void assert_safe(const char *foreign, bool ascii, const char *expected)
{
    struct text text = {0};
    text_puts(&text, "[");
    text_put_safe(&text, foreign, ascii);
    text_puts(&text, "]");
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static void foreign_text_is_made_safe(void **state)
{
    (void)state;
    assert_safe("", false, "[]");
    assert_safe("/mnt/b", false, "[/mnt/b]");
    assert_safe("a\nb\tc\x1b[2J", false, "[a\\x0ab\\x09c\\x1b[2J]");
    assert_safe("caf\xc3\xa9", false, "[caf\xc3\xa9]");
    assert_safe("caf\xc3\xa9", true, "[caf\\xc3\\xa9]");
    assert_safe("\xff\xc3\x28", false, "[\\xff\\xc3(]");
    assert_safe("\xe2\x82", false, "[\\xe2\\x82]"); // cut short at the end
    assert_safe("a\xe2\x80\xae"
                "b",
                false, "[a\\xe2\\x80\\xaeb]"); // right-to-left override
    assert_safe("\xc2\x9b"
                "31m",
                false, "[\\xc2\\x9b31m]");          // C1 control sequence introducer
    assert_safe("\xc0\x8a", false, "[\\xc0\\x8a]"); // an overlong newline
}

static void measures_columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns(""), 0);
    assert_int_equal(text_columns("115 files/s"), 11);
    assert_int_equal(text_columns("caf\xc3\xa9"), 4);
    assert_int_equal(text_columns("cafe\xcc\x81"), 4);
    assert_int_equal(text_columns("\xe4\xb8\xad\xe6\x96\x87"), 4);
    assert_int_equal(text_columns("\xff"), 1);
}

int test_text(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(decodes_what_is_valid),
        cmocka_unit_test(refuses_what_is_not),
        cmocka_unit_test(encodes_what_it_decodes),
        cmocka_unit_test(knows_columns_in_any_locale),
        cmocka_unit_test(no_terminal_obeys),
        cmocka_unit_test(foreign_text_is_made_safe),
        cmocka_unit_test(measures_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
