#include "engine/proc.h"

#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROC_PIECE = 16384, PROC_MOST = 64 << 20 };

bool proc_read(const char *path, struct text *text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    size_t before = text->length;
    bool whole = false;
    while (text->length - before < PROC_MOST) {
        char piece[PROC_PIECE];
        ssize_t got = read(fd, piece, sizeof piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            whole = got == 0;
            break;
        }
        text_append(text, piece, (size_t)got);
    }
    close(fd); // nothing was written
    return whole;
}

bool proc_number(const char *text, const char *key, uint64_t *number)
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) != 0)
            continue;
        const char *digits = line + length + strspn(line + length, " \t");
        if (*digits < '0' || *digits > '9')
            return false;
        errno = 0;
        *number = strtoumax(digits, NULL, 10);
        return errno == 0;
    }
    return false;
}

static bool read_in(const char *folder, const char *name, struct text *text)
{
    char *path = xformat("%s/%s", folder, name);
    bool whole = proc_read(path, text);
    free(path);
    return whole;
}

bool proc_file_number(const char *folder, const char *name, const char *key, uint64_t *number)
{
    struct text text = {0};
    bool found = read_in(folder, name, &text) && proc_number(text_string(&text), key, number);
    text_free(&text);
    return found;
}

char *proc_line(const char *folder, const char *name)
{
    struct text text = {0};
    char *line = NULL;
    if (read_in(folder, name, &text)) {
        size_t length = strcspn(text_string(&text), "\n");
        while (length > 0 && (text.bytes[length - 1] == ' ' || text.bytes[length - 1] == '\t'))
            length--;
        if (length > 0)
            line = xstrndup(text.bytes, length);
    }
    text_free(&text);
    return line;
}
