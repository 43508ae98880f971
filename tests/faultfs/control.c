#include "control.h"
#include "base/descriptor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { REQUEST_SIZE = 16384, PATIENCE_S = 10 };

bool control_set(struct disk *disk, const char *words, bool mounted, struct error *error)
{
    char name[32];
    const char *equals = strchr(words, '=');
    size_t length = equals ? (size_t)(equals - words) : sizeof name;
    if (length >= sizeof name)
        return fail(error, "'%.100s' is neither a command nor NAME=VALUE", words);
    memcpy(name, words, length);
    name[length] = '\0';
    if (faults_is_type(name))
        return faults_add(&disk->faults, name, equals + 1, error);
    struct knobs knobs = disk_knobs(disk);
    if (!knobs_set(&knobs, name, equals + 1, mounted, error))
        return false;
    disk_set_knobs(disk, &knobs);
    return true;
}

static void show(struct disk *disk, struct text *answer)
{
    struct knobs knobs = disk_knobs(disk);
    knobs_show(&knobs, answer);
    faults_show(&disk->faults, answer);
}

static void zero(struct disk *disk, struct text *answer)
{
    (void)answer;
    disk_zero_counters(disk);
}

static void clear(struct disk *disk, struct text *answer)
{
    (void)answer;
    faults_clear(&disk->faults);
}

static void release(struct disk *disk, struct text *answer)
{
    (void)answer;
    faults_release(&disk->faults);
}

static void cold(struct disk *disk, struct text *answer)
{
    (void)answer;
    disk_make_cold(disk);
}

static void pid(struct disk *disk, struct text *answer)
{
    (void)disk;
    text_printf(answer, "%d\n", (int)getpid());
}

static const struct command {
    const char *name;
    void (*run)(struct disk *disk, struct text *answer);
    const char *help;
} commands[] = {
    {"show", show, "all knobs, and of each fault how many calls it has seen and hit"},
    {"counters", disk_show_counters,
     "calls of each kind, bytes moved, bytes in the write buffer, calls that hang now"},
    {"zero", zero, "the counters begin again"},
    {"clear", clear, "no fault is set any more, and what hangs goes on"},
    {"release", release, "what hangs goes on; the faults stay"},
    {"cold", cold, "the next use is a first use"},
    {"pid", pid, "the server's process"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static bool run_line(struct disk *disk, const char *line, struct text *answer, struct error *error)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, line) != 0)
            continue;
        commands[i].run(disk, answer);
        return true;
    }
    return control_set(disk, line, true, error);
}

// Neither side waits for ever for the other.
static void be_patient(int fd)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

static bool address_of(const char *path, struct sockaddr_un *address, struct error *error)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address->sun_path)
        return fail(error, "%s: a socket's path has %zu bytes at the most", path,
                    sizeof address->sun_path - 1);
    strcpy(address->sun_path, path);
    return true;
}

int control_listen(const char *path, struct error *error)
{
    struct sockaddr_un address;
    if (!address_of(path, &address, error))
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 16) == 0)
        return fd;
    fail(error, "can't listen at %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool read_request(int fd, char *request)
{
    size_t length = 0;
    ssize_t got = 1;
    while (got > 0 && length < REQUEST_SIZE - 1) {
        got = read(fd, request + length, REQUEST_SIZE - 1 - length);
        length += got > 0 ? (size_t)got : 0;
    }
    request[length] = '\0';
    return got == 0;
}

void control_answer(struct disk *disk, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    be_patient(fd);
    char request[REQUEST_SIZE], *rest = request;
    struct error error = {0};
    struct text answer = {0};
    bool good = read_request(fd, request) || fail(&error, "the request didn't come whole");
    for (const char *line; good && (line = strsep(&rest, "\n"));)
        good = *line == '\0' || run_line(disk, line, &answer, &error);
    text_printf(&answer, good ? "ok\n" : "error: %s\n", error.text);
    (void)!descriptor_write(fd, text_string(&answer),
                            answer.length); // a client that has gone wants no answer
    text_free(&answer);
    close(fd);
}

// All but the last line is for the reader; that one says whether all is well.
static bool print_answer(struct text *answer, struct error *error)
{
    if (answer->length == 0)
        return fail(error, "no answer came");
    answer->bytes[answer->length - 1] = '\0';
    char *last = strrchr(answer->bytes, '\n');
    last = last ? last + 1 : answer->bytes;
    fwrite(answer->bytes, 1, (size_t)(last - answer->bytes), stdout);
    return strcmp(last, "ok") == 0 || fail(error, "%s", last);
}

bool control_ask(const char *path, char *const lines[], int count, struct error *error)
{
    struct sockaddr_un address;
    if (!address_of(path, &address, error))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fail(error, "no socket: %s", strerror(errno));
    be_patient(fd);
    struct text words = {0};
    for (int i = 0; i < count; i++)
        text_printf(&words, "%s\n", lines[i]);
    bool good = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                descriptor_write(fd, text_string(&words), words.length) && shutdown(fd, SHUT_WR) == 0;
    text_free(&words);
    ssize_t got = good ? 1 : -1;
    while (got > 0) {
        char part[4096];
        got = read(fd, part, sizeof part);
        if (got > 0)
            text_append(&words, part, (size_t)got);
    }
    if (got < 0)
        fail(error, "nobody answers at %s: %s", path, strerror(errno));
    close(fd);
    bool done = got == 0 && print_answer(&words, error);
    text_free(&words);
    return done;
}

void control_print(void)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-10s%s\n", commands[i].name, commands[i].help);
}
