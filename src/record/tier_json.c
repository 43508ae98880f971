// tier_json.c: one element of "tiers" of a run document.
#include "record/tier_json.h"

#include "record/run_json.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct field space_after_fields[] = {
    FIELD(space_after, free_bytes, FIELD_COUNT),
    FIELD(space_after, files_free, FIELD_COUNT),
    FIELDS_END,
};

static const struct field own_fields[] = {
    FIELD(run_tier, holds_output, FIELD_FLAG),
    FIELDS_END,
};

enum { DEVICE_TEXT_SIZE = 24, MAGIC_TEXT_SIZE = 20 };

// ---- Writing ----

static void write_mount(const struct mount *mount, const struct device *device, struct json_out *out)
{
    if (!mount->type && mount->id == 0 && !mount->has_f_type) {
        fields_write("mount", device_mount_fields, device, out);
        return;
    }
    json_key(out, "mount");
    json_open(out, '{');
    json_put_member_string(out, "type", mount->type);
    json_put_member_string(out, "source", mount->source);
    json_put_member_string(out, "target", mount->target);
    json_put_member_string(out, "options", mount->options);
    json_put_member_string(out, "super_options", mount->super_options);
    if (mount->type) {
        char numbers[DEVICE_TEXT_SIZE];
        snprintf(numbers, sizeof numbers, "%u:%u", mount->major, mount->minor);
        json_put_member_string(out, "device", numbers);
    }
    if (mount->id)
        json_put_member_integer(out, "id", mount->id);
    if (mount->has_f_type) {
        char magic[MAGIC_TEXT_SIZE];
        snprintf(magic, sizeof magic, "0x%" PRIx64, mount->f_type);
        json_put_member_string(out, "f_type", magic);
    }
    fields_write_members(device_mount_fields, device, out);
    json_close(out, '}');
}

static void write_space(const struct run_tier *tier, struct json_out *out)
{
    if (!tier->has_space)
        return;
    json_key(out, "space");
    json_open(out, '{');
    if (tier->total_bytes && tier->total_bytes <= RUN_INTEGER_MOST) {
        json_put_member_integer(out, "total_bytes", tier->total_bytes);
        json_put_member_integer(out, "free_bytes", tier->free_bytes);
    }
    if (tier->files_free)
        json_put_member_integer(out, "files_free", tier->files_free);
    json_close(out, '}');
}

void tier_json_write(const struct run_tier *tier, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_string(out, "name", tier->name);
    json_put_member_string(out, "path", tier->path);
    json_put_member_string(out, "path_given", tier->path_given);
    if (tier->null)
        json_put_member_boolean(out, "null", true);
    write_mount(&tier->mount, &tier->device, out);
    fields_write("device", device_fields, &tier->device, out);
    write_space(tier, out);
    fields_write("space_after", space_after_fields, &tier->after, out);
    fields_write("supports", capability_fields, &tier->supports, out);
    fields_write("probes", probes_fields, &tier->probes, out);
    fields_write_members(own_fields, tier, out);
    json_close(out, '}');
}

// ---- Reading ----

// Reads decimal digits up to `end`, the byte that must stand there.
static bool parse_unsigned(const char **text, char end, unsigned *number)
{
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 10 || (*text)[digits] != end)
        return false;
    unsigned long long value = strtoull(*text, NULL, 10);
    if (value > UINT_MAX)
        return false;
    *number = (unsigned)value;
    *text += digits + 1;
    return true;
}

static bool read_device(const struct json_value *value, struct mount *mount, struct error *error)
{
    const char *device = NULL;
    if (!json_get_string(value, "device", JSON_OPTIONAL, &device, error))
        return false;
    if (device &&
        (!parse_unsigned(&device, ':', &mount->major) || !parse_unsigned(&device, '\0', &mount->minor)))
        return json_fail_member(value, "device", error, "not two numbers as \"8:1\"");
    return true;
}

static bool read_magic(const struct json_value *value, struct mount *mount, struct error *error)
{
    const char *magic = NULL;
    if (!json_get_string(value, "f_type", JSON_OPTIONAL, &magic, error))
        return false;
    if (!magic)
        return true;
    size_t digits = strncmp(magic, "0x", 2) ? 0 : strspn(magic + 2, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 16 || magic[2 + digits] != '\0')
        return json_fail_member(value, "f_type", error, "not a number as \"0xef53\"");
    mount->f_type = strtoull(magic, NULL, 16);
    mount->has_f_type = true;
    return true;
}

static bool read_mount(const struct json_value *value, struct mount *mount, struct error *error)
{
    return json_get_copy(value, "type", JSON_OPTIONAL, &mount->type, error) &&
           json_get_copy(value, "source", JSON_OPTIONAL, &mount->source, error) &&
           json_get_copy(value, "target", JSON_OPTIONAL, &mount->target, error) &&
           json_get_copy(value, "options", JSON_OPTIONAL, &mount->options, error) &&
           json_get_copy(value, "super_options", JSON_OPTIONAL, &mount->super_options, error) &&
           json_get_integer(value, "id", JSON_OPTIONAL, RUN_INTEGER_MOST, &mount->id, error) &&
           read_device(value, mount, error) && read_magic(value, mount, error);
}

static bool read_space(const struct json_value *value, struct run_tier *tier, struct error *error)
{
    tier->has_space = true;
    return json_get_integer(value, "total_bytes", JSON_OPTIONAL, RUN_INTEGER_MOST, &tier->total_bytes,
                            error) &&
           json_get_integer(value, "free_bytes", JSON_OPTIONAL, RUN_INTEGER_MOST, &tier->free_bytes, error) &&
           json_get_integer(value, "files_free", JSON_OPTIONAL, RUN_INTEGER_MOST, &tier->files_free, error);
}

bool tier_json_read(const struct json_value *value, struct run_tier *tier, struct error *error)
{
    struct json_value mount, space;
    if (!json_be_object(value, error) || !json_get_copy(value, "name", JSON_REQUIRED, &tier->name, error) ||
        !json_get_boolean(value, "null", JSON_OPTIONAL, &tier->null, error) ||
        !json_get_copy(value, "path", tier->null ? JSON_OPTIONAL : JSON_REQUIRED, &tier->path, error) ||
        !json_get_copy(value, "path_given", JSON_OPTIONAL, &tier->path_given, error) ||
        !json_get_object(value, "mount", JSON_OPTIONAL, &mount, error) ||
        !json_get_object(value, "space", JSON_OPTIONAL, &space, error))
        return false;
    if (tier->name[0] == '\0')
        return json_fail_member(value, "name", error, "empty");
    return (!mount.node || (read_mount(&mount, &tier->mount, error) &&
                            fields_read(&mount, device_mount_fields, &tier->device, error))) &&
           (!space.node || read_space(&space, tier, error)) && fields_read(value, own_fields, tier, error) &&
           fields_read_object(value, "device", device_fields, &tier->device, error) &&
           fields_read_object(value, "space_after", space_after_fields, &tier->after, error) &&
           fields_read_object(value, "supports", capability_fields, &tier->supports, error) &&
           fields_read_object(value, "probes", probes_fields, &tier->probes, error);
}
