// read_json.h: a document taken apart, with every type and range checked and the way to each member at hand,
// so that a message can say "samples[3].latency.op.buckets: …".
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

// A value and the way to it. `node` is NULL where the member isn't there.
struct json_value {
    const struct cJSON *node;
    const struct json_value *parent;
    const char *name; // NULL in an array, and at the top
    bool indexed;
    size_t index;
};

enum json_need { JSON_OPTIONAL, JSON_REQUIRED };

// "PATH: MESSAGE"; returns false.
bool json_fail(const struct json_value *value, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool json_fail_member(const struct json_value *object, const char *name, struct error *error,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

bool json_has(const struct json_value *object, const char *name);
bool json_is_known(const struct json_value *object, const char *name); // it is there, and not null
size_t json_length(const struct json_value *value); // of an array, or the number of an object's members
struct json_value json_first(const struct json_value *array); // node NULL at the end
struct json_value json_next(const struct json_value *element);

// The value itself.
bool json_be_object(const struct json_value *value, struct error *error);
bool json_be_array(const struct json_value *value, struct error *error);
bool json_be_integer(const struct json_value *value, uint64_t most, uint64_t *integer, struct error *error);
bool json_be_number(const struct json_value *value, double *number, struct error *error);
bool json_be_string(const struct json_value *value, const char **string,
                    struct error *error); // the tree's own

// A member. Where an optional one isn't there, the result stays as it was; of an object or array the node is
// NULL. json_get_copy gives a string that the caller frees, json_get_string one that lives as long as the
// tree.
bool json_get_object(const struct json_value *object, const char *name, enum json_need need,
                     struct json_value *member, struct error *error);
bool json_get_array(const struct json_value *object, const char *name, enum json_need need,
                    struct json_value *member, struct error *error);
bool json_get_integer(const struct json_value *object, const char *name, enum json_need need, uint64_t most,
                      uint64_t *integer, struct error *error);
bool json_get_unsigned(const struct json_value *object, const char *name, enum json_need need,
                       unsigned *integer, struct error *error);
bool json_get_number(const struct json_value *object, const char *name, enum json_need need, double *number,
                     struct error *error);
bool json_get_boolean(const struct json_value *object, const char *name, enum json_need need, bool *boolean,
                      struct error *error);
bool json_get_string(const struct json_value *object, const char *name, enum json_need need,
                     const char **string, struct error *error);
bool json_get_copy(const struct json_value *object, const char *name, enum json_need need, char **string,
                   struct error *error);

// "2026-11-30T17:55:35Z", with or without decimals, from 1970 to 2553.
bool json_get_instant(const struct json_value *object, const char *name, enum json_need need,
                      uint64_t *realtime_ns, struct error *error);
