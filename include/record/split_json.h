// split_json.h: a document cut up at its top level, so that its one long array is parsed element by element
// and memory stays small, whatever the document claims.
//
// What is nested deeper than JSON_DEPTH_MOST, or has more than JSON_VALUES_MOST values in one piece, is
// refused before it takes memory.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

enum { JSON_DEPTH_MOST = 32, JSON_VALUES_MOST = 2000000 };

// Bytes of a document.
struct json_span {
    const char *bytes;
    size_t length;
};

// Splits an object into its members (the caller calls json_free) and the text of the member `apart` ({0}
// where it isn't there). The whole must be UTF-8, one object, and nothing after it.
bool json_split(struct json_span document, const char *apart, struct cJSON **members, struct json_span *text,
                struct error *error);
void json_free(struct cJSON *tree);

// Goes over the elements of an array that json_split left as text. Begin with {.rest = text}. False at the
// end, and on an error: then `failed` is set.
struct json_elements {
    struct json_span rest;
    bool begun;
    bool failed;
};
bool json_next_element(struct json_elements *elements, struct cJSON **element, struct error *error);
