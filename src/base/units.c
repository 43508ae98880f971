#include "base/units.h"
#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MOST = 48 }; // bytes of a user's argument that a message repeats

static const struct size_unit {
    const char *suffix;
    uint64_t bytes;
} size_units[] = {
    {"", 1},
    {"KiB", KIB},
    {"MiB", MIB},
    {"GiB", GIB},
    {"TiB", UINT64_C(1) << 40},
    {"kB", UINT64_C(1000)},
    {"KB", UINT64_C(1000)},
    {"MB", UINT64_C(1000000)},
    {"GB", UINT64_C(1000000000)},
    {"TB", UINT64_C(1000000000000)},
};

// A suffix that names no unit, and the two that it could mean.
static const struct bare_suffix {
    char letters[3];
    const char *decimal, *binary;
    uint64_t decimal_bytes, binary_bytes;
} bare_suffixes[] = {
    {"Kk", "kB", "KiB", UINT64_C(1000), KIB},
    {"Mm", "MB", "MiB", UINT64_C(1000000), MIB},
    {"Gg", "GB", "GiB", UINT64_C(1000000000), GIB},
    {"Tt", "TB", "TiB", UINT64_C(1000000000000), UINT64_C(1) << 40},
};

// Reads the digits that `text` begins with. False where there are none or they exceed 64 bits.
static bool parse_digits(const char *text, uint64_t *number, const char **end)
{
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    *end = at;
    return at != text;
}

