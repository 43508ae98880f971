#include "edit.h"
#include "record/run_json.h"

#include <math.h>
#include <stdio.h>

int test_run_json(int argc, char *argv[]);

// ---- There and back ----

static void assert_same_string(const char *a, const char *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        assert_string_equal(a, b);
}

static void assert_same_real(const struct real *a, const struct real *b)
{
    assert_int_equal(a->known, b->known);
    assert_true(a->value == b->value);
}

static void assert_same_tier(const struct run_tier *a, const struct run_tier *b)
{
    assert_same_string(a->name, b->name);
    assert_same_string(a->path_given, b->path_given);
    assert_same_string(a->path, b->path);
    assert_int_equal(a->null, b->null);
    assert_same_string(a->mount.type, b->mount.type);
    assert_same_string(a->mount.source, b->mount.source);
    assert_same_string(a->mount.target, b->mount.target);
    assert_same_string(a->mount.options, b->mount.options);
    assert_same_string(a->mount.super_options, b->mount.super_options);
    assert_int_equal(a->mount.major, b->mount.major);
    assert_int_equal(a->mount.minor, b->mount.minor);
    assert_int_equal(a->mount.id, b->mount.id);
    assert_int_equal(a->mount.f_type, b->mount.f_type);
    assert_int_equal(a->mount.has_f_type, b->mount.has_f_type);
    assert_int_equal(a->has_space, b->has_space);
    assert_int_equal(a->total_bytes, b->total_bytes);
    assert_int_equal(a->free_bytes, b->free_bytes);
    assert_int_equal(a->files_free, b->files_free);
    assert_memory_equal(&a->holds_output, &b->holds_output, sizeof a->holds_output);
}

static void assert_same_plan(const struct plan *a, const struct plan *b)
{
    assert_string_equal(a->profile, b->profile);
    assert_int_equal(a->rounds, b->rounds);
    assert_int_equal(a->warmup_rounds, b->warmup_rounds);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->verify_full, b->verify_full);
    assert_int_equal(a->same_disk, b->same_disk);
    assert_int_equal(a->workload_count, b->workload_count);
    for (size_t i = 0; i < a->workload_count; i++) {
        const struct workload *x = &a->workloads[i], *y = &b->workloads[i];
        assert_string_equal(x->id, y->id);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->version, y->version);
        assert_int_equal(x->tree.files, y->tree.files);
        assert_int_equal(x->tree.file_bytes, y->tree.file_bytes);
        assert_int_equal(x->tree.depth, y->tree.depth);
        assert_int_equal(x->tree.fanout, y->tree.fanout);
        assert_int_equal(x->bytes, y->bytes);
        assert_int_equal(x->block_bytes, y->block_bytes);
        assert_int_equal(x->threads, y->threads);
        assert_int_equal(x->sync, y->sync);
        assert_int_equal(x->follow_up, y->follow_up);
    }
}

static void assert_same_histogram(const struct sparse_histogram *a, const struct sparse_histogram *b)
{
    assert_int_equal(a->digits, b->digits);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->sum_ns, b->sum_ns);
    assert_int_equal(a->min_ns, b->min_ns);
    assert_int_equal(a->max_ns, b->max_ns);
    assert_int_equal(a->length, b->length);
    for (size_t i = 0; i < a->length; i++) {
        assert_int_equal(a->bins[i].lowest_ns, b->bins[i].lowest_ns);
        assert_int_equal(a->bins[i].count, b->bins[i].count);
    }
}

static void assert_same_series(const struct sample *a, const struct sample *b)
{
    assert_int_equal(a->series_length, b->series_length);
    for (size_t i = 0; i < a->series_length; i++) {
        assert_int_equal(a->series[i].start_ns, b->series[i].start_ns);
        assert_int_equal(a->series[i].end_ns, b->series[i].end_ns);
        assert_int_equal(a->series[i].ops, b->series[i].ops);
        assert_int_equal(a->series[i].bytes, b->series[i].bytes);
        assert_memory_equal(a->series[i].octaves, b->series[i].octaves, sizeof a->series[i].octaves);
    }
    assert_int_equal(a->mib_length, b->mib_length);
    for (size_t i = 0; i < a->mib_length; i++)
        assert_int_equal(a->mib_ns[i], b->mib_ns[i]);
}

static void assert_same_sample(const struct sample *a, const struct sample *b)
{
    assert_int_equal(a->workload, b->workload);
    assert_int_equal(a->tier, b->tier);
    assert_int_equal(a->round, b->round);
    assert_int_equal(a->block, b->block);
    assert_int_equal(a->sequence, b->sequence);
    assert_int_equal(a->started_realtime_ns, b->started_realtime_ns);
    assert_int_equal(a->start_ns, b->start_ns);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->batches, b->batches);
    assert_int_equal(a->wall_ns, b->wall_ns);
    assert_int_equal(a->sync_ns, b->sync_ns);
    assert_int_equal(a->ops, b->ops);
    assert_int_equal(a->bytes, b->bytes);
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++)
        assert_same_histogram(&a->latency[phase], &b->latency[phase]);
    assert_same_series(a, b);
    assert_int_equal(a->has_drain, b->has_drain);
    assert_int_equal(a->drain_ns, b->drain_ns);
    assert_int_equal(a->has_dirty, b->has_dirty);
    assert_int_equal(a->dirty_before_bytes, b->dirty_before_bytes);
    assert_int_equal(a->dirty_after_bytes, b->dirty_after_bytes);
    assert_int_equal(a->drain_timed_out, b->drain_timed_out);
    assert_int_equal(a->has_verify, b->has_verify);
    assert_int_equal(a->verify_blocks, b->verify_blocks);
    assert_int_equal(a->verify_mismatches, b->verify_mismatches);
    assert_int_equal(a->has_allocated, b->has_allocated);
    assert_int_equal(a->allocated_bytes, b->allocated_bytes);
    assert_same_string(a->error.call, b->error.call);
    assert_int_equal(a->error.number, b->error.number);
    assert_same_string(a->error.path, b->error.path);
    assert_same_string(a->error.reason, b->error.reason);
    assert_int_equal(a->error.op, b->error.op);
    assert_int_equal(a->error.has_offset, b->error.has_offset);
    assert_int_equal(a->error.offset, b->error.offset);
}

