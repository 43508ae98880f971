#include "cli/output.h"

#include "base/descriptor.h"
#include "base/error.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int output_text(const struct text *text, int status)
{
    if (descriptor_write(STDOUT_FILENO, text_string(text), text->length))
        return status;
    if (errno == EPIPE)
        return EXIT_READER_GONE;
    output_note("standard output: %s", strerror(errno));
    return EXIT_DISK;
}

bool output_file(const char *path, const struct text *text, struct error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return fail(error, "%s: there is something already, and it isn't replaced", path);
    if (file < 0)
        return fail(error, "%s: %s", path, strerror(errno));
    bool written = descriptor_write(file, text_string(text), text->length);
    int reason = errno;
    if (close(file) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written)
        return true;
    unlink(path);
    return fail(error, "%s: %s", path, strerror(reason));
}

void output_put_lines(struct text *text, const char *prefix, const char *lines, bool ascii)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        char *line = xstrndup(lines, length);
        text_puts(text, prefix);
        text_put_safe(text, line, ascii);
        text_puts(text, "\n");
        free(line);
        lines += length + (lines[length] == '\n');
    }
}

void output_lines(const char *prefix, const char *lines)
{
    struct text text = {0};
    output_put_lines(&text, prefix, lines, !output_utf8());
    if (!descriptor_write(STDERR_FILENO, text_string(&text), text.length))
        errno = 0; // there is nowhere left to say it
    text_free(&text);
}

void output_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *line = NULL;
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    output_lines("diskduel: ", line);
    free(line);
}
