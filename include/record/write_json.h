// write_json.h: JSON put down value by value, with no tree in memory.
//
// Commas come by themselves. Members whose value isn't known are left out: an integer above RUN_INTEGER_MOST,
// a number that is no number, a string that is NULL, an instant that is 0.
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_out {
    struct text *text;
    bool comma; // something stands before the next member or element
    bool line;  // the next member or element begins a new line
};

// What was put down since can be taken back, as if it had never been.
struct json_mark {
    struct json_out out;
    size_t length;
};

struct json_mark json_mark(const struct json_out *out);
void json_take_back(struct json_out *out, const struct json_mark *mark);

void json_open(struct json_out *out, char bracket); // '{' or '['
void json_close(struct json_out *out, char bracket);
void json_new_line(struct json_out *out); // before the next member, element or closing bracket
void json_key(struct json_out *out, const char *key);

// The value after a key, or the next element.
void json_put_string(struct json_out *out, const char *value); // any bytes; see run_json.h
void json_put_integer(struct json_out *out, uint64_t value);
void json_put_number(struct json_out *out, double value); // the shortest text that reads back as the same

void json_put_member_string(struct json_out *out, const char *key, const char *value);
void json_put_member_integer(struct json_out *out, const char *key, uint64_t value);
void json_put_member_signed(struct json_out *out, const char *key, int64_t value);
void json_put_member_number(struct json_out *out, const char *key, double value);
void json_put_member_boolean(struct json_out *out, const char *key, bool value);
void json_put_member_instant(struct json_out *out, const char *key, uint64_t realtime_ns);