// "67,108,864"
static void grouped_digits(uint64_t number, char out[UNITS_TEXT_SIZE])
{
    char digits[UNITS_TEXT_SIZE];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

static bool refuse_size(const char *name, const char *text, struct error *error)
{
    return fail(error,
                "%s: '%.*s' is not a size. Write whole bytes (4096) or a unit: 4KiB, 64MiB, 1GiB, 64MB.",
                name, SHOWN_MOST, text);
}

static bool refuse_bare(const char *name, const char *text, uint64_t number, const struct bare_suffix *suffix,
                        struct error *error)
{
    if (number > UINT64_MAX / suffix->binary_bytes)
        return refuse_size(name, text, error);
    char decimal[UNITS_TEXT_SIZE], binary[UNITS_TEXT_SIZE];
    grouped_digits(number * suffix->decimal_bytes, decimal);
    grouped_digits(number * suffix->binary_bytes, binary);
    return fail(error,
                "%s: '%.*s' can be read in two ways. Write %" PRIu64 "%s (%s bytes) or %" PRIu64
                "%s (%s bytes).",
                name, SHOWN_MOST, text, number, suffix->decimal, decimal, number, suffix->binary, binary);
}

bool units_parse_size(const char *name, const char *text, uint64_t *bytes, struct error *error)
{
    uint64_t number;
    const char *suffix;
    if (!parse_digits(text, &number, &suffix))
        return refuse_size(name, text, error);
    for (size_t i = 0; i < sizeof size_units / sizeof *size_units; i++) {
        if (strcmp(suffix, size_units[i].suffix) != 0)
            continue;
        if (number > UINT64_MAX / size_units[i].bytes)
            return fail(error, "%s: '%.*s' is more than 64 bits can count.", name, SHOWN_MOST, text);
        *bytes = number * size_units[i].bytes;
        return true;
    }
    for (size_t i = 0; i < sizeof bare_suffixes / sizeof *bare_suffixes; i++)
        if (suffix[1] == '\0' && strchr(bare_suffixes[i].letters, suffix[0]))
            return refuse_bare(name, text, number, &bare_suffixes[i], error);
    return refuse_size(name, text, error);
}

bool units_parse_count(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *count,
                       struct error *error)
{
    uint64_t number;
    const char *end;
    if (!parse_digits(text, &number, &end) || *end != '\0' || number < least || number > most)
        return fail(error, "%s: '%.*s' is not a whole number from %" PRIu64 " to %" PRIu64 ".", name,
                    SHOWN_MOST, text, least, most);
    *count = number;
    return true;
}

bool units_parse_duration(const char *name, const char *text, uint64_t *ns, struct error *error)
{
    static const struct {
        char letter;
        uint64_t seconds;
    } parts[] = {{'h', 3600}, {'m', 60}, {'s', 1}};
    const char *at = text;
    uint64_t sum = 0;
    size_t part = 0, count = sizeof parts / sizeof *parts;
    while (*at) {
        uint64_t number, product;
        const char *end;
        bool good = parse_digits(at, &number, &end);
        while (good && part < count && parts[part].letter != *end)
            part++;
        if (!good || part == count ||
            __builtin_mul_overflow(number, parts[part].seconds * NS_PER_S, &product) ||
            __builtin_add_overflow(sum, product, &sum))
            break;
        part++;
        at = end + 1;
    }
    if (at == text || *at)
        return fail(error, "%s: '%.*s' is no time; write 90s, 5m or 1h30m", name, SHOWN_MOST, text);
    *ns = sum;
    return true;
}

void units_three_digits(double value, char out[UNITS_TEXT_SIZE])
{
    // Wider than any figure of a run, and still within the text.
    const double most = 1e27;
    if (isnan(value))
        value = 0;
    value = fmin(fmax(value, -most), most);

    // The exponent after rounding, so that 9.996 is 10.0 and not 10.00.
    char scientific[UNITS_TEXT_SIZE];
    snprintf(scientific, sizeof scientific, "%.2e", value);
    long exponent = strtol(strchr(scientific, 'e') + 1, NULL, 10);
    if (fabs(strtod(scientific, NULL)) <= 0.001) {
        snprintf(out, UNITS_TEXT_SIZE, "0");
        return;
    }
    int decimals = exponent >= 2 ? 0 : (int)(2 - exponent);
    snprintf(out, UNITS_TEXT_SIZE, "%.*f", decimals, value);
}

double units_as_shown(double value)
{
    char shown[UNITS_TEXT_SIZE];
    units_three_digits(value, shown);
    return strtod(shown, NULL);
}

void units_bytes(uint64_t bytes, char out[UNITS_TEXT_SIZE])
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const size_t last = sizeof names / sizeof *names - 1;
    size_t unit = 0;
    while (unit < last && bytes >> (10 * (unit + 1)) != 0)
        unit++;
    uint64_t size = UINT64_C(1) << (10 * unit);
    uint64_t whole = bytes / size, rest = bytes % size;
    if (rest == 0) {
        snprintf(out, UNITS_TEXT_SIZE, "%" PRIu64 " %s", whole, names[unit]);
        return;
    }
    uint64_t tenths = whole * 10 + (rest * 10 + size / 2) / size;
    if (tenths >= 10240 && unit < last) { // 1023.96 KiB is 1.0 MiB
        tenths = 10;
        unit++;
    }
    snprintf(out, UNITS_TEXT_SIZE, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, names[unit]);
}

void units_duration(uint64_t ns, const char *micro, char out[UNITS_TEXT_SIZE])
{
    const struct {
        const char *name;
        double ns;
    } units[] = {{micro, 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const size_t last = sizeof units / sizeof *units - 1;
    if (ns < 1000) {
        snprintf(out, UNITS_TEXT_SIZE, "%" PRIu64 " ns", ns);
        return;
    }
    size_t unit = 0;
    while (unit < last && units_as_shown((double)ns / units[unit].ns) >= 1000)
        unit++;
    char number[UNITS_TEXT_SIZE];
    units_three_digits((double)ns / units[unit].ns, number);
    snprintf(out, UNITS_TEXT_SIZE, "%.20s %.8s", number, units[unit].name);
}

void units_time_left(uint64_t ns, char out[UNITS_TEXT_SIZE])
{
    uint64_t seconds = ns / NS_PER_S + (ns % NS_PER_S >= NS_PER_S / 2);
    uint64_t hours = seconds / 3600, minutes = seconds / 60 % 60;
    if (hours > 0)
        snprintf(out, UNITS_TEXT_SIZE, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, hours, minutes, seconds % 60);
    else
        snprintf(out, UNITS_TEXT_SIZE, "%" PRIu64 ":%02" PRIu64, minutes, seconds % 60);
}
