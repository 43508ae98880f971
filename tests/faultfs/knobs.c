#include "knobs.h"
#include "base/units.h"
#include "times.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SECOND = 1000000000 };

const struct knobs knobs_default = {
    .attr_timeout_ns = SECOND,
    .entry_timeout_ns = SECOND,
    .stall_kinds = UINT64_C(1) << KIND_WRITE,
    .fsync = DURABILITY_FILE,
    .flush = DURABILITY_NOOP,
    .odirect = true,
    .dirent_types = true,
    .statfs = true,
    .xattr = true,
    .fallocate = true,
};

static const char *const durability_words[] = {
    [DURABILITY_FILE] = "file",
    [DURABILITY_ALL] = "all",
    [DURABILITY_NOOP] = "noop",
    [DURABILITY_ENOSYS] = "enosys",
};
enum { DURABILITY_COUNT = sizeof durability_words / sizeof *durability_words };

static bool parse_time(const char *text, void *place, struct error *error)
{
    return time_parse(text, place, error);
}

static void put_time(struct text *text, const void *place)
{
    time_put(text, *(const uint64_t *)place);
}

static bool parse_size(const char *text, void *place, struct error *error)
{
    return units_parse_size("bytes", text, place, error);
}

static void put_size(struct text *text, const void *place)
{
    text_printf(text, "%" PRIu64, *(const uint64_t *)place);
}

static bool parse_rate(const char *text, void *place, struct error *error)
{
    char size[UNITS_TEXT_SIZE];
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, "/s") == 0)
        length -= 2;
    if (length >= sizeof size)
        return fail(error, "'%s' is not a rate", text);
    memcpy(size, text, length);
    size[length] = '\0';
    return units_parse_size("bytes a second", size, place, error);
}

static bool parse_switch(const char *text, void *place, struct error *error)
{
    bool on = strcmp(text, "on") == 0;
    if (!on && strcmp(text, "off") != 0)
        return fail(error, "'%s' is neither on nor off", text);
    *(bool *)place = on;
    return true;
}

static void put_switch(struct text *text, const void *place)
{
    text_puts(text, *(const bool *)place ? "on" : "off");
}

static bool parse_durability(const char *text, void *place, struct error *error)
{
    for (int i = 0; i < DURABILITY_COUNT; i++) {
        if (strcmp(durability_words[i], text) != 0)
            continue;
        *(int *)place = i;
        return true;
    }
    return fail(error, "'%s' is neither file, all, noop nor enosys", text);
}

static void put_durability(struct text *text, const void *place)
{
    text_puts(text, durability_words[*(const int *)place]);
}

static bool parse_kinds(const char *text, void *place, struct error *error)
{
    return kinds_parse(text, place, error);
}

static void put_kinds(struct text *text, const void *place)
{
    const char *between = "";
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!kinds_have(*(const uint64_t *)place, (enum kind)kind))
            continue;
        text_printf(text, "%s%s", between, kind_name((enum kind)kind));
        between = "+";
    }
}

static bool parse_names(const char *text, void *place, struct error *error)
{
    if (strlen(text) >= NAMES_SIZE)
        return fail(error, "'%.100s...' is too long", text);
    strcpy(place, text);
    return true;
}

static void put_names(struct text *text, const void *place)
{
    text_puts(text, place);
}

struct type {
    const char *words;
    bool (*parse)(const char *text, void *place, struct error *error);
    void (*put)(struct text *text, const void *place);
};
static const struct type type_time = {"TIME", parse_time, put_time};
static const struct type type_size = {"SIZE", parse_size, put_size};
static const struct type type_rate = {"SIZE/s", parse_rate, put_size};
static const struct type type_switch = {"on|off", parse_switch, put_switch};
static const struct type type_kinds = {"KIND", parse_kinds, put_kinds};
static const struct type type_names = {"NAMES", parse_names, put_names};
static const struct type type_durability = {"file|all|noop|enosys", parse_durability, put_durability};

