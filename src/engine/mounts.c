#include "engine/mounts.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "engine/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

// The columns of a line that have a fixed place: before the optional ones, and after the "-" that ends those.
enum { FIELD_ID, FIELD_PARENT, FIELD_DEVICE, FIELD_ROOT, FIELD_TARGET, FIELD_OPTIONS, FIELDS_BEFORE };
enum { FIELD_TYPE, FIELD_SOURCE, FIELD_SUPER_OPTIONS, FIELDS_AFTER };

struct field {
    const char *bytes;
    size_t length;
};

// Takes the next column off a line. Columns end at one blank: an empty source is two blanks in a row.
static bool next_field(const char **line, const char *end, struct field *field)
{
    if (!*line)
        return false;
    const char *blank = memchr(*line, ' ', (size_t)(end - *line));
    field->bytes = *line;
    field->length = (size_t)((blank ? blank : end) - *line);
    *line = blank ? blank + 1 : NULL;
    return true;
}

static bool field_is(const struct field *field, const char *text)
{
    return field->length == strlen(text) && !memcmp(field->bytes, text, field->length);
}

static bool field_number(const struct field *field, char after, uint64_t *number, struct field *rest)
{
    uint64_t value = 0;
    size_t i = 0;
    for (; i < field->length && field->bytes[i] >= '0' && field->bytes[i] <= '9'; i++) {
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(field->bytes[i] - '0'), &value))
            return false;
    }
    if (i == 0)
        return false;
    *number = value;
    if (!after)
        return i == field->length;
    if (i == field->length || field->bytes[i] != after)
        return false;
    *rest = (struct field){field->bytes + i + 1, field->length - i - 1};
    return true;
}

static bool is_octal(char c, char most)
{
    return c >= '0' && c <= most;
}

// Blanks, tabs, line ends, '#' and backslashes stand as three octal digits after a backslash.
static bool is_escape(const char *p, size_t length)
{
    return length >= 4 && p[0] == '\\' && is_octal(p[1], '3') && is_octal(p[2], '7') && is_octal(p[3], '7') &&
           memcmp(p, "\\000", 4) != 0;
}

static char *field_text(const struct field *field)
{
    char *text = xmalloc(field->length + 1);
    size_t out = 0;
    for (size_t i = 0; i < field->length; i++) {
        const char *p = field->bytes + i;
        text[out] = *p;
        if (is_escape(p, field->length - i)) {
            text[out] = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
            i += 3;
        }
        out++;
    }
    text[out] = '\0';
    return text;
}

// With `id`, only the line of that mount.
//
// "36 35 98:0 /root /target options [optional ...] - type source super-options"
static bool read_line(const char *line, const char *end, const uint64_t *id, struct mount *mount)
{
    struct field before[FIELDS_BEFORE], after[FIELDS_AFTER], minor_field, rest;
    uint64_t found, major, minor;
    if (!next_field(&line, end, &before[FIELD_ID]) || !field_number(&before[FIELD_ID], 0, &found, &rest) ||
        (id && found != *id))
        return false;
    for (int i = FIELD_PARENT; i < FIELDS_BEFORE; i++) {
        if (!next_field(&line, end, &before[i]))
            return false;
    }
    struct field optional;
    do {
        if (!next_field(&line, end, &optional))
            return false;
    } while (!field_is(&optional, "-"));
    for (int i = FIELD_TYPE; i < FIELDS_AFTER; i++) {
        if (!next_field(&line, end, &after[i]))
            return false;
    }
    if (after[FIELD_TYPE].length == 0 || before[FIELD_TARGET].length == 0)
        return false;
    if (!field_number(&before[FIELD_DEVICE], ':', &major, &minor_field) ||
        !field_number(&minor_field, 0, &minor, &rest) || major > UINT32_MAX || minor > UINT32_MAX)
        return false;

    mount->id = found;
    mount->major = (unsigned)major;
    mount->minor = (unsigned)minor;
    mount->target = field_text(&before[FIELD_TARGET]);
    mount->options = field_text(&before[FIELD_OPTIONS]);
    mount->type = field_text(&after[FIELD_TYPE]);
    mount->source = field_text(&after[FIELD_SOURCE]);
    mount->super_options = field_text(&after[FIELD_SUPER_OPTIONS]);
    return true;
}

