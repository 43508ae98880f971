// calibration.c: the member "calibration" of a run document.
#include "record/calibration.h"

#include "record/run_json.h"

#include <string.h>

static const struct field fields[] = {
    FIELD(calibration, clock_read_ns, FIELD_COUNT), FIELD(calibration, clock_step_ns, FIELD_COUNT),
    FIELD(calibration, stamp_ns, FIELD_COUNT),      FIELD(calibration, check_stamp_ns, FIELD_COUNT),
    FIELD(calibration, idle_ns, FIELD_COUNT),       FIELD(calibration, idle_io_pressure_ns, FIELD_COUNT),
    FIELD(calibration, screen_factor, FIELD_REAL),  FIELDS_END,
};

static const struct field self_fields[] = {
    FIELD(self_ratio, low, FIELD_REAL),
    FIELD(self_ratio, high, FIELD_REAL),
    FIELDS_END,
};

// ---- Writing ----

// Begins an element of an array of what is known of a workload, and before the first one the array.
static void begin_of_workload(const char *array, const char *id, bool *any, struct json_out *out)
{
    if (!*any) {
        json_key(out, array);
        json_open(out, '[');
    }
    *any = true;
    json_open(out, '{');
    json_put_member_string(out, "workload", id);
}

static void write_overhead(const struct calibration *calibration, const struct plan *plan,
                           struct json_out *out)
{
    bool any = false;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct loop_overhead *overhead = &calibration->overhead[i];
        if (!overhead->wall_ns.known)
            continue;
        begin_of_workload("overhead", plan->workloads[i].id, &any, out);
        json_put_member_integer(out, "wall_ns", overhead->wall_ns.value);
        json_put_member_integer(out, "ops", overhead->ops);
        json_close(out, '}');
    }
    if (any)
        json_close(out, ']');
}

static void write_self(const struct calibration *calibration, const struct plan *plan, struct json_out *out)
{
    bool any = false;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const struct self_ratio *self = &calibration->self[i];
        if (!self->low.known || !self->high.known)
            continue;
        begin_of_workload("self", plan->workloads[i].id, &any, out);
        fields_write_members(self_fields, self, out);
        json_close(out, '}');
    }
    if (any)
        json_close(out, ']');
}

void calibration_json_write(const struct calibration *calibration, const struct plan *plan,
                            struct json_out *out)
{
    json_open(out, '{');
    fields_write_members(fields, calibration, out);
    write_overhead(calibration, plan, out);
    write_self(calibration, plan, out);
    json_close(out, '}');
}

// ---- Reading ----

static bool read_workload(const struct json_value *value, const struct plan *plan, size_t *index,
                          struct error *error)
{
    const char *id = NULL;
    if (!json_be_object(value, error) || !json_get_string(value, "workload", JSON_REQUIRED, &id, error))
        return false;
    *index = 0;
    while (*index < plan->workload_count && strcmp(plan->workloads[*index].id, id) != 0)
        ++*index;
    if (*index == plan->workload_count)
        return json_fail_member(value, "workload", error, "the plan has no \"%s\"", id);
    return true;
}

static bool read_overhead(const struct json_value *value, const struct plan *plan,
                          struct calibration *calibration, struct error *error)
{
    size_t index;
    if (!read_workload(value, plan, &index, error))
        return false;
    struct loop_overhead *overhead = &calibration->overhead[index];
    overhead->wall_ns.known = true;
    return json_get_integer(value, "wall_ns", JSON_REQUIRED, RUN_INTEGER_MOST, &overhead->wall_ns.value,
                            error) &&
           json_get_integer(value, "ops", JSON_REQUIRED, RUN_INTEGER_MOST, &overhead->ops, error);
}

static bool read_self(const struct json_value *value, const struct plan *plan,
                      struct calibration *calibration, struct error *error)
{
    size_t index;
    if (!read_workload(value, plan, &index, error))
        return false;
    struct self_ratio *self = &calibration->self[index];
    if (!fields_read(value, self_fields, self, error))
        return false;
    if (!self->low.known || !self->high.known)
        return json_fail_member(value, self->low.known ? "high" : "low", error, "missing");
    if (self->low.value > self->high.value)
        return json_fail_member(value, "low", error, "%.15g is above high, which is %.15g", self->low.value,
                                self->high.value);
    return true;
}

bool calibration_json_read(const struct json_value *value, const struct plan *plan,
                           struct calibration *calibration, struct error *error)
{
    struct json_value overhead, self;
    if (!fields_read(value, fields, calibration, error) ||
        !json_get_array(value, "overhead", JSON_OPTIONAL, &overhead, error) ||
        !json_get_array(value, "self", JSON_OPTIONAL, &self, error))
        return false;
    for (struct json_value item = json_first(&overhead); item.node; item = json_next(&item))
        if (!read_overhead(&item, plan, calibration, error))
            return false;
    for (struct json_value item = json_first(&self); item.node; item = json_next(&item))
        if (!read_self(&item, plan, calibration, error))
            return false;
    return true;
}