static void assert_same_calibration(const struct calibration *a, const struct calibration *b)
{
    assert_int_equal(a->idle_ns.known, b->idle_ns.known);
    assert_int_equal(a->idle_ns.value, b->idle_ns.value);
    assert_int_equal(a->idle_io_pressure_ns.known, b->idle_io_pressure_ns.known);
    assert_int_equal(a->idle_io_pressure_ns.value, b->idle_io_pressure_ns.value);
    assert_same_real(&a->screen_factor, &b->screen_factor);
    for (size_t i = 0; i < PLAN_WORKLOADS_MOST; i++) {
        assert_same_real(&a->self[i].low, &b->self[i].low);
        assert_same_real(&a->self[i].high, &b->self[i].high);
        assert_int_equal(a->overhead[i].wall_ns.known, b->overhead[i].wall_ns.known);
        assert_int_equal(a->overhead[i].wall_ns.value, b->overhead[i].wall_ns.value);
        assert_int_equal(a->overhead[i].ops, b->overhead[i].ops);
    }
}

static void assert_same_summaries(const struct imported_summaries *a, const struct imported_summaries *b)
{
    assert_int_equal(a->length, b->length);
    for (size_t i = 0; i < a->length; i++) {
        const struct imported_summary *x = &a->list[i], *y = &b->list[i];
        assert_int_equal(x->workload, y->workload);
        assert_int_equal(x->tier, y->tier);
        assert_int_equal(x->n.known, y->n.known);
        assert_int_equal(x->n.value, y->n.value);
        assert_int_equal(x->wall_ns.known, y->wall_ns.known);
        assert_int_equal(x->wall_ns.value, y->wall_ns.value);
        assert_same_real(&x->median, &y->median);
        assert_same_real(&x->min, &y->min);
        assert_same_real(&x->max, &y->max);
        assert_same_real(&x->first, &y->first);
        assert_same_real(&x->rest_min, &y->rest_min);
        assert_same_real(&x->rest_max, &y->rest_max);
        assert_same_real(&x->printed, &y->printed);
        assert_same_string(x->printed_unit, y->printed_unit);
    }
}

static void assert_same_run(const struct run *a, const struct run *b)
{
    assert_string_equal(a->id, b->id);
    assert_string_equal(a->session, b->session);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->origin, b->origin);
    assert_same_string(a->title, b->title);
    assert_int_equal(a->note_count, b->note_count);
    for (size_t i = 0; i < a->note_count; i++)
        assert_string_equal(a->notes[i], b->notes[i]);
    assert_memory_equal(&a->screen, &b->screen, sizeof a->screen);
    for (enum threshold i = 0; i < THRESHOLD_COUNT; i++)
        assert_true(threshold_value(&a->thresholds, i) == threshold_value(&b->thresholds, i));
    assert_same_calibration(&a->calibration, &b->calibration);
    assert_same_summaries(&a->summaries, &b->summaries);
    assert_int_equal(a->started_realtime_ns, b->started_realtime_ns);
    assert_int_equal(a->ended_realtime_ns, b->ended_realtime_ns);
    assert_int_equal(a->argc, b->argc);
    for (size_t i = 0; i < a->argc; i++)
        assert_string_equal(a->argv[i], b->argv[i]);
    assert_same_string(a->tool_version, b->tool_version);
    assert_same_string(a->tool_commit, b->tool_commit);
    assert_same_string(a->tool_compiler, b->tool_compiler);
    assert_same_string(a->tool_flags, b->tool_flags);
    assert_same_string(a->host.hostname, b->host.hostname);
    assert_same_string(a->host.kernel, b->host.kernel);
    assert_same_string(a->host.arch, b->host.arch);
    assert_same_string(a->host.boot_id, b->host.boot_id);
    assert_int_equal(a->tier_count, b->tier_count);
    for (unsigned tier = 0; tier < RUN_TIERS_MOST; tier++)
        assert_same_tier(&a->tiers[tier], &b->tiers[tier]);
    assert_same_string(a->shared_why, b->shared_why);
    assert_same_plan(&a->plan, &b->plan);
    assert_int_equal(a->sample_count, b->sample_count);
    for (size_t i = 0; i < a->sample_count; i++)
        assert_same_sample(&a->samples[i], &b->samples[i]);
    assert_int_equal(a->event_count, b->event_count);
    for (size_t i = 0; i < a->event_count; i++) {
        assert_int_equal(a->events[i].at_ns, b->events[i].at_ns);
        assert_string_equal(a->events[i].text, b->events[i].text);
    }
}

