// split_json.c: finds where the values of a document begin and end; cJSON judges each.
#include "record/split_json.h"

#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <string.h>

struct scan {
    const char *start;
    const char *at;
    const char *end;
    struct error *error;
};

static bool not_json(const struct scan *scan)
{
    return fail(scan->error, "not JSON at byte %zu", (size_t)(scan->at - scan->start));
}

static bool cut_short(const struct scan *scan)
{
    return fail(scan->error, "cut short: it ends at byte %zu in the middle",
                (size_t)(scan->end - scan->start));
}

static void skip_space(struct scan *scan)
{
    while (scan->at < scan->end && *scan->at && strchr(" \t\r\n", *scan->at))
        scan->at++;
}

// Steps over this one byte.
static bool scan_byte(struct scan *scan, char byte)
{
    skip_space(scan);
    if (scan->at == scan->end)
        return cut_short(scan);
    if (*scan->at != byte)
        return not_json(scan);
    scan->at++;
    return true;
}

static bool scan_string(struct scan *scan)
{
    for (scan->at++; scan->at < scan->end && *scan->at != '"'; scan->at++)
        if (*scan->at == '\\' && ++scan->at == scan->end)
            break;
    if (scan->at == scan->end)
        return cut_short(scan);
    scan->at++;
    return true;
}

static void scan_word(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == '\0' || !strchr(" \t\r\n,:[]{}\"", *scan->at)))
        scan->at++;
}

// Steps over one value: brackets and strings are paired here, the rest is for cJSON to judge. `values` is how
// many more may come.
static bool scan_value(struct scan *scan, size_t *values, struct json_span *value)
{
    skip_space(scan);
    const char *begin = scan->at;
    size_t depth = 0;
    do {
        skip_space(scan);
        if (scan->at == scan->end)
            return cut_short(scan);
        char c = *scan->at;
        if (c == ',' || c == ':' || c == ']' || c == '}') {
            if (depth == 0)
                return not_json(scan);
            depth -= c == ']' || c == '}';
            scan->at++;
            continue;
        }
        if (*values == 0)
            return fail(scan->error, "more than %d values in one piece at byte %zu", JSON_VALUES_MOST,
                        (size_t)(scan->at - scan->start));
        --*values;
        if (c == '[' || c == '{') {
            if (++depth > JSON_DEPTH_MOST)
                return fail(scan->error, "nested deeper than %d at byte %zu", JSON_DEPTH_MOST,
                            (size_t)(scan->at - scan->start));
            scan->at++;
        } else if (c != '"') {
            scan_word(scan);
        } else if (!scan_string(scan)) {
            return false;
        }
    } while (depth > 0);
    *value = (struct json_span){begin, (size_t)(scan->at - begin)};
    return true;
}

static bool parse(const struct scan *scan, struct json_span span, cJSON **tree)
{
    const char *end = NULL;
    *tree = cJSON_ParseWithLengthOpts(span.bytes, span.length, &end, false);
    if (*tree && end == span.bytes + span.length)
        return true;
    struct scan wrong = *scan;
    if (end >= span.bytes && end <= span.bytes + span.length)
        wrong.at = end;
    cJSON_Delete(*tree);
    *tree = NULL;
    return not_json(&wrong);
}

static bool check_utf8(struct json_span document, struct error *error)
{
    for (size_t at = 0; at < document.length;) {
        uint32_t codepoint;
        size_t size = utf8_decode(document.bytes + at, document.length - at, &codepoint);
        if (size == 0)
            return fail(error, "not UTF-8 at byte %zu", at);
        at += size;
    }
    return true;
}

// One member: its value goes into `members` or, where it is the one kept apart, its text into `text`.
static bool split_member(struct scan *scan, size_t *values, const char *apart, cJSON *members,
                         struct json_span *text)
{
    size_t unlimited = SIZE_MAX;
    struct json_span span;
    cJSON *key = NULL, *value = NULL;
    bool split = false;
    skip_space(scan);
    if (scan->at < scan->end && *scan->at != '"') {
        not_json(scan);
    } else if (scan_value(scan, values, &span) && parse(scan, span, &key) && scan_byte(scan, ':')) {
        if (strcmp(key->valuestring, apart) != 0)
            split = scan_value(scan, values, &span) && parse(scan, span, &value) &&
                    cJSON_AddItemToObject(members, key->valuestring, value);
        else if (text->bytes)
            fail(scan->error, "%s: there twice", apart);
        else
            split = scan_value(scan, &unlimited, text);
    }
    cJSON_Delete(key);
    return split;
}

// A comma, or the bracket that ends the object or array.
static bool scan_separator(struct scan *scan, char bracket, bool *ended)
{
    skip_space(scan);
    *ended = scan->at < scan->end && *scan->at == bracket;
    return scan_byte(scan, *ended ? bracket : ',');
}

static bool split_object(struct scan *scan, const char *apart, cJSON *members, struct json_span *text)
{
    size_t values = JSON_VALUES_MOST;
    skip_space(scan);
    if (scan->at == scan->end)
        return fail(scan->error, "empty");
    if (!scan_byte(scan, '{'))
        return false;
    skip_space(scan);
    bool ended = scan->at < scan->end && *scan->at == '}';
    if (ended)
        scan->at++;
    while (!ended)
        if (!split_member(scan, &values, apart, members, text) || !scan_separator(scan, '}', &ended))
            return false;
    skip_space(scan);
    return scan->at == scan->end || fail(scan->error, "something stands after the document, at byte %zu",
                                         (size_t)(scan->at - scan->start));
}

bool json_split(struct json_span document, const char *apart, struct cJSON **members, struct json_span *text,
                struct error *error)
{
    *members = NULL;
    *text = (struct json_span){0};
    if (!check_utf8(document, error))
        return false;
    struct scan scan = {document.bytes, document.bytes, document.bytes + document.length, error};
    *members = cJSON_CreateObject();
    if (*members && split_object(&scan, apart, *members, text))
        return true;
    cJSON_Delete(*members);
    *members = NULL;
    *text = (struct json_span){0};
    return false;
}

void json_free(struct cJSON *tree)
{
    cJSON_Delete(tree);
}

bool json_next_element(struct json_elements *elements, struct cJSON **element, struct error *error)
{
    struct scan scan = {.error = error};
    scan.start = scan.at = elements->rest.bytes;
    scan.end = scan.start + elements->rest.length;
    *element = NULL;
    bool ended = false, begun = elements->begun;
    elements->begun = true;
    elements->failed = true;
    if (begun) {
        if (!scan_separator(&scan, ']', &ended))
            return false;
    } else {
        if (!scan_byte(&scan, '['))
            return false;
        skip_space(&scan);
        ended = scan.at < scan.end && *scan.at == ']';
    }
    size_t values = JSON_VALUES_MOST;
    struct json_span span;
    if (!ended && (!scan_value(&scan, &values, &span) || !parse(&scan, span, element)))
        return false;
    elements->failed = false;
    elements->rest = (struct json_span){scan.at, (size_t)(scan.end - scan.at)};
    return !ended;
}
