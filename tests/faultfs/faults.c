#include "faults.h"
#include "base/clock.h"
#include "base/units.h"
#include "times.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum type { TYPE_FAIL, TYPE_HANG, TYPE_SHORT, TYPE_FLIP, TYPE_FLIP_AT, TYPE_COUNT };

#define ANY_KIND   (~UINT64_C(0))
#define READS      (UINT64_C(1) << KIND_READ)
#define MOVES      (READS | UINT64_C(1) << KIND_WRITE)
#define ERRNO_MOST 133 // the largest that Linux gives to programs

static bool parse_error(const char *text, struct fault *fault, struct error *error)
{
    for (int number = 1; number <= ERRNO_MOST; number++) {
        const char *name = strerrorname_np(number);
        if (!name || strcmp(name, text) != 0)
            continue;
        fault->error = number;
        return true;
    }
    return fail(error, "'%s' is no error", text);
}

static bool parse_hang(const char *text, struct fault *fault, struct error *error)
{
    if (strcmp(text, "forever") != 0)
        return time_parse(text, &fault->ns, error);
    fault->ns = UINT64_MAX;
    return true;
}

static bool parse_bytes(const char *text, struct fault *fault, struct error *error)
{
    return units_parse_size("bytes", text, &fault->bytes, error);
}

static bool parse_offset(const char *text, struct fault *fault, struct error *error)
{
    return units_parse_size("offset", text, &fault->offset, error);
}

static const struct {
    const char *name, *argument, *help;
    uint64_t kinds; // those that it is possible for
    bool (*parse)(const char *text, struct fault *fault, struct error *error);
} types[TYPE_COUNT] = {
    [TYPE_FAIL] = {"fail", "ERRNO", "it fails: fail=rename:EXDEV:1+", ANY_KIND, parse_error},
    [TYPE_HANG] = {"hang", "TIME|forever", "it gives no answer for so long, or until released", ANY_KIND,
                   parse_hang},
    [TYPE_SHORT] = {"short", "BYTES", "it moves no more than these", MOVES, parse_bytes},
    [TYPE_FLIP] = {"flip", "OFFSET", "one byte of its answer is wrong, counted from its first", READS,
                   parse_offset},
    [TYPE_FLIP_AT] = {"flip_at", "OFFSET",
                      "the same, counted from the file's first; only reads of that byte count", READS,
                      parse_offset},
};

static int type_named(const char *name)
{
    int type = 0;
    while (type < TYPE_COUNT && strcmp(types[type].name, name) != 0)
        type++;
    return type;
}

bool faults_is_type(const char *name)
{
    return type_named(name) < TYPE_COUNT;
}

static bool parse_when(const char *text, struct fault *fault, struct error *error)
{
    char digits[24];
    size_t length = strlen(text);
    fault->onward = length > 0 && text[length - 1] == '+';
    if (fault->onward)
        length--;
    if (length >= sizeof digits)
        return fail(error, "'%s' names no call", text);
    memcpy(digits, text, length);
    digits[length] = '\0';
    return units_parse_count("the call", digits, 1, UINT64_MAX, &fault->first, error);
}

static bool parse_fault(struct fault *fault, const char *words, struct error *error)
{
    char copy[sizeof fault->words];
    if (strlen(words) >= sizeof copy)
        return fail(error, "that is too long");
    strcpy(copy, words);
    strcpy(fault->words, words);
    char *rest = copy;
    const char *kind = strsep(&rest, ":");
    const char *argument = rest ? strsep(&rest, ":") : "";
    const char *when = rest ? strsep(&rest, ":") : "1";
    if (!kinds_parse(kind, &fault->kinds, error))
        return false;
    if ((fault->kinds & ~types[fault->type].kinds) != 0)
        return fail(error, "that can't happen to %s", kind);
    if (rest && (strlen(rest) == 0 || strlen(rest) >= sizeof fault->names))
        return fail(error, "'%s' is no pattern of names", rest);
    if (rest)
        strcpy(fault->names, rest);
    return types[fault->type].parse(argument, fault, error) && parse_when(when, fault, error);
}