static void assert_same_ratio(const struct ratio *a, const struct ratio *b)
{
    assert_int_equal(a->comparison, b->comparison);
    assert_true(a->of_medians == b->of_medians);
    assert_true(a->factor == b->factor && a->low == b->low && a->high == b->high);
    assert_true(a->confidence == b->confidence);
    assert_int_equal(a->past_buffer, b->past_buffer);
}

static void assert_same_percentile(const struct percentile *a, const struct percentile *b)
{
    assert_int_equal(a->in_rounds, b->in_rounds);
    assert_int_equal(a->rounds.n, b->rounds.n);
    assert_true(a->rounds.median == b->rounds.median);
    assert_true(a->rounds.min == b->rounds.min && a->rounds.max == b->rounds.max);
    assert_int_equal(a->pooled, b->pooled);
    assert_true(a->pooled_ns == b->pooled_ns);
}

static void assert_same_metrics(const struct metrics *a, const struct metrics *b)
{
    assert_int_equal(a->length, b->length);
    for (size_t i = 0; i < a->length; i++) {
        const struct metric *x = &a->rows[i], *y = &b->rows[i];
        assert_string_equal(x->id, y->id);
        assert_int_equal(x->workload, y->workload);
        assert_int_equal(x->unit, y->unit);
        assert_int_equal(x->higher_is_better, y->higher_is_better);
        assert_int_equal(x->trust, y->trust);
        assert_same_ratio(&x->ratio, &y->ratio);
        for (unsigned tier = 0; tier < 2; tier++) {
            const struct metric_tier *p = &x->tiers[tier], *q = &y->tiers[tier];
            assert_int_equal(q->state, p->state == METRIC_MEASURED ? METRIC_MEASURED : METRIC_EMPTY);
            assert_int_equal(p->summary.n, q->summary.n);
            assert_true(p->summary.median == q->summary.median);
            assert_true(p->summary.min == q->summary.min && p->summary.max == q->summary.max);
            assert_int_equal(p->each != NULL, q->each != NULL);
            for (size_t k = 0; p->each && k < p->summary.n; k++)
                assert_true(p->each[k] == q->each[k]); // to the last bit
            assert_int_equal(p->trust, q->trust);
            assert_same_real(&p->first_use, &q->first_use);
            assert_same_real(&p->past_buffer, &q->past_buffer);
            for (size_t k = 0; k < PERCENTILE_COUNT; k++)
                assert_same_percentile(&p->percentiles[k], &q->percentiles[k]);
        }
    }
}

static void read_or_fail(const struct text *document, struct run *run, struct judgement *stored)
{
    struct error error = {{0}};
    if (!fixture_read(document->bytes, document->length, run, stored, &error))
        fail_msg("%s", error.text);
}

static void assert_reads_back(void (*make)(struct run *run))
{
    struct run run, back;
    struct judgement judgement, stored;
    struct text document = {0}, again = {0};
    make(&run);
    fixture_judgement(&run, &judgement);
    run_json_write(&run, &judgement, &document);
    read_or_fail(&document, &back, &stored);
    assert_same_run(&run, &back);
    assert_int_equal(stored.rules_version, judgement.rules_version);
    assert_string_equal(stored.headline, judgement.headline);
    assert_same_metrics(&judgement.metrics, &stored.metrics);
    assert_int_equal(stored.finding_count, 0); // they are derived again
    judgement_release(&stored);
    run_json_write(&back, &judgement, &again);
    assert_string_equal(document.bytes, again.bytes);
    text_free(&document);
    text_free(&again);
    judgement_release(&judgement);
    run_release(&run);
    run_release(&back);
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    assert_reads_back(fixture_run);
    assert_reads_back(fixture_imported);
}

static void every_fact_of_the_machine_is_written(void **state)
{
    (void)state;
    enum { MEMBERS = 15 + 5 + 6 + 6 + 7 + 5 + 3 }; // struct host, and the structs in it
    struct text document;
    fixture_document(&document);
    const char *host = strstr(document.bytes, "\n\"host\": ");
    assert_non_null(host);
    const char *end = strchr(host + 1, '\n');
    size_t members = 0;
    for (const char *at = strstr(host + 8, "\": "); at && at < end; at = strstr(at + 1, "\": "))
        members++;
    assert_int_equal(members, MEMBERS);
    text_free(&document);
}

static void reads_a_run_that_has_hardly_begun(void **state)
{
    (void)state;
    struct run run = {0}, back;
    struct error error;
    struct text document = {0};
    run_begin(&run);
    run.started_realtime_ns -= run.started_realtime_ns % NS_PER_S;
    run.tier_count = 1;
    run.tiers[0].name = xstrdup("A");
    run.tiers[0].path = xstrdup("/");
    assert_true(plan_make(&(struct plan_request){0}, &run.plan, &error));
    run_json_write(&run, NULL, &document);
    assert_null(strstr(document.bytes, "\"metrics\""));
    assert_null(strstr(document.bytes, "\"ended\""));
    assert_null(strstr(document.bytes, "\"mount\""));
    assert_null(strstr(document.bytes, "\"space\""));
    assert_null(strstr(document.bytes, "\"shared\""));
    assert_null(strstr(document.bytes, "\"supports\""));
    assert_null(strstr(document.bytes, "\"memory\""));
    assert_non_null(strstr(document.bytes, "\"rules_version\": 0"));
    assert_non_null(strstr(document.bytes, "\"status\": \"running\""));
    read_or_fail(&document, &back, NULL);
    assert_same_run(&run, &back);
    text_free(&document);
    run_release(&run);
    run_release(&back);
}

