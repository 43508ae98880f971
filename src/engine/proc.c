#include "engine/proc.h"

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
