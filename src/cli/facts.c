#include "cli/facts.h"

#include "base/units.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

// ---- Lines ----

// How much of a text stands on one line: at least a word, so that a path that is longer can still be copied.
static size_t line_length(const char *text, int columns)
{
    size_t end = strcspn(text, " ");
    while (text[end] == ' ') {
        size_t next = end + 1 + strcspn(text + end + 1, " ");
        struct text line = {0};
        text_append(&line, text, next);
        bool fits = text_columns(text_string(&line)) <= (size_t)columns;
        text_free(&line);
        if (!fits)
            break;
        end = next;
    }
    return end;
}

void facts_put_beside(struct text *out, const char *label, int label_columns, const char *value)
{
    while (*value) {
        size_t length = line_length(value, COLUMNS - label_columns);
        text_printf(out, "%-*s", label_columns, label);
        text_append(out, value, length);
        text_puts(out, "\n");
        label = "";
        value += length;
        value += *value == ' ';
    }
}

void facts_put(struct text *out, const char *label, const char *value)
{
    facts_put_beside(out, label, FACT_COLUMNS, value);
}

// The parts of a value, with commas between them.
static void part(struct text *value, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void part(struct text *value, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort(); // out of memory
    va_end(arguments);
    text_puts(value, value->length > 0 ? ", " : "");
    text_put_safe(value, text, false);
    free(text);
}

static void part_known(struct text *value, const char *before, const char *foreign, const char *after)
{
    if (foreign && *foreign)
        part(value, "%s%s%s", before, foreign, after);
}

static void part_bytes(struct text *value, const char *before, const struct count *bytes, const char *after)
{
    char text[UNITS_TEXT_SIZE];
    units_bytes(bytes->value, text);
    if (bytes->known)
        part(value, "%s%s%s", before, text, after);
}

static void put(struct text *out, const char *label, struct text *value)
{
    facts_put(out, label, text_string(value));
    text_free(value);
}

// ---- A disk ----

static void put_mount(struct text *out, const struct mount *mount)
{
    const struct {
        const char *label, *value;
    } lines[] = {
        {"type", mount->type ? mount->type : "unknown"},
        {"source", mount->source ? mount->source : "unknown"},
        {"mounted on", mount->target ? mount->target : "unknown"},
        {"options", mount->options},
        {"superblock", mount->super_options},
    };
    struct text value = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        part_known(&value, "", lines[i].value, "");
        put(out, lines[i].label, &value);
    }
}

static void put_upper(struct text *out, const struct device *device)
{
    struct text value = {0};
    part_known(&value, "", device->upper_path, "");
    part_known(&value, "on device ", device->upper_device, "");
    put(out, "upper layer", &value);
}

static void put_block(struct text *out, const struct device *device)
{
    struct text value = {0};
    part_known(&value, "", device->block_name, "");
    part_known(&value, "", device->block_model, "");
    if (device->rotational.known)
        part(&value, "%s", device->rotational.value ? "rotational" : "not rotational");
    part_known(&value, "scheduler ", device->scheduler, "");
    part_bytes(&value, "blocks of ", &device->logical_block_bytes, "");
    part_known(&value, "of the file ", device->backing_file, "");
    put(out, "device", &value);
}

static void put_read_ahead(struct text *out, const struct device *device)
{
    struct text value = {0};
    part_bytes(&value, "", &device->read_ahead_bytes, "");
    part_bytes(&value, "", &device->queue_read_ahead_bytes, " of the device");
    put(out, "read-ahead", &value);
    enum { ALL = 100 };
    if (device->bdi_max_ratio.known && device->bdi_max_ratio.value < ALL)
        part(&value, "at most %" PRIu64 " %% of the machine's", device->bdi_max_ratio.value);
    put(out, "dirty pages", &value);
}

static void put_fuse(struct text *out, const struct device *device)
{
    struct text value = {0};
    part_known(&value, "", device->fuse_subtype, "");
    part_known(&value, "served by ", device->fuse_server, "");
    part_bytes(&value, "reads of at most ", &device->fuse_max_read_bytes, "");
    put(out, "FUSE", &value);
}

void facts_put_disk(struct text *out, const struct run_tier *tier)
{
    struct text value = {0};
    part_known(&value, "", tier->path, "");
    put(out, "path", &value);
    put_mount(out, &tier->mount);
    put_upper(out, &tier->device);
    put_block(out, &tier->device);
    put_read_ahead(out, &tier->device);
    put_fuse(out, &tier->device);
}

// ---- The machine ----

static void put_machine(struct text *out, const struct host *host)
{
    struct text value = {0};
    part_known(&value, "", host->hostname, "");
    part_known(&value, "kernel ", host->kernel, "");
    part_known(&value, "", host->arch, "");
    part_known(&value, "container: ", host->container, "");
    part_known(&value, "hypervisor: ", host->hypervisor, "");
    put(out, "host", &value);
}

static void put_cpu(struct text *out, const struct host_cpu *cpu)
{
    struct text value = {0};
    part_known(&value, "", cpu->model, "");
    if (cpu->online.known)
        part(&value, "%" PRIu64 " online", cpu->online.value);
    if (cpu->affinity.known && (!cpu->online.known || cpu->affinity.value != cpu->online.value))
        part(&value, "%" PRIu64 " of them may be used", cpu->affinity.value);
    if (cpu->quota.known)
        part(&value, "quota of %.2f", cpu->quota.value);
    part_known(&value, "governor ", cpu->governor, "");
    put(out, "CPUs", &value);
}

static void put_memory(struct text *out, const struct host_memory *memory)
{
    struct text value = {0};
    part_bytes(&value, "", &memory->total_bytes, "");
    part_bytes(&value, "", &memory->available_bytes, " available");
    part_bytes(&value, "control group's limit ", &memory->limit_bytes, "");
    part_bytes(&value, "slowed down from ", &memory->high_bytes, " on");
    put(out, "memory", &value);
}

static void put_limits(struct text *out, const struct host_limits *limits)
{
    struct text value = {0};
    part_known(&value, "I/O ", limits->io_max, "");
    if (limits->nofile.known)
        part(&value, "%" PRIu64 " open files", limits->nofile.value);
    part_bytes(&value, "files of at most ", &limits->fsize_bytes, "");
    put(out, "limits", &value);
}

void facts_put_host(struct text *out, const struct host *host)
{
    put_machine(out, host);
    put_cpu(out, &host->cpu);
    put_memory(out, &host->memory);
    put_limits(out, &host->limits);
}
