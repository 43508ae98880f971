// fields.h: facts that may be unknown, and tables of them: one table writes an object of a document, reads it
// and releases it.
//
// What isn't known is absent in a document, and never 0.
#pragma once

#include "base/error.h"
#include "record/read_json.h"
#include "record/write_json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct count {
    bool known;
    uint64_t value; // at most RUN_INTEGER_MOST, else it isn't stored
};

struct signed_count {
    bool known;
    int64_t value; // from -RUN_INTEGER_MOST to RUN_INTEGER_MOST, likewise
};

struct flag {
    bool known;
    bool value;
};

struct real {
    bool known;
    double value; // 0 or more, else it isn't stored
};

static inline struct count known_count(uint64_t value)
{
    return (struct count){.known = true, .value = value};
}

static inline struct flag known_flag(bool value)
{
    return (struct flag){.known = true, .value = value};
}

enum field_kind { FIELD_TEXT /* char *, owned */, FIELD_COUNT, FIELD_SIGNED, FIELD_FLAG, FIELD_REAL };

struct field {
    const char *name; // the member's
    enum field_kind kind;
    size_t offset; // of the fact in its struct
};

// A table's row, and its end.
#define FIELD(structure, member, kind)                                                                       \
    {                                                                                                        \
#member, kind, offsetof(struct structure, member)                                                    \
    }
#define FIELDS_END                                                                                           \
    {                                                                                                        \
        .name = NULL                                                                                         \
    }

// Writes what is known as the object `name`, or nothing where nothing is known.
void fields_write(const char *name, const struct field *fields, const void *facts, struct json_out *out);

// Writes them as members of the object that is open.
void fields_write_members(const struct field *fields, const void *facts, struct json_out *out);

// Reads the members of an object into facts that are {0}: each may be missing or null, which is unknown; none
// may be of another type. Other members are passed over.
bool fields_read(const struct json_value *object, const struct field *fields, void *facts,
                 struct error *error);

// Reads the object `name` in `parent`, which may be missing or null.
bool fields_read_object(const struct json_value *parent, const char *name, const struct field *fields,
                        void *facts, struct error *error);

// Frees the strings.
void fields_release(const struct field *fields, void *facts);