static void writes_a_sample_a_line(void **state)
{
    (void)state;
    struct run run;
    struct text document = {0};
    fixture_run(&run);
    run_json_write(&run, NULL, &document);
    assert_memory_equal(document.bytes, "{\n\"format\": \"diskduel-run\",\n\"version\": 1,\n", 42);
    size_t samples = 0;
    for (char *line = strtok(document.bytes, "\n"); line; line = strtok(NULL, "\n"))
        samples += !strncmp(line, "{\"workload\": ", 13);
    assert_int_equal(samples, run.sample_count);
    assert_int_equal(document.bytes[document.length - 1], '\0'); // the last byte was the new line
    text_free(&document);
    run_release(&run);
}

// ---- How much is written ----

// A plan with as many samples as there can be. The run's samples share what `full` owns.
static void begin_longest(struct run *run)
{
    struct plan_request request = {.workloads = "seq-write",
                                   .rounds = PLAN_ROUNDS_MOST,
                                   .size_count = PLAN_SIZES_MOST,
                                   .thread_count = PLAN_WORKLOADS_MOST / PLAN_SIZES_MOST};
    struct error error;
    for (size_t i = 0; i < request.size_count; i++)
        request.sizes[i] = (i + 1) * 64 * MIB;
    for (size_t i = 0; i < request.thread_count; i++)
        request.threads[i] = i + 1;
    *run = (struct run){0};
    run_begin(run);
    fixture_tiers(run);
    assert_true(plan_make(&request, &run->plan, &error));
    assert_int_equal(run->plan.workload_count, PLAN_WORKLOADS_MOST);
}

static void add_everywhere(struct run *run, const struct sample *full)
{
    for (unsigned round = 0; round <= run->plan.rounds; round++)
        for (size_t workload = 0; workload < run->plan.workload_count; workload++)
            for (unsigned tier = 0; tier < run->tier_count; tier++) {
                struct sample sample = *full;
                sample.workload = workload;
                sample.tier = tier;
                sample.round = round;
                sample.sequence = run->sample_count;
                run_add_sample(run, &sample);
            }
}

// As many metrics as there can be, each with all of its rounds, and each rule's sentence on each value.
static void judge_longest(const struct run *run, struct judgement *judgement)
{
    enum { RULES = 80, SENTENCE = 250 };
    struct metrics *metrics = &judgement->metrics;
    metrics->length = run->plan.workload_count;
    metrics->rows = xcalloc(metrics->length, sizeof *metrics->rows);
    judgement->findings = xcalloc(metrics->length * RULES * 2, sizeof *judgement->findings);
    char sentence[SENTENCE + 1] = {0};
    memset(sentence, 's', SENTENCE);
    for (size_t i = 0; i < metrics->length; i++) {
        struct metric *metric = &metrics->rows[i];
        metric->workload = i;
        metric->findings = xcalloc(2 * RULES, sizeof *metric->findings);
        for (unsigned tier = 0; tier < 2; tier++) {
            struct metric_tier *half = &metric->tiers[tier];
            half->state = METRIC_MEASURED;
            half->summary.n = run->plan.rounds;
            half->each = xcalloc(half->summary.n, sizeof *half->each);
            for (size_t k = 0; k < half->summary.n; k++)
                half->each[k] = 1e-5 / 3;
            for (unsigned rule = 0; rule < RULES; rule++) {
                metric->findings[metric->finding_count++] = judgement->finding_count;
                judgement->findings[judgement->finding_count++] =
                    (struct finding){.rule = "a-rule-with-a-name",
                                     .verdict = VERDICT_CAVEAT,
                                     .on_metric = true,
                                     .metric = i,
                                     .on_tier = true,
                                     .tier = tier,
                                     .message = xstrdup(sentence)};
            }
        }
    }
}

static void the_longest_run_can_be_read(void **state)
{
    (void)state;
    struct run run, back;
    struct judgement judgement = {0};
    struct text document = {0};
    struct sample full = fixture_sample(0, 0, 0);
    fixture_series(&full, SERIES_OCTAVES - 1);
    fixture_histogram(&full.latency[PHASE_OPEN], 1000, 200);
    full.has_drain = full.has_dirty = full.has_verify = full.has_allocated = true;
    full.start_ns = full.wall_ns = full.drain_ns = full.bytes = RUN_INTEGER_MOST;
    full.ended_realtime_ns = full.started_realtime_ns;
    full.ended_boottime_ns = RUN_INTEGER_MOST;
    full.resident_before = full.resident_after = (struct real){.known = true, .value = 1.0 / 3};
    for (const struct field *field = system_use_fields; field->name; field++)
        if (field->kind == FIELD_COUNT)
            *(struct count *)(void *)((char *)&full.system + field->offset) = known_count(RUN_INTEGER_MOST);
    begin_longest(&run);
    add_everywhere(&run, &full);
    judge_longest(&run, &judgement);
    run_json_write(&run, &judgement, &document);
    assert_true(document.length > RUN_DOCUMENT_MOST / 4); // it isn't short for nothing
    assert_true(document.length <= RUN_DOCUMENT_MOST);
    assert_non_null(strstr(document.bytes, "\"left_out\": [\"system\","));
    read_or_fail(&document, &back, NULL);
    assert_int_equal(back.sample_count, run.sample_count);
    const struct sample *last = &back.samples[back.sample_count - 1];
    assert_int_equal(last->bytes, RUN_INTEGER_MOST);
    assert_true(last->resident_after.value == full.resident_after.value);
    judgement_release(&judgement);
    text_free(&document);
    run_release(&back);
    run.sample_count = 0;
    run_release(&run);
    sample_release(&full);
}

