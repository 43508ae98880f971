// metrics_json.c: the member "metrics" of a run document.
#include "record/metrics_json.h"

#include "base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct field apart_fields[] = {
    FIELD(metric_tier, first_use, FIELD_REAL),
    FIELD(metric_tier, past_buffer, FIELD_REAL),
    FIELDS_END,
};

// ---- Writing ----

static bool is_finite(const struct metric_tier *tier)
{
    for (size_t i = 0; tier->each && i < tier->summary.n; i++)
        if (!isfinite(tier->each[i]))
            return false;
    return isfinite(tier->summary.median) && isfinite(tier->summary.min) && isfinite(tier->summary.max);
}

static void write_percentile(size_t index, const struct percentile *percentile, struct json_out *out)
{
    json_key(out, percentile_name(index));
    json_open(out, '{');
    if (percentile->in_rounds) {
        json_put_member_integer(out, "n", percentile->rounds.n);
        json_put_member_number(out, "median_ns", percentile->rounds.median);
        json_put_member_number(out, "min_ns", percentile->rounds.min);
        json_put_member_number(out, "max_ns", percentile->rounds.max);
    }
    if (percentile->pooled)
        json_put_member_number(out, "pooled_ns", percentile->pooled_ns);
    json_close(out, '}');
}

static void write_latency(const struct metric_tier *tier, struct json_out *out)
{
    bool any = false;
    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        const struct percentile *percentile = &tier->percentiles[i];
        if (!percentile->in_rounds && !percentile->pooled)
            continue;
        if (!any) {
            json_key(out, "latency");
            json_open(out, '{');
        }
        any = true;
        write_percentile(i, percentile, out);
    }
    if (any)
        json_close(out, '}');
}

static void write_values(const struct metric_tier *tier, struct json_out *out)
{
    json_open(out, '{');
    if (tier->state == METRIC_MEASURED && is_finite(tier)) {
        json_put_member_string(out, "trust", trust_name(tier->trust));
        json_put_member_integer(out, "n", tier->summary.n);
        json_put_member_number(out, "median", tier->summary.median);
        json_put_member_number(out, "min", tier->summary.min);
        json_put_member_number(out, "max", tier->summary.max);
        if (tier->each) {
            json_key(out, "each");
            json_open(out, '[');
            for (size_t i = 0; i < tier->summary.n; i++)
                json_put_number(out, tier->each[i]);
            json_close(out, ']');
        }
        fields_write_members(apart_fields, tier, out);
        write_latency(tier, out);
    }
    json_close(out, '}');
}

static void write_positive(struct json_out *out, const char *key, double value)
{
    if (value > 0)
        json_put_member_number(out, key, value);
}

// {} where there is no clear difference and no number for it.
static void write_ratio(const struct ratio *ratio, const struct run *run, struct json_out *out)
{
    if (ratio->comparison == COMPARISON_NONE)
        return;
    json_key(out, "ratio");
    json_open(out, '{');
    if (ratio->comparison == COMPARISON_SLOWER)
        json_put_member_string(out, "slower", run->tiers[0].name);
    if (ratio->comparison == COMPARISON_FASTER)
        json_put_member_string(out, "slower", run->tiers[1].name);
    write_positive(out, "of_medians", ratio->of_medians);
    write_positive(out, "factor", ratio->factor);
    write_positive(out, "low", ratio->low);
    write_positive(out, "high", ratio->high);
    write_positive(out, "confidence", ratio->confidence);
    if (ratio->past_buffer)
        json_put_member_boolean(out, "past_buffer", true);
    json_close(out, '}');
}

// `places` has a finding's place among those that were checked, or SIZE_MAX.
static void write_metric(const struct metric *metric, const struct run *run, const size_t *places,
                         struct json_out *out)
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
    write_ratio(&metric->ratio, run, out);
    json_put_member_string(out, "trust", trust_name(metric->trust));
    json_key(out, "findings");
    json_open(out, '[');
    for (size_t i = 0; i < metric->finding_count; i++)
        if (places[metric->findings[i]] != SIZE_MAX)
            json_put_integer(out, places[metric->findings[i]]);
    json_close(out, ']');
    json_close(out, '}');
}

void metrics_json_write(const struct judgement *judgement, const struct run *run, struct json_out *out)
{
    size_t *places = xcalloc(judgement->finding_count, sizeof *places), checked = 0;
    for (size_t i = 0; i < judgement->finding_count; i++)
        places[i] = judgement->findings[i].verdict == VERDICT_NOT_CHECKED ? SIZE_MAX : checked++;
    json_open(out, '[');
    bool any = false;
    for (size_t i = 0; i < judgement->metrics.length; i++) {
        const struct metric *metric = &judgement->metrics.rows[i];
        if (metric->absent)
            continue;
        any = true;
        json_new_line(out);
        write_metric(metric, run, places, out);
    }
    if (any)
        json_new_line(out);
    json_close(out, ']');
    free(places);
}

// ---- Reading ----

