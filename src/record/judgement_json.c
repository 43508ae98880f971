// judgement_json.c: what is derived from a run, in its document.
#include "record/judgement_json.h"

#include "record/metrics_json.h"

// ---- Writing ----

// What it is about: the whole run, a metric, a tier, or a metric on a tier.
static void write_place(const struct finding *finding, const struct judgement *judgement,
                        const struct run *run, struct json_out *out)
{
    json_put_member_string(out, "rule", finding->rule);
    if (finding->on_metric)
        json_put_member_string(out, "metric", judgement->metrics.rows[finding->metric].id);
    if (finding->on_tier)
        json_put_member_string(out, "tier", run->tiers[finding->tier].name);
}

static void write_evidence(const struct finding *finding, struct json_out *out)
{
    json_key(out, "evidence");
    json_open(out, '{');
    for (size_t i = 0; i < finding->evidence_count; i++) {
        const struct evidence *evidence = &finding->evidence[i];
        if (evidence->quantity == QUANTITY_TEXT)
            json_put_member_string(out, evidence->name, evidence->text);
        else
            json_put_member_number(out, evidence->name, evidence->value);
    }
    json_close(out, '}');
}

static void write_finding(const struct finding *finding, const struct judgement *judgement,
                          const struct run *run, struct json_out *out)
{
    json_open(out, '{');
    write_place(finding, judgement, run, out);
    if (finding->verdict == VERDICT_NOT_CHECKED) {
        json_put_member_string(out, "why", finding->message);
    } else {
        json_put_member_string(out, "verdict", verdict_name(finding->verdict));
        json_put_member_string(out, "statistic", finding->statistic);
        json_put_member_string(out, "message", finding->message);
        write_evidence(finding, out);
    }
    json_close(out, '}');
}

// Those that were checked, or those that weren't.
static void write_findings(const struct judgement *judgement, const struct run *run, bool checked,
                           struct json_out *out)
{
    bool any = false;
    json_open(out, '[');
    for (size_t i = 0; i < judgement->finding_count; i++) {
        const struct finding *finding = &judgement->findings[i];
        if ((finding->verdict != VERDICT_NOT_CHECKED) != checked)
            continue;
        any = true;
        json_new_line(out);
        write_finding(finding, judgement, run, out);
    }
    if (any)
        json_new_line(out);
    json_close(out, ']');
}

void judgement_json_write(const struct judgement *judgement, const struct run *run, struct json_out *out)
{
    json_new_line(out);
    json_put_member_integer(out, "rules_version", judgement ? judgement->rules_version : 0);
    if (!judgement)
        return;
    json_new_line(out);
    json_put_member_string(out, "headline", judgement->headline);
    json_new_line(out);
    json_key(out, "metrics");
    metrics_json_write(judgement, run, out);
    json_new_line(out);
    json_key(out, "findings");
    write_findings(judgement, run, true, out);
    json_new_line(out);
    json_key(out, "not_checked");
    write_findings(judgement, run, false, out);
}

// ---- Reading ----

bool judgement_json_read(const struct json_value *top, const struct run *run, struct judgement *judgement,
                         struct error *error)
{
    struct json_value metrics;
    return json_get_unsigned(top, "rules_version", JSON_OPTIONAL, &judgement->rules_version, error) &&
           json_get_copy(top, "headline", JSON_OPTIONAL, &judgement->headline, error) &&
           json_get_array(top, "metrics", JSON_OPTIONAL, &metrics, error) &&
           (!metrics.node || metrics_json_read(&metrics, run, &judgement->metrics, error));
}