static const struct knob {
    const char *name;
    const struct type *type;
    size_t place;
    bool only_at_mount;
    const char *help;
} table[] = {
    {"read_rate", &type_rate, offsetof(struct knobs, read_rate), false,
     "all reads together move so much; 0: no limit"},
    {"write_rate", &type_rate, offsetof(struct knobs, write_rate), false, "all writes together"},
    {"buffer", &type_size, offsetof(struct knobs, buffer_bytes), false,
     "writes are taken at once while they fit in here"},
    {"drain", &type_rate, offsetof(struct knobs, drain), false, "how fast that empties; 0: at once"},
    {"drop_removed", &type_switch, offsetof(struct knobs, drop_removed), false,
     "what is in the buffer of a file that is removed needn't drain"},
    {"fsync", &type_durability, offsetof(struct knobs, fsync), false,
     "waits until the file's bytes have left the buffer, or all, or doesn't (a lie), or is unknown"},
    {"flush", &type_durability, offsetof(struct knobs, flush), false, "the same of close()"},
    {"stall", &type_time, offsetof(struct knobs, stall_ns), false, "a first use takes so much longer"},
    {"stall_kind", &type_kinds, offsetof(struct knobs, stall_kinds), false, "which calls that concerns"},
    {"stall_names", &type_names, offsetof(struct knobs, stall_names), false, "on which files; none: all"},
    {"stall_idle", &type_time, offsetof(struct knobs, stall_idle_ns), false,
     "after so long without such a call the next one is a first use again; 0: never"},
    {"serial", &type_switch, offsetof(struct knobs, serial), false, "one call at a time"},
    {"sync_reads", &type_switch, offsetof(struct knobs, sync_reads), true,
     "the kernel reads ahead one request at a time"},
    {"attr_timeout", &type_time, offsetof(struct knobs, attr_timeout_ns), false,
     "how long the kernel may remember attributes"},
    {"entry_timeout", &type_time, offsetof(struct knobs, entry_timeout_ns), false,
     "how long it may remember names"},
    {"keep_cache", &type_switch, offsetof(struct knobs, keep_cache), false,
     "an open() leaves the page cache as it is"},
    {"direct_io", &type_switch, offsetof(struct knobs, direct_io), false,
     "files opened from now on go past the page cache"},
    {"odirect", &type_switch, offsetof(struct knobs, odirect), false, "off: O_DIRECT is refused with EINVAL"},
    {"dirent_types", &type_switch, offsetof(struct knobs, dirent_types), false,
     "off: readdir says DT_UNKNOWN of all"},
    {"statfs", &type_switch, offsetof(struct knobs, statfs), false, "off: it counts 0 blocks and 0 files"},
    {"xattr", &type_switch, offsetof(struct knobs, xattr), false, "off: extended attributes are refused"},
    {"fallocate", &type_switch, offsetof(struct knobs, fallocate), false, "off: it is refused"},
};
enum { KNOB_COUNT = sizeof table / sizeof *table };

// latency or latency.KIND
static bool set_latency(struct knobs *knobs, const char *name, const char *value, struct error *error)
{
    const char *kind = strchr(name, '.');
    uint64_t kinds = 0, ns = 0;
    if (!kinds_parse(kind ? kind + 1 : "all", &kinds, error) || !time_parse(value, &ns, error))
        return fail_context(error, "%s", name);
    for (int i = 0; i < KIND_COUNT; i++)
        if (kinds_have(kinds, (enum kind)i))
            knobs->latency_ns[i] = ns;
    return true;
}

bool knobs_set(struct knobs *knobs, const char *name, const char *value, bool mounted, struct error *error)
{
    if (strcmp(name, "latency") == 0 || strncmp(name, "latency.", strlen("latency.")) == 0)
        return set_latency(knobs, name, value, error);
    for (int i = 0; i < KNOB_COUNT; i++) {
        const struct knob *knob = &table[i];
        if (strcmp(knob->name, name) != 0)
            continue;
        if (mounted && knob->only_at_mount)
            return fail(error, "%s can be set only when the disk is mounted", name);
        return knob->type->parse(value, (char *)knobs + knob->place, error) ||
               fail_context(error, "%s", name);
    }
    return fail(error, "'%s' is no knob", name);
}

void knobs_show(const struct knobs *knobs, struct text *answer)
{
    for (int i = 0; i < KNOB_COUNT; i++) {
        text_printf(answer, "%s=", table[i].name);
        table[i].type->put(answer, (const char *)knobs + table[i].place);
        text_puts(answer, "\n");
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (knobs->latency_ns[kind] == 0)
            continue;
        text_printf(answer, "latency.%s=", kind_name((enum kind)kind));
        time_put(answer, knobs->latency_ns[kind]);
        text_puts(answer, "\n");
    }
}

void knobs_print(void)
{
    printf("  %-14s%-21s%-8s%s\n", "latency", "TIME", "0", "each call takes so much longer");
    printf("  %-14s%-21s%-8s%s\n", "latency.KIND", "TIME", "0", "each of that kind or group");
    for (int i = 0; i < KNOB_COUNT; i++) {
        struct text value = {0};
        table[i].type->put(&value, (const char *)&knobs_default + table[i].place);
        printf("  %-14s%-21s%-8s%s%s\n", table[i].name, table[i].type->words, text_string(&value),
               table[i].help, table[i].only_at_mount ? " (only at mount)" : "");
        text_free(&value);
    }
}
