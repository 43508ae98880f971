#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fail(struct error *error, const char *format, ...)
{
    if (!error)
        return false;
    char line[ERROR_TEXT_SIZE]; // the arguments may point into error->text
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(line, sizeof line, format, arguments) < 0)
        line[0] = '\0';
    va_end(arguments);
    memcpy(error->text, line, sizeof line);
    return false;
}

bool fail_context(struct error *error, const char *format, ...)
{
    if (!error)
        return false;
    char context[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(context, sizeof context, format, arguments) < 0)
        context[0] = '\0';
    va_end(arguments);

    // A context that fills the line must not push out what went wrong.
    size_t reason = strlen(error->text);
    size_t room = reason + 3 < sizeof error->text ? sizeof error->text - reason - 3 : 0;
    return fail(error, "%.*s: %s", (int)room, context, error->text);
}