static bool read_trust(const struct json_value *value, enum trust *trust, struct error *error)
{
    const char *name = NULL;
    if (!json_get_string(value, "trust", JSON_OPTIONAL, &name, error))
        return false;
    if (!name)
        return true;
    *trust = TRUST_REPORTED;
    while (strcmp(name, trust_name(*trust)) != 0)
        if (++*trust > TRUST_DISCARDED)
            return json_fail_member(value, "trust", error, "\"%s\" is none of reported, caveat, discarded",
                                    name);
    return true;
}

static bool read_percentile(const struct json_value *value, struct percentile *percentile,
                            struct error *error)
{
    uint64_t n = 0;
    percentile->in_rounds = json_has(value, "n");
    percentile->pooled = json_has(value, "pooled_ns");
    enum json_need need = percentile->in_rounds ? JSON_REQUIRED : JSON_OPTIONAL;
    if (!json_get_integer(value, "n", need, PLAN_ROUNDS_MOST, &n, error) ||
        !json_get_number(value, "median_ns", need, &percentile->rounds.median, error) ||
        !json_get_number(value, "min_ns", need, &percentile->rounds.min, error) ||
        !json_get_number(value, "max_ns", need, &percentile->rounds.max, error) ||
        !json_get_number(value, "pooled_ns", JSON_OPTIONAL, &percentile->pooled_ns, error))
        return false;
    percentile->rounds.n = n;
    return true;
}

static bool read_latency(const struct json_value *value, struct metric_tier *tier, struct error *error)
{
    struct json_value latency, percentile;
    if (!json_get_object(value, "latency", JSON_OPTIONAL, &latency, error))
        return false;
    for (size_t i = 0; latency.node && i < PERCENTILE_COUNT; i++)
        if (!json_get_object(&latency, percentile_name(i), JSON_OPTIONAL, &percentile, error) ||
            (percentile.node && !read_percentile(&percentile, &tier->percentiles[i], error)))
            return false;
    return true;
}

static bool read_each(const struct json_value *value, enum json_need need, struct metric_tier *tier,
                      struct error *error)
{
    struct json_value each;
    if (!json_get_array(value, "each", need, &each, error))
        return false;
    if (!each.node)
        return true;
    if (json_length(&each) != tier->summary.n)
        return json_fail(&each, error, "not n values");
    tier->each = xcalloc(tier->summary.n, sizeof *tier->each);
    size_t index = 0;
    for (struct json_value item = json_first(&each); item.node; item = json_next(&item))
        if (!json_be_number(&item, &tier->each[index++], error))
            return false;
    return true;
}

static bool read_values(const struct json_value *value, const struct run *run, struct metric_tier *tier,
                        struct error *error)
{
    if (json_length(value) == 0)
        return true;
    uint64_t n = 0;
    if (!json_get_integer(value, "n", JSON_REQUIRED, PLAN_ROUNDS_MOST, &n, error) ||
        !json_get_number(value, "median", JSON_REQUIRED, &tier->summary.median, error) ||
        !json_get_number(value, "min", JSON_REQUIRED, &tier->summary.min, error) ||
        !json_get_number(value, "max", JSON_REQUIRED, &tier->summary.max, error))
        return false;
    tier->summary.n = n;
    tier->state = METRIC_MEASURED;
    enum json_need each = run->origin == RUN_IMPORTED ? JSON_OPTIONAL : JSON_REQUIRED;
    return read_each(value, each, tier, error) && read_trust(value, &tier->trust, error) &&
           fields_read(value, apart_fields, tier, error) && read_latency(value, tier, error);
}

static bool read_ratio(const struct json_value *value, const struct run *run, struct ratio *ratio,
                       struct error *error)
{
    struct json_value object;
    const char *slower = NULL;
    if (!json_get_object(value, "ratio", JSON_OPTIONAL, &object, error))
        return false;
    if (!object.node)
        return true;
    if (!json_get_number(&object, "of_medians", JSON_OPTIONAL, &ratio->of_medians, error) ||
        !json_get_number(&object, "factor", JSON_OPTIONAL, &ratio->factor, error) ||
        !json_get_number(&object, "low", JSON_OPTIONAL, &ratio->low, error) ||
        !json_get_number(&object, "high", JSON_OPTIONAL, &ratio->high, error) ||
        !json_get_number(&object, "confidence", JSON_OPTIONAL, &ratio->confidence, error) ||
        !json_get_boolean(&object, "past_buffer", JSON_OPTIONAL, &ratio->past_buffer, error) ||
        !json_get_string(&object, "slower", JSON_OPTIONAL, &slower, error))
        return false;
    ratio->comparison = COMPARISON_UNCLEAR;
    for (unsigned tier = 0; slower && tier < run->tier_count; tier++)
        if (!strcmp(slower, run->tiers[tier].name))
            ratio->comparison = tier == 0 ? COMPARISON_SLOWER : COMPARISON_FASTER;
    if (slower && ratio->comparison == COMPARISON_UNCLEAR)
        return json_fail_member(&object, "slower", error, "no tier is called \"%s\"", slower);
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
            (tier_values.node && !read_values(&tier_values, run, &metric->tiers[tier], error)))
            return false;
    return read_trust(value, &metric->trust, error) && read_ratio(value, run, &metric->ratio, error);
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