// What there is no room for is named, and a series says the same in fewer intervals.
static void leaves_detail_out_by_name(void **state)
{
    (void)state;
    struct run run, back;
    struct text document = {0};
    struct sample full = fixture_sample(0, 0, 0);
    enum { INTERVALS = 100000, TIMES = 1000000 };
    full.series = xcalloc(INTERVALS, sizeof *full.series);
    full.series_length = INTERVALS;
    for (size_t i = 0; i < INTERVALS; i++)
        full.series[i] = (struct interval){.end_ns = (i + 1) * 100 * NS_PER_MS, .ops = 2, .bytes = 3};
    for (size_t i = 0; i < INTERVALS; i++)
        full.series[i].octaves[20] = UINT32_MAX / 2;
    full.mib_ns = xcalloc(TIMES, sizeof *full.mib_ns);
    full.mib_length = TIMES;
    begin_longest(&run);
    run.plan.rounds = 10;
    run_add_sample(&run, &full);
    run_json_write(&run, NULL, &document);
    assert_non_null(strstr(document.bytes, "\"left_out\": [\"mib_ns\"]"));
    assert_null(strstr(document.bytes, "\"mib_ns\": "));
    read_or_fail(&document, &back, NULL);
    const struct sample *read = &back.samples[0];
    assert_in_range(read->series_length, 100, INTERVALS / 2);
    uint64_t ops = 0, bytes = 0;
    for (size_t i = 0; i < read->series_length; i++) {
        ops += read->series[i].ops;
        bytes += read->series[i].bytes;
    }
    assert_int_equal(ops, UINT64_C(2) * INTERVALS);
    assert_int_equal(bytes, UINT64_C(3) * INTERVALS);
    assert_int_equal(read->series[read->series_length - 1].end_ns, UINT64_C(100) * INTERVALS * NS_PER_MS);
    assert_int_equal(read->series[0].octaves[20], UINT32_MAX); // as much as it holds
    text_free(&document);
    run_release(&back);
    run_release(&run);
}

// ---- What is written ----

static void assert_holds(const struct text *document, const char *part)
{
    if (!strstr(text_string(document), part))
        fail_msg("no %s in the document", part);
}

static void escapes_what_is_not_utf8(void **state)
{
    (void)state;
    struct run run, back;
    struct text document = {0};
    fixture_run(&run);
    free(run.tiers[1].path);
    run.tiers[1].path = xstrdup("/m\xff/\xc3/\xed\xa0\x80/\xc0\xaf/ok\xc3\xa9");
    run_json_write(&run, NULL, &document);
    for (size_t at = 0; at < document.length;) {
        uint32_t codepoint;
        size_t size = utf8_decode(document.bytes + at, document.length - at, &codepoint);
        assert_true(size > 0);
        at += size;
    }
    assert_holds(&document, "/m\\\\xff/\\\\xc3/\\\\xed\\\\xa0\\\\x80/\\\\xc0\\\\xaf/ok\xc3\xa9");
    read_or_fail(&document, &back, NULL);
    assert_string_equal(back.tiers[1].path, "/m\\xff/\\xc3/\\xed\\xa0\\x80/\\xc0\\xaf/ok\xc3\xa9");
    text_free(&document);
    run_release(&run);
    run_release(&back);
}

static void writes_integers_whole_and_leaves_out_the_unknown(void **state)
{
    (void)state;
    struct run run;
    struct text document = {0};
    fixture_run(&run);
    run.samples[0].bytes = UINT64_C(1234567890123456);
    run.tiers[1].has_space = true; // as s3fs reports it
    run.tiers[1].total_bytes = UINT64_MAX;
    run.tiers[1].free_bytes = UINT64_MAX;
    run.tiers[1].files_free = RUN_INTEGER_MOST + 1;
    run.events[0].at_ns = UINT64_C(9007199254740993);
    run.samples[1].latency[PHASE_CLOSE].min_ns = UINT64_MAX; // a worker given up in the middle of a record
    run_json_write(&run, NULL, &document);
    assert_holds(&document, "\"bytes\": 1234567890123456,");
    assert_holds(&document, "\"seed\": 9007199254740991,");
    assert_holds(&document, "\"space\": {}");
    assert_holds(&document, "{\"text\": \"a");
    assert_null(strstr(document.bytes, "\"close\""));
    assert_null(strstr(document.bytes, "900719925474099,"));
    assert_null(strstr(document.bytes, "9007199254740992"));
    assert_null(strstr(document.bytes, "9007199254740993"));
    assert_null(strstr(document.bytes, "1844674407370955"));
    assert_null(strstr(document.bytes, "e+"));
    text_free(&document);
    run_release(&run);
}

static void what_nobody_needed_is_not_stored(void **state)
{
    (void)state;
    struct run run, back;
    struct judgement judgement, stored;
    struct text document = {0};
    fixture_run(&run);
    fixture_judgement(&run, &judgement);
    judgement.metrics.rows[1].absent = true;
    run_json_write(&run, &judgement, &document);
    read_or_fail(&document, &back, &stored);
    assert_int_equal(stored.metrics.length, judgement.metrics.length - 1);
    assert_string_equal(stored.metrics.rows[0].id, judgement.metrics.rows[0].id);
    assert_string_equal(stored.metrics.rows[1].id, judgement.metrics.rows[2].id);
    judgement_release(&judgement);
    judgement_release(&stored);
    run_release(&run);
    run_release(&back);
    text_free(&document);
}

