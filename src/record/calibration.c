// calibration.c: the member "calibration" of a run document.
#include "record/calibration.h"

#include "record/run_json.h"

#include <string.h>

static const struct field fields[] = {
    FIELD(calibration, clock_read_ns, FIELD_COUNT),
    FIELD(calibration, clock_step_ns, FIELD_COUNT),
    FIELD(calibration, stamp_ns, FIELD_COUNT),
    FIELD(calibration, check_stamp_ns, FIELD_COUNT),
    FIELDS_END,
};

void calibration_json_write(const struct calibration *calibration, const struct plan *plan,
                            struct json_out *out)
{
    json_open(out, '{');
    fields_write_members(fields, calibration, out);
    bool any = false;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct loop_overhead *overhead = &calibration->overhead[i];
        if (!overhead->wall_ns.known)
            continue;
        if (!any) {
            json_key(out, "overhead");
            json_open(out, '[');
        }
        any = true;
        json_open(out, '{');
        json_put_member_string(out, "workload", plan->workloads[i].id);
        json_put_member_integer(out, "wall_ns", overhead->wall_ns.value);
        json_put_member_integer(out, "ops", overhead->ops);
        json_close(out, '}');
    }
    if (any)
        json_close(out, ']');
    json_close(out, '}');
}

static bool read_overhead(const struct json_value *value, const struct plan *plan,
                          struct calibration *calibration, struct error *error)
{
    const char *id = NULL;
    if (!json_be_object(value, error) || !json_get_string(value, "workload", JSON_REQUIRED, &id, error))
        return false;
    size_t index = 0;
    while (index < plan->workload_count && strcmp(plan->workloads[index].id, id) != 0)
        index++;
    if (index == plan->workload_count)
        return json_fail_member(value, "workload", error, "the plan has no \"%s\"", id);
    struct loop_overhead *overhead = &calibration->overhead[index];
    overhead->wall_ns.known = true;
    return json_get_integer(value, "wall_ns", JSON_REQUIRED, RUN_INTEGER_MOST, &overhead->wall_ns.value,
                            error) &&
           json_get_integer(value, "ops", JSON_REQUIRED, RUN_INTEGER_MOST, &overhead->ops, error);
}

bool calibration_json_read(const struct json_value *value, const struct plan *plan,
                           struct calibration *calibration, struct error *error)
{
    struct json_value overhead;
    if (!fields_read(value, fields, calibration, error) ||
        !json_get_array(value, "overhead", JSON_OPTIONAL, &overhead, error))
        return false;
    if (!overhead.node)
        return true;
    for (struct json_value item = json_first(&overhead); item.node; item = json_next(&item))
        if (!read_overhead(&item, plan, calibration, error))
            return false;
    return true;
}