void faults_open(struct faults *faults)
{
    *faults = (struct faults){0};
    pthread_condattr_t attributes;
    pthread_mutex_init(&faults->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&faults->released, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool faults_add(struct faults *faults, const char *type, const char *words, struct error *error)
{
    struct fault fault = {.type = type_named(type)};
    if (!parse_fault(&fault, words, error))
        return fail_context(error, "%s=%s", type, words);
    pthread_mutex_lock(&faults->lock);
    bool room = faults->count < FAULTS_MOST;
    if (room)
        faults->list[faults->count++] = fault;
    pthread_mutex_unlock(&faults->lock);
    return room || fail(error, "%d faults are set: no more fit", FAULTS_MOST);
}

bool faults_want_names(struct faults *faults)
{
    bool want = false;
    pthread_mutex_lock(&faults->lock);
    for (int i = 0; i < faults->count; i++)
        want |= faults->list[i].names[0] != '\0';
    pthread_mutex_unlock(&faults->lock);
    return want;
}

static bool concerns(const struct fault *fault, enum kind kind, const char *name)
{
    if (!kinds_have(fault->kinds, kind))
        return false;
    return fault->names[0] == '\0' || (name && fnmatch(fault->names, name, 0) == 0);
}

// Counts a call that a fault concerns, and says whether it is one of those that go wrong.
static bool hits(struct fault *fault)
{
    fault->seen++;
    if (fault->seen != fault->first && !(fault->onward && fault->seen > fault->first))
        return false;
    fault->hit++;
    return true;
}

struct ordeal faults_meet(struct faults *faults, enum kind kind, const char *name)
{
    struct ordeal ordeal = {.most = UINT64_MAX};
    pthread_mutex_lock(&faults->lock);
    for (int i = 0; i < faults->count; i++) {
        struct fault *fault = &faults->list[i];
        if (fault->type > TYPE_SHORT || !concerns(fault, kind, name) || !hits(fault))
            continue;
        if (fault->type == TYPE_FAIL)
            ordeal.error = fault->error;
        else if (fault->type == TYPE_HANG)
            ordeal.hang_ns = fault->ns;
        else
            ordeal.most = fault->bytes;
    }
    pthread_mutex_unlock(&faults->lock);
    return ordeal;
}

void faults_flip(struct faults *faults, const char *name, char *bytes, size_t length, uint64_t offset)
{
    pthread_mutex_lock(&faults->lock);
    for (int i = 0; i < faults->count; i++) {
        struct fault *fault = &faults->list[i];
        if (fault->type < TYPE_FLIP || !concerns(fault, KIND_READ, name))
            continue;
        uint64_t at = fault->offset;
        if (fault->type == TYPE_FLIP_AT && (at < offset || at - offset >= length))
            continue;
        if (fault->type == TYPE_FLIP_AT)
            at -= offset;
        if (hits(fault) && at < length)
            bytes[at] ^= 1;
    }
    pthread_mutex_unlock(&faults->lock);
}

void faults_hang(struct faults *faults, uint64_t ns)
{
    pthread_mutex_lock(&faults->lock);
    uint64_t releases = faults->releases;
    uint64_t deadline = ns == UINT64_MAX ? 0 : clock_monotonic_ns() + ns;
    struct timespec until = {(time_t)(deadline / NS_PER_S), (long)(deadline % NS_PER_S)};
    faults->hung++;
    int error = 0;
    while (releases == faults->releases && !faults->over && error != ETIMEDOUT)
        error = deadline == 0 ? pthread_cond_wait(&faults->released, &faults->lock)
                              : pthread_cond_timedwait(&faults->released, &faults->lock, &until);
    faults->hung--;
    pthread_mutex_unlock(&faults->lock);
}

// Each of these ends what hangs.
static void let_go(struct faults *faults, bool forget, bool over)
{
    pthread_mutex_lock(&faults->lock);
    faults->releases++;
    faults->over |= over;
    if (forget)
        faults->count = 0;
    pthread_cond_broadcast(&faults->released);
    pthread_mutex_unlock(&faults->lock);
}

void faults_release(struct faults *faults)
{
    let_go(faults, false, false);
}

void faults_end(struct faults *faults)
{
    let_go(faults, false, true);
}

void faults_clear(struct faults *faults)
{
    let_go(faults, true, false);
}

int faults_hung(struct faults *faults)
{
    pthread_mutex_lock(&faults->lock);
    int hung = faults->hung;
    pthread_mutex_unlock(&faults->lock);
    return hung;
}

void faults_show(struct faults *faults, struct text *answer)
{
    pthread_mutex_lock(&faults->lock);
    for (int i = 0; i < faults->count; i++) {
        const struct fault *fault = &faults->list[i];
        text_printf(answer, "%s=%s seen %" PRIu64 " hit %" PRIu64 "\n", types[fault->type].name, fault->words,
                    fault->seen, fault->hit);
    }
    pthread_mutex_unlock(&faults->lock);
}

void faults_print(void)
{
    for (int i = 0; i < TYPE_COUNT; i++)
        printf("  %-8s%-14s%s\n", types[i].name, types[i].argument, types[i].help);
}
