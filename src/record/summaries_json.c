// summaries_json.c: the member "summaries" of the document of an imported run.
#include "record/summaries_json.h"

#include "base/xalloc.h"

#include <string.h>

static const struct field fields[] = {
    FIELD(imported_summary, n, FIELD_COUNT),
    FIELD(imported_summary, median, FIELD_REAL),
    FIELD(imported_summary, min, FIELD_REAL),
    FIELD(imported_summary, max, FIELD_REAL),
    FIELD(imported_summary, first, FIELD_REAL),
    FIELD(imported_summary, rest_min, FIELD_REAL),
    FIELD(imported_summary, rest_max, FIELD_REAL),
    FIELD(imported_summary, wall_ns, FIELD_COUNT),
    FIELD(imported_summary, printed, FIELD_REAL),
    FIELD(imported_summary, printed_unit, FIELD_TEXT),
    FIELDS_END,
};

// Figures of which the first is never above the second.
static const struct {
    const char *name;
    size_t less, more;
    const char *than;
} orders[] = {
#define ORDER(less, more)                                                                                    \
    {                                                                                                        \
#less, offsetof(struct imported_summary, less), offsetof(struct imported_summary, more), #more       \
    }
    ORDER(min, median), ORDER(median, max),   ORDER(min, max),           ORDER(min, first),
    ORDER(first, max),  ORDER(min, rest_min), ORDER(rest_min, rest_max), ORDER(rest_max, max),
#undef ORDER
};

void summaries_json_write(const struct run *run, struct json_out *out)
{
    json_open(out, '[');
    for (size_t i = 0; i < run->summaries.length; i++) {
        const struct imported_summary *summary = &run->summaries.list[i];
        json_new_line(out);
        json_open(out, '{');
        json_put_member_string(out, "workload", run->plan.workloads[summary->workload].id);
        json_put_member_string(out, "tier", run->tiers[summary->tier].name);
        fields_write_members(fields, summary, out);
        json_close(out, '}');
    }
    if (run->summaries.length > 0)
        json_new_line(out);
    json_close(out, ']');
}

static bool read_place(const struct json_value *value, const struct run *run,
                       struct imported_summary *summary, struct error *error)
{
    const char *workload = NULL, *tier = NULL;
    if (!json_get_string(value, "workload", JSON_REQUIRED, &workload, error) ||
        !json_get_string(value, "tier", JSON_REQUIRED, &tier, error))
        return false;
    while (summary->workload < run->plan.workload_count &&
           strcmp(run->plan.workloads[summary->workload].id, workload) != 0)
        summary->workload++;
    if (summary->workload == run->plan.workload_count)
        return json_fail_member(value, "workload", error, "the plan has no \"%s\"", workload);
    while (summary->tier < run->tier_count && strcmp(run->tiers[summary->tier].name, tier) != 0)
        summary->tier++;
    if (summary->tier == run->tier_count)
        return json_fail_member(value, "tier", error, "no tier is called \"%s\"", tier);
    if (imported_summary_of(&run->summaries, summary->workload, summary->tier))
        return json_fail(value, error, "a second one of this workload and tier");
    return true;
}

static const struct real *figure_at(const struct imported_summary *summary, size_t offset)
{
    return (const struct real *)(const void *)((const char *)summary + offset);
}

static bool check_figures(const struct json_value *value, const struct imported_summary *summary,
                          struct error *error)
{
    if (summary->n.known && (summary->n.value == 0 || summary->n.value > PLAN_ROUNDS_MOST))
        return json_fail_member(value, "n", error, "%llu is not from 1 to %d rounds",
                                (unsigned long long)summary->n.value, PLAN_ROUNDS_MOST);
    if (summary->n.known && summary->n.value == 1 && summary->min.known && summary->max.known &&
        summary->min.value < summary->max.value)
        return json_fail_member(value, "n", error, "1, but min and max differ");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const struct real *less = figure_at(summary, orders[i].less);
        const struct real *more = figure_at(summary, orders[i].more);
        if (less->known && more->known && less->value > more->value)
            return json_fail_member(value, orders[i].name, error, "%.15g is above %s, which is %.15g",
                                    less->value, orders[i].than, more->value);
    }
    return true;
}

bool summaries_json_read(const struct json_value *value, struct run *run, struct error *error)
{
    size_t places = run->plan.workload_count * run->tier_count;
    if (json_length(value) > places)
        return json_fail(value, error, "%zu of them, but there are %zu workloads and tiers",
                         json_length(value), places);
    struct imported_summaries *summaries = &run->summaries;
    summaries->list = xcalloc(places, sizeof *summaries->list);
    for (struct json_value item = json_first(value); item.node; item = json_next(&item)) {
        struct imported_summary summary = {0};
        if (!json_be_object(&item, error) || !read_place(&item, run, &summary, error))
            return false;
        struct imported_summary *kept = &summaries->list[summaries->length++];
        *kept = summary;
        if (!fields_read(&item, fields, kept, error) || !check_figures(&item, kept, error))
            return false;
    }
    return true;
}
