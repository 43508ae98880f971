// metrics_json.c: the member "metrics" of a run document.
#include "record/metrics_json.h"

#include "base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Writing ----

static bool is_finite(const struct metric_tier *tier)
{
    for (size_t i = 0; i < tier->summary.n; i++)
        if (!isfinite(tier->each[i]))
            return false;
    return isfinite(tier->summary.median) && isfinite(tier->summary.min) && isfinite(tier->summary.max);
}

static void write_values(const struct metric_tier *tier, struct json_out *out)
{
    json_open(out, '{');
    if (tier->state == METRIC_MEASURED && is_finite(tier)) {
        json_put_member_integer(out, "n", tier->summary.n);
        json_put_member_number(out, "median", tier->summary.median);
        json_put_member_number(out, "min", tier->summary.min);
        json_put_member_number(out, "max", tier->summary.max);
        json_key(out, "each");
        json_open(out, '[');
        for (size_t i = 0; i < tier->summary.n; i++)
            json_put_number(out, tier->each[i]);
        json_close(out, ']');
    }
    json_close(out, '}');
}

// {} where there is no clear difference and no number for it.
static void write_ratio(const struct metric *metric, const struct run *run, struct json_out *out)
{
    if (metric->comparison == COMPARISON_NONE)
        return;
    json_key(out, "ratio");
    json_open(out, '{');
    if (metric->comparison == COMPARISON_SLOWER)
        json_put_member_string(out, "slower", run->tiers[0].name);
    if (metric->comparison == COMPARISON_FASTER)
        json_put_member_string(out, "slower", run->tiers[1].name);
    if (metric->ratio > 0)
        json_put_member_number(out, "of_medians", metric->ratio);
    json_close(out, '}');
}

static void write_metric(const struct metric *metric, const struct run *run, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_string(out, "id", metric->id);
    json_put_member_string(out, "workload", run->plan.workloads[metric->workload].id);
    json_put_member_string(out, "unit", unit_name(metric->unit));
    json_put_member_string(out, "better", metric->higher_is_better ? "higher" : "lower");
    json_key(out, "values");
    json_open(out, '{');
    for (unsigned tier = 0; tier < run->tier_count; tier++) {
        json_key(out, run->tiers[tier].name);
        write_values(&metric->tiers[tier], out);
    }
    json_close(out, '}');
    write_ratio(metric, run, out);
    json_close(out, '}');
}

void metrics_json_write(const struct metrics *metrics, const struct run *run, struct json_out *out)
{
    json_open(out, '[');
    bool any = false;
    for (size_t i = 0; i < metrics->length; i++) {
        if (metrics->rows[i].absent)
            continue;
        any = true;
        json_new_line(out);
        write_metric(&metrics->rows[i], run, out);
    }
    if (any)
        json_new_line(out);
    json_close(out, ']');
}

// ---- Reading ----

static bool read_values(const struct json_value *value, struct metric_tier *tier, struct error *error)
{
    if (json_length(value) == 0)
        return true;
    uint64_t n = 0;
    struct json_value each;
    if (!json_get_integer(value, "n", JSON_REQUIRED, PLAN_ROUNDS_MOST, &n, error) ||
        !json_get_number(value, "median", JSON_REQUIRED, &tier->summary.median, error) ||
        !json_get_number(value, "min", JSON_REQUIRED, &tier->summary.min, error) ||
        !json_get_number(value, "max", JSON_REQUIRED, &tier->summary.max, error) ||
        !json_get_array(value, "each", JSON_REQUIRED, &each, error))
        return false;
    if (json_length(&each) != n)
        return json_fail(&each, error, "not n values");
    tier->each = xcalloc(n, sizeof *tier->each);
    for (struct json_value item = json_first(&each); item.node; item = json_next(&item))
        if (!json_be_number(&item, &tier->each[tier->summary.n++], error))
            return false;
    tier->state = METRIC_MEASURED;
    return true;
}

static bool read_ratio(const struct json_value *value, const struct run *run, struct metric *metric,
                       struct error *error)
{
    struct json_value ratio;
    const char *slower = NULL;
    if (!json_get_object(value, "ratio", JSON_OPTIONAL, &ratio, error))
        return false;
    if (!ratio.node)
        return true;
    if (!json_get_number(&ratio, "of_medians", JSON_OPTIONAL, &metric->ratio, error) ||
        !json_get_string(&ratio, "slower", JSON_OPTIONAL, &slower, error))
        return false;
    metric->comparison = COMPARISON_UNCLEAR;
    for (unsigned tier = 0; slower && tier < run->tier_count; tier++)
        if (!strcmp(slower, run->tiers[tier].name))
            metric->comparison = tier == 0 ? COMPARISON_SLOWER : COMPARISON_FASTER;
    if (slower && metric->comparison == COMPARISON_UNCLEAR)
        return json_fail_member(&ratio, "slower", error, "no tier is called \"%s\"", slower);
    return true;
}

static size_t find_workload(const struct run *run, const char *id)
{
    size_t workload = 0;
    while (workload < run->plan.workload_count && strcmp(run->plan.workloads[workload].id, id) != 0)
        workload++;
    return workload;
}

static bool read_metric(const struct json_value *value, const struct run *run, struct metrics *metrics,
                        struct error *error)
{
    const char *id = NULL, *workload = NULL;
    struct json_value values, tier_values;
    if (!json_be_object(value, error) || !json_get_string(value, "id", JSON_REQUIRED, &id, error) ||
        !json_get_string(value, "workload", JSON_REQUIRED, &workload, error) ||
        !json_get_object(value, "values", JSON_REQUIRED, &values, error))
        return false;
    size_t index = find_workload(run, workload);
    if (index == run->plan.workload_count || strlen(id) >= WORKLOAD_ID_SIZE)
        return true;
    const struct workload_description *description = &workload_descriptions[run->plan.workloads[index].kind];
    struct metric *metric = &metrics->rows[metrics->length++];
    *metric = (struct metric){
        .workload = index, .unit = description->unit, .higher_is_better = description->higher_is_better};
    snprintf(metric->id, sizeof metric->id, "%s", id);
    for (unsigned tier = 0; tier < run->tier_count; tier++)
        if (!json_get_object(&values, run->tiers[tier].name, JSON_OPTIONAL, &tier_values, error) ||
            (tier_values.node && !read_values(&tier_values, &metric->tiers[tier], error)))
            return false;
    return read_ratio(value, run, metric, error);
}

bool metrics_json_read(const struct json_value *value, const struct run *run, struct metrics *metrics,
                       struct error *error)
{
    size_t count = json_length(value);
    enum { METRICS_MOST = 1000 };
    if (count > METRICS_MOST)
        return json_fail(value, error, "%zu of them; at most %d are read", count, METRICS_MOST);
    metrics->rows = xcalloc(count, sizeof *metrics->rows);
    for (struct json_value item = json_first(value); item.node; item = json_next(&item))
        if (!read_metric(&item, run, metrics, error))
            return false;
    return true;
}
