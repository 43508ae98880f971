#include "report/csv.h"

#include "analysis/facts.h"
#include "base/clock.h"
#include "record/write_json.h"

#include <inttypes.h>
#include <string.h>

// Separates the cells of a row.
static void put_comma(struct text *out)
{
    text_puts(out, ",");
}

static void put_quoted(struct text *out, const char *cell)
{
    if (!strpbrk(cell, ",\"\r\n ")) {
        text_puts(out, cell);
        return;
    }
    text_puts(out, "\"");
    for (const char *c = cell; *c; c++) {
        if (*c == '"')
            text_puts(out, "\"");
        text_append(out, c, 1);
    }
    text_puts(out, "\"");
}

// A cell whose words come from outside.
static void put_foreign(struct text *out, const char *words)
{
    struct text cell = {0};
    const char *known = words ? words : "";
    const char *start = known + strspn(known, " ");
    if (*start && strchr("=+-@", *start))
        text_puts(&cell, "'");
    text_put_safe(&cell, known, false);
    put_quoted(out, text_string(&cell));
    text_free(&cell);
}

static void put_value(struct text *out, const struct run *run, const struct sample *sample)
{
    double value;
    struct json_out number = {.text = out};
    if (sample_value(run, sample, &value))
        json_put_number(&number, value);
}

// A first use that is set apart is round 1.
static bool is_in_figure(const struct sample *sample, const struct metric *metric)
{
    unsigned first = metric->tiers[sample->tier].first_use.known ? 2 : 1;
    return sample->round >= first && sample->block == 1 && !metric->absent;
}

static bool is_named_before(const struct report *report, const struct metric *metric, size_t index,
                            unsigned tier)
{
    const struct finding *findings = report->judgement->findings;
    for (size_t i = 0; i < index; i++) {
        const struct finding *finding = &findings[metric->findings[i]];
        if ((!finding->on_tier || finding->tier == tier) &&
            strcmp(finding->rule, findings[metric->findings[index]].rule) == 0)
            return true;
    }
    return false;
}

static void put_rules(struct text *out, const struct report *report, const struct metric *metric,
                      unsigned tier)
{
    struct text cell = {0};
    for (size_t i = 0; i < metric->finding_count; i++) {
        const struct finding *finding = &report->judgement->findings[metric->findings[i]];
        if ((!finding->on_tier || finding->tier == tier) && !is_named_before(report, metric, i, tier))
            text_printf(&cell, "%s%s", cell.length > 0 ? " " : "", finding->rule);
    }
    put_quoted(out, text_string(&cell));
    text_free(&cell);
}

static void put_judged(struct text *out, const struct report *report, const struct sample *sample)
{
    const struct metric *metric = &report->judgement->metrics.rows[sample->workload];
    bool in_figure = is_in_figure(sample, metric);
    const char *trust = in_figure ? trust_name(metric->tiers[sample->tier].trust) : NULL;
    text_puts(out, trust ? trust : "");
    put_comma(out);
    if (in_figure)
        put_rules(out, report, metric, sample->tier);
}

static void put_times(struct text *out, const struct sample *sample)
{
    char started[RFC3339_SIZE];
    if (sample->started_realtime_ns > 0) {
        clock_rfc3339(sample->started_realtime_ns, started);
        text_puts(out, started);
    }
    if (sample->status == SAMPLE_SKIPPED)
        text_puts(out, ",,,,,");
    else
        text_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", sample->wall_ns,
                    sample->sync_ns, sample->ops, sample->bytes);
}

static void put_sample(struct text *out, const struct report *report, const struct sample *sample)
{
    const struct run *run = report->run;
    const struct workload *workload = &run->plan.workloads[sample->workload];
    put_foreign(out, run->id);
    put_comma(out);
    put_foreign(out, run->host.hostname);
    put_comma(out);
    put_foreign(out, run->tiers[sample->tier].name);
    put_comma(out);
    put_foreign(out, workload->id);
    text_printf(out, ",%u,%" PRIu64 ",%s,", sample->round, sample->sequence,
                sample_status_name(sample->status));
    put_times(out, sample);
    put_value(out, run, sample);
    put_comma(out);
    text_puts(out, unit_name(workload_descriptions[workload->kind].unit));
    put_comma(out);
    put_judged(out, report, sample);
    text_puts(out, "\r\n");
}

void report_csv(const struct report *report, struct text *out)
{
    text_puts(out,
              "run,host,tier,workload,round,sequence,status,started,wall_ns,sync_ns,ops,bytes,value,unit,"
              "trust,rules\r\n");
    for (size_t i = 0; i < report->run->sample_count; i++)
        put_sample(out, report, &report->run->samples[i]);
}
