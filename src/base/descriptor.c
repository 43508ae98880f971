#include "base/descriptor.h"

#include <errno.h>
#include <unistd.h>

bool descriptor_write(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = EIO; // a disk that takes nothing would be asked for ever
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}
