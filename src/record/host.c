// host.c: the member "host" of a run document.
#include "record/host.h"

static const struct field host_fields[] = {
    FIELD(host, hostname, FIELD_TEXT),
    FIELD(host, boot_id, FIELD_TEXT),
    FIELD(host, machine_id_sha256, FIELD_TEXT),
    FIELD(host, container, FIELD_TEXT),
    FIELD(host, cgroup, FIELD_TEXT),
    FIELD(host, kernel, FIELD_TEXT),
    FIELD(host, kernel_version, FIELD_TEXT),
    FIELD(host, arch, FIELD_TEXT),
    FIELD(host, libc, FIELD_TEXT),
    FIELD(host, hypervisor, FIELD_TEXT),
    FIELD(host, uid, FIELD_COUNT),
    FIELD(host, capabilities, FIELD_TEXT),
    FIELD(host, seccomp, FIELD_COUNT),
    FIELD(host, nice, FIELD_SIGNED),
    FIELD(host, ioprio, FIELD_TEXT),
    FIELDS_END,
};

static const struct field cpu_fields[] = {
    FIELD(host_cpu, model, FIELD_TEXT),
    FIELD(host_cpu, online, FIELD_COUNT),
    FIELD(host_cpu, affinity, FIELD_COUNT),
    FIELD(host_cpu, quota, FIELD_REAL),
    FIELD(host_cpu, governor, FIELD_TEXT),
    FIELD(host_cpu, mhz, FIELD_REAL),
    FIELDS_END,
};

static const struct field memory_fields[] = {
    FIELD(host_memory, total_bytes, FIELD_COUNT),
    FIELD(host_memory, available_bytes, FIELD_COUNT),
    FIELD(host_memory, limit_bytes, FIELD_COUNT),
    FIELD(host_memory, high_bytes, FIELD_COUNT),
    FIELD(host_memory, swap_total_bytes, FIELD_COUNT),
    FIELD(host_memory, swap_free_bytes, FIELD_COUNT),
    FIELDS_END,
};

static const struct field limits_fields[] = {
    FIELD(host_limits, pids_max, FIELD_COUNT),      FIELD(host_limits, io_max, FIELD_TEXT),
    FIELD(host_limits, nofile, FIELD_COUNT),        FIELD(host_limits, fsize_bytes, FIELD_COUNT),
    FIELD(host_limits, memlock_bytes, FIELD_COUNT), FIELD(host_limits, as_bytes, FIELD_COUNT),
    FIELD(host_limits, nproc, FIELD_COUNT),         FIELDS_END,
};

static const struct field vm_fields[] = {
    FIELD(host_vm, dirty_ratio, FIELD_COUNT),
    FIELD(host_vm, dirty_background_ratio, FIELD_COUNT),
    FIELD(host_vm, dirty_bytes, FIELD_COUNT),
    FIELD(host_vm, dirty_background_bytes, FIELD_COUNT),
    FIELD(host_vm, dirty_expire_centisecs, FIELD_COUNT),
    FIELDS_END,
};

static const struct field clock_fields[] = {
    FIELD(host_clock, source, FIELD_TEXT),
    FIELD(host_clock, resolution_ns, FIELD_COUNT),
    FIELD(host_clock, read_ns, FIELD_COUNT),
    FIELDS_END,
};

// The objects in it.
static const struct {
    const char *name;
    const struct field *fields;
    size_t offset;
} parts[] = {
    {"cpu", cpu_fields, offsetof(struct host, cpu)},
    {"memory", memory_fields, offsetof(struct host, memory)},
    {"limits", limits_fields, offsetof(struct host, limits)},
    {"vm", vm_fields, offsetof(struct host, vm)},
    {"clock", clock_fields, offsetof(struct host, clock)},
};
enum { PARTS = sizeof parts / sizeof *parts };

void host_json_write(const struct host *host, struct json_out *out)
{
    json_open(out, '{');
    fields_write_members(host_fields, host, out);
    for (size_t i = 0; i < PARTS; i++)
        fields_write(parts[i].name, parts[i].fields, (const char *)host + parts[i].offset, out);
    json_close(out, '}');
}

bool host_json_read(const struct json_value *value, struct host *host, struct error *error)
{
    if (!fields_read(value, host_fields, host, error))
        return false;
    for (size_t i = 0; i < PARTS; i++)
        if (!fields_read_object(value, parts[i].name, parts[i].fields, (char *)host + parts[i].offset, error))
            return false;
    return true;
}

void host_release(struct host *host)
{
    fields_release(host_fields, host);
    for (size_t i = 0; i < PARTS; i++)
        fields_release(parts[i].fields, (char *)host + parts[i].offset);
}