static void writes_no_number_that_is_none(void **state)
{
    (void)state;
    struct run run;
    struct judgement judgement;
    struct text document = {0};
    fixture_run(&run);
    fixture_judgement(&run, &judgement);
    judgement.metrics.rows[1].tiers[0].each[1] = NAN;
    judgement.metrics.rows[1].tiers[1].summary.max = INFINITY;
    judgement.metrics.rows[2].ratio.of_medians = INFINITY;
    judgement.metrics.rows[2].ratio.factor = NAN;
    judgement.metrics.rows[2].ratio.high = INFINITY;
    judgement.metrics.rows[3].tiers[0].first_use = (struct real){.known = true, .value = NAN};
    judgement.metrics.rows[3].tiers[0].percentiles[2] =
        (struct percentile){.pooled = true, .pooled_ns = -INFINITY};
    judgement.findings[4].evidence[0].value = NAN;
    run.thresholds.given[THRESHOLD_WIDE_RANGE] = INFINITY;
    run_json_write(&run, &judgement, &document);
    assert_null(strstr(document.bytes, ": nan"));
    assert_null(strstr(document.bytes, ": inf"));
    assert_holds(&document, "\"null\": {}");
    assert_holds(&document, "\"ratio\": {\"slower\": \"p\xc3\xa4rsistent \\\"x\\\" </script>\"}");
    text_free(&document);
    judgement_release(&judgement);
    run_release(&run);
}

// ---- What is read ----

static void assert_edit_refused(const char *after, const char *from, const char *to, const char *message)
{
    edit_is_refused(fixture_run, after, from, to, message);
}

static void assert_edit_read(const char *after, const char *from, const char *to)
{
    struct run run;
    edit_is_read(fixture_run, after, from, to, &run, NULL);
    run_release(&run);
}

static void checks_format_and_version_first(void **state)
{
    (void)state;
    assert_edit_refused("{", "diskduel-run", "fio", "not a run of diskduel");
    assert_edit_refused("{", "\"diskduel-run\"", "7", "not a run of diskduel");
    assert_edit_refused("{", "\"format\"", "\"schema\"", "not a run of diskduel");
    assert_edit_refused("\"version\"", "1", "2",
                        "written by a newer diskduel (version 2): read it with that one");
    assert_edit_refused("\"version\"", "1,\n", "999, \"tiers\": 5,\n",
                        "written by a newer diskduel (version 999): read it with that one");
    assert_edit_refused("\"version\"", "1", "0", "version: 0 is none");
    assert_edit_refused("\"version\"", "1", "-1", "version: not a whole number");
    assert_edit_refused("\"version\"", "1", "1.5", "version: not a whole number");
    assert_edit_refused("\"version\"", "1", "\"1\"", "version: not a whole number");
    assert_edit_refused("\"version\"", "\"version\": 1,\n", "", "version: missing");
}

static void ignores_what_it_does_not_know(void **state)
{
    (void)state;
    assert_edit_read("{", "{", "{\"new\": {\"deep\": [1, {\"a\": null}]}, ");
    assert_edit_read("\"host\"", "{", "{\"cpu\": {\"model\": \"x\", \"online\": 2}, ");
    assert_edit_read("\"samples\"", "{\"workload\"", "{\"cache\": {\"resident_before\": 0.5}, \"workload\"");
    assert_edit_read("\"latency\": {\"op\"", "{", "{\"fsync_later\": 5, ");
    assert_edit_read("\"plan\"", "\"mirrored\"", "\"another\"");
}

static void tolerates_what_is_missing_and_may_be(void **state)
{
    (void)state;
    assert_edit_read("\"argv\"", "\"argv\"", "\"no_argv\"");
    assert_edit_read("\"events\"", "\"events\"", "\"no_events\"");
    assert_edit_read("\"metrics\"", "\"metrics\"", "\"no_metrics\"");
    assert_edit_read("\"kind\": \"create\"", ", \"version\": 1", "");
    assert_edit_read("\"kind\": \"create\"", "\"depth\": 3, \"fanout\": 6, ", "");
    assert_edit_read("\"samples\"", "\"block\": 1, ", "");
    assert_edit_read("\"samples\"", "\"first\": true, ", "");
}

