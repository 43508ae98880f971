// series_json.h: the members of a sample that are long: "latency", "series" and "mib_ns".
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/sample.h"
#include "record/write_json.h"

#include <stdbool.h>

// What is empty is left out.
void latency_json_write(const struct sample *sample, struct json_out *out);
void series_json_write(const struct sample *sample, struct json_out *out);
void mib_json_write(const struct sample *sample, struct json_out *out);

// `value` is the sample's. What is in `sample` is the caller's to release, also on an error.
bool latency_json_read(const struct json_value *value, struct sample *sample, struct error *error);
bool series_json_read(const struct json_value *value, struct sample *sample, struct error *error);
bool mib_json_read(const struct json_value *value, struct sample *sample, struct error *error);
