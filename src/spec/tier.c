// tier.c: NAME=DIR, DIR or null: taken apart.
#include "spec/tier.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 32 };

// A name stands in tables, on screens and as a key in documents: plain text, whatever the terminal.
static bool name_is_plain(const char *name, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t codepoint;
        size_t size = utf8_decode(name + at, length - at, &codepoint);
        if (size == 0 || codepoint_columns(codepoint) < 0)
            return false;
        at += size;
    }
    return true;
}

bool tier_name_parse(const char *argument, struct tier_name *tier, struct error *error)
{
    size_t name_length = strcspn(argument, "=/");
    bool named = argument[name_length] == '=';
    const char *path = named ? argument + name_length + 1 : argument;
    *tier = (struct tier_name){0};
    if (named && name_length == 0)
        return fail(error, "%s: no name stands before the '='; if it is a directory, write ./%s", argument,
                    argument);
    if (named && path[0] == '\0')
        return fail(error, "%s: no directory stands after the '='", argument);
    if (path[0] == '\0')
        return fail(error, "an empty path is no directory");
    if (named && name_length > NAME_MOST)
        return fail(error, "%s: the name before the '=' is longer than %d bytes", argument, NAME_MOST);
    if (named && !name_is_plain(argument, name_length))
        return fail(error, "%s: the name before the '=' must be plain UTF-8 without control characters",
                    argument);
    tier->name = named ? xstrndup(argument, name_length) : NULL;
    tier->path = xstrdup(path);
    tier->null = !strcmp(path, "null:");
    return true;
}

void tier_name_release(struct tier_name *tier)
{
    free(tier->name);
    free(tier->path);
    *tier = (struct tier_name){0};
}