static void refuses_numbers_that_are_none(void **state)
{
    (void)state;
    static const char wrong[] = "samples[0].wall_ns: not a whole number from 0 to 9007199254740991";
    static const char *const numbers[] = {"-1",
                                          "0.5",
                                          "1e400",
                                          "-1e400",
                                          "9007199254740992",
                                          "9007199254740993",
                                          "18446744073709551616",
                                          "1e300",
                                          "\"1\"",
                                          "true",
                                          "null",
                                          "[1]",
                                          "{}"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_edit_refused("\"samples\"", "1736111111", numbers[i], wrong);
    static const char *const words[] = {"NaN",          "nan", "Infinity", "-Infinity", "-",   "0x10",
                                        "1736111111 1", "+1",  ".5",       "1,5",       "'1'", "tru",
                                        "1736111111\"", "\\",  "1e",       "\x01",      "--1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct text document;
        struct run run;
        struct error error = {{0}};
        edit_document(fixture_run, "\"samples\"", "1736111111", words[i], &document);
        if (fixture_read(document.bytes, document.length, &run, NULL, &error))
            fail_msg("%s was read", words[i]);
        assert_non_null(strstr(error.text, "not JSON") ? error.text : strstr(error.text, "cut short"));
        text_free(&document);
    }
    assert_edit_read("\"samples\"", "1736111111", "9007199254740991");
    assert_edit_read("\"samples\"", "1736111111", "1.736111111e9");
    assert_edit_refused("\"plan\"", "9007199254740991", "9007199254740993", "plan.seed: not a whole number");
}

static void refuses_what_contradicts_itself(void **state)
{
    (void)state;
    assert_edit_refused("\"samples\"", "\"create\"", "\"rename\"",
                        "samples[0].workload: the plan has no \"rename\"");
    assert_edit_refused("\"samples\"", "\"tier\": \"null\"", "\"tier\": \"none\"",
                        "samples[1].tier: no tier is called \"none\"");
    assert_edit_refused("\"samples\"", "\"round\": 2", "\"round\": 3",
                        "samples[4].round: 3, but the plan has 2");
    assert_edit_refused("\"samples\"", "\"round\": 2", "\"round\": 1",
                        "samples[4]: a second one of this workload, tier, round and block");
    assert_edit_refused("\"samples\"", "\"block\": 1", "\"block\": 0", "samples[0].block: ");
    assert_edit_refused("\"samples\"", "\"block\": 3", "\"block\": 2",
                        "samples[14]: a second one of this workload, tier, round and block");
    assert_edit_refused("\"samples\"", "\"round\": 9", "\"round\": 501",
                        "samples[13].round: 501 is above 500, the most that can be");
    assert_edit_refused("\"samples\"", "\"round\": 9", "\"round\": 1",
                        "samples[13]: a second one of this workload, tier, round and block");
    assert_edit_refused("\"samples\"", "\"status\": \"ok\"", "\"status\": \"good\"",
                        "samples[0].status: \"good\"");
    assert_edit_refused("\"samples\"", "\"user\"", "\"whim\"", "samples[10].reason: \"whim\" is none of");
    assert_edit_refused("\"samples\"", "\"batches\": 1", "\"batches\": 0", "samples[0].batches: ");
    assert_edit_refused("\"samples\"", "\"sync_ns\": 1111111", "\"sync_ns\": 1736111112",
                        "samples[0].sync_ns: ");
    assert_edit_refused("\"cache\"", "\"resident_before\": 0.1", "\"resident_before\": 1.5",
                        "samples[1].cache.resident_before: a share above 1");
    assert_edit_refused("\"cache\"", "\"resident_after\": 0.9", "\"resident_after\": 1.0001",
                        "samples[1].cache.resident_after: a share above 1");
    assert_edit_refused("\"overhead\"", "\"workload\": \"walk\"", "\"workload\": \"stroll\"",
                        "calibration.overhead[0].workload: the plan has no \"stroll\"");
    assert_edit_refused("\"latency\": {\"op\"", "\"count\": 20", "\"count\": 21",
                        "samples[0].latency.op.buckets: they don't add up to the count");
    assert_edit_refused("\"latency\": {\"op\"", "\"count\": 20", "\"count\": 19",
                        "samples[0].latency.op.buckets[");
    assert_edit_refused("\"latency\": {\"op\"", "\"count\": 20", "\"count\": 0",
                        "samples[0].latency.op.buckets: ");
    assert_edit_refused("\"latency\": {\"op\"", "\"digits\": 2", "\"digits\": 3",
                        "samples[0].latency.op.digits: ");
    assert_edit_refused("\"latency\": {\"op\"", "\"digits\": 2", "\"digits\": 4000000000",
                        "samples[0].latency.op.digits: ");
    assert_edit_refused("\"latency\": {\"op\"", "\"min_ns\": 100", "\"min_ns\": 99999999999",
                        "samples[0].latency.op.min_ns: above max_ns");
    assert_edit_refused("\"buckets\"", "[100,1", "[100,1,100,1",
                        "samples[0].latency.op.buckets[2]: buckets don't");
    assert_edit_refused("\"buckets\"", "[100,1", "[100,1,99,1",
                        "samples[0].latency.op.buckets[2]: buckets don't");
    assert_edit_refused("\"buckets\"", "[100,1", "[100,1,257,1",
                        "samples[0].latency.op.buckets[2]: no bucket of 2 digits begins there");
    assert_edit_refused("\"buckets\"", "[100,1", "[100,0", "samples[0].latency.op.buckets[1]: ");
    assert_edit_refused("\"buckets\"", "[100,1", "[100",
                        "samples[0].latency.op.buckets: 39 numbers are not pairs");
    assert_edit_refused("\"buckets\"", "[100,1", "[2199023255552,1",
                        "samples[0].latency.op.buckets[0]: not a");
    assert_edit_refused("\"ends_ns\"", "[100000000,", "[300000000,", "samples[6].series.ends_ns[1]: ");
    assert_edit_refused("\"series\"", "\"ops\": [0,", "\"ops\": [0,0,", "samples[6].series.ops: not as long");
    assert_edit_refused("\"octaves\"", "[1,7,40,", "[40,7,1,",
                        "samples[6].series.octaves[1][2]: octaves don't");
    assert_edit_refused("\"octaves\"", "[1,7,40,", "[41,7,40,",
                        "samples[6].series.octaves[1][0]: not a whole");
    assert_edit_refused("\"octaves\"", "4294967295", "4294967296",
                        "samples[6].series.octaves[1][3]: not a whole");
    assert_edit_refused("\"octaves\"", ",40,4294967295]", ",40]", "samples[6].series.octaves[1]: not pairs");
    assert_edit_refused("\"mib_ns\"", "[5,5", "[5,4", "samples[6].mib_ns[1]: before the MiB before it");
    assert_edit_refused("\"tiers\"", "\"name\": \"null\"",
                        "\"name\": \"p\xc3\xa4rsistent \\\"x\\\" </script>\"", "tiers: both are called");
    assert_edit_refused("\"tiers\"", "\"name\": \"null\"", "\"name\": \"\"", "tiers[1].name: empty");
    assert_edit_refused("\"tiers\"", "[", "[{\"name\": \"C\", \"path\": \"/c\"},", "tiers: 3 of them");
    assert_edit_refused("\"tiers\"", "\"0:52\"", "\"0-52\"", "tiers[0].mount.device: ");
    assert_edit_refused("\"tiers\"", "\"0:52\"", "\"0:99999999999\"", "tiers[0].mount.device: ");
    assert_edit_refused("\"tiers\"", "\"0x65735546\"", "\"0x657355460000000000\"", "tiers[0].mount.f_type: ");
    assert_edit_refused("\"plan\"", "\"rounds\": 2", "\"rounds\": 1000000",
                        "plan.rounds: 1000000 is not from");
    assert_edit_refused("\"plan\"", "\"kind\": \"walk\"", "\"kind\": \"stroll\"",
                        "plan.workloads[1].kind: no workload is called \"stroll\"");
    assert_edit_refused("\"plan\"", "\"syncfs\"", "\"sync\"", "plan.workloads[0].sync: \"sync\" is none of");
    assert_edit_refused("\"plan\"", "\"files\": 1001", "\"files\": 0", "plan.workloads[0].files: ");
    assert_edit_refused("\"plan\"", "\"share\": 148", "\"share\": 149",
                        "plan.workloads[0].sizes: the shares add up");
    assert_edit_refused("\"plan\"", "\"access\": \"cold\"", "\"access\": \"warm\"",
                        "plan.workloads[2].access: ");
    assert_edit_refused("\"plan\"", "\"id\": \"walk\"", "\"id\": \"create\"", "plan.workloads[1].id: ");
    assert_edit_refused("\"metrics\"", "\"n\": 3", "\"n\": 2", "metrics[0].values.");
    assert_edit_refused("\"metrics\"", "\"slower\": \"null\"", "\"slower\": \"C\"",
                        "metrics[3].ratio.slower: ");
    assert_edit_refused("\"id\": \"2", "\"id\": \"", "\"id\": \"0123456789012345678901234567890123456789",
                        "id: not 1 to 31 bytes long");
    assert_edit_refused("\"status\"", "\"stopped\"", "\"done\"", "status: \"done\" is none of");
}

static void reads_instants_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t seconds;
    } instants[] = {
        {"1970-01-01T00:00:00Z", 0},          {"1970-12-31T23:59:59Z", 31535999},
        {"2000-02-29T12:00:00Z", 951825600},  {"2000-03-01T00:00:00Z", 951868800},
        {"2024-02-29T00:00:00Z", 1709164800}, {"2026-11-30T17:55:35Z", 1796061335},
        {"2100-03-01T00:00:00Z", 4107542400}, {"2026-11-30T17:55:35.123456Z", 1796061335},
    };
    for (size_t i = 0; i < sizeof instants / sizeof *instants; i++) {
        struct run run;
        char *member = xformat("\"started\": \"%s\", \"was\": \"2", instants[i].text);
        edit_is_read(fixture_run, "{", "\"started\": \"2", member, &run, NULL);
        assert_int_equal(run.started_realtime_ns, instants[i].seconds * NS_PER_S);
        run_release(&run);
        free(member);
    }
    static const char *const wrong[] = {"",
                                        "2026-11-30",
                                        "2026-11-30 17:55:35Z",
                                        "2026-11-30T17:55:35",
                                        "2026-13-30T17:55:35Z",
                                        "2026-00-30T17:55:35Z",
                                        "2026-11-32T17:55:35Z",
                                        "2026-11-30T24:55:35Z",
                                        "2026-11-30T17:60:35Z",
                                        "1969-11-30T17:55:35Z",
                                        "9999-11-30T17:55:35Z",
                                        "2026-11-30T17:55:35+01:00",
                                        "-026-11-30T17:55:35Z"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *member = xformat("\"started\": \"%s\", \"was\": \"2", wrong[i]);
        assert_edit_refused("{", "\"started\": \"2", member, "started: not an instant");
        free(member);
    }
}

int test_run_json(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(every_fact_of_the_machine_is_written),
        cmocka_unit_test(reads_a_run_that_has_hardly_begun),
        cmocka_unit_test(writes_a_sample_a_line),
        cmocka_unit_test(the_longest_run_can_be_read),
        cmocka_unit_test(leaves_detail_out_by_name),
        cmocka_unit_test(escapes_what_is_not_utf8),
        cmocka_unit_test(writes_integers_whole_and_leaves_out_the_unknown),
        cmocka_unit_test(what_nobody_needed_is_not_stored),
        cmocka_unit_test(writes_no_number_that_is_none),
        cmocka_unit_test(checks_format_and_version_first),
        cmocka_unit_test(ignores_what_it_does_not_know),
        cmocka_unit_test(tolerates_what_is_missing_and_may_be),
        cmocka_unit_test(refuses_numbers_that_are_none),
        cmocka_unit_test(refuses_what_contradicts_itself),
        cmocka_unit_test(reads_instants_of_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
