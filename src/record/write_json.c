// write_json.c: JSON put down value by value.
#include "record/write_json.h"

#include "base/clock.h"
#include "record/run_json.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void separate(struct json_out *out, const char *space)
{
    if (out->comma)
        text_puts(out->text, ",");
    if (out->line)
        text_puts(out->text, "\n");
    else if (out->comma)
        text_puts(out->text, space);
    out->line = false;
}

static void put(struct json_out *out, const char *value)
{
    separate(out, "");
    text_puts(out->text, value);
    out->comma = true;
}

struct json_mark json_mark(const struct json_out *out)
{
    return (struct json_mark){*out, out->text->length};
}

void json_take_back(struct json_out *out, const struct json_mark *mark)
{
    *out = mark->out;
    if (out->text->length == mark->length)
        return; // it may be empty, without a byte
    out->text->length = mark->length;
    out->text->bytes[mark->length] = '\0';
}

void json_open(struct json_out *out, char bracket)
{
    separate(out, "");
    text_append(out->text, &bracket, 1);
    out->comma = false;
}

void json_close(struct json_out *out, char bracket)
{
    if (out->line)
        text_puts(out->text, "\n");
    text_append(out->text, &bracket, 1);
    out->line = false;
    out->comma = true;
}

void json_new_line(struct json_out *out)
{
    out->line = true;
}

// The same string as UTF-8, whatever its bytes are.
static void put_valid(struct text *text, const char *bytes)
{
    for (size_t left = strlen(bytes); left > 0;) {
        uint32_t codepoint;
        size_t size = utf8_decode(bytes, left, &codepoint);
        if (size > 0)
            text_append(text, bytes, size);
        else
            text_printf(text, "\\x%02x", (unsigned)(unsigned char)*bytes);
        bytes += size > 0 ? size : 1;
        left -= size > 0 ? size : 1;
    }
}

// Whether a JSON string is these bytes and no others: every key is, and nearly every value.
static bool is_plain(const char *bytes)
{
    for (; *bytes; bytes++)
        if (*bytes < ' ' || *bytes > '~' || *bytes == '"' || *bytes == '\\')
            return false;
    return true;
}

// As a JSON string, in quotes.
static void put_quoted(struct text *text, const char *bytes)
{
    if (is_plain(bytes)) {
        text_puts(text, "\"");
        text_puts(text, bytes);
        text_puts(text, "\"");
        return;
    }
    struct text valid = {0};
    put_valid(&valid, bytes);
    cJSON *string = cJSON_CreateString(text_string(&valid));
    char *quoted = string ? cJSON_PrintUnformatted(string) : NULL;
    if (!quoted)
        abort(); // out of memory
    text_puts(text, quoted);
    cJSON_free(quoted);
    cJSON_Delete(string);
    text_free(&valid);
}

void json_key(struct json_out *out, const char *key)
{
    separate(out, " ");
    put_quoted(out->text, key);
    text_puts(out->text, ": ");
    out->comma = false;
}

void json_put_string(struct json_out *out, const char *value)
{
    separate(out, "");
    put_quoted(out->text, value);
    out->comma = true;
}

void json_put_integer(struct json_out *out, uint64_t value)
{
    char digits[24]; // by hand: most of a long document is integers
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    put(out, digits + at);
}

void json_put_number(struct json_out *out, double value)
{
    char digits[32];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    put(out, digits);
}

void json_put_member_string(struct json_out *out, const char *key, const char *value)
{
    if (!value)
        return;
    json_key(out, key);
    json_put_string(out, value);
}

void json_put_member_integer(struct json_out *out, const char *key, uint64_t value)
{
    if (value > RUN_INTEGER_MOST)
        return;
    json_key(out, key);
    json_put_integer(out, value);
}

void json_put_member_signed(struct json_out *out, const char *key, int64_t value)
{
    char digits[24];
    if (value > (int64_t)RUN_INTEGER_MOST || value < -(int64_t)RUN_INTEGER_MOST)
        return;
    json_key(out, key);
    snprintf(digits, sizeof digits, "%" PRId64, value);
    put(out, digits);
}

void json_put_member_number(struct json_out *out, const char *key, double value)
{
    if (!isfinite(value))
        return;
    json_key(out, key);
    json_put_number(out, value);
}

void json_put_member_boolean(struct json_out *out, const char *key, bool value)
{
    json_key(out, key);
    put(out, value ? "true" : "false");
}

void json_put_member_instant(struct json_out *out, const char *key, uint64_t realtime_ns)
{
    if (realtime_ns == 0)
        return;
    char instant[RFC3339_SIZE];
    clock_rfc3339(realtime_ns, instant);
    json_put_member_string(out, key, instant);
}