bool mountinfo_find(const char *mountinfo, uint64_t id, struct mount *mount)
{
    const char *line = mountinfo;
    while (*line) {
        const char *end = line + strcspn(line, "\n");
        if (read_line(line, end, &id, mount))
            return true;
        line = end + (*end == '\n');
    }
    return false;
}

static bool lies_below(const char *path, const char *target)
{
    size_t length = strlen(target);
    if (length > 0 && target[length - 1] == '/')
        length--;
    return !strncmp(path, target, length) && (path[length] == '/' || path[length] == '\0');
}

bool mountinfo_find_path(const char *mountinfo, const char *path, struct mount *mount, bool *remote)
{
    bool found = false;
    *remote = false;
    for (const char *line = mountinfo; *line;) {
        const char *end = line + strcspn(line, "\n");
        struct mount candidate = {0};
        bool usable = read_line(line, end, NULL, &candidate) && lies_below(path, candidate.target);
        *remote |= usable && mount_is_remote(&candidate);
        if (usable && (!found || strlen(candidate.target) >= strlen(mount->target))) {
            mount_release(mount);
            *mount = candidate;
            found = true;
        } else {
            mount_release(&candidate);
        }
        line = end + (*end == '\n');
    }
    return found;
}

bool mount_of_path(const char *root, const char *path, struct mount *mount)
{
    char *file = xformat("%s/proc/self/mountinfo", root), *place = xformat("%s%s", root, path);
    struct text text = {0};
    bool remote = false;
    bool found = *path == '/' && proc_read(file, &text) &&
                 mountinfo_find_path(text_string(&text), path, mount, &remote);
    if (found && !remote) {
        uint64_t id;
        int fd = open(place, O_PATH | O_CLOEXEC);
        mount_release(mount);
        found = fd >= 0 && mount_id_of(fd, &id) && mountinfo_find(text_string(&text), id, mount);
        if (fd >= 0)
            close(fd);
    }
    text_free(&text);
    free(place);
    free(file);
    return found;
}

char *mount_super_option(const struct mount *mount, const char *name)
{
    size_t length = strlen(name);
    for (const char *option = mount->super_options; option; option = strchr(option, ',')) {
        option += *option == ',';
        if (!strncmp(option, name, length) && option[length] == '=')
            return xstrndup(option + length + 1, strcspn(option + length + 1, ","));
    }
    return NULL;
}

char *mount_overlay_upper(const struct mount *mount)
{
    bool overlay = mount->type && !strcmp(mount->type, "overlay");
    return overlay ? mount_super_option(mount, "upperdir") : NULL;
}

bool mount_id_of(int fd, uint64_t *id)
{
    struct statx status;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) == 0 &&
        (status.stx_mask & STATX_MNT_ID)) {
        *id = status.stx_mnt_id;
        return true;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    struct text text = {0};
    bool found = proc_read(path, &text) && proc_number(text_string(&text), "mnt_id:", id);
    text_free(&text);
    return found;
}

void mount_of(int dirfd, struct mount *mount)
{
    struct statfs status;
    if (fstatfs(dirfd, &status) == 0) {
        mount->f_type = (uint64_t)status.f_type & UINT32_MAX; // a 32-bit number that some machines extend
        mount->has_f_type = true;
    }
    if (!mount_id_of(dirfd, &mount->id))
        return;
    struct text text = {0};
    if (proc_read("/proc/self/mountinfo", &text))
        mountinfo_find(text_string(&text), mount->id, mount);
    text_free(&text);
}
