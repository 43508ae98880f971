#include "engine/marker.h"

#include "base/descriptor.h"
#include "base/text.h"
#include "engine/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = ".diskduel-";
static const char first_line[] = "diskduel-scratch 1\n";
static const char last_line[] = "end";

enum { MARKER_MOST = 1024 }; // bytes; ours are shorter

static void copy_word(char out[MARKER_WORD_SIZE], const char *word)
{
    size_t length = 0;
    for (; length + 1 < MARKER_WORD_SIZE && word[length] && word[length] != '\n'; length++)
        out[length] = isgraph((unsigned char)word[length]) ? word[length] : '?';
    out[length] = '\0';
}

// The 22nd column of /proc/PID/stat. The second, the program's name in brackets, may hold anything.
static bool start_of(uint64_t pid, uint64_t *start)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", pid);
    struct text text = {0};
    bool known = proc_read(path, &text);
    const char *column = known && text.length ? strrchr(text.bytes, ')') : NULL;
    for (int i = 2; i < 22 && column; i++) {
        column = strchr(column, ' ');
        column = column ? column + 1 : NULL;
    }
    if (column)
        *start = strtoumax(column, NULL, 10);
    text_free(&text);
    return column != NULL;
}

static void boot_now(char boot[MARKER_WORD_SIZE])
{
    struct text text = {0};
    proc_read("/proc/sys/kernel/random/boot_id", &text);
    copy_word(boot, text_string(&text));
    text_free(&text);
}

static void host_now(char host[MARKER_WORD_SIZE])
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) < 0)
        name[0] = '\0';
    copy_word(host, name);
}

void marker_of_self(struct marker *marker, const char *run_id)
{
    *marker = (struct marker){.pid = (uint64_t)getpid()};
    snprintf(marker->run, sizeof marker->run, "%s", run_id);
    if (!start_of(marker->pid, &marker->start))
        marker->start = 0;
    boot_now(marker->boot);
    host_now(marker->host);
}

bool marker_name_is(const char *name)
{
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    const char *run = name + sizeof prefix - 1;
    size_t length = 0;
    while (isalnum((unsigned char)run[length]) || run[length] == '-')
        length++;
    return length > 0 && length < RUN_ID_SIZE && !run[length];
}

bool marker_write(const struct marker *marker, int dirfd, uid_t *owner, struct error *error)
{
    char name[MARKER_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, marker->run);
    if (!marker_name_is(name))
        return fail(error, "\"%s\" is no run's id", marker->run);
    int fd = openat(dirfd, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(error, "make the file %s: %s", name, strerror(errno));

    struct text text = {0};
    text_puts(&text, first_line);
    text_printf(&text, "run %s\npid %" PRIu64 "\nstart %" PRIu64 "\n", marker->run, marker->pid,
                marker->start);
    if (marker->boot[0])
        text_printf(&text, "boot %s\n", marker->boot);
    if (marker->host[0])
        text_printf(&text, "host %s\n", marker->host);
    text_printf(&text, "%s\n", last_line);

    struct stat status;
    bool done = descriptor_write(fd, text.bytes, text.length) && fstat(fd, &status) == 0;
    int number = errno;
    text_free(&text);
    if (done) {
        *owner = status.st_uid;
        // A umask may have taken our own right to read it; a file system without modes says no and needs
        // none. That it is synced helps after a loss of power only; whether the disk can sync at all is for
        // the measurement to find out.
        (void)fchmod(fd, 0600);
        (void)fsync(fd);
    }
    if (close(fd) < 0 && done) { // where network disks say that there was no room
        number = errno;
        done = false;
    }
    return done || fail(error, "write the file %s: %s", name, strerror(number));
}

static bool read_word(const char *line, const char *key, char *out, size_t size)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || strlen(line + length) >= size)
        return false;
    memcpy(out, line + length, strlen(line + length) + 1);
    return true;
}

static bool read_value(const char *line, const char *key, uint64_t *value)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || !isdigit((unsigned char)line[length]))
        return false;
    char *end;
    errno = 0;
    *value = strtoumax(line + length, &end, 10);
    return errno == 0 && !*end;
}

static enum marker_state parse(char *text, size_t length, const char *name, struct marker *marker)
{
    size_t first = sizeof first_line - 1;
    if (memchr(text, '\0', length))
        return MARKER_FOREIGN;
    if (memcmp(text, first_line, length < first ? length : first) != 0)
        return MARKER_FOREIGN;
    if (length <= first)
        return MARKER_UNFINISHED;

    *marker = (struct marker){0};
    bool has_pid = false, has_start = false;
    for (char *line = text + first, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            return MARKER_UNFINISHED;
        *end = '\0';
        if (!strcmp(line, last_line)) {
            bool ours = has_pid && has_start && !strcmp(marker->run, name + sizeof prefix - 1);
            return ours && end + 1 == text + length ? MARKER_VALID : MARKER_FOREIGN;
        }
        bool known = read_word(line, "run ", marker->run, sizeof marker->run) ||
                     read_word(line, "boot ", marker->boot, sizeof marker->boot) ||
                     read_word(line, "host ", marker->host, sizeof marker->host);
        bool is_pid = read_value(line, "pid ", &marker->pid);
        bool is_start = read_value(line, "start ", &marker->start);
        if (!known && !is_pid && !is_start)
            return MARKER_FOREIGN;
        has_pid |= is_pid;
        has_start |= is_start;
    }
    return MARKER_UNFINISHED;
}

enum marker_state marker_read(int dirfd, const char *name, struct marker *marker)
{
    // Without waiting: it may be a pipe that nobody writes to.
    int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return MARKER_FOREIGN;
    struct stat status;
    enum marker_state state = MARKER_FOREIGN;
    char text[MARKER_MOST + 1];
    size_t length = 0;
    bool readable = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    while (readable && length < MARKER_MOST) {
        ssize_t got = read(fd, text + length, MARKER_MOST - length);
        if (got < 0 && errno == EINTR)
            continue;
        readable = got >= 0;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    close(fd); // nothing was written
    text[length] = '\0';
    if (readable && length < MARKER_MOST)
        state = parse(text, length, name, marker);
    return state;
}

bool marker_same_boot(const struct marker *marker)
{
    char boot[MARKER_WORD_SIZE];
    boot_now(boot);
    return boot[0] && !strcmp(boot, marker->boot);
}

bool marker_same_host(const struct marker *marker)
{
    char host[MARKER_WORD_SIZE];
    host_now(host);
    return host[0] && !strcmp(host, marker->host);
}

bool marker_process_lives(const struct marker *marker)
{
    if (!marker_same_boot(marker) || marker->pid == 0 || marker->pid > INT32_MAX)
        return false;
    uint64_t start;
    if (start_of(marker->pid, &start))
        return marker->start == 0 || start == marker->start;
    // Other users' processes may be hidden in /proc.
    return kill((pid_t)marker->pid, 0) == 0 || errno == EPERM;
}
