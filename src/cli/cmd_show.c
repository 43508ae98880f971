// cmd_show.c: a saved run once more, derived again from its samples: the table, or the whole page in a
// format.
#include "analysis/disagree.h"
#include "analysis/judge.h"
#include "analysis/page.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "record/run_json.h"
#include "record/store.h"
#include "report/report.h"
#include "report/text.h"

#include <string.h>

static void write_page(const struct options *options, const struct run *run,
                       const struct judgement *judgement, struct text *out)
{
    struct page page;
    page_make(&page, run, judgement);
    const struct report report = {.run = run, .judgement = judgement, .page = &page};
    if (options->format)
        options->format->write(&report, out);
    else
        report_text(&page, out);
    page_release(&page);
}

static int deliver(const struct options *options, const struct text *page)
{
    struct error error;
    if (!options->output || strcmp(options->output, "-") == 0)
        return output_text(page, EXIT_DONE);
    if (!output_file(options->output, page, &error))
        return report_error(&error, EXIT_USAGE);
    return EXIT_DONE;
}

static bool asks_for_others(const struct thresholds *thresholds)
{
    for (size_t i = 0; i < THRESHOLD_COUNT; i++)
        if (thresholds->changed[i])
            return true;
    return false;
}

// What the document states is held against what its own thresholds give, whatever is asked for beside.
static void judge(const struct options *options, struct run *run, const struct judgement *stored,
                  struct judgement *judgement)
{
    struct text sentences = {0};
    judge_run(run, judgement);
    disagree_sentences(run, judgement, stored, &sentences);
    output_lines("note: ", text_string(&sentences));
    text_free(&sentences);
    if (!asks_for_others(&options->thresholds))
        return;
    judgement_release(judgement);
    thresholds_take(&run->thresholds, &options->thresholds);
    judge_run(run, judgement);
}

static int show_run(const struct options *options, struct run *run, const struct judgement *stored)
{
    struct judgement judgement;
    judge(options, run, stored, &judgement);
    struct text page = {0};
    write_page(options, run, &judgement, &page);
    int status = deliver(options, &page);
    text_free(&page);
    judgement_release(&judgement);
    return status;
}

static int perform(const struct options *options, int argc, char **argv)
{
    (void)argc, (void)argv;
    const char *name = options->arguments[0];
    struct error error;
    struct text document = {0};
    if (!store_read(options->runs, name, &document, &error)) {
        text_free(&document);
        return report_error(&error, EXIT_DOCUMENT);
    }
    struct run run = {0};
    struct judgement stored = {0};
    int status;
    if (run_json_read(text_string(&document), document.length, &run, &stored, &error)) {
        status = show_run(options, &run, &stored);
    } else {
        fail_context(&error, "%s", name);
        status = report_error(&error, EXIT_DOCUMENT);
    }
    judgement_release(&stored);
    run_release(&run);
    text_free(&document);
    return status;
}

const struct command command_show = {
    .name = "show",
    .usage = "diskduel show [OPTIONS] RUN",
    .summary = "a saved run: its table, or the whole page",
    .examples = "  diskduel show last\n"
                "  diskduel show --format html -o report.html ./run.json\n"
                "  kubectl exec pod -- diskduel run -o - /workspace /tmp | diskduel show -\n",
    .accepted = OPTIONS_RUNS | OPTIONS_SHOW,
    .least = 1,
    .most = 1,
    .what = "one run: a file, the beginning of an id, last, or -",
    .perform = perform,
};
