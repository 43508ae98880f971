// series_json.h: the members of a sample that are long: "latency", "series" and "mib_ns".
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/sample.h"
#include "record/write_json.h"

#include <stdbool.h>
#include <stddef.h>

// What is empty isn't written. Nor is what would make the text longer than `end` bytes: its name is appended
// to `left_out`, with a blank before it. Intervals are first joined, two, four, eight at a time.
void latency_json_write(const struct sample *sample, size_t end, struct json_out *out, struct text *left_out);
void series_json_write(const struct sample *sample, size_t end, struct json_out *out, struct text *left_out);
void mib_json_write(const struct sample *sample, size_t end, struct json_out *out, struct text *left_out);

// `value` is the sample's. What is in `sample` is the caller's to release, also on an error.
bool latency_json_read(const struct json_value *value, struct sample *sample, struct error *error);
bool series_json_read(const struct json_value *value, struct sample *sample, struct error *error);
bool mib_json_read(const struct json_value *value, struct sample *sample, struct error *error);
